"""`distributed.sharding`: Paddle's front of sharded training (ZeRO) in eager mode and captured steps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...base.dtype import bool_, int32
from ...base.errors import ArgumentError, ModeError
from ...dygraph.grad_scaler import GradScaler
from ...dygraph.modes import GradMode
from ...dygraph.nn.layer import Layer
from ...dygraph.serialize import save
from ...ops.op import OPS
from ..data_parallel import DataParallel
from ..exchanges import all_reduce_of, barrier, broadcast
from ..group import Group, chosen_group
from .sharded_parameters import ShardedParameters
from .sharded_states import ShardedStates
from .stages import TranspiledOptimizer

_LEVELS = {"os": 1, "os_g": 2, "p_g_os": 3}


def group_sharded_parallel(
    model: Layer,
    optimizer: Any,
    level: str,
    scaler: Any = None,
    group: Group | None = None,
    offload: bool = False,
    sync_buffers: bool = False,
    buffer_max_size: int = 2**23,
    segment_size: int = 2**20,
    sync_comm: bool = False,
    dp_group: Group | None = None,
    exclude_layer: Sequence[Any] | None = None,
) -> tuple[Any, Any, Any]:
    """The model, optimizer and scaler (None if none is given) for sharded training.

    level "os": the optimizer's states are sharded; "os_g": gradients, too; "p_g_os": parameters of at least
    `segment_size` elements, too, but not those of the layers in `exclude_layer` (class names, or ids of layers).
    sync_buffers: every forward begins with the first rank's buffers and running statistics. buffer_max_size and
    sync_comm change nothing here. Errors: ArgumentError for another level; ModeError for `offload` and `dp_group`.

    >>> from vitrify.nn import Linear
    >>> from vitrify.optimizer import Adam
    >>> net = Linear(2, 3)
    >>> net, adam, _ = group_sharded_parallel(net, Adam(0.1, parameters=net.parameters()), "p_g_os", segment_size=1)
    >>> adam, [p.shape for p in net.parameters()]
    (Adam(learning_rate=0.1, parameters=2) with sharding, [[6], [3]])
    """
    if level not in _LEVELS:
        raise ArgumentError(f"group_sharded_parallel has no level {level!r}", remedy='use "os", "os_g" or "p_g_os"')
    if offload:
        raise ModeError("group_sharded_parallel: nothing can be offloaded, there is no memory but the CPU's",
                        remedy="leave offload out")  # fmt: skip
    if dp_group is not None:
        raise ModeError("group_sharded_parallel: a dp_group beside the sharding group isn't there",
                        remedy="shard over all ranks")  # fmt: skip
    chosen = chosen_group(group)
    if level == "p_g_os":
        made: Layer = ShardedParameters(model, chosen, segment_size, exclude_layer)
        some = any(hasattr(p, "whole_shape") for p in model.parameters())
        stage = ShardedStates(3 if some else 2, chosen)
    else:
        made, stage = DataParallel(model, group=chosen), ShardedStates(_LEVELS[level], chosen)
    sharded = stage.optimizer(optimizer)
    if sync_buffers and chosen.nranks > 1:
        made.register_forward_pre_hook(lambda layer, inputs: _give_buffers(layer, chosen))
    return made, sharded, _Agreeing(scaler, chosen) if isinstance(scaler, GradScaler) else scaler


def _give_buffers(layer: Layer, group: Group) -> None:
    moved = (getattr(part, name) for part in layer.sublayers(include_self=True) for name in part.moved)
    for tensor in (*moved, *layer.buffers()):
        broadcast(tensor, group.ranks[0], group)


class _Agreeing(GradScaler):
    """A scaler, with its state, that leaves a step out where any rank's gradients are infinite or NaN."""

    def __init__(self, scaler: GradScaler, group: Group) -> None:
        self.__dict__.update(scaler.__dict__)
        self.group = group

    def unscale_(self, optimizer: Any) -> None:
        """As the scaler does; then ask all ranks."""
        super().unscale_(optimizer)
        if self._enable and self.group.nranks > 1:
            with GradMode(False):
                found = all_reduce_of(OPS["cast"](self._found, int32), "max", self.group)
                self._found._write(OPS["cast"](found, bool_), fresh=True)


def save_group_sharded_model(model: Layer, output: str, optimizer: Any = None) -> None:
    """Save whole parameters as `model.pdmodel` in the folder `output`, and whole states as `model.pdopt`.

    Every rank calls it; the first one writes, and the others go on when it has. Load them with `vt.load`, for any
    number of ranks. Errors: ArgumentError for a file in the folder's place, or what `group_sharded_parallel` didn't
    make.
    """
    if not isinstance(model, (DataParallel, ShardedParameters)):
        raise ArgumentError(f"save_group_sharded_model: a {type(model).__name__} isn't sharded",
                            remedy="give what group_sharded_parallel returned")  # fmt: skip
    if optimizer is not None and not isinstance(optimizer, TranspiledOptimizer):
        raise ArgumentError(f"save_group_sharded_model: a {type(optimizer).__name__} isn't sharded",
                            remedy="give what group_sharded_parallel returned")  # fmt: skip
    folder, group = Path(output), model._group
    if folder.is_file():
        raise ArgumentError(f"save_group_sharded_model: {output} is a file, not a folder")
    parameters, states = model.state_dict(), None if optimizer is None else optimizer.state_dict()
    if group.rank == 0:
        folder.mkdir(parents=True, exist_ok=True)
        save(parameters, folder / "model.pdmodel")
        if states is not None:
            save(states, folder / "model.pdopt")
    barrier(group)

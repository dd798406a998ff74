"""A model whose layers are spread over ranks, trained on parts of a batch; norms of gradients that are spread."""

from __future__ import annotations

from typing import Any

from ...base.errors import ModeError
from ...dygraph.nn.layer import Layer
from ...dygraph.optimizer.clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from ...dygraph.optimizer.for_stages import change_clips
from ...ops.op import OPS
from ...ops.shape import concat
from ..data_parallel import DataParallel
from ..exchanges import all_reduce_of, broadcast
from ..group import Group
from .topology import HybridCommunicateGroup, get_hybrid_communicate_group

Pairs = list[tuple[Any, Any]]


def is_spread(parameter: Any) -> bool:
    """Whether this rank has a part of the parameter only."""
    return bool(getattr(parameter, "is_distributed", False))


def spreads_models(grid: HybridCommunicateGroup) -> bool:
    """Whether several ranks hold one model together."""
    return grid.get_check_parallel_group().nranks > 1


def synchronise_whole(layers: Layer, group: Group) -> None:
    """Give every rank of the group the first one's parameters and buffers, but for those that are spread."""
    if group.nranks > 1:
        for tensor in [*layers.parameters(), *layers.buffers()]:
            if not is_spread(tensor):
                broadcast(tensor, group.ranks[0], group)


class TensorParallel(DataParallel):
    """A model with layers that are spread over ranks, and averaged gradients of ranks with other parts of the batch.

    The ranks that share its layers have to be given the same inputs, and have the same loss, which counts once. When
    it is made, parameters that aren't spread become those of the first rank.

    >>> from vitrify.nn import Linear
    >>> list(TensorParallel(Linear(2, 3)).state_dict())
    ['weight', 'bias']
    """

    def __init__(self, layers: Layer, hcg: HybridCommunicateGroup | None = None, **_: Any) -> None:
        grid = get_hybrid_communicate_group() if hcg is None else hcg
        synchronise_whole(layers, grid.get_model_parallel_group())
        super().__init__(layers, group=grid.batch_group())


def agree_on_finite(scaler: Any, grid: HybridCommunicateGroup) -> Any:
    """Let a GradScaler skip a step on all ranks that hold one model where gradients of one of them aren't finite."""
    group = grid.get_check_parallel_group()
    if group.nranks > 1:
        scaler.agree = lambda found: all_reduce_of(found, "max", group)
    return scaler


class HybridClip(ClipGradByGlobalNorm):
    """A clip by norms of whole gradients, where ranks have parts of them: layers spread over ranks, or stages.

    For a global norm the squares of all stages are added up; a parameter that stages share counts on the first of them.
    """

    def __init__(self, clip: ClipGradByGlobalNorm | ClipGradByNorm, grid: HybridCommunicateGroup) -> None:
        self.clip, self.clip_norm = clip, clip.clip_norm
        self.parts, self.stages = grid.get_model_parallel_group(), grid.get_pipe_parallel_group()

    def __call__(self, params_grads: Pairs) -> Pairs:
        wanted = [(p, g) for p, g in params_grads if getattr(p, "need_clip", True)]
        made = iter(self._scaled(wanted))
        return [(p, next(made) if getattr(p, "need_clip", True) else g) for p, g in params_grads]

    def _scaled(self, pairs: Pairs) -> list[Any]:
        is_global = isinstance(self.clip, ClipGradByGlobalNorm)
        if not pairs and not (is_global and self.stages.nranks > 1):
            return []
        squares = self._squares(pairs)
        if is_global:
            counted = [s for (p, _), s in zip(pairs, squares, strict=True) if not getattr(p, "counts_elsewhere", False)]
            total = OPS["sum"](concat(counted)) if counted else OPS["full"]([], 0.0, "float32")
            if self.stages.nranks > 1:
                total = all_reduce_of(total, "sum", self.stages)
            squares = [total] * len(pairs)
        found = []
        for (_, g), square in zip(pairs, squares, strict=True):
            factor = self.clip_norm / OPS["maximum"](OPS["sqrt"](square), self.clip_norm)
            found.append(g * OPS["cast"](OPS["reshape"](factor, ()), g.dtype))
        return found

    def _squares(self, pairs: Pairs) -> list[Any]:
        """The squared norm of each whole gradient, [1]; those of parts travel together."""
        squares = [OPS["reshape"](OPS["cast"](OPS["sum"](g * g), "float32"), (1,)) for _, g in pairs]
        spread = [k for k, (p, _) in enumerate(pairs) if is_spread(p)]
        if spread and self.parts.nranks > 1:
            sums = all_reduce_of(concat([squares[k] for k in spread]), "sum", self.parts)
            for at, k in enumerate(spread):
                squares[k] = sums[at : at + 1]
        return squares


def clip_whole(optimizer: Any, grid: HybridCommunicateGroup) -> None:
    """Let an optimizer's clips go by norms of whole gradients. Errors: ModeError for a kind of one's own."""

    def whole(clip: Any) -> Any:
        if clip is None or isinstance(clip, (ClipGradByValue, HybridClip)):
            return clip
        if not isinstance(clip, (ClipGradByGlobalNorm, ClipGradByNorm)):
            raise ModeError(f"gradients that are spread over ranks can't be clipped with a {type(clip).__name__}",
                            remedy="use ClipGradByGlobalNorm, ClipGradByNorm or ClipGradByValue")  # fmt: skip
        return HybridClip(clip, grid)

    change_clips(getattr(optimizer, "inner", optimizer), whole)

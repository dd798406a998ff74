"""ShardedParameters: each rank keeps a part of every parameter; a layer gathers its own before its forward (ZeRO 3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...base.errors import ArgumentError
from ...dygraph.conversions import to_tensor
from ...dygraph.nn.layer import Layer
from ...ops.op import OPS
from ..data_parallel import synchronise
from ..exchanges import all_gather_of
from ..group import Group, chosen_group
from .parts import cut, gathered, joined, own_part


class ShardedParameters(Layer):
    """A layer whose parameters are cut into one part for each rank of a group; gradients arrive cut and averaged.

    Each parameter object stays, and holds this rank's part, f[part]. Before the forward of the layer that owns it all
    parts are gathered, and behind it the whole parameter is let go; until `backward` has used it, it stays in memory
    (inside of `recompute` it doesn't: it is gathered again). So a layer may read its own parameters, in its own
    forward. smallest: parameters with fewer elements stay whole. exclude: class names and ids of layers whose
    parameters stay whole. The first rank's parameters and buffers are given to all.
    Errors: ArgumentError for a model whose parameters are sharded already.

    >>> from vitrify.nn import Linear
    >>> net = ShardedParameters(Linear(2, 3))
    >>> [p.shape for p in net.parameters()], net.state_dict()["weight"].shape
    ([[6], [3]], [2, 3])
    """

    def __init__(
        self, layers: Layer, group: Group | None = None, smallest: int = 0, exclude: Sequence[Any] | None = None
    ) -> None:
        super().__init__()
        if not isinstance(layers, Layer):
            raise ArgumentError(f"ShardedParameters needs a Layer, not a {type(layers).__name__}")
        if any(hasattr(p, "whole_shape") for p in layers.parameters()):
            raise ArgumentError("the parameters of this model are sharded already",
                                remedy="shard a model once, as a whole")  # fmt: skip
        self._layers = layers
        self._group = chosen_group(group)
        synchronise(layers, self._group)
        for layer in layers.sublayers(include_self=True):
            if type(layer).__name__ not in (exclude or ()) and id(layer) not in (exclude or ()):
                self._shard(layer, smallest)

    def _shard(self, layer: Layer, smallest: int) -> None:
        """Cut the parameters of one layer, and let it gather them."""
        for name, p in layer.named_parameters(include_sublayers=False, remove_duplicate=False):
            if (math.prod(p.shape) < smallest and not hasattr(p, "whole_shape")) or name in layer.moved:
                continue
            if not hasattr(p, "whole_shape"):
                _keep_part(p, self._group)
            gathered = _Gathered(name, p, self._group)
            layer.register_forward_pre_hook(gathered.put)
            layer.register_forward_post_hook(gathered.let_go, always_call=True)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the sharded layer returns."""
        return self._layers(*inputs, **kwargs)

    def state_dict(self, *args: Any, sharded: bool = False, **kwargs: Any) -> dict[str, Any]:
        """The layer's state, under its own names. Whole parameters, which all ranks gather; `sharded`: this rank's
        parts.
        """
        found = self._layers.state_dict(*args, **kwargs)
        return found if sharded else {name: _whole(x, self._group) for name, x in found.items()}

    def set_state_dict(self, state_dict: Any, *args: Any, **kwargs: Any) -> Any:
        """Set whole parameters, or this rank's parts."""
        made = dict(state_dict)
        for name, x in self._layers.state_dict().items():
            if name in made and tuple(made[name].shape) == getattr(x, "whole_shape", None) != tuple(x.shape):
                made[name] = cut(to_tensor(made[name]), self._group.nranks)[self._group.rank]
        return self._layers.set_state_dict(made, *args, **kwargs)

    load_dict = set_dict = set_state_dict


class _Gathered:
    """Puts a whole parameter in the place of its part for the time of a layer's forward."""

    def __init__(self, name: str, part: Any, group: Group) -> None:
        self.name, self.part, self.group = name, part, group

    def put(self, layer: Layer, inputs: Any) -> None:
        """The hook before forward. Its gradient is that of `all_gather`: the sum of all ranks' parts."""
        layer.__dict__[self.name] = joined(all_gather_of(self.part, self.group), self.part.whole_shape)

    def let_go(self, layer: Layer, inputs: Any, outputs: Any) -> None:
        """The hook behind forward."""
        layer.__dict__.pop(self.name, None)


def _keep_part(p: Any, group: Group) -> None:
    """Let a parameter hold this rank's part of what it held, and take the mean of what arrives."""
    shape = tuple(p.shape)
    p._storage.replace(own_part(p.numpy(), group))
    p.whole_shape, p.sharded_over, p.exchanged_by_optimizer = shape, group, True
    if group.nranks > 1 and not p.stop_gradient:
        p.register_hook(lambda gradient: OPS["divide"](gradient, group.nranks))


def _whole(x: Any, group: Group) -> Any:
    return gathered(x, x.whole_shape, group) if hasattr(x, "whole_shape") else x

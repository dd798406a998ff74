# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.distributed.group import Group as _Group
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class ShardedParameters(_Layer):
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
    ([[6], [3]], [2, 3])"""
    def __init__(self, layers: _Layer, group: _Group | None = None, smallest: _int = 0, exclude: _Sequence[_Any] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, *inputs: _Any, **kwargs: _Any) -> _Tensor:
        """What the sharded layer returns."""
    def state_dict(self, *args: _Any, sharded: _bool = False, **kwargs: _Any) -> _dict[_str, _Any]:
        """The layer's state, under its own names. Whole parameters, which all ranks gather; `sharded`: this rank's
        parts."""
    def set_state_dict(self, state_dict: _Any, *args: _Any, **kwargs: _Any) -> _Any:
        """Set whole parameters, or this rank's parts."""
    def load_dict(self, state_dict: _Any, *args: _Any, **kwargs: _Any) -> _Any:
        """Set whole parameters, or this rank's parts."""
    def set_dict(self, state_dict: _Any, *args: _Any, **kwargs: _Any) -> _Any:
        """Set whole parameters, or this rank's parts."""

# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class DataParallel(_Layer):
    """A layer whose gradients are averaged among processes; there is one, so the layer itself in a wrapper.

    >>> from vitrify.nn import Linear
    >>> DataParallel(Linear(2, 3)).state_dict().keys()
    dict_keys(['weight', 'bias'])"""
    find_unused_parameters: _bool
    def __init__(self, layers: _Layer, *_: _Any, find_unused_parameters: _bool = False, **__: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, *inputs: _Any, **kwargs: _Any) -> _Tensor:
        """What the wrapped layer returns."""
    def state_dict(self, *args: _Any, **kwargs: _Any) -> _dict[_str, _Any]:
        """The wrapped layer's state, under its own names."""
    def set_state_dict(self, *args: _Any, **kwargs: _Any) -> _Any:
        """Set the wrapped layer's state."""
    def load_dict(self, *args: _Any, **kwargs: _Any) -> _Any:
        """Set the wrapped layer's state."""
    def set_dict(self, *args: _Any, **kwargs: _Any) -> _Any:
        """Set the wrapped layer's state."""
    def scale_loss(self, loss: _Any) -> _Any:
        """The loss itself."""
    def apply_collective_grads(self) -> None:
        """Nothing: there is nobody to exchange gradients with."""

# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.optimizer.optimizer import Optimizer as _Optimizer

class Momentum(_Optimizer):
    """velocity = momentum * velocity + grad; param -= rate * velocity.

    use_nesterov: param -= rate * (grad + momentum * velocity)."""
    def __init__(self, learning_rate: _Any = 0.001, momentum: _float = 0.9, parameters: _Any = None, use_nesterov: _bool = False, weight_decay: _Any = None, grad_clip: _Any = None, multi_precision: _bool = False, rescale_grad: _float = 1.0, use_multi_tensor: _bool = False, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class SGD(_Optimizer):
    """param -= rate * grad.

    >>> from ..tensor import Parameter
    >>> w = Parameter([1.0])
    >>> (w * 3.0).backward()
    >>> SGD(0.1, parameters=[w]).step()
    >>> round(w.item(), 4)
    0.7"""
    def __init__(self, learning_rate: _Any = 0.001, parameters: _Any = None, weight_decay: _Any = None, grad_clip: _Any = None, multi_precision: _bool = False, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from typing import Any as _Any
from vitrify.base.changes import Counted as _Counted

class Decay(_Counted):
    """Base: `coeff` times the gradient of a norm of the parameter is added to its gradient."""
    coeff: _float
    def __init__(self, coeff: _float = 0.0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def add_to(self, grad: _Any, param: _Any) -> _Any:
        """The gradient with decay."""

class L1Decay(Decay):
    """Adds coeff * sign(param) to the gradient."""
    def add_to(self, grad: _Any, param: _Any) -> _Any:
        """The gradient with decay."""

class L2Decay(Decay):
    """Adds coeff * param to the gradient.

    >>> L2Decay(1e-4)
    L2Decay(0.0001)"""
    def add_to(self, grad: _Any, param: _Any) -> _Any:
        """The gradient with decay."""

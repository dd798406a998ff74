# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from typing import Any as _Any
from vitrify.distributed.transpile.stages import Stage as _Stage
from vitrify.distributed.transpile.stages import TranspiledOptimizer as _TranspiledOptimizer

class GradientMerge(_Stage):
    """Add the gradients of `k_steps` steps up; then update once, with their mean (avg) or their sum.

    The learning rate, clipping and weight decay are those of the update. A parameter without a gradient in some of
    the steps counts with zeros there. The sums are in the optimizer's `state_dict`.
    Errors: ArgumentError for k_steps below 1.

    >>> from vitrify.nn import Linear
    >>> from vitrify.optimizer import SGD
    >>> net = Linear(2, 1)
    >>> GradientMerge(4).optimizer(SGD(0.1, parameters=net.parameters()))
    SGD(learning_rate=0.1, parameters=2) with gradient_merge"""
    k_steps: _int
    avg: _bool
    name: _str
    exchanges: _bool
    def __init__(self, k_steps: _int = 1, avg: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def apply(self, pairs: _list[_tuple[_Any, _Any]], then: _Callable[[_list[_tuple[_Any, _Any]]], None], optimizer: _TranspiledOptimizer) -> None:
        """Add; in every k-th step hand the sums on."""

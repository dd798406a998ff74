# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from typing import Any as _Any
from vitrify.distributed.transpile.stages import Stage as _Stage
from vitrify.distributed.transpile.stages import TranspiledOptimizer as _TranspiledOptimizer

class TopGradients(_Stage):
    """Exchange the largest elements of what each rank has gathered of a gradient, and keep the rest for later steps.

    sparsity: the share that stays, 0.999 at first; at least one element travels. momentum: each rank's own, applied
    before the choice and stopped where an element travels; train with SGD then. Until step `rampup_begin_step` whole
    gradients travel. Ranks add in their order, so all have the same bits. What stays is in the optimizer's
    `state_dict`; it is this rank's own.
    Errors: ArgumentError for a sparsity that isn't from 0 to below 1.
    Source: Lin et al., Deep Gradient Compression, 2018.

    >>> TopGradients(sparsity=0.9).chosen(100)
    10"""
    sparsity: _float
    momentum: _float
    begin: _int
    name: _str
    def __init__(self, sparsity: _float = 0.999, momentum: _float = 0.0, rampup_begin_step: _int = 0, group: _object = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def chosen(self, size: _int) -> _int:
        """How many elements of a gradient of this size travel."""
    def apply(self, pairs: _list[_tuple[_Any, _Any]], then: _Callable[[_list[_tuple[_Any, _Any]]], None], optimizer: _TranspiledOptimizer) -> None:
        """Exchange parts of the gradients, or whole ones as long as training warms up."""

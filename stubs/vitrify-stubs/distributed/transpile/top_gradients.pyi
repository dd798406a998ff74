# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.distributed.transpile.stages import Stage as _Stage
from vitrify.distributed.transpile.stages import TranspiledOptimizer as _TranspiledOptimizer

class TopGradients(_Stage):
    """Exchange the largest elements of what each rank has gathered of a gradient, and keep the rest for later steps.

    sparsity: the share that stays; at least one element travels. Of several, each holds for an equal share of
    `rampup_step` steps behind step `rampup_begin_step`, and the last one from there on. Until that step whole
    gradients travel. momentum: each rank's own, applied before the choice and stopped where an element travels; train
    with SGD then. Ranks add in their order, so all have the same bits. What stays is in the optimizer's
    `state_dict`; it is this rank's own.
    Errors: ArgumentError for a sparsity that isn't from 0 to below 1, or none.
    Source: Lin et al., Deep Gradient Compression, 2018.

    >>> TopGradients(sparsity=0.9).chosen(100)
    10"""
    sparsities: _Any
    momentum: _float
    begin: _int
    rampup_step: _int
    name: _str
    def __init__(self, sparsity: _float | _Sequence[_float] = 0.999, momentum: _float = 0.0, rampup_begin_step: _int = 0, group: _object = None, rampup_step: _int = 1) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def chosen(self, size: _int, place: _int = -1) -> _int:
        """How many elements of a gradient of this size travel; place: at which of the sparsities (the last)."""
    def last_step(self, place: _int) -> _int:
        """The last step in which a sparsity holds, of all but the last one."""
    def apply(self, pairs: _list[_tuple[_Any, _Any]], then: _Callable[[_list[_tuple[_Any, _Any]]], None], optimizer: _TranspiledOptimizer) -> None:
        """Exchange parts of the gradients, or whole ones as long as training warms up."""

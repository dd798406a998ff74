# Written by `make stubs`; edits here are lost.

from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from typing import Any as _Any
from vitrify.distributed.transpile.stages import Stage as _Stage
from vitrify.distributed.transpile.stages import TranspiledOptimizer as _TranspiledOptimizer

class ShortGradients(_Stage):
    """Average gradients that travel as float16 or bfloat16: half the bytes, and one rounding more on each side.

    The sum is taken in float32 and rounded once. A float16 gradient above 65504 becomes infinite: use bfloat16, or a
    GradScaler, which skips such a step.
    Errors: ArgumentError for another dtype.

    >>> ShortGradients("bfloat16").dtype.name
    'bfloat16'"""
    dtype: _Any
    name: _str
    def __init__(self, dtype: _object = 'float16', group: _object = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def apply(self, pairs: _list[_tuple[_Any, _Any]], then: _Callable[[_list[_tuple[_Any, _Any]]], None], optimizer: _TranspiledOptimizer) -> None:
        """Round each gradient, exchange it, and widen it."""

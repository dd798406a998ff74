# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.base.changes import Counted as _Counted

class ClipGradByGlobalNorm(ClipGradBase):
    """All gradients are scaled down together so that the 2-norm of all of them is at most clip_norm."""
    clip_norm: _float
    def __init__(self, clip_norm: _float, group_name: _str = 'default_group', auto_skip_clip: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class ClipGradBase(_Counted):
    """Base: calling it on [(parameter, gradient)] gives such a list with the gradients clipped; a None is left out."""
    def __call__(self, params_grads: _list[_tuple[_Any, _Any]]) -> _list[_tuple[_Any, _Any]]:
        """Call self as a function."""

class ClipGradByNorm(ClipGradBase):
    """Each gradient is scaled down so that its 2-norm is at most clip_norm."""
    clip_norm: _Any
    def __init__(self, clip_norm: _float) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class ClipGradByValue(ClipGradBase):
    """Every element is bounded to [min, max]; min is -max unless given.

    >>> ClipGradByValue(1.0)
    ClipGradByValue(max=1.0, min=-1.0)"""
    max: _float
    min: _float
    def __init__(self, max: _float, min: _float | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

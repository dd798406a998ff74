# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from collections.abc import Callable as _Callable
from typing import Any as _Any

class QuietHandle(HookHandle):
    """A layer's handle, whose `remove()` tells nothing."""
    def remove(self) -> None:
        """Take the hook out."""

class HookHandle:
    """What registering a hook returns; `remove()` takes the hook out again, once.

    >>> table = {}
    >>> handle = register(table, print, HookHandle)
    >>> handle.remove(), handle.remove(), table
    (True, False, {})"""
    def __init__(self, table: _dict[_int, _Callable[..., _Any]], key: _int) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def remove(self) -> _bool:
        """Take the hook out; whether it was still there."""

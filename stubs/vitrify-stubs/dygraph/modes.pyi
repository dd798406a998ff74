# Written by `make stubs`; edits here are lost.

from builtins import BaseException as _BaseException
from builtins import bool as _bool
from builtins import type as _type
from collections.abc import Callable as _Callable
from typing import Any as _Any
from typing import TypeVar as _TypeVar

class GradMode(_Mode):
    """A gradient mode for blocks and functions."""
    mode: _bool
    def __init__(self, mode: _bool) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class _Mode:
    """Sets the gradient mode inside a `with` block or a decorated function (or generator); may be nested and reused."""
    mode: _bool
    def __enter__(self) -> None: ...
    def __exit__(self, kind: _type[_BaseException] | None, error: _BaseException | None, trace: _Any | None) -> None: ...
    def __call__(self, fn: _F) -> _F:
        """Call self as a function."""

_F = _TypeVar("_F", bound=_Callable[..., _Any])

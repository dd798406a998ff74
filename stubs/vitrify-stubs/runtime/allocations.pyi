# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from typing import Any as _Any

class Allocations:
    """What compiled programs have asked the system for since the process began.

    count: blocks taken (arenas, results of 64 KiB and more that found no free memory of an earlier call, results of
    operations that NumPy runs). bytes: their sum. arenas: bytes of arenas in use now. lists: bytes that the residual
    lists of loops hold now."""
    count: _int
    bytes: _int
    arenas: _int
    lists: _int
    def __init__(self, count: _int, bytes: _int, arenas: _int, lists: _int) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

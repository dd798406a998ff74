# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from typing import Any as _Any

class ReduceOp:
    """How the tensors of the ranks are joined."""
    SUM: _int
    MAX: _int
    MIN: _int
    PROD: _int
    AVG: _int

class Task:
    """An exchange that has ended: all of them end before they return."""
    def wait(self, timeout: _Any = None) -> _bool:
        """True: there is nothing to wait for."""
    def is_completed(self) -> _bool:
        """True."""

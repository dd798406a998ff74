# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from builtins import int as _int
from builtins import tuple as _tuple
from typing import Any as _Any

class Deviation:
    """The first element that differs: where, both values, how many units in the last place apart; how many differ.

    index is () and ulp infinite where dtypes or shapes differ: expected and found are then their descriptions."""
    index: _tuple[_int, ...]
    expected: _Any
    found: _Any
    ulp: _float
    count: _int
    size: _int
    def __init__(self, index: _tuple[_int, ...], expected: _Any, found: _Any, ulp: _float, count: _int = 1, size: _int = 1) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

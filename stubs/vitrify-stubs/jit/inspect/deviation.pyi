# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any

class Deviations(_tuple[OutputDeviation, ...]):
    """One entry per output; prints as a table."""
    @property
    def ulp(self) -> _float:
        """The largest of all."""

class OutputDeviation:
    """One output: the largest distance in units in the last place and in size, and its largest element."""
    name: _str
    ulp: _float
    difference: _float
    scale: _float
    def __init__(self, name: _str, ulp: _float, difference: _float, scale: _float) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

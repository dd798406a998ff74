# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from builtins import int as _int
from typing import Any as _Any

class Slope:
    """How a result grows along a direction in one operand: by the gradient rule and by finite differences."""
    operand: _int
    by_rule: _float
    by_differences: _float
    @property
    def ratio(self) -> _float:
        """What the rule gives, in parts of what is right."""
    def __init__(self, operand: _int, by_rule: _float, by_differences: _float) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

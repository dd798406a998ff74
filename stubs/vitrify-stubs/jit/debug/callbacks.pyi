# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from typing import Any as _Any
from vitrify.base.location import Loc as _Loc
from vitrify.jit.debug.slopes import Slope as _Slope

class CallbackCheck:
    """What `check_callbacks` found; true if nothing is wrong. `checked`: names of the callbacks, in order."""
    name: _str
    checked: _list[_str]
    findings: _list[Finding]
    def __bool__(self) -> _bool: ...
    def raise_for_findings(self) -> None:
        """Errors: CallbackError with everything that was found, if anything was."""
    def __init__(self, name: _str, checked: _list[_str], findings: _list[Finding]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class Finding:
    """What is wrong with one callback: which input (None: all), how, and the slope where a gradient is wrong.

    kind: "gradient", "determinism", "mutation", "dtype" or "failure"."""
    name: _str
    loc: _Loc
    kind: _str
    message: _str
    operand: _int | None
    slope: _Slope | None
    @property
    def ratio(self) -> _float | None:
        """What the backward gives, in parts of what is right; None where that isn't what is wrong."""
    def __init__(self, name: _str, loc: _Loc, kind: _str, message: _str, operand: _int | None = None, slope: _Slope | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

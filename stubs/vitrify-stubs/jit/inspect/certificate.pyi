# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from typing import Literal as _Literal
from vitrify.base.location import Loc as _Loc

class Certificate:
    """All statements of all functions reached. `hash` is the same wherever the same capture is made.

    unplaced: operations that no statement accounts for (none, unless code without source took part)."""
    name: _str
    statements: _tuple[Statement, ...]
    unplaced: _tuple[_str, ...]
    program: _str
    @property
    def hash(self) -> _str:
        """A digest of statements, verdicts, guarded values and the program, for use in CI."""
    @property
    def is_strict(self) -> _bool:
        """Whether no statement is opaque and every operation has its statement."""
    def check(self) -> Certificate:
        """The certificate itself. Errors: CaptureError where it isn't strict, naming the first opaque statement."""
    def __init__(self, name: _str, statements: _tuple[Statement, ...], unplaced: _tuple[_str, ...], program: _str) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class Statement:
    """One statement: where it stands, what became of it, by which operations, and which guarded values it read."""
    function: _str
    loc: _Loc
    text: _str
    verdict: _Literal['in program', 'evaluated at trace', 'opaque']
    operations: _tuple[_str, ...]
    values: _tuple[_str, ...]
    reached: _bool
    @property
    def detail(self) -> _str:
        """Operations and guarded values in words."""
    def __init__(self, function: _str, loc: _Loc, text: _str, verdict: _Literal['in program', 'evaluated at trace', 'opaque'], operations: _tuple[_str, ...] = ..., values: _tuple[_str, ...] = ..., reached: _bool = True) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from pathlib import Path as _Path
from typing import Any as _Any
from vitrify.base.location import Loc as _Loc
from vitrify.jit.debug.comparison import Deviation as _Deviation

class Verification:
    """The outcome of `verify`: true if nothing differs. Prints as a table of stages and the first difference.

    script: a file that reproduces the difference without the user's code, where one was asked for."""
    name: _str
    stages: _list[Stage]
    difference: Difference | None
    script: _Path | None
    def __bool__(self) -> _bool: ...
    def raise_for_difference(self) -> None:
        """Errors: MiscompileError that names the first difference, if there is one."""
    def __init__(self, name: _str, stages: _list[Stage], difference: Difference | None = None, script: _Path | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class Stage:
    """One comparison: its name, the largest distance of two results in units in the last place, how long it took."""
    name: _str
    ulp: _float
    seconds: _float
    def __init__(self, name: _str, ulp: _float, seconds: _float) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

class Difference:
    """The first thing that differs.

    stage: between which two ways of running. operation: the op's name; loc: the user's line. pass_name and rule: whose
    work it is, where a pass did it; became: what the pass made of the operation. where: the iterations of the loops
    around.
    deviation: the first element, expected and found."""
    stage: _str
    operation: _str
    loc: _Loc | None
    deviation: _Deviation | None
    pass_name: _str | None
    rule: _str | None
    became: _str | None
    where: _str
    result: _int
    note: _str
    program: _Any
    event: _Any
    passes: _Sequence[_Any] | None
    arrays: _Sequence[_Any] | None
    @property
    def line(self) -> _int | None:
        """The number of the user's line."""
    def __init__(self, stage: _str, operation: _str, loc: _Loc | None, deviation: _Deviation | None, pass_name: _str | None = None, rule: _str | None = None, became: _str | None = None, where: _str = '', result: _int = 0, note: _str = '', program: _Any = None, event: _Any = None, passes: _Sequence[_Any] | None = None, arrays: _Sequence[_Any] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

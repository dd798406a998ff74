# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from typing import NamedTuple as _NamedTuple

class Loc:
    """One place: file, 1-based line, and the place it was called from.

    function: the name of the function that the line is in. layer: the path of the layer that was running; labels_of:
    the loss whose labels are indices here; purpose: what the operations made here are for besides a result. Two places
    are equal whatever these are.

    >>> Loc("model.py", 31).short()
    'model.py:31'"""
    file: _str
    line: _int
    column: _int
    caller: Loc | None
    layer: _str
    labels_of: _str
    purpose: Purpose | None
    function: _str
    def short(self) -> _str:
        """`file:line` with the file's last part only; `cell 3, line 4` in a notebook."""
    def text(self) -> _str:
        """The source line, stripped; empty where the file can't be read."""
    def excerpt(self) -> _str:
        """The place and its source line, then the innermost calls that led there, one line each."""
    def __init__(self, file: _str = '', line: _int = 0, column: _int = 0, caller: Loc | None = None, layer: _str = '', labels_of: _str = '', purpose: Purpose | None = None, function: _str = '') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

class Purpose(_NamedTuple):
    """What an operation is for besides a result: the gradient of an operation, or the update of a parameter.

    kind: "gradient" or "update". of: the operation's name, or the optimiser's class. place: where the operation stands
    whose gradient it is; target: the name of the parameter that is updated."""
    kind: _str
    of: _str
    place: Loc | None
    target: _str
    @staticmethod
    def __new__(_cls, kind: _Any, of: _Any, place: _Any = None, target: _Any = '') -> _Any:
        """Create new instance of Purpose(kind, of, place, target)"""
    def __getnewargs__(self) -> _Any:
        """Return self as a plain tuple.  Used by copy and pickle."""

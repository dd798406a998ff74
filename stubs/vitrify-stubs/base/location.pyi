# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any

class Loc:
    """One place: file, 1-based line, and the place it was called from.

    layer: the path of the layer that was running; labels_of: the loss whose labels are indices here. Two places are
    equal whatever these are.

    >>> Loc("model.py", 31).short()
    'model.py:31'"""
    file: _str
    line: _int
    column: _int
    caller: Loc | None
    layer: _str
    labels_of: _str
    def short(self) -> _str:
        """`file:line` with the file's last part only."""
    def text(self) -> _str:
        """The source line, stripped; empty where the file can't be read."""
    def excerpt(self) -> _str:
        """The place and its source line, then the calls that led there, one line each."""
    def __init__(self, file: _str = '', line: _int = 0, column: _int = 0, caller: Loc | None = None, layer: _str = '', labels_of: _str = '') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

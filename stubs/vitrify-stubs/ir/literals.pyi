# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any

class Constants:
    """Where large arrays go: by content name into `table`, or, without one, in full into the text."""
    table: _dict[_str, _Any] | None
    splats_left: _int
    names: _dict[_Any, _str]
    def name(self, data: _Any) -> _str | None:
        """The name of an array in the side table (equal arrays share one); None: write it inline."""
    def __init__(self, table: _dict[_str, _Any] | None = None, splats_left: _int = 16777216, names: _dict[_Any, _str] = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

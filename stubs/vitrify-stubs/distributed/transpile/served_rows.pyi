# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import list as _list
from builtins import tuple as _tuple
from collections.abc import Sequence as _Sequence
from typing import Any as _Any

class ServedRows:
    """One table: [rows, width], row i on server i modulo servers. `place`: the table's in the optimizer's list."""
    place: _int
    table: _Any
    layers: _Sequence[_Any]
    stage: _Any
    shape: _Any
    pulled: _list[_tuple[_Any, _Any]]
    def __init__(self, place: _int, table: _Any, layers: _Sequence[_Any], stage: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def hand_over(self) -> None:
        """Let a trainer keep no row, and pull those that a forward reads."""
    def pull(self, ids: _Any) -> _Any:
        """The rows of ids i64[n]: [n, width]. All servers are told all ids; each gives zeros for those it hasn't."""
    def push(self) -> None:
        """Send the gradients of the rows that were pulled since the last step."""

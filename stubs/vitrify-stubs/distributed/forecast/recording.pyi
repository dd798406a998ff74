# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.base.location import Loc as _Loc
from vitrify.distributed.forecast.network import Parcel as _Parcel

class Trace:
    """The acts of one rank, in order."""
    rank: _int
    acts: _list[Act]
    def __init__(self, rank: _int, acts: _list[Act] = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class Act:
    """One thing that a rank did. seconds: as measured; start: on its own clock. ticket: of a start and its finish.

    ended: of a finish, when the rank saw that the exchange had ended, if that was before."""
    kind: _str
    seconds: _float
    start: _float
    parcel: _Parcel | None
    ticket: _int
    place: _Loc | None
    ended: _float | None
    @property
    def name(self) -> _str:
        """What it did, in a word or two."""
    @property
    def form(self) -> _tuple[_Any, ...]:
        """What is equal in two runs of the same code."""
    def __init__(self, kind: _str, seconds: _float, start: _float = 0.0, parcel: _Parcel | None = None, ticket: _int = 0, place: _Loc | None = None, ended: _float | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

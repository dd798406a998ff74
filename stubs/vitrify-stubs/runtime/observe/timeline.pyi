# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from collections.abc import Mapping as _Mapping
from os import PathLike as _PathLike
from pathlib import Path as _Path
from typing import Any as _Any
from vitrify.base.location import Loc as _Loc

class Timeline:
    """Lanes of ranks. source: where the times come from, in words. results: what the function returned, by rank.

    times: seconds of computing between two exchanges, by where they are; a run that is given them has the same times."""
    lanes: _list[Lane]
    source: _str
    results: _list[_Any]
    times: _Mapping[_str, _float]
    @property
    def seconds(self) -> _float:
        """When the last rank is done."""
    @property
    def hidden(self) -> _float:
        """The share of the exchanges' time that ranks computed through, 0 without any exchange."""
    def to_dict(self) -> _dict[_str, _Any]:
        """The lanes as plain data."""
    def to_json(self, path: _str | _PathLike[_str] | None = None) -> _str:
        """The lanes as JSON text, written to a file if one is named."""
    def export(self, path: _str | _PathLike[_str]) -> _Path:
        """Write a trace for Chrome (about:tracing) and Perfetto: a process with one thread for each rank."""
    def svg(self, width: _int = 960) -> _str:
        """The lanes as a picture."""
    def __init__(self, lanes: _list[Lane], source: _str = '', results: _list[_Any] = ..., times: _Mapping[_str, _float] = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class Lane:
    """The spans of one rank, in order; those "behind" lie beside its others."""
    name: _str
    spans: _list[LaneSpan]
    def seconds(self, kind: _str) -> _float:
        """How long it did this."""
    @property
    def end(self) -> _float:
        """When its last span ends."""
    def __init__(self, name: _str, spans: _list[LaneSpan] = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class LaneSpan:
    """What a rank does from `start` to `end`, in seconds: one of KINDS. bytes: of the operand of an exchange."""
    kind: _str
    name: _str
    start: _float
    end: _float
    bytes: _int
    place: _Loc | None
    def __init__(self, kind: _str, name: _str, start: _float, end: _float, bytes: _int = 0, place: _Loc | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

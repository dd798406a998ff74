# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Mapping as _Mapping
from os import PathLike as _PathLike
from pathlib import Path as _Path
from typing import Any as _Any
from vitrify.base.location import Loc as _Loc
from vitrify.base.shown import Shown as _Shown

class Profile:
    """What `profile()` gives; complete when its block has ended. Prints as tables, also in notebooks."""
    started: _int
    ended: _int
    programs: _list[ProgramNotes]
    eager: _dict[_tuple[_str, _Loc, _str], EagerSum]
    events: _list[ProfileEvent]
    dropped: _int
    @property
    def seconds(self) -> _float:
        """The wall time of the block."""
    @property
    def kernels(self) -> _list[ProfileRow]:
        """What compiled programs ran: kernels, matmuls, copies, Python callbacks. The longest first."""
    @property
    def steps(self) -> _dict[_Any, _tuple[_float, _int]]:
        """Seconds and calls of each step of compiled programs that ran, by the step itself."""
    @property
    def ops(self) -> _list[ProfileRow]:
        """Eager operations, per op and line. The longest first."""
    @property
    def lines(self) -> _list[ProfileRow]:
        """The user's lines, of compiled and eager code together. The longest first."""
    @property
    def layers(self) -> _list[ProfileRow]:
        """Layers by their paths, each with its own time, without that of the layers in it. The longest first."""
    @property
    def phases(self) -> _list[ProfileRow]:
        """Compiling: capture, each pass, lowering, kernels compiled or loaded; each without what it contains."""
    @property
    def ranges(self) -> _list[ProfileRow]:
        """What the user named (`RecordEvent`), by name. The longest first."""
    @property
    def summary(self) -> _dict[_str, _float]:
        """Seconds: the whole block; of it compiled programs, Python that they call, eager ops, compiling, the rest."""
    def to_dict(self) -> _dict[_str, _Any]:
        """All rows as plain data."""
    def to_json(self, path: _str | _PathLike[_str] | None = None) -> _str:
        """All rows as JSON; also written to a file, if one is named. ArgumentError for a file that can't be written."""
    def export(self, path: _str | _PathLike[_str]) -> _Path:
        """Write a trace that Chrome (chrome://tracing) and Perfetto (ui.perfetto.dev) show; its path.

        Errors: ArgumentError for a file that can't be written."""
    def table(self, *, rows: _int = 20) -> _Shown:
        """The tables, at most so many rows of each."""
    def __init__(self, started: _int = 0, ended: _int = 0, programs: _list[ProgramNotes] = ..., eager: _dict[_tuple[_str, _Loc, _str], EagerSum] = ..., events: _list[ProfileEvent] = ..., dropped: _int = 0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class ProgramNotes:
    """What ran of one binding of a program."""
    owner: _int
    name: _str
    sizes: _Mapping[_str, _int]
    steps: _list[_Any]
    sums: _Any
    events: _Any
    dropped: _int
    calls: _int
    nanoseconds: _int
    python: _Mapping[_int, _list[_int]]
    def __init__(self, owner: _int, name: _str, sizes: _Mapping[_str, _int], steps: _list[_Any], sums: _Any, events: _Any, dropped: _int, calls: _int, nanoseconds: _int, python: _Mapping[_int, _list[_int]]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

class EagerSum:
    """Sums over the calls of one eager op at one line."""
    calls: _int
    nanoseconds: _int
    bytes: _int
    work: _int | None
    def add_work(self, more: _int | _Any | None) -> None:
        """Add a call's operations; unknown once means unknown."""
    def __init__(self, calls: _int = 0, nanoseconds: _int = 0, bytes: _int = 0, work: _int | None = 0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

class ProfileEvent:
    """One thing that took time: its kind ("call", "python", "op", "compile", "range"), nanoseconds, thread."""
    kind: _str
    name: _str
    start: _int
    end: _int
    thread: _int
    place: _Loc | None
    owner: _int
    def __init__(self, kind: _str, name: _str, start: _int, end: _int, thread: _int, place: _Loc | None = None, owner: _int = 0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

class ProfileRow:
    """One line of a table. bytes and work are of all calls together; work is None where nobody knows it."""
    name: _str
    kind: _str
    calls: _int
    seconds: _float
    bytes: _float
    work: _float | None
    place: _Loc | None
    layer: _str
    program: _str
    least: _float
    @property
    def achieved(self) -> _float | None:
        """The share of the machine's measured limit that was reached; None where there is nothing to compare.

        At most 1: what beats the measured limit shows that this was measured too low."""
    def add(self, calls: _int, seconds: _float, bytes_: _float, work_: _float | None) -> None:
        """Count more calls in."""
    def __init__(self, name: _str, kind: _str, calls: _int = 0, seconds: _float = 0.0, bytes: _float = 0.0, work: _float | None = 0.0, place: _Loc | None = None, layer: _str = '', program: _str = '', least: _float = 0.0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""

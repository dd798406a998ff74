"""Places in the user's code: file, line, column, the chain of calls, and excerpts for messages."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from inspect import CO_GENERATOR
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from .frame_marks import capture_entry
from .layer_scope import layer_path, purpose
from .notebook import cell_of

_PACKAGE_ROOT = str(Path(__file__).resolve().parent.parent)
_LIBRARY_FOLDERS = tuple(
    f"{_PACKAGE_ROOT}/{folder}/"
    for folder in (
        "base", "ops", "ir", "passes", "runtime", "dygraph", "jit", "static", "data", "viz", "training", "vision",
        "audio", "text", "inference", "compat", "fluid", "distributed", "export", "interchange", "testing", "cli",
        "facade", "native",
    )
)  # fmt: skip

_STANDARD_LIBRARY = f"{Path(linecache.__file__).parent}/"


_SHOWN = 4  # lines of an excerpt
_KEPT = 16  # calls of a chain
BLOCK = ":block"  # ends the qualified names of functions that converted code has for its blocks


@dataclass(frozen=True, slots=True)
class Loc:
    """One place: file, 1-based line, and the place it was called from.

    function: the name of the function that the line is in. layer: the path of the layer that was running; labels_of:
    the loss whose labels are indices here; purpose: what the operations made here are for besides a result. Two places
    are equal whatever these are.

    >>> Loc("model.py", 31).short()
    'model.py:31'
    """

    file: str = ""
    line: int = 0
    column: int = 0
    caller: Loc | None = None
    layer: str = field(default="", compare=False, repr=False)
    labels_of: str = field(default="", compare=False, repr=False)
    purpose: Purpose | None = field(default=None, compare=False, repr=False)
    function: str = field(default="", compare=False, repr=False)

    def short(self) -> str:
        """`file:line` with the file's last part only; `cell 3, line 4` in a notebook."""
        cell = cell_of(self.file)
        if cell:
            return f"cell {cell}, line {self.line}"
        return f"{Path(self.file).name}:{self.line}" if self.file else "?"

    def text(self) -> str:
        """The source line, stripped; empty where the file can't be read."""
        return linecache.getline(self.file, self.line).strip() if self.file else ""

    def excerpt(self) -> str:
        """The place and its source line, then the innermost calls that led there, one line each."""
        lines: list[str] = []
        loc, arrow = self, "-->"
        while loc is not None and loc.file and len(lines) < _SHOWN:
            lines.append(f"  {arrow} {loc.short()}   {loc.text()}".rstrip())
            if loc.caller is None:
                break
            loc, arrow = loc.caller, "   "
        return "\n".join(lines)


class Purpose(NamedTuple):
    """What an operation is for besides a result: the gradient of an operation, or the update of a parameter.

    kind: "gradient" or "update". of: the operation's name, or the optimiser's class. place: where the operation stands
    whose gradient it is; target: the name of the parameter that is updated.
    """

    kind: str
    of: str
    place: Loc | None = None
    target: str = ""


class UserLine(NamedTuple):
    """A line of a function that runs."""

    file: str
    line: int
    name: str


def merged(
    frames: Iterable[tuple[CodeType, int]], within: CodeType | None = None, *, lambdas: bool = True
) -> Iterator[UserLine]:  # fmt: skip
    """The user's lines, from the innermost on. The blocks of a function, and it itself, are one: the innermost.

    So are, with `lambdas`, a lambda and the line that it stands in: converted code has lambdas for parts of
    expressions. within: the code that the first frame has called.
    """
    inner = None if within is None else _owner(within)  # the function whose block the last frame was
    held: UserLine | None = None  # a lambda
    for code, line in frames:
        if inner != (code.co_filename, code.co_name):
            place = UserLine(code.co_filename, line, code.co_name)
            if held is not None and held[:2] != place[:2]:
                yield held
            held = place if lambdas and place.name == "<lambda>" else None
            if held is None:
                yield place
        inner = _owner(code)
    if held is not None:
        yield held


def _owner(code: CodeType) -> tuple[str, str] | None:
    """The function that code is a block of, whose frame is the next one outwards."""
    return (code.co_filename, code.co_name) if code.co_qualname.endswith(BLOCK) else None


UNKNOWN = Loc()


def is_library_file(file: str) -> bool:
    """Whether `file` is part of this package (its frames are skipped in the user's view)."""
    return file.startswith(_LIBRARY_FOLDERS)


# by file, line, function, id() of the caller's Loc (which it keeps), layer and purpose
_interned: dict[tuple[str, int, str, int, str, Purpose | None], Loc] = {}


def caller_loc(depth: int = 1, chain: int = _KEPT) -> Loc:
    """The innermost frame outside this package and the libraries below it, with up to `chain` calling user frames.

    Under a trace walking stops at its entry (`capture_entry`), so that the chain holds the calls inside one function.
    """
    return _chain(sys._getframe(depth), chain, (layer_path(), purpose()), is_inner=True) or UNKNOWN


def _chain(
    first: FrameType | None,
    most: int,
    about: tuple[str, Purpose | None],
    *,
    is_inner: bool,
    within: CodeType | None = None,
) -> Loc | None:
    """Up to `most` user frames from this one outwards; an entry ends it, but for an inner place's own frame.

    within: the code of the user's frame inside of the first one.
    """
    return linked(list(islice(merged(_captured(first, is_inner), within), most)), about)


def _captured(frame: FrameType | None, is_inner: bool) -> Iterator[tuple[CodeType, int]]:
    entries = capture_entry.codes
    while frame is not None:
        code = frame.f_code
        internal = _internal_files.get(code.co_filename)
        if internal is None:
            internal = _is_internal(frame)
        if not is_inner and id(code) in entries:
            return
        if not internal:
            yield code, frame.f_lineno
            is_inner = False
        frame = frame.f_back


def linked(places: Sequence[tuple[str, int, str]], about: tuple[str, Purpose | None] = ("", None)) -> Loc | None:
    """The place that is called from the others, which stand from the innermost on: file, line and function of each."""
    loc: Loc | None = None
    for file, line, name in reversed(places):
        loc = _interned_loc(file, line, name, loc, about)
    return loc


def _interned_loc(file: str, line: int, name: str, caller: Loc | None, about: tuple[str, Purpose | None]) -> Loc:
    key = (file, line, name, id(caller), *about)
    return _interned.get(key) or _interned.setdefault(key, Loc(file, line, 0, caller, about[0], "", about[1], name))


class CallerLocs:
    """`caller_loc` for the operations of one trace: the calls that led to a user's function are looked for once.

    Of some seventy frames between an operation and the function that is captured most belong to the functions around.
    """

    def __init__(self) -> None:
        self._frame: FrameType | None = None  # the user's innermost function; it runs, so that its callers stay
        self._holds = False  # inside `one_line`
        self._held: FrameType | None = None  # the user's innermost function there, once it was asked for
        self._about: tuple[str, Purpose | None] = ("", None)
        self._calls: list[UserLine] = []  # those that led to that function
        self._caller: Loc | None = None
        self._lines: dict[int, Loc] = {}  # places in that function, for that purpose

    def here(self) -> Loc:
        """The user's line that makes an operation now, seen from a function that the maker calls."""
        frame: FrameType | None = self._held
        if frame is None:
            frame = sys._getframe(2)
            internal = _internal_files.get  # a call for each of some twenty frames would take most of the time
            while frame is not None and (internal(frame.f_code.co_filename) or _is_internal(frame)):
                frame = frame.f_back
            if frame is None:
                return UNKNOWN
            if self._holds:
                self._held = frame
        about, code = (layer_path(), purpose()), frame.f_code
        if code.co_name == "<lambda>":  # perhaps one of converted code
            return _chain(frame, _KEPT, about, is_inner=True) or UNKNOWN
        if frame is not self._frame or about != self._about:
            if frame is not self._frame:
                self._frame = None if code.co_flags & CO_GENERATOR else frame  # others may go on with a generator
                self._calls = list(islice(merged(_captured(frame.f_back, False), code), _KEPT - 1))
            self._about = about
            self._caller = linked(self._calls, about)
            self._lines = {}
        line = frame.f_lineno
        found = self._lines.get(line)
        if found is None:
            found = self._lines[line] = _interned_loc(code.co_filename, line, code.co_name, self._caller, about)
        return found

    def one_line(self, run: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function of this package that calls none of the user's: all its operations are made by one line."""
        if self._holds:
            return run(*args, **kwargs)
        self._holds = True
        try:
            return run(*args, **kwargs)
        finally:
            self._holds, self._held = False, None

    def forget(self) -> None:
        """Let go of the frame, and of what its variables hold."""
        self._frame, self._lines = None, {}


def raise_loc(chain: int = _SHOWN) -> Loc | None:
    """The user's line that is running, for an error: with the calls that led there when it is in captured code.

    Frames of Python's library and of NumPy are passed over; None where there is no user's line, and in doctests.
    """
    frame: FrameType | None = sys._getframe(1)
    frames: list[tuple[CodeType, int]] = []
    captured = False
    while frame is not None:
        code = frame.f_code
        if frames and code in capture_entry:
            captured = True
            break
        if not _is_internal(frame):
            frames.append((code, frame.f_lineno))
        frame = frame.f_back
    places = list(merged(frames[: None if captured else 1]))[:chain]
    loc: Loc | None = None
    for file, line, name in reversed(places):
        loc = Loc(file, line, 0, loc, function=name)
    return None if loc is None or loc.file.startswith("<doctest") else loc


def is_foreign(file: str) -> bool:
    """Whether a file belongs to Python's own library or to NumPy, which call back into this package."""
    if "-packages/" in file:
        return "-packages/numpy/" in file
    return file.startswith((_STANDARD_LIBRARY, "<frozen "))


_internal_files: dict[str, bool] = {}


def _is_internal(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    if file == "<string>":  # what dataclasses write for a class of a module; `python -c` has no file
        return "__file__" in frame.f_globals
    known = _internal_files.get(file)
    if known is None:
        known = _internal_files.setdefault(file, is_library_file(file) or is_foreign(file))
    return known

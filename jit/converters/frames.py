"""The user's frames, for what looks at its callers when a program runs: loggers, and tracebacks that they show.

Where a program runs, the code that called is gone. Frames of code objects with its file, line and name stand for it.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any, NamedTuple, NoReturn

from ...base.boundary import without_ours
from ...base.location import is_entry, is_library_file

BLOCK = ":block"  # ends the qualified names of functions that converted code has for its blocks


class UserLine(NamedTuple):
    """A line of a function that runs."""

    file: str
    line: int
    name: str


def places_now(depth: int = 1, *, within: bool = True) -> list[UserLine]:
    """The user's lines that are running, from the innermost on; within: up to the function that is captured."""
    return list(_merged(_frames(sys._getframe(depth), within)))


def places_of(trace: TracebackType | None) -> list[UserLine]:
    """The user's lines of a traceback, from the innermost on."""
    found = []
    while trace is not None:
        if not is_library_file(trace.tb_frame.f_code.co_filename):
            found.append((trace.tb_frame.f_code, trace.tb_lineno))
        trace = trace.tb_next
    return list(_merged(reversed(found)))


def _frames(frame: FrameType | None, within: bool) -> Iterator[tuple[CodeType, int]]:
    while frame is not None and not (within and is_entry(frame.f_code)):
        if not is_library_file(frame.f_code.co_filename):
            yield frame.f_code, frame.f_lineno
        frame = frame.f_back


def _merged(frames: Iterable[tuple[CodeType, int]]) -> Iterator[UserLine]:
    """The blocks of a function, and it itself, are one frame: the innermost."""
    inner = ""  # the function whose block the last frame was
    for code, line in frames:
        if inner != f"{code.co_filename}:{code.co_name}":
            yield UserLine(code.co_filename, line, code.co_name)
        inner = f"{code.co_filename}:{code.co_name}" if code.co_qualname.endswith(BLOCK) else ""


@functools.lru_cache(maxsize=4096)
def _through(place: UserLine) -> FunctionType:
    """A function that calls another one from a line of the user's."""
    template = (lambda call, args: call(*args)).__code__
    code = template.replace(
        co_filename=place.file, co_name=place.name, co_qualname=place.name,
        co_firstlineno=place.line, co_linetable=_in_one_line(len(template.co_code) // 2),
    )  # fmt: skip
    return FunctionType(code, {"__builtins__": {}})


def _in_one_line(count: int) -> bytes:
    """The table of lines of so many instructions that all stand in the first line, without columns.

    Source: CPython, Objects/locations.md: entries of up to eight instructions; kind 13 has a line and no columns.
    """
    return b"".join(bytes([0x80 | 13 << 3 | min(8, count - k) - 1, 0]) for k in range(0, count, 8))


def called_at(places: Sequence[UserLine], call: Callable[..., Any], *args: Any) -> Any:
    """`call(*args)` with these frames around it."""
    for place in places:
        call, args = _through(place), (call, args)
    return call(*args)


def traced(places: Sequence[UserLine], error: BaseException) -> BaseException:
    """The exception with a traceback of these frames; it comes without a context."""

    def fail() -> NoReturn:
        raise error.with_traceback(None)

    try:
        called_at(places, fail)
    except BaseException:  # broad: it is this very exception
        error.__traceback__ = without_ours(error.__traceback__)
    return error

"""Frames that stand for the user's: where a program runs, the code that it was made from has run long ago.

Loggers and tracebacks look at them: frames of code objects with the user's file, line and function name.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import FunctionType, TracebackType
from typing import Any, NoReturn

from .boundary import without_ours
from .location import Loc, UserLine


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


def lead_to(place: Loc, trace: TracebackType | None = None) -> TracebackType | None:
    """A traceback of the user's frames that lead to a place, from the outermost on, and then of those of another."""
    lines, loc = [], place if place.file else None
    while loc is not None:
        lines.append(UserLine(loc.file, loc.line, loc.function or "<module>"))
        loc = loc.caller
    shown = traced(lines, RuntimeError()).__traceback__ if lines else None
    entries = []
    while shown is not None:
        entries.append(shown)
        shown = shown.tb_next
    for entry in reversed(entries):
        trace = TracebackType(trace, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return trace

"""The user's frames, for what looks at its callers when a program runs: loggers, and tracebacks that they show."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import CodeType, FrameType, TracebackType

from ...base.frame_marks import capture_entry
from ...base.location import UserLine, is_library_file, merged


def places_now(depth: int = 1, *, within: bool = True) -> list[UserLine]:
    """The user's lines that are running, from the innermost on; within: up to the function that is captured."""
    return list(merged(_frames(sys._getframe(depth), within), lambdas=False))


def places_of(trace: TracebackType | None) -> list[UserLine]:
    """The user's lines of a traceback, from the innermost on."""
    found = []
    while trace is not None:
        if not is_library_file(trace.tb_frame.f_code.co_filename):
            found.append((trace.tb_frame.f_code, trace.tb_lineno))
        trace = trace.tb_next
    return list(merged(reversed(found)))


def places_around(trace: TracebackType | None) -> list[UserLine]:
    """The user's lines of a traceback, and of the captured functions that called what it begins with."""
    if trace is None:
        return []
    lines = []
    each: TracebackType | None = trace
    while each is not None:
        if not is_library_file(each.tb_frame.f_code.co_filename):
            lines.append((each.tb_frame.f_code, each.tb_lineno))
        each = each.tb_next
    return list(merged([*reversed(lines), *_frames(trace.tb_frame.f_back, within=True)]))


def _frames(frame: FrameType | None, within: bool) -> Iterator[tuple[CodeType, int]]:
    while frame is not None and not (within and frame.f_code in capture_entry):
        if not is_library_file(frame.f_code.co_filename):
            yield frame.f_code, frame.f_lineno
        frame = frame.f_back

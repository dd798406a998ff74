"""Errors of capture and of compiled calls in the user's terms: places filled in, our frames left out of tracebacks."""

from __future__ import annotations

import dis
import inspect
import os
import types
from typing import Any

from ..base.causes import hide_ours
from ..base.errors import CaptureError, VitrifyError
from ..base.location import Loc, is_library_file

_COMPARE = dis.opmap["COMPARE_OP"]


def in_user_terms(error: BaseException, fn_name: str = "") -> BaseException:
    """The same error with a traceback of the user's frames only, and with a place if it had none.

    VITRIFY_FULL_TRACEBACK=1 keeps all frames.
    """
    frames = user_frames(error)
    hide_ours(error)
    if isinstance(error, VitrifyError) and frames:
        error.at(Loc(frames[-1].tb_frame.f_code.co_filename, frames[-1].tb_lineno))
    if frames:
        attach_error_data(error)
    if (
        type(error) in (UnboundLocalError, NameError)
        and "not associated" in str(error)
        and not any("assign it" in note for note in getattr(error, "__notes__", ()))
    ):
        error.add_note("  help: assign it on every path that leads here, for example before the `if` or loop")
    if fn_name and not any(fn_name in note for note in getattr(error, "__notes__", ())):
        error.add_note(f"while capturing {fn_name}")
    placed = isinstance(error, VitrifyError) or any("-->" in note for note in getattr(error, "__notes__", ()))
    ours_alone = not frames and not placed  # a fault of ours: all frames help to find it
    if ours_alone or os.environ.get("VITRIFY_FULL_TRACEBACK", "") not in ("", "0"):
        return error
    chain: types.TracebackType | None = None
    for frame in reversed(frames):
        chain = types.TracebackType(chain, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return error.with_traceback(chain)


class DebuggerError(CaptureError):
    """Captured code opens a debugger."""


class DebuggerCalled(BaseException):
    """Ends a capture where a debugger is opened; no `except Exception` of the user's catches it."""

    def __init__(self, error: DebuggerError) -> None:
        super().__init__(error.message)
        self.error = error


ERROR_DATA = "Error data about original source code information and traceback."


class ErrorData:
    """The user's lines that led to an error, outermost first, as `(Loc, function name)`; hangs on the error."""

    def __init__(self, error: BaseException) -> None:
        self.error_type = type(error)
        self.error_value = error
        self.origin_traceback = [
            (Loc(f.tb_frame.f_code.co_filename, f.tb_lineno), f.tb_frame.f_code.co_name) for f in user_frames(error)
        ]

    def create_message(self) -> str:
        """The lines and the error as one text."""
        lines = ["In transformed code:", ""]
        for loc, name in self.origin_traceback:
            lines += [f'    File "{loc.file}", line {loc.line}, in {name}', f"        {loc.text()}"]
        return "\n".join([*lines, "", f"    {self.error_type.__name__}: {self.error_value}"])


def attach_error_data(error: BaseException) -> None:
    """Hang the user's lines on an error, unless it has some."""
    if getattr(error, ERROR_DATA, None) is None:
        error.__dict__[ERROR_DATA] = ErrorData(error)


def user_frames(error: BaseException) -> list[types.TracebackType]:
    """The traceback's entries outside this package, outermost first."""
    found = []
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not is_library_file(file) and not file.startswith("<"):
            found.append(trace)
        trace = trace.tb_next
    return found


_SUSPENDED = {
    "generator (it has a `yield`)": inspect.CO_GENERATOR,
    "coroutine": inspect.CO_COROUTINE,
    "asynchronous generator": inspect.CO_ASYNC_GENERATOR,
}


def refuse_generators(function: Any) -> None:
    """CaptureError for a function that Python suspends."""
    code = getattr(function, "__code__", None)
    for kind, flag in _SUSPENDED.items():
        if code is not None and code.co_flags & flag:
            raise CaptureError(
                f"{function.__qualname__} is a {kind}, which can't become a program",
                loc=Loc(code.co_filename, code.co_firstlineno),
                remedy="return a list or tensor instead, or call the compiled parts from it",
            )


def innermost_place(trace_back: types.TracebackType | None) -> Loc | None:
    """The innermost user line of a traceback, one with a text if there is such a line."""
    found: Loc | None = None
    while trace_back is not None:
        file = trace_back.tb_frame.f_code.co_filename
        if not is_library_file(file):
            place = Loc(file, trace_back.tb_lineno)
            found = place if found is None or place.text() else found
        trace_back = trace_back.tb_next
    return found


def innermost_frame(trace_back: types.TracebackType | None) -> types.TracebackType | None:
    """The part of a traceback with the innermost frame of the user's code."""
    found = None
    while trace_back is not None:
        found = trace_back if not is_library_file(trace_back.tb_frame.f_code.co_filename) else found
        trace_back = trace_back.tb_next
    return found


def compares(error: BaseException) -> bool:
    """Whether an operator of the user's code that compares two values led to an error."""
    found = innermost_frame(error.__traceback__)
    return found is not None and found.tb_frame.f_code.co_code[found.tb_lasti] == _COMPARE


def call_of_itself(trace_back: types.TracebackType | None) -> Loc | None:
    """The innermost line that calls the function it stands in."""
    found = None
    while trace_back is not None:
        code = trace_back.tb_frame.f_code
        place = Loc(code.co_filename, trace_back.tb_lineno)
        if not is_library_file(code.co_filename) and f"{code.co_name}(" in place.text():
            found = place
        trace_back = trace_back.tb_next
    return found

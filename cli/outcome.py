"""What a command gives back: data for `--json`, text for people, an exit code; and how both are written."""

from __future__ import annotations

import json
import re
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from ..base.errors import (
    ArgumentError,
    ArtifactError,
    CallbackError,
    MissingDependencyError,
    VitrifyError,
)
from ..base.location import Loc, is_foreign, is_library_file


class Exit(IntEnum):
    """The exit codes, documented in docs/cli.md. They don't change their meaning."""

    DONE = 0
    FOUND = 1  # `diff` found a difference, `check` an absent name, `doctor` a problem
    USAGE = 2  # the command line is wrong
    TARGET = 3  # the target can't be read: no such file, module or name; a damaged artifact; missing callbacks
    FAILED = 4  # the target was read, but capturing, compiling or running it failed
    MISSING = 5  # an optional library is missing
    INTERRUPTED = 130
    PIPE_CLOSED = 141


@dataclass(frozen=True)
class Outcome:
    """The result of a command."""

    data: Mapping[str, Any]
    text: str
    code: Exit = Exit.DONE


class TargetError(Exception):
    """A target that can't be read, with the error that says why."""

    def __init__(self, cause: VitrifyError) -> None:
        super().__init__(str(cause))
        self.cause = cause


# Names and texts in an artifact are its author's: control characters could rewrite what the terminal shows.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    r"""Text without control characters: they are shown as escapes.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def write(outcome: Outcome, as_json: bool) -> None:
    """Print an outcome to stdout."""
    if as_json:
        print(json.dumps(outcome.data, indent=1, ensure_ascii=True, default=_plain))
    elif outcome.text:
        print(printable(outcome.text))


def write_error(error: BaseException, as_json: bool) -> None:
    """Print an error: as text to stderr, or as an object with the key `error` to stdout."""
    if isinstance(error, TargetError):
        error = error.cause
    message = error.message if isinstance(error, VitrifyError) else str(error) or type(error).__name__
    remedy = getattr(error, "remedy", None)
    place = getattr(error, "loc", None) or _user_place(error)
    if as_json:
        data = {"kind": type(error).__name__, "message": message, "remedy": remedy}
        data["place"] = None if place is None else f"{place.file}:{place.line}"
        print(json.dumps({"error": data}, indent=1))
        return
    lines = [f"vitrify: {type(error).__name__}: {message}"]
    if place is not None:
        lines.append(place.excerpt())
    lines += [str(note) for note in getattr(error, "__notes__", ())]
    if remedy:
        lines.append(f"  help: {remedy}")
    print(printable("\n".join(lines)), file=sys.stderr)


def _user_place(error: BaseException) -> Loc | None:
    """The last line outside this package and Python's library that an error of the target's own code passed."""
    found = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if not (is_library_file(file) or is_foreign(file)):
            found = Loc(file, line)
    return found


def exit_of(error: BaseException) -> Exit:
    """The exit code for an error of a command."""
    if isinstance(error, TargetError):
        missing = isinstance(error.cause, MissingDependencyError)
        return Exit.MISSING if missing else Exit.TARGET
    if isinstance(error, MissingDependencyError):
        return Exit.MISSING
    if isinstance(error, (ArtifactError, CallbackError)):
        return Exit.TARGET
    if isinstance(error, UsageError):
        return Exit.USAGE
    return Exit.FAILED


class UsageError(ArgumentError):
    """A command line whose parts don't fit: an input of another kind, an unknown stage."""


def _plain(value: Any) -> Any:
    """What json doesn't know: NumPy's numbers as numbers, the rest as text."""
    return value.item() if hasattr(value, "item") else str(value)

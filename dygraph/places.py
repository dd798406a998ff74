"""Where in the user's code something happened, taken in well under a microsecond and resolved only in messages."""

from __future__ import annotations

import sys
from types import CodeType, FrameType
from typing import TypeAlias

from ..base.location import UNKNOWN, Loc, is_library_file

Place: TypeAlias = tuple[CodeType, int]

is_user: dict[str, bool] = {}  # file -> whether it is outside of this package; of files that were met
frame_at = sys._getframe


def user_place(depth: int = 2) -> Place | None:
    """The innermost frame outside this package, as (code, instruction).

    depth: how many frames from here outwards belong to this package for certain.
    """
    try:
        frame: FrameType | None = frame_at(depth)
    except ValueError:  # a thread that began with an op: nobody called it
        return None
    while frame is not None:
        code = frame.f_code
        file = code.co_filename
        known = is_user.get(file)
        if known is None:
            known = is_user[file] = not is_library_file(file)
        if known:
            return code, frame.f_lasti
        frame = frame.f_back
    return None


def loc_of(place: Place | None) -> Loc:
    """The file and line of a place."""
    if place is None:
        return UNKNOWN
    code, instruction = place
    lines = [line for start, end, line in code.co_lines() if start <= instruction < end]
    return Loc(code.co_filename, (lines and lines[0]) or code.co_firstlineno)

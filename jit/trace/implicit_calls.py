"""Functions of the user's that ran as they are, where a capture met what only converted code can do, such as an `if` of
a tensor: they get an entrance (see entrances.py) before the next attempt.
"""

from __future__ import annotations

import functools
from types import FrameType, FunctionType, TracebackType
from typing import Any

from ...base.errors import CaptureError
from ..converters.stdlib.own_methods import is_users


def learn(error: CaptureError, known: dict[int, FunctionType]) -> bool:
    """Add the innermost function that the error comes from and that ran as it was; whether there is one."""
    for frame in _frames(error.__traceback__):
        fn = _function_of(frame)
        if fn is not None and id(fn) not in known:
            known[id(fn)] = fn
            return True
    return False


def _frames(trace: TracebackType | None) -> list[FrameType]:
    """The frames of a traceback, innermost first."""
    found = []
    while trace is not None:
        found.append(trace.tb_frame)
        trace = trace.tb_next
    return found[::-1]


def _function_of(frame: FrameType) -> FunctionType | None:
    """The special method, or getter, whose own code a frame runs."""
    code = frame.f_code
    if not code.co_argcount or code.co_varnames[0] not in frame.f_locals:
        return None
    if code.co_filename == "<string>":
        return None  # what dataclasses generate has no source to convert
    for kind in type(frame.f_locals[code.co_varnames[0]]).__mro__:
        for name, member in vars(kind).items():
            fn = _behind(name, member)
            if fn is not None and fn.__code__ is code and is_users(fn):
                return fn
    return None


def _behind(name: str, member: Any) -> FunctionType | None:
    """What Python runs for a getter, or for an operator by its special method."""
    if isinstance(member, (property, functools.cached_property)):
        member, name = member.fget if isinstance(member, property) else member.func, "__get__"
    return member if isinstance(member, FunctionType) and name.startswith("__") and name.endswith("__") else None

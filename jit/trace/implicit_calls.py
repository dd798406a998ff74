"""Methods that Python calls by itself where no call stands: operators (`a + b`), getters (`box.area`), `__init__`.

Users' own run as they are, as most have no control flow, and converted code stays as readable as its source. Where
capture meets what only converted code can do, such as an `if` of a tensor, in one of them, it starts again, and this
time the class has a form of that method which is converted while a trace runs. Other threads, and the class after the
capture, have the user's.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType, FunctionType, MethodType, TracebackType
from typing import Any

from ...base.errors import CaptureError
from ..converters.stdlib.own_methods import is_users
from ..runtime import RUNTIME
from .tracer import active

_lock = threading.Lock()
_replaced: dict[tuple[type, str], tuple[Any, int]] = {}  # the user's own, and how many captures hold it


class Implicit:
    """The methods that one capture has to convert."""

    def __init__(self) -> None:
        self._found: list[tuple[type, str]] = []

    def learn(self, error: CaptureError) -> bool:
        """Whether the error comes from such a method that ran as it was: then it won't at the next attempt."""
        for frame in _frames(error.__traceback__):
            place = _place_of(frame)
            if place is not None and place not in self._found:
                self._found.append(place)
                return True
        return False

    @contextmanager
    def converted(self) -> Iterator[None]:
        """Meanwhile the classes have them in converted form."""
        with ExitStack() as stack:
            for place in self._found:
                stack.enter_context(_standing_in(*place))
            yield


def _frames(trace: TracebackType | None) -> list[FrameType]:
    """The frames of a traceback, innermost first."""
    found = []
    while trace is not None:
        found.append(trace.tb_frame)
        trace = trace.tb_next
    return found[::-1]


def _place_of(frame: FrameType) -> tuple[type, str] | None:
    """The class, and the name there, of the operator or getter whose own code a frame runs."""
    code = frame.f_code
    if not code.co_argcount or code.co_varnames[0] not in frame.f_locals:
        return None
    for kind in type(frame.f_locals[code.co_varnames[0]]).__mro__:
        for name, member in vars(kind).items():
            fn = _function_of(name, member)
            if fn is not None and fn.__code__ is code and is_users(fn):
                return kind, name
    return None


def _function_of(name: str, member: Any) -> FunctionType | None:
    """What Python runs for a getter, or for an operator by its special method."""
    if isinstance(member, (property, functools.cached_property)):
        member, name = member.fget if isinstance(member, property) else member.func, "__get__"
    return member if isinstance(member, FunctionType) and name.startswith("__") and name.endswith("__") else None


@contextmanager
def _standing_in(kind: type, name: str) -> Iterator[None]:
    place = kind, name
    with _lock:
        own, holders = _replaced.get(place, (vars(kind)[name], 0))
        _replaced[place] = own, holders + 1
        if not holders:
            setattr(kind, name, _stand_in(own, kind, name))
    try:
        yield
    finally:
        with _lock:
            own, holders = _replaced[place]
            if holders > 1:
                _replaced[place] = own, holders - 1
            else:
                del _replaced[place]
                setattr(kind, name, own)


def _stand_in(own: Any, kind: type, name: str) -> Any:
    if isinstance(own, property):
        assert own.fget is not None
        return property(_converted(own.fget), own.fset, own.fdel, own.__doc__)
    if isinstance(own, functools.cached_property):
        made = functools.cached_property(_converted(own.func))
        made.__set_name__(kind, name)
        return made
    return _converted(own)


def _converted(fn: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if active() is None:
            return fn(self, *args, **kwargs)
        return RUNTIME.call(MethodType(fn, self), *args, **kwargs)

    return method

"""Iterators that a captured function finds outside: generators, `zip`s, iterators of lists and files.

The program would have the items that they give while it is captured, for ever; so whatever asks one of them for an item
is refused, before it moves. Where that can't be seen coming (`a, b = items`, code that isn't captured), a look at the
end tells that one has moved.
"""

from __future__ import annotations

import gc
import io
import operator
import types
from collections.abc import Iterator
from typing import Any

from ....base.errors import CaptureError
from ....base.location import Loc, caller_loc
from ..reachable import BUILTIN_METHODS

_DEEPEST = 8  # iterators over iterators


class OutsideIterators:
    """By identity: the iterators that the functions of a trace can reach, with the place where each stood."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Iterator[Any], Any]] = {}

    def meet(self, value: Any) -> None:
        """Note a value that code from outside can reach, if it is an iterator."""
        if isinstance(value, BUILTIN_METHODS):
            value = value.__self__
        if is_iterator(value) and id(value) not in self.known:
            self.known[id(value)] = value, _place(value)

    def holds(self, value: Any) -> bool:
        """Whether a value is one of them."""
        return id(value) in self.known

    def refuse(self, value: Any, action: str) -> None:
        """CaptureError if a value, which `action` would move, is one of them."""
        if self.holds(value):
            raise _refusal(value, action, caller_loc())

    def require_unmoved(self) -> None:
        """CaptureError if one of them isn't where it was."""
        for value, before in self.known.values():
            if _place(value) != before:
                raise _refusal(value, "taking items", None)


def is_iterator(value: object) -> bool:
    """Whether a value gives other items each time, and keeps no attributes that tell where it stands."""
    kind = type(value)
    step = getattr(kind, "__next__", None)
    if step is None:
        return False
    return kind.__module__ in ("builtins", "itertools", "io") or not isinstance(step, types.FunctionType)


def _place(value: Any, depth: int = 0) -> Any:
    if isinstance(value, io.IOBase):  # a look at its place may move it, or not be allowed
        return None
    if isinstance(value, types.GeneratorType):
        frame = value.gi_frame
        if frame is None:
            return None
        return frame.f_lasti, {k: id(v) for k, v in frame.f_locals.items()}
    if hasattr(type(value), "__length_hint__"):
        return operator.length_hint(value)
    if depth == _DEEPEST:
        return None
    inner = [y for x in gc.get_referents(value) for y in (x if type(x) is tuple else (x,))]
    return [(id(x), _place(x, depth + 1)) for x in inner if is_iterator(x)]


def _refusal(value: Any, action: str, loc: Loc | None) -> CaptureError:
    return CaptureError(
        f"{action} of a {type(value).__name__} from outside would move it on once, while the function is captured",
        loc=loc,
        remedy="take the item before the call, and pass it as an argument; or loop over a list",
    )

"""Iterators: those that say how far they are, and those that a captured function finds outside.

Of an iterator over a list, tuple, range or string the number of the next item is state, as an attribute is. Of others
(generators, `zip`s, files) the program would have the items that they give while it is captured, for ever; so whatever
asks one of them for an item is refused, before it moves. Where that can't be seen coming (`[*items]`, code that isn't
captured), a look at the end tells that one has moved.
"""

from __future__ import annotations

import gc
import io
import operator
import types
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from ....base.errors import CaptureError
from ....base.frame_marks import acts_for_caller
from ....base.location import Loc, caller_loc
from ....dygraph.number import Number
from ....dygraph.tensor import Tensor
from ....ops.dispatch import current
from ..reachable import BUILTIN_METHODS
from .dynamic_lists import is_run_time_sized

_DEEPEST = 8  # iterators over iterators


@acts_for_caller
class Stepped:
    """An iterator that captured code made. How far it is belongs to the state that code changes, like attributes."""

    is_state = True
    is_lazy = "an iterator"
    is_iterator = True  # code can reach what it holds
    left = False  # whether a loop of the program may have taken more of its items than this says

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self.left is not False:
            raise CaptureError(
                "next() on an iterator over which a loop of the program goes, too",
                loc=caller_loc(),
                remedy="make a list of its items first, and take them by their numbers",
            )
        return self.take()

    def take(self) -> Any:
        """The next item, where Python knows which one that is."""
        raise NotImplementedError


@acts_for_caller
class SequenceIterator(Stepped):
    """`iter` of a sequence or a tensor, or with is_endless `itertools.cycle`: the number of the next item may be one
    that only a run knows.
    """

    def __init__(self, items: Any, *, is_endless: bool = False) -> None:
        self.items = items
        self.position: Any = 0
        self.is_endless = is_endless

    def take(self) -> Any:
        """The next item, by a number that Python has."""
        if type(self.position) is not int or is_run_time_sized(self.items):
            raise counted_by_a_run()
        if self.position >= len(self.items):
            raise StopIteration
        item = self.items[self.position]
        self.position = self.after(self.position)
        return item

    def end(self) -> None:
        """Code has seen that there are no more items."""

    def after(self, position: Any) -> Any:
        """The number after one."""
        return (position + 1) % len(self.items) if self.is_endless else position + 1


@acts_for_caller
class OutsideSequence(SequenceIterator):
    """What moves in the place of an iterator from outside over a list, tuple, range or string, which is put where this
    is after the trace, and by each run.
    """

    __slots__ = ("real",)
    is_followed = True  # what is put into its attributes, it is told

    def __init__(self, real: Iterator[Any]) -> None:
        self.real = real
        state: tuple[Any, ...] = tuple(real.__reduce__())
        super().__init__(state[1][0])
        self.follow()

    @property
    def position(self) -> Any:
        """The number of the next item: a trace counts on its own."""
        if not current().is_trace:
            self.follow()
        return vars(self)["position"]

    @position.setter
    def position(self, value: Any) -> None:
        vars(self)["position"] = value

    @property
    def left(self) -> bool:
        """A loop of the program can't go through all that is left without telling how far it got."""
        return False

    @left.setter
    def left(self, value: bool) -> None:
        raise counted_by_a_run()

    def follow(self) -> None:
        """Look where the iterator is."""
        state: tuple[Any, ...] = tuple(self.real.__reduce__())
        self.position = state[2] if len(state) > 2 else _ENDED

    def put(self, key: str, value: Any) -> None:
        """Set an attribute; a number that Python has, or that a run gave, moves the iterator."""
        if isinstance(value, Tensor) and isinstance(value._storage.payload, np.ndarray):
            value = int(value._storage.payload)
        vars(self)[key] = value
        if key == "position" and type(value) is int:
            self.real.__setstate__(min(value, len(self.items)))  # type: ignore[attr-defined]
            if value == _ENDED:
                next(self.real, None)  # which notes that there is no more, whatever a list gets later

    def take(self) -> Any:
        """The next item; there is a program for each number of it where code needs that."""
        if type(self.position) is Number:
            self.position = self.position.plain()
        try:
            return super().take()
        except StopIteration:
            self.end()
            raise

    def end(self) -> None:
        """Code has seen that there are no more items: there will be none, whatever a list gets later."""
        self.position = _ENDED


_ENDED = (1 << 62) - 1
_standing: weakref.WeakValueDictionary[int, OutsideSequence] = weakref.WeakValueDictionary()
_KINDS: tuple[Any, ...] = ([], (), "", "\xe4", b"", range(0))
_SEQUENCES = tuple({type(iter(x)) for x in _KINDS})


def stand_in(value: Any) -> OutsideSequence | None:
    """What moves in the place of an iterator from outside; None for one that doesn't tell how far it is."""
    if not isinstance(value, _SEQUENCES):
        return None
    found = _standing.get(id(value))
    if found is None:
        found = _standing[id(value)] = OutsideSequence(value)
    return found


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


def counted_by_a_run() -> CaptureError:
    """Of code that can't go on from an item whose number only a run knows."""
    error = CaptureError(
        "library code, or a loop, goes through an iterator from an item on that only a run of the program knows",
        loc=caller_loc(),
        remedy="make a list of its items first, and take them by their numbers",
    )
    error.is_one_by_one = True  # type: ignore[attr-defined]
    return error


def _refusal(value: Any, action: str, loc: Loc | None) -> CaptureError:
    return CaptureError(
        f"{action} of a {type(value).__name__} from outside would move it on once, while the function is captured",
        loc=loc,
        remedy="take the item before the call, and pass it as an argument; or loop over a list",
    )

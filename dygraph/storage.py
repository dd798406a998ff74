"""The cell that holds a tensor's data: an array in eager mode, a program's value under a trace.

Tensors made by `detach()` share one cell, so that an in-place write to one is seen by the other; the results of view
ops only share NumPy memory, and a write to either of them moves it to memory of its own first (value semantics).
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from ..base.memory import aligned_copy
from .places import Place

F = TypeVar("F")

on_write: Callable[[Any], None] | None = None  # called with the Tensor before each in-place write, from any thread
# called with a Tensor, the Tensor written into it, and the payload before, in a trace; gives the payload to put there
on_written: Callable[[Any, Any, Any], Any] | None = None
on_share: Callable[[Any], Any] | None = None  # called with a Tensor whose payload will be shared; gives that payload
on_sizes: Callable[[Any], None] | None = None  # called with a Tensor whose sizes code asks for
# called with a Tensor of which code reads its name or the like, what that is, and its value; gives it
on_fact_read: Callable[[Any, str, Any], Any] | None = None
on_stop_read: Callable[[Any], bool] | None = None  # called with a Tensor whose `stop_gradient` is read; gives that
on_grad_read: Callable[[Any], None] | None = None  # called with a Tensor whose `.grad` is read
on_hash: Callable[[Any], None] | None = None  # called with a Tensor that is hashed: its identity tells it apart
on_stop: Callable[[Any], None] | None = None  # called with the Tensor before its `stop_gradient` changes
on_grad_write: Callable[[Any], None] | None = None  # called with the Tensor before its `.grad` changes
# called with a Tensor, the first gradient that arrives at it, and what is to become its `.grad`; gives that
on_first_grad: Callable[[Any, Any, Any], Any] | None = None
on_capture: Callable[[], None] | None = None  # called before a function is captured: then no read may wait for others


def fact(x: Any, name: str, value: F) -> F:
    """The value of an attribute of a Tensor, for whoever reads it."""
    if on_fact_read is None:
        return value
    found: F = on_fact_read(x, name, value)
    return found


class Counters:
    """Numbers that only grow: compiled functions, and their native code, compare them instead of looking at all cells.

    epoch: moves whenever a cell's array is replaced by another one: addresses taken before are stale. touched: whenever
    a cell becomes shared, or a tensor's `.grad` or `stop_gradient` changes (those of results that nobody has seen yet
    don't count): what compiled functions know of their state is looked at again. stops: whenever a `stop_gradient`
    changes.
    """

    __slots__ = ("epoch", "stops", "touched")

    def __init__(self) -> None:
        self.epoch = self.touched = self.stops = 0


counters = Counters()


class Storage:
    """One cell: the payload, how often it was written in place, and whether other tensors may see its memory."""

    __slots__ = ("__weakref__", "payload", "place", "shared", "version")

    payload: Any
    version: int
    shared: bool
    place: Place | None

    def __init__(self, payload: Any, shared: bool = False) -> None:
        self.payload = payload
        self.version = 0
        self.shared = shared
        self.place = None

    def own(self) -> Any:
        """The array, in memory that no other tensor sees (copied if need be): what native code may write into."""
        if self.shared:
            self.replace(aligned_copy(self.payload))
        return self.payload

    def share(self) -> None:
        """Say that others may see the memory from here on."""
        if not self.shared:
            self.shared = True
            counters.touched += 1

    def replace(self, payload: Any) -> None:
        """Put another array into the cell and tell everyone who remembers addresses."""
        self.payload = payload
        self.shared = False
        counters.epoch += 1


def hashed(x: Any) -> int:
    """`hash()` of a tensor: that of its identity."""
    if on_hash is not None:
        on_hash(x)
    return object.__hash__(x)


_UNSHARED = 4  # references to a cell that one tensor has: its own, two of variables, and the question's


def tensors_of(cell: Storage) -> list[Any]:
    """The tensors that share a cell, none if one alone has it: searched for, as they are hardly ever asked for."""
    if sys.getrefcount(cell) <= _UNSHARED:
        return []
    found = gc.get_referrers(cell)
    owners = [owner for holder in found if type(holder) is dict for owner in gc.get_referrers(holder)]
    return [x for x in (*found, *owners) if getattr(x, "_storage", None) is cell]

"""The lists of passes/autodiff/residual_lists.py at run time: arrays that a loop's backward reads, of its forward run.

A list goes when its forward run is forgotten (`drop`); a reader goes when it is through.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...base.errors import CallbackError
from ...passes.autodiff.residual_lists import LIST_NEW, LIST_POP, LIST_PUSH, LIST_READ

_MOST_READERS = 4096  # of backward runs that ended early, by an error of the user's code


class KeptLists:
    """Lists and readers by handle."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._lists: dict[int, list[Any]] = {}
        self._readers: dict[int, tuple[list[Any], int]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._lists)

    def new(self) -> list[Any]:
        """An empty list."""
        handle = next(self._numbers)
        self._lists[handle] = []
        return [np.asarray(handle, np.int64)]

    def push(self, handle: Any, value: Any) -> list[Any]:
        """Put a copy of an array at the end of a list."""
        self._lists[int(handle)].append(np.array(value))
        return [handle]

    def read(self, handle: Any) -> list[Any]:
        """A reader of a list, which starts at its end."""
        kept = self._lists.get(int(handle))
        if kept is None:
            raise CallbackError("what a loop kept for this backward is gone", remedy="call backward sooner")
        reader = next(self._numbers)
        if not kept:  # nobody will take anything
            return [np.asarray(reader, np.int64)]
        with self._lock:
            self._readers[reader] = kept, len(kept)
            if len(self._readers) > _MOST_READERS:
                self._readers.pop(next(iter(self._readers)))
        return [np.asarray(reader, np.int64)]

    def pop(self, reader: Any) -> list[Any]:
        """The next element of a reader."""
        kept, place = self._readers.pop(int(reader))
        if place > 1:
            self._readers[int(reader)] = kept, place - 1
        return [reader, kept[place - 1]]

    def drop(self, handles: Iterable[Any]) -> None:
        """Forget lists."""
        for handle in handles:
            self._lists.pop(int(handle), None)


LISTS = KeptLists()
CALLBACKS: dict[str, Callable[..., Any]] = {
    LIST_NEW: LISTS.new,
    LIST_PUSH: LISTS.push,
    LIST_READ: LISTS.read,
    LIST_POP: LISTS.pop,
}

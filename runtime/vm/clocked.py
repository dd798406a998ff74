"""The VM with a clock: it looks there behind each instruction (native_source/clock.py). Profiles run on it.

The plain VM isn't touched by it: `enter_by` exchanges one for the other, so a profile that is off costs nothing.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ...base.errors import MissingDependencyError
from ..kernel_cache import NativeSource, addresses
from . import native_source
from .native_source.layout import EventRow, NotesWord, RowSum
from .team import c_library

MOST_EVENTS = 1 << 16  # of one binding; what comes later is in the sums only
SHORTEST_EVENT = 200  # nanoseconds; shorter ones are in the sums only


class Notes:
    """What the clocked VM writes down about one program: per row nanoseconds and calls, and a list of events."""

    def __init__(self, header: int, rows: int) -> None:
        self.sums = np.zeros((rows, RowSum.COUNT), np.int64)
        self.events = np.empty((MOST_EVENTS, EventRow.COUNT), np.int64)
        self._clock = np.zeros(2, np.int64)  # a timespec
        self.words = np.zeros(NotesWord.COUNT, np.int64)
        self.words[NotesWord.HEADER] = header
        self.words[NotesWord.SUMS] = self.sums.ctypes.data
        self.words[NotesWord.EVENTS] = self.events.ctypes.data
        self.words[NotesWord.EVENT_ROOM] = MOST_EVENTS
        self.words[NotesWord.MOMENT] = self._clock.ctypes.data
        self.words[NotesWord.CLOCK] = _clock_function()
        self.words[NotesWord.CLOCK_ID] = time.CLOCK_MONOTONIC
        self.words[NotesWord.SHORTEST_EVENT] = SHORTEST_EVENT
        self.address: int = self.words.ctypes.data

    @property
    def events_seen(self) -> int:
        """How many events there were, also those that found no room."""
        return int(self.words[NotesWord.EVENTS_SEEN])


def clocked() -> Callable[[int], int]:
    """The native function, which takes the address of Notes; compiled at its first use."""
    return _native()


def now() -> int:
    """Nanoseconds on the clock that the VM looks at."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def source() -> NativeSource:
    """The native function, to compile."""
    return NativeSource("clocked VM", native_source.clocked_vm_text(), native_source.ENTRY)


@cache
def _native() -> Callable[[int], int]:
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(addresses([source()])[0])


@cache
def _clock_function() -> int:
    function: Any = getattr(c_library(), "clock_gettime", None)
    if function is None:
        raise MissingDependencyError(
            "the C library of this platform has no clock_gettime, so kernels can't be timed",
            remedy="profile eager code, or time whole calls",
        )
    return ctypes.cast(function, ctypes.c_void_p).value or 0

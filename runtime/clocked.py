"""The machine with a clock: its own text with a look at the clock behind each instruction. Profiles run on it.

The plain machine isn't touched by it: `enter_by` exchanges one for the other, so a profile that is off costs nothing.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..base.errors import MissingDependencyError
from .kernel_cache import NativeSource, addresses
from .machine import MACHINE_TEXT
from .team import c_library

MOST_EVENTS = 1 << 16  # of one binding; what comes later is in the sums only
SHORTEST_EVENT = 200  # nanoseconds; shorter ones are in the sums only


class Notes:
    """What the clocked machine writes down about one program: per row nanoseconds and calls, and a list of events."""

    def __init__(self, header: int, rows: int) -> None:
        self.sums = np.zeros((rows, 2), np.int64)
        self.events = np.empty((MOST_EVENTS, 3), np.int64)  # row, start, end
        self._clock = np.zeros(2, np.int64)  # a timespec
        self.words = np.array(
            [
                header, self.sums.ctypes.data, self.events.ctypes.data, MOST_EVENTS, 0, self._clock.ctypes.data,
                _clock_function(), time.CLOCK_MONOTONIC, SHORTEST_EVENT,
            ],
            np.int64,
        )  # fmt: skip
        self.address: int = self.words.ctypes.data

    @property
    def events_seen(self) -> int:
        """How many events there were, also those that found no room."""
        return int(self.words[4])


def clocked() -> Callable[[int], int]:
    """The native function, which takes the address of Notes; compiled at its first use."""
    return _native()


def now() -> int:
    """Nanoseconds on the clock that the machine looks at."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


@cache
def _native() -> Callable[[int], int]:
    source = NativeSource("clocked machine", clocked_text(), "clocked")
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(addresses([source])[0])


@cache
def _clock_function() -> int:
    function: Any = getattr(c_library(), "clock_gettime", None)
    if function is None:
        raise MissingDependencyError(
            "the C library of this platform has no clock_gettime, so kernels can't be timed",
            remedy="profile eager code, or time whole calls",
        )
    return ctypes.cast(function, ctypes.c_void_p).value or 0


_HELPERS = '''

@helper
def look(notes):
    """Nanoseconds on the clock."""
    moment = load(notes + 40)
    call_clock(load(notes + 48), load(notes + 56), moment)
    return load(moment) * 1000000000 + load(moment + 8)


@helper
def note(notes, row, start):
    """Add the time since `start` to a row, and to the events unless it is short; the time now."""
    end = look(notes)
    sums = load(notes + 8) + 16 * row
    store(sums, load(sums) + end - start)
    store(sums + 8, load(sums + 8) + 1)
    if end - start >= load(notes + 64):
        used = load(notes + 32)
        if used < load(notes + 24):
            event = load(notes + 16) + 24 * used
            store(event, row)
            store(event + 8, start)
            store(event + 16, end)
        store(notes + 32, used + 1)
    return end


def clocked(notes):'''

# The anchors in the machine's text, each there once, and what stands for them here.
_CHANGES = (
    ("\n\ndef machine(header):", _HELPERS),
    ("    code = load(header + WORD_CODE)\n", "    header = load(notes)\n    code = load(header + WORD_CODE)\n"),
    ("    while True:\n        row = code", "    moment = look(notes)\n    while True:\n        row = code"),
    ("        pc = target\n", "        moment = note(notes, pc, moment)\n        pc = target\n"),
)


def clocked_text() -> str:
    """The machine's text with the clock in it."""
    text = MACHINE_TEXT
    for anchor, change in _CHANGES:
        head, found, tail = text.partition(anchor)
        assert found, anchor
        assert anchor not in tail, anchor
        text = head + change + tail
    return text

"""Timed spans: emitted anywhere, collected by whoever listens (runtime/observe/profiler.py). Free when nobody does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str, float, float], None]
_listeners: list[Listener] = []


@contextmanager
def span(name: str) -> Iterator[None]:
    """Report the wall time of a block, in seconds, as (name, start, end) to all listeners."""
    if not _listeners:
        yield
        return
    start = time.perf_counter()
    try:
        yield
    finally:
        end = time.perf_counter()
        for listener in tuple(_listeners):
            listener(name, start, end)


@contextmanager
def listen(listener: Listener) -> Iterator[None]:
    """Call `listener(name, start, end)` for each span that ends inside the block."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)

"""Timed spans: emitted anywhere, collected by whoever listens (runtime/observe/profiler.py). Free when nobody does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

Listener = Callable[[str, float, float], None]
Watcher = Callable[[str, int, int], None]
_listeners: list[Listener] = []
_watchers: list[Watcher] = []


def span(name: str) -> AbstractContextManager[None]:
    """Report the wall time of a block, in seconds, as (name, start, end) to all listeners."""
    return _reported(name) if _listeners else _UNHEARD


_UNHEARD = nullcontext()


@contextmanager
def _reported(name: str) -> Iterator[None]:
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


def progress(name: str, done: int, total: int) -> None:
    """Tell all watchers how far a piece of work is."""
    for watcher in tuple(_watchers):
        watcher(name, done, total)


@contextmanager
def watch(watcher: Watcher) -> Iterator[None]:
    """Call `watcher(name, done, total)` at each step of a piece of work inside the block, from any thread."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)

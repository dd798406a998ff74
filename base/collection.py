"""Python's garbage collector, held back where many small objects are made that all live on."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MOST_WAITING = 1_000_000  # objects that blocks have made since all were looked at: garbage among them waits so long
_waiting, _most = 0, MOST_WAITING
_is_set_aside = False  # objects of the process: it takes long to count them, so that they are counted once


@contextmanager
def without_collection(*, lives_on: bool = False) -> Iterator[None]:
    """No collections inside the block, in any thread: they take up to a fifth of a compile's time and find nothing.

    lives_on: most of what the block makes does. Then it isn't looked at right behind the block either, where that would
    take as long as a pass over a program; all objects are, once the blocks have made a million, or twice as many as
    there were the last time: a look takes as long as there are objects.

    >>> with without_collection():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        is_due = lives_on and _make_old()
        gc.enable()
        if is_due:
            _look_at_all()


def _look_at_all() -> None:
    global _most
    gc.collect()
    _most = max(MOST_WAITING, 2 * len(gc.get_objects()))


def _make_old() -> bool:
    """Move young objects to the oldest generation, without a look at them; whether a look at all of them is due."""
    global _waiting, _is_set_aside
    _is_set_aside = _is_set_aside or gc.get_freeze_count() > 0
    if _is_set_aside:
        return False  # they would come back
    _waiting += gc.get_count()[0]
    if _waiting > _most:
        _waiting = 0
        return True
    gc.freeze()
    gc.unfreeze()
    return False

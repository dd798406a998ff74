"""The memory that compiled programs take: a counter of it, and what the machine has left."""

from __future__ import annotations

import sys
import threading
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Allocations:
    """What compiled programs have asked the system for since the process began.

    count: blocks taken (arenas, results of 64 KiB and more that found no free memory of an earlier call, results of
    operations that NumPy runs). bytes: their sum. arenas: bytes of arenas in use now. lists: bytes that the residual
    lists of loops hold now.
    """

    count: int
    bytes: int
    arenas: int
    lists: int


class _Counter:
    def __init__(self) -> None:
        self.count = 0
        self.bytes = 0
        self.owners: weakref.WeakSet[Any] = weakref.WeakSet()
        self._lock = threading.Lock()

    def took(self, size: int) -> None:
        with self._lock:
            self.count += 1
            self.bytes += size


_COUNTER = _Counter()
took = _COUNTER.took


def owns(binding: Any) -> None:
    """Say that a binding holds an arena and lists."""
    _COUNTER.owners.add(binding)


def allocations() -> Allocations:
    """The counter as it stands. Two calls of a program in its steady state give the same numbers.

    Results below 64 KiB come from NumPy's own allocator, which reuses such memory, and aren't counted.

    >>> allocations() == allocations()
    True
    """
    owners = list(_COUNTER.owners)
    arenas = sum(int(o.arena.nbytes) for o in owners)
    lists = sum(int(o.lists.blocks[:, 1].sum()) for o in owners)
    return Allocations(_COUNTER.count, _COUNTER.bytes, arenas, lists)


def available() -> int | None:
    """Bytes that the system can still give, as far as it says so: memory, or what the address space may still grow."""
    found = [n for n in (_free_memory(), _free_addresses()) if n is not None]
    return min(found, default=None)


def _free_memory() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    known = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines) if rest.split()}
    if "MemAvailable" not in known:
        return None
    return 1024 * (known["MemAvailable"] + known.get("SwapFree", 0))


def _free_addresses() -> int | None:
    if sys.platform == "win32":
        return None
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return None
    return max(0, limit - pages * resource.getpagesize())

"""The memory plan: lifetimes to offsets in one arena. Knows intervals and sizes, not programs.

Two ways, of which the better is taken. Best fit over time: walk the steps, give back what has ended, take for each new
buffer the smallest gap that holds it. Largest first: each buffer at the lowest offset that is free for all its life.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass

from ...base.memory import ALIGNMENT

MOST_BY_SIZE = 512  # lifetimes beyond which the quadratic way is too slow for a first call


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Memory needed from step `first` to step `last`, both included."""

    bytes: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ArenaPlan:
    """Offsets in bytes per lifetime; the arena's size; the sum of all sizes; the largest live set (lower bound)."""

    offsets: tuple[int, ...]
    peak: int
    total: int
    lower_bound: int


def plan(lifetimes: Sequence[Lifetime]) -> ArenaPlan:
    """Place lifetimes so that no two that overlap in time overlap in memory.

    >>> plan([Lifetime(64, 0, 1), Lifetime(64, 2, 3), Lifetime(64, 1, 2)]).peak
    128
    """
    sizes = [_aligned(t.bytes) for t in lifetimes]
    by_time = _by_time(lifetimes, sizes)
    if by_time.peak == by_time.lower_bound or len(lifetimes) > MOST_BY_SIZE:
        return by_time
    offsets = _by_size(lifetimes, sizes)
    peak = max((o + s for o, s in zip(offsets, sizes, strict=True)), default=0)
    return by_time if by_time.peak <= peak else ArenaPlan(offsets, peak, by_time.total, by_time.lower_bound)


def _by_size(lifetimes: Sequence[Lifetime], sizes: Sequence[int]) -> tuple[int, ...]:
    """The largest first, each at the lowest offset where nothing that lives at the same time lies already."""
    offsets = [0] * len(lifetimes)
    placed: list[tuple[int, int, int, int]] = []  # offset, end, first, last
    for k in sorted(range(len(lifetimes)), key=lambda k: (-sizes[k], lifetimes[k].first)):
        first, last, offset = lifetimes[k].first, lifetimes[k].last, 0
        for start, end, since, until in placed:
            if since <= last and first <= until and start < offset + sizes[k] and offset < end:
                offset = end
        offsets[k] = offset
        if sizes[k]:
            insort(placed, (offset, offset + sizes[k], first, last))
    return tuple(offsets)


def _by_time(lifetimes: Sequence[Lifetime], sizes: Sequence[int]) -> ArenaPlan:
    """Step by step, each buffer in the smallest gap that holds it."""
    starts = sorted(range(len(lifetimes)), key=lambda k: (lifetimes[k].first, -sizes[k]))
    ends = sorted(range(len(lifetimes)), key=lambda k: lifetimes[k].last)
    offsets = [0] * len(lifetimes)
    free, closed, live, bound = _FreeSpace(), 0, 0, 0
    for k in starts:
        while closed < len(ends) and lifetimes[ends[closed]].last < lifetimes[k].first:
            done = ends[closed]
            free.give(offsets[done], sizes[done])
            live -= sizes[done]
            closed += 1
        offsets[k] = free.take(sizes[k])
        live += sizes[k]
        bound = max(bound, live)
    return ArenaPlan(tuple(offsets), free.top, sum(sizes), bound)


def _aligned(count: int) -> int:
    return (count + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


class _FreeSpace:
    """Gaps of the arena, sorted by offset; neighbours are joined."""

    def __init__(self) -> None:
        self.gaps: list[tuple[int, int]] = []
        self.top = 0

    def take(self, size: int) -> int:
        if size == 0:
            return 0
        best: tuple[int, int] | None = None
        for gap in self.gaps:
            if size <= gap[1] and (best is None or gap[1] < best[1]):
                best = gap
        if best is not None:
            self.gaps.remove(best)
            if best[1] > size:
                insort(self.gaps, (best[0] + size, best[1] - size))
            return best[0]
        if self.gaps and sum(self.gaps[-1]) == self.top:  # grow the last gap instead of leaving it behind
            offset, _ = self.gaps.pop()
            self.top = offset + size
            return offset
        offset, self.top = self.top, self.top + size
        return offset

    def give(self, offset: int, size: int) -> None:
        if size == 0:
            return
        k = bisect_left(self.gaps, (offset, 0))
        if k < len(self.gaps) and self.gaps[k][0] == offset + size:
            size += self.gaps.pop(k)[1]
        if k > 0 and sum(self.gaps[k - 1]) == offset:
            start, before = self.gaps.pop(k - 1)
            offset, size = start, before + size
        insort(self.gaps, (offset, size))

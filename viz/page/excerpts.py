"""The user's lines that a program came from, where no function is at hand to show: regions of files."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Iterator

from ...base.location import Loc
from ...runtime.observe.subject import Routine

AROUND = 3  # lines shown before and after
JOINED = 12  # lines without operations that don't yet end a region


def excerpts(locations: Iterable[Loc]) -> Iterator[Routine]:
    """Regions around the lines that are named, by file and line."""
    by_file: dict[str, set[int]] = {}
    for loc in locations:
        by_file.setdefault(loc.file, set()).add(loc.line)
    for file, named in by_file.items():
        lines = [line.rstrip("\n") for line in linecache.getlines(file)]
        for first, last in _regions(sorted(n for n in named if n <= len(lines))):
            first, last = max(1, first - AROUND), min(len(lines), last + AROUND)
            yield Routine("", file, first, tuple(lines[first - 1 : last]))


def _regions(lines: list[int]) -> Iterator[tuple[int, int]]:
    start = previous = 0
    for line in lines:
        if start and line - previous > JOINED:
            yield start, previous
            start = 0
        start, previous = start or line, line
    if start:
        yield start, previous

"""`is` between tuples: which places of the world outside hold one tuple, and which hold others that may be equal.

Assumptions compare tuples by what they hold, and those with numbers that are filled in at each call are others in a
trace than outside. So a question by `is` is answered for the tuples outside, and is an assumption of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import partial
from typing import Any

from ...call.guards import describe, look, place_of
from ..reachable import loaded_globals
from ..traced import Assumption


class AskedTuples:
    """The questions of a trace, and the tuples that stand in it for others."""

    def __init__(self) -> None:
        self.rebuilt: dict[int, tuple[Any, Any]] = {}  # identity of a tuple of the trace -> it, the one outside
        self.asked: list[tuple[Assumption, Assumption, bool]] = []
        self.containers: dict[int, Any] = {}  # lists, dicts and dataclasses that code asks for, by identity

    def ask(self, tracer: Any, x: Any, y: Any) -> bool:
        """Whether two tuples or containers are one outside."""
        self.containers |= {id(v): v for v in (x, y) if not isinstance(v, tuple)}
        if not (isinstance(x, tuple) and isinstance(y, tuple)):
            return x is y
        answer = self._outside(x) is self._outside(y)
        ours, theirs = list(_places_of(tracer, x)), list(_places_of(tracer, y))
        self.asked += [(a, b, answer) for a in ours for b in theirs if place_of(a) != place_of(b)]
        return answer

    def _outside(self, x: Any) -> Any:
        return self.rebuilt.get(id(x), (x, x))[1]

    def assumptions(self) -> Iterator[Assumption]:
        """The answers."""
        for a, b, answer in self.asked:
            yield Assumption("call", partial(_are_one, a, b), f"whether {describe(a)} is {describe(b)}", answer)


def _are_one(a: Assumption, b: Assumption) -> bool:
    return look(a) is look(b)


def _places_of(tracer: Any, x: Any) -> Iterator[Assumption]:
    """Where a tuple stood before the trace."""
    known = tracer.objects.kept
    for kept in list(known.values()):
        if isinstance(kept.copy, (dict, list)) and not isinstance(kept.owner, set):
            kind: Any = "item" if isinstance(kept.owner, (dict, list, deque)) else "attribute"
            for key, value in list(kept.copy.items() if isinstance(kept.copy, dict) else enumerate(kept.copy)):
                yield from _paths_to(x, value, Assumption(kind, kept.owner, key, None))
    read: dict[tuple[int, str], dict[str, Any]] = {}
    for converted in tracer.functions.values():
        space = converted.original.__globals__
        read |= {(id(space), name): space for name in loaded_globals(converted.original.__code__)}
    for (number, name), space in read.items():
        if -number not in known or name not in known[-number].copy:
            yield from _paths_to(x, space.get(name), Assumption("item", space, name, None))


def _paths_to(x: Any, value: Any, place: Assumption) -> Iterator[Assumption]:
    if value is x:
        yield place
    elif isinstance(value, tuple):
        root, path = (place.owner, place.name) if place.kind == "part" else (place, ())
        for key, part in enumerate(value):
            yield from _paths_to(x, part, Assumption("part", root, (*path, key), None))

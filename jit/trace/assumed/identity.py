"""Identity: whether code asks which tensors are one, and which places of the world outside hold one tuple or list.

`is` between tuples: which places hold one tuple, and which hold others that may be equal.

Lists that other code replaces by equal ones are others, too, where a program writes into them or gives them out.

Assumptions compare tuples by what they hold, and those with numbers that are filled in at each call are others in a
trace than outside. So a question by `is` is answered for the tuples outside, and is an assumption of its own.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from ....dygraph.storage import held
from ....dygraph.tensor import Tensor
from ...call.guards import describe, is_place, look, place_of, same
from ..reachable import loaded_globals
from ..traced import Assumption, AttributeWrite
from .hidden_attributes import attributes_beside

_THIS = "this one"  # of lists at places
_MOST_DEPTH = 8  # of lists in lists that are looked through for such


@dataclass(slots=True)
class AskedIdentity:
    """What a trace is asked of the identity of tensors: by `is`, by `id()`, and where they are hashed."""

    is_asked: bool = False
    outside: dict[int, Tensor] = field(default_factory=dict)  # those that aren't arguments, by identity
    numbered: set[int] = field(default_factory=set)  # identities of tensors whose `id()` code takes

    def ask(self, *tensors: Tensor) -> None:
        """Code asks whether these are one tensor. Arguments that are one of them in another call get another answer."""
        self.is_asked = True
        self.outside |= {id(x): x for x in tensors if isinstance(held(x), np.ndarray)}

    def number(self, x: Tensor) -> None:
        """Code takes the `id()` of a tensor."""
        self.ask(x)
        self.numbered.add(id(x))


class VeryLists:
    """Whether a place still has the lists that a program writes, gives out, compares by `is` or finds at two places."""

    __slots__ = ("known", "place", "very")

    def __init__(self, place: Assumption, very: frozenset[int]) -> None:
        self.place, self.known, self.very = replace(place, value=None), place.value, very

    def __call__(self) -> str:
        return _THIS if self._is_one(self.known, look(self.place)) else "another"

    def _is_one(self, known: Any, now: Any) -> bool:
        if known is now:
            return True
        if id(known) in self.very:
            return False
        if isinstance(known, (tuple, list)) and type(known) is type(now) and len(known) == len(now):
            return all(map(self._is_one, known, now))
        return same(known, now)


def with_very_lists(
    tracer: Any, writes: Iterable[AttributeWrite], outside: Iterable[Any], assumptions: Sequence[Assumption]
) -> list[Assumption]:  # fmt: skip
    """The assumptions, of which those about such lists are about the lists themselves, not what is in them.

    So are those about objects whose attributes are written, and that are otherwise told apart by what they hold.
    """
    places = [a for a in assumptions if a.kind in ("attribute", "item", "cell")]
    seen = Counter(id(a.value) for a in {place_of(a): a for a in places}.values() if isinstance(a.value, list))
    owners = [w.owner for w in writes if w.place is None]
    known = [x for x in (*owners, *outside, *tracer.tuples.containers.values()) if isinstance(x, list)]
    very = {*map(id, known), *(number for number, count in seen.items() if count > 1)}
    written = frozenset(id(owner) for owner in owners if isinstance(owner, dict))

    def holds(value: Any, depth: int) -> bool:
        very.update(id(value) for own in attributes_beside(value) if id(own) in written)
        if id(value) in very or depth > _MOST_DEPTH:
            return id(value) in very
        kept = tracer.objects.kept.get(id(value)) if isinstance(value, list) else None
        parts = value if kept is None else kept.copy
        return isinstance(value, (tuple, list)) and any(holds(part, depth + 1) for part in parts)

    about = {id(a) for a in places if holds(a.value, 0)}
    found = frozenset(very)
    return [
        Assumption("call", VeryLists(a, found), f"the list {a.name}", _THIS, layered=a.layered) if id(a) in about else a
        for a in assumptions
    ]


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
        self.asked += [(a, b, answer) for a in ours for b in theirs if not is_place(place_of(a), place_of(b))]
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

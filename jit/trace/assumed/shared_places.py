"""Tensors that stand in several places outside: `self.state = (h, c)` and `self.last = h`.

A tensor that each call replaces is looked up where it stands. Where it stands in several places, a program looks at one
of them, and takes for granted that the others hold the same tensor.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import CellType
from typing import Any, NamedTuple

from ....dygraph.tensor import Tensor
from ...call.guards import describe, is_place, look, place_of
from ..traced import Assumption, StateTensor
from ..tracer import Tracer
from .structures import Path, in_tuples, tensors_held

_PLACES = ("attribute", "item", "cell")
_ONE_VALUE = (*_PLACES, "static", "code", "call")  # kinds of assumptions that aren't of many places

Key = tuple[Any, ...]


class Standing(NamedTuple):
    """A tensor at a place. place: None where no look-up leads to it."""

    tensor: Tensor
    owner: Any
    place: Assumption | None


class Places:
    """Where the tensors outside stood before a trace, by their cells and by keys of the places.

    read: the places that assumptions are about.
    """

    def __init__(self, tracer: Tracer, assumptions: Iterable[Assumption]) -> None:
        self.known: dict[int, dict[Key, Standing]] = {}
        self.read: dict[int, set[Key]] = {}
        for number, kept in tracer.objects.kept.items():
            if number in tracer.appended:
                continue
            for key, path, x in tensors_held(kept.copy):
                value = kept.copy[key]
                at = None if isinstance(kept.owner, set) else Assumption(_kind_of(kept.owner), kept.owner, key, None)
                self._add((id(kept.owner), key, *path), x, kept.owner, _inside(at, value, path))
        for assumed in assumptions:
            if assumed.kind in _ONE_VALUE and isinstance(assumed.value, (Tensor, tuple, frozenset)):
                place = replace(assumed, value=None) if assumed.kind in _PLACES else None
                for path, x in in_tuples(assumed.value):
                    key = (*place_of(assumed), *path)
                    self.read.setdefault(id(x._storage), set()).add(key)
                    self._add(key, x, assumed.owner, _inside(place, assumed.value, path))

    def _add(self, key: Key, x: Tensor, owner: Any, place: Assumption | None) -> None:
        self.known.setdefault(id(x._storage), {}).setdefault(key, Standing(x, owner, place))

    def of(self, x: Tensor) -> dict[Key, Standing]:
        """The places of all tensors over the memory of one."""
        return self.known.get(id(x._storage), {})

    def move(self, containers: Mapping[int, Any], tensors: Sequence[tuple[Tensor, Path]], place: Assumption) -> None:
        """Containers that stand at a place for one call only: their tensors are those at the same paths from there."""
        for found in self.known.values():
            for key in [key for key, at in found.items() if id(at.owner) in containers]:
                del found[key]
        for x, path in tensors:
            self._add((*place_of(place), *path), x, place.owner, Assumption("part", place, path, None))

    def shared(self, state: Iterable[StateTensor]) -> list[Assumption]:
        """That all places of a tensor which is looked up hold that one."""
        found = []
        for entry in state:
            if entry.place is not None and entry.slot == "data":
                places = [at.place for at in self.of(entry.tensor).values() if at.place is not None]
                entry.others = tuple([at for at in places if not is_place(place_of(at), place_of(entry.place))])
                shown = " is ".join(map(describe, (entry.place, *entry.others)))
                check = OneTensor(entry.place, entry.others)
                found += [Assumption("call", check, f"whether {shown}", True)] if entry.others else []
        return found


def are_one(known: Mapping[Key, Standing], is_view: bool = False) -> bool:
    """Whether one tensor stands in all of these places, and look-ups lead to each. is_view: there may be one only."""
    if len(known) < 2:
        return True
    tensors = {id(at.tensor) for at in known.values()}
    return not is_view and len(tensors) == 1 and all(at.place is not None for at in known.values())


def root_of_part(place: Assumption) -> Assumption:
    """The place of the value of which a place is a part; another place itself."""
    while place.kind == "part":
        place = place.owner
    return place


def held_in(assumptions: Iterable[Assumption]) -> set[int]:
    """The cells of tensors in tuples and lists that assumptions are about."""
    values = [a.value for a in assumptions if isinstance(a.value, (tuple, list))]
    return {id(x._storage) for value in values for x in value if isinstance(x, Tensor)}


class OneTensor:
    """Whether several places hold one tensor."""

    __slots__ = ("first", "others")

    def __init__(self, first: Assumption, others: Sequence[Assumption]) -> None:
        self.first = first
        self.others = tuple(others)

    def __call__(self) -> bool:
        x = look(self.first)
        return all(look(place) is x for place in self.others)


def _kind_of(owner: Any) -> Any:
    if isinstance(owner, CellType):
        return "cell"
    return "item" if isinstance(owner, (dict, list, deque)) else "attribute"


def _inside(place: Assumption | None, value: Any, path: Path) -> Assumption | None:
    """The place of a part of a value, which is at a path through tuples."""
    for key in path:
        if not isinstance(value, tuple):
            return None
        value = value[key]
    return Assumption("part", place, path, None) if path and place is not None else place

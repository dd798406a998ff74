"""What a value must have in common with another that stands in its place: all but which tensors it holds.

Of the tensors it is what code asked for (asked_tensors.py), of numbers that are filled in at each call their type. A
container as a whole is one assumption, so that what the program doesn't read costs a call little.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from operator import is_
from typing import Any

from ....base.bound_methods import BOUND
from ....base.pytree import flatten
from ....dygraph.number import Number, fits
from ....dygraph.storage import root_of
from ....dygraph.tensor import Tensor
from ...call.guards import look, place_of
from ..state.containers import is_container
from ..state.rollback import ATOMS, MISSING, contents
from ..traced import Assumption
from ..tracer import Tracer
from .asked_tensors import kind_of_tensor
from .hidden_attributes import Beside, attributes_beside, slots_beside
from .structure_checks import PartFact, check_of

MOST_PARTS = 256  # of a value whose structure is compared at each call
_FROZEN = (*ATOMS, Tensor)

Fact = Callable[[Any], Any]
Path = tuple[Any, ...]


def is_nested(value: Any) -> bool:
    """Whether a value is a tuple or a container with a structure."""
    return (is_container(value) or isinstance(value, tuple)) and not isinstance(value, ATOMS)


def items_of(value: Any, held_by: Callable[[Any], Any] = lambda part: part) -> list[tuple[Any, Any]] | None:
    """What is in such a value, with keys, and what it has beside that; None where tensors may be where nobody looks.

    held_by: what a container, or a dict of attributes, held at the time that is asked for.
    """
    held = held_by(value)
    held = held if isinstance(held, (dict, list, tuple)) else contents(held)
    if held is None or slots_beside(value):
        return None
    items = list(held.items()) if isinstance(held, dict) else list(enumerate(held))
    return items + [(Beside(n), v) for own in attributes_beside(value) for n, v in held_by(own).items() if n != BOUND]


class Structure:
    """The structure of a value from before a trace.

    whole: containers that have to be the very objects. exact: so do all of them, and all tensors. elsewhere: identities
    of containers that the program knows by other ways, and that can't be in it.
    """

    __slots__ = (
        "_check", "_leaves", "_nested", "before", "elsewhere", "exact", "facts", "is_frozen", "numbers", "value",
        "very",
    )  # fmt: skip

    def __init__(
        self, tracer: Tracer, value: Any, whole: Container[int] = (), *, exact: bool = False,
        elsewhere: Container[int] = (),
    ) -> None:  # fmt: skip
        self.value = value
        self.elsewhere = elsewhere
        self.exact = exact
        self.facts: dict[int, Fact] = {}  # of tensors and numbers in it, by their places in the walk
        self.numbers: dict[Path, Any] = {}  # those that it holds by value
        self.is_frozen = _is_frozen(value)
        self.very: set[int] = set()  # identities of those of `whole` that are in it
        self._leaves: dict[Path, PartFact] = {}
        self._check: Callable[[Any], bool] | None = None  # made when it is first asked for

        def learn(number: int, path: Path, x: Any) -> Any:
            if fits(x):
                self.numbers[path] = x
            is_very = id(x) in self.very and isinstance(x, list)  # guards compare lists by what is in them
            leaf = PartFact(True, partial(is_, x)) if is_very else _leaf_of(tracer, x, exact=exact)
            self._leaves[path] = leaf
            if leaf.fact is not None:
                self.facts[number] = leaf.fact
            return leaf.before

        def opens(part: Any) -> bool:
            is_very = id(part) in whole or any(id(own) in whole for own in attributes_beside(part))
            if is_very or (exact and not isinstance(part, tuple)):
                self.very.add(id(part))
                return False
            return True

        walk = _Walk(learn, opens, partial(_before, tracer))
        self.before = walk.structure(value)
        self._nested = walk.nested

    def of(self, value: Any) -> Any:
        """The structure of the value that is there now."""
        if value is self.value and self.is_frozen:
            return self.before
        if self._check is None:
            self._check = check_of(self._nested, self._leaves, self.elsewhere)
        if self._check(value):
            return self.before
        return _Walk(self._fact, self._opens).structure(value)

    def _fact(self, number: int, path: Path, x: Any) -> Any:
        fact = self.facts.get(number)
        if fact is not None:
            return fact(x)
        return type(x) if isinstance(x, Tensor) and not self.exact else x

    def _opens(self, part: Any) -> bool:
        if id(part) in self.very or id(part) in self.elsewhere:
            return False
        return not self.exact or isinstance(part, tuple)


def _before(tracer: Tracer, part: Any) -> Any:
    """What a container held before the trace."""
    kept = tracer.objects.kept.get(id(part))
    return part if kept is None or kept.only is not None else kept.copy


class _Walk:
    """One walk over a value. fact: of a part that isn't gone into, by its number and path. opens: whether a container
    is gone into; held_by: what it holds.
    """

    def __init__(
        self, fact: Callable[[int, Path, Any], Any], opens: Callable[[Any], bool],
        held_by: Callable[[Any], Any] = lambda part: part,
    ) -> None:  # fmt: skip
        self.fact, self.opens, self.held_by = fact, opens, held_by
        self.number = self.count = 0
        self.nested: dict[Path, tuple[type, tuple[Any, ...]]] = {}  # of what it goes into: class and keys

    def structure(self, value: Any, path: Path = ()) -> Any:
        self.number += 1
        self.count += not isinstance(value, Tensor)
        if not (is_nested(value) and self.opens(value)) or self.count > MOST_PARTS:
            return self.fact(self.number, path, value)  # the very object, or an equal plain value
        items = items_of(value, self.held_by) or ()
        self.nested[path] = type(value), tuple([key for key, _ in items])
        return (type(value), *[(key, self.structure(part, (*path, key))) for key, part in items])


def _leaf_of(tracer: Tracer, x: Any, *, exact: bool) -> PartFact:
    """What is to be so of a part of a value that isn't gone into."""
    if type(x) is Number:
        fact, before = kind_of_number(x)
        return PartFact(before, fact, None if x.ranges or x.residues else x.kind)
    if exact or not isinstance(x, Tensor):
        return PartFact(x)
    fact, before = tracer.asked.fact(x, x if _is_asked_for(tracer, x) else MISSING)
    return PartFact(before, fact, *(before if fact is kind_of_tensor else ()))


def _is_frozen(value: Any) -> bool:
    if attributes_beside(value):
        return False
    if isinstance(value, tuple):
        return all(map(_is_frozen, value))
    return isinstance(value, _FROZEN)


class StructureAt:
    """The structure of what stands at a place.

    alone: nothing else holds it, so that no code sees by another way what is written into it.
    """

    __slots__ = ("alone", "known", "place")

    def __init__(self, place: Assumption, known: Structure, *, alone: bool = False) -> None:
        self.place = Assumption(place.kind, place.owner, place.name, None)
        self.known = known
        self.alone = alone

    def __call__(self) -> Any:
        now = look(self.place)
        if self.alone and sys.getrefcount(now) > ALONE:
            return "held elsewhere"
        return self.known.of(now)


def _count() -> int:
    """How many references a check counts for a container that one place holds."""
    place = Assumption("item", {"list": list(range(1))}, "list", None)
    now = look(place)
    return sys.getrefcount(now)


ALONE = _count()


def structure_at(assumed: Assumption, known: Structure, *, alone: bool = False) -> Assumption:
    """That what stands at the place of an assumption has a structure."""
    there = StructureAt(assumed, known, alone=alone)
    layered = assumed.layered and known.is_frozen  # no layer counts what is written into a list that it holds
    return Assumption("call", there, f"the structure of {assumed.name}", known.before, layered=layered)


class HeldItems:
    """The structures of items of a container that the program neither reads nor replaces."""

    __slots__ = ("before", "is_frozen", "known", "names", "owner", "structures")

    def __init__(self, owner: Any, names: Sequence[Any], structures: Sequence[Structure]) -> None:
        self.owner, self.names, self.structures = owner, names, structures
        self.known = [s.value for s in structures]
        self.is_frozen = all(s.is_frozen for s in structures)
        self.before = tuple([s.before for s in structures])

    def __call__(self) -> Any:
        owner = self.owner
        get = dict.__getitem__ if isinstance(owner, dict) else type(owner).__getitem__
        now = [get(owner, name) for name in self.names]
        if self.is_frozen and all(map(is_, now, self.known)):
            return self.before
        return tuple([s.of(v) for s, v in zip(self.structures, now, strict=True)])


def held_items(
    tracer: Tracer, owner: dict[Any, Any] | list[Any] | deque[Any], items: Sequence[tuple[Any, Any]],
    whole: Container[int],
) -> Assumption:  # fmt: skip
    """That some items of a container have the structures that they had before the trace."""
    held = HeldItems(owner, [k for k, _ in items], [Structure(tracer, v, whole) for _, v in items])
    return Assumption("call", held, f"the kinds of the items of a {type(owner).__name__}", held.before)


def loosened(tracer: Tracer, assumed: Assumption) -> Assumption:
    """Where the function puts a new tensor without reading the old one's elements, only that it is one is guarded."""
    if type(assumed.value) is Number:
        kind, before = kind_of_number(assumed.value)
        return Assumption(
            "call", lambda: kind(look(assumed)), f"the type of {assumed.name}", before, layered=assumed.layered
        )
    if not isinstance(assumed.value, Tensor) or id(root_of(assumed.value._storage)) in tracer.lifted:
        return assumed
    if place_of(assumed) not in tracer.written:
        return assumed
    if _is_asked_for(tracer, assumed.value) or _stays_elsewhere(tracer, assumed.value):
        return assumed
    read, before = tracer.asked.fact(assumed.value, MISSING)
    return Assumption("call", lambda: read(look(assumed)), f"the kind of {assumed.name}", before)


def kind_of_number(number: Number) -> tuple[Fact, Any]:
    """What is to be so of a number that is filled in at each call, as a function of it, and as it is now."""
    number = number if number.at_place is None else number.at_place
    ranges, residues = number.ranges, number.residues

    def kind(value: Any) -> Any:
        if not fits(value):
            return value
        inside = [low < value < high for low, high in ranges]
        return (type(value), *inside, *[(value + added) % divisor for added, divisor in residues])

    return kind, kind(number.kind(number._storage.payload.item()))


def is_guarded(tracer: Tracer, owner: Any, value: Any) -> bool:
    """Plain values, and what the program reads or captured; tables of layers and optimisers have their own ways."""
    numbers_count = tracer.tables.get(id(owner))
    if isinstance(value, ATOMS):
        return numbers_count is not False
    if numbers_count is not None:
        return False
    if type(value) is Number or id(value) in tracer.appended:
        return True
    leaves = flatten(value, lambda v: isinstance(v, Tensor))[0]
    return not leaves or any(_is_the_very(tracer, x) for x in leaves)


def _is_the_very(tracer: Tracer, x: Any) -> bool:
    """Whether a program is about a tensor, or its gradient, rather than about what is so of it."""
    found = id(x._storage) in tracer.lifted or id(x) in tracer.asked.grads or _is_asked_for(tracer, x)
    return found or id(x) in tracer.found_twice


def found_twice(tracer: Any) -> frozenset[int]:
    """Tensors that stand in several places: code may have taken one from there and put it here, where it was before."""
    count = Counter(id(x) for kept in tracer.objects.kept.values() for *_, x in tensors_held(kept.copy))
    return frozenset(i for i, times in count.items() if times > 1)


def tensors_held(copy: Any) -> Iterator[tuple[Any, Path, Tensor]]:
    """The tensors that a kept object holds, with their keys, also those in tuples: with the paths there."""
    for key, value in copy.items() if isinstance(copy, dict) else enumerate(copy):
        if isinstance(value, Tensor):
            yield key, (), value
        elif isinstance(value, (tuple, frozenset)):
            for path, x in in_tuples(value):
                yield key, path, x


def in_tuples(value: Any) -> Iterator[tuple[Path, Tensor]]:
    """A tensor itself, and those in tuples in tuples, with the paths that lead to them."""
    if isinstance(value, Tensor):
        yield (), value
    elif isinstance(value, (tuple, frozenset)):
        for k, part in enumerate(value):
            yield from (((k, *path), x) for path, x in in_tuples(part))


def _stays_elsewhere(tracer: Tracer, x: Tensor) -> bool:
    """Whether a place that isn't written has a tensor, too: code may have put it there from a place that is."""
    return id(x) in tracer.found_twice and any(
        y is x and (id(kept.owner), key) not in tracer.written
        for kept in tracer.objects.kept.values()
        for key, _, y in tensors_held(kept.copy)
    )


def _is_asked_for(tracer: Tracer, x: Any) -> bool:
    """Whether code asks for the tensor itself: which one it is, or its name."""
    return id(x) in tracer.identity.outside or id(x) in tracer.asked.names

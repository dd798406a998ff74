"""Attributes and items that get a fresh tuple, list or dict of tensors in each call: `self.state = (h, c)`.

What stands there before a call is that of the call before. Only its structure is guarded, and its tensors are looked up
there at each call, as a plain tensor's is that a function replaces (`Ending.placed`). The same goes for containers that
the caller replaces by others with other numbers (`model.config = Config(0.1, 5)`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....dygraph.number import Number
from ....dygraph.storage import is_view, root_of
from ....dygraph.tensor import Tensor
from ....dygraph.views import steps_of
from ...call.guards import is_place, look, place_of
from ..state.containers import WHOLE, is_container, is_token, parts_of
from ..state.rollback import MISSING
from ..traced import Assumption, AttributeWrite, StateTensor
from ..tracer import Tracer
from .hidden_attributes import attributes_beside
from .shared_places import Places, are_one, root_of_part
from .structures import MOST_PARTS, Path, Structure, is_nested, items_of, structure_at


def replaced(
    tracer: Tracer, state: list[StateTensor], writes: list[AttributeWrite], assumptions: list[Assumption],
    outside: Sequence[Any], places: Places,
) -> list[Assumption]:  # fmt: skip
    """The assumptions with structures in place of such containers; the state's tensors get their places there."""
    known: set[Any] = set()
    for write in list(writes):
        if is_token(write.owner) or write.name is WHOLE or write.appends:
            continue
        place = Assumption(write.kind, write.owner, write.name, None)
        known.add(place_of(place))
        one = _Replaced(tracer, place, tracer.objects.before(write.owner, write.name, MISSING))
        if one.is_apart(writes, outside, assumptions) and one.places_all(state, assumptions, places):
            one.move(writes)
            assumptions = one.loosened(assumptions)
    parts = [number.owner for number in tracer.open_numbers if number.kind == "part"]
    very_own = told_of(tracer, state, assumptions)
    for place in (*parts, *tracer.replaced_outside.values()):
        if place_of(place) in known:
            continue
        known.add(place_of(place))
        one = _Replaced(tracer, place, look(place))
        if one.is_written(writes) or any(very_own(x) for x, _ in one.tensors):
            continue
        if one.is_apart(writes, outside, assumptions) and one.places_all(state, assumptions, places):
            assumptions = one.loosened(assumptions)
    return [*assumptions, *places.shared(state)]


def told_of(
    tracer: Tracer, state: Sequence[StateTensor], assumptions: Sequence[Assumption]
) -> Callable[[Tensor], bool]:  # fmt: skip
    """Tells whether more of a tensor is in a program than its elements: another one in its place needs another program.

    So it is with gradients that the function computes or finds (and with an optimiser's state), and with attributes
    that users have set on the tensor.
    """
    met = tracer.met_hooks
    has_gradients = bool(met.leaves or met.steps or tracer.logs[0].grads)
    cells = {id(s.tensor._storage) for s in state if s.slot != "data"}
    owners = {id(a.owner) for a in assumptions if isinstance(a.owner, Tensor)}

    def tells(x: Tensor) -> bool:
        return (has_gradients and not x.stop_gradient) or id(x._storage) in cells or id(x) in owners

    return tells


def stand_at(
    entry: StateTensor, place: Assumption, state: Sequence[StateTensor], assumptions: list[Assumption]
) -> list[Assumption]:  # fmt: skip
    """Look an entry's tensor up at a place in each call, and what the program takes its `.grad` for."""
    cell = entry.tensor._storage
    for other in state:
        if other is entry or (other.slot == "grad" and other.tensor._storage is cell):
            other.place = place
    return [
        Assumption("call", GradientAt(place, a.kind), a.name, a.value)
        if a.kind in ("grad", "added") and a.owner._storage is cell
        else a
        for a in assumptions
    ]


class WrittenViews:
    """Views from outside of tensors that the program writes, or that what comes out is cut from.

    Other code, or the function, may put another view in the place of one: the program is for the same cut of the same
    tensor. needed: the cells of tensors that come out.
    """

    def __init__(self, state: Sequence[StateTensor], needed: set[int], assumptions: Sequence[Assumption]) -> None:
        self.written = needed | {id(s.tensor._storage) for s in state if s.updated}
        self.read = {id(s.tensor._storage) for s in state}
        values = [x for a in assumptions for x in parts_of([a.value]) if isinstance(x, Tensor)]
        self.bases = {id(root_of(x._storage)) for x in values if x in self}  # each of them is the very tensor

    def __contains__(self, x: Any) -> bool:
        return isinstance(x, Tensor) and is_view(x._storage) and id(root_of(x._storage)) in self.written

    def at(self, x: Tensor, place: Assumption) -> list[Assumption]:
        """What is assumed of the tensor in the place of `x`."""
        return [Assumption("call", ViewAt(place, x), str(place.name), True)] if x in self else []

    def unread(
        self, assumptions: list[Assumption], kinds: Mapping[Any, Any], is_very: Callable[[Any], bool]
    ) -> list[Assumption]:
        """The assumptions, where the program only writes such a view."""
        found: list[Assumption] = []
        for a in assumptions:
            is_loose = a.value in self and id(a.value._storage) not in self.read and not is_very(a.value)
            is_loose = is_loose and place_of(a) in kinds
            found += self.at(a.value, replace(a, value=None)) if is_loose else [a]
        return found


class ViewAt:
    """Whether at a place a certain cut of a tensor stands."""

    __slots__ = ("cell", "kind", "place", "steps")

    def __init__(self, place: Assumption, x: Tensor) -> None:
        self.place = place
        self.kind = type(x), x._dtype, x._stop
        self.cell, self.steps = root_of(x._storage), steps_of(x)[1]

    def __call__(self) -> bool:
        x = look(self.place)
        if not isinstance(x, Tensor) or (type(x), x._dtype, x._stop) != self.kind:
            return False
        return root_of(x._storage) is self.cell and steps_of(x)[1] == self.steps


class GradientAt:
    """What guards ask of the `.grad` of the tensor that stands at a place."""

    __slots__ = ("kind", "place")

    def __init__(self, place: Assumption, kind: str) -> None:
        self.place = place
        self.kind = kind

    def __call__(self) -> Any:
        return look(Assumption(self.kind, look(self.place), self.place.name, None))  # type: ignore[arg-type]


class _Replaced:
    """A container that stood in a place before the call."""

    def __init__(self, tracer: Tracer, place: Assumption, before: Any) -> None:
        self.tracer = tracer
        self.place = place
        self.before = before
        self.containers: dict[int, Any] = {}
        self.telling: set[int] = set()  # those of them that can be written, or hold tensors: not mere values
        self.tensors: list[tuple[Tensor, Path]] = []
        self.numbers: list[Number] = []
        self.count = 0
        self.is_moved = False
        if is_nested(before):
            self._walk(before, ())

    def _walk(self, value: Any, path: Path) -> bool:
        """Whether a value is more than numbers and other plain values."""
        self.count += 1
        if type(value) is Number:
            self.numbers.append(value)
        elif isinstance(value, Tensor):
            self.tensors.append((value, path))
            return True
        elif id(value) in self.containers and not isinstance(value, tuple):
            self.count = MOST_PARTS  # in another call there may be two
        elif is_nested(value) and self.count < MOST_PARTS:
            self.containers[id(value)] = value
            self.containers |= {id(own): own for own in attributes_beside(value)}
            items = items_of(value, self._content)
            if items is None:  # tensors may be where nobody looks
                self.count = MOST_PARTS
            inside = [self._walk(part, (*path, key)) for key, part in items or ()]
            if any(inside) or not isinstance(value, tuple):
                self.telling.add(id(value))
        return id(value) in self.telling

    def _content(self, value: Any) -> Any:
        """What a container held before the trace."""
        kept = self.tracer.objects.kept.get(id(value))
        return value if kept is None or kept.only is not None else kept.copy

    def is_apart(
        self, writes: Sequence[AttributeWrite], outside: Sequence[Any], assumptions: Sequence[Assumption]
    ) -> bool:  # fmt: skip
        """Whether nothing else holds it, nothing writes into it, and it doesn't come out."""
        inside, tracer = self.containers, self.tracer
        if not self.telling or self.count >= MOST_PARTS:
            return False
        if any(id(w.owner) in inside and not self._is_whole(w) for w in writes):
            return False
        if any(id(x) in inside for x in outside) or (self.is_written(writes) and self._is_given()):
            return False
        if any(number in inside for number in tracer.tuples.containers):
            return False
        read = {id(x) for x, _ in tracer.reads}
        if any(id(x) in read for x, _ in self.tensors) or not all(map(self._is_found_here, self.numbers)):
            return False
        if not self._has_mutable():
            return True
        return self._holders() == 1 and not any(self._is_about(a) for a in assumptions)

    def is_written(self, writes: Sequence[AttributeWrite]) -> bool:
        """Whether the function writes into it."""
        return any(w.owner is self.before for w in writes)

    def _is_whole(self, write: AttributeWrite) -> bool:
        """Whether a write is into it, not into what is inside of it."""
        return write.owner is self.before and not write.appends and isinstance(self.before, (list, dict))

    def _is_given(self) -> bool:
        """Whether it is among the arguments, too."""
        return id(self.before) in self.tracer.arguments or id(self.before) in self.tracer.given

    def move(self, writes: list[AttributeWrite]) -> None:
        """Let what is written into it go into what stands in its place, before that is replaced."""
        moved = [replace(w, place=self.place) for w in writes if w.owner is self.before]
        self.is_moved = bool(moved)
        writes[:] = [*moved, *(w for w in writes if w.owner is not self.before)]

    def places_all(self, state: list[StateTensor], assumptions: list[Assumption], places: Places) -> bool:
        """Give the state's tensors that are in it their places; whether each is one tensor, wherever it stands."""
        cells: dict[int, list[Path]] = {}
        for x, path in self.tensors:
            cells.setdefault(id(x._storage), []).append(path)
        entries = [s for s in state if s.slot == "data" and id(s.tensor._storage) in cells]
        if any(s.place is not None and id(root_of_part(s.place).owner) in self.containers for s in entries):
            return False
        views = WrittenViews(state, set(), assumptions)
        if any(x in views for x, _ in self.tensors):
            return False
        told = {*self.tracer.asked.names, *self.tracer.identity.outside}
        if any(id(s.tensor) in told or not are_one(places.of(s.tensor)) for s in entries):
            return False
        places.move(self.containers, self.tensors, self.place)
        for s in entries:
            if s.place is None:
                place = Assumption("part", self.place, cells[id(s.tensor._storage)][0], None)
                assumptions[:] = stand_at(s, place, state, assumptions)
        return True

    def _has_mutable(self) -> bool:
        return any(not isinstance(value, tuple) for value in self.containers.values())

    def _is_found_here(self, number: Number) -> bool:
        """Whether the program finds a number in what stands in this place, not in this very container."""
        origin = number.origin if number.at_place is None else number.at_place.origin
        is_part = isinstance(origin, Assumption) and origin.kind == "part"
        return is_part and is_place(place_of(origin.owner), place_of(self.place))

    def _holders(self) -> int:
        """How many places outside of it hold it or parts of it."""
        count = 0
        for kept in self.tracer.objects.kept.values():
            if id(kept.owner) not in self.containers and id(kept.owner) not in self.tracer.appended:
                count += sum(id(part) in self.telling for part in self._parts(kept.copy))
        return max(count, 1)

    def _is_about(self, assumed: Assumption) -> bool:
        """Whether an assumption is about it, or parts of it, in another place."""
        if assumed.kind not in ("attribute", "item", "cell") or id(assumed.owner) in self.containers:
            return False
        if is_place(place_of(assumed), place_of(self.place)):
            return False
        return any(id(part) in self.telling for part in self._parts([assumed.value]))

    def _parts(self, copy: Any) -> Iterator[Any]:
        """What an object holds, and what is in other tuples among that."""
        stack = list(copy.values() if isinstance(copy, dict) else copy)
        while stack:
            part = stack.pop()
            yield part
            if isinstance(part, tuple) and id(part) not in self.containers:
                stack += parts_of(part)

    def loosened(self, assumptions: list[Assumption]) -> list[Assumption]:
        """Only the structure of what stands there is assumed."""
        place = place_of(self.place)
        values = [a.value for a in assumptions if is_container(a.value)]
        elsewhere = frozenset(id(value) for value in values if id(value) not in self.containers)
        found = []
        for assumed in assumptions:
            if id(assumed.owner) in self.containers:
                continue
            if is_place(place_of(assumed), place) and assumed.value is self.before:
                known = Structure(self.tracer, self.before, elsewhere=elsewhere)
                assumed = structure_at(assumed, known, alone=self.is_moved)
            found.append(assumed)
        return found

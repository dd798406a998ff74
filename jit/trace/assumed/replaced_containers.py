"""Attributes and items that get a fresh tuple, list or dict of tensors in each call: `self.state = (h, c)`.

What stands there before a call is that of the call before. Only its structure is guarded, and its tensors are looked up
there at each call, as a plain tensor's is that a function replaces (`Ending.placed`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ....dygraph.tensor import Tensor
from ...call.guards import look, place_of
from ..state.containers import is_token, parts_of
from ..state.rollback import MISSING
from ..traced import Assumption, AttributeWrite, StateTensor
from ..tracer import Tracer
from .structures import MOST_PARTS, Structure, is_nested, items_of

Path = tuple[Any, ...]


def replaced(
    tracer: Tracer, state: list[StateTensor], writes: list[AttributeWrite], assumptions: list[Assumption],
    outside: Sequence[Any],
) -> list[Assumption]:  # fmt: skip
    """The assumptions with structures in place of such containers; the state's tensors get their places there."""
    for write in writes:
        if is_token(write.owner) or write.name is None or write.appends:
            continue
        before = tracer.objects.before(write.owner, write.name, MISSING)
        if not is_nested(before):
            continue
        one = _Replaced(tracer, write, before)
        if one.is_apart(writes, outside) and one.places_all(state):
            assumptions = one.loosened(assumptions)
    return assumptions


class _Replaced:
    """A container that stood in the place of a write before the call."""

    def __init__(self, tracer: Tracer, write: AttributeWrite, before: Any) -> None:
        self.tracer = tracer
        self.write = write
        self.before = before
        self.containers: dict[int, Any] = {}
        self.tensors: list[tuple[Tensor, Path]] = []
        self.count = 0
        self._walk(before, ())

    def _walk(self, value: Any, path: Path) -> None:
        self.count += 1
        if isinstance(value, Tensor):
            self.tensors.append((value, path))
        elif is_nested(value) and id(value) not in self.containers and self.count < MOST_PARTS:
            self.containers[id(value)] = value
            items = items_of(self._content(value))
            if items is None:  # tensors may be where nobody looks
                self.count = MOST_PARTS
            for key, part in items or ():
                self._walk(part, (*path, key))

    def _content(self, value: Any) -> Any:
        """What a container held before the trace."""
        kept = self.tracer.objects.kept.get(id(value))
        return value if kept is None or kept.only is not None else kept.copy

    def is_apart(self, writes: Sequence[AttributeWrite], outside: Sequence[Any]) -> bool:
        """Whether nothing else holds it, nothing writes into it, and it doesn't come out."""
        inside, tracer = self.containers, self.tracer
        if not self.tensors or self.count >= MOST_PARTS:
            return False
        if any(id(w.owner) in inside for w in writes) or any(id(x) in inside for x in outside):
            return False
        read = {id(x) for x, _ in tracer.reads}
        if any(id(x) in read for x, _ in self.tensors):
            return False
        if not any(id(x._storage) in tracer.lifted for x, _ in self.tensors):
            return True
        holders = 0
        for kept in tracer.objects.kept.values():
            if id(kept.owner) not in inside and id(kept.owner) not in tracer.appended:
                holders += sum(id(part) in inside for part in self._parts(kept.copy))
        return holders == 1

    def places_all(self, state: list[StateTensor]) -> bool:
        """Give the state's tensors that are in it their places; whether each of these has one place only."""
        cells: dict[int, list[Path]] = {}
        for x, path in self.tensors:
            cells.setdefault(id(x._storage), []).append(path)
        entries = [s for s in state if s.slot == "data" and id(s.tensor._storage) in cells]
        if any(s.place is not None or len(cells[id(s.tensor._storage)]) > 1 for s in entries):
            return False
        if any(self._is_elsewhere(s.tensor) for s in entries):
            return False
        for s in entries:
            (path,) = cells[id(s.tensor._storage)]
            s.place = Assumption("call", self._reader(path), f"{self.write.name}{_shown(path)}", None)
        return True

    def _parts(self, copy: Any) -> Iterator[Any]:
        """What an object holds, and what is in other tuples among that."""
        stack = list(copy.values() if isinstance(copy, dict) else copy)
        while stack:
            part = stack.pop()
            yield part
            if isinstance(part, tuple) and id(part) not in self.containers:
                stack += parts_of(part)

    def _is_elsewhere(self, x: Tensor) -> bool:
        """Whether another object that the function reaches holds a tensor over the same memory."""
        for kept in self.tracer.objects.kept.values():
            if id(kept.owner) not in (*self.containers, *self.tracer.appended) and any(
                isinstance(part, Tensor) and part._storage is x._storage for part in self._parts(kept.copy)
            ):
                return True
        return False

    def _reader(self, path: Path) -> Callable[[], Any]:
        place = Assumption(self.write.kind, self.write.owner, self.write.name, None)

        def read() -> Any:
            value = look(place)
            for key in path:
                value = value[key] if isinstance(value, (dict, list, tuple)) else getattr(value, key)
            return value

        return read

    def loosened(self, assumptions: list[Assumption]) -> list[Assumption]:
        """Only the structure of what stands there is assumed."""
        place = id(self.write.owner), self.write.name
        found = []
        for assumed in assumptions:
            if id(assumed.owner) in self.containers:
                continue
            if place_of(assumed) == place and assumed.value is self.before:
                what = f"the structure of {assumed.name}"
                known = Structure(self.tracer, self.before)
                assumed = Assumption("call", _structure_at(assumed, known), what, known.before, layered=assumed.layered)
            found.append(assumed)
        return found


def _structure_at(assumed: Assumption, known: Structure) -> Callable[[], Any]:
    there = Assumption(assumed.kind, assumed.owner, assumed.name, None)
    return lambda: known.of(look(there))


def _shown(path: Path) -> str:
    return "".join(f"[{key!r}]" for key in path)

"""Gradients of memory that several tensors share, where some of them are on the tape and others aren't."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from ....base.errors import CaptureError
from ....base.location import caller_loc
from ....dygraph.modes import is_recording
from ....dygraph.storage import Storage, held, is_view
from ....dygraph.tape import record_function
from ....dygraph.tensor import Parameter, Tensor
from ....ir.core import Value
from ....ops.op import OPS


@dataclass(slots=True)
class _Written:
    """A cell that was written in the outermost block, so that its names have the gradients of several values.

    first, value: what it held before, and what it holds. sources: of names that stayed where they are in the graph,
    the values whose gradients they have. moved: those that recorded writes gave another place since.
    """

    cell: Storage
    first: Value
    value: Value
    sources: dict[int, tuple[weakref.ref[Tensor], Value]] = field(default_factory=dict)
    moved: dict[int, weakref.ref[Tensor]] = field(default_factory=dict)


class UntapedWrites:
    """In-place writes that leave some name of the memory where it is in the graph: under `no_grad`, or by another name.

    Such a write changes the elements that this name sees, and gradients flow on as if nothing had been written. In a
    program the new value takes the gradient of the old one then.

    lifted: the state entries of the program, by the identity of their cells.
    """

    def __init__(self, lifted: Mapping[int, Any]) -> None:
        self._lifted = lifted
        self._of: dict[int, _Written] = {}
        self._inside: dict[int, Storage] = {}  # cells that blocks wrote so: views from before aren't where they were
        self._views: dict[int, weakref.ref[Tensor]] = {}
        self.told: set[Value] = set()  # values with the gradients of others
        self._names: dict[int, tuple[Storage, list[weakref.ref[Tensor]]]] = {}  # of cells that have several

    def __bool__(self) -> bool:
        return bool(self._of or self._inside)

    def share(self, *names: Tensor) -> None:
        """These tensors have one cell."""
        cell = names[0]._storage
        _, known = self._names.setdefault(id(cell), (cell, []))
        known[:] = [ref for ref in known if ref() is not None]
        known += [weakref.ref(x) for x in names if not any(ref() is x for ref in known)]

    def placed(self, x: Tensor) -> list[Tensor]:
        """The names of the memory of `x`, itself too, that have a place in the graph."""
        return [*self._placed(x._storage, x), *([] if x._stop else [x])]

    def stand_for_names(self, view: Tensor) -> None:
        """`view` comes out of a block for memory whose names have gradients, though it has none of its own."""
        self._views[id(view)] = weakref.ref(view)

    def stands_for_names(self, view: Tensor) -> bool:
        """Whether a tensor does so."""
        return _is_in(self._views, view)

    def holds(self, x: Tensor) -> bool:
        """Whether the memory of `x` was written so."""
        return id(x._storage) in self._of

    def written(self, tracer: Any, x: Tensor, value: Tensor, old: Any) -> Any:
        """`value` replaces the payload `old` of `x`; the payload to put there."""
        new, cell = value._storage.payload, x._storage
        if not isinstance(old, Value) or not x.dtype.is_differentiable:
            return new
        if not isinstance(new, Value):  # a tensor from outside that nothing has read yet
            new = tracer.value_of(value)
        others, moves, known = self._placed(cell, x), is_recording(), self._of.get(id(cell))
        known = known if known is not None and known.value is old else None
        if tracer.builder.block is not tracer.program.body:  # which runs again, inside of itself, for another path
            if moves and not others:  # from here on `x`, the only name, has the gradient of `value`
                return new
            self._inside[id(cell)] = cell
            is_apart = known is not None and any(self._source(known, y) is not None for y in others)
            if others and (is_apart or (moves and not value._stop)):
                refuse_names(x, others[0])
            entry = self._lifted.get(id(cell))
            if others and entry is not None and entry.value is old:  # met by a detached alias first
                tracer.detached.represents(tracer, entry, others[0])
            return straight(tracer, old, new) if others or not x._stop or old in tracer.reached else new
        self._inside.pop(id(cell), None)
        if moves and not others and id(cell) not in self._lifted:  # all names are known
            self._of.pop(id(cell), None)
            return new
        self._of[id(cell)] = now = known or _Written(cell, old, new)
        now.value = new
        for y in [*others, *([] if moves or x._stop else [x])]:
            if self._source(now, y) is None:
                now.sources[id(y)] = weakref.ref(y), old
        if moves:
            now.sources.pop(id(x), None)
            now.moved[id(x)] = weakref.ref(x)
        return new

    def _placed(self, cell: Storage, x: Tensor | None = None) -> list[Tensor]:
        """The names of a cell that have a place in the graph, but for `x`."""
        _, refs = self._names.get(id(cell), (cell, []))
        found = [ref() for ref in refs] + ([self._lifted[id(cell)].tensor] if id(cell) in self._lifted else [])
        placed = {id(y): y for y in found if y is not None and y is not x and not y._stop and y._storage is cell}
        return list(placed.values())

    def make_explicit(self, tracer: Any) -> None:
        """Before a block: in it, and behind it, a cell's value has the gradients that its names have here."""
        for key, known in list(self._of.items()):
            names = [y for ref, _ in known.sources.values() if (y := ref()) is not None]
            names += [y for y in self._placed(known.cell) if not any(y is x for x in names)]
            sources = {self.source_of(y, known.value) for y in names}
            if known.cell.payload is known.value and len(sources) == 1 and (source := sources.pop()) is not None:
                known.cell.payload = straight(tracer, source, known.value)
                del self._of[key]

    def value_of(self, tracer: Any, x: Tensor, value: Value) -> Value:
        """The value of a tensor that needs a gradient, for an operation or a result."""
        source, entry = self.source_of(x, value), tracer.lifted.get(id(x._storage))
        if entry is not None and entry.value is (source or value):  # met by a detached alias, perhaps
            tracer.detached.represents(tracer, entry, x)
        if source is None:
            if is_view(x._storage) and held(x) is not value:
                self._require_taped(x)
            return value
        return straight(tracer, source, value)

    def _require_taped(self, x: Tensor) -> None:
        """CaptureError for a view whose elements were overwritten while its place in the graph stayed."""
        cell = x._storage
        while is_view(cell):
            base, cell = cell.shared.base, cell.shared.cell
            known = self._of.get(id(cell))
            if id(cell) in self._inside or (known is not None and not _is_in(known.moved, base)):
                raise CaptureError(
                    f"{x.name} needs a gradient, and is a view of a tensor that was written under no_grad since",
                    loc=caller_loc(),
                    remedy="take the view after the write, or write to a clone() of the tensor",
                )

    def source_of(self, x: Tensor, value: Value) -> Value | None:
        """The value that gradients of `value` go to, where that is another one."""
        known = self._of.get(id(x._storage))
        return None if known is None or known.value is not value else self._source(known, x)

    def _source(self, known: _Written, x: Tensor) -> Value | None:
        ref, source = known.sources.get(id(x), (None, None))
        if ref is not None and ref() is x:
            return source
        _, made = self._names.get(id(known.cell), (None, []))
        is_met = _is_in(known.moved, x) or any(ref() is x for ref in made)
        return None if is_met or id(known.cell) not in self._lifted else known.first  # from outside, met since


def _is_in(names: Mapping[int, weakref.ref[Tensor]], x: Any) -> bool:
    ref = names.get(id(x))
    return ref is not None and ref() is x


def refuse_names(x: Tensor, other: Tensor) -> NoReturn:
    """CaptureError: two names of one memory, of which one is written, would have to come out of a block."""
    raise CaptureError(
        f"{x.name} is written in a branch or loop, and {other.name} is the same memory with a gradient of its own",
        loc=caller_loc(),
        remedy="write to a clone() of one of them",
    )


def lead_to(x: Tensor, leaf: Tensor) -> None:
    """Let gradients of `x` go to a leaf, by a step of its own."""
    record_function("argument", [], [x], lambda grads: grads, edges=[(leaf, 0)])


def straight(tracer: Any, old: Value, new: Value) -> Value:
    """The value `new` with the gradient of `old`."""
    made: Value = tracer.builder.apply(OPS["straight_through"], (old, new), {})
    tracer.reached.add(made)
    tracer.untaped.told.add(made)
    return made


@dataclass(slots=True)
class SharedCell:
    """A cell with several names, and the tensor that gets its gradients: None where it is the only one that could."""

    cell: Storage
    owner: Tensor | None = None


@dataclass(slots=True)
class DetachedState:
    """Tensors from outside whose memory is known by several names, of which some have no gradient (`h.detach()`).

    All names of one cell are one state entry of the program. Gradients go to one tensor, its owner; other names take
    the entry's value without its gradient. Which cells are so is known once a name that needs a gradient appears after
    others: then the function is traced anew (see attempts.py). This is what a trace knows of such cells from the
    attempts before it, and what it learns for the next one.
    """

    known: Mapping[int, SharedCell] = field(default_factory=dict)
    learned: dict[int, SharedCell] = field(default_factory=dict)
    plain: set[Value] = field(default_factory=set)  # values that operations took, when no gradient went to them
    leaves: dict[Any, tuple[Tensor, Value]] = field(default_factory=dict)  # values of names beside the owner's
    arguments: dict[int, Tensor] = field(default_factory=dict)  # by identity
    wanted: dict[int, Tensor] = field(default_factory=dict)  # those from outside that the function let need a gradient
    used_before: dict[int, Tensor] = field(default_factory=dict)  # used before the function let them need a gradient

    def needs_gradient(self, tracer: Any, value: Value, x: Tensor) -> None:
        """`x`, which `value` stands for, is the first of its names to need a gradient, or may be the entry's tensor."""
        entry = tracer.lifted.get(id(x._storage))
        if value in self.plain and entry is not None and entry.value is value:
            self.learn(x._storage)

    def represents(self, tracer: Any, entry: Any, x: Tensor) -> bool:
        """Let an entry be for `x`, which needs a gradient, and not for a detached alias; whether it was for one."""
        if not entry.tensor.stop_gradient:
            return False
        entry.tensor, entry.runs = x, runs_now(tracer)
        self.needs_gradient(tracer, entry.value, x)
        return True

    def learn(self, cell: Storage, owner: Tensor | None = None) -> None:
        """Trace anew, with the cell as one of several names."""
        known = self.known.get(id(cell))
        if known is None or (known.owner is None and owner is not None):
            self.learned[id(cell)] = SharedCell(cell, owner)

    def leaf(self, tracer: Any, entry: Any, x: Tensor) -> Value:
        """The value of `x`, a second name of a state entry that needs a gradient."""
        if x._node is not None and (x._node, x._slot) == (entry.tensor._node, entry.tensor._slot):
            return entry.value  # type: ignore[no-any-return]
        known = self.known.get(id(entry.cell))
        owner = None if known is None else known.owner
        if owner is None:
            owner = _outer_name(tracer, entry.tensor, x)
            self.learn(entry.cell, owner)
            if owner is None:  # the first one that the function made, or makes anew where its code runs again
                owner = x if _is_over(tracer, entry.runs) else entry.tensor
        if owner is x:
            entry.tensor, entry.runs = x, runs_now(tracer)
            return entry.value  # type: ignore[no-any-return]
        key = id(x), id(tracer.builder.block)
        if key not in self.leaves:
            self.leaves[key] = x, tracer.without_gradient(entry.value)
        return self.leaves[key][1]

    def of_leaf(self, tracer: Any, x: Tensor, value: Value) -> Value:
        """The value of a tensor with the elements `value`: one of its own for a leaf of the function's that needs a
        gradient, where it is also that of another tensor.
        """
        if x._stop or x._node is not None or id(x) in self.arguments or id(x._storage) in tracer.lifted:
            return value
        if value.operation is not None or value.block is not tracer.program.body:
            edge = tracer.edges.get(value)
            is_free = value not in tracer.reached or value in tracer.untaped.told
            is_own = is_free if edge is None else edge[0] is x
            if is_own or tracer.untaped.source_of(x, value) is not None:
                return value
        known = self.leaves.get((id(x), id(value)))
        if known is None or known[1].operation is None or known[1].operation.parent is not value.block:
            with tracer.builder.inside(value.block):  # where the leaf may be: a block's own gradients end in the block
                known = self.leaves[id(x), id(value)] = x, tracer.without_gradient(value)
        return known[1]

    def is_leaf(self, x: Tensor) -> bool:
        """Whether the function made `x`, as a leaf over memory from outside."""
        return any(known is x for known, _ in self.leaves.values())


def name_of(names: dict[int, Tensor], known: Iterable[Tensor], x: Tensor) -> Tensor:
    """The tensor from outside that comes out as state for the memory of `x`: one that needs a gradient, or the first.

    names: those that have come out so, by the identity of their cells; known: all from outside.
    """
    cell = x._storage
    if id(cell) not in names:
        others = (y for y in known if y._storage is cell and not y.stop_gradient)
        names[id(cell)] = next(others, x) if x.stop_gradient else x
    return names[id(cell)]


def runs_now(tracer: Any) -> Sequence[Any]:
    """The pieces of code that run, with the number of the run of each."""
    return [(region, region.runs) for region in tracer.regions]


def _is_over(tracer: Any, runs: Sequence[Any]) -> bool:
    """Whether code around has begun anew since, so that what it made is made anew, too."""
    return any(region.runs != number for region, number in runs if region in tracer.regions)


def _outer_name(tracer: Any, *names: Tensor) -> Tensor | None:
    """The name that is there outside of the trace."""
    outside = [x for x in names if isinstance(x, Parameter) or x._node is not None or _is_kept(tracer, x)]
    if len(outside) > 1:
        raise CaptureError(
            f"{names[0].name} and {names[1].name} share memory, and both need gradients",
            loc=caller_loc(),
            remedy="make one of them from a clone() of the other",
        )
    return outside[0] if outside else None


def _is_kept(tracer: Any, x: Tensor) -> bool:
    """Whether an object that the function reaches held the tensor before."""
    for kept in tracer.objects.kept.values():
        items = kept.copy.values() if isinstance(kept.copy, dict) else kept.copy
        if any(item is x for item in items):
            return True
    return False

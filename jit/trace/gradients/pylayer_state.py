"""State that a PyLayer reads or writes, which the compiled function has changed before, or may read afterwards.

The callback gets what the function has changed so far as further arrays and puts it where the user's code finds it for
the time of the call. What that code writes are further results. Then all is as it was before: the end of the program
writes state.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from ....base.class_marks import own_dict
from ....base.errors import CallbackError, CaptureError
from ....base.location import caller_loc
from ....base.pytree import LEAF, Tree, flatten, unflatten
from ....dygraph import storage as cells
from ....dygraph.eager import from_array
from ....dygraph.modes import GradMode
from ....dygraph.number import KINDS, Number, number_over
from ....dygraph.storage import held, is_view, root_of
from ....dygraph.tensor import Tensor, wrap
from ....ir.core import Value
from ....ops.types import TensorType
from ..reachable import is_user_function, loaded_globals, methods_of, plain_of
from ..state.containers import WHOLE, parts_of
from ..state.rollback import ATOMS, MISSING, Objects, contents, describe, put, same
from ..state.write_log import Log
from ..traced import Assumption
from ..tracer import Tracer

MOST_WATCHED = 1_000
NUMBERS = {kind: dtype for dtype, kind in KINDS.items()}


class Reached(Objects):
    """What the code of a PyLayer can reach: shallow copies of objects, and tensors, closure cells and code."""

    def __init__(self, roots: Sequence[Any]) -> None:
        self.values: list[Any] = list(roots)
        self.cells: dict[int, Any] = {}
        self.names: set[tuple[int, str]] = set()  # globals: their module's dict, and name
        super().__init__(roots, own=())
        found = [*self.values, *(p for v in self.contents() for p in (v, *parts_of(v)))]
        self.tensors = {id(x): x for x in found if isinstance(x, Tensor)}

    def _behind(self, value: Any) -> list[Any]:
        kind: Any = value if isinstance(value, type) else type(value)
        for fn in (value,) if isinstance(value, types.FunctionType) else methods_of(kind):
            if id(fn) not in self.functions and is_user_function(fn):
                self.names.update((id(fn.__globals__), name) for name in loaded_globals(plain_of(fn).__code__))
                self.cells.update((id(c), c) for c in fn.__closure__ or ())
        found = super()._behind(value)
        self.values += found
        return found

    def numbers(self) -> Iterator[tuple[Any, Any, Any]]:
        """(owner, key, number) for those that only a run knows."""
        for kept in self.kept.values():
            now = kept.now()
            for key, value in now.items() if isinstance(now, dict) else enumerate(now):
                if type(value) is Number:
                    yield kept.owner, key, value
        for cell in self.cells.values():
            if type(value := contents(cell).get("cell_contents")) is Number:
                yield cell, "cell_contents", value

    def sees(self, owner: Any, key: Any) -> bool:
        """Whether an item or attribute is in reach, or a global that the code names."""
        return id(owner) in self.kept or id(owner) in self.cells or (id(owner), key) in self.names


@dataclass(frozen=True, slots=True)
class Slot:
    """A piece of state that the function has changed: a tensor's memory, a `.grad`, or an item or attribute.

    tree, kinds: its structure, and whether a leaf is a tensor (None) or a number of that type.
    """

    kind: Literal["cell", "grad", "item"]
    owner: Any
    key: Any
    tree: Tree
    kinds: tuple[type | None, ...]

    def signature(self) -> tuple[Any, ...]:
        """What tells it apart."""
        return self.kind, id(self.owner), self.key, self.kinds

    def put(self, arrays: Iterator[Any]) -> Callable[[], None]:
        """Put it there, of arrays; gives what takes it away again."""
        values = [_made(k, next(arrays)) for k in self.kinds]
        value = unflatten(self.tree, iter(values))
        if self.kind == "cell":
            return _put_cell(self.owner._storage, value._storage.payload)
        return put_grad(self.owner, value) if self.kind == "grad" else put_item(self.owner, self.key, value)


@dataclass(frozen=True, slots=True)
class Written:
    """A piece of state that the user's code writes. result: the type of its array.

    kind "input": the elements of the tensor argument `number`; "same": an item or attribute that becomes that argument,
    or the result after these, itself. plain: the type of a number.
    """

    kind: Literal["cell", "grad", "item", "input", "same"]
    owner: Any
    key: Any
    result: TensorType | None
    plain: type | None = None
    number: int = 0

    def take(self, what: str, tensors: Sequence[Tensor]) -> Any:
        """Its array now. Errors: CallbackError where it is something else than in the trial run."""
        if self.kind in ("cell", "input"):
            return held(self.owner if self.kind == "cell" else tensors[self.number])
        found = self.owner._grad if self.kind == "grad" else item_of(self.owner, self.key)
        if self.plain is not None and type(found) is self.plain:
            return np.asarray(found, NUMBERS[self.plain].numpy)
        if self.plain is None and isinstance(found, Tensor):
            return found._storage.payload
        name = f"{self.owner.name}.grad" if self.kind == "grad" else describe(self.owner, self.key)
        raise CallbackError(
            f"{what} leaves {name} as a {type(found).__name__}, which was something else in the trial run",
            remedy="let it be of one kind in every run, or hand it over as an argument or a result",
        )


@dataclass(frozen=True, slots=True)
class LayerState:
    """What one call of a PyLayer's forward or backward reads and writes of the state around it.

    watched: tensors that no trial run wrote. used: identities of the cells that the program reads or writes.
    """

    what: str
    slots: tuple[Slot, ...] = ()
    written: tuple[Written, ...] = ()
    watched: tuple[Tensor, ...] = ()
    used: set[int] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.slots or self.written)

    @property
    def arrays(self) -> int:
        """How many further arrays the callback gets."""
        return sum(len(slot.kinds) for slot in self.slots)

    @contextmanager
    def around(self, arrays: Sequence[Any]) -> Iterator[None]:
        """The state as the program has it at this point."""
        undo: list[Callable[[], None]] = []
        given = iter(arrays)
        versions = [x._storage.version for x in self.watched]
        try:
            undo.extend(slot.put(given) for slot in self.slots)
            for w in self.written:
                if w.kind == "grad":
                    now = w.owner._grad
                    undo.append(
                        put_grad(w.owner, now.clone() if isinstance(now, Tensor) else now, w.owner._grad_is_zero)
                    )
                elif w.kind in ("item", "same"):
                    undo.append(put_item(w.owner, w.key, item_of(w.owner, w.key)))
            yield
            for x, version in zip(self.watched, versions, strict=True):
                if x._storage.version != version and id(x._storage) in self.used:
                    raise CallbackError(
                        f"{self.what} writes {x.name} in this run, which it didn't in the trial run at capture",
                        remedy="write it in every run (the same elements, say), or give it back as a result",
                    )
        finally:
            for step in reversed(undo):
                step()

    def taken(self, tensors: Sequence[Tensor]) -> list[Any]:
        """The arrays of what was written."""
        return [np.array(w.take(self.what, tensors)) for w in self.written if w.result is not None]

    @property
    def types(self) -> list[TensorType]:
        """Those of `taken`."""
        return [w.result for w in self.written if w.result is not None]


def _made(kind: type | None, array: Any) -> Any:
    return kind(np.asarray(array).item()) if kind is not None else from_array(np.array(array, order="C"))


def _put_cell(cell: Any, array: Any) -> Callable[[], None]:
    before = cell.payload, cell.version, cell.shared

    def undo() -> None:
        cell.payload, cell.version, cell.shared = before
        cells.counters.epoch += 1

    cell.payload, cell.shared = array, False
    cells.counters.epoch += 1
    return undo


def put_grad(x: Tensor, grad: Any, is_zero: bool = False) -> Callable[[], None]:
    """Set `x.grad`; gives what puts it back."""
    before = x._grad, x._grad_is_zero

    def undo() -> None:
        x._grad, x._grad_is_zero = before
        cells.counters.touched += 1

    x._grad, x._grad_is_zero = grad, is_zero
    cells.counters.touched += 1
    return undo


def put_item(owner: Any, key: Any, value: Any) -> Callable[[], None]:
    """Set an item or attribute; gives what puts it back."""
    before = contents(owner) if key is WHOLE else item_of(owner, key)
    put(owner, key, value)
    return lambda: put(owner, key, before)


def item_of(owner: Any, key: Any) -> Any:
    """An item or attribute; MISSING where there is none."""
    if isinstance(owner, dict):
        return owner.get(key, MISSING)
    found = contents(owner)
    return found.get(key, MISSING) if isinstance(found, dict) else found[key]


# ---- what the function has changed so far


def changed(tracer: Tracer, roots: Sequence[Any], name: str) -> tuple[list[Slot], list[Value]]:
    """What is in reach of a PyLayer and differs from before the call, with the program's values for it."""
    if not tracer.layers.follows_state or _is_untouched(tracer, roots):
        return [], []
    reached = Reached(roots)
    slots: list[Slot] = []
    values: list[Value] = []

    def add(kind: Any, owner: Any, key: Any, value: Any) -> None:
        leaves, tree = flatten(value, lambda v: type(v) is Number or (isinstance(v, Tensor) and _is_made(tracer, v)))
        slots.append(Slot(kind, owner, key, tree, tuple(x.kind if type(x) is Number else None for x in leaves)))
        values.extend(tracer.elements_of(x) for x in leaves)

    for owner, key, _, after in tracer.objects.changes():
        if reached.sees(owner, key):
            add("item", owner, key, after)
    taken = {(id(slot.owner), slot.key) for slot in slots}
    for owner, key, value in reached.numbers():
        if (id(owner), key) not in taken:
            add("item", owner, key, value)
    for x in reached.tensors.values():
        if is_view(x._storage) and isinstance(root_of(x._storage).payload, Value):
            _refuse_view(x, name)
        if isinstance(held(x), Value) and not _is_made(tracer, x):
            _refuse_view(x, name)
            slots.append(Slot("cell", x, None, LEAF, (None,)))
            values.append(tracer.elements_of(x))
    for x, grad, is_zero in list(tracer.logs[0].grads.values()):
        if id(x) in reached.tensors and (x._grad is not grad or x._grad_is_zero != is_zero):
            if x._grad is not None and not isinstance(x._grad, Tensor):
                raise CaptureError(
                    f"{name} may read {x.name}.grad, which only some runs have",
                    loc=caller_loc(),
                    remedy="give it to the PyLayer as an argument",
                )
            add("grad", x, None, None if x._grad_is_zero else x._grad)
    return slots, [tracer.without_gradient(v) if v in tracer.reached else v for v in values]


def _is_untouched(tracer: Tracer, roots: Sequence[Any]) -> bool:
    """Whether the function has changed nothing so far that anybody could reach: most haven't, and that is soon seen."""
    if tracer.open_numbers or any(log.storages or log.grads for log in tracer.logs):
        return False
    given = [x for x in roots if not isinstance(x, (*ATOMS, type, types.FunctionType))]
    closed = [c for x in roots if isinstance(x, types.FunctionType) for c in x.__closure__ or ()]
    if any(type(contents(c).get("cell_contents")) is Number for c in closed):
        return False
    return all(id(x) in tracer.objects.kept for x in given) and next(tracer.objects.changes(), None) is None


def _is_made(tracer: Tracer, x: Tensor) -> bool:
    """Whether the function made a tensor; the memory of one from outside is put into place by itself."""
    return isinstance(held(x), Value) and id(x._storage) not in tracer.lifted


def _refuse_view(x: Tensor, name: str) -> None:
    if is_view(x._storage):
        raise CaptureError(
            f"{name} may read or write {x.name}, a view of a tensor that the function writes",
            loc=caller_loc(),
            remedy="give it to the PyLayer as an argument, and write what it returns",
        )


def slot_of(x: Tensor) -> Slot:
    """The memory of a tensor, which the function hasn't changed so far."""
    return Slot("cell", x, None, LEAF, (None,))


def watched_tensors(tracer: Tracer, roots: Sequence[Any], state: LayerState) -> LayerState:
    """The state, with the tensors in reach that it doesn't hand over."""
    known = {id(s.owner) for s in state.slots} | {id(w.owner) for w in state.written}
    found = [x for x in Reached(roots).tensors.values() if id(x) not in known and isinstance(held(x), np.ndarray)]
    return replace(state, watched=tuple(found[:MOST_WATCHED]), used=tracer.layers.used)


def typed(written: Written, inputs: Sequence[Tensor]) -> Written:
    """With the type of the tensor that is written."""
    if written.kind not in ("cell", "input"):
        return written
    x = written.owner if written.kind == "cell" else inputs[written.number]
    return replace(written, result=TensorType(x._dtype, tuple(x.shape)))


# ---- what a trial run writes


class TrialLog(Log):
    """Notes the writes of one trial run. `undo` puts the very arrays back."""

    def __init__(self) -> None:
        super().__init__()
        self.known: dict[int, tuple[Any, int, Any]] = {}  # array, count of writes, and whether others see it

    def write_eagerly(self, x: Tensor) -> None:
        """`x` is about to be written."""
        cell = x._storage
        self.known.setdefault(id(cell), (cell.payload, cell.version, cell.shared))
        super().write_eagerly(x)

    def undo(self) -> None:
        """Put everything back."""
        for cell, elements in self.arrays.values():
            cell.payload, cell.version, cell.shared = self.known[id(cell)]
            if not cell.shared:
                np.copyto(cell.payload, elements)
            cells.counters.epoch += 1
        self.arrays.clear()
        super().undo()


@contextmanager
def noted(tracer: Tracer) -> Iterator[TrialLog]:
    """Writes to tensors are noted apart, and undone at the end."""
    logs, log = tracer.logs, TrialLog()
    tracer.logs = [log]
    try:
        yield log
    finally:
        log.undo()
        tracer.logs = logs


def writes_of(
    log: TrialLog, before: Reached, tensors: Sequence[Tensor], results: Sequence[Tensor], name: str
) -> tuple[list[Written], list[Tensor], list[Any]]:
    """What a trial run has written; the new tensors among it; and what is left to each run: the objects."""
    found: list[Written] = []
    made: list[Tensor] = []
    left: list[Any] = []
    inputs = {id(x._storage): k for k, x in enumerate(tensors)}
    owners = {id(root_of(x._storage)): x for x in before.tensors.values() if is_view(x._storage)}
    owners |= {id(x._storage): x for x in before.tensors.values() if id(root_of(x._storage)) not in owners}
    for cell, _ in log.arrays.values():
        if id(cell) in inputs:
            found.append(Written("input", None, None, None, number=inputs[id(cell)]))
        elif id(cell) in owners:
            _refuse_view(owners[id(cell)], name)
            found.append(Written("cell", owners[id(cell)], None, None))
    for x, grad, _ in log.grads.values():
        if id(x) in before.tensors and x._grad is not grad:
            if not isinstance(x._grad, Tensor):
                raise CaptureError(
                    f"{name} clears {x.name}.grad", loc=caller_loc(), remedy="clear it in the compiled function"
                )
            found.append(Written("grad", x, None, TensorType(x._grad.dtype, tuple(x._grad.shape))))
    same = {id(x): k for k, x in enumerate((*tensors, *results))}
    for owner, key, _, after in before.changes():
        if type(after) in NUMBERS:
            kind = TensorType(NUMBERS[type(after)], ())
            found.append(Written("item", owner, key, kind, type(after)))
        elif isinstance(after, Tensor) and id(after) in same:
            found.append(Written("same", owner, key, None, number=same[id(after)]))
        elif isinstance(after, Tensor) and type(after) is Tensor:
            made.append(after)
            found.append(Written("item", owner, key, None))
        else:
            left.append((owner, key))
    return found, made, left


# ---- after the operation


def apply_writes(
    tracer: Tracer, written: Sequence[Written], values: Sequence[Value], inputs: Sequence[Tensor],
    results: Sequence[Tensor],
) -> None:  # fmt: skip
    """The function's own state gets what the callback gave."""
    given = iter(values)
    for w in written:
        if w.kind == "same":
            tracer.objects.add([w.owner])
            put(w.owner, w.key, (*inputs, *results)[w.number])
            continue
        value = next(given)
        made = wrap(value, value.dtype)
        if w.kind in ("cell", "input"):
            with GradMode(False):
                (w.owner if w.kind == "cell" else inputs[w.number])._write(made)
        elif w.kind == "grad":
            w.owner.grad = made
        else:
            tracer.objects.add([w.owner])
            put(w.owner, w.key, made if w.plain is None else number_over(made))


def refuse_left_alone(tracer: Tracer, assumptions: Sequence[Assumption]) -> None:
    """At the end of a trace: CaptureError where a PyLayer changes an object by itself that the function uses, too."""
    tracer.layers.used.update(tracer.lifted)
    changed_too = {(id(owner), key) for owner, key, *_ in tracer.objects.changes()} if tracer.layers.left else set()
    for (owner, key), what, loc in tracer.layers.left:
        space = owner if (own := own_dict(owner)) is None else own
        read = any(
            a.owner is owner or a.owner is space for a in assumptions if key is WHOLE or a.name == key or a.name is None
        )
        if read or (id(owner), key) in changed_too:
            raise CaptureError(
                f"{what} changes {describe(owner, key)}, which the compiled function reads or changes, too",
                loc=loc,
                remedy="let it return the value as a result, or keep it in a tensor or a number",
            )


def watch_state(tracer: Tracer, known: Sequence[Assumption], look: Callable[[Assumption], Any]) -> None:
    """At the end of a trace: a run in which a PyLayer changes a number, or the length of a container, that the program
    knows by itself, ends with CallbackError. No trial run has changed it, else the program would know.
    """
    facts = [a for a in known if type(look(a)) in NUMBERS or a.kind == "keys"]
    for name, (roots, what) in tracer.layers.callbacks.items() if facts else ():
        reached = Reached(roots)
        spaces = {id(vars(kept.owner)) for kept in reached.kept.values() if hasattr(kept.owner, "__dict__")}
        told = [a for a in facts if reached.sees(a.owner, a.name) or id(a.owner) in spaces]
        told += [  # what is set on an object hides what its class has
            replace(a, kind="attribute", owner=kept.owner) for a in facts if isinstance(a.owner, type)
            for kept in reached.kept.values() if type(kept.owner) is a.owner
        ]  # fmt: skip
        if told and name in tracer.callbacks:
            tracer.callbacks[name] = _Watched(tracer.callbacks[name], told, look, what)


class _Watched:
    """A callback, with a look at what it may change."""

    def __init__(
        self, callback: Callable[..., Any], told: Sequence[Assumption], look: Callable[[Assumption], Any], what: str
    ) -> None:  # fmt: skip
        self.callback, self.told, self.look, self.what = callback, told, look, what
        self.__self__ = getattr(callback, "__self__", None)  # whoever asks for the PyLayer finds it here

    def __call__(self, *arrays: Any) -> Any:
        before = [(self.look(a), contents(a.owner) if a.kind in ("attribute", "item") else None) for a in self.told]
        made = self.callback(*arrays)
        for a, (was, whole) in zip(self.told, before, strict=True):
            now = self.look(a)
            if same(now, was) or (a.kind == "keys" and now == was):
                continue
            if isinstance(whole, dict):
                put(a.owner, a.name, whole.get(a.name, MISSING))
            raise CallbackError(
                f"{self.what} changes {a.name!r} in this run, which it didn't in the trial run at capture",
                remedy="write it in every run (the same value, say), or give it back as a result",
            )
        return made

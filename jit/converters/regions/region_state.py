"""The state of a construct: its variables and attributes, and what else its code wrote: tensors, `.grad`s, objects."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any

from ....base.frame_marks import asks_for_caller
from ....base.pytree import Tree, flatten, mapping_like, unflatten
from ....dygraph.given_array import GivenArray
from ....dygraph.storage import is_view, root_of
from ....dygraph.tensor import Tensor
from ....ir.core import Block, Value
from ...trace.gradients.gradient_hooks import waiting_hooks
from ...trace.reachable import roots_of, stored_cells
from ...trace.state.containers import decision_in, is_callers, is_container, is_list_or_dict, reaches
from ...trace.state.escapes import note_conditions
from ...trace.state.joined_containers import BEFORE, INSIDE
from ...trace.state.rollback import Objects, is_new_state
from ...trace.state.write_log import Log
from ...trace.tracer import Tracer
from ..stdlib.run_lists.lists import refuse_strays
from ..variables import load
from .decisions import Choice, Decision, Region, conditions_around, unswallowed
from .extras import Cell, Extra, Freed, Grad, Item
from .items_in_doubt import keep_inside
from .markers import Maybe, Poison, Undefined
from .same_values import is_told_view
from .tagged_unions import Pending, plain


@dataclass(frozen=True, slots=True)
class StateAccess:
    """The variables and attributes of a construct, by the functions that converted code gives."""

    get_state: Callable[[], tuple[Any, ...]]
    set_state: Callable[[tuple[Any, ...]], None]
    names: tuple[str, ...]
    live: tuple[str, ...]
    leaves_doubt: bool = False  # whether a statement ends with the construct: items may stay in doubt

    def dropped(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """The values without those that nobody reads any more."""
        return tuple(v if n in self.live else Undefined(n) for n, v in zip(self.names, values, strict=True))


NO_STATE = StateAccess(tuple, lambda _: None, (), ())


@dataclass(frozen=True, slots=True)
class _Joined(StateAccess):
    """The variables of several constructs, one inside the other."""

    parts: tuple[StateAccess, ...] = ()

    def dropped(self, values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(
            v for part, own in zip(self.parts, _shared(self.parts, values), strict=True) for v in part.dropped(own)
        )


@dataclass(frozen=True, slots=True)
class Consumer:
    """A loop over a generator that runs: what its body writes, any construct of the generator may have written."""

    names: StateAccess
    functions: tuple[Callable[..., Any], ...]


def with_consumers(
    tracer: Tracer, names: StateAccess, functions: Sequence[Callable[..., Any]]
) -> tuple[StateAccess, Sequence[Callable[..., Any]]]:
    """A construct's variables and functions, with those of the loops that consume the generator around it."""
    if not tracer.consumers:
        return names, functions
    parts = tuple(p for p in (names, *(c.names for c in tracer.consumers)) if p.names)
    together = (*functions, *(fn for c in tracer.consumers for fn in c.functions))
    if len(parts) < 2:
        return replace(parts[0] if parts else names, leaves_doubt=names.leaves_doubt), together

    def get_state() -> tuple[Any, ...]:
        return tuple(value for part in parts for value in part.get_state())

    def set_state(values: tuple[Any, ...]) -> None:
        for part, own in zip(parts, _shared(parts, values), strict=True):
            part.set_state(own)

    every = tuple(name for part in parts for name in part.names)
    live = tuple(name for part in parts for name in part.live)
    return _Joined(get_state, set_state, every, live, names.leaves_doubt, parts), together


def _shared(parts: Sequence[StateAccess], values: Sequence[Any]) -> list[tuple[Any, ...]]:
    found, first = [], 0
    for part in parts:
        found.append(tuple(values[first : first + len(part.names)]))
        first += len(part.names)
    return found


@dataclass(slots=True)
class Path:
    """What tracing one path gave: its block, the variables afterwards, what else it wrote, and what it returned."""

    block: Block
    values: tuple[Any, ...]
    extras: dict[Any, tuple[Extra, Any]] = field(default_factory=dict)
    returned: Any = None
    contents: dict[int, Any] = field(default_factory=dict)  # of lists and dicts that it wrote, by identity
    written: dict[int, Tensor] = field(default_factory=dict)  # by identity: variables' tensors, as the path left them
    outer: set[int] = field(default_factory=set)  # cells of tensors from before the region, that it wrote in place
    stale: Any = ()  # what its writes in place left stale (see ../trace/aliases.py)
    links: int = 0  # how many links there were before it (the same)

    def discard(self) -> None:
        """Take the block's operations out of the use lists."""
        forget(self.block)


def forget(block: Block) -> None:
    """Take operations that won't be part of the program out of the use lists."""
    for operation in block.operations:
        operation.forget()


def objects_of(tracer: Tracer, names: StateAccess, functions: Sequence[Callable[..., Any]]) -> Objects:
    """What code of these functions can reach, without the variables that are carried by name."""
    return Objects([*roots_of(functions), *waiting_hooks(tracer)], own=_cells(names))


def _cells(names: StateAccess) -> set[int]:
    if isinstance(names, _Joined):
        return {cell for part in names.parts for cell in _cells(part)}
    setter = names.set_state
    return {id(c) for c in stored_cells(setter)} if isinstance(setter, FunctionType) else set()


@asks_for_caller
def attempt(
    tracer: Tracer, names: StateAccess, code: Callable[[], Any], objects: Objects, region: Region,
    forced: tuple[Choice, ...], *, joining: bool = False,
) -> Path:  # fmt: skip
    """Run a region's code with some decisions made; afterwards everything outside is as it was before.

    joining: `code` doesn't run the region's code, but ends it where the decisions lead.
    """
    tracer.joints.check(place=BEFORE)  # what it splits is outside of the region
    if tracer.untaped and tracer.builder.block is tracer.program.body and not region.at_top:
        tracer.untaped.make_explicit(tracer)
    before, watched = names.get_state(), dict(tracer.joints.watched)
    outside = () if region.at_top else tuple(tracer.blocks)
    depth = len(tracer.blocks) + 1
    begun, cut, links = tracer.aliases.begin(), len(tracer.aliases.cut), tracer.aliases.count
    log = Log()
    tracer.logs.append(log)
    tracer.regions.append(region)
    try:
        with tracer.inside(region.root), tracer.arrays.held(objects.arrays, before, region.statement):
            try:
                (region.open if joining else region.start)(forced)
                path = Path(region.block, (), returned=unswallowed(tracer, code))
                if not joining:
                    region.hooks.end()
                tracer.joints.check((path.returned,), place=INSIDE)
                if tracer.in_doubt and not region.at_top:
                    keep_inside(tracer, region, [path.returned, names.get_state(), *objects.contents()])
                path.block = region.block
                path.values = names.dropped(names.get_state())
                path.extras = _extras(tracer, log, objects, outside)
                path.contents = _contents(path)
                _leave_to_names(path, names, before)
                tracer.aliases.check([path.values, path.returned, [v for _, v in path.extras.values()]])
                path.outer = {key for key, (_, old, *_) in log.storages.items() if _is_outer(old, outside)}
                _freeze(path, log, before, tracer, path.outer if region.at_top else (), of_function=region.at_top)
                _end(tracer, path, region, joining=joining)
            except Exception as error:  # broad: whatever it is, it goes on
                note_conditions(tracer, error, conditions_around(tracer, forced))
                raise
            finally:
                region.stop(depth)
    finally:
        tracer.regions.pop()
        tracer.joints.watched = watched
        try:
            _undo(tracer, log, of_function=region.at_top)
            objects.undo()
            names.set_state(before)
        finally:
            forget_cuts(tracer, cut, outside)
            tracer.logs.pop()
            stale = tracer.aliases.end(begun)
    path.stale, path.links = stale, links
    return path


def _end(tracer: Tracer, path: Path, region: Region, *, joining: bool) -> None:
    """What a path leaves is what it is for whoever comes after it."""
    if region.at_top:
        if not joining:
            tracer.joints.end(path.returned)
        _resolve(path)
    elif region.at_iteration:
        _diverge(path, region)


def forget_cuts(tracer: Tracer, first: int, outside: Sequence[Block]) -> None:
    """Code has ended, or runs again: views from before it are as they were then. first: the cuts that it found."""
    tracer.aliases.forget_cuts(first, lambda payload: _is_outer(payload, outside))


def _resolve(path: Path) -> None:
    """At the end of the function: variables in doubt are resolved; those of two types make the paths diverge."""
    path.returned = resolved(path.returned)
    refuse_strays(path.returned)
    path.extras = {
        key: (extra, value if isinstance(value, Undefined) and not isinstance(value, Poison) else resolved(value))
        for key, (extra, value) in path.extras.items()
    }


def _diverge(path: Path, region: Region) -> None:
    """At the end of an iteration: variables of two types make the paths diverge.

    Of a statement they come out as all that they may be, with the flags that tell which.
    """
    if region.statement is not None:
        path.values = tuple([_told(v, region) for v in path.values])
        path.extras = {key: (extra, _told(v, region)) for key, (extra, v) in path.extras.items()}
    for x in _poisons([*path.values, *(v for _, v in path.extras.values()), path.returned]):
        if x.decision is not None and _may_diverge(x.decision, region):
            if type(x) is Poison or x.decision.level:  # tags at level 0 stand before all paths of the iteration
                x.fail()


def _told(value: Any, region: Region) -> Any:
    """A value in doubt by a decision of this path, told apart; one that holds objects stays as it is."""
    decision = value.decision if isinstance(value, Pending) else None
    if decision is None or not decision.level or not _may_diverge(decision, region):
        return value
    found = plain(value)
    return value if reaches(found, is_container) else found


def _poisons(value: Any) -> Iterator[Poison]:
    """Those in a value, also where it is bound on some paths only."""
    for x in flatten(value, _is_part)[0]:
        if isinstance(x, Poison):
            yield x
        elif isinstance(x, Maybe):
            yield from _poisons(x.value)


def _may_diverge(decision: Decision, region: Region) -> bool:
    """Whether a variable's decision is made at the end of an iteration; that of a statement looks at no other's."""
    return decision.region is region if region.tracer.style.in_steps else decision.is_open()


def resolved(value: Any) -> Any:
    """The value without variables in doubt."""
    leaves, tree = flatten(value, _is_part)
    if not any(isinstance(x, Undefined) for x in leaves):
        return value
    return unflatten(tree, iter([load(x.name, x) if isinstance(x, Undefined) else x for x in leaves]))


def _extras(tracer: Tracer, log: Log, objects: Objects, outside: Sequence[Block]) -> dict[Any, tuple[Extra, Any]]:
    found: dict[Any, tuple[Extra, Any]] = {}
    for key, (cell, payload, *_) in log.storages.items():
        if _is_outer(payload, outside):
            extra: Extra = Cell(tracer, log, cell)
            found["cell", key] = extra, extra.take()
    for key, (tensor, *_) in log.grads.items():
        if _was_outer(tensor, log, outside):
            extra = Grad(tracer, log, tensor)
            found["grad", key] = extra, extra.take()
    for group in log.freed:
        if tracer.freed.is_older(group, log.since):
            extra = Freed(tracer, log, group)
            found["freed", group] = extra, extra.take()
    for owner, key, old, new in objects.changes():
        if is_new_state(old, new, tracer.lifted):
            continue  # it stays
        extra = Item(owner, key, old)
        found["item", id(owner), key] = extra, extra.take()
        tracer.kept.append(owner)
    return found


def _contents(path: Path) -> dict[int, Any]:
    """Copies of the lists and dicts that a path wrote, as it leaves them."""
    owners = {id(e.owner): e.owner for e, _ in path.extras.values() if isinstance(e, Item) and is_list_or_dict(e.owner)}
    return {i: _copied(x) for i, x in owners.items() if decision_in(x) is None}


def _copied(owner: Any) -> Any:
    return mapping_like(owner, owner.items()) if isinstance(owner, dict) else owner.copy()


def _leave_to_names(path: Path, names: StateAccess, before: tuple[Any, ...]) -> None:
    """An attribute that is part of the construct's named state needn't be carried a second time as an item.

    Names don't tell whose attribute it is, nor whether its owner is a dict with attributes, whose `__dict__` has the
    item. Where more items than names have that value under one name, all are carried.
    """
    named = [
        (text.rpartition(".")[2], old, new) for text, old, new in zip(names.names, before, path.values, strict=True)
        if "." in text and not (isinstance(new, Undefined) and isinstance(old, Undefined))
    ]  # fmt: skip
    for attribute, old, new in named:
        found = [
            key for key, (extra, value) in path.extras.items()
            if isinstance(extra, Item) and value is new and str(extra.key).endswith(attribute)
            and (extra.before is old or isinstance(old, Undefined) or isinstance(extra.before, Undefined))
        ]  # fmt: skip
        if len(found) <= sum(n == attribute and o is old and v is new for n, o, v in named):
            for key in found:
                owner = getattr(path.extras[key][0], "owner", None)
                if not is_list_or_dict(owner):
                    del path.extras[key]


def _is_outer(payload: Any, outside: Sequence[Block]) -> bool:
    if not hasattr(payload, "producer"):
        return True
    return payload.block in outside or (payload.operation is None and not outside)


def _was_outer(x: Tensor, log: Log, outside: Sequence[Block]) -> bool:
    entry = log.storages.get(id(x._storage))
    return _is_outer(x._storage.payload if entry is None else entry[1], outside)


def _undo(tracer: Tracer, log: Log, *, of_function: bool) -> None:
    """Undo writes to what existed before the path; what the path made keeps its value.

    of_function: the path is one of the whole function, which makes all of its tensors anew for the next one.
    """
    local = {k for k, (_, payload, *_) in log.storages.items() if not tracer.is_outer(payload)}
    local |= _made_by(log) if of_function else set()
    rest = Log(
        {k: v for k, v in log.storages.items() if k not in local},
        {k: v for k, v in log.tensors.items() if local.isdisjoint(map(id, (v[0]._storage, root_of(v[0]._storage))))},
        {k: v for k, v in log.grads.items() if _was_outer(v[0], log, tracer.blocks)},
        log.arrays,
        freed=log.freed,
    )
    rest.undo()
    log.thaw()


def _made_by(log: Log) -> set[int]:
    """The cells of a log whose tensors operations of the program made, by identity."""
    before = ((k, payload) for k, (_, payload, *_) in log.storages.items())
    return {k for k, payload in before if isinstance(payload, Value) and payload.operation is not None}


def _freeze(
    path: Path, log: Log, before: tuple[Any, ...], tracer: Tracer, stay: Collection[int], *, of_function: bool
) -> None:
    """Results that are outer tensors written on this path keep the value they have now.

    A variable's tensor stays itself as long as all paths end with it (see `diverged`): its cell is carried. So does an
    item with a cell of `stay`, those that the function has from its caller, or a view of such a tensor: which one is
    there is chosen by a run.
    """
    log.refuse_frozen()
    known = {id(x): x for value in before for x in flatten(value, _is_tensor)[0]}
    path.written = {key: _snapshot(tracer, x) for key, x in known.items() if id(root_of(x._storage)) in log.storages}
    undone = log.storages.keys() - (_made_by(log) if of_function else ())

    def fixed(value: Any) -> Any:
        leaves, tree = flatten(value, lambda v: isinstance(v, Tensor) or is_callers(tracer, v))
        _cut_now(log, [x for x in leaves if isinstance(x, Tensor) and id(x) not in known])
        if not any(_changes(x) for x in leaves):
            return value
        return unflatten(tree, iter([_snapshot(tracer, x) if _changes(x) else x for x in leaves]))

    def _changes(x: Any) -> bool:
        cell = x.root if isinstance(x, GivenArray) else root_of(x._storage) if isinstance(x, Tensor) else None
        return id(cell) in undone and id(x) not in known

    path.contents = {i: fixed(v) for i, v in path.contents.items()}
    path.values = tuple(fixed(v) for v in path.values)
    path.returned = fixed(path.returned)
    shown = {key: x for key, x in _tensors_of(path) if id(root_of(x._storage)) in stay}
    known |= {key: x for key, x in shown.items() if not is_view(x._storage) or is_told_view(x)}
    path.extras = {k: (e, v if isinstance(e, Cell) else fixed(v)) for k, (e, v) in path.extras.items()}


def _cut_now(log: Log, tensors: Iterable[Tensor]) -> None:
    """Let the views of tensors that a path wrote have their elements there: behind it they can't be cut any more."""
    for x in tensors:
        if is_view(x._storage) and id(root_of(x._storage)) in log.storages:
            _ = x._storage.payload


def _snapshot(tracer: Tracer, x: Tensor) -> Tensor:
    made = x.snapshot()
    cell = root_of(x._storage)
    tracer.aliases.link(made._storage, [cell, *tracer.aliases.sources(cell)])
    if cell is not x._storage:
        tracer.aliases.of_views.add(made._storage)
    tracer.chosen.learn(made, tracer.chosen.one(x))
    return made


def _tensors_of(path: Path) -> Iterator[tuple[int, Tensor]]:
    """The tensors in the items and attributes that a path wrote, by identity."""
    for extra, value in path.extras.values():
        if isinstance(extra, Item):
            yield from ((id(x), x) for x in flatten(value, _is_tensor)[0] if isinstance(x, Tensor))


def diverged(a: Any, b: Any, written_a: dict[int, Tensor], written_b: dict[int, Tensor]) -> tuple[Any, Any]:
    """Two paths' values of one thing; of different tensors, those written in place as the path left them."""
    if a is b:
        return a, b
    (xs, tree), (ys, other) = flatten(a, _is_part), flatten(b, _is_part)
    if not (_wrote(xs, written_a) or _wrote(ys, written_b)):
        return a, b
    fits = len(xs) == len(ys)
    ours = [_left(x, written_a, ys[k] if fits else None) for k, x in enumerate(xs)]
    theirs = [_left(y, written_b, xs[k] if fits else None) for k, y in enumerate(ys)]
    return _with(a, xs, tree, ours), _with(b, ys, other, theirs)


def _with(value: Any, leaves: Sequence[Any], tree: Tree, new: Sequence[Any]) -> Any:
    """A value with other leaves: itself where none is another."""
    return value if all(map(operator.is_, leaves, new)) else unflatten(tree, iter(new))


def _wrote(leaves: Sequence[Any], written: dict[int, Tensor]) -> bool:
    return any(id(x.value if isinstance(x, Maybe) else x) in written for x in leaves)


def _left(x: Any, written: dict[int, Tensor], other: Any) -> Any:
    if isinstance(x, Maybe):
        left = _left(x.value, written, None)
        return x if left is x.value else Maybe(x.name, left, x.flag)
    return x if x is other else written.get(id(x), x)


def _is_part(x: object) -> bool:
    return isinstance(x, (Tensor, Undefined))


def _is_tensor(x: object) -> bool:
    return isinstance(x, Tensor)

"""The end of a capture: what the run left behind (results, writes, state) becomes a `Trace`."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import cached_property
from types import CellType
from typing import Any

import numpy as np

from ...base.dtype import int64
from ...base.pytree import constants_of, flatten, keys_of, map_leaves
from ...dygraph.given_array import GivenArray
from ...dygraph.number import Number, number_over
from ...dygraph.random_generators import default_generator
from ...dygraph.storage import Storage, held_by
from ...dygraph.tensor import Parameter, Tensor, wrap
from ...ir.core import Value
from ...ir.walk import operations_of
from ...ops.control import callback
from ...ops.dims import Dim
from ...passes.autodiff.reverse import located
from ..call.guards import look, place_of
from ..converters.regions.extras import ConditionalGrad
from ..converters.regions.markers import Undefined
from ..converters.stdlib.run_lists.lists import as_output
from ..converters.stdlib.side_effects import refuse_told
from ..converters.stdlib.strings import holds_tensors, refuse
from ..converters.variables import load
from .arrays.array_outputs import ArrayOutputs
from .assumed.appended_lists import appended_lists, appended_to, at_their_places
from .assumed.assumptions import assumptions_of
from .assumed.hidden_attributes import attributes_beside, refuse_slot
from .assumed.identity import with_very_lists
from .assumed.number_places import open_structures
from .assumed.replaced_containers import WrittenViews, replaced, stand_at, told_of
from .assumed.shared_places import Places, are_one, held_in
from .gradients.gradient_hooks import callees, insert_watches
from .gradients.leaves_out import check_leaves
from .gradients.pylayer_state import refuse_left_alone, watch_state
from .gradients.wanted_gradients import read_in_backward, wanted_gradients
from .state.chosen_tensors import TensorsOut
from .state.containers import WHOLE, ContainerToken, Identities, decision_in, is_token, parts_of
from .state.escapes import bind_choices, refuse_in
from .state.made_objects import by_parts
from .state.rollback import MISSING, is_new_state
from .state.taped_memory import name_of, straight
from .state.tensor_writes import moved_outside, written_arguments
from .state.view_outputs import ViewOutputs, from_outside
from .traced import (
    Assumption,
    AttributeWrite,
    GradWrite,
    OutputLeaf,
    StateTensor,
    StopWrite,
    TensorIdentity,
    Trace,
    TraceInputs,
    TraceOutputs,
)
from .tracer import Lifted, Tracer


class Ending:
    """Turns what the run left behind into a Trace."""

    def __init__(self, tracer: Tracer, inputs: TraceInputs, tensors: list[Tensor], begun: dict[int, Any]) -> None:
        self.tracer = tracer
        self.inputs = inputs
        self.program = tracer.program
        self.feeds = {id(x): k for k, x in reversed(list(enumerate(tensors)))}  # the first number of each
        self.tensors = tensors
        self.begun = begun
        self.owners = {id(x._storage): k for k, x in reversed(list(enumerate(tensors))) if k not in inputs.pinned}
        self.fetches: list[Value] = []
        self.came_out: list[Any] = []
        self.met: dict[int, str] = {}  # objects of plain classes that come out: where
        self.names: dict[int, Tensor] = {}  # cell -> the tensor from outside that comes out for it
        self.needed: set[int] = set()  # cells whose state entry stays though no operation reads it
        self.identities: Identities
        self.out: TensorsOut
        self.places: Places
        self.views, self.arrays = ViewOutputs(self), ArrayOutputs(self)
        kept = {number: tracer.objects.kept.get(k) for k, number in tracer.arguments.items()}
        owners = [(number, k.owner) for number, k in kept.items() if k is not None]
        # attributes of arguments that are dicts of a user's class: the number of the dict
        self.beside = {id(own): number for number, owner in owners for own in attributes_beside(owner)}

    def finish(self, result: Any) -> Trace:
        """Outputs and writes, then the end of the program, then its state entries."""
        self.locate_ending()
        self.tracer.joints.bind_chosen(result)
        self.tracer.appended = appended_lists(self.tracer)
        changes = self.changes()
        self.identities = Identities(self.tracer, [result, *(after for *_, after in changes)])
        self.out = TensorsOut(self.tracer, [after for *_, after in changes], [result])
        outputs = self.outputs(self.identities.expanded(result), "result")
        returned = None if (named := self.identities.replaced(result)) is result else self.outputs(named, "result")
        grads = self.grad_writes()
        writes = written_arguments(self, self.begun)
        attributes = [self.attribute_write(*change) for change in changes]
        made = [self.identities.replaced(v, inside=True) for v in self.identities.new]
        new = [self.outputs(v, f"new {k}") for k, v in enumerate(made)]
        check_leaves(self.came_out, self.is_known, self.tracer.lifted, self.tracer.detached.used_before)
        updated = self.updates()
        moved = moved_outside(self, updated)
        self.end_program()
        with self.tracer.recording_nothing():
            assumptions = self.assumptions()
        kept, numbers = self.prune(updated)
        self.name_state(state := [self.state_tensor(entry, id(entry.cell) in updated) for entry in kept])
        placed = self.placed(state, attributes, assumptions)
        attributes, assumptions = at_their_places(self.tracer, attributes, placed, self.identities.outside)
        assumptions = replaced(self.tracer, state, attributes, assumptions, self.identities.outside, self.places)
        very = with_very_lists(self.tracer, attributes, self.identities.outside, assumptions)
        assumptions = open_structures(self.tracer, very)

        def resolve(leaf: OutputLeaf) -> OutputLeaf:
            leaf = self.arrays.cut(self.views.cut(leaf, resolve))
            return leaf if leaf.kind != "state" else replace(leaf, number=numbers[leaf.number])

        called = [o.attrs for o in operations_of(self.program.body, callback)]
        used = {attrs[kind] for attrs in called for kind in ("callee", "gradient")} | callees(self.program)
        return Trace(
            self.program,
            self.inputs,
            outputs.mapped(resolve),
            state,
            [g if g.target[0] == "argument" else replace(g, target=("state", numbers[g.target[1]])) for g in grads],
            writes,
            [replace(a, value=a.value.mapped(resolve)) for a in attributes],
            {k: v for k, v in self.tracer.callbacks.items() if k in used},
            assumptions,
            [(c.original.__qualname__, c.code) for c in self.tracer.functions.values()],
            returned=None if returned is None else returned.mapped(resolve),
            stop_writes=self.stop_writes(),
            place_writes=moved,
            outside=self.identities.outside,
            new=[o.mapped(resolve) for o in new],
            known=self.tracer.known_symbols,
            fixed_numbers=frozenset(self.tracer.fixed),
            gradients=wanted_gradients(self.tracer, self.tensors),
            read_in_backward=read_in_backward(self.tracer),
            stops=list(self.tracer.asked.stops.values()),
            identity=self.identity(),
            functions=[*(c.original for c in self.tracer.functions.values()), *self.tracer.plain_functions.values()],
        )

    def end_program(self) -> None:
        """All that comes out is known."""
        self.views.tell()
        self.arrays.tell()
        self.tracer.builder.return_(self.fetches)
        self.tracer.guard_sizes()
        insert_watches(self.tracer)
        self.tracer.rolling.forget_unread()
        self.program.fetch_names = [f"out{k}" for k in range(len(self.fetches))]

    def assumptions(self) -> list[Assumption]:
        """What the trace took for granted."""
        found = assumptions_of(self.tracer, self.identities.outside)
        refuse_left_alone(self.tracer, found)
        refuse_told(self.tracer, [owner for owner, *_ in self.tracer.objects.changes()], found)
        watch_state(self.tracer, [*found, *self.tracer.open_numbers], look)
        return found

    # ---- what comes out

    def fetch(self, value: Value) -> int:
        """The number of the fetch with this value."""
        for k, known in enumerate(self.fetches):
            if known is value:
                return k
        self.fetches.append(value)
        return len(self.fetches) - 1

    def outputs(self, result: Any, place: str) -> TraceOutputs:
        """A Python value as a structure over fetches, arguments and state."""
        bound = by_parts(self.tracer, result, self.met, place, _bound if place == "result" else _bound_there)
        if self.out:
            bound = map_leaves(self.out.instead, bound, self.out.has)
        leaves, tree = flatten(bound, self.is_leaf)
        leaves = [self.arrays.of_run(v) if isinstance(v, np.ndarray) else v for v in leaves]
        for key in keys_of(tree):
            if holds_tensors(key):
                refuse(self.tracer, key)
        refuse_in(self.tracer, [*keys_of(tree), *constants_of(tree)])
        self.came_out += leaves
        return TraceOutputs(tree, tuple(self.leaf(leaf) for leaf in leaves))

    def is_leaf(self, v: Any) -> bool:
        """Whether a part of what comes out is no structure, nor the same in each call."""
        return isinstance(v, (Tensor, Dim, ContainerToken)) or holds_tensors(v) or self.arrays.is_made(v)

    def leaf(self, x: Any) -> OutputLeaf:
        """One tensor (or size) that comes out."""
        if isinstance(x, ContainerToken):
            return OutputLeaf(x.kind, x.number)  # type: ignore[arg-type]
        if isinstance(x, str):
            refuse(self.tracer, x)
        if isinstance(x, Dim):
            x = number_over(self.tracer.constant(x, int64))
        if type(x) is Number:
            return OutputLeaf("number", self.fetch(self.tracer.value_of(x)))
        if x.is_element:
            return OutputLeaf("scalar", self.fetch(self.tracer.value_of(x)))
        if isinstance(x, GivenArray) and id(x) not in self.feeds:
            return self.arrays.meet(OutputLeaf("array", self.fetch(self.tracer.value_of(x))), x)
        if id(x) in self.feeds:
            return OutputLeaf("argument", self.feeds[id(x)], x.stop_gradient)
        if from_outside(x):
            self.identities.outside.append(x)
            return OutputLeaf("outside", len(self.identities.outside) - 1)
        if isinstance(x._storage.payload, np.ndarray):
            self.tracer.value_of(x)
        owner = self.owners.get(id(x._storage))
        if owner is not None and x._node is None:
            return OutputLeaf("argument", owner, x.stop_gradient, "twin")
        entry = self.tracer.lifted.get(id(x._storage))
        if entry is not None and (entry.tensor is x or x._node is None):
            self.needed.add(id(entry.cell))
            if id(x) in self.known and (name := name_of(self.names, self.known.values(), x)) is not x:
                entry.tensor = name
                self.identities.outside.append(x)  # a further tensor over this memory: it is that very one
                return OutputLeaf("outside", len(self.identities.outside) - 1)
            entry.tensor = x if id(x) in self.known else self.known.get(id(entry.cell), entry.tensor)
            return OutputLeaf("state", id(entry.cell), x.stop_gradient, "same" if entry.tensor is x else "twin")
        bind_choices(self.tracer, self.tracer.aliases.choices_of_used(x._storage), "a tensor", x)
        spent = x._node is not None and x._node.released  # the function itself called backward through it
        value = self.tracer.value_of(x)
        number = self.fetch(value if x.stop_gradient else self.tracer.untaped.value_of(self.tracer, x, value))
        first = self.views.shown.get(number, x)
        if x._node is not None and first._node is None and not first.stop_gradient:
            number = self.fetch(straight(self.tracer, value, value))  # the first is a leaf: this one has its own place
        form = self.views.form_of(x, number)
        apart = form == "same" and x._node is None and not x.stop_gradient
        return self.views.meet(OutputLeaf("fetch", number, x.stop_gradient or spent, form, apart), x)

    @cached_property
    def known(self) -> dict[int, Tensor]:
        """Tensors that the function found outside of its arguments, by their identity and by that of their cells."""
        kept = [v for k in self.tracer.objects.kept.values() for v in parts_of(k.copy)]
        found = [x for x in (*kept, *(a.value for a in assumptions_of(self.tracer))) if isinstance(x, Tensor)]
        return {id(x._storage): x for x in found} | {id(x): x for x in found}

    def is_known(self, x: Tensor) -> bool:
        """Whether the function didn't make a tensor. Most come out with their steps, and nobody asks."""
        return id(x) in self.feeds or id(x) in self.known

    def grad_writes(self) -> list[GradWrite]:
        """The `.grad`s that differ from before. Of those that are as before it is guarded what they were."""
        found, log = [], self.tracer.logs[0].grads
        given: dict[int, Tensor] = {}
        for x, grad, is_zero in list(log.values()):
            number, is_same = self.feeds.get(id(x)), x._grad is grad and x._grad_is_zero == is_zero
            if number is None and (isinstance(self._before(x._storage), Value) or self.tracer.detached.is_leaf(x)):
                continue  # a tensor that the function made
            if is_same:
                self.tracer.asked.grad(x, log)
                continue
            target: tuple[Any, int] = ("argument", number) if number is not None else ("state", id(x._storage))
            if number is None:
                self.entry_of(x)
            now: Any = x._grad
            present = None
            if isinstance(now, ConditionalGrad):
                present = self.fetch(self.tracer.flag(now.maybe.flag))
                now = now.maybe.value
            fetch = self.fetch(self.tracer.value_of(now)) if isinstance(now, Tensor) else None
            if fetch is not None and given.setdefault(fetch, now) is not now:
                self.fetches.append(self.fetches[fetch])  # equal gradients of several tensors have memory of their own
                fetch = len(self.fetches) - 1
            found.append(GradWrite(target, fetch, x._grad_is_zero or isinstance(now, float), present))
        return found

    def stop_writes(self) -> list[StopWrite]:
        """The `stop_gradient`s of arguments and of tensors from outside that differ from before."""
        found, stops, detached = [], self.tracer.logs[0].stops, self.tracer.detached
        used = {id(edge[0]) for edge in self.tracer.edges.values() if edge is not None} if stops else set()
        meanwhile = detached.wanted.keys() & used - detached.used_before.keys()
        made = {id(x) for x, _ in self.tracer.parameters}  # as concrete as those from outside
        for x, stop in stops.values():
            steps = [x._stop] if x._stop is not stop else [False, stop] if id(x) in meanwhile else []
            steps = steps if x._node is None else []  # else a write in place let it need a gradient
            if not steps:
                continue
            number, known = self.feeds.get(id(x)), x if id(x) in made or self.known.get(id(x)) is x else None
            if number is not None or known is not None:
                found += [StopWrite(step, number, known, id(x) not in used) for step in steps]
        return found

    def identity(self) -> TensorIdentity:
        """Whether a tensor with two names isn't what two tensors are: gradients go to both names, or code asks."""
        asked, log, met = self.tracer.identity, self.tracer.logs[0], self.tracer.met_hooks
        found = asked.is_asked
        for x, _ in log.stops.values():
            found = found or id(x) in self.feeds or not isinstance(self._before(x._storage), Value)
        if met.leaves or met.steps or log.grads:
            found = found or not all(leaf.stop_gradient for leaf in self.inputs.leaves)
        numbered = frozenset(k for x, k in self.feeds.items() if x in asked.numbered)
        return TensorIdentity(found, tuple(asked.outside.values()), numbered)

    def entry_of(self, x: Tensor) -> Lifted:
        """The state entry of a concrete tensor, made if need be; it stays."""
        cell = x._storage
        if id(cell) not in self.tracer.lifted:
            self.tracer.lift(x)
        self.needed.add(id(cell))
        entry = self.tracer.lifted[id(cell)]
        entry.tensor = x
        return entry

    def _before(self, cell: Storage) -> Any:
        entry = self.tracer.logs[0].storages.get(id(cell))
        return held_by(cell) if entry is None else entry[1]

    def changes(self) -> list[tuple[Any, Any, Any]]:
        """(owner, key, value) for the items and attributes of Python objects that differ from before."""
        found = []
        for owner, key, before, after in self.tracer.objects.changes():
            refuse_slot(owner, key)
            if is_new_state(before, after, self.tracer.lifted):
                continue  # it stays where it is
            if id(owner) in self.tracer.appended:
                found.append((owner, WHOLE, appended_to(owner, self.tracer.appended[id(owner)].length)))
                continue
            decided = decision_in(owner)
            found.append((owner, key, after) if decided is None else (owner, WHOLE, decided.value))
        return found

    def attribute_write(self, owner: Any, key: Any, value: Any) -> AttributeWrite:
        """One of them, as the runner does it."""
        kind = "item" if isinstance(owner, (dict, list, set, deque)) else "attribute"
        refuse_in(self.tracer, [key])
        nothing = TraceOutputs(flatten(MISSING, lambda _: False)[1], ())
        made = nothing if value is MISSING else self.outputs(self.identities.replaced(value), f"{id(owner)} {key!r}")
        number = self.tracer.arguments.get(id(owner))
        if number is None and (number := self.beside.get(id(owner))) is not None:
            kind = "attribute"
        appends = id(owner) in self.tracer.appended
        target = owner if number is None else ContainerToken("container", number)
        return AttributeWrite(target, key, made, kind, appends)  # type: ignore[arg-type]

    # ---- state

    def placed(
        self, state: list[StateTensor], writes: list[AttributeWrite], assumptions: list[Assumption]
    ) -> list[Assumption]:
        """Tensors that the function or other code replaces are looked up at each call: no assumption is about them."""
        self.places, held = Places(self.tracer, assumptions), held_in(assumptions)
        outside = {place: assumed.kind for place, assumed in self.tracer.replaced_outside.items()}
        written = {(id(w.owner), w.name): w.kind for w in writes if not is_token(w.owner)}
        kinds, very_own = outside | written, told_of(self.tracer, state, assumptions)
        views = WrittenViews(state, self.needed, assumptions)
        for entry in state:
            entry.form = self.tracer.asked.layouts.form(entry.tensor)
            cell = id(entry.tensor._storage)
            known, read = self.places.of(entry.tensor), self.places.read.get(cell, set())
            if not entry.updated and cell not in held and not outside.keys().isdisjoint(read):
                known = {k: at for k, at in known.items() if k in read}  # others make no difference
            if entry.slot != "data" or cell in views.bases or not are_one(known, entry.tensor in views):
                continue
            is_own = very_own(entry.tensor)
            found = [place for place in known if place in kinds and (place in written or not is_own)]
            there = [known[place].tensor for place in found]
            if found and not self.is_asked_for(entry.tensor, *there):
                place, owner = found[0], known[found[0]].owner
                self.take_owner(entry, there[0])
                self.places.known[cell] = known
                made = Assumption("cell", owner, place[1], None)
                made = made if isinstance(owner, CellType) else replace(made, kind=kinds[place])
                rest = [f for f in assumptions if place_of(f) not in set(found)] + views.at(entry.tensor, made)
                assumptions, entry.is_cut = stand_at(entry, made, state, rest), entry.tensor in views
        return views.unread(assumptions, kinds, self.is_asked_for)

    def is_asked_for(self, *tensors: Any) -> bool:
        """Whether code asks for something of a tensor that another one in its place may not have."""
        told = {*self.tracer.identity.outside, *map(id, self.identities.outside)}  # whether it is another one, too
        return any(id(x) in self.tracer.asked.names or id(x) in told for x in tensors)

    def take_owner(self, entry: StateTensor, x: Tensor | None) -> None:
        """Let an entry be for the tensor in its place, where the trace has met only another name of the memory."""
        if x is None or x is entry.tensor:
            return
        if x.stop_gradient or id(x._storage) in self.tracer.detached.known:
            entry.tensor = x
        else:
            self.tracer.detached.learn(x._storage)

    def stopped_state(self) -> None:
        """Tensors from outside that the function has cut from their graphs by `stop_gradient` before it used them."""
        for x, before in self.tracer.logs[0].stops.values():
            entry = self.tracer.lifted.get(id(x._storage))
            if entry is not None and not before and entry.value not in self.tracer.edges:
                self.tracer.detached.learn(entry.cell)

    def locate_ending(self) -> None:
        """What is recorded from here on belongs to the last line that ran, not to the one that called the function."""
        builder = self.tracer.builder
        self.tracer.places.forget()
        place = next((o.loc for o in reversed(self.program.body.operations) if o.loc.file), None)
        if place is not None:
            builder.locate, builder.loc = None, place

    def updates(self) -> set[int]:
        """Record the next value of each cell that was written; their identities."""
        tracer, found = self.tracer, set()
        for key, (cell, payload, *_) in tracer.logs[0].storages.items():
            entry = tracer.lifted.get(key)
            if entry is None or isinstance(payload, Value):
                continue
            value = cell.payload if isinstance(cell.payload, Value) else tracer.adopted[id(cell.payload)]
            if value is not entry.value:
                with located(tracer.builder, value.operation.loc if value.operation else tracer.builder.loc):
                    tracer.builder.update(entry.value, value)
                found.add(key)
        return found

    def prune(self, updated: set[int]) -> tuple[list[Lifted], dict[int, int]]:
        """Drop state entries that nothing needs; those kept, and cell identity -> number."""
        program = self.program
        self.stopped_state()
        count = len(program.feeds)
        entries = list(self.tracer.lifted.values())
        kept = [e for e in entries if e.value.uses or id(e.cell) in self.needed or id(e.cell) in updated]
        program.state = [program.state[e.value.index - count] for e in kept]
        program.body.set_args([*program.body.args[:count], *(e.value for e in kept)])
        return kept, {id(e.cell): k for k, e in enumerate(kept)}

    def state_tensor(self, entry: Lifted, updated: bool) -> StateTensor:
        """How the entry is found at each call."""
        owner = self.grad_owners.get(id(entry.cell))
        if owner is not None and id(owner) in self.feeds:
            place = Assumption("argument", None, self.feeds[id(owner)], None)
            made = wrap(entry.array, owner.dtype)
            return StateTensor(made, f"{owner.name}.grad", "gradient", updated, "argument", place)
        if owner is not None:
            return StateTensor(owner, f"{owner.name}.grad", "gradient", updated, "grad")
        x = entry.tensor
        if type(x) is Number:
            place = Assumption("argument", None, x.origin, None) if isinstance(x.origin, int) else x.origin
            text = f"number {x.origin}" if isinstance(x.origin, int) else str(x.origin.name)
            return StateTensor(wrap(entry.array, x.dtype), text, "number", slot="number", place=place)
        if entry.cell is default_generator.state._storage:
            return StateTensor(x, "rng", "rng", updated)
        if isinstance(x, Parameter):
            return StateTensor(x, x.name, "parameter", updated)
        name = self.buffers.get(id(entry.cell))
        if name is not None:
            return StateTensor(x, name, "buffer", updated)
        role = "moment" if x.persistable else "buffer" if updated else "constant"
        return StateTensor(x, x._name or "captured", role, updated)

    @cached_property
    def grad_owners(self) -> dict[int, Tensor]:
        """Cells that are the `.grad` of some tensor, as they were before the run."""
        log = self.tracer.logs[0]
        found = {}
        for x in (*(e.tensor for e in self.tracer.lifted.values()), *(x for x, *_ in self.tracer.asked.grads.values())):
            grad = log.grads[id(x)][1] if id(x) in log.grads else x._grad
            if isinstance(grad, Tensor):
                found[id(grad._storage)] = x
        for x in self.tensors:
            if isinstance(x._grad, Tensor):
                found[id(x._grad._storage)] = x
        for x, grad, _ in log.grads.values():
            if isinstance(grad, Tensor):
                found[id(grad._storage)] = x
        return found

    @cached_property
    def buffers(self) -> dict[int, str]:
        """Cells of the layers' buffers, with their names."""
        tables = [k.copy.get("_buffers") for k in self.tracer.objects.kept.values() if isinstance(k.copy, dict)]
        entries = [item for t in tables if isinstance(t, dict) for item in t.items()]
        return {id(x._storage): str(name) for name, x in entries if isinstance(x, Tensor)}

    def name_state(self, state: list[StateTensor]) -> None:
        """Give the program's entries the names and roles of their tensors, each name once."""
        taken = set(self.program.feeds)
        for entry, made, value in zip(self.program.state, state, self.program.state_values, strict=True):
            name, k = made.name, 1
            while name in taken:
                k += 1
                name = f"{made.name}_{k}"
            taken.add(name)
            made.name = entry.name = value.hint = name
            entry.kind = made.role


def _bound(value: Any, *, stays: bool = False) -> Any:
    """A value with its variables bound, and its lists of run-time length marked."""
    return as_output(map_leaves(lambda v: load(v.name, v), value, lambda v: isinstance(v, Undefined)), stays=stays)


def _bound_there(value: Any) -> Any:
    return _bound(value, stays=True)

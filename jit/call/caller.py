"""The path of a call into a compiled entry: thin, no per-op Python. One closure per way of writing the call.

`match` tells whether the arguments have the entry's structure, dtypes and flags; sizes are looked up in the entry's
table; guards and the state's addresses are looked at again only where something may have changed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import CellType
from typing import Any, TypeAlias

import numpy as np

from ...base.changes import Counted, CountedTable, layer_epoch
from ...base.pytree import unflatten
from ...dygraph import storage as cells
from ...dygraph.modes import is_recording, set_grad_enabled
from ...dygraph.new_tensors import fresh, from_array
from ...dygraph.nn.layer import Layer
from ...dygraph.tensor import Tensor
from ...dygraph.views import KINDS, are_cuts, link, relate
from ...runtime.options import DEFAULT, CompileOptions
from ..trace.arrays.array_outputs import array_picker
from ..trace.state.containers import WHOLE, Arguments, is_token
from ..trace.state.rollback import put
from ..trace.state.view_outputs import filled
from ..trace.traced import (
    Assumption,
    AttributeWrite,
    Cut,
    OutputLeaf,
    Trace,
    TraceOutputs,
    fits_gradient,
    recorded_fetches,
    wanting_fetches,
)
from .guards import Guards, look
from .program_function import GradientPrograms, compile_lazily
from .state_arrays import StateArrays
from .written_arrays import WrittenArrays, as_before, give_place, require_apart, write_into

MISS: Any = object()  # what a closure returns when the call isn't its own


def feed_of(array: Any) -> Any:
    """An array as the VM reads it: contiguous and aligned."""
    return array if array.flags.carray or (array.flags.c_contiguous and array.flags.aligned) else array.copy("C")


class Runner:
    """Runs one entry on leaves that are known to fit, and wraps what comes out."""

    def __init__(self, trace: Trace, executable: Any, pair: Any) -> None:
        program = trace.program
        self.trace = trace
        self.executable = executable
        self.pair = pair
        self.state = StateArrays(trace.state, [v.tensor_type for v in program.state_values])
        self.dtypes = [v.tensor_type.dtype for v in program.fetches]
        self.rebuild = _rebuilder(trace.returned or trace.outputs)
        self.new = [_rebuilder(outputs) for outputs in trace.new]
        self.writes = bool(trace.grad_writes or trace.tensor_writes or trace.attribute_writes or trace.stop_writes)
        self.writes = self.writes or bool(trace.place_writes) or trace.grad_mode is not None
        self.written = [w.argument for w in trace.tensor_writes if not w.is_array]
        self.places = [(next((s for s in trace.state if s.tensor is w.tensor), None), w) for w in trace.place_writes]
        self.attributes = [(w, _rebuilder(w.value), _place_of_container(w)) for w in trace.attribute_writes]
        self.puts = any(not w.appends for w in trace.attribute_writes)
        layers = [w.owner for w in trace.attribute_writes if not (w.appends or is_apart(w.owner))]
        self.tables = sum(isinstance(owner, CountedTable) for owner in layers)
        self.changes = self.tables + (len(layers) > self.tables)  # of the layers' epoch, by a run's writes
        self.guards: Guards | None = None  # of the entry, where the program's writes change layers
        self.after: Callable[[int], None] = lambda epoch: None
        self.tensor_writes = bool(trace.tensor_writes)
        self.recorded = recorded_fetches(trace) if pair is not None else []
        # outputs that want gradients off the tape: tensors that the function made with stop_gradient=False
        self.wanting = [k for k in wanting_fetches(trace, apart=None) if k not in self.recorded]
        self.single = len(self.dtypes) == 1 and pair is None and not (self.writes or self.wanting)
        self.single = self.single and _is_fetch(trace.outputs)
        self.gradients = tuple(trace.gradients.items())
        self.attributes_of = {k: wanted.attributes() for k, wanted in self.gradients}
        self.free: dict[tuple[tuple[int, ...], ...], list[Any]] = {}
        self.views = [_view_linker(leaf, leaf.cut, self.state) for leaf in trace.outputs.leaves if leaf.cut is not None]
        self.label = call_label(trace)
        self.executable_source = trace.program if pair is None else pair.made.forward
        self.run = self._run if self.gradients or not self.single else _run_single(self)
        elsewhere = trace.state or trace.identity.outside
        self.may_meet = bool(trace.inputs.pinned or (trace.identity.matters and elsewhere))
        self.run = self._run_met if self.may_meet else self.run
        self.pinned = {k: trace.inputs.leaves[k].example for k in trace.inputs.pinned}  # tensors that arguments are
        self.moving = {k: s for k, x in self.pinned.items() for s in trace.state if s.tensor is x and s.place}
        self.met_among: tuple[Any, frozenset[int]] = (None, frozenset())  # the state's tensors, and their identities
        self.arrays = WrittenArrays(trace)
        self.run = self.arrays.checked(self.run) if self.arrays else self.run

    def guarded_by(self, guards: Guards) -> None:
        """Tell the runner of its entry's guards."""
        if self.changes:
            self.guards, self.after = guards, guards.beside(self.trace.attribute_writes)

    def admit(
        self, shapes: tuple[tuple[int, ...], ...], feeds: Sequence[Any], numbers: Sequence[Any] = (),
        leaves: Sequence[Any] = (),
    ) -> list[Any]:  # fmt: skip
        """Make room for calls with these shapes. GuardError when the program's assumptions don't hold for them."""
        state = self.state.arrays(numbers, leaves)
        assert state is not None
        bound = self.executable.bind([*feeds, *state])
        if len(self.free) >= 64:
            self.free.clear()
        free = self.free.setdefault(shapes, [])
        free.append(bound)
        return free

    def _run(self, leaves: Sequence[Any], feeds: list[Any], free: list[Any], numbers: Sequence[Any] = ()) -> Any:
        """One call; MISS when the state no longer fits the program."""
        state = self.state
        if self.gradients:
            for k, wanted in self.gradients:
                if not fits_gradient(leaves[k], wanted):
                    return MISS
        arrays = state.arrays(numbers, leaves) if state.state else ()
        if arrays is None:
            return MISS
        if self.tensor_writes:
            if state.state and self.meets_state(leaves):
                return MISS
            self.require_apart(leaves)
        if state.ids and not state.ids.isdisjoint(map(id, feeds)) and self.meets_state(leaves):
            return MISS
        try:
            bound = free.pop()
        except IndexError:
            bound = self.executable.bind([*feeds, *arrays])
        try:
            fetched = bound.call(feeds, arrays)
        finally:
            free.append(bound)
        if state.updated:
            state.wrote()
        return self._finish(leaves, feeds, arrays, fetched)

    def _run_met(
        self, leaves: Sequence[Any], feeds: list[Any], free: list[Any], numbers: Sequence[Any] = ()
    ) -> Any:  # fmt: skip
        if self.state.looked_up and self.state.arrays(numbers, leaves) is None:
            return MISS
        tensors = self.state.tensors  # those that are there now
        if self.met_among[0] is not tensors:
            self.met_among = tensors, frozenset(map(id, (*tensors, *self.trace.identity.outside)))
        if self.trace.inputs.pinned or not self.met_among[1].isdisjoint(map(id, leaves)):
            if self.meets_state(leaves):
                return MISS
        return self._run(leaves, feeds, free, numbers)

    def require_apart(self, leaves: Sequence[Any]) -> None:
        """ArgumentError where arguments that the program writes share memory with others, as views do."""
        for write in self.trace.tensor_writes:
            target = leaves[write.argument]
            if isinstance(target, Tensor) and type(target._storage.shared) is cells.Sharing:
                require_apart(target, [*leaves, *(s.tensor for s in self.trace.state if s.slot == "data")])

    def takes_state(self, numbers: Sequence[Any], leaves: Sequence[Any]) -> bool:
        """Whether the program is one for the state that there is, as it is now where it is looked up."""
        return self.state.arrays(numbers, leaves) is not None and not self.meets_state(leaves)

    def meets_state(self, leaves: Sequence[Any]) -> bool:
        """Whether an argument shares memory with state in a way that the program doesn't know of."""
        met = meeting(self.trace, leaves)
        return not met <= self.pinned.keys() or any(not self._is_pinned(k, leaves[k], met) for k in self.pinned)

    def _is_pinned(self, k: int, x: Any, met: frozenset[int]) -> bool:
        """Whether an argument is the tensor of state that the trace took it for; one cell does if no code can tell."""
        if x is self.pinned[k] or (k in self.moving and x is self.moving[k].tensor):
            return True
        return k in met and not self.trace.identity.matters

    def _finish(self, leaves: Sequence[Any], feeds: list[Any], arrays: Sequence[Any], fetched: list[Any]) -> Any:
        made = [fresh(array, dtype) for array, dtype in zip(fetched, self.dtypes, strict=False)]
        self.give_places(made, leaves, [*feeds, *arrays], fetched)
        if self.trace.returned is not None or self.trace.outside or self.new:
            leaves = self._around(made, leaves)
        if self.arrays:
            self.arrays.write(made, leaves)  # before copies of them are returned
        if self.trace.tensor_writes:
            self.write_arguments(made, leaves)  # before views of them are
        result = self.rebuild(made, leaves, self.state)
        if self.writes:
            self.write(made, leaves)
        return result

    def after_run(
        self, made: list[Any], leaves: Sequence[Any], arrays: Sequence[Any], state: Sequence[Any]
    ) -> None:  # fmt: skip
        """What follows a run whose results native code makes. arrays: those of the leaves, then of all fetches."""
        count = len(leaves)
        self.give_places(made, leaves, [*arrays[:count], *state], arrays[count:])
        if self.trace.tensor_writes:
            self.write_arguments(made, leaves)
        for make_view in self.views:
            make_view(made, leaves, arrays)
        if self.writes:
            self.write(made, leaves)

    def give_places(
        self, made: list[Any], leaves: Sequence[Any], arrays: Sequence[Any], fetched: Sequence[Any]
    ) -> None:  # fmt: skip
        """Give results their places in the graph, which lead to the arguments as they are before the call's writes."""
        if self.pair is not None:
            arguments = [*leaves, *self.state.tensors]
            for k in self.written:
                arguments[k] = as_before(arguments[k])
            self.set_stops(leaves, value=False, at_end=False)  # whose gradients the tape then takes
            self.pair.record(self.label, arguments, arrays, fetched, made, self.recorded)
        for k in self.wanting:
            made[k]._stop = False

    def _around(self, made: list[Any], leaves: Sequence[Any]) -> Arguments:
        """The tensors of a call with the containers around them, and a way to the new ones of this call."""
        found = leaves.copy() if isinstance(leaves, Arguments) else Arguments(leaves)
        found.outside, found.make = self.trace.outside, lambda k: self.new[k](made, found, self.state)
        return found

    def write_arguments(self, made: list[Any], leaves: Sequence[Any]) -> None:
        """Put a run's fetches into the tensors among the arguments that the function wrote."""
        self.require_apart(leaves)
        for write in self.trace.tensor_writes:
            target = leaves[write.argument]
            if isinstance(target, Tensor):
                write_into(target, made[write.fetch], write.moved)

    def set_stops(self, leaves: Sequence[Any], *, value: bool, at_end: bool = True) -> None:
        """Let tensors have the `stop_gradient` that the function gave them, those that it set to `value`.

        at_end: also those that it didn't use since.
        """
        for stop in self.trace.stop_writes:
            target = stop.tensor if stop.argument is None else leaves[stop.argument]
            if stop.value is value and stop.at_end <= at_end and isinstance(target, Tensor):
                target.stop_gradient = value

    def write(self, made: list[Any], leaves: Sequence[Any]) -> None:
        """Put a run's fetches, as tensors, where the function wrote them: into `.grad` and attributes."""
        trace = self.trace
        for entry, moved in self.places:
            give_place(moved.tensor if entry is None else entry.tensor, made[moved.fetch], moved.moved)
        for grad in trace.grad_writes:
            where, number = grad.target
            owner = leaves[number] if where == "argument" else trace.state[number].tensor
            if isinstance(owner, Tensor):
                there = grad.present is None or made[grad.present]._storage.payload.item()
                now, is_zero = None if grad.fetch is None or not there else made[grad.fetch], grad.is_zero and there
                if owner._grad is not now or owner._grad_is_zero is not is_zero:
                    cells.counters.touched += 1
                    owner._grad, owner._grad_is_zero = now, is_zero
        for value in (False, True):
            self.set_stops(leaves, value=value)
        if trace.grad_mode is not None:
            set_grad_enabled(trace.grad_mode)
        epoch = layer_epoch.value
        for item, rebuild, place in self.attributes:
            owner = leaves.containers[item.owner.number] if is_token(item.owner) else item.owner  # type: ignore[attr-defined]
            owner = owner if place is None else look(place)
            if item.appends:
                owner.extend(rebuild(made, leaves, self.state))
                continue
            if item.kind == "attribute" and isinstance(owner, dict):
                owner = vars(owner)  # what a dict of a user's class has beside its items
            put(owner, item.name, rebuild(made, leaves, self.state))
        if self.puts:
            if self.changes > self.tables:  # `put` goes past the setters of layers, not of tables
                layer_epoch.value += self.changes - self.tables
            if self.guards is not None and self.guards.epoch == epoch:
                now, after = layer_epoch.value, epoch + self.changes  # another thread's changes come on top
                self.after(now if now == after else after)  # the very object: native code compares those
            self.state.follow()


def is_apart(owner: Any) -> bool:
    """Whether an object's changes aren't counted, as a layer's are: what it holds is looked at whenever it matters."""
    if isinstance(owner, CellType):
        return True
    return hasattr(owner, "__dict__") and not isinstance(owner, (Layer, Counted, type, dict, list, set, deque))


def _place_of_container(write: AttributeWrite) -> Assumption | None:
    """Where the container stands that is written; None where the write names it."""
    if not write.appends:
        return write.place
    owner = write.owner
    if write.name is WHOLE:
        return Assumption("call", lambda: owner, "a list", None)
    return Assumption(write.kind, owner, write.name, None)


def meeting(trace: Trace, leaves: Sequence[Any]) -> frozenset[int]:
    """Numbers of the arguments that share memory with state, where the one or the other is written, and of those that
    are a tensor which the function finds elsewhere, where that matters.
    """
    state = {id(s.tensor._storage): s.updated for s in trace.state if s.slot == "data"}
    written = {id(leaves[w.argument]._storage) for w in trace.tensor_writes if isinstance(leaves[w.argument], Tensor)}
    cells_of = [(k, id(x._storage)) for k, x in enumerate(leaves) if isinstance(x, Tensor)]
    met = {k for k, cell in cells_of if cell in state and (state[cell] or cell in written)}
    if trace.identity.matters:
        others = {id(x) for x in trace.identity.outside} | {id(s.tensor) for s in trace.state if s.slot == "data"}
        met |= {k for k, x in enumerate(leaves) if id(x) in others}
    return frozenset(met)


def _run_single(runner: Runner) -> Callable[..., Any]:
    """`Runner._run` for programs with one result, of which nothing is recorded and no gradient is looked at."""
    state, dtype, executable = runner.state, runner.dtypes[0], runner.executable
    has_state = bool(state.state)

    def run(leaves: Sequence[Any], feeds: list[Any], free: list[Any], numbers: Sequence[Any] = ()) -> Any:
        arrays: Any = ()
        if has_state:
            still = state.fixed_until == cells.counters.epoch and state.untouched_since == cells.counters.touched
            arrays = state.fixed if still else state.arrays(numbers, leaves)
            if arrays is None:
                return MISS
            if state.ids and not state.ids.isdisjoint(map(id, feeds)) and runner.meets_state(leaves):
                return MISS
        try:
            bound = free.pop()
        except IndexError:
            bound = executable.bind([*feeds, *arrays])
        try:
            fetched = bound.call(feeds, arrays)
        finally:
            free.append(bound)
        if state.updated:
            state.wrote()
        return fresh(fetched[0], dtype)

    return run


def _is_fetch(outputs: TraceOutputs) -> bool:
    return outputs.tree.kind == "leaf" and outputs.leaves[0].kind == "fetch" and outputs.leaves[0].cut is None


def call_label(trace: Trace) -> str:
    """What the tape calls a call of a captured function."""
    return f"{trace.program.name} (compiled)"


def _rebuilder(outputs: TraceOutputs) -> Callable[[list[Any], Sequence[Any], StateArrays], Any]:
    """A function that puts the outputs into the structure in which the user's function returned them."""
    tree, leaves = outputs.tree, outputs.leaves
    if _is_fetch(outputs) and leaves[0].form == "same" and not leaves[0].stop_gradient:
        number = leaves[0].number
        return lambda made, given, state: made[number]
    if tree.kind == "const":
        value = tree.data
        return lambda made, given, state: value

    picks = [_picker(leaf) for leaf in leaves]
    if tree.kind == "leaf":
        return picks[0]
    if tree.kind == "tuple" and all(c.kind == "leaf" for c in tree.children):
        return lambda made, given, state: tuple([pick(made, given, state) for pick in picks])
    return lambda made, given, state: unflatten(tree, iter([pick(made, given, state) for pick in picks]))


_Pick: TypeAlias = Callable[[list[Any], Any, StateArrays], Any]


def _picker(leaf: OutputLeaf) -> _Pick:
    """What takes an output from the results, arguments and state of a call."""
    number = leaf.number
    if leaf.kind == "array" and (leaf.cut is not None or leaf.form != "same"):
        return array_picker(leaf, _picker)
    if leaf.cut is not None:
        return _view_picker(leaf, leaf.cut)
    if leaf.form != "same":
        same = _picker(replace(leaf, form="same"))
        return lambda made, given, state: _other(leaf, same(made, given, state))
    if leaf.kind == "fetch" and leaf.stop_gradient:
        return lambda made, given, state: made[number] if made[number].stop_gradient else made[number].detach()
    if leaf.kind == "fetch":
        return lambda made, given, state: made[number]
    if leaf.kind == "number":
        return lambda made, given, state: made[number]._storage.payload.item()
    if leaf.kind == "array":
        return lambda made, given, state: np.array(made[number]._storage.payload)
    if leaf.kind == "scalar":
        return lambda made, given, state: made[number]._storage.payload[()]
    if leaf.kind == "state":
        return lambda made, given, state: state.tensor(number, given)
    if leaf.kind in ("container", "outside", "new"):
        return lambda made, given, state: given.container(leaf.kind, number)  # of an Arguments
    return lambda made, given, state: given[number]


def _view_picker(leaf: OutputLeaf, cut: Cut) -> _Pick:
    """The same for a view of another output."""
    found, others = _picker(replace(leaf, cut=None)), [_picker(x) for x in cut.others]
    base: _Pick = _nothing if cut.base is None else _picker(cut.base)
    numbers: list[int] = []
    known = filled(cut, numbers.append)  # what a run adds are numbers

    def pick(made: list[Any], given: Any, state: StateArrays) -> Any:
        steps = filled(cut, lambda k: made[k]._storage.payload.item()) if numbers else known
        shown = found(made, given, state)
        return relate(base(made, given, state), shown, steps, [other(made, given, state) for other in others])

    return pick


def _nothing(made: list[Any], given: Any, state: StateArrays) -> None:
    """In the place of the tensor behind a view, where nobody else has its memory."""


def is_plain_view(leaf: OutputLeaf) -> bool:
    """Whether an output is a fetch that is cut from tensors of the call, none of them a view that comes out itself."""
    cut = leaf.cut
    if cut is None or leaf.kind != "fetch":
        return False
    plain = ("argument", "fetch", "state")
    return all(x.kind in plain and x.form == "same" and x.cut is None for x in (cut.base, *cut.others) if x is not None)


def _view_linker(leaf: OutputLeaf, cut: Cut, state: StateArrays) -> Callable[[list[Any], Any, Any], Any]:
    """What makes an output a view, of results and arguments of a call, where the result itself is made elsewhere."""
    numbers: list[int] = []
    steps = filled(cut, numbers.append)
    is_single = len(steps) == 1 and not numbers and not cut.others
    number = leaf.number
    if is_single and cut.base is None and leaf.kind == "fetch":
        return lambda made, given, arrays: relate(None, made[number], steps)
    if not (is_single and is_plain_view(leaf) and cut.base is not None and cut.base.kind == "argument"):
        pick = _view_picker(leaf, cut)
        return lambda made, given, arrays: pick(made, given, state)
    ((name, part),) = steps
    kind, argument = KINDS[name], cut.base.number

    def make_view(made: list[Any], given: Any, arrays: Any) -> None:
        base = given[argument]
        if isinstance(base, Tensor) and are_cuts(base, steps):
            link(base, made[number], kind, part)

    return make_view


def _other(leaf: OutputLeaf, found: Any) -> Tensor:
    """Another tensor over the memory of `found`, or with its value; with that of an array."""
    if not isinstance(found, Tensor):
        return _array_tensor(found)
    if leaf.form == "copy":
        return found.snapshot()
    alias = found.detach()
    alias._stop = leaf.stop_gradient
    return alias


def _array_tensor(array: Any) -> Tensor:
    return from_array(array.copy())


def make_runner(trace: Trace, options: CompileOptions = DEFAULT) -> Runner:
    """Compile a trace for plain calls, or as forward and backward when something wants gradients.

    Its results say which: the function may record (`enable_grad`) where its caller doesn't.
    """
    pair = None
    wrt = gradient_arguments(trace)
    wanted = bool(recorded_fetches(trace)) or (
        is_recording() and any(not (leaf.stop_gradient or leaf.apart) for leaf in trace.outputs.leaves)
    )
    if wrt and wanted:
        pair = GradientPrograms(trace.program, wrt, trace.callbacks, options, trace.read_in_backward)
        if not pair.made.gradients:
            pair = None
    executable = compile_lazily(trace.program, trace.callbacks, options) if pair is None else pair.forward
    return Runner(trace, executable, pair)


def gradient_arguments(trace: Trace) -> list[int]:
    """Numbers of the arguments (feeds, then state) that need gradients, from the start or as the function says."""
    told = [stop for stop in trace.stop_writes if not stop.value and not stop.at_end]
    numbers, tensors = {stop.argument for stop in told}, {id(stop.tensor) for stop in told}
    frozen = {id(stop.tensor) for stop in trace.stop_writes if stop.value and stop.at_end}  # before it was used
    found = [
        k for k, leaf in enumerate(trace.inputs.leaves)
        if not (leaf.stop_gradient and k not in numbers) and leaf.type.dtype.is_differentiable
    ]  # fmt: skip
    first = len(trace.inputs.leaves)
    found += [
        first + k for k, s in enumerate(trace.state)
        if s.slot == "data" and not (s.tensor.stop_gradient and id(s.tensor) not in tensors)
        and id(s.tensor) not in frozen and s.tensor.dtype.is_differentiable
    ]  # fmt: skip
    return found

"""The path of a call into a compiled entry: thin, no per-op Python. One closure per way of writing the call.

`match` tells whether the arguments have the entry's structure, dtypes and flags; sizes are looked up in the entry's
table; guards and the state's addresses are looked at again only where something may have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy import ndarray

from ..base.flags import flags
from ..base.pytree import unflatten
from ..dygraph import storage as cells
from ..dygraph.modes import GradMode, is_recording
from ..dygraph.nn.epoch import layer_epoch
from ..dygraph.places import user_place
from ..dygraph.storage import Storage
from ..dygraph.tensor import Tensor
from ..ops.types import TensorType
from .capture import put
from .guards import same
from .signature import Call, Leaf, is_leaf
from .traced import OutputLeaf, Outputs, StateTensor, Trace

MISS: Any = object()  # what a closure returns when the call isn't its own
Hot = Callable[[tuple[Any, ...], dict[str, Any]], Any]
_new: Any = object.__new__


class State:
    """The arrays of an entry's state tensors, taken again only when some cell changed its array."""

    def __init__(self, state: Sequence[StateTensor], kinds: Sequence[TensorType]) -> None:
        self.state = list(state)
        self.kinds = [(k.dtype, k.shape) for k in kinds]
        self.moves = any(s.slot == "grad" for s in state)
        self.updated = [s.tensor._storage for s in state if s.updated and s.slot == "data"]
        self.ids: set[int] = set()
        self._arrays: tuple[Any, ...] | None = None
        self._epoch = -1

    def arrays(self) -> tuple[Any, ...] | None:
        """The arrays, in private memory where the program writes; None when one no longer fits."""
        if self._epoch != cells.epoch or self.moves:
            return self._take()
        for cell in self.updated:
            if cell.shared:
                return self._take()
        return self._arrays

    def _take(self) -> tuple[Any, ...] | None:
        found = []
        for entry, (dtype, shape) in zip(self.state, self.kinds, strict=True):
            tensor: Any = entry.tensor if entry.slot == "data" else entry.tensor._grad
            if tensor is None or tensor._dtype is not dtype:
                return None
            cell = tensor._storage
            array = cell.own() if entry.updated else cell.payload
            if type(array) is not ndarray or not _fits(array.shape, shape):
                return None
            if entry.updated and not array.flags.writeable:
                cell.replace(array.copy())
            found.append(cell.payload)
        self._arrays = tuple(found)
        self.ids = {id(a) for a, entry in zip(found, self.state, strict=True) if entry.updated}
        self._epoch = cells.epoch
        return self._arrays

    def tensor(self, number: int) -> Tensor:
        """The tensor of a state entry."""
        entry = self.state[number]
        found = entry.tensor if entry.slot == "data" else entry.tensor._grad
        assert found is not None
        return found

    def wrote(self) -> None:
        """Count the writes that a run has done."""
        place = user_place()
        for cell in self.updated:
            cell.version += 1
            cell.place = place


def _fits(shape: tuple[int, ...], expected: tuple[Any, ...]) -> bool:
    return shape == expected or (
        len(shape) == len(expected) and all(not isinstance(e, int) or e == n for e, n in zip(expected, shape, strict=True))
    )


def feed_of(array: Any) -> Any:
    """An array as the machine reads it: contiguous and aligned."""
    return array if array.flags.carray or array.flags.c_contiguous and array.flags.aligned else array.copy("C")


class Runner:
    """Runs one entry on leaves that are known to fit, and wraps what comes out."""

    def __init__(self, trace: Trace, executable: Any, pair: Any) -> None:
        program = trace.program
        self.trace = trace
        self.executable = executable
        self.pair = pair
        self.state = State(trace.state, [v.tensor_type for v in program.state_values])
        self.dtypes = [v.tensor_type.dtype for v in program.fetches]
        self.rebuild = _rebuilder(trace.outputs)
        self.writes = bool(trace.grad_writes or trace.tensor_writes or trace.attribute_writes)
        self.single = len(self.dtypes) == 1 and pair is None and not self.writes and _is_fetch(trace.outputs)
        self.recorded = _recorded(trace) if pair is not None else []
        self.free: dict[tuple[tuple[int, ...], ...], list[Any]] = {}
        self.label = f"{program.name} (compiled)"
        self.executable_source = trace.program if pair is None else pair.made.forward

    def admit(self, shapes: tuple[tuple[int, ...], ...], feeds: Sequence[Any]) -> list[Any]:
        """Make room for calls with these shapes. GuardError when the program's assumptions don't hold for them."""
        state = self.state.arrays()
        assert state is not None
        bound = self.executable.bind([*feeds, *state])
        if len(self.free) >= 64:
            self.free.clear()
        free = self.free.setdefault(shapes, [])
        free.append(bound)
        return free

    def run(self, leaves: Sequence[Any], feeds: list[Any], free: list[Any]) -> Any:
        """One call; MISS when the state no longer fits the program."""
        state = self.state
        arrays = state.arrays() if state.state else ()
        if arrays is None:
            return MISS
        if state.ids:
            feeds = [a.copy() if id(a) in state.ids else a for a in feeds]
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
        if self.single:
            cell = _new(Storage)
            cell.payload, cell.version, cell.shared, cell.place = fetched[0], 0, False, None
            made = _new(Tensor)
            made._storage, made._dtype = cell, self.dtypes[0]
            return made
        return self._finish(leaves, feeds, arrays, fetched)

    def _finish(self, leaves: Sequence[Any], feeds: list[Any], arrays: tuple[Any, ...], fetched: list[Any]) -> Any:
        made = []
        for array, dtype in zip(fetched, self.dtypes, strict=False):
            cell = _new(Storage)
            cell.payload, cell.version, cell.shared, cell.place = array, 0, False, None
            tensor = _new(Tensor)
            tensor._storage, tensor._dtype = cell, dtype
            made.append(tensor)
        if self.pair is not None:
            arguments = [*leaves, *[s.tensor for s in self.trace.state]]
            outputs = [(k, made[k]) for k in self.recorded]
            self.pair.record(self.label, arguments, [*feeds, *arrays], fetched, outputs)
        result = self.rebuild(made, leaves, self.state)
        if self.writes:
            self._write(made, leaves)
        return result

    def _write(self, made: list[Any], leaves: Sequence[Any]) -> None:
        trace = self.trace
        for write in trace.tensor_writes:
            target = leaves[write.argument]
            if isinstance(target, Tensor):  # an array was copied into a tensor of its own, which nobody sees
                with GradMode(False):
                    target._write(made[write.fetch])
        for grad in trace.grad_writes:
            where, number = grad.target
            owner = leaves[number] if where == "argument" else trace.state[number].tensor
            if isinstance(owner, Tensor):
                owner._grad = None if grad.fetch is None else made[grad.fetch]
                owner._grad_is_zero = grad.is_zero
        for item in trace.attribute_writes:
            put(item.owner, item.name, _rebuilder(item.value)(made, leaves, self.state))
        if trace.attribute_writes:
            layer_epoch.value += 1  # `put` goes past the layers' own setters


def _is_fetch(outputs: Outputs) -> bool:
    return outputs.tree.kind == "leaf" and outputs.leaves[0].kind == "fetch"


def _recorded(trace: Trace) -> list[int]:
    """The fetches that get a place on the tape."""
    every = [*trace.outputs.leaves, *(leaf for w in trace.attribute_writes for leaf in w.value.leaves)]
    found = {leaf.number for leaf in every if leaf.kind == "fetch" and not leaf.stop_gradient}
    fetches = trace.program.fetches
    return sorted(k for k in found if fetches[k].tensor_type.dtype.is_differentiable)


def _rebuilder(outputs: Outputs) -> Callable[[list[Any], Sequence[Any], State], Any]:
    """A function that puts the outputs into the structure in which the user's function returned them."""
    tree, leaves = outputs.tree, outputs.leaves
    if _is_fetch(outputs):
        number = leaves[0].number
        return lambda made, given, state: made[number]
    if tree.kind == "const":
        value = tree.data
        return lambda made, given, state: value

    def pick(leaf: OutputLeaf, made: list[Any], given: Sequence[Any], state: State) -> Any:
        if leaf.kind == "fetch":
            found = made[leaf.number]
            return found.detach() if leaf.stop_gradient and not found.stop_gradient else found
        if leaf.kind == "state":
            return state.tensor(leaf.number)
        found = given[leaf.number]
        return found if isinstance(found, Tensor) else _array_tensor(found)

    if tree.kind == "tuple" and all(c.kind == "leaf" for c in tree.children):
        return lambda made, given, state: tuple([pick(leaf, made, given, state) for leaf in leaves])
    return lambda made, given, state: unflatten(tree, iter([pick(leaf, made, given, state) for leaf in leaves]))


def _array_tensor(array: Any) -> Tensor:
    from ..dygraph.eager import from_array  # eager mode is loaded by then; here only for arrays given as arguments

    return from_array(array.copy())


# ---- matching a call with an entry


def make_hot(runner: Runner, guards: Any, call: Call, raw: tuple[tuple[Any, ...], dict[str, Any]], recording: bool) -> Hot:
    """The closure for calls written like `raw`; `call` is the same call in normal form."""
    args, kwargs = raw
    names = tuple(kwargs)
    matchers = [_matcher(v) for v in (*args, *kwargs.values())]
    order = _order([*args, *kwargs.values()], call.leaves)
    count, dtype = len(args), flags.default_dtype
    free_of, run, hold, check = runner.free, runner.run, guards.hold, bool(guards)
    simple = not names and order is None and all(isinstance(m, Leaf) and m.kind is not ndarray for m in matchers)
    kinds = tuple([(m.kind, m.dtype, m.stop_gradient) for m in matchers if isinstance(m, Leaf)])

    def hot_simple(given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if named or len(given) != count:
            return MISS
        feeds = []
        shapes = []
        for x, (kind, wanted, stop) in zip(given, kinds):  # noqa: B905 - equally long, and strict costs time
            if type(x) is not kind or x._dtype is not wanted or x.stop_gradient is not stop:
                return MISS
            array = x._storage.payload
            if type(array) is not ndarray:
                return MISS
            feeds.append(array)
            shapes.append(array.shape)
        free = free_of.get(tuple(shapes))
        if free is None or is_recording() is not recording or flags.default_dtype is not dtype:
            return MISS
        if check and not hold():
            return MISS
        return run(given, feeds, free)

    def hot(given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if len(given) != count or tuple(named) != names:
            return MISS
        leaves: list[Any] = []
        for x, matcher in zip((*given, *named.values()), matchers, strict=True):
            if not _matches(x, matcher, leaves):
                return MISS
        if order is not None:
            leaves = [leaves[k] for k in order]
        feeds = [x if type(x) is ndarray else x._storage.payload for x in leaves]
        free = free_of.get(tuple([a.shape for a in feeds]))
        if free is None or is_recording() is not recording or flags.default_dtype is not dtype:
            return MISS
        if check and not hold():
            return MISS
        return run(leaves, [feed_of(a) for a in feeds], free)

    return hot_simple if simple else hot


def _order(values: list[Any], leaves: list[Any]) -> list[int] | None:
    """Where each leaf of the normal form stands among the leaves as written; None for the same order."""
    from ..base.pytree import flatten

    written = flatten(values, is_leaf)[0]
    if all(a is b for a, b in zip(written, leaves, strict=True)):
        return None
    places: dict[int, list[int]] = {}
    for k, leaf in enumerate(written):
        places.setdefault(id(leaf), []).append(k)
    return [places[id(leaf)].pop(0) for leaf in leaves]


def _matcher(value: Any) -> Any:
    """What an argument is compared with: a Leaf, a (type, parts) pair, or the value itself."""
    if isinstance(value, ndarray):
        from ..base.dtype import of_array

        return Leaf(ndarray, of_array(value), value.ndim, True)
    if isinstance(value, Tensor):
        return Leaf(type(value), value._dtype, value.ndim, value.stop_gradient)
    if type(value) in (tuple, list):
        return _Parts(type(value), None, tuple([_matcher(v) for v in value]))
    if type(value) is dict:
        return _Parts(dict, tuple(value), tuple([_matcher(v) for v in value.values()]))
    return _Constant(value)


class _Parts:
    __slots__ = ("keys", "kind", "parts")

    def __init__(self, kind: type, keys: tuple[Any, ...] | None, parts: tuple[Any, ...]) -> None:
        self.kind, self.keys, self.parts = kind, keys, parts


class _Constant:
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def _matches(value: Any, matcher: Any, leaves: list[Any]) -> bool:
    if type(matcher) is Leaf:
        if type(value) is not matcher.kind:
            return False
        leaves.append(value)
        if matcher.kind is ndarray:
            return value.dtype == matcher.dtype.numpy  # type: ignore[no-any-return]
        array = value._storage.payload
        return (
            value._dtype is matcher.dtype and value.stop_gradient is matcher.stop_gradient and type(array) is ndarray
        )
    if type(matcher) is _Parts:
        if type(value) is not matcher.kind or len(value) != len(matcher.parts):
            return False
        if matcher.keys is not None:
            if tuple(value) != matcher.keys:
                return False
            value = value.values()
        return all([_matches(v, m, leaves) for v, m in zip(value, matcher.parts, strict=True)])
    return _equal(value, matcher.value)


def _equal(value: Any, known: Any) -> bool:
    """Equal in type and bits for numbers; the same object otherwise. A container unlike list and dict never matches."""
    if value is known:
        return not _holds_leaves(value)
    if type(value) is float and type(known) is float:
        return repr(value) == repr(known)
    return isinstance(value, (int, str, bytes)) and same(value, known)


def _holds_leaves(value: Any) -> bool:
    return hasattr(value, "_fields") or hasattr(value, "__dataclass_fields__") or isinstance(value, dict)

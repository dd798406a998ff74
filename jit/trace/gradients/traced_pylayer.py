"""PyLayer under a trace: one opaque callback of the program, and another one as its gradient.

The types of the results are learnt from trial runs of forward (see pylayer_trials.py). With gradients, the forward
callback has one more result: the handle of its context (an int64), which the gradient callback takes back, so that
each call, in loops too, meets its own context.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....base import dtype as dt
from ....base.errors import CallbackError
from ....base.frame_marks import opaque
from ....base.location import caller_loc
from ....base.pytree import Tree, flatten, unflatten
from ....dygraph.eager import from_array
from ....dygraph.modes import GradMode, is_recording
from ....dygraph.pylayer import Inputs, PyLayerContext, arrived, collect_inputs, is_tensor, run_backward, run_forward
from ....dygraph.tensor import Tensor
from ....ir.core import Value
from ....ops.dispatch import bottom, using
from ....ops.types import TensorType
from ..tracer import Tracer
from .given_gradients import gradients_given
from .pylayer_state import LayerState, apply_writes, changed, slot_of, typed, watched_tensors
from .pylayer_tape import moved, refuse_leaves, taped
from .pylayer_trials import Trial, TrialFacts, handled_kinds, roots_of_call, unhandled

NO_STATE = LayerState("")
HANDLE = TensorType(dt.int64, ())


class Contexts:
    """Contexts of forward calls, by handle; those that backward has used go first when there are too many."""

    def __init__(self, most_used: int = 256, most: int = 65_536) -> None:
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Any] = {}
        self._used: dict[int, Any] = {}
        self._lock = threading.Lock()
        self._limits = most_used, most

    def add(self, context: Any) -> int:
        """Keep a context; its handle."""
        with self._lock:
            handle = next(self._numbers)
            self._waiting[handle] = context
            if len(self._waiting) > self._limits[1]:
                self._waiting.pop(next(iter(self._waiting)))
            return handle

    def use(self, handle: int) -> Any:
        """The context of a handle; None if it is gone."""
        with self._lock:
            found = self._waiting.pop(handle, None) or self._used.pop(handle, None)
            if found is not None:
                self._used[handle] = found
                if len(self._used) > self._limits[0]:
                    self._used.pop(next(iter(self._used)))
            return found


CONTEXTS = Contexts()


@dataclass(slots=True)
class _Learnt:
    """What trial runs told: the callback's name, and what `TrialFacts` says of it.

    cells: tensors whose memory it writes, beside those that the function has changed before.
    """

    name: str
    told: TrialFacts
    given: tuple[bool, ...] | None  # which tensors its backward gives gradients for; None: a run decides
    state: LayerState
    cells: tuple[Tensor, ...]
    call: Trial
    record: Record
    backward: Any = None  # what a trial of its backward told, where a block's gradient runs it (see pylayer_tape.py)


@opaque
def trace_layer(tracer: Tracer, cls: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Record `cls.apply(*args, **kwargs)` as a callback; the traced results."""
    inputs = collect_inputs(args, kwargs)
    values = [tracer.value_of(x) for x in inputs.tensors]
    tracer.recorded = tracer.recorded or is_recording()
    tracked = is_recording() and any(not x.stop_gradient and x.dtype.is_differentiable for x in inputs.tensors)
    for k, x in enumerate(inputs.tensors):
        if not x.stop_gradient:
            tracer.note(values[k], x)
        elif tracked and values[k] in tracer.reached:
            values[k] = tracer.without_gradient(values[k])
    learnt, more = _learn(tracer, cls, args, kwargs, inputs, tracked, values)
    told = learnt.told
    if tracked:
        refuse_leaves(cls, inputs.tensors, told.returned.values())
    attrs: dict[str, Any] = {}
    outputs = [*told.types, *learnt.state.types]
    if tracked:
        form = "partial layer" if learnt.given is None else "layer"
        attrs = {"gradient": f"{learnt.name}.backward", "form": form}
        for k, given in enumerate(learnt.given or ()):
            values[k] = values[k] if given or values[k] not in tracer.reached else tracer.without_gradient(values[k])
        outputs.append(HANDLE)
    made = tracer.builder.callback(learnt.name, [*values, *more], outputs, **attrs)
    operation = made[0].operation
    assert operation is not None
    kept = [tracked and d for d in told.differentiable]
    if tracer.layers.follows_state:
        results = taped(tracer, operation, kept, learnt.call, learnt.record, inputs.slots)
    else:
        results = tracer.results_of(operation, [*kept, *[False] * tracked])[: len(kept)]
    apply_writes(tracer, learnt.state.written, made[len(told.types) :], inputs.tensors, results)
    for k, number in told.returned.items():
        results[k] = moved(tracer, inputs.tensors[number], results[k])
    return unflatten(told.tree, iter(results))


def _learn(
    tracer: Tracer, cls: Any, args: Sequence[Any], kwargs: dict[str, Any], inputs: Inputs, tracked: bool,
    values: Sequence[Value],
) -> tuple[_Learnt, list[Value]]:  # fmt: skip
    """What is known of such a call, and the program's values for the state that it gets."""
    leaves, tree = flatten((tuple(args), kwargs), is_tensor)
    types = tuple(TensorType(x.dtype, tuple(x.shape)) for x in leaves)
    stops = tuple(x.stop_gradient or not tracked for x in leaves)
    what = f"{cls.__name__}.forward"
    slots, given = changed(tracer, roots_of_call(cls, tree), what)
    handled = handled_kinds(tracer, cls)
    key = cls, stops, str(types), [s.signature() for s in slots], handled
    for known_key, known_trees, learnt in tracer.layers.forwards:
        if known_key == key and _same_tree(known_trees, [tree, *(s.tree for s in slots)]):
            return learnt, [*given, *map(tracer.elements_of, learnt.cells)]
    trial = Trial(tracer, cls, tree, types, stops, values, LayerState(what, tuple(slots)), given)
    told = trial.forward()
    if not tracer.layers.follows_state:
        told = replace(told, written=[], left=[], returned={})
    tracer.layers.left += [(place, what, caller_loc()) for place in told.left]
    known = {id(s.owner) for s in slots if s.kind == "cell"}
    cells = tuple(w.owner for w in told.written if w.kind == "cell" and id(w.owner) not in known)
    written = tuple(typed(w, inputs.tensors) for w in told.written)
    state = LayerState(what, (*slots, *map(slot_of, cells)), written)
    if tracer.layers.follows_state:
        state = watched_tensors(tracer, roots_of_call(cls, tree), state)
    name = tracer.callback_name(f"{cls.__module__}.{cls.__qualname__}")
    gives = gradients_given(cls, len(inputs.tensors), inputs.slots)
    record = Record(cls, tree, stops, inputs.slots, len(told.types), gives is None, gives or (), state, handled)
    learnt = _Learnt(name, told, gives, state, cells, trial, record)
    tracer.callbacks[name] = record.forward if not tracked else record.forward_with_handle
    tracer.layers.callbacks[name] = roots_of_call(cls, tree), what
    if tracked:
        tracer.callbacks[f"{name}.backward"] = record.backward
        tracer.layers.callbacks[f"{name}.backward"] = roots_of_call(cls, tree), f"{cls.__name__}.backward"
    tracer.layers.forwards.append((key, [tree, *(s.tree for s in slots)], learnt))
    return learnt, [*given, *map(tracer.elements_of, cells)]


def _same_tree(a: Any, b: Any) -> bool:
    try:
        return bool(a == b)
    except Exception:  # broad: constants of any type, whose comparison may fail
        return False


# ---- at run time


@dataclass(slots=True)
@opaque
class Record:
    """One way of calling a PyLayer: its class, the arguments' structure, and which of its tensors want gradients."""

    cls: Any
    tree: Tree
    stops: tuple[bool, ...]
    slots: tuple[int | None, ...]
    count: int
    is_partial: bool = False  # whether a run decides which gradients there are: its backward tells
    given: tuple[bool, ...] = ()  # else, if known, for which tensors its backward gives one
    state: LayerState = NO_STATE
    handled: tuple[type[BaseException], ...] = ()  # what the function itself would handle if forward raised it there

    def _call(self, arrays: Sequence[Any]) -> tuple[PyLayerContext, Any, list[Tensor]]:
        tensors = []
        for array, stop in zip(arrays, self.stops, strict=True):
            made = from_array(np.array(array, order="C"))
            made.stop_gradient = stop
            tensors.append(made)
        args, kwargs = unflatten(self.tree, iter(tensors))
        ctx = PyLayerContext()
        try:
            outputs = run_forward(self.cls, ctx, args, kwargs)
        except self.handled as error:
            raise unhandled(self.cls, error) from error
        if len(outputs.tensors) != self.count:
            raise CallbackError(
                f"{self.cls.__name__}.forward returned {len(outputs.tensors)} tensors, before it were {self.count}"
            )
        return ctx, outputs, tensors

    def forward(self, *arrays: Any) -> list[Any]:
        """The forward callback where no gradient is wanted."""
        count = len(self.stops)
        with using(bottom()), self.state.around(arrays[count:]):
            _, outputs, tensors = self._call(arrays[:count])
            return [*(y._storage.payload for y in outputs.tensors), *self.state.taken(tensors)]

    def forward_with_handle(self, *arrays: Any) -> list[Any]:
        """The forward callback; its last result is the handle of its context."""
        count = len(self.stops)
        with using(bottom()), self.state.around(arrays[count:]):
            ctx, outputs, tensors = self._call(arrays[:count])
            constant = [
                any(y is c for c in ctx._constant_outputs) or not y.dtype.is_differentiable for y in outputs.tensors
            ]
            handle = CONTEXTS.add((ctx, [_Spec(y.dtype, y.shape) for y in outputs.tensors],
                                   [_Spec(x.dtype, x.shape) for x in tensors], constant,
                                   [_Spec(dt.of_array(a), a.shape) for a in arrays[count:]]))  # fmt: skip
            results = [*(y._storage.payload for y in outputs.tensors), *self.state.taken(tensors)]
            return [*results, np.asarray(handle, np.int64)]

    def backward(self, handle: Any, there: Any, *arrays: Any) -> list[Any]:
        """The gradient callback: gradients of the float results in, those of the float inputs out.

        there: which of the gradients there are at all; the others are zeros.
        """
        found = CONTEXTS.use(int(handle))
        if found is None:
            raise CallbackError(
                f"the context of {self.cls.__name__} for this backward is gone", remedy="call backward sooner"
            )
        ctx, specs, inputs, constant, more = found
        given = iter([from_array(np.array(g, order="C")) if n else None for g, n in zip(arrays, there, strict=True)])
        with using(bottom()), GradMode(False):
            grads = [next(given) if s.dtype.is_differentiable else None for s in specs]
            ready = arrived(ctx, grads, specs, constant)
            made = run_backward(self.cls, ctx, ready, inputs, self.slots, [not s for s in self.stops])
            pairs = [(g, s) for g, s in zip(made, inputs, strict=True) if s.dtype.is_differentiable]
            pairs += [(None, s) for s in more if s.dtype.is_differentiable]
            self._check(made)
            found = [np.zeros(tuple(s.shape), s.dtype.numpy) if g is None else g._storage.payload for g, s in pairs]
            return [*found, *(np.asarray(g is not None) for g, _ in pairs)] if self.is_partial else found

    def backward_within(self, state: LayerState) -> Callable[..., list[Any]]:
        """The gradient callback that gets state around it at the end, and gives what it writes of that."""

        def run(handle: Any, there: Any, *arrays: Any) -> list[Any]:
            count = len(arrays) - state.arrays
            with state.around(arrays[count:]):
                return [*self.backward(handle, there, *arrays[:count]), *state.taken(())]

        return run

    def _check(self, made: Sequence[Any]) -> None:
        """CallbackError where a gradient is missing that the program takes to be there in every run."""
        for k, given in enumerate(self.given):
            if given and made[k] is None and not self.stops[k]:
                raise CallbackError(
                    f"{self.cls.__name__}.backward returned None for input {k}: expected a gradient, because its own "
                    "code has no None",
                    remedy="write the None in backward itself: the program then asks in each run",
                )


@dataclass(frozen=True, slots=True)
class _Spec:
    dtype: Any
    shape: Any

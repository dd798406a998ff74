"""PyLayer under a trace: one opaque callback of the program, and another one as its gradient.

The types of the results are learnt from one run of the user's forward on made-up arrays. With gradients, the forward
callback has one more result: the handle of its context (an int64), which the gradient callback takes back, so that
each call, in loops too, meets its own context.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....base import dtype as dt
from ....base.dtype import DType
from ....base.errors import CallbackError, CaptureError
from ....base.location import caller_loc
from ....base.pytree import Tree, flatten, unflatten
from ....dygraph.eager import from_array
from ....dygraph.modes import GradMode, is_recording
from ....dygraph.pylayer import Inputs, PyLayerContext, arrived, collect_inputs, is_tensor, run_backward, run_forward
from ....dygraph.random_generators import default_generator
from ....dygraph.tensor import Tensor
from ....ir.core import Value
from ....ops.dims import Dim, DimLike, evaluate, same_dim
from ....ops.dispatch import bottom, outside_traces, using
from ....ops.types import TensorType
from ..state.rollback import Objects
from ..tracer import Tracer
from .example_values import example_values
from .given_gradients import gradients_given

_PRIMES = (23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107)
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
    """What a trial run told: the callback's name, the results' types and structure, which of them carry gradients."""

    name: str
    outputs: tuple[TensorType, ...]
    tree: Tree
    differentiable: tuple[bool, ...]
    given: tuple[bool, ...] | None  # which tensors its backward gives gradients for; None: a run decides


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
    learnt = _learn(tracer, cls, args, kwargs, inputs, tracked, values)
    attrs: dict[str, Any] = {}
    outputs = list(learnt.outputs)
    if tracked:
        form = "partial layer" if learnt.given is None else "layer"
        attrs = {"gradient": f"{learnt.name}.backward", "form": form}
        for k, given in enumerate(learnt.given or ()):
            values[k] = values[k] if given or values[k] not in tracer.reached else tracer.without_gradient(values[k])
        outputs.append(HANDLE)
    results = tracer.builder.callback(learnt.name, values, outputs, **attrs)
    operation = results[0].operation
    assert operation is not None
    kept = [tracked and d for d in learnt.differentiable] + [False] * tracked
    made = tracer.results_of(operation, kept)
    return unflatten(learnt.tree, iter(made[: len(learnt.outputs)]))


def _learn(
    tracer: Tracer, cls: Any, args: Sequence[Any], kwargs: dict[str, Any], inputs: Inputs, tracked: bool,
    values: Sequence[Value],
) -> _Learnt:  # fmt: skip
    leaves, tree = flatten((tuple(args), kwargs), is_tensor)
    types = tuple(TensorType(x.dtype, tuple(x.shape)) for x in leaves)
    stops = tuple(x.stop_gradient or not tracked for x in leaves)
    for known_cls, known_tree, known_types, known_stops, learnt in tracer.layers:
        if (
            known_cls is cls
            and known_stops == stops
            and str(known_types) == str(types)
            and _same_tree(known_tree, tree)
        ):
            return learnt  # type: ignore[no-any-return]
    differentiable, outputs, out_tree = _trial(tracer, cls, tree, types, stops, values)
    name = tracer.callback_name(f"{cls.__module__}.{cls.__qualname__}")
    given = gradients_given(cls, len(inputs.tensors), inputs.slots)
    learnt = _Learnt(name, outputs, out_tree, differentiable, given)
    record = Record(cls, tree, stops, inputs.slots, len(outputs), given is None, given or ())
    tracer.callbacks[name] = record.forward if not tracked else record.forward_with_handle
    if tracked:
        tracer.callbacks[f"{name}.backward"] = record.backward
    tracer.layers.append((cls, tree, types, stops, learnt))
    return learnt


def _same_tree(a: Tree, b: Tree) -> bool:
    try:
        return bool(a == b)
    except Exception:  # broad: constants of any type, whose comparison may fail
        return False


# ---- the trial run


def _trial(
    tracer: Tracer, cls: Any, tree: Tree, types: Sequence[TensorType], stops: Sequence[bool], values: Sequence[Value]
) -> tuple[tuple[bool, ...], tuple[TensorType, ...], Tree]:
    symbols = sorted({s for kind in types for d in kind.shape if isinstance(d, Dim) for s in d.symbols()})
    taken = {d for kind in types for d in kind.shape if isinstance(d, int)}
    primes = [p for p in _PRIMES if p not in taken]
    choices: list[Mapping[str, int]] = [dict(zip(symbols, primes, strict=False))]
    if symbols and tracer.hints is not None:
        choices.append(tracer.hints)
    raised: Exception | None = None
    for fill in _fills(tracer, values):
        for sizes in choices:
            try:
                with _undone(cls, tree):
                    ctx, made = _run(cls, tree, types, stops, sizes, fill)
            except Exception as error:  # broad: made-up sizes and elements may not suit the user's code
                if raised is None or fill.suits(types, sizes):
                    raised = error
                continue
            constant = [id(c) for c in ctx._constant_outputs]
            kept = tuple(y.dtype.is_differentiable and id(y) not in constant for y in made.tensors)
            found = [[_candidates(d, sizes) for d in y.shape] for y in made.tensors]
            if any(len(c) > 1 and _is_guess(c[0], symbols) for shape in found for c in shape):
                others = {
                    name: 2 * value for name, value in sizes.items()
                }  # what suits the hints may suit them doubled
                others |= dict(zip(symbols, primes[len(symbols) :], strict=False)) if sizes is choices[0] else {}
                found = _told_apart(found, _shapes(cls, tree, types, stops, others, fill), others)
            results = tuple(
                TensorType(y.dtype, tuple(c[0] for c in shape)) for y, shape in zip(made.tensors, found, strict=True)
            )
            return kept, results, made.tree
    assert raised is not None
    if example_values(tracer, values, lambda name: _apart(tracer.callbacks.get(name))) is not None:
        raise raised  # as in eager mode
    raise CaptureError(
        f"{cls.__name__}.forward raised {type(raised).__name__} in a trial run on made-up elements, which tells the "
        f"types of its results: {raised}",
        loc=caller_loc(),
        remedy="let forward accept elements that are all 1, or check the arguments in the function",
    ) from raised


def _is_guess(size: DimLike, symbols: Sequence[str]) -> bool:
    return not any(same_dim(size, Dim.symbol(name)) for name in symbols)


def _shapes(
    cls: Any, tree: Tree, types: Sequence[TensorType], stops: Sequence[bool], sizes: Mapping[str, int], fill: _Fill
) -> list[list[int]] | None:
    """The shapes of the results for other sizes; None where these don't suit the user's code."""
    try:
        with _undone(cls, tree):
            return [list(y.shape) for y in _run(cls, tree, types, stops, sizes, fill)[1].tensors]
    except Exception:  # broad: as of the first trial
        return None


def _told_apart(
    found: list[list[list[DimLike]]], shapes: list[list[int]] | None, sizes: Mapping[str, int]
) -> list[list[list[DimLike]]]:
    """The candidates that fit a second trial, too; without one, sizes that nothing but arithmetic links stay fixed."""
    if shapes is None or [len(s) for s in shapes] != [len(s) for s in found]:
        return [[c if not _is_guess(c[0], list(sizes)) else c[-1:] for c in shape] for shape in found]
    return [
        [[d for d in c if evaluate(d, sizes) == size] or c for c, size in zip(shape, again, strict=True)]
        for shape, again in zip(found, shapes, strict=True)
    ]


@dataclass(slots=True)
class _Fill:
    """Elements for a trial run: `make(number, shape, dtype)`. known: of a call, what its tensors are."""

    make: Callable[[int, tuple[int, ...], DType], Any]
    known: Sequence[Any] | None = None

    def suits(self, types: Sequence[TensorType], sizes: Mapping[str, int]) -> bool:
        """Whether they are what the call has, whole."""
        shapes = [_sized(kind, sizes) for kind in types]
        return self.known is not None and [a.shape for a in self.known] == shapes


def _fills(tracer: Tracer, values: Sequence[Value]) -> Iterator[_Fill]:
    """Made-up elements, then those of the call that is captured, then others: code may check what it is given."""
    rng = np.random.default_rng(0)
    yield _Fill(lambda k, shape, d: rng.uniform(0.1, 1.0, shape) if d.is_floating else rng.integers(0, 2, shape))
    known = example_values(tracer, values, lambda name: _apart(tracer.callbacks.get(name)))
    if known is not None:
        yield _Fill(lambda k, shape, d: np.resize(known[k], shape), known)
    yield _Fill(lambda k, shape, d: np.ones(shape))
    yield _Fill(lambda k, shape, d: np.zeros(shape))


def _apart(callback: Any) -> Any:
    """The forward of a PyLayer, without what it leaves behind; None for other callbacks."""
    record = getattr(callback, "__self__", None)
    if not isinstance(record, Record):
        return None

    def run(*arrays: Any) -> Any:
        with _undone(record.cls, record.tree), outside_traces(), GradMode(True), _own_stream():
            return callback(*arrays)

    return run


def _sized(kind: TensorType, sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(int(evaluate(d, sizes)) for d in kind.shape)


def _run(
    cls: Any, tree: Tree, types: Sequence[TensorType], stops: Sequence[bool], sizes: Mapping[str, int], fill: _Fill
) -> Any:  # fmt: skip
    tensors = []
    with outside_traces(), GradMode(True), _own_stream():
        for number, (kind, stop) in enumerate(zip(types, stops, strict=True)):
            elements = fill.make(number, _sized(kind, sizes), kind.dtype)
            made = from_array(np.asarray(elements).astype(kind.dtype.numpy))
            made.stop_gradient = stop
            tensors.append(made)
        args, kwargs = unflatten(tree, iter(tensors))
        ctx = PyLayerContext()
        return ctx, run_forward(cls, ctx, args, kwargs)


@contextmanager
def _own_stream() -> Iterator[None]:
    """Random numbers of a trial run don't touch the generator."""
    cell = default_generator.state._storage
    payload, version, shared = cell.payload, cell.version, cell.shared
    cell.payload, cell.shared = np.zeros(2, np.int64), False
    try:
        yield
    finally:
        cell.payload, cell.version, cell.shared = payload, version, shared


@contextmanager
def _undone(cls: Any, tree: Tree) -> Iterator[None]:
    """What a trial run changes outside of its tensors is as it was before, as each call runs `forward` again."""
    args, kwargs = unflatten(tree, itertools.repeat(None))
    before = Objects([cls, cls.forward, *args, *kwargs.values()], own=())
    try:
        yield
    finally:
        before.undo(keep_new=False)


def _candidates(size: int, sizes: Mapping[str, int]) -> list[DimLike]:
    """What a size of a trial's result may be in terms of the symbols, the likeliest first; the size itself, last."""
    symbols = {name: Dim.symbol(name) for name in sizes}
    found: list[DimLike] = [symbols[name] for name, value in sizes.items() if size == value]
    for (a, x), (b, y) in itertools.combinations_with_replacement(sizes.items(), 2):
        for made, dim in ((x * y, symbols[a] * symbols[b]), (x + y, symbols[a] + symbols[b])):
            if size == made and size > max(_PRIMES[0], 1):
                found.append(dim)
    for name, value in sizes.items():
        found += [symbols[name] * factor for factor in range(2, 9) if size == factor * value]
        found += [symbols[name] + shift for shift in range(-4, 5) if shift and size == value + shift]
    return [*found, size]


# ---- at run time


@dataclass(slots=True)
class Record:
    """One way of calling a PyLayer: its class, the arguments' structure, and which of its tensors want gradients."""

    cls: Any
    tree: Tree
    stops: tuple[bool, ...]
    slots: tuple[int | None, ...]
    count: int
    is_partial: bool = False  # whether a run decides which gradients there are: its backward tells
    given: tuple[bool, ...] = ()  # else, if known, for which tensors its backward gives one

    def _call(self, arrays: Sequence[Any]) -> tuple[PyLayerContext, Any, list[Tensor]]:
        tensors = []
        for array, stop in zip(arrays, self.stops, strict=True):
            made = from_array(np.array(array, order="C"))
            made.stop_gradient = stop
            tensors.append(made)
        args, kwargs = unflatten(self.tree, iter(tensors))
        ctx = PyLayerContext()
        outputs = run_forward(self.cls, ctx, args, kwargs)
        if len(outputs.tensors) != self.count:
            raise CallbackError(
                f"{self.cls.__name__}.forward returned {len(outputs.tensors)} tensors, before it were {self.count}"
            )
        return ctx, outputs, tensors

    def forward(self, *arrays: Any) -> list[Any]:
        """The forward callback where no gradient is wanted."""
        with using(bottom()):
            _, outputs, _ = self._call(arrays)
            return [y._storage.payload for y in outputs.tensors]

    def forward_with_handle(self, *arrays: Any) -> list[Any]:
        """The forward callback; its last result is the handle of its context."""
        with using(bottom()):
            ctx, outputs, tensors = self._call(arrays)
            constant = [
                any(y is c for c in ctx._constant_outputs) or not y.dtype.is_differentiable for y in outputs.tensors
            ]
            handle = CONTEXTS.add((ctx, [_Spec(y.dtype, y.shape) for y in outputs.tensors],
                                   [_Spec(x.dtype, x.shape) for x in tensors], constant))  # fmt: skip
            return [*(y._storage.payload for y in outputs.tensors), np.asarray(handle, np.int64)]

    def backward(self, handle: Any, there: Any, *arrays: Any) -> list[Any]:
        """The gradient callback: gradients of the float results in, those of the float inputs out.

        there: which of the gradients there are at all; the others are zeros.
        """
        found = CONTEXTS.use(int(handle))
        if found is None:
            raise CallbackError(
                f"the context of {self.cls.__name__} for this backward is gone", remedy="call backward sooner"
            )
        ctx, specs, inputs, constant = found
        given = iter([from_array(np.array(g, order="C")) if n else None for g, n in zip(arrays, there, strict=True)])
        with using(bottom()), GradMode(False):
            grads = [next(given) if s.dtype.is_differentiable else None for s in specs]
            ready = arrived(ctx, grads, specs, constant)
            made = run_backward(self.cls, ctx, ready, inputs, self.slots, [not s for s in self.stops])
            pairs = [(g, s) for g, s in zip(made, inputs, strict=True) if s.dtype.is_differentiable]
            self._check(made)
            found = [np.zeros(tuple(s.shape), s.dtype.numpy) if g is None else g._storage.payload for g, s in pairs]
            return [*found, *(np.asarray(g is not None) for g, _ in pairs)] if self.is_partial else found

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

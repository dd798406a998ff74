"""Trial runs of a PyLayer at capture: the types of its results, and what it writes of the state around it.

They run on made-up elements, or, where these don't suit the user's code, on those of the call that is captured.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....base.dtype import DType
from ....base.errors import CaptureError
from ....base.frame_marks import opaque
from ....base.location import caller_loc
from ....base.pytree import Tree, unflatten
from ....dygraph.eager import from_array
from ....dygraph.modes import GradMode
from ....dygraph.pylayer import Outputs, PyLayerContext, arrived, run_backward, run_forward
from ....dygraph.random_generators import default_generator
from ....dygraph.tensor import Tensor
from ....ir.core import Value
from ....ops.dims import Dim, DimLike, evaluate, same_dim
from ....ops.dispatch import outside_traces
from ....ops.sizes import size_names
from ....ops.types import TensorType
from ..reachable import roots_of
from ..state.rollback import Objects
from ..tracer import Tracer
from .example_values import example_values
from .pylayer_state import LayerState, Reached, Written, noted, writes_of

_PRIMES = (23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107)


@dataclass(slots=True)
class Ran:
    """What one trial run gave: its context, arguments and results, and what it wrote (see pylayer_state.py).

    made: tensors that it left in objects, in the order of those `written` that are.
    """

    ctx: PyLayerContext
    tensors: list[Tensor]
    outputs: Outputs
    written: list[Written]
    made: list[Tensor]
    left: list[Any]

    @property
    def results(self) -> list[Tensor]:
        """All new tensors."""
        return [*self.outputs.tensors, *self.made]


@dataclass(slots=True)
class TrialFacts:
    """What the trial runs of a forward told. types: of the results; returned: those that are arguments, by number."""

    differentiable: tuple[bool, ...]
    types: tuple[TensorType, ...]
    tree: Tree
    written: list[Written]
    left: list[Any]
    returned: dict[int, int]


@dataclass(slots=True)
class Fill:
    """Elements for a trial run: `make(number, shape, dtype)`. known: of a call, what its tensors are."""

    make: Callable[[int, tuple[int, ...], DType], Any]
    known: Sequence[Any] | None = None

    def suits(self, types: Sequence[TensorType], sizes: Mapping[str, int]) -> bool:
        """Whether they are what the call has, whole."""
        shapes = [_sized(kind, sizes) for kind in types]
        return self.known is not None and [a.shape for a in self.known] == shapes


@dataclass(slots=True)
@opaque
class Trial:
    """A call of a PyLayer to be tried: its class, the arguments' structure, types and values, and the state around.

    state: as the function has it (see pylayer_state.py), with the program's values for it.
    """

    tracer: Tracer
    cls: Any
    tree: Tree
    types: Sequence[TensorType]
    stops: Sequence[bool]
    values: Sequence[Value]
    state: LayerState
    given: Sequence[Value]

    @property
    def roots(self) -> list[Any]:
        """What its code can get at."""
        return roots_of_call(self.cls, self.tree)

    def forward(self) -> TrialFacts:
        """Try the forward. Errors: the user's own for elements of the call; CaptureError for made-up ones."""
        raised: Exception | None = None
        choices = self.choices()
        for fill in self.fills():
            for sizes in choices:
                try:
                    ran = self.run(sizes, fill)
                except CaptureError:
                    raise
                except Exception as error:  # broad: made-up sizes and elements may not suit the user's code
                    if raised is None or fill.suits(self.types, sizes):
                        raised = error
                    continue
                return self.told(ran, sizes, fill, sizes is choices[0])
        assert raised is not None
        if self.tracer.hands_over(type(raised)):
            raise unhandled(self.cls, raised).at(caller_loc()) from raised
        if self.known() is not None:
            raise raised  # as in eager mode
        raise CaptureError(
            f"{self.cls.__name__}.forward raised {type(raised).__name__} in a trial run on made-up elements, which "
            f"tells the types of its results: {raised}",
            loc=caller_loc(),
            remedy="let forward accept elements that are all 1, or check the arguments in the function",
        ) from raised

    def backward(self, slots: Sequence[int | None]) -> tuple[list[Written], list[Any]]:
        """What the backward writes, and the objects that it leaves changed; nothing where it fails for all elements."""
        for fill in self.fills():
            for sizes in self.choices():
                try:
                    return self._backward(sizes, fill, slots)
                except CaptureError:
                    raise
                except Exception:  # broad: as above
                    continue
        return [], []

    def _backward(
        self, sizes: Mapping[str, int], fill: Fill, slots: Sequence[int | None]
    ) -> tuple[list[Written], list[Any]]:
        with outside_traces(), GradMode(True):
            ran = self.run(sizes, fill)
            constant = [any(y is c for c in ran.ctx._constant_outputs) for y in ran.outputs.tensors]
            with self.state.around(self.examples(sizes)), _own_stream(), noted(self.tracer) as log:
                before = Reached([*self.roots, *vars(ran.ctx).values()])
                try:
                    grads = [
                        from_array(np.ones(y.shape, y.dtype.numpy)) if y.dtype.is_differentiable else None
                        for y in ran.outputs.tensors
                    ]
                    ready = arrived(ran.ctx, grads, ran.outputs.tensors, constant)
                    with GradMode(False):
                        run_backward(self.cls, ran.ctx, ready, ran.tensors, slots, [not s for s in self.stops])
                    written, made, left = writes_of(log, before, [], [], f"{self.cls.__name__}.backward")
                finally:
                    before.undo(keep_new=False)
        kinds = iter([TensorType(y.dtype, tuple(y.shape)) for y in made])
        return [w if w.result or w.kind != "item" else replace(w, result=next(kinds)) for w in written], left

    def choices(self) -> list[Mapping[str, int]]:
        """Sizes to try: those that tell symbols apart, then those of the call."""
        symbols = self.symbols()
        taken = {d for kind in self.types for d in kind.shape if isinstance(d, int)}
        primes = [p for p in _PRIMES if p not in taken]
        found: list[Mapping[str, int]] = [dict(zip(symbols, primes, strict=False))]
        return [*found, self.tracer.hints] if symbols and self.tracer.hints is not None else found

    def symbols(self) -> list[str]:
        """The symbols of the arguments' sizes."""
        return sorted(size_names(list(self.types)))

    def known(self) -> list[Any] | None:
        """The elements of the arguments in the call that is captured."""
        return example_values(self.tracer, self.values, lambda name: _apart(self.tracer.callbacks.get(name)))

    def fills(self) -> Iterator[Fill]:
        """Made-up elements, then those of the call that is captured, then others: code may check what it is given."""
        rng = np.random.default_rng(0)
        yield Fill(lambda k, shape, d: rng.uniform(0.1, 1.0, shape) if d.is_floating else rng.integers(0, 2, shape))
        known = self.known()
        if known is not None:
            yield Fill(lambda k, shape, d: np.resize(known[k], shape), known)
        yield Fill(lambda k, shape, d: np.ones(shape))
        yield Fill(lambda k, shape, d: np.zeros(shape))

    def run(self, sizes: Mapping[str, int], fill: Fill) -> Ran:
        """One run; all that it writes is as before afterwards."""
        tensors = [
            from_array(np.asarray(fill.make(k, _sized(t, sizes), t.dtype)).astype(t.dtype.numpy))
            for k, t in enumerate(self.types)
        ]
        for made, stop in zip(tensors, self.stops, strict=True):
            made.stop_gradient = stop
        with (
            outside_traces(),
            GradMode(True),
            _own_stream(),
            self.state.around(self.examples(sizes)),
            noted(self.tracer) as log,
        ):
            before = Reached(self.roots)
            try:
                args, kwargs = unflatten(self.tree, iter(tensors))
                ctx = PyLayerContext()
                outputs = run_forward(self.cls, ctx, args, kwargs)
                found = writes_of(log, before, tensors, outputs.tensors, f"{self.cls.__name__}.forward")
                return Ran(ctx, tensors, outputs, *found)
            finally:
                before.undo(keep_new=False)

    def examples(self, sizes: Mapping[str, int]) -> list[Any]:
        """Arrays for the state that the function has changed."""
        known = example_values(self.tracer, self.given, lambda name: _apart(self.tracer.callbacks.get(name)))
        kinds = [v.tensor_type for v in self.given]
        return known or [np.ones(_sized(t, sizes), t.dtype.numpy) for t in kinds]

    def told(self, ran: Ran, sizes: Mapping[str, int], fill: Fill, is_first: bool) -> TrialFacts:
        """What a run tells, with a second one where sizes could be several things."""
        symbols, primes = self.symbols(), [p for p in _PRIMES if p not in {d for t in self.types for d in t.shape}]
        constant = [id(c) for c in ran.ctx._constant_outputs]
        outputs = ran.outputs.tensors
        found = [[_candidates(d, sizes) for d in y.shape] for y in ran.results]
        if any(len(c) > 1 and _is_guess(c[0], symbols) for shape in found for c in shape):
            others = {name: 2 * value for name, value in sizes.items()}  # what suits the hints may suit them doubled
            others |= dict(zip(symbols, primes[len(symbols) :], strict=False)) if is_first else {}
            found = _told_apart(found, self.shapes(others, fill), others)
        types = [TensorType(y.dtype, tuple(c[0] for c in shape)) for y, shape in zip(ran.results, found, strict=True)]
        items = iter(types[len(outputs) :])
        written = [w if w.result or w.kind != "item" else replace(w, result=next(items)) for w in ran.written]
        free = [id(x) for x in ran.ctx._inplace_free]
        numbers = {id(x): k for k, x in enumerate(ran.tensors) if id(x) not in free}
        return TrialFacts(
            tuple(y.dtype.is_differentiable and id(y) not in constant for y in outputs),
            tuple(types[: len(outputs)]),
            ran.outputs.tree,
            written,
            ran.left,
            {k: numbers[id(y)] for k, y in enumerate(outputs) if id(y) in numbers},
        )

    def shapes(self, sizes: Mapping[str, int], fill: Fill) -> list[list[int]] | None:
        """The shapes of the results for other sizes; None where these don't suit the user's code."""
        try:
            return [list(y.shape) for y in self.run(sizes, fill).results]
        except Exception:  # broad: as of the first trial
            return None


_KINDS = (
    ArithmeticError, AssertionError, AttributeError, FloatingPointError, IndexError, KeyError, LookupError,
    NotImplementedError, OSError, OverflowError, RuntimeError, TypeError, ValueError, ZeroDivisionError,
)  # fmt: skip


def handled_kinds(tracer: Tracer, cls: Any) -> tuple[type[BaseException], ...]:
    """Exceptions that the function handles where it is: Python's, and those that the code of a PyLayer names."""
    own = [k for k in roots_of([cls.forward]) if isinstance(k, type) and issubclass(k, Exception)]
    kinds: list[type[BaseException]] = [*_KINDS, *own]
    return tuple(k for k in dict.fromkeys(kinds) if tracer.hands_over(k))


def unhandled(cls: Any, error: BaseException) -> CaptureError:
    """The error for an exception that the function would handle in eager mode."""
    return CaptureError(
        f"{cls.__name__}.forward raised {type(error).__name__} ({error}), which the compiled function handles: its "
        "handler isn't asked",
        remedy="handle it around the call of the compiled function, or check the arguments there by operations",
    )


def _is_guess(size: DimLike, symbols: Sequence[str]) -> bool:
    return not any(same_dim(size, Dim.symbol(name)) for name in symbols)


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


@opaque
def _apart(callback: Any) -> Any:
    """The forward of a PyLayer, without what it leaves behind; None for other callbacks."""
    record: Any = getattr(callback, "__self__", None)
    if not hasattr(record, "slots"):
        return None

    def run(*arrays: Any) -> Any:
        with undone(record.cls, record.tree), outside_traces(), GradMode(True), _own_stream():
            return callback(*arrays)

    return run


def _sized(kind: TensorType, sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(int(evaluate(d, sizes)) for d in kind.shape)


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


def roots_of_call(cls: Any, tree: Tree) -> list[Any]:
    """What the code of a PyLayer can get at: its class, and arguments that are no tensors."""
    args, kwargs = unflatten(tree, itertools.repeat(None))
    return [cls, cls.forward, cls.backward, *args, *kwargs.values()]


@contextmanager
def undone(cls: Any, tree: Tree) -> Iterator[None]:
    """What a run changes of objects is as it was before."""
    before = Objects(roots_of_call(cls, tree), own=())
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

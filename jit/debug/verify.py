"""`verify`: a function beside its program, the program beside itself after each pass, and beside its compiled form."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...base.errors import KindError
from ...base.location import Loc, caller_loc
from ...base.pytree import flatten
from ...dygraph.eager import EagerInterpreter, from_array
from ...dygraph.grad import grad
from ...dygraph.modes import is_recording
from ...dygraph.tensor import Tensor
from ...ops.dispatch import at_bottom
from ...ops.op import Op
from ...passes.autodiff.differentiate import Differentiated, differentiate
from ..call.array_lists import CALLBACKS
from ..call.caller import feed_of, gradient_arguments
from ..call.signature import Call, array_of
from ..function import StaticFunction
from ..switches import uncompiled
from ..trace.state.containers import is_token
from ..trace.traced import OutputLeaf, Trace
from .comparison import deviation, largest_ulp
from .passes import CheckInputs
from .programs import TOLERANCE, check_stages, finished
from .results import Difference, Stage, Verification
from .sandbox import undone
from .trail import Trail

Array = np.ndarray[Any, Any]
Named = list[tuple[str, Array]]


def verify(
    fn: Any, *args: Any, gradients: bool = True, tolerance: float = TOLERANCE, script: str | Path | None = None,
    **kwargs: Any,
) -> Verification:  # fmt: skip
    """Run a call every way there is, side by side, and name the first pass, operation, line and element that differ.

    In order: eager; the captured program by the interpreter; the same after each pass; the compiled kernels. gradients:
    check each operation's gradient rule against finite differences, and forward and backward programs as well, where
    an argument or a parameter wants gradients. Nothing that the function writes stays: parameters, buffers, random
    state and Python objects are as before. `PyLayer`s and callbacks run several times.

    fn: a function, a compiled function, a method or a layer. tolerance: in parts of an element's size, for float32; for
    float64 its square. script: where to write a file that reproduces the difference without your code.
    Errors: KindError for what isn't callable; CaptureError for what can't be captured.

    >>> from vitrify.dygraph.conversions import to_tensor
    >>> def double(x):
    ...     return x * 2
    >>> bool(verify(double, to_tensor([1.0, 2.0])))
    True
    """
    static = as_static(fn)
    name = static._signature.shown
    call = static._signature.call(args, kwargs)
    roots = [*args, *kwargs.values(), static._original(), getattr(static._original(), "__self__", None)]
    with undone(roots):
        entry = static._entry(call)
        trace = entry.trace
        taken = entry.runner.state.arrays(call.numbers, call.leaves)
        assert taken is not None
        state = [np.array(a) for a in taken]
        feeds = [np.array(feed_of(array_of(x))) for x in call.leaves]
        inputs = CheckInputs(feeds, state, trace.callbacks, tolerance)
        written = [s.tensor for s in trace.state if s.slot == "data"]
        with undone([*roots, *_owners(trace)], [*written, *filter(_is_tensor, call.leaves)]):
            stages, difference = _verified(static, trace, call, inputs, gradients)
    return finished(name, stages, difference, inputs, script)


def as_static(fn: Any) -> StaticFunction:
    """The compiled function of whatever a user may name; a new one, if need be, that changes nothing of his."""
    from ..api import is_layer, to_static

    if is_layer(fn):
        fn = fn.forward
    if isinstance(fn, StaticFunction):
        return fn
    made = to_static(fn)
    if not isinstance(made, StaticFunction):
        raise KindError(f"{fn!r} isn't a function that can be captured", remedy="pass a function, a method or a layer")
    return made


def _verified(
    static: StaticFunction, trace: Trace, call: Call, inputs: CheckInputs, gradients: bool
) -> tuple[list[Stage], Difference | None]:  # fmt: skip
    stages: list[Stage] = []
    stage, difference = _check_eager(static, trace, call, inputs)
    stages.append(stage)
    if difference is not None:
        return stages, difference
    label = trace.program.name
    more, difference = check_stages(trace.program, inputs, label, gradients=gradients)
    stages += more
    wrt = gradient_arguments(trace) if gradients and is_recording() else []
    if difference is not None or not wrt or all(leaf.stop_gradient for leaf in trace.outputs.leaves):
        return stages, difference
    made = differentiate(trace.program, wrt)
    if not made.gradients:
        return stages, None
    if made.lists:
        inputs = replace(inputs, callbacks={**inputs.callbacks, **CALLBACKS})
    for checked in _check_gradients(static, trace, call, inputs, made):
        stages += checked[0]
        if checked[1] is not None:
            return stages, checked[1]
    return stages, None


# ---- eager beside captured


class Watching(EagerInterpreter):
    """Eager mode in which every op comes by `apply`."""


class _Noting(Watching):
    """Eager mode that keeps what each op made, with the user's line."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[tuple[str, Loc, list[Array]]] = []

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        made = super().apply(op, args, attrs)
        arrays = [np.array(m._storage.payload) for m in (made if isinstance(made, tuple) else (made,))]
        self.made.append((op.name, caller_loc(2), arrays))
        return made


@contextmanager
def noting() -> Iterator[_Noting]:
    """Keep what eager ops make inside the block."""
    noting = _Noting()
    with at_bottom(noting):
        yield noting


def _check_eager(
    static: StaticFunction, trace: Trace, call: Call, inputs: CheckInputs
) -> tuple[Stage, Difference | None]:  # fmt: skip
    start = time.perf_counter()
    trail = inputs.trail(trace.program)
    expected, notes = _run_eagerly(static, trace, call)
    name = f"{trace.program.name}: captured"
    if trail.failure is not None:
        raise trail.failure
    found = _captured_results(trace, trail.fetched, trail.after, inputs)
    pairs = [(n, a, found[n]) for n, a in expected if n in found]
    worst = max([largest_ulp(a, b) for _, a, b in pairs], default=0.0)
    stage = Stage(name, worst, time.perf_counter() - start)
    noise: dict[str, Any] = {}
    for what, a, b in pairs:
        if deviation(a, b, inputs.tolerance) is None:
            continue
        if not noise:
            every = inputs.noise(trace.program)
            count = len(trail.fetched)
            noise = _captured_results(trace, every[:count], every[count:], inputs)
            certain = [_name(g.target, trace) for g in trace.grad_writes if g.present is None]
            noise |= {f"whether there is {name}.grad": np.zeros(()) for name in certain}
        apart = deviation(a, b, inputs.tolerance, noise[what])
        if apart is not None:
            earlier = _first_line(notes, trail, inputs.tolerance, name)
            return stage, earlier or Difference(name, what, None, apart, program=trace.program)
    return stage, None


def _run_eagerly(static: StaticFunction, trace: Trace, call: Call) -> tuple[Named, _Noting]:
    """What the function as it was written gives and leaves, by name."""
    tensors = [s.tensor for s in trace.state if s.slot == "data"] + [x for x in call.leaves if _is_tensor(x)]
    roots = [*call.args, *call.kwargs.values(), static._original(), *_owners(trace)]
    with undone(roots, tensors), uncompiled(), noting() as notes:
        result = static._original()(*call.args, **call.kwargs)
        leaves = flatten(result, _is_tensor)[0]
        found = [(f"result {k}", np.array(x._storage.payload)) for k, x in enumerate(leaves)]
        found += [(s.name, np.array(s.tensor._storage.payload)) for s in trace.state if s.updated and s.slot == "data"]
        for grad_write in trace.grad_writes:
            owner, name = _owner(grad_write.target, trace, call), f"{_name(grad_write.target, trace)}.grad"
            if isinstance(owner, Tensor):
                found.append((f"whether there is {name}", np.asarray(owner._grad is not None or owner._grad_is_zero)))
            if isinstance(owner, Tensor) and owner._grad is not None:
                found.append((name, np.array(owner._grad._storage.payload)))
        for write in trace.tensor_writes:
            found.append((trace.inputs.leaves[write.argument].name, np.array(array_of(call.leaves[write.argument]))))
    return found, notes


def _is_tensor_leaf(trace: Trace, leaf: OutputLeaf) -> bool:
    if leaf.kind == "outside":
        return isinstance(trace.outside[leaf.number], Tensor)
    return leaf.kind in ("fetch", "argument", "state")


def _captured_results(
    trace: Trace, fetched: Sequence[Array], after: Sequence[Array], inputs: CheckInputs
) -> dict[str, Array]:  # fmt: skip
    """The same, of the fetches and the state of a run of the captured program."""
    written = {w.argument: fetched[w.fetch] for w in trace.tensor_writes}
    found: dict[str, Array] = {}
    tensors = [leaf for leaf in trace.outputs.leaves if _is_tensor_leaf(trace, leaf)]
    for k, leaf in enumerate(tensors):
        array: Any = None
        if leaf.kind == "fetch":
            array = fetched[leaf.number]
        elif leaf.kind == "state":
            array = after[leaf.number]
        elif leaf.kind == "outside":
            array = trace.outside[leaf.number]._storage.payload
        else:
            array = written.get(leaf.number, inputs.feeds[leaf.number])
        found[f"result {k}"] = array
    found |= {s.name: after[k] for k, s in enumerate(trace.state) if s.updated and s.slot == "data"}
    for grad_write in trace.grad_writes:
        name = f"{_name(grad_write.target, trace)}.grad"
        there: Any = grad_write.fetch is not None or grad_write.is_zero
        found[f"whether there is {name}"] = np.asarray(
            there if grad_write.present is None else fetched[grad_write.present]
        )
        if grad_write.fetch is not None:
            found[name] = fetched[grad_write.fetch]
    found |= {trace.inputs.leaves[k].name: array for k, array in written.items()}
    return found


def _first_line(notes: _Noting, trail: Trail, tolerance: float, name: str) -> Difference | None:
    """The first op of the eager run whose counterpart in the program, at the same line, made something else."""
    waiting: dict[Any, list[Any]] = {}
    for event in trail.events:
        loc = event.operation.loc
        waiting.setdefault((event.operation.name, loc.file, loc.line), []).append(event)
    for op, loc, arrays in notes.made:
        events = waiting.get((op, loc.file, loc.line))
        if not events:
            continue
        event = events.pop(0)
        for k, (a, b) in enumerate(zip(arrays, event.made, strict=False)):
            apart = deviation(a, b, tolerance) if a.shape == np.shape(b) else None
            if apart is not None:
                return Difference(name, op, event.operation.loc, apart, where=event.where, result=k)
    return None


# ---- gradients


def _check_gradients(
    static: StaticFunction, trace: Trace, call: Call, inputs: CheckInputs, made: Differentiated
) -> Iterator[tuple[list[Stage], Difference | None]]:  # fmt: skip
    """The forward program, the backward program, and what eager mode gives for the same gradients of the results."""
    name = trace.program.name
    yield check_stages(made.forward, inputs, f"{name}, forward")
    forward = inputs.trail(made.forward)
    arguments = [*inputs.feeds, *inputs.state]
    residuals = [arguments[r.index] if r.kind == "argument" else forward.fetched[r.index] for r in made.residuals]
    rng = np.random.default_rng(0)
    seeds = [np.asarray(rng.standard_normal(forward.fetched[k].shape)) for k in made.seeds]
    seeds = [s.astype(forward.fetched[k].dtype) for s, k in zip(seeds, made.seeds, strict=True)]
    taken = [*residuals, *seeds, *made.told(True for _ in made.seeds)]
    backward = CheckInputs(taken, (), inputs.callbacks, inputs.tolerance)
    start = time.perf_counter()
    eager = _eager_gradients(static, trace, call, made, seeds)
    if eager is not None:
        trail = backward.trail(made.backward)
        told = [np.asarray(g is not None) for g, link in zip(eager, made.links, strict=True) if isinstance(link, int)]
        expected = [b if a is None else a for a, b in zip([*eager, *told], trail.fetched, strict=True)]
        worst = max([largest_ulp(a, b) for a, b in zip(expected, trail.fetched, strict=True)], default=0.0)
        found, wrong = backward.difference(made.backward, expected, trail.fetched), None
        if found is not None:
            what = made.backward.fetch_names[found[0]].replace("gradient", "the gradient", 1)
            wrong = Difference(f"{name}: gradients", what, None, found[1], program=made.backward, arrays=backward.feeds)
        yield [Stage(f"{name}: gradients", worst, time.perf_counter() - start)], wrong
    yield check_stages(made.backward, backward, f"{name}, backward")


def _eager_gradients(
    static: StaticFunction, trace: Trace, call: Call, made: Differentiated, seeds: Sequence[Array]
) -> list[Array | None] | None:  # fmt: skip
    """Gradients of the arguments in `made.gradients` by eager mode; None where a result isn't a plain fetch."""
    tensors = [s.tensor for s in trace.state if s.slot == "data"] + [x for x in call.leaves if _is_tensor(x)]
    roots = [*call.args, *call.kwargs.values(), static._original(), *_owners(trace)]
    arguments = [*call.leaves, *[s.tensor for s in trace.state]]
    with undone(roots, tensors), uncompiled():
        result = static._original()(*call.args, **call.kwargs)
        leaves = flatten(result, _is_tensor)[0]
        kinds = [leaf for leaf in trace.outputs.leaves if _is_tensor_leaf(trace, leaf)]
        by_fetch = {leaf.number: x for leaf, x in zip(kinds, leaves, strict=False) if leaf.kind == "fetch"}
        if not all(k in by_fetch for k in made.seeds):
            return None
        pairs = [(by_fetch[k], from_array(s)) for k, s in zip(made.seeds, seeds, strict=True)]
        pairs = [(y, s) for y, s in pairs if not y.stop_gradient]
        if not pairs:
            return None
        wanted = [arguments[k] for k in made.gradients]
        found = grad([y for y, _ in pairs], wanted, [s for _, s in pairs], allow_unused=True)
    return [None if g is None else np.array(g._storage.payload) for g in found]


def _is_tensor(x: object) -> bool:
    return isinstance(x, Tensor)


def _owners(trace: Trace) -> list[Any]:
    return [w.owner for w in trace.attribute_writes if not is_token(w.owner)]


def _owner(target: tuple[str, int], trace: Trace, call: Call) -> Any:
    return call.leaves[target[1]] if target[0] == "argument" else trace.state[target[1]].tensor


def _name(target: tuple[str, int], trace: Trace) -> str:
    return trace.inputs.leaves[target[1]].name if target[0] == "argument" else trace.state[target[1]].name

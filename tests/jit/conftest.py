"""Fixtures of the capture tests: "converted equals original on these inputs", under two reference run-times."""

from __future__ import annotations

import copy
import importlib.util
import inspect
import itertools
import linecache
import sys
import types
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from vitrify.jit.convert import convert

_spec = importlib.util.spec_from_file_location("plain_runtime", Path(__file__).parent / "plain_runtime.py")
assert _spec is not None
assert _spec.loader is not None
plain_runtime = importlib.util.module_from_spec(_spec)
sys.modules["plain_runtime"] = plain_runtime
_spec.loader.exec_module(plain_runtime)

RUNTIMES = (plain_runtime.PlainRuntime(), plain_runtime.StateRuntime())
Inputs = Iterable[tuple[Any, ...]]


def _outcome(fn: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    args = copy.deepcopy(args)
    try:
        value = fn(*args)
    except NameError as error:  # UnboundLocalError is one; which of the two may differ
        return ("NameError", _kind(error.__context__)), args
    except Exception as error:
        return (_kind(error), error.args, _kind(error.__context__)), args
    return ("value", value), args


def _kind(error: BaseException | None) -> type:
    return NameError if isinstance(error, NameError) else type(error)


def _same(fn: Any, inputs: Inputs | None = None) -> None:
    if inputs is None:
        count = len(inspect.signature(fn).parameters)
        inputs = itertools.product(range(-1, 5), repeat=count)
    inputs = list(inputs)
    for rt in RUNTIMES:
        converted = convert(fn, rt)
        for args in inputs:
            want, got = _outcome(fn, args), _outcome(converted.function, args)
            assert got == want or repr(got) == repr(want), (
                f"{fn.__name__}{args}: {got}, not {want}, under {type(rt).__name__}\n{converted.code}"
            )


@pytest.fixture
def same() -> Callable[..., None]:
    """`same(fn, inputs)`: converted equals original: result, exception, and what happens to the arguments.

    Without inputs: all small integers for each parameter.
    """
    return _same


@pytest.fixture
def converted() -> Callable[..., Any]:
    """`converted(fn)`: the converted function under the plain run-time."""
    return lambda fn: convert(fn, RUNTIMES[0]).function


@pytest.fixture
def code_of() -> Callable[..., str]:
    """`code_of(fn)`: the converted function as text."""
    return lambda fn: convert(fn, RUNTIMES[0]).code


@pytest.fixture
def from_text() -> Callable[..., types.ModuleType]:
    """`from_text(text)`: a module of this source, which can be read back."""
    counter = itertools.count()

    def load(text: str, **names: Any) -> types.ModuleType:
        file = f"<text {id(counter)} {next(counter)}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        module = types.ModuleType("from_text")
        module.__dict__.update(names)
        exec(compile(text, file, "exec"), module.__dict__)
        return module

    return load


# ---- traces: eager equals the reference interpreter on the captured program, values, state and gradients


def _arrays(value: Any) -> Any:
    import numpy as np

    from vitrify.base.pytree import map_leaves
    from vitrify.dygraph.tensor import Tensor

    return map_leaves(lambda v: np.asarray(v.numpy()), value, lambda v: isinstance(v, Tensor))


class Traced:
    """One captured function and what a run of its program gives."""

    def __init__(self, fn: Any, args: tuple[Any, ...], sizes: dict[str, int] | None, dims: Any) -> None:
        import numpy as np

        from vitrify.base.pytree import flatten
        from vitrify.dygraph.tensor import Tensor
        from vitrify.ir.verifier import verify
        from vitrify.jit.trace.traced import InputLeaf, TraceInputs
        from vitrify.jit.trace.tracing import trace
        from vitrify.ops.types import TensorType

        self.tensors, tree = flatten((args, {}), lambda v: isinstance(v, Tensor))
        leaves = tuple(
            InputLeaf(f"x{k}", TensorType(t.dtype, tuple(dims[k] if dims and dims[k] else t.shape)), t.stop_gradient, t)
            for k, t in enumerate(self.tensors)
        )
        self.trace = trace(fn, TraceInputs(tree, leaves, sizes or {}), name=getattr(fn, "__name__", "main"))
        self.program = self.trace.program
        verify(self.program)
        assert not any(isinstance(t._storage.payload, np.ndarray) is False for t in self.tensors)

    def state(self) -> list[Any]:
        return [(s.tensor if s.slot == "data" else s.tensor._grad)._storage.payload for s in self.trace.state]  # type: ignore[union-attr]

    def run(self) -> tuple[list[Any], list[Any]]:
        from vitrify.ir.interpret import interpret

        return interpret(
            self.program, [t.numpy() for t in self.tensors], [a.copy() for a in self.state()], self.trace.callbacks
        )

    def rebuild(self, outputs: Any, fetched: list[Any], after: list[Any]) -> Any:
        from vitrify.base.pytree import unflatten

        written = {w.argument: fetched[w.fetch] for w in self.trace.tensor_writes}

        def pick(leaf: Any) -> Any:
            if leaf.kind == "argument":
                return written.get(leaf.number, self.tensors[leaf.number].numpy())
            if leaf.kind == "number":
                return fetched[leaf.number].item()
            return (fetched if leaf.kind == "fetch" else after)[leaf.number]

        return unflatten(outputs.tree, iter([pick(leaf) for leaf in outputs.leaves]))

    def chosen(self, fetched: list[Any]) -> list[Any]:
        """The leaves that come out of a run: one of two, where a flag tells."""
        from vitrify.base.pytree import flatten, unflatten
        from vitrify.jit.trace.traced import OutputLeaf

        outputs = self.trace.outputs
        marks = [fetched[leaf.number].item() if leaf.kind == "number" else leaf for leaf in outputs.leaves]
        found = flatten(unflatten(outputs.tree, iter(marks)), lambda v: isinstance(v, OutputLeaf))[0]
        return [leaf for leaf in found if isinstance(leaf, OutputLeaf)]

    def gradients(self) -> list[Any] | None:
        """Gradients of the sum of the float results for each argument, by the program's own derivative."""
        import numpy as np

        from vitrify.ir.interpret import interpret
        from vitrify.passes.autodiff.differentiate import differentiate

        wrt = [k for k, t in enumerate(self.tensors) if not t.stop_gradient]
        pair = differentiate(self.program, wrt)
        feeds, state = [t.numpy() for t in self.tensors], [a.copy() for a in self.state()]
        fetched, _ = interpret(pair.forward, feeds, state, self.trace.callbacks)
        out = self.chosen(fetched)
        kept = Counter(leaf.number for leaf in out if leaf.kind == "fetch" and not leaf.stop_gradient)
        given = [([*feeds, *state] if r.kind == "argument" else fetched)[r.index] for r in pair.residuals]
        seeds = [np.full_like(fetched[k], kept[k]) for k in pair.seeds]
        seeds += pair.told(k in kept for k in pair.seeds)
        found, _ = interpret(pair.backward, [*given, *seeds], [], self.trace.callbacks)
        by_number = dict(zip(pair.gradients, found, strict=False))
        for leaf in out:
            if leaf.kind == "argument" and leaf.number in wrt:  # the argument itself comes back
                by_number[leaf.number] = by_number.get(leaf.number, 0) + np.ones_like(feeds[leaf.number])
        return [by_number.get(k) for k in wrt]


def _close(got: Any, want: Any, what: str) -> None:
    import numpy as np

    if isinstance(want, (tuple, list)):
        assert len(got) == len(want), what
        for k, (a, b) in enumerate(zip(got, want, strict=True)):
            _close(a, b, f"{what}[{k}]")
    elif isinstance(want, dict):
        assert list(got) == list(want), what
        for k in want:
            _close(got[k], want[k], f"{what}[{k!r}]")
    elif isinstance(want, (np.ndarray, np.generic, int, float)):
        np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=2e-5, atol=1e-6, err_msg=what)
    else:
        assert got == want, what


def _agrees(fn: Any, *args: Any, sizes: Any = None, dims: Any = None, gradients: bool = False) -> Any:
    import numpy as np

    from vitrify.dygraph.tensor import Tensor

    made = Traced(fn, args, sizes, dims)
    fetched, after = made.run()
    got = made.rebuild(made.trace.outputs, fetched, after)
    own = made.gradients() if gradients else None
    before = [t.numpy() for t in made.tensors]
    result = fn(*args)
    _close(got, _arrays(result), "the result")
    for entry, array in zip(made.trace.state, after, strict=True):
        if entry.slot == "data":
            _close(array, entry.tensor.numpy(), f"state {entry.name}")
    written = {w.argument: fetched[w.fetch] for w in made.trace.tensor_writes}
    for k, (tensor, old) in enumerate(zip(made.tensors, before, strict=True)):
        _close(written.get(k, old), tensor.numpy(), f"argument {k}")
    for write in made.trace.grad_writes:
        owner = (
            made.tensors[write.target[1]] if write.target[0] == "argument" else made.trace.state[write.target[1]].tensor
        )
        assert owner._grad_is_zero == write.is_zero
        if write.fetch is not None:
            _close(fetched[write.fetch], owner._grad.numpy(), "a gradient")  # type: ignore[union-attr]
        else:
            assert owner._grad is None
    if own is not None:
        leaves = [v for v in _flat(result) if isinstance(v, Tensor) and not v.stop_gradient]
        for t in made.tensors:
            t.clear_grad(set_to_zero=False)
        sum((v.sum() for v in leaves[1:]), leaves[0].sum()).backward()
        for t, g in zip([t for t in made.tensors if not t.stop_gradient], own, strict=True):
            want = np.zeros(t.shape, t.dtype.numpy) if t.grad is None else t.grad.numpy()
            _close(np.zeros_like(want) if g is None else g, want, "a gradient from outside")
    return made


def _flat(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [x for v in value for x in _flat(v)]
    return _flat(list(value.values())) if isinstance(value, dict) else [value]


@pytest.fixture
def traced() -> Callable[..., Traced]:
    """`traced(fn, *args)`: the captured function."""
    return lambda fn, *args, sizes=None, dims=None: Traced(fn, args, sizes, dims)


@pytest.fixture
def agrees() -> Callable[..., Any]:
    """`agrees(fn, *args)`: eager and the captured program give the same results, state, writes and gradients."""
    return _agrees

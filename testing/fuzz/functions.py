"""Random Python functions: eager mode against the compiled function, its passes, threads, and the saved model."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from ...base.errors import CaptureError, VitrifyError
from ...base.pytree import flatten, map_leaves
from ...dygraph.conversions import to_tensor
from ...dygraph.tensor import Tensor
from ...ir.core import Program
from ...ir.input_spec import InputSpec
from ...ir.walk import walk
from ...jit.api import to_static
from ...jit.serialize.load import load
from ...jit.serialize.save import save
from ...ops.dims import concrete
from ..functions import random_arguments
from .checks import Array, Coverage, Disagreement, check_passes, scratch, stage, threads, verified

# What a random function may be refused for; everything else has to be captured.
REFUSALS = (
    "the paths of this function end in more than",
    "a list whose length only a run of the program knows is read by code that isn't captured",
    "made in a branch or loop is used outside of it",
    "has one of several types here",
    "is used afterwards",
    "this writes in place to",
    "this reads a variable that is, in some iterations",
    "whose value only a run of the program knows",
)
RAISED = (ValueError, IndexError, KeyError, TypeError, NameError, AttributeError, RuntimeError)


def load_module(text: str, name: str) -> dict[str, Any]:
    """What a module of this text defines; its lines can be read back under `name`."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"vt": import_module("vitrify")}  # as its author would have it
    exec(compile(text, name, "exec"), scope)
    return scope


def load_function(text: str, name: str) -> Callable[..., Any]:
    """The function `f` of a module's text."""
    return load_module(text, name)["f"]  # type: ignore[no-any-return]


def outcome(fn: Callable[..., Any], call: tuple[Any, ...]) -> Any:
    """(results as arrays, gradients of x and y), or the error that the function raised."""
    x, y = (to_tensor(a, stop_gradient=False) for a in call[:2])
    try:
        made = fn(x, y, to_tensor(call[2]), call[3])
    except RAISED as error:
        return error
    values = map_leaves(lambda t: t.numpy(), made, _is_tensor)
    floats = [t.sum() for t in flatten(made, _is_tensor)[0] if _has_gradient(t)]
    if floats:
        sum(floats[1:], floats[0]).backward()
    return values, [np.zeros(3) if t.grad is None else t.grad.numpy() for t in (x, y)]


def _is_tensor(x: object) -> bool:
    return isinstance(x, Tensor)


def _has_gradient(x: Any) -> bool:
    return isinstance(x, Tensor) and x.dtype.is_floating and not x.stop_gradient


def equal(a: Any, b: Any) -> bool:
    """Whether two nested results agree: structure, kinds and integers exactly, floats within rounding."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        both = isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.shape == b.shape
        return both and bool(np.allclose(a, b, rtol=1e-4, atol=1e-5))
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(equal(a[k], b[k]) for k in a)
    return bool(a == b)


def check_function(text: str, seed: int, coverage: Coverage | None = None, *, calls: int = 3) -> str:
    """Run the function `f(x, y, k, m)` of a module eagerly and compiled; "equal", or "refused" for a stated reason.

    Disagreement: values, gradients or errors differ; a pass changes values; the saved model gives others.
    """
    seen = Coverage() if coverage is None else coverage
    seen.constructs.update(type(node).__name__ for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt))
    eager, compiled = load_function(text, f"<eager {seed}>"), to_static(load_function(text, f"<random {seed}>"))
    arguments = random_arguments(seed, calls)
    for number, call in enumerate(arguments):
        where = f"compiled, {1 + number % 2} threads"
        expected = outcome(eager, call)
        with stage(where), threads(1 + number % 2), verified():
            found = outcome(compiled, call)
        if isinstance(found, CaptureError) and (reasons := [r for r in REFUSALS if r in str(found)]):
            seen.refusals[reasons[0]] += 1
            return "refused"
        _compare(where, expected, found, call)
    program = compiled.concrete_trace().program
    seen.add_program(program)
    if not any(o.name == "callback" for o in walk(program.body)):
        feeds, state = arrays_for(program, seed)
        check_passes(program, feeds, state, seen)
    _check_saved(text, eager, arguments[0], seed)
    return "equal"


def _compare(where: str, expected: Any, found: Any, call: Any) -> None:
    told = f"k={call[2].tolist()}, m={call[3]}\neager    {expected}\ncompiled {found}"
    if isinstance(expected, Exception) or isinstance(found, Exception):
        if type(expected).__name__ != type(found).__name__:
            raise Disagreement(f"{where}, {_kind(found)} instead of {_kind(expected)}", told)
        return
    if not equal(expected[0], found[0]):
        raise Disagreement(where, told)
    if not all(np.allclose(a, b, rtol=1e-3, atol=1e-4) for a, b in zip(expected[1], found[1], strict=True)):
        raise Disagreement(f"{where}, gradients", told)


def _kind(made: Any) -> str:
    return type(made).__name__ if isinstance(made, Exception) else "a result"


def arrays_for(program: Program, seed: int) -> tuple[list[Array], list[Array]]:
    """Arrays of the types that a captured program declares."""
    rng = np.random.default_rng(seed)
    made = []
    for value in program.body.args:
        shape = concrete(value.tensor_type.shape, dict.fromkeys(program.symbols, 3))
        high = 2 if value.dtype.is_bool else 4
        drawn = rng.uniform(-1, 1, shape) if value.dtype.is_floating else rng.integers(0, high, shape)
        made.append(np.asarray(drawn).astype(value.dtype.numpy))
    count = len(program.feeds)
    return made[:count], made[count:]


def _check_saved(text: str, eager: Callable[..., Any], call: tuple[Any, ...], seed: int) -> None:
    """The function saved for one `m` and loaded again gives what eager mode gives."""
    expected = outcome(eager, call)
    specs = [InputSpec([3], "float32", "x"), InputSpec([3], "float32", "y"), InputSpec([4], "int64", "k"), call[3]]
    fn = to_static(load_function(text, f"<saved {seed}>"), input_spec=specs)
    with scratch() as folder, stage("saved and loaded"):
        try:
            save(fn, folder / "model")
        except CaptureError as error:
            if any(r in str(error) for r in REFUSALS):
                return
            raise
        loaded = load(folder / "model", structured=True)
        tensors = [to_tensor(a) for a in call[:3]]
        try:
            made = map_leaves(lambda t: t.numpy(), loaded(*tensors, call[3]), _is_tensor)
        except (*RAISED, VitrifyError) as error:
            made = error
    if isinstance(expected, Exception) or isinstance(made, Exception):
        same = type(expected).__name__ == type(made).__name__
    else:
        same = equal(expected[0], made)
    if not same:
        raise Disagreement("saved and loaded", f"eager {expected}\nloaded {made}")

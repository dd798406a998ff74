"""Calls of the library's functions with a number among the arguments, made from their signatures: a new function is met
by itself. A call counts where eager mode takes it.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import numpy as np

import vitrify as vt

MODULES = {"vt": vt, "F": vt.nn.functional, "fft": vt.fft, "linalg": vt.linalg, "signal": vt.signal}
COMPUTE = ("vitrify.ops.", "vitrify.dygraph.nn.", "vitrify.dygraph.random_generators", "vitrify.dygraph.draws")
OPERANDS = ([4, 4], [4], [1, 4, 4, 4], [4, 4, 4], [1, 4, 4], [1, 1, 4, 4, 4], [])
GIVEN: dict[str, Any] = {"shape": [4, 4], "axes": [0], "pad": [1, 1], "equation": "ij->ji", "reduce": "add"}
INTEGERS = frozenset({"index", "indices", "label", "labels", "lengths", "input_lengths", "label_lengths"})
NUMBERS = (2, 3, 1, 4)
MOST_TRIED = 30  # choices of arguments, for each shape and dtype
LEFT_OUT = frozenset({"name", "dtype", "out", "training", "keepdim", "seed", "data_format", "generator"})


@dataclass(frozen=True)
class Call:
    """A function, its other arguments, the name of a numeric one, and up to two numbers that eager mode takes there."""

    function: Callable[..., Any]
    given: dict[str, Any]
    name: str
    numbers: tuple[int, ...]

    def run(self, number: Any) -> Any:
        """The call with a number for the argument; its tensors are made anew."""
        return self.function(**{name: made(value) for name, value in self.given.items()}, **{self.name: number})


def made(value: Any) -> Any:
    """A tensor over an array; anything else itself."""
    if isinstance(value, list):
        return list(map(made, value))
    return vt.to_tensor(value) if isinstance(value, np.ndarray) else value


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions of the library that compute something, by name; each once."""
    met = set()
    for prefix, module in MODULES.items():
        for name in module.__all__:
            found = getattr(module, name)
            where = type(found).__module__ if type(found).__name__ == "Op" else getattr(found, "__module__", "")
            if inspect.isfunction(found) and where.startswith(COMPUTE) and id(found) not in met:
                met.add(id(found))
                yield f"{prefix}.{name}", found


def outcome(call: Callable[[], Any]) -> Any:
    """The tensors that a call gives, or its error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except Exception as error:  # broad: whether a call with these arguments makes sense is what it finds out
            return error


def calls(function: Callable[..., Any], dtype: str = "float32") -> Iterator[Call]:
    """A call for each argument that may be a number, with other arguments of `dtype` (integers where none else will do)."""
    given = base_call(function, dtype)
    if given is None:
        return
    for name, parameter in inspect.signature(function).parameters.items():
        if name in LEFT_OUT or parameter.kind is parameter.VAR_KEYWORD or parameter.annotation == "bool":
            continue
        call = Call(function, {k: v for k, v in given.items() if k != name}, name, ())
        taken = (n for n in NUMBERS if holds_tensor(outcome(lambda n=n, call=call: call.run(n))))
        numbers = tuple(islice(taken, 2))
        if numbers:
            yield Call(function, call.given, name, numbers)


def base_call(function: Callable[..., Any], dtype: str) -> dict[str, Any] | None:
    """Arguments that the function takes; None where none were found."""
    needed = [p for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    for kind in (dtype, "int64"):
        for shape in OPERANDS:
            drawn = np.random.default_rng(0)
            choices = [arguments(p, shape, kind, drawn) for p in needed]
            for chosen in islice(product(*choices), MOST_TRIED):
                given = dict(zip((p.name for p in needed), chosen, strict=True))
                if holds_tensor(outcome(lambda given=given: function(**{k: made(v) for k, v in given.items()}))):
                    return given
    return None


def arguments(parameter: inspect.Parameter, shape: list[int], dtype: str, drawn: np.random.Generator) -> list[Any]:
    """What may do for an argument that has to be given."""
    if parameter.name in GIVEN:
        return [GIVEN[parameter.name]]
    if parameter.annotation in ("int", "float"):
        return [1, 2]
    kind = "int64" if parameter.name in INTEGERS else dtype
    array = (drawn.random(shape) * 2 + 0.25).astype(kind)
    return [[array, array]] if "Sequence" in str(parameter.annotation) else [array, 2, [0]]


def holds_tensor(found: Any) -> bool:
    """Whether a result has a tensor in it."""
    if isinstance(found, (list, tuple)):
        return any(map(holds_tensor, found))
    return isinstance(found, vt.Tensor)


def differ(found: Any, expected: Any, rtol: float = 1e-4) -> str:
    """How two results differ; an empty text if they are equal."""
    if isinstance(expected, (list, tuple)):
        if len(found) != len(expected):
            return f"{len(found)} results, not {len(expected)}"
        return next((words for a, b in zip(found, expected, strict=True) if (words := differ(a, b, rtol))), "")
    if not isinstance(expected, vt.Tensor):
        return "" if found == expected else f"{found!r}, not {expected!r}"
    if not isinstance(found, vt.Tensor) or (found.dtype, found.shape) != (expected.dtype, expected.shape):
        return f"{found!r}, not {expected!r}"
    close = np.allclose(found.numpy(), expected.numpy(), rtol, rtol / 10, equal_nan=True)
    return "" if close else f"{found!r}, not {expected!r}"

"""What tests of functions over rows share: evaluation, numeric first and second derivatives, inference on symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from vitrify.base.dtype import DType, as_dtype, int64, of_array, of_scalar
from vitrify.base.flags import flags
from vitrify.ops.arith import Arithmetic
from vitrify.ops.dims import Dim
from vitrify.ops.dispatch import using
from vitrify.ops.interpreter import Interpreter
from vitrify.ops.op import Op
from vitrify.ops.types import TensorType

from .numpy_values import ArrayValue, gradients, numpy_values

Function = Callable[..., Any]


def run(fn: Function, *arrays: Any) -> Any:
    """The array (or arrays) that a function of values gives for arrays."""
    with numpy_values():
        out = fn(*map(ArrayValue, arrays))
    return tuple(o.array for o in out) if isinstance(out, tuple) else out.array


def derivatives(fn: Function, arrays: list[Any], seed: Any) -> list[Any]:
    """The gradients of sum(fn * seed) with respect to the float64 arrays."""
    with numpy_values() as interpreter:
        inputs = [ArrayValue(a) for a in arrays]
        found = gradients(interpreter.steps, [fn(*inputs)], [ArrayValue(seed)], inputs)
    chosen = zip(arrays, found, strict=True)
    return [np.zeros(a.shape) if g is None else g.array for a, g in chosen if a.dtype == np.float64]


def second(fn: Function, arrays: list[Any], seed: Any, weights: list[Any]) -> list[Any]:
    """The gradients of the weighted sum of the gradients."""
    with numpy_values() as interpreter:
        inputs = [ArrayValue(a) for a in arrays]
        found = gradients(interpreter.steps, [fn(*inputs)], [ArrayValue(seed)], inputs)
        floats = [g for a, g in zip(arrays, found, strict=True) if a.dtype == np.float64]
        pairs = [(g, ArrayValue(w)) for g, w in zip(floats, weights, strict=True) if g is not None]
        again = gradients(interpreter.steps, [g for g, _ in pairs], [w for _, w in pairs], inputs)
    return [
        np.zeros(a.shape) if g is None else g.array for a, g in zip(arrays, again, strict=True) if a.dtype == np.float64
    ]


def check_gradients(fn: Function, *arrays: Any, order: int = 2, step: float = 1e-6) -> None:
    """First and second derivatives by the rows' vjps are the numeric ones, along a random direction."""
    given = [np.asarray(a) for a in arrays]
    rng = np.random.default_rng(5)
    seed = rng.uniform(0.5, 1.5, np.shape(run(fn, *given)))
    floats = [k for k, a in enumerate(given) if a.dtype == np.float64]
    weights = [rng.uniform(0.5, 1.5, given[k].shape) for k in floats]

    def value(moved: list[Any]) -> float:
        return float(np.sum(run(fn, *moved) * seed))

    def slope(moved: list[Any]) -> float:
        return float(sum(np.sum(g * w) for g, w in zip(derivatives(fn, moved, seed), weights, strict=True)))

    for scalar, found in ((value, derivatives(fn, given, seed)), (slope, second(fn, given, seed, weights)))[:order]:
        for k, gradient in zip(floats, found, strict=True):
            way = rng.uniform(-1.0, 1.0, given[k].shape)
            ends = [scalar([a + s * way if j == k else a for j, a in enumerate(given)]) for s in (step, -step)]
            assert np.sum(gradient * way) == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-4, abs=1e-5), (
                f"input {k}"
            )


class TypeValue(Arithmetic):
    """A value that is only a type."""

    def __init__(self, type: TensorType) -> None:
        self.type, self.dtype, self.shape = type, type.dtype, type.shape


class TypeInterpreter(Interpreter):
    """Infers types and computes nothing: what functions over rows do with symbolic sizes."""

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        made = op.infer(*(a.type for a in args), **attrs)
        return tuple(map(TypeValue, made)) if isinstance(made, tuple) else TypeValue(made)  # type: ignore[arg-type]

    def constant(self, data: Any, dtype: DType | None = None) -> Any:
        if isinstance(data, TypeValue):
            return data
        if isinstance(data, Dim):
            return TypeValue(TensorType(dtype or int64, ()))
        if isinstance(data, (bool, int, float)):
            return TypeValue(TensorType(dtype or of_scalar(data, None, flags.default_dtype), ()))
        array = np.asarray(data)
        return TypeValue(TensorType(dtype or of_array(array), array.shape))


@contextmanager
def type_values() -> Iterator[Callable[..., TypeValue]]:
    """Inside the block ops infer types; gives `value("f32", "N", 3)`."""
    with using(TypeInterpreter()):
        yield lambda dtype, *sizes: TypeValue(
            TensorType(as_dtype(dtype), tuple(Dim.symbol(s) if isinstance(s, str) else s for s in sizes))
        )

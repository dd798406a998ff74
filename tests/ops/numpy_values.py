"""A tiny second implementation of values: NumPy arrays, a checking interpreter and a tape, to test rows by themselves.

Every op applied is checked: its results have the dtype and shape that the row's `infer` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from vitrify.base.dtype import DType, as_dtype, of_array, of_scalar
from vitrify.base.flags import flags
from vitrify.ir.dynamic_sizes import learn
from vitrify.ir.walk import map_type
from vitrify.ops.arith import Arithmetic
from vitrify.ops.dispatch import using
from vitrify.ops.interpreter import Interpreter
from vitrify.ops.op import OPS, Op
from vitrify.ops.types import TensorType


class ArrayValue(Arithmetic):
    """A NumPy array as a value."""

    def __init__(self, array: Any) -> None:
        self.array = np.asarray(array)
        self.dtype = of_array(self.array)
        self.shape = self.array.shape

    @property
    def type(self) -> TensorType:
        return TensorType(self.dtype, self.shape)

    def item(self) -> Any:
        return self.array.item()

    def tolist(self) -> Any:
        return self.array.tolist()

    def __repr__(self) -> str:
        return f"ArrayValue({self.array!r})"


@dataclass(frozen=True)
class Step:
    """One op that ran."""

    op: Op
    operands: tuple[ArrayValue, ...]
    attrs: dict[str, Any]
    results: tuple[ArrayValue, ...]
    several: bool


class NumpyInterpreter(Interpreter):
    """Runs ops on ArrayValues, checks their types and keeps the steps."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def apply(self, op: Op, args: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        kinds = op.infer(*(a.type for a in args), **attrs)
        several = isinstance(kinds, tuple)
        out = op.eager(*(a.array for a in args), **attrs)
        assert isinstance(out, tuple) == several, f"{op.name}: infer and eager disagree on how many results there are"
        results = tuple(ArrayValue(o) for o in (out if several else (out,)))
        expected = kinds if isinstance(kinds, tuple) else (kinds,)
        told: dict[str, int] = {}
        learn(expected, [r.array for r in results], told)  # sizes that only a run knows
        expected = tuple(map_type(k, told) for k in expected)
        assert [str(r.type) for r in results] == [str(k) for k in expected], f"{op.name}: evaluated, inferred"
        self.steps.append(Step(op, args, attrs, results, several))
        return results if several else results[0]

    def constant(self, data: Any, dtype: DType | None = None) -> Any:
        if isinstance(data, ArrayValue):
            return data
        if isinstance(data, (bool, int, float)):
            return ArrayValue(np.asarray(data, (dtype or of_scalar(data, None, flags.default_dtype)).numpy))
        array = np.asarray(data)
        if dtype is None and not isinstance(data, (np.ndarray, np.generic)) and array.dtype == np.float64:
            dtype = flags.default_dtype
        return ArrayValue(array if dtype is None else array.astype(as_dtype(dtype).numpy))


@contextmanager
def numpy_values() -> Iterator[NumpyInterpreter]:
    """Run ops on ArrayValues inside the block, without floating-point warnings."""
    interpreter = NumpyInterpreter()
    with using(interpreter), np.errstate(all="ignore"):
        yield interpreter


def call(op: Op, args: Sequence[Any], attrs: dict[str, Any]) -> tuple[ArrayValue, ...]:
    """Call an op as a user does; the last operands of a variadic op go in a list."""
    values: list[Any] = list(args)
    if op.is_variadic and not (values and isinstance(values[-1], (list, tuple))):
        fixed = len(op.operands) - 1
        values = [*values[:fixed], values[fixed:]]
    out = op(*values, **attrs)
    return out if isinstance(out, tuple) else (out,)


def gradients(
    steps: Sequence[Step], outputs: Sequence[ArrayValue], seeds: Sequence[Any], inputs: Sequence[ArrayValue]
) -> list[ArrayValue | None]:
    """Reverse-mode gradients of `outputs`, weighted by `seeds`, with respect to `inputs`, along recorded steps."""
    found: dict[int, Any] = {}
    for output, seed in zip(outputs, seeds, strict=True):
        _accumulate(found, output, seed)
    for step in reversed(list(steps)):
        given = [found.get(id(r)) for r in step.results]
        if step.op.is_differentiable and any(g is not None for g in given):
            g, y = (tuple(given), step.results) if step.several else (given[0], step.results[0])
            parts = step.op.vjp(g, y, *step.operands, **step.attrs)  # type: ignore[operator]
            assert len(parts) == len(step.operands), f"{step.op.name}: one gradient per operand"
            for operand, part in zip(step.operands, parts, strict=True):
                if part is not None and operand.dtype.is_differentiable:
                    assert part.type == operand.type, f"{step.op.name}: gradient {part.type} of operand {operand.type}"
                    _accumulate(found, operand, part)
    return [found.get(id(x)) for x in inputs]


def _accumulate(found: dict[int, Any], value: ArrayValue, part: Any) -> None:
    known = found.get(id(value))
    found[id(value)] = part if known is None else OPS["add"](known, part)

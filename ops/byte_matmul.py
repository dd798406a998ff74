"""The row behind matmuls of 8-bit integers with sums of 32 bits: CPUs add four such products in one instruction."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.errors import DTypeError, ShapeError
from .dims import assume_equal
from .index import Prepared, as_value
from .infer import require_axes
from .interpreter import Interpreter
from .lowering import Custom
from .op import NONDIFFERENTIABLE, Sample, row
from .types import TensorType


def _prepare(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    return tuple(as_value(interpreter, value) for value in values), attrs


def _infer(x: TensorType, y: TensorType) -> TensorType:
    require_axes("byte_matmul: x", x, 2)
    if x.dtype not in (dt.int8, dt.uint8) or y.dtype is not dt.int8:
        raise DTypeError(f"byte_matmul multiplies int8 or uint8 by int8, not {x} by {y}")
    if y.rank != 2 or not assume_equal(x.shape[-1], y.shape[0]):
        raise ShapeError(f"byte_matmul multiplies [..., rows, depth] by [depth, columns], not {x} by {y}")
    return TensorType(dt.int32, (*x.shape[:-1], y.shape[1]))


def _samples() -> list[Sample]:
    made = []
    for seed, (rows, depth, columns) in enumerate([(8, 16, 32), (5, 19, 40), (9, 33, 16), (2, 3, 4)]):
        numbers = np.random.default_rng(seed)
        kind = (np.int8, np.uint8)[seed % 2]
        limits = np.iinfo(kind)
        x = numbers.integers(limits.min, limits.max, (rows, depth), kind, endpoint=True)
        made.append(Sample((x, numbers.integers(-128, 127, (depth, columns), np.int8, endpoint=True)), {}))
    return made


byte_matmul = row(
    "byte_matmul",
    "The matrix product of x (int8 or uint8) [..., rows, depth] and y (int8) [depth, columns]; sums are int32.",
    "x y",
    infer=_infer,
    eager=lambda x, y: np.matmul(x.astype(np.int32), y.astype(np.int32)),
    prepare=_prepare,
    vjp=NONDIFFERENTIABLE,
    lowering=Custom("matmul.bytes"),
    work=lambda given, made: 2 * made[0].size * given[0].shape[-1],
    samples=_samples,
    method=False,
    public=False,
)

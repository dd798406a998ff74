"""The rows behind bincount and isin: how often places are named, and which integers are among others."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.errors import DTypeError
from .index import Prepared, as_index, as_value, wrapped
from .infer import require_axes
from .interpreter import Interpreter
from .lowering import Custom
from .op import NONDIFFERENTIABLE, Sample, row
from .types import TensorType


def _prepare(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    return (as_value(interpreter, values[0], dt.int64), as_index(interpreter, "count_places", values[1])), attrs


def _infer(x: TensorType, index: TensorType) -> TensorType:
    for kind in (x, index):
        require_axes("count_places", kind, 1)
    if x.dtype is not dt.int64 or index.rank != 1 or x.rank != 1:
        raise DTypeError(f"count_places counts places [n] in numbers int64 [size], not {index} in {x}")
    return x


def _eager(x: Any, index: Any) -> Any:
    return x + np.bincount(wrapped(index, x.shape[0]), minlength=x.shape[0])


count_places = row(
    "count_places",
    "x (int64, one axis) with 1 added at each of the places that `index` (int32 or int64, one axis) names.",
    "x index",
    infer=_infer,
    eager=_eager,
    vjp=NONDIFFERENTIABLE,
    prepare=_prepare,
    lowering=Custom("index.count_places"),
    work=lambda given, made, **_: given[1].size,
    samples=lambda: [
        Sample((np.arange(5), np.array([1, 1, 4, -1, 0, 1, 2, 2, 1])), {}),
        Sample((np.zeros(3, "int64"), np.array([2, 0], "int32")), {}),
        Sample((np.zeros(3, "int64"), np.zeros(0, "int64")), {}),
    ],
    method=False,
    public=False,
    writes_into_first=True,
)


def _prepare_among(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    return tuple(as_value(interpreter, value) for value in values), attrs


def _infer_among(x: TensorType, line: TensorType) -> TensorType:
    if line.rank != 1 or x.dtype is not line.dtype or not x.dtype.is_integer:
        raise DTypeError(f"is_among looks for integers in a line of their type [n], not for {x} in {line}")
    return TensorType(dt.bool_, x.shape)


is_among = row(
    "is_among",
    "Whether each element of x is among those of `line` (one axis): integers of one type.",
    "x line",
    infer=_infer_among,
    eager=lambda x, line: np.isin(x, line),
    vjp=NONDIFFERENTIABLE,
    prepare=_prepare_among,
    lowering=Custom("order.is_among"),
    work=lambda given, made, **_: given[0].size,
    samples=lambda: [
        Sample((np.array([[1, 5, -3], [9, 7, 5]]), np.array([5, 7, 5, -3]))),
        Sample((np.array([2, 2**62, -(2**63), 7]), np.array([-(2**63), 2**63 - 1, 2**62, 0]))),
        Sample((np.array([3, 0], "int8"), np.zeros(0, "int8"))),
    ],
    method=False,
    public=False,
)

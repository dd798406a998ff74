"""The row behind bincount: how often places are named."""

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
    return x + np.bincount(wrapped("count_places", index, x.shape[0]), minlength=x.shape[0])


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

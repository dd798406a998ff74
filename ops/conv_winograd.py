"""Convolutions by 3 x 3 filters with fewer multiplications: F(2 x 2, 3 x 3), four pixels by sixteen instead of 36.

Rows that programs get from the pass `winograd` (passes/fusion/winograd.py), after they have been differentiated.
Source: Lavin, Gray, Fast Algorithms for Convolutional Neural Networks, 2016.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtype import FLOATS
from ..base.errors import ShapeError
from .arith import is_value
from .dims import assume_equal, concrete
from .infer import require_dtype, require_same_dtype, show_shape, window_size
from .interpreter import Interpreter
from .lowering import Custom
from .op import NONDIFFERENTIABLE, Sample, random_array, row
from .types import TensorType

NUMBERS = 16  # of a transformed filter, and of a tile of the image
PANEL = 8  # filters whose numbers lie side by side: as many rows of sums as registers hold
IMAGE = np.array([[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]])
FILTER = np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]])
RESULT = np.array([[1, 1, 1, 0], [0, 1, -1, -1]])


def panels(count: int) -> int:
    """How many panels `count` filters fill, the last one perhaps in part."""
    return -(-count // PANEL)


def _prepare(
    interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return tuple(v if is_value(v) else interpreter.constant(v, None) for v in values), attrs


def _infer_filters(weight: TensorType, *, transposed: bool) -> TensorType:
    require_dtype("winograd_filters", weight.dtype, FLOATS)
    if len(weight.shape) != 4 or tuple(weight.shape[2:]) != (3, 3) or not all(isinstance(n, int) for n in weight.shape):
        raise ShapeError(
            f"winograd_filters needs filters [out, in, 3, 3] of known size, got {show_shape(weight.shape)}"
        )
    made, given = weight.shape[:2][:: -1 if transposed else 1]
    return TensorType(weight.dtype, (NUMBERS, panels(int(made)), given, PANEL))


def _filters(weight: Any, *, transposed: bool) -> Any:
    if transposed:
        weight = weight[:, :, ::-1, ::-1].swapaxes(0, 1)
    matrix = FILTER.astype(weight.dtype)
    made, given = weight.shape[:2]
    padded = np.pad(weight, [(0, panels(made) * PANEL - made), (0, 0), (0, 0), (0, 0)], mode="edge")
    numbers = (matrix @ padded @ matrix.T).reshape(-1, PANEL, given, NUMBERS)
    return np.ascontiguousarray(numbers.transpose(3, 0, 2, 1))


def _infer(x: TensorType, filters: TensorType, *, count: int, padding: Any) -> TensorType:
    dtype = require_same_dtype("conv2d_winograd", (x, filters))
    require_dtype("conv2d_winograd", dtype, FLOATS)
    n, channels, *size = x.shape
    wanted = (NUMBERS, panels(count), channels, PANEL)
    if len(filters.shape) != 4 or any(assume_equal(a, b) is False for a, b in zip(filters.shape, wanted, strict=True)):
        raise ShapeError(f"conv2d_winograd needs filters {show_shape(wanted)}, got {show_shape(filters.shape)}")
    pixels = [window_size(length, 3, 1, low, high, 1) for length, (low, high) in zip(size, padding, strict=True)]
    return TensorType(dtype, (n, count, *pixels))


def _eager(x: Any, filters: Any, *, count: int, padding: Any) -> Any:
    return np.ascontiguousarray(_tiles(x, filters, padding)[:, :count])


def _tiles(x: Any, filters: Any, padding: Any) -> Any:
    """The convolution, with the results of the filters that fill up the last panel."""
    (top, bottom), (left, right) = padding
    n, channels, height, width = x.shape
    rows, columns = concrete([window_size(height, 3, 1, top, bottom, 1), window_size(width, 3, 1, left, right, 1)], {})
    tall, wide = -(-rows // 2), -(-columns // 2)
    image = np.zeros((n, channels, 2 * tall + 2, 2 * wide + 2), x.dtype)
    image[:, :, top : top + height, left : left + width] = x
    windows = np.lib.stride_tricks.sliding_window_view(image, (4, 4), axis=(2, 3))[:, :, ::2, ::2]
    matrix = IMAGE.astype(x.dtype)
    numbers = (matrix @ windows @ matrix.T).transpose(4, 5, 1, 0, 2, 3).reshape(NUMBERS, channels, -1)
    weights = filters.transpose(0, 1, 3, 2).reshape(NUMBERS, -1, channels)
    sums = (weights @ numbers).reshape(4, 4, -1, n, tall, wide).transpose(3, 2, 4, 5, 0, 1)
    matrix = RESULT.astype(x.dtype)
    pixels = (matrix @ sums @ matrix.T).swapaxes(3, 4).reshape(n, -1, 2 * tall, 2 * wide)
    return pixels[:, :, :rows, :columns]


def _filter_samples() -> list[Sample]:
    return [
        Sample((random_array(1, (3, 2, 3, 3)),), {"transposed": False}),
        Sample((random_array(2, (2, 9, 3, 3)),), {"transposed": True}),
    ]


def _samples() -> list[Sample]:
    out = []
    for x, count, padding in (((2, 3, 5, 6), 4, ((1, 1), (1, 1))), ((1, 2, 4, 7), 9, ((0, 2), (1, 0)))):
        filters = random_array(2, (NUMBERS, panels(count), x[1], PANEL))
        out.append(Sample((random_array(1, x), filters), {"count": count, "padding": padding}))
    return out


def _work(given: Any, made: Any, **_: Any) -> Any:
    return made[0].size * (8 * given[0].shape[1] + NUMBERS)


winograd_filters = row(
    "winograd_filters",
    "The transform of filters [out, in, 3, 3] for conv2d_winograd: [16, panels of 8 filters, in, 8], the last one"
    " repeated where it has fewer; `transposed`: of the filters of the convolution that is its gradient.",
    "weight",
    attrs={"transposed": False},
    infer=_infer_filters,
    eager=_filters,
    prepare=_prepare,
    vjp=NONDIFFERENTIABLE,
    lowering=Custom("conv.winograd_filters"),
    work=lambda given, made, **_: made[0].size * 2,
    samples=_filter_samples,
    method=False,
    public=False,
)


conv2d_winograd = row(
    "conv2d_winograd",
    "conv2d by `count` transformed filters, with stride 1.",
    "x filters",
    attrs={"count": None, "padding": ((0, 0), (0, 0))},
    infer=_infer,
    eager=_eager,
    prepare=_prepare,
    vjp=NONDIFFERENTIABLE,
    lowering=Custom("conv.conv2d_winograd"),
    work=_work,
    samples=_samples,
    method=False,
    public=False,
)

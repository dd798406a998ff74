"""Linear quantisation and what computes on quantised numbers: int8, uint8, int16 and int32."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import dtype as dt
from ...base.dtype import DType
from .carried import Whole
from .elements import cast_to
from .linear import matmul
from .node import Importer, Node, op, rows
from .windows import convolve, with_bias


def _aligned(n: Node, x: Any, p: Any, axis: int) -> Any:
    """A scale or zero point for x: one number, one per slice along `axis`, or one per block of it."""
    if p.ndim == 0 or (p.shape == (1,) and x.ndim != 1):
        return op.reshape(p, [])
    if p.ndim == 1:
        return op.reshape(p, [p.shape[0] if k == axis else 1 for k in range(x.ndim)])
    block = int(n.attribute("block_size", 0))
    if not block or not isinstance(x.shape[axis], int):
        raise n.refuse("a scale of several axes without block_size")
    places = np.arange(x.shape[axis]) // block
    return rows.gather(p, n.graph.constant(places), axis=axis)


def _axis(n: Node, x: Any) -> int:
    axis = int(n.attribute("axis", 1))
    return axis + x.ndim if axis < 0 else axis


def quantized(x: Any, scale: Any, zero: Any, dtype: DType, bounds: tuple[int, int] | None = None) -> Any:
    """round(x / scale) + zero, moved into the range of `dtype`, or bounds; halves go to the even number."""
    low, high = bounds or (int(np.iinfo(dtype.numpy).min), int(np.iinfo(dtype.numpy).max))
    moved = op.round(x / scale)
    moved = moved if zero is None else moved + op.cast(zero, moved.dtype)
    return cast_to(op.clip(moved, float(low), float(high)), dtype)


def _quantize(n: Node) -> Any:
    x, scale, zero = n[0], n[1], n.get(2)
    dtype = zero.dtype if zero is not None else n.dtype("output_dtype", dt.uint8)
    kind = n.graph.model.carried.get(n.proto.output[0])
    axis = _axis(n, x)
    if x.dtype.is_integer:
        x = op.cast(x, scale.dtype)
    scale = _aligned(n, x, scale, axis)
    if dtype.is_floating:  # rounded as its type is
        return op.cast(x / scale, dtype)
    bounds = kind.bounds if isinstance(kind, Whole) else None
    return quantized(x, scale, None if zero is None else _aligned(n, x, zero, axis), dtype, bounds)


def _dequantize(n: Node) -> Any:
    x, scale, zero = n[0], n[1], n.get(2)
    axis = _axis(n, x)
    return _real(x, _aligned(n, x, scale, axis), None if zero is None else _aligned(n, x, zero, axis))


def _real(x: Any, scale: Any, zero: Any) -> Any:
    if x.dtype.is_floating:
        return op.cast(x if zero is None else x - zero, scale.dtype) * scale
    whole = op.cast(x, dt.int32)
    whole = whole if zero is None else whole - op.cast(zero, dt.int32)
    return op.cast(whole, scale.dtype) * scale


def _dynamic(n: Node) -> Any:
    x = n[0]
    low, high = op.minimum(op.min(x), 0.0), op.maximum(op.max(x), 0.0)
    scale = (high - low) / 255.0
    zero = op.cast(op.clip(op.round(0.0 - low / scale), 0.0, 255.0), dt.int64)
    return quantized(x, scale, zero, dt.uint8), scale, op.cast(zero, dt.uint8)


def _whole(x: Any, zero: Any, shape: Any = None) -> Any:
    made = op.cast(x, dt.int64)
    if zero is None:
        return made
    return made - op.cast(zero if shape is None else op.reshape(zero, shape), dt.int64)


def _matmul_integer(n: Node) -> Any:
    zero = n.get(2)
    rows_of = [-1, 1] if zero is not None and zero.ndim == 1 and zero.shape != (1,) else None
    return op.cast(matmul(_whole(n[0], zero, rows_of), _whole(n[1], n.get(3))), dt.int32)


def _convolved(n: Node, x: Any, weight: Any) -> Any:
    """A convolution of whole numbers, in float64, which holds the sums exactly."""
    return convolve(n, op.cast(x, dt.float64), op.cast(weight, dt.float64))


def _per_filter(zero: Any, weight: Any) -> Any:
    return None if zero is None or zero.ndim == 0 or zero.shape == (1,) else [-1, *[1] * (weight.ndim - 1)]


def _conv_integer(n: Node) -> Any:
    x, weight, zero = n[0], n[1], n.get(3)
    made = _convolved(n, _whole(x, n.get(2)), _whole(weight, zero, _per_filter(zero, weight)))
    return op.cast(made, dt.int32)


def _qlinear_matmul(n: Node) -> Any:
    a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero = (n[k] for k in range(8))
    made = op.cast(matmul(_whole(a, a_zero), _whole(b, b_zero)), dt.float32)
    scale = op.cast(a_scale, dt.float32) * op.cast(b_scale, dt.float32) / op.cast(y_scale, dt.float32)
    return quantized(made * scale, n.graph.constant(np.float32(1)), y_zero, y_zero.dtype)


def _qlinear_conv(n: Node) -> Any:
    x, x_scale, x_zero, weight, w_scale, w_zero, y_scale, y_zero = (n[k] for k in range(8))
    made = _convolved(n, _whole(x, x_zero), _whole(weight, w_zero, _per_filter(w_zero, weight)))
    if n.has(8):
        made = with_bias(made, op.cast(n[8], dt.float64))
    scale = op.cast(x_scale, dt.float64) * op.cast(w_scale, dt.float64) / op.cast(y_scale, dt.float64)
    if w_scale.ndim == 1 and w_scale.shape != (1,):
        scale = op.reshape(scale, [1, -1, *[1] * (made.ndim - 2)])
    return quantized(made * scale, n.graph.constant(np.float64(1)), y_zero, y_zero.dtype)


ROWS: dict[str, Importer] = {
    "ConvInteger": _conv_integer,
    "DequantizeLinear": _dequantize,
    "DynamicQuantizeLinear": _dynamic,
    "MatMulInteger": _matmul_integer,
    "QLinearConv": _qlinear_conv,
    "QLinearMatMul": _qlinear_matmul,
    "QuantizeLinear": _quantize,
}

"""Pooling over images [n, channels, height, width]: maxima and averages of windows, with gradients of any order.

Padding takes no part: a maximum ignores it, an average divides by the elements inside the image (`exclusive`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..base.dtype import FLOATS, int32, int64
from ..base.errors import ArgumentError, ShapeError
from .along import take_along_axis
from .conv import (
    Pair,
    as_row,
    channels_as,
    channels_first,
    channels_last,
    from_row,
    padding_pairs,
    pair,
    pool_padding,
    row_padding,
    single,
)  # fmt: skip
from .dims import DimLike, concrete
from .families import common_dtype
from .index import Prepared, as_value
from .infer import require_dtype, require_shape, show_shape, window_size
from .interpreter import Interpreter
from .lowering import Custom
from .op import NONDIFFERENTIABLE, OPS, Op, Sample, composite, random_array, row
from .types import TensorType

WINDOW: dict[str, Any] = {"kernel": None, "stride": None, "padding": 0, "ceil_mode": False}


def _window(attrs: dict[str, Any], size: Sequence[DimLike]) -> dict[str, Any]:
    """The attributes of a window as ints: kernel, stride, padding ((top, bottom), (left, right)), ceil_mode."""
    kernel = pair("kernel_size", attrs["kernel"])
    stride = kernel if attrs["stride"] is None else pair("stride", attrs["stride"])
    padding = padding_pairs(attrs["padding"], size, kernel, stride, (1, 1))
    parts = zip(size, kernel, stride, padding, strict=True)
    rows, columns = (_fitted(*part, ceil=bool(attrs["ceil_mode"])) for part in parts)
    kernel = (rows, columns)
    if any(p >= k for pads, k in zip(padding, kernel, strict=True) for p in pads):
        raise ArgumentError(
            f"a pooling window of {kernel} can't have a padding of {padding}", remedy="pad less than the window's size"
        )
    return {"kernel": kernel, "stride": stride, "padding": padding, "ceil_mode": bool(attrs["ceil_mode"])}


def _fitted(size: DimLike, kernel: int, stride: int, padding: Pair, *, ceil: bool) -> int:
    """The kernel's size on an axis: all of a padded image that is smaller than it by less than a stride.

    That gives one window, as in PaddlePaddle, whose sizes are divided towards zero. Any smaller image is an error.
    """
    room = size + sum(padding) - kernel
    if isinstance(room, int) and -stride < room + ceil * (stride - 1) and room < 0:
        return max(kernel + room, 1)
    return kernel


def _pooled(size: Sequence[DimLike], a: dict[str, Any]) -> tuple[DimLike, ...]:
    parts = zip(size, a["kernel"], a["stride"], a["padding"], strict=True)
    return tuple(window_size(n, k, s, p[0], p[1], 1, a["ceil_mode"]) for n, k, s, p in parts)


def _require_images(op: str, x: Any) -> None:
    if len(x.shape) != 4:
        raise ShapeError(
            f"{op} needs images [n, c, h, w], got {show_shape(x.shape)}", remedy="unsqueeze the missing axis"
        )


def _prepare(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    (x,) = common_dtype(interpreter, values, allowed=(*FLOATS, int32, int64), name="max_pool2d")
    _require_images("max_pool2d", x)
    return (x,), _window(attrs, x.shape[2:])


def _prepare_grad(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    return tuple(as_value(interpreter, v) for v in values), attrs


# ---- eager kernels: one slice of the padded image per place in the window


def _places(x: Any, fill: Any, a: dict[str, Any]) -> Iterator[tuple[Any, Any, Any]]:
    """For each place in the window: the elements there [n, c, oh, ow], and the rows [oh, 1] and columns they are in."""
    (kh, kw), (sh, sw), (oh, ow) = a["kernel"], a["stride"], concrete(_pooled(x.shape[2:], a), {})
    (top, _), (left, _) = a["padding"]
    after = [
        (o - 1) * s + k - n - p
        for o, s, k, n, p in zip((oh, ow), (sh, sw), (kh, kw), x.shape[2:], (top, left), strict=True)
    ]
    x = np.pad(x, ((0, 0), (0, 0), (top, max(after[0], 0)), (left, max(after[1], 0))), constant_values=fill)
    for i in range(kh):
        for j in range(kw):
            part = x[:, :, i : i + (oh - 1) * sh + 1 : sh, j : j + (ow - 1) * sw + 1 : sw]
            yield part, (np.arange(oh) * sh + (i - top))[:, None], np.arange(ow) * sw + (j - left)


def _lowest(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _max_eager(x: Any, **a: Any) -> Any:
    places = _places(x, _lowest(x.dtype), a)
    out = next(places)[0].copy()
    for part, _, _ in places:
        np.maximum(out, part, out=out)
    return out


def _index_eager(x: Any, **a: Any) -> Any:
    """The first maximum of each window as row * width + column; a NaN is larger than all numbers."""
    height, width = x.shape[2:]
    best: Any = None
    for part, rows, columns in _places(x, _lowest(x.dtype), a):
        inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        here = rows * width + columns
        if best is None:
            best, index = part.copy(), np.full(part.shape, -1, np.int64)
        better = inside & ((index < 0) | (part > best) | (np.isnan(part) & ~np.isnan(best)))
        index = np.where(better, here, index)
        best = np.where(better, part, best)
    return index


def _max_grad_eager(g: Any, x: Any, **a: Any) -> Any:
    lowest = _lowest(x.dtype)
    parts = [part for part, _, _ in _places(x, lowest, a)]
    top = parts[0].copy()
    for part in parts[1:]:
        np.maximum(top, part, out=top)
    words = {4: np.int32, 8: np.int64}.get(g.dtype.itemsize)
    if words is None or np.isnan(top.sum()) or not (top > lowest).all():  # windows whose maximum is no place's own
        return _max_grad_by_index(g, x, **a)
    (kh, kw), (sh, sw), (oh, ow) = a["kernel"], a["stride"], g.shape[2:]
    (top_pad, _), (left_pad, _) = a["padding"]
    height, width = max((oh - 1) * sh + kh, x.shape[2] + top_pad), max((ow - 1) * sw + kw, x.shape[3] + left_pad)
    out: Any = np.zeros((*x.shape[:2], height, width), g.dtype)
    apart = sh >= kh and sw >= kw
    bits, free = np.ascontiguousarray(g).view(words), None
    for k, part in enumerate(parts):
        hit = part == top
        if free is None:
            free = ~hit
        else:
            hit &= free
            free ^= hit
        mask = hit.astype(words)
        np.negative(mask, out=mask)
        mask &= bits
        i, j = divmod(k, kw)
        place = out[:, :, i : i + (oh - 1) * sh + 1 : sh, j : j + (ow - 1) * sw + 1 : sw]
        if apart:
            place[...] = mask.view(g.dtype)
        else:
            place += mask.view(g.dtype)
    return np.ascontiguousarray(out[:, :, top_pad : top_pad + x.shape[2], left_pad : left_pad + x.shape[3]])


def _max_grad_by_index(g: Any, x: Any, **a: Any) -> Any:
    n, c, h, w = x.shape
    if not x.size:
        return np.zeros_like(x)
    flat = _index_eager(x, **a) + (np.arange(n * c) * (h * w)).reshape(n, c, 1, 1)
    return np.bincount(flat.ravel(), g.ravel(), n * c * h * w).astype(x.dtype).reshape(x.shape)


def _counts(size: Sequence[int], a: dict[str, Any]) -> Any:
    """How many elements each window averages, [oh, ow]."""
    if a["divisor"]:
        return np.array(a["divisor"])
    out = []
    for n, o, k, s, (before, after) in zip(
        size, concrete(_pooled(size, a), {}), a["kernel"], a["stride"], a["padding"], strict=True
    ):
        start = np.arange(o) * s - before
        low, high = (0, n) if a["exclusive"] else (-before, n + after)
        out.append(np.minimum(start + k, high) - np.maximum(start, low))
    return out[0][:, None] * out[1]


def _avg_eager(x: Any, **a: Any) -> Any:
    places = _places(x, 0, a)
    out = next(places)[0].copy()
    for part, _, _ in places:
        out += part
    return out / _counts(x.shape[2:], a).astype(x.dtype)


def _avg_grad_eager(g: Any, *, size: Pair, **a: Any) -> Any:
    g = g / _counts(size, a).astype(g.dtype)
    ((top, _), (left, _)), (sh, sw), (oh, ow), (kh, kw) = a["padding"], a["stride"], g.shape[2:], a["kernel"]
    rows = max((oh - 1) * sh + kh, size[0] + top)
    out: Any = np.zeros((*g.shape[:2], rows, max((ow - 1) * sw + kw, size[1] + left)), g.dtype)
    for i in range(kh):
        for j in range(kw):
            out[:, :, i : i + (oh - 1) * sh + 1 : sh, j : j + (ow - 1) * sw + 1 : sw] += g
    return np.ascontiguousarray(out[:, :, top : top + size[0], left : left + size[1]])


# ---- rows


def _infer(x: TensorType, **a: Any) -> TensorType:
    _require_images("pooling", x)
    return TensorType(x.dtype, (*x.shape[:2], *_pooled(x.shape[2:], a)))


def _max_grad_infer(g: TensorType, x: TensorType, **a: Any) -> TensorType:
    require_shape("max_pool2d_grad", "g", g.shape, _infer(x, **a).shape)
    return x


def _avg_grad_infer(g: TensorType, *, size: Any, **a: Any) -> TensorType:
    _require_images("avg_pool2d_grad", g)
    require_shape("avg_pool2d_grad", "g", g.shape[2:], _pooled(size, a))
    return TensorType(g.dtype, (*g.shape[:2], *size))


def _avg_infer(x: TensorType, **a: Any) -> TensorType:
    require_dtype("avg_pool2d", x.dtype, FLOATS)
    return _infer(x, **a)


def _avg_prepare(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    (x,) = common_dtype(interpreter, values, to_float=True, allowed=FLOATS, name="avg_pool2d")
    _require_images("avg_pool2d", x)
    return (x,), _window(attrs, x.shape[2:]) | {
        "exclusive": bool(attrs["exclusive"]),
        "divisor": int(attrs["divisor"] or 0),
    }


def _max_grad_vjp(g: Any, y: Any, dy: Any, x: Any, **a: Any) -> tuple[Any, ...]:
    n, c, h, w = x.shape
    places = max_pool2d_index(x, **a)
    planes, index = OPS["reshape"](g, (n, c, h * w)), OPS["reshape"](places, (n, c, -1))
    return OPS["reshape"](take_along_axis(planes, index, axis=2), dy.shape), None


_CASES: list[tuple[tuple[int, ...], dict[str, Any]]] = [
    ((2, 3, 4, 6), {}),
    ((1, 2, 5, 5), {"kernel": (3, 3), "stride": (2, 2), "padding": ((1, 1), (1, 1))}),
    ((1, 2, 5, 6), {"kernel": (2, 3), "stride": (2, 2), "ceil_mode": True}),
    ((1, 1, 6, 6), {"kernel": (3, 2), "stride": (1, 1), "padding": ((0, 1), (1, 0))}),
]


def _full(given: dict[str, Any]) -> dict[str, Any]:
    return {"kernel": (2, 2), "stride": (2, 2), "padding": ((0, 0), (0, 0)), "ceil_mode": False} | given


def _distinct(shape: tuple[int, ...]) -> Any:
    """Elements far from each other, so that a small step never changes which is the maximum."""
    return np.random.default_rng(3).permutation(int(np.prod(shape))).reshape(shape) * 0.25


def _output_shape(shape: tuple[int, ...], a: dict[str, Any]) -> tuple[int, ...]:
    return (*shape[:2], *concrete(_pooled(shape[2:], a), {}))


def _max_grad_samples() -> list[Sample]:
    return [Sample((random_array(1, _output_shape(s, _full(a))), _distinct(s)), _full(a)) for s, a in _CASES]


_AVERAGES: list[dict[str, Any]] = [
    {"exclusive": True, "divisor": 0},
    {"exclusive": False, "divisor": 0},
    {"exclusive": True, "divisor": 3},
]


def _avg_samples() -> list[Sample]:
    return [Sample((random_array(1, s),), _full(a) | more) for s, a in _CASES for more in _AVERAGES]


def _avg_grad_samples() -> list[Sample]:
    cases = [(s, _full(a) | more) for s, a in _CASES for more in _AVERAGES]
    return [Sample((random_array(1, _output_shape(s, a)),), a | {"size": s[2:]}) for s, a in cases]


def _work(pooled: TensorType, kernel: tuple[int, int]) -> DimLike:
    """One operation per element of each window."""
    return pooled.size * kernel[0] * kernel[1]


max_pool2d_row = row(
    "max_pool2d",
    "The maximum of each window of images [n, c, h, w].",
    "x",
    attrs=dict(WINDOW),
    infer=_infer,
    eager=_max_eager,
    vjp=lambda g, y, x, **a: (max_pool2d_grad(g, x, **a),),
    prepare=_prepare,
    lowering=Custom("window.max_pool2d"),
    work=lambda given, made, *, kernel, **_: _work(made[0], kernel),
    samples=lambda: [Sample((_distinct(s),), _full(a)) for s, a in _CASES],
    method=False,
    public=False,
    onnx="MaxPool",
)
max_pool2d_index = row(
    "max_pool2d_index",
    "The place, row * width + column, of the first maximum of each window.",
    "x",
    attrs=dict(WINDOW),
    infer=lambda x, **a: TensorType(int64, _infer(x, **a).shape),
    eager=_index_eager,
    vjp=NONDIFFERENTIABLE,
    prepare=_prepare,
    lowering=Custom("window.max_pool2d_index"),
    work=lambda given, made, *, kernel, **_: _work(made[0], kernel),
    samples=lambda: [Sample((_distinct(s),), _full(a), smooth=False) for s, a in _CASES],
    method=False,
    public=False,
)
max_pool2d_grad: Op = row(
    "max_pool2d_grad",
    "The gradient of max_pool2d: each element of g goes to the first maximum of its window of x.",
    "g x",
    attrs=dict(WINDOW),
    infer=_max_grad_infer,
    eager=_max_grad_eager,
    vjp=_max_grad_vjp,
    prepare=_prepare_grad,
    lowering=Custom("window.max_pool2d_grad"),
    work=lambda given, made, *, kernel, **_: _work(given[0], kernel),
    samples=_max_grad_samples,
    method=False,
    public=False,
)
avg_pool2d_row = row(
    "avg_pool2d",
    "The average of each window of images [n, c, h, w]; `exclusive` leaves padding out; divisor 0: count the elements.",
    "x",
    attrs=WINDOW | {"exclusive": True, "divisor": 0},
    infer=_avg_infer,
    eager=_avg_eager,
    vjp=lambda g, y, x, **a: (avg_pool2d_grad(g, size=tuple(x.shape[2:]), **a),),
    prepare=_avg_prepare,
    lowering=Custom("window.avg_pool2d"),
    work=lambda given, made, *, kernel, **_: _work(made[0], kernel),
    samples=_avg_samples,
    method=False,
    public=False,
    onnx="AveragePool",
)
avg_pool2d_grad: Op = row(
    "avg_pool2d_grad",
    "The gradient of avg_pool2d: each element of g spread over its window of images of height and width `size`.",
    "g",
    attrs={"size": None, **WINDOW, "exclusive": True, "divisor": 0},
    infer=_avg_grad_infer,
    eager=_avg_grad_eager,
    vjp=lambda g, y, dy, *, size, **a: (avg_pool2d_row(g, **a),),
    prepare=_prepare_grad,
    lowering=Custom("window.avg_pool2d_grad"),
    work=lambda given, made, *, kernel, **_: _work(given[0], kernel),
    samples=_avg_grad_samples,
    method=False,
    public=False,
)

# ---- functions over the rows


@composite(method=False)
def max_pool2d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False, ceil_mode: bool = False,
    data_format: str = "NCHW", name: str | None = None,
) -> Any:  # fmt: skip
    """The maximum of each window; with `return_mask` also its place, row * width + column, in int32."""
    last = channels_last("max_pool2d", data_format, 2)
    if return_mask and last:
        raise ArgumentError("max_pool2d has return_mask for NCHW only", remedy="transpose the image")
    padding = pool_padding(padding, 2, last, ceil_mode)
    x = channels_first(x, data_format)
    y = channels_as(max_pool2d_row(x, kernel_size, stride, padding, ceil_mode), data_format)
    if not return_mask:
        return y
    return y, OPS["cast"](max_pool2d_index(x, kernel_size, stride, padding, ceil_mode), int32)


@composite(method=False)
def avg_pool2d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, exclusive: bool = True,
    divisor_override: int | None = None, data_format: str = "NCHW", name: str | None = None,
) -> Any:  # fmt: skip
    """The average of each window; `exclusive` leaves padding out of the count.

    divisor_override replaces the size of the window: averages are multiplied by that size and divided by this number.
    """
    padding = pool_padding(padding, 2, channels_last("avg_pool2d", data_format, 2), ceil_mode)
    x = channels_first(x, data_format)
    y = avg_pool2d_row(x, kernel_size, stride, padding, ceil_mode, exclusive, None)
    if divisor_override:
        y = y * (math.prod(pair("kernel_size", kernel_size)) / divisor_override)
    return channels_as(y, data_format)


@composite(method=False)
def max_pool1d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False, ceil_mode: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The maximum of each window of sequences [n, c, l]; with `return_mask` also its place."""
    kernel, step = (1, single("kernel_size", kernel_size)), _row_stride(stride)
    y = max_pool2d(as_row(x), kernel, step, row_padding(padding), return_mask, ceil_mode)
    return (from_row(y[0]), from_row(y[1])) if return_mask else from_row(y)


@composite(method=False)
def avg_pool1d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, exclusive: bool = True, ceil_mode: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The average of each window of sequences [n, c, l]."""
    kernel, step = (1, single("kernel_size", kernel_size)), _row_stride(stride)
    return from_row(avg_pool2d(as_row(x), kernel, step, row_padding(padding), ceil_mode, exclusive))


def _row_stride(stride: Any) -> Any:
    return None if stride is None else (1, single("stride", stride))

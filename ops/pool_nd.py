"""Pooling over volumes and pooling of other kinds, written with the rows of pool.py.

A window of a volume is pooled over the plane first, then along the depth. Adaptive and fractional pooling take a list
of spans for each axis; unpooling puts elements back to the places that a maximum came from.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtype import float64, int32, int64
from ..base.errors import ArgumentError, ShapeError
from .along import put_along_axis_row, take_along_axis
from .arith import Arithmetic
from .compare import where
from .composite import Draw
from .conv import (
    as_row,
    channels_as,
    channels_first,
    channels_last,
    from_row,
    ints,
    pool_padding,
    single,
    spatial_padding,
)
from .dims import Dim, DimLike, floordiv, product, same_dim
from .dispatch import current
from .elementwise import power
from .index import gather
from .infer import as_dim, listed_sizes, part_count, show_shape
from .op import OPS, composite
from .pool import avg_pool2d_row, max_pool2d, max_pool2d_index, max_pool2d_row
from .slices import piece

__all__ = [
    "adaptive_avg_pool3d", "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d", "avg_pool3d",
    "fractional_max_pool2d", "fractional_max_pool3d", "lp_pool1d", "lp_pool2d", "max_pool3d", "max_unpool1d",
    "max_unpool2d", "max_unpool3d",
]  # fmt: skip

Span = tuple[int, int]


# ---- windows over volumes


def _require(op: str, x: Any, rank: int) -> None:
    if x.ndim != rank + 2:
        raise ShapeError(f"{op} needs rank {rank + 2}, [n, channels, …], got {show_shape(x.shape)}")


def _volume_window(kernel_size: Any, stride: Any, padding: Any, last: bool, ceil: bool) -> tuple[Any, Any, Any]:
    kernel = ints("kernel_size", kernel_size, 3)
    steps = kernel if stride is None else ints("stride", stride, 3)
    pads = pool_padding(padding, 3, last, ceil)
    return kernel, steps, [pads] * 2 if isinstance(pads, str) else [[pads[0], (0, 0)], pads[1:]]


def max_pool3d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: bool = False, ceil_mode: bool = False,
    data_format: str = "NCDHW", name: str | None = None,
) -> Any:  # fmt: skip
    """The maximum of each window of volumes [n, c, d, h, w]; with `return_mask` also its place in the flat volume."""
    last = channels_last("max_pool3d", data_format, 3)
    if return_mask and last:
        raise ArgumentError("max_pool3d has return_mask for NCDHW only", remedy="transpose the volume")
    x = channels_first(x, data_format)
    _require("max_pool3d", x, 3)
    kernel, steps, (depth_pad, pad) = _volume_window(kernel_size, stride, padding, last, ceil_mode)
    n, c, d, h, w = x.shape
    planes = OPS["reshape"](x, (n, c * d, h, w))
    pooled = max_pool2d_row(planes, kernel[1:], steps[1:], pad, ceil_mode)
    oh, ow = pooled.shape[2:]
    pooled = OPS["reshape"](pooled, (n, c, d, oh * ow))
    settings = (kernel[0], 1), (steps[0], 1), depth_pad, ceil_mode
    y = max_pool2d_row(pooled, *settings)
    shape = (n, c, y.shape[2], oh, ow)
    out = channels_as(OPS["reshape"](y, shape), data_format)
    if not return_mask:
        return out
    inside = OPS["reshape"](max_pool2d_index(planes, kernel[1:], steps[1:], pad, ceil_mode), (n, c, d, oh * ow))
    depth = max_pool2d_index(pooled, *settings) // (oh * ow)
    return out, OPS["cast"](OPS["reshape"](depth * (h * w) + take_along_axis(inside, depth, 2), shape), int32)


def avg_pool3d(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, exclusive: bool = True,
    divisor_override: int | None = None, data_format: str = "NCDHW", name: str | None = None,
) -> Any:  # fmt: skip
    """The average of each window of volumes; `exclusive` leaves padding out of the count; see avg_pool2d."""
    last = channels_last("avg_pool3d", data_format, 3)
    x = channels_first(x, data_format)
    _require("avg_pool3d", x, 3)
    kernel, steps, (depth_pad, pad) = _volume_window(kernel_size, stride, padding, last, ceil_mode)
    n, c, d, h, w = x.shape
    y = avg_pool2d_row(
        OPS["reshape"](x, (n, c * d, h, w)), kernel[1:], steps[1:], pad, ceil_mode, exclusive, None
    )  # fmt: skip
    oh, ow = y.shape[2:]
    y = avg_pool2d_row(
        OPS["reshape"](y, (n, c, d, oh * ow)), (kernel[0], 1), (steps[0], 1), depth_pad, ceil_mode, exclusive, None
    )
    y = OPS["reshape"](y, (n, c, y.shape[2], oh, ow))
    return channels_as(y * (math.prod(kernel) / divisor_override) if divisor_override else y, data_format)


def lp_pool2d(
    x: Any, norm_type: float, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    data_format: str = "NCHW", name: str | None = None,
) -> Any:  # fmt: skip
    """(the sum of x ** p over each window) ** (1 / p) of images; p = inf: the maximum."""
    x = channels_first(x, data_format)
    _require("lp_pool2d", x, 2)
    last = channels_last("lp_pool2d", data_format, 2)
    if norm_type == math.inf:
        return channels_as(max_pool2d(x, kernel_size, stride, padding, False, ceil_mode), data_format)
    if not norm_type:
        raise ArgumentError("lp_pool: norm_type must not be 0")
    pads = pool_padding(padding, 2, last, ceil_mode)
    total = avg_pool2d_row(power(x, float(norm_type)), kernel_size, stride, pads, ceil_mode, False, 1)
    return channels_as(power(total, 1.0 / norm_type), data_format)


def lp_pool1d(
    x: Any, norm_type: float, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    data_format: str = "NCL", name: str | None = None,
) -> Any:  # fmt: skip
    """(the sum of x ** p over each window) ** (1 / p) of sequences [n, c, l]."""
    x = channels_first(x, data_format)
    _require("lp_pool1d", x, 1)
    pads = spatial_padding(padding, 1, channels_last("lp_pool1d", data_format, 1))
    pads = pads if isinstance(pads, str) else [(0, 0), *pads]
    step = None if stride is None else (1, single("stride", stride))
    y = lp_pool2d(as_row(x), norm_type, (1, single("kernel_size", kernel_size)), step, pads, ceil_mode)
    return channels_as(from_row(y), data_format)


# ---- unpooling


def _unpool(
    rank: int, x: Any, indices: Any, kernel_size: Any, stride: Any, padding: Any, data_format: str, output_size: Any
) -> Any:
    op = f"max_unpool{rank}d"
    if channels_last(op, data_format, rank):
        raise ArgumentError(f"{op} takes channels first only, not {data_format}")
    _require(op, x, rank)
    if list(indices.shape) != list(x.shape):
        raise ShapeError(f"{op}: indices {show_shape(indices.shape)} must have the shape of x {show_shape(x.shape)}")
    kernel = ints("kernel_size", kernel_size, rank)
    steps = kernel if stride is None else ints("stride", stride, rank)
    pads = ints("padding", padding, rank, least=0)
    usual = [(size - 1) * s - 2 * p + k for size, s, p, k in zip(x.shape[2:], steps, pads, kernel, strict=True)]
    size = usual if output_size is None else _unpooled_size(op, rank, output_size, usual, steps)
    n, c = x.shape[:2]
    flat = OPS["full"]((n, c, product(size)), 0, x.dtype)
    places, values = (OPS["reshape"](v, (n, c, product(x.shape[2:]))) for v in (indices, x))
    return OPS["reshape"](put_along_axis_row(flat, places, values, 2), (n, c, *size))


def _unpooled_size(op: str, rank: int, wanted: Any, usual: Sequence[Any], steps: Sequence[int]) -> list[int]:
    if not isinstance(wanted, (list, tuple)):
        raise ArgumentError(f"{op}: output_size must be a list of sizes, not {wanted!r}")
    given = list(wanted)
    size = ints("output_size", given[-rank:] if len(given) == rank + 2 else given, rank)
    for w, u, s in zip(size, usual, steps, strict=True):
        if isinstance(u, int) and not u - s < w < u + s:
            raise ArgumentError(f"{op}: output_size {list(size)} must be within a stride of {list(usual)}")
    return list(size)


def max_unpool1d(
    x: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: str = "NCL",
    output_size: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Sequences of zeros with x at the places `indices` that max_pool1d(return_mask=True) gave."""
    return _unpool(1, x, indices, kernel_size, stride, padding, data_format, output_size)


def max_unpool2d(
    x: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: str = "NCHW",
    output_size: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Images of zeros with x at the places `indices` that max_pool2d(return_mask=True) gave."""
    return _unpool(2, x, indices, kernel_size, stride, padding, data_format, output_size)


def max_unpool3d(
    x: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: str = "NCDHW",
    output_size: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Volumes of zeros with x at the places `indices` that max_pool3d(return_mask=True) gave."""
    return _unpool(3, x, indices, kernel_size, stride, padding, data_format, output_size)


# ---- spans: adaptive and fractional pooling


def _grid(op: str, size: Sequence[DimLike], output: Any) -> list[tuple[DimLike, DimLike]]:
    """(size, output size) of both axes; None keeps a size."""
    wanted = [as_dim(o) if isinstance(o, Arithmetic) else o for o in listed_sizes(output, len(size))]
    if len(wanted) != len(size) or not all(
        o is None or isinstance(o, Dim) or (hasattr(o, "__index__") and o.__index__() >= 1) for o in wanted
    ):
        raise ArgumentError(f"{op}: output_size must be {len(size)} ints or None, not {output!r}")
    grid: list[tuple[DimLike, DimLike]] = []
    for n, o in zip(size, wanted, strict=True):
        is_open = o is None or isinstance(o, Dim)
        grid.append((n, n if o is None else o if is_open else part_count(f"{op}: output_size", o, 1, n)))
    return grid


@composite(method=False)
def adaptive_avg_pool2d(x: Any, output_size: Any, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Averages over a grid of `output_size` windows that cover the image; None keeps an axis.

    Windows overlap by one where the size doesn't divide; the averages are then products with two small matrices.
    """
    x = channels_first(x, data_format)
    _require("adaptive_avg_pool2d", x, 2)
    x, sizes = _whole_axes("mean", x, _grid("adaptive_avg_pool2d", x.shape[2:], output_size))
    if all(same_dim(n, o) for n, o in sizes):
        return channels_as(x, data_format)
    kernel = _even_kernel(sizes)
    if kernel is not None:
        return channels_as(avg_pool2d_row(x, kernel), data_format)
    (h, oh), (w, ow) = sizes
    if not same_dim(w, ow):
        x = OPS["matmul"](x, _averages(w, ow, x.dtype), False, True)
    if not same_dim(h, oh):
        x = OPS["matmul"](_averages(h, oh, x.dtype), x)
    return channels_as(x, data_format)


def _whole_axes(fold: str, x: Any, sizes: list[tuple[DimLike, DimLike]]) -> tuple[Any, list[tuple[DimLike, DimLike]]]:
    """x with the axes that pool to one element folded by a reduction; the sizes that are left."""
    ones = [isinstance(o, int) and o == 1 for _, o in sizes]
    whole = [axis for axis, one, (n, _) in zip((2, 3), ones, sizes, strict=True) if one and not same_dim(n, 1)]
    left: list[tuple[DimLike, DimLike]] = [(1, 1) if one else pair for one, pair in zip(ones, sizes, strict=True)]
    return (OPS[fold](x, whole, True) if whole else x), left


def _even_kernel(sizes: list[tuple[DimLike, DimLike]]) -> tuple[int, int] | None:
    """The window where all are equal and side by side."""
    steps = [
        1 if same_dim(n, o) else n // o if isinstance(n, int) and isinstance(o, int) and n % o == 0 else None
        for n, o in sizes
    ]
    return None if None in steps else (steps[0], steps[1])  # type: ignore[return-value]


def _averages(size: DimLike, output: DimLike, dtype: Any) -> Any:
    """The matrix [output, size] whose rows are the averages over windows."""
    if not isinstance(size, int) or not isinstance(output, int):
        return _open_averages(size, output, dtype)
    matrix = np.zeros((output, size), dtype.numpy)
    for k in range(output):
        start, stop = _span(k, size, output)
        matrix[k, start:stop] = 1.0 / (stop - start)
    return current().constant(matrix, dtype)


def _open_averages(size: DimLike, output: DimLike, dtype: Any) -> Any:
    """The same of sizes that a program doesn't know."""
    n, o = (current().constant(d, int64) for d in (size, output))
    row = OPS["reshape"](OPS["arange"](as_dim(output)), (-1, 1))
    start, stop = (row * n) // o, ((row + 1) * n + (o - 1)) // o
    place = OPS["reshape"](OPS["arange"](as_dim(size)), (1, -1))
    inside = OPS["logical_and"](place >= start, place < stop)
    return OPS["cast"](OPS["cast"](inside, float64) / OPS["cast"](stop - start, float64), dtype)


@composite(method=False)
def adaptive_avg_pool1d(x: Any, output_size: Any, name: str | None = None) -> Any:
    """Averages over `output_size` windows that cover sequences [n, c, l]."""
    return from_row(adaptive_avg_pool2d(as_row(x), (1, single("output_size", output_size))))


def _output_sizes(op: str, x: Any, output_size: Any, rank: int) -> list[int]:
    wanted = listed_sizes(output_size, rank)
    wanted = [v.item() if hasattr(v, "item") else v for v in wanted]
    wanted = [n if o is None else o for n, o in zip(x.shape[2:], wanted, strict=True)] if len(wanted) == rank else []
    wanted = [
        int(o) if isinstance(o, Dim) and not same_dim(n, o) else o for n, o in zip(x.shape[2:], wanted, strict=False)
    ]
    if not wanted or not all(isinstance(o, Dim) or (hasattr(o, "__index__") and o.__index__() >= 1) for o in wanted):
        raise ArgumentError(f"{op}: output_size must be {rank} ints or None, not {output_size!r}")
    for n, o in zip(x.shape[2:], wanted, strict=True):
        if not isinstance(o, Dim):
            part_count(f"{op}: output_size", o, 1, n)
    return wanted


def _adaptive_spans(size: DimLike, output: DimLike) -> list[tuple[DimLike, DimLike]] | None:
    """Start and stop of each window; None where every element is a window of its own."""
    if same_dim(size, output):
        return None
    if output == 1:
        return [(0, size)]
    assert isinstance(output, int)
    return [_span(k, size, output) for k in range(output)]


def _span(k: int, size: DimLike, output: int) -> tuple[DimLike, DimLike]:
    """Start and stop of a window."""
    return floordiv(k * size, output), floordiv((k + 1) * size + (output - 1), output)


def _at_places(x: Any, axis: int, span: tuple[Any, Any]) -> Any:
    """The elements at some places of an axis, -inf for those that don't count."""
    places, counts = span
    part = gather(x, places, axis)
    return where(OPS["reshape"](counts, tuple(-1 if k == axis else 1 for k in range(x.ndim))), part, -math.inf)


def _max_over_spans(x: Any, spans: Sequence[Any], return_mask: bool) -> Any:
    """Maxima over a grid of spans, one list for each image axis; with `return_mask` also their flat places.

    A span is its start and stop; where only a run knows them, its start and places, and which of these count.
    """
    sizes = x.shape[2:]
    places: Any = None
    for axis in range(x.ndim - 1, 1, -1):
        weight = product(sizes[axis - 1 :])
        if spans[axis - 2] is None:
            if return_mask:
                line = OPS["reshape"](
                    OPS["arange"](x.shape[axis]), tuple(-1 if k == axis else 1 for k in range(x.ndim))
                )
                places = OPS["broadcast_to"](line * weight, x.shape) if places is None else places + line * weight
            continue
        found, at = [], []
        for start, stop in spans[axis - 2]:
            part = piece(x, axis, start, stop - start) if isinstance(stop, (int, Dim)) else _at_places(x, axis, stop)
            if not return_mask:
                found.append(OPS["max"](part, axis, True))
                continue
            best = OPS["argmax"](part, axis, True)
            found.append(take_along_axis(part, best, axis))
            here = (best + start) * weight
            at.append(here if places is None else here + take_along_axis(places, best + start, axis))
        x = OPS["concat"](found, axis=axis) if len(found) > 1 else found[0]
        if return_mask:
            places = OPS["concat"](at, axis=axis) if len(at) > 1 else at[0]
    return (x, OPS["cast"](places, int32)) if return_mask else x


def _divide_evenly(sizes: Sequence[Any], outputs: Sequence[Any]) -> bool:
    return all(isinstance(n, int) and n % o == 0 for n, o in zip(sizes, outputs, strict=True))


def _adaptive_max(op: str, rank: int, x: Any, output_size: Any, return_mask: bool) -> Any:
    _require(op, x, rank)
    sizes = _output_sizes(op, x, output_size, rank)
    if not return_mask and rank < 3 and _divide_evenly(x.shape[2:], sizes):
        image = as_row(x) if rank == 1 else x
        kernel = tuple(n // o for n, o in zip(x.shape[2:], sizes, strict=True))
        y = max_pool2d_row(image, (1, *kernel) if rank == 1 else kernel)
        return from_row(y) if rank == 1 else y
    return _max_over_spans(x, [_adaptive_spans(n, o) for n, o in zip(x.shape[2:], sizes, strict=True)], return_mask)


def adaptive_max_pool1d(x: Any, output_size: Any, return_mask: bool = False, name: str | None = None) -> Any:
    """Maxima over `output_size` windows that cover sequences [n, c, l]; with `return_mask` also their places."""
    return _adaptive_max("adaptive_max_pool1d", 1, x, output_size, return_mask)


def adaptive_max_pool2d(x: Any, output_size: Any, return_mask: bool = False, name: str | None = None) -> Any:
    """Maxima over a grid of `output_size` windows that cover images; None keeps an axis."""
    return _adaptive_max("adaptive_max_pool2d", 2, x, output_size, return_mask)


def adaptive_max_pool3d(x: Any, output_size: Any, return_mask: bool = False, name: str | None = None) -> Any:
    """Maxima over a grid of `output_size` windows that cover volumes; None keeps an axis."""
    return _adaptive_max("adaptive_max_pool3d", 3, x, output_size, return_mask)


def adaptive_avg_pool3d(x: Any, output_size: Any, data_format: str = "NCDHW", name: str | None = None) -> Any:
    """Averages over a grid of `output_size` windows that cover volumes [n, c, d, h, w]; None keeps an axis."""
    channels_last("adaptive_avg_pool3d", data_format, 3)
    x = channels_first(x, data_format)
    _require("adaptive_avg_pool3d", x, 3)
    depth, *plane = _output_sizes("adaptive_avg_pool3d", x, output_size, 3)
    n, c, d, h, w = x.shape
    y = adaptive_avg_pool2d(OPS["reshape"](x, (n, c * d, h, w)), plane)
    oh, ow = y.shape[2:]
    y = adaptive_avg_pool2d(OPS["reshape"](y, (n, c, d, oh * ow)), [depth, None])
    return channels_as(OPS["reshape"](y, (n, c, depth, oh, ow)), data_format)


def _fractional_spans(size: int, output: int, kernel: int, u: float) -> list[Span]:
    """Windows at the places that one random number u chooses (Graham, Fractional Max-Pooling, 2014)."""
    alpha = (size - kernel) / (output - (1 if kernel else 0)) if output > (1 if kernel else 0) else 0.0
    if not kernel:
        base = size // output
        u *= min((base + 2) / alpha - 1, (size + 1 - base) / alpha - (output - 1))
    starts = [int((k + u) * alpha) - int(u * alpha) for k in range(output + 1)]
    return [(starts[k], starts[k] + kernel if kernel else starts[k + 1]) for k in range(output)]


def _drawn_spans(size: int, output: int, kernel: int, u: Any) -> list[tuple[Any, Any]]:
    """The same of a number that a run draws."""
    alpha = (size - kernel) / (output - (1 if kernel else 0)) if output > (1 if kernel else 0) else 0.0
    if not kernel:
        base = size // output
        u = u * min((base + 2) / alpha - 1, (size + 1 - base) / alpha - (output - 1))
    first = OPS["cast"](u * alpha, int64)
    starts = [OPS["cast"]((u + float(k)) * alpha, int64) - first for k in range(output + 1)]
    steps = OPS["arange"](kernel or int(alpha) + 1)
    stops = [start + kernel for start in starts[:-1]] if kernel else starts[1:]
    return [(a, (OPS["minimum"](a + steps, b - 1), a + steps < b)) for a, b in zip(starts, stops, strict=False)]


def _fractional(
    op: str, rank: int, x: Any, output_size: Any, kernel_size: Any, random_u: Any, return_mask: bool, draw: Draw | None
) -> Any:
    _require(op, x, rank)
    sizes = _output_sizes(op, x, output_size, rank)
    kernel = [0] * rank if kernel_size is None else list(ints("kernel_size", kernel_size, rank))
    if any(isinstance(n, Dim) for n in x.shape[2:]):
        raise ShapeError(
            f"{op} needs a fixed size, not {show_shape(x.shape[2:])}", remedy="fix the size in the InputSpec"
        )
    if any(o + max(k, 1) - 1 > n for n, o, k in zip(x.shape[2:], sizes, kernel, strict=True)):
        raise ArgumentError(f"{op}: {show_shape(x.shape)} is too small for output_size {sizes} and windows of {kernel}")
    if random_u is None:
        if draw is None:
            raise ArgumentError(f"{op} needs random_u or a source of random numbers")
        u = OPS["reshape"](OPS["cast"](draw([1], x.dtype), float64), ())
        u = OPS["maximum"](OPS["minimum"](u, 1.0 - 1e-6), 1e-6)
        drawn = [_drawn_spans(n, o, k, u) for n, o, k in zip(x.shape[2:], sizes, kernel, strict=True)]
        return _max_over_spans(x, drawn, return_mask)
    if not 0.0 < random_u < 1.0:
        raise ArgumentError(f"{op}: random_u must be between 0 and 1, not {random_u}")
    spans = [_fractional_spans(n, o, k, random_u) for n, o, k in zip(x.shape[2:], sizes, kernel, strict=True)]
    return _max_over_spans(x, spans, return_mask)


def fractional_max_pool2d(
    x: Any, output_size: Any, kernel_size: Any = None, random_u: float | None = None, return_mask: bool = False,
    name: str | None = None, *, draw: Draw | None = None,
) -> Any:  # fmt: skip
    """Maxima over `output_size` windows of images; random_u of (0, 1) chooses where they lie."""
    return _fractional("fractional_max_pool2d", 2, x, output_size, kernel_size, random_u, return_mask, draw)


def fractional_max_pool3d(
    x: Any, output_size: Any, kernel_size: Any = None, random_u: float | None = None, return_mask: bool = False,
    name: str | None = None, *, draw: Draw | None = None,
) -> Any:  # fmt: skip
    """Maxima over `output_size` windows of volumes; random_u of (0, 1) chooses where they lie."""
    return _fractional("fractional_max_pool3d", 3, x, output_size, kernel_size, random_u, return_mask, draw)

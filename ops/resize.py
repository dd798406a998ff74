"""Resampling of images: interpolate in all of Paddle's modes, grid_sample and affine_grid.

Linear and cubic resizing go axis by axis: each result is a weighted sum of the few elements next to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..base.dtype import DType, float64, int64
from ..base.errors import ArgumentError, CaptureError, ShapeError
from ..base.suggest import one_of
from .activation import as_float
from .along import take_along_axis
from .arith import Arithmetic, is_value
from .compare import logical_and, where
from .conv import channels_as, channels_first
from .create import linspace
from .dims import Dim, DimLike, floordiv, product, same_dim
from .dispatch import current
from .elementwise import abs_, cast, clip, floor
from .index import gather
from .infer import as_dim, as_dims, assume_at_least, show_shape
from .op import OPS
from .pool_nd import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from .rearrange import stack, unbind
from .sizes import runtime_names

__all__ = ["affine_grid", "grid_sample", "interpolate", "upsample"]

_MOST_BELOW = 1024  # of a scale as a fraction: sizes times what stands above it stay far from the greatest int
RANKS = {"linear": (1,), "bilinear": (2,), "bicubic": (2,), "trilinear": (3,), "nearest": (1, 2, 3), "area": (1, 2, 3)}
FORMATS = {1: ("NCW", "NWC", "NCL", "NLC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


def interpolate(
    x: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool = False,
    align_mode: int = 0, data_format: str | None = None, recompute_scale_factor: bool | None = None,
    name: str | None = None, antialias: bool = False,
) -> Any:  # fmt: skip
    """Images [n, c, …] resized to `size`, or by `scale_factor`.

    mode: "nearest", "linear" (rank 3), "bilinear", "bicubic" (4), "trilinear" (5), "area" (averages).
    align_corners: the centres of the corner elements stay; else the edges do, or with align_mode=1 the elements'.
    An axis of an image that gets one element is read at its beginning, as PaddlePaddle does (not in its middle).
    Errors: ArgumentError for an unknown mode or one of another rank, without exactly one of size and scale_factor, or
    with antialias, which PaddlePaddle has for linear and cubic modes.
    """
    if antialias:
        raise ArgumentError("interpolate has no antialias", remedy="average first: avg_pool2d or mode='area'")
    mode = str(mode).lower()
    if mode not in RANKS:
        raise ArgumentError(f"interpolate has no mode {mode!r}", remedy=one_of(mode, RANKS))
    rank = x.ndim - 2
    if rank not in RANKS[mode]:
        raise ArgumentError(f"interpolate: mode {mode!r} doesn't take a tensor of rank {x.ndim}")
    if (size is None) == (scale_factor is None):
        raise ArgumentError("interpolate needs either size or scale_factor")
    if align_corners and mode in ("nearest", "area"):
        raise ArgumentError(f"interpolate: align_corners is for linear and cubic modes, not for {mode!r}")
    if align_mode not in (0, 1):
        raise ArgumentError(f"interpolate: align_mode must be 0 or 1, not {align_mode!r}")
    form = FORMATS[rank][0] if data_format is None else data_format
    if form not in FORMATS[rank]:
        raise ArgumentError(f"interpolate of rank {x.ndim}: data_format must be {FORMATS[rank]}, not {data_format!r}")
    x = channels_first(as_float(x), form)
    new, ratios = _targets(x, size, scale_factor, align_corners, bool(recompute_scale_factor))
    if mode == "area":
        pools: dict[int, Callable[..., Any]] = {1: adaptive_avg_pool1d, 2: adaptive_avg_pool2d, 3: adaptive_avg_pool3d}
        return channels_as(pools[rank](x, new if rank > 1 else new[0]), form)
    for k in range(rank):
        if mode == "bicubic" or not same_dim(new[k], x.shape[k + 2]) or is_value(ratios[k]) or ratios[k] != 1.0:
            x = _resized(x, k + 2, new[k], ratios[k], mode, align_corners, align_mode)
    return channels_as(x, form)


def upsample(
    x: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool = False,
    align_mode: int = 0, data_format: str = "NCHW", name: str | None = None,
) -> Any:  # fmt: skip
    """Another name of interpolate."""
    form = None if data_format == "NCHW" and x.ndim != 4 else data_format
    return interpolate(x, size, scale_factor, mode, align_corners, align_mode, form)


def _given(value: Any, rank: int, what: str, read: Callable[[Any], Any]) -> list[Any]:
    """One number for each axis of the image, from one or as many. read: makes one of them what it stands for."""
    if is_value(value):
        value = (as_dims if read is _size else _elements)(value)
    value = value.tolist() if hasattr(value, "tolist") and not is_value(value) else value
    items = list(value) if isinstance(value, (list, tuple)) else [value] * rank
    items = [read(v if isinstance(v, Arithmetic) or not hasattr(v, "item") else v.item()) for v in items]
    items = items * rank if len(items) == 1 else items
    if len(items) != rank or any(isinstance(v, (int, float)) and v <= 0 for v in items):
        raise ArgumentError(f"interpolate: {what} must be one number or {rank}, above 0, not {value!r}")
    return items


def _elements(value: Any) -> Any:
    return unbind(value, 0) if value.ndim else value


def _size(value: Any) -> DimLike:
    return as_dim(value) if isinstance(value, (Arithmetic, Dim)) else int(value)


def _factor(value: Any) -> Any:
    """A factor as a float, or as a float64 without axes where only a run knows it."""
    try:
        return float(value)
    except CaptureError:
        return cast(OPS["reshape"](value, ()), float64)


def _wide(value: Any) -> Any:
    """A number, or a size that only a run knows, as a float64 without axes."""
    return value if is_value(value) else cast(current().constant(value, None), float64)


def _targets(x: Any, size: Any, scale_factor: Any, align_corners: bool, recompute: bool) -> tuple[list[Any], list[Any]]:
    """The new size, and the steps in the old image from one result to the next, of each axis."""
    old = x.shape[2:]
    if size is not None:
        new = _given(size, len(old), "size", _size)
        scales: list[Any] = [None] * len(old)
    else:
        scales = _given(scale_factor, len(old), "scale_factor", _factor)
        new = [_scaled(n, s) for n, s in zip(old, scales, strict=True)]
        if any(assume_at_least(n, 1) is False for n in new if not runtime_names(n)):
            raise ArgumentError(f"interpolate: scale_factor {scale_factor} leaves no elements of {show_shape(old)}")
        scales = [None] * len(old) if recompute else scales
    is_image = len(old) == 2
    return new, [_ratio(*axis, align_corners, is_image) for axis in zip(old, new, scales, strict=True)]


def _scaled(size: DimLike, scale: Any) -> DimLike:
    if isinstance(scale, float):
        if isinstance(size, int):
            return int(size * scale)
        above, below = scale.as_integer_ratio()
        if below <= _MOST_BELOW:
            return floordiv(size * above, below)
    return as_dim(cast(_wide(size) * scale, int64))


def _ratio(before: DimLike, after: DimLike, scale: Any, align_corners: bool, is_image: bool) -> Any:
    """The step in the old axis from one result to the next: a float, or a float64 where only a run knows it."""
    if isinstance(before, int) and isinstance(after, int) and (scale is None or isinstance(scale, float)):
        if align_corners:
            return (before - 1) / (after - 1) if after > 1 else 0.0
        first_only = after == 1 and is_image  # PaddlePaddle's rule for images, not for lines and volumes
        return 0.0 if first_only else 1.0 / scale if scale else before / after
    if same_dim(before, after) and (scale is None or align_corners):
        return 1.0
    wide = _wide(after)
    if align_corners:
        return where(wide > 1.0, (_wide(before) - 1.0) / OPS["maximum"](wide - 1.0, 1.0), 0.0)
    step = _wide(before) / wide if scale is None else 1.0 / scale
    return where(wide > 1.0, step, 0.0) if is_image else step


class _Rules(NamedTuple):
    """Functions of places: NumPy's where all sizes are known, else rows."""

    floor: Callable[[Any], Any]
    minimum: Callable[[Any, Any], Any]
    maximum: Callable[[Any, Any], Any]


_KNOWN = _Rules(np.floor, np.minimum, np.maximum)
_OPEN = _Rules(floor, OPS["minimum"], OPS["maximum"])


def _resized(x: Any, axis: int, new: DimLike, ratio: Any, mode: str, align_corners: bool, align_mode: int) -> Any:
    """One axis resized to `new` elements."""
    size = x.shape[axis]
    k: Any
    last: Any
    if isinstance(size, int) and isinstance(new, int) and isinstance(ratio, float):
        rules = _KNOWN
        k, last = np.arange(new), size - 1
    else:
        rules = _OPEN
        k, last = cast(OPS["arange"](as_dim(new)), float64), _wide(size - 1)
    taps: list[tuple[Any, Any]]
    if mode == "nearest":
        taps = [(rules.minimum(rules.floor(k * ratio), last), None)]
    elif mode == "bicubic":
        at = k * ratio if align_corners else (k + 0.5) * ratio - 0.5
        first = rules.floor(at)
        weights = _cubic_weights(at - first)
        taps = [(rules.minimum(rules.maximum(first + (j - 1), 0), last), w) for j, w in enumerate(weights)]
    else:
        at = k * ratio if align_corners or align_mode == 1 else rules.maximum((k + 0.5) * ratio - 0.5, 0.0)
        first = rules.minimum(rules.floor(at), last)
        share = at - first
        taps = [(first, 1.0 - share), (rules.minimum(first + 1, last), share)]
    total: Any = None
    for places, weight in taps:
        part = gather(x, _row(places, int64), axis)
        if weight is not None:
            shape = [new if j == axis else 1 for j in range(x.ndim)]
            part = part * OPS["reshape"](_row(weight, x.dtype), shape)
        total = part if total is None else total + part
    return total


def _row(numbers: Any, dtype: DType) -> Any:
    """Numbers for each place of an axis as a tensor of this dtype."""
    if is_value(numbers):
        return cast(numbers, dtype)
    return current().constant(numbers.astype(dtype.numpy), dtype)


def _cubic_weights(t: Any) -> list[Any]:
    """Weights of the four neighbours of a place t beyond the second (Keys, 1981, with a = -0.75)."""
    a = -0.75

    def near(d: Any) -> Any:
        return ((a + 2) * d - (a + 3)) * d * d + 1

    def far(d: Any) -> Any:
        return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a

    return [far(t + 1), near(t), near(1 - t), far(2 - t)]


# ---- sampling at given places


def affine_grid(theta: Any, out_shape: Any, align_corners: bool = True, name: str | None = None) -> Any:
    """The places [n, h, w, 2] (or [n, d, h, w, 3]) where affine maps theta [n, 2, 3] (or [n, 3, 4]) send a grid of -1
    … 1.

    out_shape: [n, c, h, w] or [n, c, d, h, w] of the image to sample.
    """
    theta = as_float(theta)
    shape = as_dims(out_shape)
    rank = len(shape) - 2
    if rank not in (2, 3) or theta.ndim != 3 or tuple(theta.shape[1:]) != (rank, rank + 1):
        image = show_shape(shape)
        raise ShapeError(f"affine_grid: theta {show_shape(theta.shape)} doesn't fit an image of shape {image}")
    lines = []
    for k, size in enumerate(reversed(shape[2:])):
        line = linspace(-1.0, 1.0, size, theta.dtype)
        if not align_corners:
            line = line * _shrunk(size, theta.dtype)
        wide = tuple(size if j == rank - 1 - k else 1 for j in range(rank))
        lines.append(OPS["broadcast_to"](OPS["reshape"](line, wide), tuple(shape[2:])))
    lines.append(OPS["full"](tuple(shape[2:]), 1, theta.dtype))
    grid = OPS["reshape"](stack(lines, -1), (1, product(shape[2:]), rank + 1))
    moved = OPS["matmul"](grid, theta, False, True)
    return OPS["reshape"](moved, (-1, *shape[2:], rank))


def _shrunk(size: DimLike, dtype: DType) -> Any:
    """(size - 1) / size, of a size that may be known in a run only."""
    if isinstance(size, int):
        return (size - 1) / size
    wide = cast(current().constant(size, int64), float64)
    return cast((wide - 1.0) / wide, dtype)


def grid_sample(
    x: Any, grid: Any, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool = True,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Images [n, c, h, w] read at the places grid [n, oh, ow, 2] of (x, y) from -1 to 1; volumes alike.

    mode: "bilinear" or "nearest". padding_mode, for places outside: "zeros", "border" or "reflection".
    """
    if mode not in ("bilinear", "nearest"):
        raise ArgumentError(f'grid_sample: mode must be "bilinear" or "nearest", not {mode!r}')
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ArgumentError(f"grid_sample: padding_mode must be zeros, border or reflection, not {padding_mode!r}")
    if not isinstance(align_corners, bool):
        raise ArgumentError(f"grid_sample: align_corners must be a bool, not {align_corners!r}")
    x = as_float(x)
    rank = x.ndim - 2
    if rank not in (2, 3) or grid.ndim != x.ndim or grid.shape[-1] != rank:
        raise ShapeError(f"grid_sample: grid {show_shape(grid.shape)} doesn't fit x {show_shape(x.shape)}")
    sizes = x.shape[2:]
    places = [
        _place(v, size, padding_mode, align_corners) for v, size in zip(reversed(unbind(grid, -1)), sizes, strict=True)
    ]
    if mode == "nearest":
        return _read(x, [floor(p + 0.5) if not align_corners else OPS["round"](p) for p in places], None)
    low = [floor(p) for p in places]
    total: Any = None
    for corner in range(2**rank):
        at, weight = [], None
        for k in range(rank):
            up = (corner >> k) & 1
            share = places[k] - low[k]
            share = share if up else 1.0 - share
            weight = share if weight is None else weight * share
            at.append(low[k] + 1.0 if up else low[k])
        part = _read(x, at, weight)
        total = part if total is None else total + part
    return total


def _number(size: DimLike, dtype: DType, of: Callable[[Any], Any] = lambda v: v) -> Any:
    """A number made of a size; a tensor where only a run knows the size."""
    return of(float(size)) if isinstance(size, int) else cast(of(_wide(size)), dtype)


def _place(v: Any, size: DimLike, padding_mode: str, align_corners: bool) -> Any:
    """The place in elements of a coordinate from -1 to 1."""
    dtype = v.dtype
    whole, last = _number(size, dtype), _number(size, dtype, lambda n: n - 1.0)
    if align_corners:
        at = (v + 1.0) * _number(size, dtype, lambda n: (n - 1.0) / 2)
    else:
        at = ((v + 1.0) * whole - 1.0) * 0.5
    at = where(OPS["equal"](at, at), at, -2.0 if padding_mode == "zeros" else 0.0)  # NaN: outside, or at the border
    if padding_mode == "border":
        return _between(at, last)
    if padding_mode == "reflection":
        low, span = (0.0, last) if align_corners else (-0.5, whole)
        if isinstance(size, int) and span == 0.0:
            return at * 0.0
        inverse = _number(size, dtype, lambda n: 1.0 / (n - 1.0 if align_corners else n))
        moved = abs_(at - low)
        periods = floor(moved * inverse)
        rest = moved - periods * span
        odd = OPS["not_equal"](periods - floor(periods * 0.5) * 2.0, 0.0)
        found = _between(where(odd, span - rest, rest) + low, last)
        return found if isinstance(size, int) else where(span == 0.0, at * 0.0, found)
    return at


def _between(at: Any, last: Any) -> Any:
    """Places from 0 to the last one."""
    return clip(at, 0.0, last) if isinstance(last, float) else OPS["minimum"](OPS["maximum"](at, 0.0), last)


def _read(x: Any, at: list[Any], weight: Any) -> Any:
    """Elements of x [n, c, …] at whole places [n, …], 0 outside, times the weights."""
    sizes = x.shape[2:]
    inside: Any = None
    flat: Any = None
    for p, size in zip(at, sizes, strict=True):
        last = _number(size, p.dtype, lambda n: n - 1.0)
        here = logical_and(p >= 0.0, p <= last)
        inside = here if inside is None else logical_and(inside, here)
        index = cast(_between(p, last), int64)
        wide = size if isinstance(size, int) else current().constant(size, int64)
        flat = index if flat is None else flat * wide + index
    n, c = x.shape[:2]
    count = product(flat.shape[1:])
    read = take_along_axis(
        OPS["reshape"](x, (n, c, product(sizes))),
        OPS["broadcast_to"](OPS["reshape"](flat, (n, 1, count)), (n, c, count)),
        2,
    )
    read = OPS["reshape"](read, (n, c, *flat.shape[1:]))
    shape = (n, 1, *flat.shape[1:])
    if weight is not None:
        read = read * OPS["reshape"](weight, shape)
    return where(OPS["reshape"](inside, shape), read, 0.0)

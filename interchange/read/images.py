"""Resampling of images: Resize in all its modes, grids of places."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...ops.dims import product, same_dim
from ...ops.dispatch import current
from ...ops.resize import affine_grid, grid_sample
from .node import Importer, Node, op, rows

Taps = tuple[Any, Any]  # for each element of the result: places in the source, and their weights


def _resize(n: Node) -> Any:
    """Axis by axis: each element is a weighted sum of a few, whose places and weights are known beforehand."""
    x = n[0]
    if n.version < 11:
        return _resized(n, x, list(range(x.ndim)), n.constant(1, "scales"), None, None)
    axes = n.ints("axes")
    axes = list(range(x.ndim)) if axes is None else [a % x.ndim for a in axes]
    roi = np.ravel(n.constant(1, "roi")) if n.has(1) and n.attribute(_TRANSFORM) == b"tf_crop_and_resize" else None
    scales = n.array(2) if n.has(2) else None
    if scales is not None and np.size(scales):
        return _resized(n, x, axes, np.ravel(scales), None, roi)
    if n.has(2) and not n.has(3):
        n.constant(2, "scales")
    return _resized(n, x, axes, None, n.known_sizes(3, "sizes"), roi)


_TRANSFORM = "coordinate_transformation_mode"


def _upsample(n: Node) -> Any:
    scales = n.attribute("scales") if n.version < 9 else n.constant(1, "scales")
    return _resized(n, n[0], list(range(n[0].ndim)), np.ravel(scales), None, None)


def _resized(n: Node, x: Any, axes: list[int], scales: Any, sizes: Any, roi: Any) -> Any:
    kept = n.attribute("keep_aspect_ratio_policy", b"stretch")
    if sizes is not None and kept != b"stretch":
        ratios = [s / d for s, d in zip(sizes, (x.shape[a] for a in axes), strict=True)]
        ratio = min(ratios) if kept == b"not_larger" else max(ratios)
        scales = [ratio] * len(axes)
        sizes = [math.floor(ratio * int(str(x.shape[a])) + 0.5) for a in axes]
    for k, axis in enumerate(axes):
        size = x.shape[axis]
        scale = float(scales[k]) if scales is not None else None
        new = sizes[k] if sizes is not None else None
        if (scale == 1.0 and new is None) or (new is not None and same_dim(new, size) and roi is None):
            continue
        if not isinstance(size, int) or (new is not None and not isinstance(new, int)):
            x = _resized_late(n, x, axis, scale)
            continue
        if new is None:
            assert scale is not None
            new = math.floor(size * scale)
        span = (roi[k], roi[k + len(axes)]) if roi is not None else None
        x = _along(x, axis, *_taps(n, size, int(new), scale if scale is not None else new / size, span))
    return _outside(n, x, axes, roi, scales, sizes) if roi is not None else x


def _resized_late(n: Node, x: Any, axis: int, scale: float | None) -> Any:
    """A size that only a run knows: whole multiples of it, each element repeated."""
    mode = n.attribute("mode", b"nearest")
    form = n.attribute(_TRANSFORM, b"half_pixel")
    if mode != b"nearest" or scale is None or scale != int(scale) or form not in (b"asymmetric", b"half_pixel"):
        raise n.refuse(f"a size {x.shape[axis]} that is known at run time only, but for whole multiples by nearest")
    times = int(scale)
    shape = [*x.shape[: axis + 1], times, *x.shape[axis + 1 :]]
    split = op.reshape(x, [*x.shape[: axis + 1], 1, *x.shape[axis + 1 :]])
    return op.reshape(rows.broadcast_to(split, shape), [*x.shape[:axis], x.shape[axis] * times, *x.shape[axis + 1 :]])


def _along(x: Any, axis: int, places: Any, weights: Any) -> Any:
    total: Any = None
    shape = [-1 if k == axis else 1 for k in range(x.ndim)]
    for k in range(places.shape[1]):
        part = rows.gather(x, _constant(places[:, k]), axis=axis)
        if weights is not None:
            part = part * op.reshape(_constant(weights[:, k].astype(x.dtype.numpy)), shape)
        total = part if total is None else total + part
    return total


def _constant(array: Any) -> Any:
    return current().constant(array, None)


def _places(n: Node, size: int, new: int, scale: float, span: Any) -> Any:
    """Where in the source each element of the result lies."""
    form = n.attribute(_TRANSFORM, b"half_pixel" if n.version >= 11 else b"asymmetric")
    k, width = np.arange(new, dtype=np.float64), scale * size  # the width before it was cut to a whole number
    if form == b"half_pixel":
        return (k + 0.5) / scale - 0.5
    if form == b"half_pixel_symmetric":
        adjusted = new / width
        return size / 2 * (1 - adjusted) + (k + 0.5) / scale - 0.5
    if form == b"pytorch_half_pixel":
        return (k + 0.5) / scale - 0.5 if new > 1 else np.zeros(new)
    if form == b"align_corners":
        return k * (size - 1) / (width - 1) if new > 1 else np.zeros(new)
    if form == b"asymmetric":
        return k / scale
    if form == b"tf_half_pixel_for_nn":
        return (k + 0.5) / scale
    if form == b"tf_crop_and_resize" and span is not None:
        start, end = span
        if new == 1:
            return np.array([0.5 * (start + end) * (size - 1)])
        return start * (size - 1) + k * (end - start) * (size - 1) / (new - 1)
    raise n.refuse(f"coordinate_transformation_mode {form!r}")


def _taps(n: Node, size: int, new: int, scale: float, span: Any) -> Taps:
    at, mode = _places(n, size, new, scale, span), n.attribute("mode", b"nearest")
    if mode == b"nearest":
        return np.clip(_rounded(n, at), 0, size - 1).astype(np.int64)[:, None], None
    stretch = max(1.0, 1.0 / scale) if n.attribute("antialias", 0) else 1.0
    if mode not in (b"linear", b"cubic"):
        raise n.refuse(f"mode {mode!r}")
    reach = 1.0 if mode == b"linear" else 2.0
    low = np.floor(at - reach * stretch).astype(np.int64) + 1
    places = low[:, None] + np.arange(math.ceil(2 * reach * stretch))[None]
    distance = np.abs(places - at[:, None]) / stretch
    linear = mode == b"linear"
    weights = (
        np.maximum(0.0, 1.0 - distance) if linear else _cubic(distance, float(n.attribute("cubic_coeff_a", -0.75)))
    )
    if n.attribute("exclude_outside", 0) or stretch > 1.0:
        outside = (places < 0) | (places >= size)
        weights = np.where(outside & bool(n.attribute("exclude_outside", 0)), 0.0, weights)
        weights = weights / weights.sum(axis=1, keepdims=True)
    return np.clip(places, 0, size - 1), weights


def _rounded(n: Node, at: Any) -> Any:
    form = n.attribute("nearest_mode", b"round_prefer_floor" if n.version >= 11 else b"floor")
    near = np.round(at, 9)  # the quotient behind it is not exact
    if form == b"round_prefer_floor":
        return np.ceil(near - 0.5)
    if form == b"round_prefer_ceil":
        return np.floor(near + 0.5)
    return np.floor(near) if form == b"floor" else np.ceil(near)


def _cubic(d: Any, a: float) -> Any:
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0.0))


def _outside(n: Node, x: Any, axes: list[int], roi: Any, scales: Any, sizes: Any) -> Any:
    """What lies outside the source gets the extrapolation value."""
    value = float(n.attribute("extrapolation_value", 0.0))
    source = n[0]
    for k, axis in enumerate(axes):
        size, new = int(str(source.shape[axis])), int(str(x.shape[axis]))
        scale = float(scales[k]) if scales is not None else new / size
        at = _places(n, size, new, scale, (roi[k], roi[k + len(axes)]))
        inside = _constant((at >= 0) & (at <= size - 1))
        x = op.where(op.reshape(inside, [-1 if j == axis else 1 for j in range(x.ndim)]), x, value)
    return x


def _grid_sample(n: Node) -> Any:
    mode = n.attribute("mode", b"linear")
    padding, corners = n.attribute("padding_mode", b"zeros").decode(), bool(n.attribute("align_corners", 0))
    if mode in (b"bilinear", b"linear"):
        return grid_sample(n[0], n[1], "bilinear", padding, corners)
    x, grid = n[0], n[1]
    sizes = x.shape[2:]
    places = [
        (v + 1.0) * ((size - 1) / 2) if corners else ((v + 1.0) * size - 1.0) * 0.5
        for v, size in zip(reversed(op.unbind(grid, -1)), sizes, strict=True)
    ]
    if mode == b"nearest":
        return _pixels(x, [op.round(p) for p in places], padding, corners)
    if mode not in (b"cubic", b"bicubic") or len(sizes) != 2:
        raise n.refuse(f"mode {mode!r}")
    low = [op.floor(p) for p in places]
    weights = [
        [_cubic_values(op.abs(p - (f + float(k - 1)))) for k in range(4)] for p, f in zip(places, low, strict=True)
    ]
    total: Any = None
    for i, j in itertools.product(range(4), repeat=2):
        read = _pixels(x, [low[0] + float(i - 1), low[1] + float(j - 1)], padding, corners)
        part = read * op.unsqueeze(weights[0][i] * weights[1][j], 1)
        total = part if total is None else total + part
    return total


def _cubic_values(d: Any) -> Any:
    """The kernel of cubic convolution with a = -0.75, at distances d from 0 to 2."""
    a = -0.75
    return op.where(d <= 1.0, ((a + 2) * d - (a + 3)) * d * d + 1.0, ((a * d - 5 * a) * d + 8 * a) * d - 4 * a)


def _pixels(x: Any, at: list[Any], padding: str, corners: bool) -> Any:
    """Elements of x [n, c, …] at whole places; those outside as `padding` says."""
    sizes = x.shape[2:]
    inside: Any = None
    flat: Any = None
    for p, size in zip(at, sizes, strict=True):
        if padding == "reflection":
            low, span = (0.0, size - 1.0) if corners else (-0.5, size * 1.0)
            far = op.abs(p - low)
            periods = op.floor(far / span)
            rest = far - periods * span
            odd = op.not_equal(periods - op.floor(periods * 0.5) * 2.0, 0.0)
            p = op.where(odd, span - rest, rest) + low
        here = op.logical_and(p >= 0.0, p <= size - 1.0)
        inside = here if inside is None else op.logical_and(inside, here)
        index = op.cast(op.maximum(op.minimum(p, size - 1.0), 0.0), dt.int64)
        flat = index if flat is None else flat * size + index
    n, c = x.shape[:2]
    count = product(flat.shape[1:])
    spread = rows.broadcast_to(op.reshape(flat, (n, 1, count)), (n, c, count))
    read = op.reshape(
        rows.take_along_axis(op.reshape(x, (n, c, product(sizes))), spread, axis=2), (n, c, *flat.shape[1:])
    )
    return op.where(op.unsqueeze(inside, 1), read, 0.0) if padding == "zeros" else read


def _affine_grid(n: Node) -> Any:
    return affine_grid(n[0], n.known_sizes(1, "size"), bool(n.attribute("align_corners", 0)))


ROWS: dict[str, Importer] = {
    "AffineGrid": _affine_grid,
    "GridSample": _grid_sample,
    "Resize": _resize,
    "Upsample": _upsample,
}

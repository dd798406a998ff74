"""Convolutions and pools, in one, two and three dimensions and with every kind of padding."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from ...ops import conv_nd
from ...ops.dims import DimLike, product
from ...ops.infer import window_size
from .node import Importer, Node, op, rows
from .shapes import padded

Pairs = list[tuple[int, int]]
MOST_PLACES = 1 << 16  # of a pool's window


def spatial_pads(n: Node, sizes: Sequence[DimLike], kernel: Sequence[int], strides: Any, dilations: Any) -> Pairs:
    """(before, after) per axis, from `pads` or `auto_pad`."""
    auto, rank = n.attribute("auto_pad", b"NOTSET"), len(kernel)
    if auto == b"VALID":
        return [(0, 0)] * rank
    if auto in (b"SAME_UPPER", b"SAME_LOWER"):
        return [_same(n, *args, auto == b"SAME_UPPER") for args in zip(sizes, kernel, strides, dilations, strict=True)]
    pads = [int(p) for p in n.attribute("pads", [0] * 2 * rank)]
    return list(zip(pads[:rank], pads[rank:], strict=True))


def _same(n: Node, size: DimLike, kernel: int, stride: int, dilation: int, upper: bool) -> tuple[int, int]:
    span = dilation * (kernel - 1) + 1
    if not isinstance(size, int):
        if stride != 1:
            raise n.refuse(f"auto_pad with stride {stride} over a size {size} that is known at run time only")
        total = span - 1
    else:
        total = max((-(-size // stride) - 1) * stride + span - size, 0)
    less = total // 2
    return (less, total - less) if upper else (total - less, less)


def per_axis(n: Node, name: str, rank: int) -> list[int]:
    """An attribute with one int per axis of the image, 1 by default."""
    return [int(v) for v in n.attribute(name, [1] * rank)]


def convolve(n: Node, x: Any, weight: Any) -> Any:
    """The correlation that the node's attributes describe, without a bias."""
    rank = x.ndim - 2
    kernel = [int(str(d)) for d in weight.shape[2:]]
    strides, dilations = per_axis(n, "strides", rank), per_axis(n, "dilations", rank)
    pads = spatial_pads(n, x.shape[2:], kernel, strides, dilations)
    groups = int(n.attribute("group", 1))
    function = {1: op.conv1d, 2: op.conv2d, 3: conv_nd.conv3d}.get(rank)
    if function is None:
        raise n.refuse(f"{rank} dimensions")
    if any(p < 0 for pair in pads for p in pair):
        x, pads = padded(x, [(0, 0), (0, 0), *pads]), [(0, 0)] * rank
    return function(x, weight, None, strides, [list(p) for p in pads], dilations, groups)


def with_bias(y: Any, bias: Any) -> Any:
    """y [n, c, …] plus a bias [c]."""
    return y if bias is None else y + op.reshape(bias, [1, bias.shape[0], *[1] * (y.ndim - 2)])


def _conv(n: Node) -> Any:
    return with_bias(convolve(n, n[0], n[1]), n.get(2))


def _conv_transpose(n: Node) -> Any:
    x, weight = n[0], n[1]
    rank = x.ndim - 2
    kernel = [int(str(d)) for d in weight.shape[2:]]
    strides, dilations = per_axis(n, "strides", rank), per_axis(n, "dilations", rank)
    extra = [int(v) for v in n.attribute("output_padding", [0] * rank)]
    asked = n.attribute("output_shape")
    auto = n.attribute("auto_pad", b"NOTSET")
    full = [
        (size - 1) * s + d * (k - 1) + 1 + e
        for size, s, d, k, e in zip(x.shape[2:], strides, dilations, kernel, extra, strict=True)
    ]
    if asked is None and auto in (b"SAME_UPPER", b"SAME_LOWER"):
        asked = [size * s for size, s in zip(x.shape[2:], strides, strict=True)]
    if asked is None:
        flat = [0] * 2 * rank if auto == b"VALID" else [int(p) for p in n.attribute("pads", [0] * 2 * rank)]
        pads = list(zip(flat[:rank], flat[rank:], strict=True))
    else:
        pads = []
        for size, whole in zip(list(asked)[-rank:], full, strict=True):
            total = whole - size
            if not isinstance(total, int):
                raise n.refuse("an output size that is known at run time only")
            less = total // 2
            pads.append((less, total - less) if auto == b"SAME_UPPER" else (total - less, less))
    function = {1: conv_nd.conv1d_transpose, 2: op.conv2d_transpose, 3: conv_nd.conv3d_transpose}.get(rank)
    if function is None:
        raise n.refuse(f"{rank} dimensions")
    groups = int(n.attribute("group", 1))
    made = function(x, weight, None, strides, 0, 0, groups, dilations)
    made = padded(made, [(0, 0), (0, 0), *((-a, e - b) for (a, b), e in zip(pads, extra, strict=True))])
    return with_bias(made, n.get(2))


# ---- pools


def _window(n: Node, x: Any) -> tuple[list[int], list[int], list[int], Pairs, bool]:
    kernel = [int(k) for k in n.required("kernel_shape")]
    rank = len(kernel)
    if rank != x.ndim - 2 or product(kernel) > MOST_PLACES:
        raise n.refuse(f"a window of {kernel} over {x.type}")
    strides, dilations = per_axis(n, "strides", rank), per_axis(n, "dilations", rank)
    pads = spatial_pads(n, x.shape[2:], kernel, strides, dilations)
    return kernel, strides, dilations, pads, bool(n.attribute("ceil_mode", 0))


def _pooled_size(size: DimLike, kernel: int, stride: int, dilation: int, pad: tuple[int, int], ceil: bool) -> DimLike:
    """How many windows there are; with ceil_mode none starts in the padding behind."""
    return window_size(size, kernel, stride, *pad, dilation, ceil)


def _parts(
    x: Any, window: tuple[list[int], list[int], list[int], Pairs, bool], fill: Any
) -> list[tuple[tuple[int, ...], Any]]:
    """For each place in the window: the place, and the elements there of all windows."""
    kernel, strides, dilations, pads, ceil = window
    axes = zip(x.shape[2:], kernel, strides, dilations, pads, strict=True)
    counts = [_pooled_size(*a, ceil) for a in axes]
    behind = [
        (c - 1) * s + d * (k - 1) + 1 - size - p[0]
        for c, s, d, k, size, p in zip(counts, strides, dilations, kernel, x.shape[2:], pads, strict=True)
    ]
    sides: list[tuple[Any, Any]] = [(p[0], b) for p, b in zip(pads, behind, strict=True)]
    wide = padded(x, [(0, 0), (0, 0), *sides], "constant", fill)
    out = []
    for place in itertools.product(*(range(k) for k in kernel)):
        starts = [0, 0, *(k * d for k, d in zip(place, dilations, strict=True))]
        out.append((place, rows.slice(wide, starts, [*x.shape[:2], *counts], [1, 1, *strides])))
    return out


def _separate(x: Any, window: tuple[list[int], list[int], list[int], Pairs, bool], fill: Any, combine: Any) -> Any:
    """Windows combined axis after axis, for what doesn't mind the order: sums and extremes."""
    kernel, strides, dilations, pads, ceil = window
    for axis in range(len(kernel)):
        alone = [k if j == axis else 1 for j, k in enumerate(kernel)]
        steps = [s if j == axis else 1 for j, s in enumerate(strides)]
        margins = [p if j == axis else (0, 0) for j, p in enumerate(pads)]
        x = reduce(combine, (part for _, part in _parts(x, (alone, steps, dilations, margins, ceil), fill)))
    return x


def _plus(a: Any, b: Any) -> Any:
    return a + b


def lowest(dtype: Any) -> Any:
    """The least number of a dtype."""
    return -np.inf if dtype.is_floating else int(np.iinfo(dtype.numpy).min)


def _max_pool(n: Node) -> Any:
    x = n[0]
    window = _window(n, x)
    kernel, strides, dilations, pads, ceil = window
    plain = len(kernel) == 2 and dilations == [1, 1] and x.dtype.is_floating and not ceil and not n.wants(1)
    if plain and all(p < k for pair, k in zip(pads, kernel, strict=True) for p in pair):
        return rows.max_pool2d(x, kernel, strides, pads, ceil)
    best = _separate(x, window, lowest(x.dtype), op.maximum)
    if not n.wants(1):
        return best
    parts = _parts(x, window, lowest(x.dtype))
    return best, _indices(n, x, best, parts, strides, dilations, pads)


def _indices(n: Node, x: Any, best: Any, parts: Any, strides: Any, dilations: Any, pads: Any) -> Any:
    """The place of the first maximum of each window in the whole tensor, flattened."""
    place: Any = None
    columns = n.attribute("storage_order", 0) == 1
    sizes = list(x.shape[2:])
    order = list(range(len(sizes)))[:: -1 if columns else 1]
    for at, part in reversed(parts):
        flat: Any = 0
        for axis in order:
            count = best.shape[2 + axis]
            line = op.arange(count) * strides[axis] + (at[axis] * dilations[axis] - pads[axis][0])
            line = op.reshape(line, [count if k == axis else 1 for k in range(len(sizes))])
            flat = flat * sizes[axis] + line
        spread = rows.broadcast_to(flat, best.shape)
        place = spread if place is None else op.where(op.equal(part, best), spread, place)
    lead = op.reshape(op.arange(product(x.shape[:2])), [*x.shape[:2], *[1] * len(sizes)])
    return place + lead * product(sizes)


def _average_pool(n: Node) -> Any:
    x = n[0]
    window = _window(n, x)
    kernel, strides, dilations, pads, ceil = window
    counted = bool(n.attribute("count_include_pad", 0))
    plain = len(kernel) == 2 and dilations == [1, 1] and not ceil
    if plain and all(p < k for pair, k in zip(pads, kernel, strict=True) for p in pair):
        return rows.avg_pool2d(x, kernel, strides, pads, ceil, not counted, 0)
    total = _separate(x, window, 0.0, _plus)
    ones = op.ones([1, 1, *x.shape[2:]], x.dtype)
    if counted:
        ones = padded(ones, [(0, 0), (0, 0), *pads], "constant", 1.0)
        window = (*window[:3], [(0, 0)] * len(pads), ceil)
    counts = [_pooled_size(*a, ceil) for a in zip(x.shape[2:], *window[:3], pads, strict=True)]
    count = _separate(ones, window, 0.0, _plus)
    if count.shape[2:] != tuple(counts):  # with ceil_mode, windows that begin behind the padding are left out
        count = rows.slice(count, [0] * count.ndim, [1, 1, *counts])
    return total / count


def _lp_pool(n: Node) -> Any:
    x, p = n[0], float(n.attribute("p", 2))
    powers = op.pow(op.abs(x), p)
    total = _separate(powers, _window(n, x), 0.0, _plus)
    return op.pow(total, 1.0 / p)


def _globally(name: str) -> Importer:
    def read(n: Node) -> Any:
        return getattr(op, name)(n[0], list(range(2, n[0].ndim)), keepdim=True)

    return read


def _global_lp(n: Node) -> Any:
    x, p = n[0], float(n.attribute("p", 2))
    return op.pow(op.sum(op.pow(op.abs(x), p), list(range(2, x.ndim)), keepdim=True), 1.0 / p)


def _max_unpool(n: Node) -> Any:
    x, places = n[0], n[1]
    kernel = [int(k) for k in n.required("kernel_shape")]
    rank = len(kernel)
    strides = per_axis(n, "strides", rank)
    pads = spatial_pads(n, x.shape[2:], kernel, strides, [1] * rank)
    usual = [(d - 1) * s + k - p[0] - p[1] for d, s, k, p in zip(x.shape[2:], strides, kernel, pads, strict=True)]
    inner = [*x.shape[:2], *usual]
    shape = n.sizes(2) if n.has(2) else inner
    flat = op.zeros([product(inner)], x.dtype)
    made = rows.put_along_axis(flat, op.reshape(places, [-1]), op.reshape(x, [-1]), axis=0)
    made = op.reshape(made, inner)
    return padded(made, [(0, a - b) for a, b in zip(shape, inner, strict=True)])


def _col2im(n: Node) -> Any:
    """Columns [n, c * kernel, windows] added up into images."""
    x, size = n[0], n.ints("image_shape", 1)
    block = n.ints("block_shape", 2)
    if size is None or block is None:
        raise n.refuse("an image without sizes")
    rank = len(size)
    strides, dilations = per_axis(n, "strides", rank), per_axis(n, "dilations", rank)
    pads = spatial_pads(n, size, block, strides, dilations)
    counts = [
        (s + p[0] + p[1] - (d * (k - 1) + 1)) // t + 1
        for s, p, d, k, t in zip(size, pads, dilations, block, strides, strict=True)
    ]
    channels = x.shape[1] // product(block)
    wide = [s + p[0] + p[1] for s, p in zip(size, pads, strict=True)]
    total = op.zeros([x.shape[0], channels, *wide], x.dtype)
    columns = op.reshape(x, [x.shape[0], channels, *block, *counts])
    for place in itertools.product(*(range(k) for k in block)):
        part = rows.slice(columns, [0, 0, *place, *[0] * rank], [*columns.shape[:2], *[1] * rank, *counts])
        part = op.reshape(part, [*columns.shape[:2], *counts])
        starts = [0, 0, *(k * d for k, d in zip(place, dilations, strict=True))]
        now = rows.slice(total, starts, part.shape, [1, 1, *strides])
        total = rows.slice_update(total, now + part, starts, [1, 1, *strides])
    return rows.slice(total, [0, 0, *(p[0] for p in pads)], [x.shape[0], channels, *size])


ROWS: dict[str, Importer] = {
    "AveragePool": _average_pool,
    "Col2Im": _col2im,
    "Conv": _conv,
    "ConvTranspose": _conv_transpose,
    "GlobalAveragePool": _globally("mean"),
    "GlobalLpPool": _global_lp,
    "GlobalMaxPool": _globally("max"),
    "LpPool": _lp_pool,
    "MaxPool": _max_pool,
    "MaxUnpool": _max_unpool,
}

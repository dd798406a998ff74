"""NumPy kernels of the convolution rows: the elements under the windows as columns (im2col), then matmuls.

With stride 1 the rows of the padded image follow each other in the columns: the elements under one place of all windows
of an image are then one run of memory. A few products too many, those of windows that wrap round the edge, cost less
than the many short copies they save; their results are cut off. Gradients that aren't finite are made without them, as
0 · ∞ isn't 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np

from .dims import concrete
from .infer import window_size

Pair: TypeAlias = tuple[int, int]
BLOCK = 1 << 20  # elements of columns at a time: images go in blocks whose columns stay in the cache


def sizes_of(size: Any, kernel: Pair, a: dict[str, Any]) -> Pair:
    """Height and width of the result."""
    parts = zip(size, kernel, a["stride"], a["padding"], a["dilation"], strict=True)
    rows, columns = concrete([window_size(n, k, s, p[0], p[1], d) for n, k, s, p, d in parts], {})
    return rows, columns


def _padded(x: Any, a: dict[str, Any]) -> Any:
    ((top, bottom), (left, right)) = a["padding"]
    if not (top or bottom or left or right):
        return x
    n, c, h, w = x.shape
    out: Any = np.zeros((n, c, h + top + bottom, w + left + right), x.dtype)
    out[:, :, top : top + h, left : left + w] = x
    return out


def _is_flat(x: Any, a: dict[str, Any]) -> bool:
    return a["stride"] == (1, 1) and bool(x.size) and x.dtype.kind == "f"


def _columns(x: Any, kernel: Pair, out: Pair, a: dict[str, Any]) -> Any:
    """[n, groups, channels / groups * kh * kw, oh * ow]; with stride 1 the rows are as wide as the padded image."""
    (kh, kw), (sh, sw), (dh, dw), (oh, ow) = kernel, a["stride"], a["dilation"], out
    flat = _is_flat(x, a)
    x = _padded(x, a)
    n, c, _, width = x.shape
    if kh == kw == 1 and (flat or (sh == sw == 1)):
        return x.reshape(n, a["groups"], c // a["groups"], oh * ow)
    if flat:
        length, lines = (oh - 1) * width + ow, x.reshape(n, c, -1)
        columns: Any = np.empty((n, c, kh * kw, oh * width), x.dtype)
        columns[..., length:] = 0
        for k in range(kh * kw):
            start = k // kw * dh * width + k % kw * dw
            columns[:, :, k, :length] = lines[:, :, start : start + length]
    else:
        columns = np.empty((n, c, kh * kw, oh, ow), x.dtype)
        for k in range(kh * kw):
            i, j = k // kw * dh, k % kw * dw
            columns[:, :, k] = x[:, :, i : i + oh * sh : sh, j : j + ow * sw : sw]
    return columns.reshape(n, a["groups"], c // a["groups"] * kh * kw, -1)


def _filters(weight: Any, groups: int) -> Any:
    return weight.reshape(groups, weight.shape[0] // groups, -1 if weight.size else 0)


def _blocks(n: int, columns: int) -> Iterator[slice]:
    """Images in blocks whose columns, `columns` elements for each image, are at most BLOCK (or one image's)."""
    step = max(BLOCK // max(columns, 1), 1)
    return (slice(start, min(start + step, n)) for start in range(0, n, step))


def conv2d(x: Any, weight: Any, **a: Any) -> Any:
    """Images [n, c, h, w] with filters [out, c / groups, kh, kw]."""
    kernel, (n, c), out = weight.shape[2:], x.shape[:2], weight.shape[0]
    oh, ow = sizes_of(x.shape[2:], kernel, a)
    filters = _filters(weight, a["groups"])
    made: Any = np.empty((n, out, oh, ow), x.dtype)
    for block in _blocks(n, c * kernel[0] * kernel[1] * oh * x.shape[3]):
        wide = np.matmul(filters, _columns(x[block], kernel, (oh, ow), a))
        made[block] = wide.reshape(wide.shape[0], out, oh, wide.shape[3] // oh if oh else ow)[..., :ow]
    return made


def _widened(g: Any, width: int) -> Any:
    """g [n, c, oh, ow] with zeros behind each row, `width` elements in all."""
    if g.shape[3] == width:
        return g
    out: Any = np.zeros((*g.shape[:3], width), g.dtype)
    out[..., : g.shape[3]] = g
    return out


def input_grad(g: Any, weight: Any, *, size: Pair, **a: Any) -> Any:
    """The gradient with respect to the images, of height and width `size`."""
    (kh, kw), channels = weight.shape[2:], weight.shape[1] * a["groups"]
    made: Any = np.empty((g.shape[0], channels, *size), g.dtype)
    for block in _blocks(g.shape[0], channels * kh * kw * g.shape[2] * size[1]):
        made[block] = _block_input_grad(g[block], weight, size, a)
    return made


def _block_input_grad(g: Any, weight: Any, size: Pair, a: dict[str, Any]) -> Any:
    (kh, kw), groups, (n, out, oh, ow) = weight.shape[2:], a["groups"], g.shape
    ((top, bottom), (left, right)) = a["padding"]
    height, width, channels = size[0] + top + bottom, size[1] + left + right, weight.shape[1] * groups
    flat = _is_flat(g, a)
    wide = _widened(g, width) if flat else g
    lines = wide.reshape(n, groups, out // groups, wide.shape[2] * wide.shape[3])
    back = _filters(weight, groups).transpose(0, 2, 1)
    columns = np.multiply(back, lines) if out == groups else np.matmul(back, lines)  # products of one term are slow
    if not flat:
        return _added(columns.reshape(n, channels, kh * kw, oh, ow), (kh, kw), (height, width), size, a)
    (dh, dw), length = a["dilation"], (oh - 1) * width + ow
    columns = columns.reshape(n, channels, kh * kw, oh * width)
    x: Any = np.zeros((n, channels, height * width), g.dtype)
    for k in range(kh * kw):
        start = k // kw * dh * width + k % kw * dw
        x[:, :, start : start + length] += columns[:, :, k, :length]
    x = x.reshape(n, channels, height, width)
    if not np.isfinite(x.sum()):
        exact = columns.reshape(n, channels, kh * kw, oh, width)[..., :ow]
        return _added(exact, (kh, kw), (height, width), size, a)
    return x[:, :, top : top + size[0], left : left + size[1]]


def _added(columns: Any, kernel: Pair, padded: Pair, size: Pair, a: dict[str, Any]) -> Any:
    """Columns [n, c, kh * kw, oh, ow] added up at the places of their windows, without the margins."""
    (sh, sw), (dh, dw), ((top, _), (left, _)) = a["stride"], a["dilation"], a["padding"]
    n, c, _, oh, ow = columns.shape
    x: Any = np.zeros((n, c, *padded), columns.dtype)
    for k in range(kernel[0] * kernel[1]):
        i, j = k // kernel[1] * dh, k % kernel[1] * dw
        x[:, :, i : i + oh * sh : sh, j : j + ow * sw : sw] += columns[:, :, k]
    return x[:, :, top : top + size[0], left : left + size[1]]


def weight_grad(x: Any, g: Any, *, kernel: Pair, **a: Any) -> Any:
    """The gradient with respect to the filters, of height and width `kernel`."""
    groups, (n, out, oh, _) = a["groups"], g.shape
    depth = x.shape[1] // groups * kernel[0] * kernel[1]
    total: Any = np.zeros((groups, out // groups, depth), g.dtype)
    for block in _blocks(n, max(groups * depth * oh * x.shape[3], out * depth)):
        total += _block_weight_grad(x[block], g[block], kernel, a)
    return total.reshape(out, x.shape[1] // groups, *kernel)


def _block_weight_grad(x: Any, g: Any, kernel: Pair, a: dict[str, Any]) -> Any:
    groups, (n, out, oh, ow) = a["groups"], g.shape
    columns = _columns(x, kernel, (oh, ow), a)
    wide = _widened(g, columns.shape[3] // oh) if oh else g
    total = np.matmul(wide.reshape(n, groups, out // groups, columns.shape[3]), columns.swapaxes(2, 3)).sum(0)
    if wide is not g and not np.isfinite(total.sum()):
        exact = columns.reshape(n, groups, columns.shape[2], oh, -1)[..., :ow].reshape(n, groups, columns.shape[2], -1)
        total = np.matmul(g.reshape(n, groups, out // groups, oh * ow), exact.swapaxes(2, 3)).sum(0)
    return total

"""The elements under each window of images as columns (unfold, or im2col), and columns added up to images (fold)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.errors import ShapeError
from .bounds import first
from .conv import ints
from .dims import DimLike, maximum, same_dim
from .infer import divides, show_shape, window_size
from .interpreter import Interpreter
from .kernel_expressions import Expr
from .lowering import Index, Point, PointContext
from .moves import pad
from .op import OPS, REQUIRED, Sample, random_array, row
from .rearrange import stack
from .shape import Prepared, as_value
from .slices import piece
from .types import TensorType

Pair = tuple[int, int]


def _counts(image: Sequence[Any], size: Pair, step: Pair, dilation: Pair) -> list[Any]:
    """How many windows there are along the height and the width."""
    return [window_size(image[k], size[k], step[k], 0, 0, dilation[k]) for k in range(2)]


def _parts(shape: Sequence[Any]) -> tuple[Any, Any, list[Any]]:
    """Images, channels, and the sizes of an image."""
    if len(shape) != 4:
        raise ShapeError(f"windows of images need images of rank 4, got {show_shape(shape)}")
    n, c, *image = shape
    return n, c, image


def _prepare_patches(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    return (as_value(interpreter, values[0]),), {k: tuple(v) for k, v in attrs.items()}


def _infer_patches(x: TensorType, *, size: Pair, step: Pair, dilation: Pair) -> TensorType:
    n, c, image = _parts(x.shape)
    counts = _counts(image, size, step, dilation)
    return TensorType(x.dtype, (n, c, *size, *counts))


def _patches_eager(x: Any, *, size: Pair, step: Pair, dilation: Pair) -> Any:
    n, c, image = _parts(x.shape)
    counts = _counts(image, size, step, dilation)
    high, wide = x.strides[2:]
    moves = (high * dilation[0], wide * dilation[1], high * step[0], wide * step[1])
    shape, strides = (n, c, *size, *counts), (*x.strides[:2], *moves)
    return np.lib.stride_tricks.as_strided(x, shape, strides, writeable=False).copy()


def _patches_vjp(g: Any, y: Any, x: Any, *, size: Pair, step: Pair, dilation: Pair) -> tuple[Any]:
    return (_added_up(g, x.shape[2:], (0, 0), step, dilation),)


def _patches_point(ctx: PointContext, index: Index) -> Expr:
    n, c, *taps, top, left = index
    places = []
    for tap, start, step, dilation in zip(taps, (top, left), ctx.attrs["step"], ctx.attrs["dilation"], strict=True):
        begin = start * step if step != 1 else start
        places.append(begin + (tap * dilation if dilation != 1 else tap))
    return ctx.load(0, [n, c, *places])


def _image(*shape: int) -> Any:
    return random_array(1, shape, dtype="float32")


patches = row(
    "patches",
    "Windows of images [n, c, h, w] by the place in the window: [n, c, kh, kw, oh, ow].",
    "x",
    attrs={"size": REQUIRED, "step": (1, 1), "dilation": (1, 1)},
    prepare=_prepare_patches,
    infer=_infer_patches,
    eager=_patches_eager,
    vjp=_patches_vjp,
    lowering=Point(_patches_point),
    samples=lambda: [
        Sample((_image(2, 3, 6, 7),), {"size": (3, 2)}),
        Sample((_image(1, 2, 9, 8),), {"size": (2, 3), "step": (2, 1), "dilation": (1, 2)}),
        Sample((_image(1, 1, 5, 5),), {"size": (1, 2), "step": (3, 2)}),
        Sample((random_array(1, (1, 2, 4, 4)),), {"size": (4, 4)}),
        Sample((np.arange(16).reshape(1, 1, 4, 4),), {"size": (2, 2), "step": (2, 2)}),
    ],
    method=False,
    public=False,
    family="view",
    bounds=first,
)


def sliced_patches(x: Any, *, size: Pair, step: Pair, dilation: Pair) -> tuple[Any]:
    """`patches` by a slice for each place in the window, for systems that have no such operation."""
    n, c, image = _parts(x.shape)
    counts = _counts(image, size, step, dilation)
    parts = [
        OPS["slice"](x, [0, 0, i * dilation[0], j * dilation[1]], [n, c, *counts], [1, 1, *step])
        for i in range(size[0])
        for j in range(size[1])
    ]
    return (OPS["reshape"](stack(parts, 2), (n, c, *size, *counts)),)


def _four(paddings: Any) -> tuple[int, int, int, int]:
    """(top, left, bottom, right) from one, two or four ints."""
    items = list(paddings) if isinstance(paddings, (list, tuple)) else [paddings]
    if len(items) == 4:
        top, left, bottom, right = ints("paddings", items, 4, least=0)
        return top, left, bottom, right
    rows, columns = ints("paddings", items, 2, least=0)
    return rows, columns, rows, columns


def unfold(
    x: Any, kernel_sizes: Any, strides: Any = 1, paddings: Any = 0, dilations: Any = 1, name: str | None = None
) -> Any:
    """The elements under each window of images [n, c, h, w] as a column: [n, c kh kw, windows] (im2col)."""
    if x.ndim != 4:
        raise ShapeError(f"unfold needs images of rank 4, got {show_shape(x.shape)}")
    size, step, dilation = (ints(name_, v, 2) for name_, v in (
        ("kernel_sizes", kernel_sizes), ("strides", strides), ("dilations", dilations)))  # fmt: skip
    top, left, bottom, right = _four(paddings)
    if any((top, left, bottom, right)):
        x = pad(x, [(0, 0), (0, 0), (top, bottom), (left, right)])
    n, c, kh, kw, oh, ow = (made := patches(x, size, step, dilation)).shape
    return OPS["reshape"](made, (n, c * kh * kw, oh * ow))


def fold(
    x: Any, output_sizes: Any, kernel_sizes: Any, strides: Any = 1, paddings: Any = 0, dilations: Any = 1,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Columns [n, c kh kw, windows] added up to images [n, c, *output_sizes]: the transpose of unfold (col2im)."""
    if x.ndim != 3:
        raise ShapeError(f"fold needs columns [n, c * kh * kw, windows], got {show_shape(x.shape)}")
    (h, w), (kh, kw), (sh, sw), (dh, dw) = (ints(name_, v, 2) for name_, v in (
        ("output_sizes", output_sizes), ("kernel_sizes", kernel_sizes), ("strides", strides),
        ("dilations", dilations)))  # fmt: skip
    top, left, bottom, right = _four(paddings)
    oh, ow = window_size(h, kh, sh, top, bottom, dh), window_size(w, kw, sw, left, right, dw)
    n, rows, count = x.shape
    if not divides(kh * kw, rows):
        raise ShapeError(f"fold: the number of rows {rows} doesn't divide by {kh * kw}")
    if isinstance(count, int) and not same_dim(count, oh * ow):
        raise ShapeError(f"fold: {count} columns don't fit the {oh} x {ow} windows of images [{h}, {w}]")
    windows = OPS["reshape"](x, (n, rows // (kh * kw), kh, kw, oh, ow))
    return _added_up(windows, (h, w), (top, left), (sh, sw), (dh, dw))


def _added_up(x: Any, image: Any, start: Pair, step: Pair, dilation: Pair) -> Any:
    """Windows [n, c, kh, kw, oh, ow] added up to images [n, c, *image], which begin `start` behind the first window."""
    (h, w), (top, left), (n, c) = image, start, x.shape[:2]
    lines = _overlapped(x, 2, step[0], dilation[0])  # [n, c, sh, kw, rows of blocks, ow]
    blocks = _overlapped(lines, 3, step[1], dilation[1])  # [n, c, sh, sw, rows of blocks, columns of blocks]
    high, wide = blocks.shape[4] * step[0], blocks.shape[5] * step[1]
    whole = OPS["reshape"](OPS["transpose"](blocks, (0, 1, 4, 2, 5, 3)), (n, c, high, wide))
    whole = _margins(whole, {2: (0, maximum(top + h - high, 0)), 3: (0, maximum(left + w - wide, 0))})
    is_whole = not (top or left) and same_dim(maximum(h, high), h) and same_dim(maximum(w, wide), w)
    return whole if is_whole else OPS["slice"](whole, [0, 0, top, left], [n, c, h, w])


def _overlapped(x: Any, axis: int, stride: int, dilation: int) -> Any:
    """Windows along an axis (its taps; their places two axes behind) added up to blocks of `stride` numbers.

    Tap k of window o lies at o * stride + k * dilation: in a block as many behind the window's first one as the stride
    goes into k * dilation. So taps that are a stride apart are taken at once and moved by whole blocks.
    """
    behind, taps = axis + 2, x.shape[axis]
    if dilation > 1:  # taps that add nothing between the others
        shape = list(x.shape)
        shape[axis] = taps = (taps - 1) * dilation + 1
        steps = [dilation if k == axis else 1 for k in range(len(shape))]
        x = OPS["slice_update"](OPS["full"](shape, 0, x.dtype), x, [0] * len(shape), steps)
    moves = -(-taps // stride)
    x, total = _margins(x, {axis: (0, moves * stride - taps)}), None
    for move in range(moves):
        part = piece(x, axis, move * stride, stride) if moves > 1 else x
        moved = _margins(part, {behind: (move, moves - 1 - move)})
        total = moved if total is None else total + moved
    return total


def _margins(x: Any, sizes: dict[int, tuple[DimLike, DimLike]]) -> Any:
    """Zeros before and after the elements along axes."""
    return pad(x, [sizes.get(k, (0, 0)) for k in range(x.ndim)]) if any(map(any, sizes.values())) else x

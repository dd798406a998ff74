"""Rearrangements of image tensors: pixel and channel shuffles, shifts; masks of sequences."""

from __future__ import annotations

from typing import Any

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError, ShapeError
from .activation import as_float
from .conv import ints
from .dims import product
from .elementwise import cast, power, square
from .image_columns import fold, unfold
from .infer import as_dim, divides, int_argument, show_shape
from .matrix_norms import norm
from .moves import FAR
from .moves import pad as pad_row
from .op import OPS
from .padding import pad
from .pool import avg_pool2d_row
from .slices import piece

__all__ = [
    "bilinear", "channel_shuffle", "fold", "local_response_norm", "pairwise_distance", "pixel_shuffle",
    "pixel_unshuffle", "sequence_mask", "temporal_shift", "unfold", "zeropad2d",
]  # fmt: skip


def _images(op: str, x: Any, data_format: str) -> tuple[Any, Any, Any, Any]:
    """n, c, h, w of images in either format."""
    if x.ndim != 4:
        raise ShapeError(f"{op} needs images of rank 4, got {show_shape(x.shape)}")
    if data_format not in ("NCHW", "NHWC"):
        raise ArgumentError(f"{op}: data_format must be NCHW or NHWC, not {data_format!r}")
    n, *rest = x.shape
    return (n, rest[2], rest[0], rest[1]) if data_format == "NHWC" else (n, *rest)


def _divides(op: str, what: str, size: Any, factor: int) -> None:
    if not divides(factor, size):
        raise ShapeError(f"{op}: {what} {size} doesn't divide by {factor}")


def pixel_shuffle(x: Any, upscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Images [n, c r², h, w] as [n, c, h r, w r] (Shi et al., 2016)."""
    r = int_argument("pixel_shuffle: upscale_factor", upscale_factor, 1)
    n, c, h, w = _images("pixel_shuffle", x, data_format)
    _divides("pixel_shuffle", "the number of channels", c, r * r)
    reshape, transpose = OPS["reshape"], OPS["transpose"]
    if data_format == "NHWC":
        apart = transpose(reshape(x, (n, h, w, c // (r * r), r, r)), (0, 1, 4, 2, 5, 3))
        return reshape(apart, (n, h * r, w * r, c // (r * r)))
    apart = transpose(reshape(x, (n, c // (r * r), r, r, h, w)), (0, 1, 4, 2, 5, 3))
    return reshape(apart, (n, c // (r * r), h * r, w * r))


def pixel_unshuffle(x: Any, downscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Images [n, c, h r, w r] as [n, c r², h, w]: the inverse of pixel_shuffle."""
    r = int_argument("pixel_unshuffle: downscale_factor", downscale_factor, 1)
    n, c, h, w = _images("pixel_unshuffle", x, data_format)
    _divides("pixel_unshuffle", "the height", h, r)
    _divides("pixel_unshuffle", "the width", w, r)
    reshape, transpose = OPS["reshape"], OPS["transpose"]
    if data_format == "NHWC":
        apart = transpose(reshape(x, (n, h // r, r, w // r, r, c)), (0, 1, 3, 5, 2, 4))
        return reshape(apart, (n, h // r, w // r, c * r * r))
    apart = transpose(reshape(x, (n, c, h // r, r, w // r, r)), (0, 1, 3, 5, 2, 4))
    return reshape(apart, (n, c * r * r, h // r, w // r))


def channel_shuffle(x: Any, groups: int, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Channels of `groups` groups dealt out in turn (Zhang et al., ShuffleNet, 2018)."""
    g = int_argument("channel_shuffle: groups", groups, 1)
    n, c, h, w = _images("channel_shuffle", x, data_format)
    _divides("channel_shuffle", "the number of channels", c, g)
    if data_format == "NHWC":
        apart = OPS["transpose"](OPS["reshape"](x, (n, h, w, g, c // g)), (0, 1, 2, 4, 3))
    else:
        apart = OPS["transpose"](OPS["reshape"](x, (n, g, c // g, h, w)), (0, 2, 1, 3, 4))
    return OPS["reshape"](apart, tuple(x.shape))


def temporal_shift(
    x: Any, seg_num: int, shift_ratio: float = 0.25, name: str | None = None, data_format: str = "NCHW"
) -> Any:
    """Frames [n * seg_num, c, h, w]: the first channels from the frame before, the next from the one behind.

    shift_ratio: the share of channels that come from before, and that from behind; zeros beyond the ends.
    """
    if not 0.0 < shift_ratio <= 0.5:
        raise ArgumentError(f"temporal_shift: shift_ratio must be above 0 and at most 0.5, not {shift_ratio}")
    seg_num = int_argument("temporal_shift: seg_num", seg_num, 1)
    n, c, h, w = _images("temporal_shift", x, data_format)
    if data_format == "NHWC":
        back = temporal_shift(OPS["transpose"](x, (0, 3, 1, 2)), seg_num, shift_ratio)
        return OPS["transpose"](back, (0, 2, 3, 1))
    _divides("temporal_shift", "the number of frames", n, seg_num)
    first, second = int(c * shift_ratio), int(c * 2 * shift_ratio)
    wide = pad_row(OPS["reshape"](x, (-1, seg_num, c, h, w)), [(0, 0), (1, 1), (0, 0), (0, 0), (0, 0)])
    parts = [
        piece(piece(wide, 1, start, seg_num), 2, low, high - low)
        for start, low, high in ((0, 0, first), (2, first, second), (1, second, c))
        if high > low
    ]
    return OPS["reshape"](OPS["concat"](parts, axis=2), (n, c, h, w))


def zeropad2d(x: Any, padding: Any, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Margins of zeros (left, right, top, bottom) around images; sizes below 0 cut."""
    _images("zeropad2d", x, data_format)
    return pad(x, list(ints("padding", padding, 4, least=-FAR)), data_format=data_format)


# ---- others


def sequence_mask(x: Any, maxlen: Any = None, dtype: Any = "int64", name: str | None = None) -> Any:
    """1 at the first x[i] places of a new last axis of size `maxlen` (default: the largest length), 0 behind."""
    size = cast(OPS["max"](x), as_dtype("int64")) if maxlen is None else maxlen
    inside = OPS["arange"](as_dim(size)) < OPS["reshape"](cast(x, as_dtype("int64")), (*x.shape, 1))
    return cast(inside, as_dtype(dtype))


def pairwise_distance(
    x: Any, y: Any, p: float = 2.0, epsilon: float = 1e-6, keepdim: bool = False, name: str | None = None
) -> Any:
    """The p-norm of x - y + epsilon over the last axis."""
    x = as_float(x)
    return norm(x - y + epsilon, float(p), -1, keepdim)


def bilinear(x1: Any, x2: Any, weight: Any, bias: Any = None, name: str | None = None) -> Any:
    """x1 · weight[k] · x2 + bias[k] for each k; x1 [n, in1], x2 [n, in2], weight [out, in1, in2], bias [1, out]."""
    count, first, second = weight.shape
    if x1.ndim != 2 or x2.ndim != 2 or x1.shape[1] != first or x2.shape[1] != second:
        raise ShapeError(
            f"bilinear: {show_shape(x1.shape)} and {show_shape(x2.shape)} don't fit {show_shape(weight.shape)}"
        )
    flat = OPS["reshape"](OPS["transpose"](weight, (1, 0, 2)), (first, count * second))
    rows = OPS["reshape"](OPS["matmul"](x1, flat), (-1, count, second))
    y = OPS["sum"](rows * OPS["reshape"](x2, (-1, 1, second)), 2)
    return y if bias is None else y + bias


def local_response_norm(
    x: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0, data_format: str = "NCHW",
    name: str | None = None,
) -> Any:  # fmt: skip
    """x / (k + alpha * the mean of the squares of `size` neighbouring channels) ** beta, for ranks 3 to 5.

    Source: Krizhevsky, Sutskever, Hinton, ImageNet Classification, 2012.
    """
    x = as_float(x)
    known = {3: ("NCL", "NLC"), 4: ("NCHW", "NHWC"), 5: ("NCDHW", "NDHWC")}
    if x.ndim not in known:
        raise ShapeError(f"local_response_norm needs rank 3 to 5, got {show_shape(x.shape)}")
    if not any(data_format in names for names in known.values()):
        raise ArgumentError(f"local_response_norm: data_format must be like NCHW or NHWC, not {data_format!r}")
    axis = x.ndim - 1 if data_format.endswith("C") else 1
    pairs = [(size // 2, (size - 1) // 2) if j == axis else (0, 0) for j in range(x.ndim)]
    squares = pad_row(square(x), pairs)
    lines = (product(x.shape[:axis]), 1, squares.shape[axis], product(x.shape[axis + 1 :]))
    sums = avg_pool2d_row(OPS["reshape"](squares, lines), (size, 1), (1, 1), 0, False, False, size)
    return x / power(OPS["reshape"](sums, tuple(x.shape)) * alpha + k, beta)

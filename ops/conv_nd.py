"""Convolutions of other ranks, written with the rows of conv.py: conv3d, conv1d_transpose, conv3d_transpose.

The places of a three-dimensional window along the depth become channels of a two-dimensional convolution.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.errors import ShapeError
from .conv import (
    add_bias,
    as_row,
    channels_as,
    channels_first,
    channels_last,
    check_divides,
    conv2d_input_grad,
    conv2d_row,
    conv2d_transpose,
    from_row,
    group_count,
    ints,
    of_known_size,
    row_padding,
    same_padding,
    single,
    spatial_padding,
    spread,
    transposed_size,
)
from .dims import DimLike, assume_equal
from .infer import show_shape, window_size
from .moves import pad as pad_row
from .op import OPS
from .rearrange import stack

__all__ = ["conv1d_transpose", "conv3d", "conv3d_transpose"]


def conv1d_transpose(
    x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: int = 1,
    dilation: Any = 1, output_size: Any = None, data_format: str = "NCL", name: str | None = None,
) -> Any:  # fmt: skip
    """The transposed convolution of sequences [n, c, l] with filters [c, out / groups, k], plus a bias [out].

    The length is (l - 1) * stride - padding + dilation * (k - 1) + 1 + output_padding, or `output_size`.
    """
    padding = row_padding(padding, channels_last("conv1d_transpose", data_format, 1))
    x = channels_first(x, data_format)
    if x.ndim != 3 or weight.ndim != 3:
        raise ShapeError(
            f"conv1d_transpose needs [n, c, l] and [c, out / groups, k], got {show_shape(x.shape)} and"
            f" {show_shape(weight.shape)}"
        )
    extra = (0, single("output_padding", output_padding))
    size = None if output_size is None else (1, *ints("output_size", output_size, 1))
    steps = (1, single("stride", stride)), (1, single("dilation", dilation))
    y = conv2d_transpose(as_row(x), as_row(weight), bias, steps[0], padding, extra, groups, steps[1], size)
    return channels_as(from_row(y), data_format)


def conv3d(
    x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
    data_format: str = "NCDHW", name: str | None = None,
) -> Any:  # fmt: skip
    """The correlation of volumes [n, c, d, h, w] with filters [out, c / groups, kd, kh, kw], plus a bias [out].

    padding: an int, three, six (front, back, top, bottom, left, right), pairs, "SAME" or "VALID".
    """
    pads = spatial_padding(padding, 3, channels_last("conv3d", data_format, 3))
    x = channels_first(x, data_format)
    _require_volumes("conv3d", x, weight)
    weight = of_known_size(weight)
    groups = group_count(groups)
    if assume_equal(x.shape[1], weight.shape[1] * groups) is False or weight.shape[0] % groups:
        raise ShapeError(
            f"conv3d: volumes {show_shape(x.shape)} don't fit filters {show_shape(weight.shape)} in {groups} groups"
        )
    kernel = tuple(weight.shape[2:])
    steps, gaps = ints("stride", stride, 3), ints("dilation", spread(pads, dilation), 3)
    pads = _pairs(pads, x.shape[2:], kernel, steps, gaps)
    x, depth = _depth_as_channels(x, kernel[0], steps[0], gaps[0], pads[0])
    flat = OPS["reshape"](weight, (weight.shape[0], weight.shape[1] * kernel[0], *kernel[1:]))
    y = _volumes(conv2d_row(x, flat, steps[1:], pads[1:], gaps[1:], groups), depth)
    return channels_as(add_bias(y, bias), data_format)


def conv3d_transpose(
    x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: int = 1,
    dilation: Any = 1, output_size: Any = None, data_format: str = "NCDHW", name: str | None = None,
) -> Any:  # fmt: skip
    """The transposed convolution of volumes [n, c, d, h, w] with filters [c, out / groups, kd, kh, kw]."""
    pads = spatial_padding(padding, 3, channels_last("conv3d_transpose", data_format, 3))
    x = channels_first(x, data_format)
    _require_volumes("conv3d_transpose", x, weight)
    weight = of_known_size(weight)
    groups = group_count(groups)
    if assume_equal(x.shape[1], weight.shape[0]) is False:
        raise ShapeError(
            f"conv3d_transpose: volumes {show_shape(x.shape)} don't fit filters {show_shape(weight.shape)}"
        )
    check_divides("conv3d_transpose", weight.shape[0], groups)
    kernel = tuple(weight.shape[2:])
    steps, gaps = ints("stride", stride, 3), ints("dilation", spread(pads, dilation), 3)
    pads = _pairs(pads, x.shape[2:], kernel, steps, gaps)
    a = {"stride": steps, "padding": pads, "dilation": gaps}
    size = transposed_size("conv3d_transpose", x.shape[2:], kernel, a, output_padding, output_size)
    reach = gaps[0] * (kernel[0] - 1)
    x = _with_gaps(x, steps[0])
    after = size[0] - (x.shape[2] + reach - pads[0][0] - pads[0][1]) + reach - pads[0][1]
    x, depth = _depth_as_channels(x, kernel[0], 1, gaps[0], (reach - pads[0][0], after))
    flat = OPS["transpose"](OPS["flip"](weight, 2), (0, 2, 1, 3, 4))
    flat = OPS["reshape"](flat, (weight.shape[0] * kernel[0], weight.shape[1], *kernel[1:]))
    y = conv2d_input_grad(
        x, flat, size=size[1:], stride=steps[1:], padding=tuple(pads[1:]), dilation=gaps[1:], groups=groups
    )
    return channels_as(add_bias(_volumes(y, depth), bias), data_format)


def _require_volumes(op: str, x: Any, weight: Any) -> None:
    if x.ndim != 5 or weight.ndim != 5:
        raise ShapeError(
            f"{op} needs volumes and filters of rank 5, got {show_shape(x.shape)} and {show_shape(weight.shape)}",
            remedy="add the missing axis with unsqueeze",
        )


def _pairs(pads: Any, size: Sequence[DimLike], kernel: Sequence[int], steps: Any, spread: Any) -> list[tuple[int, int]]:
    if pads == "VALID":
        return [(0, 0)] * len(kernel)
    if pads == "SAME":
        return [same_padding(*parts) for parts in zip(size, kernel, steps, spread, strict=True)]
    return list(pads)


def _depth_as_channels(x: Any, kernel: int, stride: int, dilation: int, pads: tuple[int, Any]) -> tuple[Any, DimLike]:
    """[n, c, d, h, w] as images [n * depth, c * kernel, h, w]: the planes under each window; and the depth.

    Margins below 0 cut planes off.
    """
    before, after = pads
    cut = [-v if isinstance(v, int) and v < 0 else 0 for v in (before, after)]
    if any(cut):
        x = _planes(x, cut[0], x.shape[2] - cut[0] - cut[1], 1)
    grown = [0 if isinstance(v, int) and v < 0 else v for v in (before, after)]
    depth = window_size(x.shape[2], kernel, stride, grown[0], grown[1], dilation)
    if grown != [0, 0]:
        x = pad_row(x, [(0, 0), (0, 0), tuple(grown), (0, 0), (0, 0)], "constant", 0.0)
    n, c, _, h, w = x.shape
    if kernel == 1 and stride == 1:
        return OPS["reshape"](OPS["transpose"](x, (0, 2, 1, 3, 4)), (n * depth, c, h, w)), depth
    parts = stack([_planes(x, k * dilation, depth, stride) for k in range(kernel)], 2)
    return OPS["reshape"](OPS["transpose"](parts, (0, 3, 1, 2, 4, 5)), (n * depth, c * kernel, h, w)), depth


def _planes(x: Any, start: int, count: DimLike, stride: int) -> Any:
    n, c, _, h, w = x.shape
    return OPS["slice"](x, [0, 0, start, 0, 0], [n, c, count, h, w], [1, 1, stride, 1, 1])


def _with_gaps(x: Any, stride: int) -> Any:
    """[n, c, d, h, w] with stride - 1 planes of zeros between neighbouring planes."""
    if stride == 1:
        return x
    n, c, d, h, w = x.shape
    apart = pad_row(OPS["reshape"](x, (n, c, d, 1, h, w)), [(0, 0)] * 3 + [(0, stride - 1)] + [(0, 0)] * 2)
    whole = OPS["reshape"](apart, (n, c, d * stride, h, w))
    return _planes(whole, 0, d * stride - (stride - 1), 1)


def _volumes(y: Any, depth: DimLike) -> Any:
    """Images [n * depth, c, h, w] as volumes [n, c, depth, h, w]."""
    n = -1 if isinstance(depth, int) else y.shape[0] // depth
    return OPS["transpose"](OPS["reshape"](y, (n, depth, *y.shape[1:])), (0, 2, 1, 3, 4))

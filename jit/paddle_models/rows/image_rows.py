"""Convolutions, pools, and resizing of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....ops import conv_nd, pool_nd, resize, vision
from ....ops.dims import DimLike
from ..paddle_call import OperatorCall, op, rows
from .paddle_row import Entry, entry

MOST_WINDOW, MOST_PIXELS = 1 << 12, 1 << 16  # along an axis: each makes work while the program is read


def _numbers(values: Any) -> list[int]:
    return [int(v) for v in values]


def _padding(c: OperatorCall) -> Any:
    algorithm = str(c.attribute("padding_algorithm", "EXPLICIT"))
    paddings = _numbers(c.attribute("paddings", [0]))
    return algorithm if algorithm in ("SAME", "VALID") else paddings


def _is_last(c: OperatorCall) -> bool:
    return str(c.attribute("data_format data_layout", "NCHW")) in ("NHWC", "NDHWC", "NLC")


def _conv(rank: int) -> Any:
    def read(c: OperatorCall) -> Any:
        function = op.conv2d if rank == 2 else conv_nd.conv3d
        form = ("NHWC" if rank == 2 else "NDHWC") if _is_last(c) else ("NCHW" if rank == 2 else "NCDHW")
        return function(
            c[0], c[1], None, _numbers(c.attribute("strides", [1] * rank)), _padding(c),
            _numbers(c.attribute("dilations", [1] * rank)), int(c.attribute("groups", 1)), form,
        )  # fmt: skip

    return read


def _conv_transpose(rank: int) -> Any:
    def read(c: OperatorCall) -> Any:
        function = op.conv2d_transpose if rank == 2 else conv_nd.conv3d_transpose
        form = ("NHWC" if rank == 2 else "NDHWC") if _is_last(c) else ("NCHW" if rank == 2 else "NCDHW")
        size = c.ints(2, "output_size") or None
        extra = _numbers(c.attribute("output_padding", [])) or 0
        return function(
            c[0], c[1], None, _numbers(c.attribute("strides", [1] * rank)), _padding(c), 0 if size else extra,
            int(c.attribute("groups", 1)), _numbers(c.attribute("dilations", [1] * rank)), size, form,
        )  # fmt: skip

    return read


def _pool(rank: int) -> Any:
    """Averages or maxima of windows, of the whole image, or of a number of parts."""

    def read(c: OperatorCall) -> Any:
        x, average, last = c[0], c.attribute("pooling_type", "max") == "avg", _is_last(c)
        if last:
            x = op.moveaxis(x, -1, 1)
        made = _pooled(c, x, rank, average)
        return op.moveaxis(made, 1, -1) if last else made

    return read


def _pooled(c: OperatorCall, x: Any, rank: int, average: bool) -> Any:
    kernel = c.ints(1, "ksize kernel_size") or [1] * rank
    if any(k > MOST_WINDOW for k in kernel):
        raise c.refuse(f"a window of {kernel}")
    whole = c.attribute("global_pooling", False) or (c.attribute("adaptive", False) and set(kernel) == {1})
    axes = list(range(2, rank + 2))
    if whole or c.attribute("adaptive", False):
        c.without("strides paddings padding_algorithm exclusive ceil_mode")
    if whole:
        return op.mean(x, axes, keepdim=True) if average else op.max(x, axes, keepdim=True)
    if c.attribute("adaptive", False):
        pools: Any = {
            (2, True): op.adaptive_avg_pool2d, (2, False): pool_nd.adaptive_max_pool2d,
            (3, True): pool_nd.adaptive_avg_pool3d, (3, False): pool_nd.adaptive_max_pool3d,
        }  # fmt: skip
        return pools[rank, average](x, kernel)
    strides, ceil = _numbers(c.attribute("strides", [1] * rank)), bool(c.attribute("ceil_mode", False))
    if average:
        function = op.avg_pool2d if rank == 2 else pool_nd.avg_pool3d
        return function(x, kernel, strides, _padding(c), ceil, bool(c.attribute("exclusive", True)))
    function = op.max_pool2d if rank == 2 else pool_nd.max_pool3d
    return function(x, kernel, strides, _padding(c), False, ceil)


def _max_pool_with_index(c: OperatorCall) -> Any:
    kernel = c.ints(None, "kernel_size ksize") or []
    if c.attribute("adaptive", False):
        c.without("strides paddings")
        return pool_nd.adaptive_max_pool2d(c[0], kernel, True)
    strides, pads = _numbers(c.required("strides")), _numbers(c.attribute("paddings", [0, 0]))
    return op.max_pool2d(c[0], kernel, strides, pads, True, bool(c.attribute("ceil_mode", False)))


def _interpolate(mode: str) -> Any:
    def read(c: OperatorCall) -> Any:
        x, rank = c[0], c[0].ndim - 2
        last = _is_last(c)
        x = op.moveaxis(x, -1, 1) if last else x
        size, scale = _target(c, rank)
        corners = bool(c.attribute("align_corners", False)) and mode != "nearest"
        wide = [d * s for d, s in zip(x.shape[2:], scale or [], strict=True)] if size is None else size
        if any(isinstance(d, (int, float)) and not 0 < d <= MOST_PIXELS for d in wide):
            raise c.refuse(f"an image of {wide}")
        made = _grown(x, scale) if size is None and mode == "nearest" else None
        if made is None:
            chosen = {"size": size} if size is not None else {"scale_factor": scale}
            made = resize.interpolate(
                x, mode=mode, align_corners=corners, align_mode=int(c.attribute("align_mode", 1)), **chosen
            )
        return op.moveaxis(made, 1, -1) if last else made

    return read


def _target(c: OperatorCall, rank: int) -> tuple[list[DimLike] | None, list[float] | None]:
    """(sizes, scales), one of which is None. A tensor of sizes counts more than a scale, and that more than sizes."""
    if c.has(2) or c.has(1):
        return c.sizes(2 if c.has(2) else 1, "out_size"), None
    given = c.attribute("scale", [])
    if c.has(3):
        scales = [float(c.number(3, "scale"))]
    else:
        scales = [float(v) for v in (given if isinstance(given, (list, tuple)) else [given])]
    if scales and all(s > 0 for s in scales):
        return None, scales if len(scales) == rank else scales * rank
    names = ("out_d", "out_h", "out_w")[3 - rank :]
    return [int(c.required(name)) for name in names], None


def _grown(x: Any, scales: list[float] | None) -> Any:
    """Each element repeated, where the scales are whole numbers: images of any size."""
    if scales is None or any(s != int(s) for s in scales):
        return None
    for k, scale in enumerate(scales):
        axis, count = k + 2, int(scale)
        wide = op.unsqueeze(x, axis + 1)
        wide = rows.broadcast_to(wide, [*wide.shape[: axis + 1], count, *wide.shape[axis + 2 :]])
        x = op.reshape(wide, [*x.shape[:axis], x.shape[axis] * count, *x.shape[axis + 1 :]])
    return x


def _grid_sample(c: OperatorCall) -> Any:
    return resize.grid_sample(
        c[0], c[1], str(c.attribute("mode", "bilinear")), str(c.attribute("padding_mode", "zeros")),
        bool(c.attribute("align_corners", True)),
    )  # fmt: skip


def _affine_grid(c: OperatorCall) -> Any:
    shape = c.ints(1, "output_shape")
    return resize.affine_grid(c[0], np.asarray(shape), bool(c.attribute("align_corners", True)))


def _pixel_shuffle(c: OperatorCall) -> Any:
    return vision.pixel_shuffle(c[0], int(c.required("upscale_factor")), str(c.attribute("data_format", "NCHW")))


def _channel_shuffle(c: OperatorCall) -> Any:
    return vision.channel_shuffle(c[0], int(c.required("groups")), str(c.attribute("data_format", "NCHW")))


_SIZED = "X OutSize SizeTensor* Scale"

ENTRIES: list[Entry] = [
    entry(_affine_grid, "affine_grid", None, "Theta OutputShape", "Output"),
    entry(_channel_shuffle, "channel_shuffle"),
    entry(_conv(2), "conv2d depthwise_conv2d", None, "Input Filter", "Output"),
    entry(_conv(3), "conv3d", None, "Input Filter", "Output"),
    entry(_conv_transpose(2), "conv2d_transpose depthwise_conv2d_transpose", None, "Input Filter", "Output"),
    entry(_conv_transpose(3), "conv3d_transpose", None, "Input Filter", "Output"),
    entry(_grid_sample, "grid_sample", "grid_sampler", "X Grid", "Output"),
    *(entry(_interpolate(mode), f"{mode}_interp", f"{mode}_interp_v2 {mode}_interp", _SIZED)
      for mode in ("nearest", "bilinear", "bicubic", "trilinear", "linear")),
    entry(_max_pool_with_index, "max_pool2d_with_index", None, "X", "Out Mask"),
    entry(_pixel_shuffle, "pixel_shuffle"),
    entry(_pool(2), "pool2d", None, "X KernelSize"),
    entry(_pool(3), "pool3d", None, "X KernelSize"),
]  # fmt: skip

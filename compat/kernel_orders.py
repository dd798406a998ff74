"""Kernels of PaddlePaddle that take the arguments of the function of the same name in another order.

`_C_ops.group_norm(x, scale, bias, epsilon, groups)` is `group_norm(x, groups, epsilon, weight, bias)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ..base.limits import finfo
from ..dygraph.nn import functional as F
from ..ops.infer import axis_index
from ..ops.op import FUNCTIONS, OPS

_root = __name__.partition(".")[0]


def group_norm(
    x: Any, scale: Any = None, bias: Any = None, epsilon: float = 1e-5, groups: int = -1, data_format: str = "NCHW"
) -> Any:
    """`group_norm`."""
    return F.group_norm(x, groups, epsilon, scale, bias, data_format)


def prelu(x: Any, alpha: Any, data_format: str = "NCHW", mode: str = "all") -> Any:
    """`prelu`; mode "element": a slope for each element of an example; slopes in any shape of so many elements."""
    if mode == "element":
        slopes = OPS["reshape"](alpha, (1, *x.shape[1:]))
        return FUNCTIONS["where"](x > 0.0, x, slopes * x)
    return F.prelu(x, OPS["reshape"](alpha, (-1,)), data_format)


def layer_norm(x: Any, scale: Any = None, bias: Any = None, epsilon: float = 1e-5, begin_norm_axis: int = 1) -> Any:
    """`layer_norm` over the axes from `begin_norm_axis` on; scale and bias may be flat."""
    shape = list(x.shape[begin_norm_axis:])
    weight, shift = (None if v is None else OPS["reshape"](v, tuple(shape)) for v in (scale, bias))
    return F.layer_norm(x, shape, weight, shift, epsilon)


def instance_norm(x: Any, scale: Any = None, bias: Any = None, epsilon: float = 1e-5) -> Any:
    """`instance_norm`."""
    return F.instance_norm(x, weight=scale, bias=bias, eps=epsilon)


def dropout(
    x: Any, seed_tensor: Any = None, p: float = 0.5, is_test: bool = False, mode: str = "downgrade_in_infer",
    seed: int = 0, fix_seed: bool = False,
) -> Any:  # fmt: skip
    """`dropout`; the seeds have no effect (see `vt.seed`)."""
    return F.dropout(x, p, training=not is_test, mode=mode)


def _convolution(
    name: str, x: Any, filter: Any, strides: Any, padding: Any, dilations: Any, groups: int, layout: str, **sizes: Any
) -> Any:
    formats = ("NCDHW", "NDHWC") if "3d" in name else ("NCHW", "NHWC")
    form = formats[layout.endswith("C")]  # "AnyLayout" is the usual one
    return getattr(F, name)(
        x, filter, stride=strides, padding=padding, dilation=dilations, groups=groups, data_format=form, **sizes
    )


def conv2d(
    input: Any, filter: Any, strides: Sequence[int] = (1, 1), paddings: Any = (0, 0),
    padding_algorithm: str = "EXPLICIT", dilations: Sequence[int] = (1, 1), groups: int = 1, data_format: str = "NCHW",
) -> Any:  # fmt: skip
    """`conv2d` without a bias."""
    padding = list(paddings) if padding_algorithm == "EXPLICIT" else padding_algorithm
    return _convolution("conv2d", input, filter, strides, padding, dilations, groups, data_format)


def conv3d(
    input: Any, filter: Any, strides: Sequence[int] = (1, 1, 1), paddings: Any = (0, 0, 0),
    padding_algorithm: str = "EXPLICIT", groups: int = 1, dilations: Sequence[int] = (1, 1, 1),
    data_format: str = "NCDHW",
) -> Any:  # fmt: skip
    """`conv3d` without a bias."""
    padding = list(paddings) if padding_algorithm == "EXPLICIT" else padding_algorithm
    return _convolution("conv3d", input, filter, strides, padding, dilations, groups, data_format)


def conv2d_transpose(
    x: Any, filter: Any, strides: Sequence[int] = (1, 1), paddings: Any = (0, 0), output_padding: Any = (),
    output_size: Any = (), padding_algorithm: str = "EXPLICIT", groups: int = 1, dilations: Sequence[int] = (1, 1),
    data_format: str = "NCHW",
) -> Any:  # fmt: skip
    """`conv2d_transpose` without a bias."""
    sizes = _sizes_of_transposed(output_padding, output_size)
    padding = list(paddings) if padding_algorithm == "EXPLICIT" else padding_algorithm
    return _convolution("conv2d_transpose", x, filter, strides, padding, dilations, groups, data_format, **sizes)


def conv3d_transpose(
    x: Any, filter: Any, strides: Sequence[int] = (1, 1, 1), paddings: Any = (0, 0, 0), output_padding: Any = (),
    output_size: Any = (), padding_algorithm: str = "EXPLICIT", groups: int = 1, dilations: Sequence[int] = (1, 1, 1),
    data_format: str = "NCHW",
) -> Any:  # fmt: skip
    """`conv3d_transpose` without a bias; a format of images tells where the channels are."""
    sizes = _sizes_of_transposed(output_padding, output_size)
    padding = list(paddings) if padding_algorithm == "EXPLICIT" else padding_algorithm
    return _convolution("conv3d_transpose", x, filter, strides, padding, dilations, groups, data_format, **sizes)


def _sizes_of_transposed(output_padding: Any, output_size: Any) -> dict[str, Any]:
    sizes: dict[str, Any] = {} if output_size is None or len(output_size) == 0 else {"output_size": output_size}
    return sizes | ({"output_padding": list(output_padding)} if output_padding else {})


depthwise_conv2d_transpose = conv2d_transpose


def temporal_shift(x: Any, seg_num: int, shift_ratio: float = 0.25, data_format: str = "NCHW") -> Any:
    """`temporal_shift`."""
    return F.temporal_shift(x, seg_num, shift_ratio, data_format=data_format)


def unfold(x: Any, kernel_sizes: Any, strides: Any, paddings: Any, dilations: Any) -> Any:
    """`nn.functional.unfold`."""
    return F.unfold(x, kernel_sizes, strides, paddings, dilations)


def var(x: Any, axis: Any = None, keepdim: bool = False, unbiased: bool = True, correction: float | None = None) -> Any:
    """`var`; correction: what is taken from the count, instead of `unbiased`."""
    less = correction if correction is not None else float(unbiased)
    return FUNCTIONS["var"](x, axis or None, None, keepdim, correction=less)


def std(x: Any, axis: Any = None, keepdim: bool = False, unbiased: bool = True, correction: float | None = None) -> Any:
    """`std`; correction: what is taken from the count, instead of `unbiased`."""
    return OPS["sqrt"](var(x, axis, keepdim, unbiased, correction))


def _running(name: str, x: Any, axis: Any, exclusive: bool, reverse: bool, start: float) -> Any:
    """A running function along an axis; exclusive: of what is before each element; reverse: from the other end."""
    if not x.ndim:  # one number has one axis here, as for the functions
        return OPS["reshape"](_running(name, OPS["reshape"](x, (1,)), axis, exclusive, reverse, start), ())
    k = axis_index(axis, x.ndim)
    x = OPS["flip"](x, (k,)) if reverse else x
    made = FUNCTIONS[name](x, k)
    if exclusive:
        first = tuple(slice(0, 1) if n == k else slice(None) for n in range(x.ndim))
        rest = tuple(slice(0, -1) if n == k else slice(None) for n in range(x.ndim))
        made = OPS["concat"]([FUNCTIONS["full_like"](made[first], start), made[rest]], k)
    return OPS["flip"](made, (k,)) if reverse else made


def cumsum(x: Any, axis: Any = -1, flatten: bool = False, exclusive: bool = False, reverse: bool = False) -> Any:
    """`cumsum`; exclusive: without the element itself; reverse: from the end."""
    x = OPS["reshape"](x, (-1,)) if flatten else x
    return _running("cumsum", x, 0 if flatten else axis, exclusive, reverse, 0)


def logcumsumexp(x: Any, axis: int = -1, flatten: bool = False, exclusive: bool = False, reverse: bool = False) -> Any:
    """`logcumsumexp`; exclusive: without the element itself; reverse: from the end."""
    x = OPS["reshape"](x, (-1,)) if flatten else x
    return _running("logcumsumexp", x, 0 if flatten else axis, exclusive, reverse, finfo(x.dtype).min)


def cumprod(x: Any, dim: int, exclusive: bool = False, reverse: bool = False) -> Any:
    """`cumprod`; exclusive: without the element itself; reverse: from the end."""
    return _running("cumprod", x, dim, exclusive, reverse, 1)


def psroi_pool(
    x: Any, boxes: Any, boxes_num: Any, pooled_height: int, pooled_width: int, output_channels: int,
    spatial_scale: float = 1.0,
) -> Any:  # fmt: skip
    """`vision.ops.psroi_pool`; there are as many channels as the input's make."""
    made = import_module(f"{_root}.vision.ops").psroi_pool
    return made(x, boxes, boxes_num, (pooled_height, pooled_width), spatial_scale)


def distribute_fpn_proposals(
    fpn_rois: Any, rois_num: Any, min_level: int, max_level: int, refer_level: int, refer_scale: int,
    pixel_offset: bool = False,
) -> Any:  # fmt: skip
    """`vision.ops.distribute_fpn_proposals`."""
    made = import_module(f"{_root}.vision.ops").distribute_fpn_proposals
    return made(fpn_rois, min_level, max_level, refer_level, refer_scale, pixel_offset, rois_num)


def argmax(x: Any, axis: Any = 0, keepdims: bool = False, flatten: bool = False, dtype: Any = "int64") -> Any:
    """`argmax`; with `flatten` over all elements."""
    return FUNCTIONS["argmax"](x, None if flatten else axis, keepdims, dtype)


def argmin(x: Any, axis: Any = 0, keepdims: bool = False, flatten: bool = False, dtype: Any = "int64") -> Any:
    """`argmin`; with `flatten` over all elements."""
    return FUNCTIONS["argmin"](x, None if flatten else axis, keepdims, dtype)


def index_add(x: Any, index: Any, add_value: Any, axis: int = 0) -> Any:
    """`index_add`."""
    return FUNCTIONS["index_add"](x, index, axis, add_value)


def einsum(x: Sequence[Any], equation: str) -> Any:
    """`einsum`, and two empty lists: what the kernel keeps for its gradient."""
    return FUNCTIONS["einsum"](equation, *x), [], []


def histogram(
    input: Any, weight: Any = None, bins: int = 100, min: float = 0.0, max: float = 0.0, density: bool = False
) -> Any:
    """`histogram`."""
    return FUNCTIONS["histogram"](input, bins, min, max, weight, density)


def roi_align(
    x: Any, boxes: Any, boxes_num: Any, pooled_height: int = 1, pooled_width: int = 1, spatial_scale: float = 1.0,
    sampling_ratio: int = -1, aligned: bool = False,
) -> Any:  # fmt: skip
    """`vision.ops.roi_align`."""
    made = import_module(f"{_root}.vision.ops").roi_align
    return made(x, boxes, boxes_num, (pooled_height, pooled_width), spatial_scale, sampling_ratio, aligned)


def roi_pool(
    x: Any, boxes: Any, boxes_num: Any, pooled_height: int = 1, pooled_width: int = 1, spatial_scale: float = 1.0
) -> Any:
    """`vision.ops.roi_pool`."""
    made = import_module(f"{_root}.vision.ops").roi_pool
    return made(x, boxes, boxes_num, (pooled_height, pooled_width), spatial_scale)

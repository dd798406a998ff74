"""Kernels of PaddlePaddle that take the arguments of the function of the same name in another order.

`_C_ops.group_norm(x, scale, bias, epsilon, groups)` is `group_norm(x, groups, epsilon, weight, bias)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ..dygraph.nn import functional as F
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
    name: str, x: Any, filter: Any, strides: Any, padding: Any, dilations: Any, groups: int, layout: str
) -> Any:
    usual = "NCDHW" if "3d" in name else "NCHW"
    form = layout if layout.endswith("C") else usual  # "AnyLayout" is the usual one
    return getattr(F, name)(
        x, filter, stride=strides, padding=padding, dilation=dilations, groups=groups, data_format=form
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
    padding = list(paddings) if padding_algorithm == "EXPLICIT" else padding_algorithm
    sizes: dict[str, Any] = {} if output_size is None or len(output_size) == 0 else {"output_size": output_size}
    further: dict[str, Any] = {"output_padding": list(output_padding)} if output_padding else {}
    return F.conv2d_transpose(
        x, filter, stride=list(strides), padding=padding, dilation=list(dilations), groups=groups,
        data_format="NHWC" if data_format == "NHWC" else "NCHW", **sizes, **further,
    )  # fmt: skip


depthwise_conv2d_transpose = conv2d_transpose


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
    """`einsum`."""
    return FUNCTIONS["einsum"](equation, *x)


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

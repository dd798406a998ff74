"""`static.nn`: functions that make their parameters (in the startup program) and call the op."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from ..base import unique_name
from ..base.errors import ArgumentError, KindError, ShapeError
from ..dygraph.assignment import assign
from ..dygraph.modes import GradMode
from ..dygraph.nn.initializer import Constant, Normal
from ..dygraph.nn.param_attr import ParamAttr, as_attr, make_parameter
from ..dygraph.tensor import Tensor
from ..ops.dims import product
from ..ops.infer import show_shape
from ..ops.op import FUNCTIONS, OPS
from .current import default_main_program, recording, state
from .weight_norm import WeightNormParamAttr, normalised


def _functional() -> Any:
    return import_module(f"{__name__.partition('.')[0]}.nn").functional


def parameter(stem: str, shape: Sequence[Any], attr: Any, dtype: Any, is_bias: bool, default: Any = None) -> Any:
    """A parameter of the main program by its layer's stem; one of that name that is there already. attr=False: None."""
    if any(not isinstance(d, (int, np.integer)) for d in shape):
        raise ArgumentError(f"{stem}: the size of a parameter isn't known: {list(shape)}")
    settings = as_attr(attr)
    named = settings.name if settings is not None else None
    program = default_main_program()
    if named is not None and named in program.vars:
        return program.vars[named]  # parameters of one name are one
    if isinstance(settings, WeightNormParamAttr):
        return normalised(lambda sizes, own, end: _made(stem, sizes, own, dtype, default, end), list(shape), settings)
    return _made(stem, list(shape), attr, dtype, default, "b" if is_bias else "w")


def _made(stem: str, shape: list[int], attr: Any, dtype: Any, default: Any, ending: str) -> Any:
    if not state.static:
        return make_parameter(shape, attr, dtype, ending == "b", default, f"{stem}.{ending}")
    with recording(default_main_program()):
        return make_parameter(shape, attr, dtype, ending == "b", default, f"{stem}.{ending}")


def _activated(x: Any, act: str | None) -> Any:
    if act is None:
        return x
    found = getattr(_functional(), act, None) or FUNCTIONS.get(act) or OPS.get(act)
    if found is None:
        raise ArgumentError(f"there is no activation {act!r}")
    return found(x)


def _stem(kind: str, name: str | None) -> str:
    return name or unique_name.generate(kind)


def _sizes(x: Any) -> tuple[Any, ...]:
    if not isinstance(x, Tensor):
        raise KindError(f"a layer of static.nn takes a variable, not a {type(x).__name__}")
    return tuple(x._storage.payload.shape)


def fc(
    x: Any, size: int, num_flatten_dims: int = 1, weight_attr: Any = None, bias_attr: Any = None,
    activation: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """x W + b: axes from `num_flatten_dims` on are one. Several inputs (a list) have a weight each and are added.

    Errors: KindError for an input that is no variable; ArgumentError for num_flatten_dims out of range.
    """
    stem = _stem("fc", name)
    total = None
    inputs = list(x) if isinstance(x, (list, tuple)) else [x]
    attrs = list(weight_attr) if isinstance(weight_attr, (list, tuple)) else [weight_attr] * len(inputs)
    for one, attr in zip(inputs, attrs, strict=True):
        if not isinstance(one, Tensor):
            raise KindError(f"fc: x must be a variable, not a {type(one).__name__}")
        if not one.dtype.is_floating:
            raise KindError(f"fc: x must be of floats, not {one.dtype.name}")
        shape = _sizes(one)
        flat = num_flatten_dims if num_flatten_dims >= 0 else len(shape) - 1
        if not 0 < flat <= max(len(shape) - 1, 1) and len(shape) > 1:
            raise ArgumentError(f"fc: num_flatten_dims must be from 1 to {len(shape) - 1}, not {num_flatten_dims}")
        rest = product(shape[flat:])
        weight = parameter(stem, (rest, size), attr, one.dtype, False)
        matrix = OPS["reshape"](one, (product(shape[:flat]), rest)) if len(shape) != 2 or flat != 1 else one
        made = OPS["matmul"](matrix, weight)
        made = OPS["reshape"](made, (*shape[:flat], size)) if len(shape) != 2 or flat != 1 else made
        total = made if total is None else total + made
    assert total is not None
    bias = parameter(stem, (size,), bias_attr, total.dtype, True)
    return _activated(total if bias is None else total + bias, activation)


def embedding(
    input: Any, size: Sequence[int], is_sparse: bool = False, is_distributed: bool = False,
    padding_idx: int | None = None, param_attr: Any = None, dtype: Any = "float32",
) -> Any:  # fmt: skip
    """Rows of a table [size[0], size[1]] by their numbers."""
    table = parameter(_stem("embedding", None), size, param_attr, dtype, False)
    padding = padding_idx if padding_idx is None or padding_idx >= 0 else size[0] + padding_idx
    return _functional().embedding(input, table, padding_idx=padding)


def sparse_embedding(
    input: Any, size: Sequence[int], padding_idx: int | None = None, is_test: bool = False, entry: Any = None,
    table_class: str = "MemorySparseTable", param_attr: Any = None, dtype: Any = "float32", slot: Any = None,
) -> Any:  # fmt: skip
    """`embedding` of a table that parameter servers may hold.

    The rest is for Paddle's servers, without effect: every row is admitted, and there is one kind of table.
    Errors: ShapeError for an empty input.
    """
    if 0 in _sizes(input):
        raise ShapeError(f"sparse_embedding: the input has no elements, its shape is {list(_sizes(input))}")
    return embedding(input, size, is_sparse=True, padding_idx=padding_idx, param_attr=param_attr, dtype=dtype)


@dataclass(frozen=True)
class _Learned:
    """What a layer with parameters is called, how its parameters are made, and the function of its result."""

    name: str | None
    param_attr: Any
    bias_attr: Any
    act: str | None


def _conv(
    kind: str, input: Any, filters: int, kernel: Any, groups: int | None, learned: _Learned, **window: Any
) -> Any:
    rank = 2 if "2d" in kind else 3
    stem = _stem(kind, learned.name)
    if len(_sizes(input)) != rank + 2:
        raise ShapeError(f"{kind}: the input must have {rank + 2} axes, not {len(_sizes(input))}")
    channels = _sizes(input)[1 if window["data_format"].startswith("NC") else -1]
    sides = [kernel] * rank if isinstance(kernel, int) else list(kernel)
    groups = 1 if groups is None else groups
    if groups < 1 or filters < 1:
        raise ArgumentError(f"{kind}: groups and num_filters must be above 0, not {groups} and {filters}")
    if channels % groups:
        raise ArgumentError(f"{kind}: {channels} channels can't be divided into {groups} groups")
    transposed = kind.endswith("transpose")
    shape = [channels, filters // groups, *sides] if transposed else [filters, channels // groups, *sides]
    spread = float(np.sqrt(2.0 / (np.prod(sides) * channels)))
    start = Normal(0.0, spread) if not transposed else None
    weight = parameter(stem, shape, learned.param_attr, input.dtype, False, start)
    bias = parameter(stem, [filters], learned.bias_attr, input.dtype, True)
    made = getattr(_functional(), kind)(input, weight, bias, groups=groups, **window)
    return _activated(made, learned.act)


def conv2d(
    input: Any, num_filters: int, filter_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: int | None = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: bool = True,
    act: str | None = None, name: str | None = None, data_format: str = "NCHW",
) -> Any:  # fmt: skip
    """Convolution of images [n, c, h, w]."""
    learned = _Learned(name, param_attr, bias_attr, act)
    return _conv("conv2d", input, num_filters, filter_size, groups, learned, stride=stride, padding=padding,
                 dilation=dilation, data_format=data_format)  # fmt: skip


def conv3d(
    input: Any, num_filters: int, filter_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: int | None = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: bool = True,
    act: str | None = None, name: str | None = None, data_format: str = "NCDHW",
) -> Any:  # fmt: skip
    """Convolution of volumes [n, c, d, h, w]."""
    learned = _Learned(name, param_attr, bias_attr, act)
    return _conv("conv3d", input, num_filters, filter_size, groups, learned, stride=stride, padding=padding,
                 dilation=dilation, data_format=data_format)  # fmt: skip


def conv3d_transpose(
    input: Any, num_filters: int, output_size: Any = None, filter_size: Any = None, padding: Any = 0, stride: Any = 1,
    dilation: Any = 1, groups: int | None = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: bool = True,
    act: str | None = None, name: str | None = None, data_format: str = "NCDHW",
) -> Any:  # fmt: skip
    """Transposed convolution of volumes [n, c, d, h, w]."""
    if filter_size is None:
        raise ArgumentError("conv3d_transpose needs filter_size")
    learned = _Learned(name, param_attr, bias_attr, act)
    return _conv("conv3d_transpose", input, num_filters, filter_size, groups, learned, stride=stride, padding=padding,
                 dilation=dilation, data_format=data_format, output_size=output_size)  # fmt: skip


def conv2d_transpose(
    input: Any, num_filters: int, output_size: Any = None, filter_size: Any = None, padding: Any = 0, stride: Any = 1,
    dilation: Any = 1, groups: int | None = None, param_attr: Any = None, bias_attr: Any = None, use_cudnn: bool = True,
    act: str | None = None, name: str | None = None, data_format: str = "NCHW",
) -> Any:  # fmt: skip
    """Transposed convolution of images [n, c, h, w]."""
    if filter_size is None:
        raise ArgumentError("conv2d_transpose needs filter_size")
    learned = _Learned(name, param_attr, bias_attr, act)
    return _conv("conv2d_transpose", input, num_filters, filter_size, groups, learned, stride=stride, padding=padding,
                 dilation=dilation, data_format=data_format, output_size=output_size)  # fmt: skip


def batch_norm(
    input: Any, act: str | None = None, is_test: bool = False, momentum: float = 0.9, epsilon: float = 1e-5,
    param_attr: Any = None, bias_attr: Any = None, data_layout: str = "NCHW", in_place: bool = False,
    name: str | None = None, moving_mean_name: str | None = None, moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True, use_global_stats: bool = False,
) -> Any:  # fmt: skip
    """Batch normalisation per channel; the running statistics are parameters that aren't trained."""
    stem = _stem("batch_norm", name)
    channels = _sizes(input)[1 if data_layout == "NCHW" else -1]
    weight = parameter(stem, [channels], param_attr, input.dtype, False, Constant(1.0))
    bias = parameter(stem, [channels], bias_attr, input.dtype, True)
    mean, variance = (
        parameter(stem, [channels], ParamAttr(key, Constant(start), trainable=False), input.dtype, False)
        for key, start in ((moving_mean_name, 0.0), (moving_variance_name, 1.0))
    )
    made = _functional().batch_norm(
        input, mean, variance, weight, bias, training=not is_test, momentum=momentum, epsilon=epsilon,
        data_format=data_layout, use_global_stats=use_global_stats or None,
    )  # fmt: skip
    return _activated(made, act)


def layer_norm(
    input: Any, scale: bool = True, shift: bool = True, begin_norm_axis: int = 1, epsilon: float = 1e-5,
    param_attr: Any = None, bias_attr: Any = None, act: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Normalisation over the axes from `begin_norm_axis` on."""
    stem = _stem("layer_norm", name)
    shape = list(_sizes(input)[begin_norm_axis:])
    size = [product(shape)]
    weight = parameter(stem, size, param_attr, input.dtype, False, Constant(1.0)) if scale else None
    bias = parameter(stem, size, bias_attr, input.dtype, True) if shift else None
    weight = None if weight is None else OPS["reshape"](weight, shape)
    bias = None if bias is None else OPS["reshape"](bias, shape)
    return _activated(_functional().layer_norm(input, shape, weight, bias, epsilon), act)


def group_norm(
    input: Any, groups: int, epsilon: float = 1e-5, param_attr: Any = None, bias_attr: Any = None,
    act: str | None = None, data_layout: str = "NCHW", name: str | None = None,
) -> Any:  # fmt: skip
    """Normalisation over groups of channels."""
    stem = _stem("group_norm", name)
    sizes = _sizes(input)
    if len(sizes) < 2:
        raise ShapeError(f"group_norm needs at least two axes, got {show_shape(sizes)}")
    channels = sizes[1 if data_layout == "NCHW" else -1]
    weight = parameter(stem, [channels], param_attr, input.dtype, False, Constant(1.0))
    bias = parameter(stem, [channels], bias_attr, input.dtype, True)
    made = _functional().group_norm(input, groups, epsilon, weight, bias, data_format=data_layout)
    return _activated(made, act)


def instance_norm(
    input: Any, epsilon: float = 1e-5, param_attr: Any = None, bias_attr: Any = None, name: str | None = None
) -> Any:
    """Normalisation per sample and channel, of inputs of 2 to 5 axes. Errors: ShapeError for others."""
    if not 2 <= len(_sizes(input)) <= 5:
        raise ShapeError(f"instance_norm: the input must have 2 to 5 axes, not {len(_sizes(input))}")
    stem = _stem("instance_norm", name)
    channels = _sizes(input)[1]
    weight = parameter(stem, [channels], param_attr, input.dtype, False, Constant(1.0))
    bias = parameter(stem, [channels], bias_attr, input.dtype, True)
    return _functional().instance_norm(input, weight=weight, bias=bias, eps=epsilon)


def prelu(x: Any, mode: str, param_attr: Any = None, data_format: str = "NCHW", name: str | None = None) -> Any:
    """max(0, x) + a min(0, x) with a learnt `a`: one ("all"), per channel ("channel"), or per element ("element")."""
    if mode not in ("all", "channel", "element"):
        raise ArgumentError(f"prelu: mode must be 'all', 'channel' or 'element', not {mode!r}")
    shape = [1] if mode == "all" else [_sizes(x)[1]] if mode == "channel" else list(_sizes(x)[1:])
    slope = parameter(_stem("prelu", name), shape, param_attr, x.dtype, False, Constant(0.25))
    if not _sizes(x):
        slope = OPS["reshape"](slope, [])
    if mode == "channel":
        slope = OPS["reshape"](slope, [shape[0]] + [1] * (len(_sizes(x)) - 2))
    zero = OPS["full"]((), 0.0, x.dtype)
    return OPS["maximum"](x, zero) + slope * OPS["minimum"](x, zero)


def bilinear_tensor_product(
    x: Any, y: Any, size: int, act: str | None = None, name: str | None = None, param_attr: Any = None,
    bias_attr: Any = None,
) -> Any:  # fmt: skip
    """x W_k y + b for each of `size` matrices W_k."""
    stem = _stem("bilinear_tensor_product", name)
    weight = parameter(stem, [size, _sizes(x)[1], _sizes(y)[1]], param_attr, x.dtype, False)
    bias = parameter(stem, [1, size], bias_attr, x.dtype, True)
    return _activated(_functional().bilinear(x, y, weight, bias), act)


def row_conv(input: Any, future_context_size: int, param_attr: Any = None, act: str | None = None) -> Any:
    """Each row plus the `future_context_size` rows after it, weighted per column; then `act`.

    Shapes: input f[n, t, d]; the weight f[future_context_size + 1, d]; result f[n, t, d].
    """
    rows = future_context_size + 1
    weight = parameter(_stem("row_conv", None), [rows, _sizes(input)[-1]], param_attr, input.dtype, False)
    padded = _functional().pad(input, [0, future_context_size], data_format="NLC")
    length = _sizes(input)[1]
    total = None
    for k in range(rows):
        part = padded[:, k : k + length] * weight[k]
        total = part if total is None else total + part
    return _activated(total, act)


def spectral_norm(weight: Any, dim: int = 0, power_iters: int = 1, eps: float = 1e-12, name: str | None = None) -> Any:
    """The weight divided by its largest singular value, which `power_iters` steps of power iteration estimate.

    The vectors of the iteration are persistable. Errors: ArgumentError for another axis than 0 or 1.
    """
    if dim not in (0, 1):
        raise ArgumentError(f"spectral_norm: dim must be 0 or 1, not {dim}")
    sizes = _sizes(weight)
    order = [dim, *(k for k in range(len(sizes)) if k != dim)]
    matrix = OPS["reshape"](OPS["transpose"](weight, order), (sizes[dim], -1))
    stem = _stem("spectral_norm", name)
    u, v = (_vector(stem, _sizes(matrix)[k], weight.dtype) for k in (0, 1))
    with GradMode(False):
        left, right = u * 1.0, v * 1.0
        for _ in range(power_iters):
            right = _unit(OPS["matmul"](OPS["transpose"](matrix, [1, 0]), left), eps)
            left = _unit(OPS["matmul"](matrix, right), eps)
        assign(left, u)
        assign(right, v)
    left.stop_gradient = right.stop_gradient = True
    return (
        weight
        / OPS["matmul"](OPS["reshape"](left, (1, -1)), OPS["matmul"](matrix, OPS["reshape"](right, (-1, 1))))[0, 0]
    )


def _unit(x: Any, eps: float) -> Any:
    return x / (OPS["sqrt"](OPS["sum"](x * x)) + eps)


def _vector(stem: str, size: int, dtype: Any) -> Any:
    draw = np.random.default_rng(size).standard_normal(size).astype(dtype.numpy)
    key = unique_name.generate(f"{stem}.w")
    return default_main_program().add_global(key, draw / np.linalg.norm(draw))

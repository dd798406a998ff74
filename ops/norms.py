"""Normalisation and statistics written with rows: layer, batch, group, instance, RMS norm; variance; vector norms."""

from __future__ import annotations

from typing import Any

from ..base.dtype import int64
from ..base.errors import ArgumentError, ShapeError
from .activation import as_float, in_float32
from .compare import equal, where
from .dims import DimLike, product, same_dim
from .dims import maximum as larger
from .dispatch import current
from .elementwise import maximum, minimum, square
from .infer import as_dims, axes_tuple, axis_index, broadcast_dims, divides, require_axes, show_shape
from .matrix_norms import vector_norm
from .op import OPS, composite
from .planned import planned
from .reduce import mean, sum_
from .transcendental import rsqrt, sqrt


def _safe_sqrt(x: Any) -> Any:
    """sqrt with gradient 0 at 0."""
    zero = equal(x, 0.0)
    return where(zero, 0.0, sqrt(where(zero, 1.0, x)))


def _affine(op: str, y: Any, weight: Any, bias: Any, shape: tuple[DimLike, ...]) -> Any:
    """y * weight + bias with both put into `shape` (sizes of the axes they run over, 1 elsewhere)."""
    for name, p in (("weight", weight), ("bias", bias)):
        if p is not None and broadcast_dims(product(p.shape), product(shape)) is None:
            raise ShapeError(
                f"{op}: {name} {show_shape(p.shape)} must hold {product(shape)} elements for {show_shape(y.shape)}"
            )
    y = y if weight is None else y * _shaped(weight, shape)
    return y if bias is None else y + _shaped(bias, shape)


def _shaped(p: Any, shape: tuple[DimLike, ...]) -> Any:
    same = len(p.shape) == len(shape) and all(same_dim(a, b) for a, b in zip(p.shape, shape, strict=True))
    return p if same else OPS["reshape"](p, shape)


def _standardised(x: Any, axes: list[int], epsilon: float) -> tuple[Any, Any, Any]:
    """x with mean 0 and variance 1 over `axes`; the mean and the (biased) variance, sizes 1 on `axes`."""
    center = mean(x, axes, True)
    d = x - center
    variance = mean(d * d, axes, True)
    return d * rsqrt(variance + epsilon), center, variance


@composite(method=False)
@planned
@in_float32
def layer_norm(
    x: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, epsilon: float = 1e-5, name: str | None = None
) -> Any:
    """The last axes, of sizes `normalized_shape`, with mean 0 and variance 1; then times weight, plus bias.

    Source: Ba, Kiros, Hinton, Layer Normalization, 2016.
    """
    x, sizes = as_float(x), _trailing("layer_norm", x, normalized_shape)
    y, _, _ = _standardised(x, list(range(x.ndim - len(sizes), x.ndim)), epsilon)
    return _affine("layer_norm", y, weight, bias, sizes)


@composite(method=False)
@planned
@in_float32
def rms_norm(
    x: Any,
    normalized_shape: Any = None,
    weight: Any = None,
    bias: Any = None,
    epsilon: float = 1e-6,
    name: str | None = None,
) -> Any:
    """The last axes (default: one) over the root of their mean square; then times weight, plus bias.

    Source: Zhang, Sennrich, Root Mean Square Layer Normalization, 2019.
    """
    x = as_float(x)
    require_axes("rms_norm", x, 1)
    sizes = _trailing("rms_norm", x, x.shape[-1] if normalized_shape is None else normalized_shape)
    y = x * rsqrt(mean(x * x, list(range(x.ndim - len(sizes), x.ndim)), True) + epsilon)
    return _affine("rms_norm", y, weight, bias, sizes)


def _trailing(op: str, x: Any, normalized_shape: Any) -> tuple[DimLike, ...]:
    wanted = as_dims(normalized_shape)
    sizes = tuple(x.shape[x.ndim - len(wanted) :]) if 0 < len(wanted) <= x.ndim else ()
    if not sizes or any(
        broadcast_dims(a, b) is None or same_dim(a, 1) != same_dim(b, 1) for a, b in zip(sizes, wanted, strict=True)
    ):
        raise ShapeError(f"{op}: x {show_shape(x.shape)} doesn't end in normalized_shape {show_shape(wanted)}")
    return sizes


def _channel_axis(op: str, x: Any, data_format: str) -> int:
    if x.ndim < 2:
        raise ShapeError(f"{op} needs rank 2 or more, [n, channels, …], got {show_shape(x.shape)}")
    if data_format not in ("NCHW", "NHWC", "NCL", "NLC", "NC", "NCDHW", "NDHWC"):
        raise ArgumentError(f"{op}: data_format must be NCHW, NHWC, NCL, NLC or NC, not {data_format!r}")
    return x.ndim - 1 if data_format.endswith("C") else 1


def _per_channel(x: Any, axis: int) -> tuple[DimLike, ...]:
    return tuple(d if k == axis else 1 for k, d in enumerate(x.shape))


def has_one_per_channel(x: Any, data_format: str = "NCHW") -> Any:
    """Whether each channel has one element only: a bool, or a value of the program where a run decides."""
    axis = _channel_axis("batch_norm", x, data_format)
    sizes = [size for k, size in enumerate(x.shape) if k != axis]
    if any(isinstance(size, int) and size != 1 for size in sizes):
        return False
    count = product(sizes)
    return count == 1 if isinstance(count, int) else equal(current().constant(count, int64), 1)


@in_float32
def batch_norm_train(
    x: Any, weight: Any = None, bias: Any = None, epsilon: float = 1e-5, data_format: str = "NCHW"
) -> tuple[Any, Any, Any]:
    """x with mean 0 and variance 1 per channel, times weight, plus bias; the batch's mean, biased variance [channels].

    Source: Ioffe, Szegedy, Batch Normalization, 2015. Who keeps running statistics updates them with these two.
    """
    x, axis = as_float(x), _channel_axis("batch_norm", x, data_format)
    y, center, variance = _standardised(x, [k for k in range(x.ndim) if k != axis], epsilon)
    channels = (x.shape[axis],)
    center, variance = OPS["reshape"](center, channels), OPS["reshape"](variance, channels)
    return _affine("batch_norm", y, weight, bias, _per_channel(x, axis)), center, variance


@in_float32
def batch_norm_over_ranks(
    x: Any, weight: Any = None, bias: Any = None, epsilon: float = 1e-5, data_format: str = "NCHW", ranks: int = 1
) -> tuple[Any, Any, Any]:
    """As `batch_norm_train`, over the batches of all ranks, which may differ in size. Two exchanges: the mean is needed
    for the squares of distances from it, whose sum loses no digits.
    """
    x, axis = as_float(x), _channel_axis("batch_norm", x, data_format)
    axes, shape = [k for k in range(x.ndim) if k != axis], _per_channel(x, axis)
    size = product([x.shape[k] for k in axes])
    count = OPS["reshape"](OPS["cast"](current().constant(size, int64), x.dtype), (1,))
    totals = OPS["all_reduce"](OPS["concat"]([OPS["sum"](x, axes), count], axis=0), ranks=ranks)
    count = OPS["slice"](totals, (x.shape[axis],), (1,))
    center = OPS["slice"](totals, (0,), (x.shape[axis],)) / count
    distance = x - _shaped(center, shape)
    variance = OPS["all_reduce"](OPS["sum"](distance * distance, axes), ranks=ranks) / count
    y = distance * _shaped(rsqrt(variance + epsilon), shape)
    return _affine("batch_norm", y, weight, bias, shape), center, variance


@in_float32
def batch_norm_eval(
    x: Any,
    mean: Any,
    variance: Any,
    weight: Any = None,
    bias: Any = None,
    epsilon: float = 1e-5,
    data_format: str = "NCHW",
) -> Any:
    """x normalised per channel with given statistics [channels], times weight, plus bias."""
    x, axis = as_float(x), _channel_axis("batch_norm", x, data_format)
    shape = _per_channel(x, axis)
    scale = rsqrt(variance + epsilon)
    scale = scale if weight is None else scale * weight
    y = (x - _shaped(mean, shape)) * _shaped(scale, shape)
    return _affine("batch_norm", y, None, bias, shape)


@composite(method=False)
@planned
@in_float32
def instance_norm(
    x: Any, running_mean: Any = None, running_var: Any = None, weight: Any = None, bias: Any = None,
    use_input_stats: bool = True, momentum: float = 0.9, eps: float = 1e-5, data_format: str = "NCHW",
    name: str | None = None,
) -> Any:  # fmt: skip
    """Each image's channel with mean 0 and variance 1, times weight, plus bias [channels]."""
    x, axis = as_float(x), _channel_axis("instance_norm", x, data_format)
    if not use_input_stats:
        return batch_norm_eval(x, running_mean, running_var, weight, bias, eps, data_format)
    y, _, _ = _standardised(x, [k for k in range(1, x.ndim) if k != axis], eps)
    return _affine("instance_norm", y, weight, bias, _per_channel(x, axis))


@composite(method=False)
@planned
@in_float32
def group_norm(
    x: Any, num_groups: int, epsilon: float = 1e-5, weight: Any = None, bias: Any = None, data_format: str = "NCHW",
    name: str | None = None,
) -> Any:  # fmt: skip
    """Each image's groups of channels with mean 0 and variance 1, times weight, plus bias [channels].

    Source: Wu, He, Group Normalization, 2018.
    """
    x, axis = as_float(x), _channel_axis("group_norm", x, data_format)
    channels = x.shape[axis]
    if not divides(num_groups, channels):
        raise ShapeError(f"group_norm: {channels} channels don't divide into {num_groups} groups")
    shape = (*x.shape[:axis], num_groups, channels // num_groups, *x.shape[axis + 1 :])
    y, _, _ = _standardised(OPS["reshape"](x, shape), [k for k in range(1, len(shape)) if k != axis], epsilon)
    return _affine("group_norm", OPS["reshape"](y, tuple(x.shape)), weight, bias, _per_channel(x, axis))


@composite()
@planned
def var(
    x: Any, axis: Any = None, unbiased: bool | None = None, keepdim: bool = False, name: str | None = None, *,
    correction: float = 1,
) -> Any:  # fmt: skip
    """The variance over `axis` (all axes by default): squares over the count less `correction`. Of one number: NaN.

    unbiased: True is a correction of 1, False of 0. Errors: ArgumentError where both are given and differ.
    """
    if unbiased is not None and correction != 1:
        raise ArgumentError("var: give unbiased or correction, not both")
    unbiased = correction != 0 if unbiased is None else unbiased
    x = as_float(x)
    axes = list(axes_tuple(axis, x.ndim))
    d = x - mean(x, axes, True)
    if not unbiased:
        return mean(d * d, axes, keepdim)
    count = product(x.shape[k] for k in axes)
    if correction != 1:
        left = maximum(current().constant(count, x.dtype) - correction, 0.0)
        return sum_(d * d, axes, keepdim) / left
    return sum_(d * d, axes, keepdim) / larger(count - 1, 0)


@composite()
@planned
def std(x: Any, axis: Any = None, unbiased: bool = True, keepdim: bool = False, name: str | None = None) -> Any:
    """The standard deviation over `axis` (all axes by default); gradient 0 where it is 0. Of one number: NaN."""
    return _safe_sqrt(var(x, axis, unbiased, keepdim))


@composite(method=False)
@planned
def normalize(x: Any, p: float = 2, axis: int = 1, epsilon: float = 1e-12, name: str | None = None) -> Any:
    """x over its p-norm along `axis`, which counts as at least `epsilon`."""
    x = as_float(x)
    return x / maximum(vector_norm(x, p, axis_index(axis, x.ndim), True), epsilon)


@composite(method=False)
@planned
def cosine_similarity(x1: Any, x2: Any, axis: int = 1, eps: float = 1e-8) -> Any:
    """The cosine of the angle between x1 and x2 along `axis`; the product of their norms counts as at least `eps`."""
    x1, x2 = as_float(x1), as_float(x2)
    squares = sum_(square(x1), axis) * sum_(square(x2), axis)
    return sum_(x1 * x2, axis) * rsqrt(maximum(squares, eps * eps))


@composite(method=False)
@planned
def clip_by_norm(x: Any, max_norm: float, name: str | None = None) -> Any:
    """x scaled down so that its 2-norm is at most `max_norm`."""
    x = as_float(x)
    return x * minimum(max_norm / maximum(vector_norm(x), 1e-12), 1.0)

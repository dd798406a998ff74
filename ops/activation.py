"""Activations written with rows: softmax and its logarithm, gelu, silu, … Fusion makes one kernel of each.

Parameters and defaults are Paddle's. Shapes: element by element, unless an axis is named. relu, leaky_relu, elu,
sigmoid, tanh and softplus are rows (transcendental.py).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ..base.dtype import ALL, FLOATS, LOW_FLOATS, as_dtype, float32, promote
from ..base.errors import ArgumentError, ShapeError
from ..base.flags import flags
from .arith import is_value
from .compare import isfinite, where
from .dims import same_dim
from .dispatch import current, interpreters
from .elementwise import abs_, cast, clip
from .families import Samples, elementwise
from .infer import axes_tuple, axis_index, divides, reduced_shape, show_shape
from .lines import scalar_as_line
from .op import NONDIFFERENTIABLE, OPS, composite
from .planned import planned
from .rearrange import split
from .reduce import folded_size, max_, sum_
from .sizes import runtime_names
from .transcendental import erf, exp, expm1, log, sigmoid, softplus, softsign_row, tanh
from .types import TensorType

straight_through = elementwise(
    "straight_through",
    "The elements of `value` with the gradient of `x`, as a write in place leaves them that isn't recorded.",
    operands="x value",
    eager=lambda x, value: np.broadcast_to(value, np.broadcast_shapes(x.shape, value.shape)).copy(),
    scalar="{1}",
    vjp=lambda g, y, x, value: (g, None),
    dtypes=ALL,
    samples=Samples(gradient=False),
    method=False,
    public=False,
)
stop_gradient = elementwise(
    "stop_gradient",
    "x as a constant: the same elements, through which no gradient flows.",
    eager=lambda x: x,
    scalar="{0}",
    vjp=NONDIFFERENTIABLE,
    dtypes=ALL,
    method=False,
    public=False,
    detaches=True,
)


def _watched(g: Any, y: Any, x: Any, *, callee: str) -> tuple[Any]:
    if not callee:
        return (g,)
    kind = TensorType(g.dtype, tuple(g.shape))
    made: tuple[Any] = OPS["callback"]([g], callee=callee, outputs=(kind,), gradient=f"{callee}.gradient")
    return made


watch_gradient = elementwise(
    "watch_gradient",
    "x itself; in a program its gradient passes through the Python function `callee` (hooks on gradients).",
    eager=lambda x, *, callee: x,
    scalar="{0}",
    vjp=_watched,
    attrs={"callee": ""},
    dtypes=FLOATS,
    method=False,
    public=False,
)


F = TypeVar("F", bound=Callable[..., Any])


def in_float32(fn: F) -> F:
    """Decorate a function of x: with a float16 or bfloat16 x it is computed in float32, its (first) result rounded."""

    @functools.wraps(fn)
    def run(x: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_value(x) or x.dtype not in LOW_FLOATS:
            active = interpreters()
            return active[-1].one_line(fn, x, *args, **kwargs) if active else fn(x, *args, **kwargs)
        made = fn(cast(x, float32), *args, **kwargs)
        if isinstance(made, tuple):
            return (cast(made[0], x.dtype), *made[1:])
        return cast(made, x.dtype)

    return run  # type: ignore[return-value]


def as_float(x: Any, dtype: Any = None) -> Any:
    """`x` as a value of `dtype`, or of its own float dtype; integers become the default float."""
    wanted = None if dtype is None else as_dtype(dtype)
    if not is_value(x):
        return current().constant(x, wanted or flags.default_dtype)
    if wanted is None:
        wanted = x.dtype if x.dtype.is_differentiable else flags.default_dtype
    return x if x.dtype is wanted else cast(x, wanted)


def as_floats(first: Any, *others: Any) -> tuple[Any, ...]:
    """Values as floats of the widest of their float dtypes; numbers, arrays and integers don't widen it."""
    first = as_float(first)
    wanted = first.dtype
    for x in others:
        if is_value(x) and x.dtype.is_differentiable:
            wanted = promote(wanted, x.dtype)
    return tuple(as_float(x, wanted) for x in (first, *others))


def _below_top(x: Any, axis: int) -> Any:
    """x less its largest element along `axis`, if there is one."""
    is_empty = same_dim(x.shape[axis_index(axis, x.ndim)], 0)
    return x if is_empty else x - stop_gradient(_largest(x, axis))


def _largest(x: Any, axis: Any) -> Any:
    """The largest elements along axes, which are kept; -inf where a run finds none there."""
    open_axis = next((k for k in axes_tuple(axis, x.ndim) if runtime_names(x.shape[k])), None)
    if open_axis is not None:
        one = tuple(1 if k == open_axis else size for k, size in enumerate(x.shape))
        x = OPS["concat"]([x, OPS["full"](one, -math.inf, x.dtype)], axis=open_axis)
    return max_(x, axis, True)


@planned
@scalar_as_line
def softmax(x: Any, axis: int = -1, dtype: Any = None, name: str | None = None) -> Any:
    """exp(x) over its sum along `axis`. The maximum is subtracted first; it needs no gradient, as the result stays the
    same whatever is subtracted.
    """
    e = exp(_below_top(as_float(x, dtype), axis))
    return e / sum_(e, axis, True)


@composite("softmax")
def softmax_of_tensors(x: Any, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Any:
    """exp(x) over its sum along `axis`; without one along axis 1, or 0 of tensors with 0, 1 or 3 axes.

    That is PaddlePaddle's rule, and PyTorch's old one; `nn.functional.softmax` takes the last axis.
    """
    if axis is None:
        axis = 0 if x.ndim in (0, 1, 3) else 1
    return softmax(x, axis, dtype)


@composite()
@planned
@scalar_as_line
def log_softmax(x: Any, axis: int = -1, dtype: Any = None, name: str | None = None) -> Any:
    """The logarithm of softmax: x - log(sum(exp(x))) along `axis`, without overflow."""
    z = _below_top(as_float(x, dtype), axis)
    return z - log(sum_(exp(z), axis, True))


@composite()
@planned
def logsumexp(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """log(sum(exp(x))) over `axis` (default: all), without overflow; -inf where all are -inf or none is there."""
    x = as_float(x)
    if same_dim(folded_size(x.shape, axes_tuple(axis, x.ndim)), 0):
        return log(sum_(exp(x), axis, keepdim))
    top = stop_gradient(_largest(x, axis))
    top = where(isfinite(top), top, 0.0)
    out = log(sum_(exp(x - top), axis, True)) + top
    return out if keepdim else OPS["reshape"](out, reduced_shape(tuple(x.shape), axes_tuple(axis, x.ndim), False))


@composite()
@planned
def gelu(x: Any, approximate: bool | str = False, name: str | None = None) -> Any:
    """x times the normal distribution's cumulative function at x; `approximate`: by a tanh (also spelled "tanh")."""
    x = as_float(x)
    if approximate is True or approximate == "tanh":
        return x * 0.5 * (tanh((x + x * x * x * 0.044715) * math.sqrt(2.0 / math.pi)) + 1.0)
    return x * 0.5 * (erf(x * math.sqrt(0.5)) + 1.0)


@composite("silu", "swish")
@planned
def silu(x: Any, name: str | None = None) -> Any:
    """x * sigmoid(x)."""
    x = as_float(x)
    return x * sigmoid(x)


@composite()
@planned
def mish(x: Any, name: str | None = None) -> Any:
    """x * tanh(softplus(x))."""
    x = as_float(x)
    return x * tanh(softplus(x))


@composite()
@planned
def log_sigmoid(x: Any, name: str | None = None) -> Any:
    """log(sigmoid(x)), without overflow."""
    return -softplus(-as_float(x))


@composite()
@planned
def hardsigmoid(x: Any, slope: float = 0.1666667, offset: float = 0.5, name: str | None = None) -> Any:
    """slope * x + offset, bounded to [0, 1]."""
    return clip(as_float(x) * slope + offset, 0.0, 1.0)


@composite()
@planned
def hardswish(x: Any, name: str | None = None) -> Any:
    """x * clip(x + 3, 0, 6) / 6. The gradient at -3 is 0, at 3 it is 1."""
    x = as_float(x)
    return x * clip(x + 3.0, 0.0, 6.0, True) * (1.0 / 6.0)


@composite()
@planned
def hardtanh(x: Any, min: float = -1.0, max: float = 1.0, name: str | None = None) -> Any:
    """x bounded to [min, max]. The gradient at the bounds is 0."""
    return clip(as_float(x), min, max, True)


@composite()
@planned
def relu6(x: Any, name: str | None = None) -> Any:
    """x bounded to [0, 6]. The gradient at the bounds is 0."""
    return clip(OPS["relu"](as_float(x)), None, 6.0, True)


@composite("softsign")
@planned
def softsign(x: Any, name: str | None = None) -> Any:
    """x / (1 + |x|)."""
    return softsign_row(as_float(x))


@composite()
@planned
def tanhshrink(x: Any, name: str | None = None) -> Any:
    """x - tanh(x)."""
    x = as_float(x)
    return x - tanh(x)


@composite()
@planned
def softshrink(x: Any, threshold: float = 0.5, name: str | None = None) -> Any:
    """x moved towards 0 by `threshold`, and 0 where it is nearer. Errors: ArgumentError for a threshold below 0."""
    if threshold < 0:
        raise ArgumentError(f"softshrink: threshold must be at least 0, not {threshold}")
    x = as_float(x)
    return x - clip(x, -threshold, threshold)


@composite()
@planned
def hardshrink(x: Any, threshold: float = 0.5, name: str | None = None) -> Any:
    """0 where |x| < threshold, else x: NaN stays."""
    x = as_float(x)
    return where(abs_(x) < threshold, 0.0, x)


@composite()
@planned
def thresholded_relu(x: Any, threshold: float = 1.0, value: float = 0.0, name: str | None = None) -> Any:
    """x where x > threshold, else `value`; NaN stays, without a gradient."""
    x = as_float(x)
    return where(x > threshold, x, where(x <= threshold, value, stop_gradient(x)))


def _below(x: Any) -> Any:
    """x where it isn't positive, else 0: `minimum(x, 0.0)`, but for the gradient at 0, which passes as a whole."""
    return where(x > 0.0, 0.0, x)


@composite()
@planned
def selu(x: Any, scale: float = 1.0507009873554805, alpha: float = 1.6732632423543772, name: str | None = None) -> Any:
    """scale * (x where positive, else alpha * (exp(x) - 1)): keeps mean 0 and variance 1 (Klambauer et al., 2017).

    Errors: ArgumentError for a scale of at most 1, or an alpha below 0.
    """
    if scale <= 1.0 or alpha < 0.0:
        raise ArgumentError(f"selu needs scale > 1 and alpha >= 0, not {scale} and {alpha}")
    x = as_float(x)
    return where(x > 0.0, x, expm1(_below(x)) * alpha) * scale


@composite()
@planned
def celu(x: Any, alpha: float = 1.0, name: str | None = None) -> Any:
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    x = as_float(x)
    return where(x > 0.0, x, expm1(_below(x) * (1.0 / alpha)) * alpha)


@composite()
@planned
def glu(x: Any, axis: int = -1, name: str | None = None) -> Any:
    """The first half of x along `axis` times the sigmoid of the second."""
    x = as_float(x)
    k = axis_index(axis, x.ndim)
    if not divides(2, x.shape[k]):
        raise ShapeError(f"glu needs an even size on axis {k}, got {show_shape(x.shape)}")
    first, second = split(x, 2, k)
    return first * sigmoid(second)


def swiglu(x: Any, y: Any = None, name: str | None = None) -> Any:
    """silu(x) * y; without y, of the two halves of x along the last axis (Shazeer, GLU variants, 2020).

    Errors: ShapeError where x is to be halved and its last size is odd.

    >>> import vitrify as vt
    >>> vt.nn.functional.swiglu(vt.to_tensor([0.0, 2.0])).tolist()
    [0.0]
    """
    if y is None:
        last = x.shape[-1]
        if not divides(2, last):
            raise ShapeError(f"swiglu needs an even size on the last axis, got {show_shape(x.shape)}")
        x, y = split(x, 2, x.ndim - 1)
    return silu(x) * y


@composite()
@planned
def prelu(x: Any, weight: Any, data_format: str = "NCHW", name: str | None = None) -> Any:
    """x where positive, else weight * x; weight [1], or [channels]."""
    x = as_float(x)
    if weight.ndim > 1:
        raise ShapeError(f"prelu: weight must be [] or [n], not {show_shape(weight.shape)}")
    if weight.ndim and x.ndim == 1 and isinstance(weight.shape[0], int) and weight.shape[0] != 1:
        raise ShapeError(f"prelu: {show_shape(x.shape)} has no channels for {weight.shape[0]} weights")
    if not x.ndim:
        weight = OPS["reshape"](weight, ())
    elif weight.ndim == 1 and weight.shape[0] != 1 and x.ndim > 1:
        axis = x.ndim - 1 if data_format.endswith("C") and len(data_format) > 2 else 1
        if isinstance(x.shape[axis], int) and x.shape[axis] != weight.shape[0]:
            raise ShapeError(
                f"prelu: weight {show_shape(weight.shape)} doesn't fit the channels of {show_shape(x.shape)}"
            )
        weight = OPS["reshape"](weight, tuple(-1 if k == axis else 1 for k in range(x.ndim)))
    return where(x > 0.0, x, weight * x)


@composite()
@planned
def maxout(x: Any, groups: int, axis: int = 1, name: str | None = None) -> Any:
    """The maximum of every `groups` neighbouring channels."""
    x = as_float(x)
    k = axis_index(axis, x.ndim)
    if not divides(groups, x.shape[k]):
        raise ArgumentError(f"maxout: {x.shape[k]} channels don't divide into groups of {groups}")
    return max_(OPS["reshape"](x, (*x.shape[:k], x.shape[k] // groups, groups, *x.shape[k + 1 :])), k + 1, False)

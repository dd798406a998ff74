"""More elementwise mathematics: integers and bits, signs, angles, products of sums. Most are functions over rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.errors import ArgumentError, DTypeError, ShapeError
from .activation import as_float
from .arith import is_value
from .compare import isinf, isnan, where
from .create import zeros_like
from .dispatch import current
from .elementwise import abs_, cast, maximum, minimum, sign, trunc
from .families import SPECIAL, Samples, common_dtype, elementwise
from .infer import axis_index, show_shape
from .linalg import matmul
from .lowering import Scalar
from .op import NONDIFFERENTIABLE, OPS, Sample, composite, random_array, row
from .planned import planned
from .transcendental import exp, log, log1p, sin, sqrt

WHOLE = (dt.int32, dt.int64, *dt.SHORT_INTEGERS)


def value_of(x: Any) -> Any:
    """`x` as a value: numbers, arrays and lists become constants."""
    return current().constant(x, None)


# ---- integers and bits


def _whole_pair(name: str, doc: str, eager: Any, **fields: Any) -> Any:
    return elementwise(
        name, doc, eager=eager, scalar=f"{name}_{{t}}({{0}}, {{1}})", vjp=NONDIFFERENTIABLE, dtypes=WHOLE,
        operands="x y", **fields,
    )  # fmt: skip


gcd = _whole_pair("gcd", "Greatest common divisor of two integers; 0 with 0 gives 0.", np.gcd, commutative=True)
lcm = _whole_pair("lcm", "Least common multiple of two integers.", np.lcm, commutative=True)
_SHIFT = Samples(0, 6)
shift_left = _whole_pair(
    "shift_left",
    "x with its bits y places to the left.",
    np.left_shift,
    samples=_SHIFT,
    public=False,
    operator="lshift",
)
shift_right = _whole_pair(
    "shift_right",
    "x with its bits y places to the right; the sign comes in.",
    np.right_shift,
    samples=_SHIFT,
    public=False,
    operator="rshift",
)


def _logical_right(x: Any, y: Any) -> Any:
    return np.right_shift(x.view(f"u{x.itemsize}"), y.astype(f"u{x.itemsize}")).view(x.dtype)


shift_right_logical = _whole_pair(
    "shift_right_logical",
    "x with its bits y places to the right; zeros come in.",
    lambda x, y: _logical_right(np.ascontiguousarray(x), np.asarray(y)),
    samples=_SHIFT,
    public=False,
)


@composite()
def bitwise_left_shift(x: Any, y: Any, is_arithmetic: bool = True, out: Any = None, name: str | None = None) -> Any:
    """x with its bits moved y places to the left; zeros come in. Integers only."""
    return shift_left(x, y)


@composite()
def bitwise_right_shift(x: Any, y: Any, is_arithmetic: bool = True, out: Any = None, name: str | None = None) -> Any:
    """x with its bits moved y places to the right; the sign comes in, or zeros without `is_arithmetic`."""
    return shift_right(x, y) if is_arithmetic else shift_right_logical(x, y)


# ---- signs and single bits of floats

signbit_row = elementwise(
    "signbit",
    "Whether an element is negative, -0.0 included.",
    eager=lambda x: np.signbit(x) if x.dtype.kind == "f" else x < 0,
    scalar=Scalar("signbit_{t}({0})", "({0} < 0)"),
    vjp=NONDIFFERENTIABLE,
    dtypes=dt.ARITHMETIC,
    result="bool",
    samples=Samples(edges=SPECIAL),
)
nextafter = elementwise(
    "nextafter",
    "The next float after x in the direction of y.",
    operands="x y",
    eager=np.nextafter,
    scalar="nextafter_{t}({0}, {1})",
    vjp=NONDIFFERENTIABLE,
    samples=Samples(edges=SPECIAL),
)


@composite()
@planned
def copysign(x: Any, y: Any, name: str | None = None) -> Any:
    """|x| with the sign of y (of -0.0 too), in the wider dtype of floats; among integers of one dtype in that.
    Gradient by x only.

    >>> import vitrify as vt
    >>> vt.copysign(vt.to_tensor([1.0, -2.0]), -0.0).tolist()
    [-1.0, -2.0]
    """
    x, number = value_of(x), not is_value(y)
    y = value_of(y)
    if x.dtype.is_floating and y.dtype.is_floating and not number:
        x = cast(x, dt.promote(x.dtype, y.dtype))
    elif y.dtype is not x.dtype and not (number and x.dtype.name.startswith("int")):
        x = as_float(x)
    flips = OPS["logical_xor"](signbit_row(x), signbit_row(y))
    plain = OPS["broadcast_to"](x, tuple(flips.shape)) if flips.shape != x.shape else x
    return plain if x.dtype.is_bool else where(flips, -x, plain)


@composite()
def sgn(x: Any, name: str | None = None) -> Any:
    """The sign of every element; of a complex one x / |x|, and 0 of 0."""
    if not x.dtype.is_complex:
        return sign(x)
    size = abs_(x)
    empty = OPS["equal"](size, 0.0)
    return where(empty, 0.0, x / cast(where(empty, 1.0, size), x.dtype))


@composite()
def positive(x: Any, name: str | None = None) -> Any:
    """`x` itself. Errors: DTypeError for bools."""
    if x.dtype.is_bool:
        raise DTypeError("positive doesn't take bool", remedy="convert with astype()")
    return x


@composite()
def isposinf(x: Any, name: str | None = None) -> Any:
    """Whether an element is positive infinity."""
    return OPS["logical_and"](isinf(x), x > 0)


@composite()
def isneginf(x: Any, name: str | None = None) -> Any:
    """Whether an element is negative infinity."""
    return OPS["logical_and"](isinf(x), x < 0)


@composite()
def isreal(x: Any, name: str | None = None) -> Any:
    """Whether an element has no imaginary part; true of all real dtypes."""
    if x.dtype.is_complex:
        return OPS["equal"](OPS["imag"](x), 0.0)
    return OPS["full"](tuple(x.shape), True, dt.bool_)


# ---- elementwise functions of floats


@composite()
def deg2rad(x: Any, name: str | None = None) -> Any:
    """Degrees to radians; integers become the default float.

    >>> import vitrify as vt
    >>> round(float(vt.deg2rad(vt.to_tensor(180))), 4)
    3.1416
    """
    return as_float(x) * (math.pi / 180.0)


@composite()
def rad2deg(x: Any, name: str | None = None) -> Any:
    """Radians to degrees; integers become the default float."""
    return as_float(x) * (180.0 / math.pi)


@composite()
def frac(x: Any, name: str | None = None) -> Any:
    """The part behind the point, with the sign of x. Errors: DTypeError for bool and 8-bit and 16-bit integers."""
    if x.dtype in (dt.bool_, dt.int8, dt.uint8, dt.int16):
        raise DTypeError(f"frac needs a float, int32 or int64 tensor, not {x.dtype.name}", remedy="use astype()")
    return x - trunc(x)


@composite()
@planned
def heaviside(x: Any, y: Any, name: str | None = None) -> Any:
    """0 below 0, 1 above, y at 0; NaN stays."""
    x, y = common_dtype(current(), (x, y), allowed=dt.NUMBERS, name="heaviside")
    step = cast(x > 0, x.dtype)
    out = where(OPS["equal"](x, 0), y, step)
    return where(isnan(x), x * 0.0, out) if x.dtype.is_floating else out


@composite()
@planned
def hypot(x: Any, y: Any, name: str | None = None) -> Any:
    """sqrt(x² + y²), scaled so that squares don't overflow.

    >>> import vitrify as vt
    >>> float(vt.hypot(vt.to_tensor(3.0), vt.to_tensor(4.0)))
    5.0
    """
    x, y = (abs_(as_float(value_of(v))) for v in (x, y))
    large, small = maximum(x, y), minimum(x, y)
    flat = OPS["logical_or"](OPS["equal"](large, 0.0), isinf(large))
    ratio = small / where(flat, 1.0, large)
    return where(flat, large, large * sqrt(ratio * ratio + 1.0))


@composite()
@planned
def logaddexp(x: Any, y: Any, name: str | None = None) -> Any:
    """log(exp(x) + exp(y)) without overflow."""
    x, y = as_float(value_of(x)), as_float(value_of(y))
    large = maximum(x, y)
    same = OPS["equal"](x, y)  # infinities too, where a difference would be NaN
    apart = where(same, 0.0, x - y)
    return where(same, x * 0.5 + y * 0.5 + math.log(2.0), large + log1p(exp(-abs_(apart))))


@composite()
def ldexp(x: Any, y: Any, name: str | None = None) -> Any:
    """x times 2 to the power y, as float."""
    y = value_of(y)
    x = as_float(value_of(x))
    return x * OPS["pow"](current().constant(2.0, x.dtype), cast(y, x.dtype))


def _frexp_vjp(g: Any, y: Any, x: Any) -> tuple[Any]:
    """The mantissa is x times a power of two, which doesn't change near x; the exponent has no slope."""
    if g[0] is None:
        return (zeros_like(x),)
    zero = OPS["equal"](x, 0.0)
    return (g[0] * where(zero, 0.0, y[0] / where(zero, 1.0, x)),)


frexp_row = row(
    "frexp",
    "Mantissa of size 1/2 to 1 and exponent of 2, both of the dtype of x. The gradient of the mantissa is 0 at 0.",
    "x",
    infer=lambda x: (x, x),
    eager=lambda x: tuple(np.asarray(part).astype(x.dtype) for part in np.frexp(x)),
    vjp=_frexp_vjp,
    samples=lambda: [
        Sample((random_array(1, (3, 4)),)),
        Sample((np.array([0.0, 8.0, -0.3], "float32"),), smooth=False),
    ],
    prepare=lambda interpreter, values, attrs: ((as_float(interpreter.constant(values[0], None)),), attrs),
)


@composite()
def sinc(x: Any, name: str | None = None) -> Any:
    """sin(πx) / (πx), and 1 at 0.

    >>> import vitrify as vt
    >>> vt.sinc(vt.to_tensor([0.0, 0.5])).tolist()[0]
    1.0
    """
    angle = as_float(x) * math.pi
    near = abs_(angle) < _NEAR
    square_ = where(near, angle * angle, 0.0)
    series = 1.0
    for k in (156, 110, 72, 42, 20, 6):  # angle^14 / 15! is below half a unit
        series = 1.0 - series * square_ * (1.0 / k)
    angle = where(near, 1.0, angle)
    return where(near, series, sin(angle) / angle)


_NEAR = 0.3  # radians: the slope of sin(angle) / angle is a difference of large numbers there


@composite()
def stanh(x: Any, scale_a: float = 0.67, scale_b: float = 1.7159, name: str | None = None) -> Any:
    """scale_b · tanh(scale_a · x)."""
    return OPS["tanh"](as_float(x) * scale_a) * scale_b


@composite()
def scale(
    x: Any, scale: Any = 1.0, bias: float = 0.0, bias_after_scale: bool = True, act: str | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """scale · x + bias, or scale · (x + bias) without `bias_after_scale`, in the dtype of x; `act` names an activation.

    >>> import vitrify as vt
    >>> vt.scale(vt.to_tensor([1.0, 2.0]), 2.0, 1.0).tolist()
    [3.0, 5.0]
    """
    x = value_of(x)
    x = x if is_value(x) else x.detach()  # a number that only a run knows: the result is a tensor
    if is_value(scale):
        factor = scale if scale.dtype is x.dtype else cast(scale, x.dtype)
    else:
        factor = int(scale) if x.dtype.is_integer else scale
    shift = int(bias) if x.dtype.is_integer else bias
    out = x * factor + shift if bias_after_scale else (x + shift) * factor
    if act is None:
        return out
    if act not in OPS:
        raise ArgumentError(f"scale: act must name an activation, not {act!r}")
    return OPS[act](out)


@composite()
def logit(x: Any, eps: float | None = None, name: str | None = None) -> Any:
    """log(x) - log(1 - x); with `eps`, x is first moved into [eps, 1 - eps]."""
    x = as_float(x)
    if eps:
        x = OPS["clip"](x, eps, 1.0 - eps)
    return log(x) - log(1.0 - x)


@composite()
def nan_to_num(
    x: Any, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None, name: str | None = None
) -> Any:
    """NaN and infinities replaced; by default with 0, the largest and the lowest float of the dtype."""
    if not x.dtype.is_floating:
        return OPS["assign"](x)
    top = float(np.finfo(x.dtype.numpy).max)
    x = where(isnan(x), nan, x)
    x = where(OPS["equal"](x, math.inf), top if posinf is None else posinf, x)
    return where(OPS["equal"](x, -math.inf), -top if neginf is None else neginf, x)


@composite()
def lerp(x: Any, y: Any, weight: Any, name: str | None = None) -> Any:
    """x + weight · (y - x)."""
    return x + (y - x) * (cast(weight, x.dtype) if is_value(weight) and weight.dtype is not x.dtype else weight)


# ---- products and sums of products


@composite()
def baddbmm(input: Any, x: Any, y: Any, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Any:
    """beta · input + alpha · x @ y, for stacks of matrices [batch, n, m]; input broadcasts."""
    for what, v in (("x", x), ("y", y)):
        if v.ndim != 3:
            raise ShapeError(f"baddbmm: {what} must have 3 axes, got {show_shape(v.shape)}")
    return _plus_product(input, matmul(x, y), beta, alpha)


def _plus_product(input: Any, product: Any, beta: float, alpha: float) -> Any:
    scaled = product if alpha == 1.0 else product * alpha
    return scaled + (input if beta == 1.0 else input * beta)


@composite()
@planned
def inner(x: Any, y: Any, name: str | None = None) -> Any:
    """Sums of products over the last axes of x and y; a number times a tensor scales it.

    >>> import vitrify as vt
    >>> float(vt.inner(vt.to_tensor([1.0, 2.0]), vt.to_tensor([3.0, 4.0])))
    11.0
    """
    if not x.ndim or not y.ndim:
        return x * y
    left = OPS["reshape"](x, [-1, x.shape[-1]])
    right = OPS["reshape"](y, [-1, y.shape[-1]])
    return OPS["reshape"](matmul(left, right, False, True), (*x.shape[:-1], *y.shape[:-1]))


@composite()
def kron(x: Any, y: Any, name: str | None = None) -> Any:
    """The Kronecker product: blocks of y, each times one element of x."""
    rank = max(x.ndim, y.ndim)
    a, b = ((1,) * (rank - v.ndim) + tuple(v.shape) for v in (x, y))
    left = OPS["reshape"](x, [d for size in a for d in (size, 1)])
    right = OPS["reshape"](y, [d for size in b for d in (1, size)])
    return OPS["reshape"](left * right, [m * n for m, n in zip(a, b, strict=True)])


@composite()
def cross(x: Any, y: Any, axis: int = 9, name: str | None = None) -> Any:
    """The cross product of vectors of 3 along `axis`; by default (9) the first axis of size 3."""
    if axis in (None, 9):
        found = [k for k, d in enumerate(x.shape) if isinstance(d, int) and d == 3]
        if not found:
            raise ShapeError(f"cross needs an axis of size 3, got {show_shape(x.shape)}")
        axis = found[0]
    if not -x.ndim <= axis < x.ndim or x.shape[axis] != 3 or y.shape[axis] != 3:
        raise ShapeError(f"cross: axis {axis} of {show_shape(x.shape)} and {show_shape(y.shape)} must have size 3")
    from_one = [OPS["roll"](v, -1, axis) for v in (x, y)]
    from_two = [OPS["roll"](v, -2, axis) for v in (x, y)]
    return from_one[0] * from_two[1] - from_two[0] * from_one[1]


@composite()
def renorm(x: Any, p: float, axis: int, max_norm: float) -> Any:
    """The slices along `axis` whose p-norm is above `max_norm` scaled down to it."""
    at = axis_index(axis, x.ndim)
    rest = [k for k in range(x.ndim) if k != at]
    size = OPS["pow"](OPS["sum"](OPS["pow"](abs_(x), float(p)), rest, True), 1.0 / p)
    return where(size > max_norm, x * (max_norm / (size + 1e-7)), x)


@composite(method=False)
def multiplex(inputs: Any, index: Any, name: str | None = None) -> Any:
    """Row i of the result is row i of the input that `index` [count, 1] or [count] names."""
    if len(inputs) < 2:
        raise ArgumentError(f"multiplex needs at least two inputs, got {len(inputs)}")
    rows = OPS["concat"]([OPS["reshape"](x, (1, *x.shape)) for x in inputs], axis=0)
    flat = OPS["reshape"](index, [-1])
    places = OPS["arange"](flat.shape[0], 0, 1, flat.dtype)
    points = OPS["concat"]([OPS["reshape"](v, (flat.shape[0], 1)) for v in (flat, places)], axis=1)
    return OPS["gather_nd"](rows, points)

"""Elementwise rows: casts, arithmetic, rounding and bounds. The rest: bits.py, compare.py, transcendental.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import ALL, ARITHMETIC, COMPLEX, NUMBERS, DType, as_dtype
from ..base.errors import ArgumentError
from . import bounds
from .arith import Arithmetic, attach, is_run_time_number, is_value
from .bounds import Rule
from .complex_powers import complex_power
from .dims import Dim
from .dispatch import current
from .families import SPECIAL, Samples, common_dtype, elementwise
from .infer import dtype_bounds, fitting, int_argument
from .interpreter import Interpreter
from .kernel_parts import POWERS, casting, integer_division
from .lowering import Scalar
from .op import NONDIFFERENTIABLE, OPS, REQUIRED, Op, Sample, composite, random_array, row
from .planned import planned
from .types import TensorType

ANY_NUMBER = Samples(edges=SPECIAL)


def zeros_of(x: Any) -> Any:
    """Zeros of the shape and dtype of a value."""
    return OPS["full"](x.shape, 0, x.dtype)


# Casts and copies


def _prepare_cast(
    interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    x = values[0] if is_value(values[0]) else interpreter.constant(values[0], None)
    return (x,), {"dtype": as_dtype(attrs["dtype"])}


def _cast_samples() -> list[Sample]:
    values = random_array(1, (3, 4), 0.0, 5.0)
    edges = np.array([0.0, -0.0, 1.5, -1.5, 100.9])
    pairs = [(a, b) for a in (*NUMBERS, dt.bool_, dt.uint8) for b in (*NUMBERS, dt.bool_, dt.uint8)]
    out = [Sample((values.astype(a.numpy),), {"dtype": b}, smooth=False) for a, b in pairs]
    out += [Sample((edges,), {"dtype": b}, smooth=False) for b in (*NUMBERS, dt.bool_)]
    return [*out, Sample((values,), {"dtype": dt.float64})]


def _specialise_cast(types: Sequence[TensorType], attrs: dict[str, Any]) -> Callable[..., Any] | None:
    return None if types[0].dtype.is_complex else casting(types[0].dtype, attrs["dtype"].numpy)


cast = row(
    "cast",
    "Every element converted to `dtype`; to bool: whether it differs from 0; float to integer: towards 0.",
    "x",
    attrs={"dtype": REQUIRED},
    prepare=_prepare_cast,
    infer=lambda x, *, dtype: TensorType(dtype, x.shape),
    eager=lambda x, *, dtype: (x.real if x.dtype.kind == "c" and dtype.category in (1, 2) else x).astype(dtype.numpy),
    specialise=_specialise_cast,
    vjp=lambda g, y, x, *, dtype: (OPS["cast"](g, x.dtype),),
    # `T(x)` of a bool result would keep the number: a bool is made by comparing.
    # Of a float that no integer is near LLVM may make what it likes; `whole_` makes what NumPy does.
    lowering=Scalar("{T}({0})", bool_result="({0} != 0)", whole="whole_{T}({0})"),
    samples=_cast_samples,
    family="elementwise",
    onnx="Cast",
    bounds=bounds.first,
)

assign = elementwise(
    "assign",
    "A copy of `x`.",
    eager=lambda x: x.copy(),
    scalar="{0}",
    vjp=lambda g, y, x: (g,),
    dtypes=ALL,
    onnx="Identity",
)

# Arithmetic. Integer templates name the result type: Numba computes small integers in 64 bits, and NumPy wraps.
add = elementwise(
    "add",
    "Sum of two tensors, element by element; of bools, whether one of them is true.",
    operands="x y",
    eager=np.add,
    scalar=Scalar("({0} + {1})", "{T}({0} + {1})"),
    vjp=lambda g, y, a, b: (g, g),
    dtypes=ARITHMETIC,
    samples=ANY_NUMBER,
    operator="add",
    commutative=True,
    onnx="Add",
    holomorphic=True,
    terms=(1, 1),
    of_bools="logical_or",
    bounds=bounds.add,
)

subtract = elementwise(
    "subtract",
    "Difference of two tensors, element by element.",
    operands="x y",
    eager=np.subtract,
    scalar=Scalar("({0} - {1})", "{T}({0} - {1})"),
    vjp=lambda g, y, a, b: (g, -g),
    dtypes=ARITHMETIC,
    samples=ANY_NUMBER,
    operator="sub",
    onnx="Sub",
    holomorphic=True,
    terms=(1, -1),
    bounds=bounds.subtract,
)

multiply = elementwise(
    "multiply",
    "Product of two tensors, element by element; of bools, whether both are true.",
    operands="x y",
    eager=np.multiply,
    scalar=Scalar("({0} * {1})", "{T}({0} * {1})"),
    vjp=lambda g, y, a, b: (g * b, g * a),
    dtypes=ARITHMETIC,
    samples=ANY_NUMBER,
    operator="mul",
    commutative=True,
    onnx="Mul",
    holomorphic=True,
    of_bools="logical_and",
    bounds=bounds.multiply,
    is_bilinear=True,
)

divide = elementwise(
    "divide",
    "True quotient of two tensors, element by element; integers become the default float first.",
    operands="x y",
    eager=np.divide,
    scalar=Scalar("({0} / {1})", row_cost=8),
    vjp=lambda g, y, a, b: (g / b, -g * y / b),
    samples=Samples(0.3, 2.0, edges=SPECIAL),
    operator="truediv",
    onnx="Div",
    holomorphic=True,
)

floor_divide = elementwise(
    "floor_divide",
    "Quotient rounded towards minus infinity. Integers divided by 0 give 0, as in NumPy.",
    operands="x y",
    eager=np.floor_divide,
    scalar=integer_division("floor_div"),
    vjp=NONDIFFERENTIABLE,
    dtypes=ARITHMETIC,
    samples=Samples(edges=SPECIAL),
    operator="floordiv",
    bounds=bounds.floor_divide,
)

remainder = elementwise(
    "remainder",
    "What floor division leaves: it has the sign of `y`, as Python's `%`. Integers modulo 0 give 0.",
    operands="x y",
    eager=np.remainder,
    scalar=integer_division("mod"),
    vjp=lambda g, y, a, b: (g, -g * OPS["floor"](a / b)),
    dtypes=ARITHMETIC,
    samples=Samples(0.6, 1.9, edges=SPECIAL),
    operator="mod",
    onnx="Mod",
    bounds=bounds.remainder,
)


def _pow_vjp(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """The factor of `a` is 0 where b is 0, and that of `b` is 0 where a is 0: the formulas alone give 0 * inf there."""
    where, equal = OPS["where"], OPS["equal"]
    flat, root = equal(b, 0), equal(a, 0)
    da = where(flat, 0.0, g * b * OPS["pow"](a, where(flat, 1.0, b - 1.0)))
    db = where(root, 0.0, g * y * OPS["log"](where(root, 1.0, a)))
    return da, db


def _power(x: Any, y: Any) -> Any:
    """C's pow. np.power takes the square root of y = 0.5, which differs at -0.0 and -inf."""
    if y.size == 1 and (y == 0.5).all():
        return np.power(x, np.full((2, *np.broadcast_shapes(x.shape, y.shape)), y))[0]
    return np.power(x, y)


power = elementwise(
    "pow",
    "`x` to the power `y`. Integers take powers of at least 0.",
    operands="x y",
    eager=_power,
    scalar=Scalar("pow_{t}({0}, {1})", single="single_pow_{t}({0}, {1})", by_number=POWERS, cost=24),
    vjp=_pow_vjp,
    dtypes=NUMBERS,
    samples=Samples(0.2, 2.0, edges=SPECIAL),
    onnx="Pow",
    holomorphic=True,
)

neg = elementwise(
    "neg",
    "Every element with the other sign.",
    eager=np.negative,
    scalar=Scalar("(-{0})", "{T}(-{0})"),
    vjp=lambda g, y, x: (-g,),
    dtypes=ARITHMETIC,
    samples=ANY_NUMBER,
    operator="neg",
    onnx="Neg",
    holomorphic=True,
)


def _direction(x: Any) -> Any:
    """x / |x|, and 0 at 0."""
    size = abs_(x)
    return x / OPS["where"](OPS["equal"](size, 0.0), 1.0, size)


def _signed(g: Any, x: Any) -> Any:
    """g with the sign of x, and 0 at 0, whatever g is: `sqrt(abs(x))` has an infinite one there."""
    return OPS["where"](OPS["equal"](x, 0.0), 0.0, g * OPS["sign"](x))


abs_ = elementwise(
    "abs",
    "Absolute value of every element; of a complex one a real number. Gradient at 0: 0.",
    eager=np.abs,
    scalar=Scalar("abs_{t}({0})", "select({0} < {T}(0), {T}(-{0}), {0})"),
    vjp=lambda g, y, x: (g * _direction(x) if x.dtype.is_complex else _signed(g, x),),
    dtypes=(*ARITHMETIC, *COMPLEX),
    result="real",
    samples=ANY_NUMBER,
    operator="abs",
    onnx="Abs",
)

sign = elementwise(
    "sign",
    "-1, 0 or 1 by the sign of every element; NaN stays. Gradient: 0.",
    eager=np.sign,
    scalar=Scalar("sign_{t}({0})", "({T}({0} > {T}(0)) - {T}({0} < {T}(0)))"),
    vjp=lambda g, y, x: (zeros_of(g),),
    dtypes=ARITHMETIC,
    samples=ANY_NUMBER,
    onnx="Sign",
)

square = elementwise(
    "square",
    "Every element times itself.",
    eager=np.square,
    scalar=Scalar("({0} * {0})", "{T}({0} * {0})"),
    vjp=lambda g, y, x: (g * (x * 2.0),),
    dtypes=ARITHMETIC,
    samples=ANY_NUMBER,
    holomorphic=True,
)

reciprocal = elementwise(
    "reciprocal",
    "1 / x of every element.",
    eager=lambda x: np.divide(x.dtype.type(1), x),
    scalar=Scalar("({T}(1.0) / {0})", row_cost=8),
    vjp=lambda g, y, x: (-g * y * y,),
    samples=Samples(0.3, 2.0, edges=SPECIAL),
    onnx="Reciprocal",
    holomorphic=True,
)

# Rounding: piecewise constant, so the gradient is 0 (not missing: optimisers see a parameter that was reached).


def _rounding(name: str, doc: str, eager: Any, onnx: str | None = None) -> Any:
    return elementwise(
        name,
        doc + " Gradient: 0.",
        eager=eager,
        scalar=Scalar(f"{name}_{{t}}({{0}})", "{0}"),
        vjp=lambda g, y, x: (zeros_of(g),),
        dtypes=NUMBERS,
        samples=Samples(-3.0, 3.0, edges=(*SPECIAL, 0.5, 1.5, 2.5, -0.5, 1e9)),
        onnx=onnx,
    )


floor = _rounding("floor", "Largest integer not above.", np.floor, "Floor")
ceil = _rounding("ceil", "Smallest integer not below.", np.ceil, "Ceil")
round_ = _rounding(
    "round",
    "Nearest integer; halves go to the even one, as in NumPy.",
    lambda x: np.rint(x) if x.dtype.kind == "f" else x.copy(),
    "Round",
)
trunc = _rounding("trunc", "Integer part: towards 0.", np.trunc)

# Bounds


def _extremum_vjp(first: str) -> Any:
    """The gradient goes to the operand that won; equal operands take one half each."""

    def rule(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
        where, wins = OPS["where"], OPS[first]
        shared = where(OPS["equal"](a, b), g * 0.5, 0.0)
        return where(wins(a, b), g, shared), where(wins(b, a), g, shared)

    return rule


def _extremum(name: str, doc: str, eager: Any, wins: str, of_bools: str, onnx: str, rule: Rule) -> Op:
    return elementwise(
        name, doc + " NaN wins. Equal elements share the gradient evenly.", operands="x y", eager=eager,
        scalar=f"{name}_{{t}}({{0}}, {{1}})", vjp=_extremum_vjp(wins), dtypes=ARITHMETIC, samples=ANY_NUMBER,
        commutative=True, onnx=onnx, of_bools=of_bools, bounds=rule,
    )  # fmt: skip


maximum = _extremum(
    "maximum", "The larger of two elements;", np.maximum, "greater_than", "logical_or", "Max", bounds.maximum
)
minimum = _extremum(
    "minimum", "The smaller of two elements;", np.minimum, "less_than", "logical_and", "Min", bounds.minimum
)


def _clip_vjp(g: Any, y: Any, x: Any, *, min: Any, max: Any, exclusive: bool = False) -> tuple[Any]:
    if exclusive:
        return (OPS["where"](OPS["logical_and"](x > min, x < max), g, 0.0),)
    return (OPS["where"](OPS["logical_and"](x >= min, x <= max), g, 0.0),)


def _prepare_clip(
    interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A missing bound becomes the dtype's own, so that one template serves all."""
    (x,) = common_dtype(interpreter, values, allowed=NUMBERS, name="clip")
    lowest, highest = dtype_bounds(x.dtype)
    low, high = (_clip_bound(attrs[name], x.dtype) for name in ("min", "max"))
    bounds = {"min": lowest if low is None else low, "max": highest if high is None else high}
    return (x,), bounds | ({"exclusive": True} if attrs["exclusive"] else {})


def _clip_bound(bound: Any, dtype: DType) -> Any:
    if bound is None or dtype.is_floating:
        return None if bound is None else float(bound)
    return fitting(int(bound), dtype)


clip = row(
    "clip",
    "Every element moved into [min, max]. The gradient passes where the element lies inside, bounds included unless "
    "`exclusive`.",
    "x",
    attrs={"min": None, "max": None, "exclusive": False},
    prepare=_prepare_clip,
    infer=lambda x, **_: x,
    # Through typed bounds: a plain Python bound outside an integer dtype's range is an error in NumPy 2.
    eager=lambda x, *, min, max, exclusive=False: np.minimum(np.maximum(x, x.dtype.type(min)), x.dtype.type(max)),
    vjp=_clip_vjp,
    lowering=Scalar("at_most_{t}(at_least_{t}({0}, {min}), {max})"),
    samples=lambda: [
        Sample((random_array(3, (3, 4)),), {"min": -0.5, "max": 1.0}),
        Sample((random_array(3, (33,), dtype="float32"),), {"max": 0.5}),
        Sample((np.array([1, 5, -7, 3], np.int64),), {"min": 0, "max": 4}),
        Sample((np.array([1, 5, -7, 3], np.int32),), {"min": 2}),
        Sample((np.array(SPECIAL),), {"min": 0.0}, smooth=False),
    ],
    family="elementwise",
    onnx="Clip",
)

# Functions over these rows


@composite("pow")
def pow_(x: Any, y: Any, name: str | None = None) -> Any:
    """`x` to the power `y`; a constant power of 2 is a multiplication, one of 0.5 a square root, as in NumPy."""
    if isinstance(y, float) and y == 0.5 and is_value(x) and x.dtype.is_floating:
        return OPS["sqrt"](x)
    if isinstance(y, (int, float)) and not isinstance(y, bool) and y == 2 and is_value(x) and x.dtype in NUMBERS:
        return square(x) if isinstance(y, int) or x.dtype.is_floating else power(x, y)
    if isinstance(y, (int, float)) and not isinstance(y, bool) and is_value(x) and x.dtype.is_complex:
        return complex_power(x, y)
    if not (_is_whole(x) and _is_whole(y)):
        return power(x, y)
    return _whole_power(x, y)


_NEGATIVE = "Integers to negative integer powers are not allowed."  # NumPy's words


def _whole_power(x: Any, y: Any) -> Any:
    """A power among integers. Negative exponents end a program's run as NumPy ends the call: kernels have no errors."""
    if not current().is_trace:
        return power(x, y)
    numbers = not is_value(x) and not is_value(y)
    if isinstance(y, Arithmetic) and y.weak and getattr(y, "origin", None) is not None and numbers:
        y = y.plain()  # guarded: its sign decides on the kind of the result
    if not isinstance(y, Arithmetic):
        if y < 0 and not numbers:
            raise ValueError(_NEGATIVE)
        return power(x * 1.0 if y < 0 else x, y)  # among Python numbers it is a float
    current().require(OPS["all"](OPS["greater_equal"](y, 0)), _NEGATIVE, "ValueError")
    return power(x, y)


def _is_whole(x: Any) -> bool:
    return x.dtype.category < 2 if isinstance(x, Arithmetic) else isinstance(x, int)


attach("pow", pow_)


@composite("clip")
def clip_(x: Any, min: Any = None, max: Any = None, name: str | None = None) -> Any:
    """Every element moved into [min, max]; bounds are numbers, None, or tensors that broadcast, which take the dtype of
    `x`. Integers become float32 where a bound is a float.
    """
    x = x if is_value(x) else current().constant(x, None)
    if x.dtype.is_integer and any(map(_is_float, (min, max))):
        x = cast(x, dt.float32)
    min, max = (cast(b, x.dtype) if is_value(b) and b.dtype is not x.dtype else b for b in (min, max))
    if not (is_value(min) or is_value(max)):
        at_run_time = any(isinstance(b, Dim) or is_run_time_number(b) for b in (min, max))
        if min is not None and max is not None:
            _refuse_crossed(min, max)
        return (_clip_at_run_time if at_run_time else clip)(x, min, max)
    out = x if min is None else maximum(x, min)
    return out if max is None else minimum(out, max)


def _is_float(bound: Any) -> bool:
    """Whether a bound is a float of Python or NumPy, also one that only a run knows, or a tensor of floats."""
    return bound.dtype.is_floating if isinstance(bound, Arithmetic) else isinstance(bound, (float, np.floating))


def _refuse_crossed(low: Any, high: Any) -> None:
    """The error for numbers as bounds of which the lower one is above the upper one."""
    if isinstance(low, Dim) or isinstance(high, Dim):
        return  # sizes cross where there are no elements
    if isinstance(low, Arithmetic) or isinstance(high, Arithmetic):
        current().require(OPS["less_equal"](low, high), "clip: max must be at least min", "ArgumentError")
    elif isinstance(low, (int, float)) and isinstance(high, (int, float)) and low > high:
        raise ArgumentError(f"clip: max must be at least min, but {high} is less than {low}")


def _clip_at_run_time(x: Any, low: Any, high: Any) -> Any:
    """`clip` with Python numbers that only a run knows: they take the dtype of `x`, as other numbers do."""
    x = x if x.dtype in NUMBERS else clip(x)
    moved, inside = OPS["stop_gradient"](x), None
    for bound, move, compare in zip((low, high), (maximum, minimum), ("greater_equal", "less_equal"), strict=True):
        if bound is not None:
            moved, here = move(moved, bound), OPS[compare](x, bound)
            inside = here if inside is None else OPS["logical_and"](inside, here)
    return OPS["where"](inside, x, moved)


@composite("round")
def round_to(x: Any, decimals: int = 0, name: str | None = None) -> Any:
    """Nearest number with `decimals` decimals; halves go to the even one."""
    scale = 10.0 ** int_argument("round: decimals", decimals, -308, 308)  # floats hold no more powers of ten
    return round_(x) if scale == 1.0 else round_(x * scale) / scale


@composite()
@planned
def fmax(x: Any, y: Any, name: str | None = None) -> Any:
    """The larger of two elements, x where they are equal; a number wins over NaN."""
    return OPS["where"](OPS["logical_or"](OPS["isnan"](y), OPS["greater_equal"](x, y)), x, y)


@composite()
@planned
def fmin(x: Any, y: Any, name: str | None = None) -> Any:
    """The smaller of two elements, x where they are equal; a number wins over NaN."""
    return OPS["where"](OPS["logical_or"](OPS["isnan"](y), OPS["less_equal"](x, y)), x, y)


@composite()
def add_n(inputs: Any, name: str | None = None) -> Any:
    """The sum of a list of tensors; a single tensor is copied."""
    if is_value(inputs):
        return assign(inputs)
    if not (terms := list(inputs)):
        raise ArgumentError("add_n takes one tensor at least")
    return reduce(add, terms) if len(terms) > 1 else assign(terms[0])

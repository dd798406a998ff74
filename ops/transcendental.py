"""Elementwise rows of floats: roots, exponentials, logarithms, circular and hyperbolic functions, basic activations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base.dtype import FLOATS, NUMBERS, float64
from .arith import is_value
from .families import SPECIAL, Samples, common_dtype, elementwise
from .interpreter import Interpreter
from .kernel_parts import of_parts
from .lowering import Scalar
from .op import OPS, Specialise
from .special import erf as numpy_erf

ANY_NUMBER = Samples(edges=SPECIAL)
POSITIVE = Samples(0.1, 3.0, edges=SPECIAL)
INSIDE_ONE = Samples(-0.9, 0.9, edges=SPECIAL)
LN_2, LN_10 = math.log(2.0), math.log(10.0)
TWO_OVER_ROOT_PI = 2.0 / math.sqrt(math.pi)


HOLOMORPHIC = frozenset({
    "sqrt", "rsqrt", "exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
    "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sigmoid",
})  # fmt: skip


def _function(
    name: str, doc: str, eager: Any, vjp: Any, samples: Samples = ANY_NUMBER, onnx: str | None = None,
    specialise: Specialise | None = None,
) -> Any:  # fmt: skip
    """A row of one float operand whose kernel is the prelude function of its name."""
    return elementwise(
        name, doc, eager=eager, scalar=Scalar(f"{name}_{{t}}({{0}})", cost=8), vjp=vjp, samples=samples, onnx=onnx,
        holomorphic=name in HOLOMORPHIC, specialise=specialise,
    )  # fmt: skip


sqrt = _function("sqrt", "Square root.", np.sqrt, lambda g, y, x: (g * 0.5 / y,), POSITIVE, "Sqrt")


def _one_over_sqrt(one: Any) -> Any:
    return of_parts(lambda x: np.divide(one, np.sqrt(x)), (np.sqrt, (0,)), (np.divide, (one, -1)))


rsqrt = _function(
    "rsqrt", "1 / sqrt(x).", lambda x: x.dtype.type(1) / np.sqrt(x), lambda g, y, x: (g * -0.5 * (y * y * y),),
    POSITIVE, specialise=lambda types, attrs: _one_over_sqrt(np.ones((), types[0].dtype.numpy)),
)  # fmt: skip
exp = _function("exp", "e to the power x.", np.exp, lambda g, y, x: (g * y,), ANY_NUMBER, "Exp")
expm1 = _function("expm1", "exp(x) - 1, exact near 0.", np.expm1, lambda g, y, x: (g * (y + 1.0),))
log = _function("log", "Natural logarithm.", np.log, lambda g, y, x: (g / x,), POSITIVE, "Log")
log2 = _function("log2", "Logarithm to base 2.", np.log2, lambda g, y, x: (g / (x * LN_2),), POSITIVE)
log10 = _function("log10", "Logarithm to base 10.", np.log10, lambda g, y, x: (g / (x * LN_10),), POSITIVE)
log1p = _function(
    "log1p", "log(1 + x), exact near 0.", np.log1p, lambda g, y, x: (g / (x + 1.0),), Samples(-0.9, 2.0, edges=SPECIAL)
)

sin = _function("sin", "Sine of radians.", np.sin, lambda g, y, x: (g * OPS["cos"](x),), ANY_NUMBER, "Sin")
cos = _function("cos", "Cosine of radians.", np.cos, lambda g, y, x: (-g * OPS["sin"](x),), ANY_NUMBER, "Cos")
tan = _function(
    "tan", "Tangent of radians.", np.tan, lambda g, y, x: (g * (y * y + 1.0),), Samples(-1.2, 1.2, edges=SPECIAL), "Tan"
)
asin = _function(
    "asin", "Arc sine, in radians.", np.arcsin, lambda g, y, x: (g * OPS["rsqrt"](1.0 - x * x),), INSIDE_ONE, "Asin"
)
acos = _function(
    "acos", "Arc cosine, in radians.", np.arccos, lambda g, y, x: (-g * OPS["rsqrt"](1.0 - x * x),), INSIDE_ONE, "Acos"
)
atan = _function(
    "atan", "Arc tangent, in radians.", np.arctan, lambda g, y, x: (g / (x * x + 1.0),), ANY_NUMBER, "Atan"
)

sinh = _function("sinh", "Hyperbolic sine.", np.sinh, lambda g, y, x: (g * OPS["cosh"](x),), ANY_NUMBER, "Sinh")
cosh = _function("cosh", "Hyperbolic cosine.", np.cosh, lambda g, y, x: (g * OPS["sinh"](x),), ANY_NUMBER, "Cosh")
tanh = _function("tanh", "Hyperbolic tangent.", np.tanh, lambda g, y, x: (g * (1.0 - y * y),), ANY_NUMBER, "Tanh")
asinh = _function(
    "asinh",
    "Inverse hyperbolic sine.",
    np.arcsinh,
    lambda g, y, x: (g * OPS["rsqrt"](x * x + 1.0),),
    ANY_NUMBER,
    "Asinh",
)
acosh = _function(
    "acosh",
    "Inverse hyperbolic cosine.",
    np.arccosh,
    lambda g, y, x: (g * OPS["rsqrt"](x * x - 1.0),),
    Samples(1.1, 3.0, edges=SPECIAL),
    "Acosh",
)
atanh = _function(
    "atanh", "Inverse hyperbolic tangent.", np.arctanh, lambda g, y, x: (g / (1.0 - x * x),), INSIDE_ONE, "Atanh"
)
erf = _function(
    "erf",
    "The error function, 2/sqrt(pi) times the integral of exp(-t²) from 0 to x.",
    numpy_erf,
    lambda g, y, x: (g * (OPS["exp"](-(x * x)) * TWO_OVER_ROOT_PI),),
    ANY_NUMBER,
    "Erf",
)


def _atan2_vjp(g: Any, out: Any, y: Any, x: Any) -> tuple[Any, Any]:
    scaled = g / (x * x + y * y)
    return scaled * x, -scaled * y


def _angle_operands(
    interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Integers become float64, as in PaddlePaddle; beside floats they become those."""
    if all(is_value(v) and v.dtype.is_integer for v in values):
        values = [OPS["cast"](v, float64) for v in values]
    return common_dtype(interpreter, values, to_float=True, allowed=FLOATS, name="atan2"), attrs


atan2 = elementwise(
    "atan2",
    "The angle of the point (y, x), in radians from -pi to pi; the first operand is the ordinate; of ints float64.",
    operands="x y",
    eager=np.arctan2,
    scalar=Scalar("atan2_{t}({0}, {1})", cost=10),
    vjp=_atan2_vjp,
    prepare=_angle_operands,
    samples=Samples(0.2, 2.0, edges=SPECIAL),
)

# Activations


def _sigmoid(x: Any) -> Any:
    if x.dtype.kind == "c":
        return np.divide(x.dtype.type(1), np.exp(-x) + x.dtype.type(1))
    e = np.exp(-np.abs(x))  # never above 1: no overflow on either side
    return np.where(x >= 0, x.dtype.type(1), e) / (e + x.dtype.type(1))


sigmoid = _function(
    "sigmoid", "1 / (1 + exp(-x)).", _sigmoid, lambda g, y, x: (g * (y * (1.0 - y)),), ANY_NUMBER, "Sigmoid"
)


def _at_least_zero(zero: Any) -> Any:
    return of_parts(lambda x: np.maximum(x, zero), (np.maximum, (0, zero)))


relu = elementwise(
    "relu",
    "max(x, 0). Gradient at 0: 0.",
    eager=lambda x: np.maximum(x, x.dtype.type(0)),
    specialise=lambda types, attrs: _at_least_zero(np.zeros((), types[0].dtype.numpy)),
    scalar="at_least_{t}({0}, {T}(0))",
    vjp=lambda g, y, x: (OPS["where"](y > 0, g, 0.0),),
    dtypes=NUMBERS,
    samples=ANY_NUMBER,
    onnx="Relu",
)

leaky_relu = elementwise(
    "leaky_relu",
    "x where positive, else `negative_slope` times x. The gradient at 0 is 1.",
    attrs={"negative_slope": 0.01},
    eager=lambda x, *, negative_slope: np.where(x > 0, x, x * x.dtype.type(negative_slope)),
    scalar="select({0} > {T}(0), {0}, {0} * {negative_slope})",
    vjp=lambda g, y, x, *, negative_slope: (OPS["where"](x < 0, g * negative_slope, g),),
    samples=ANY_NUMBER,
    onnx="LeakyRelu",
)

elu = elementwise(
    "elu",
    "x where positive, else `alpha` times (exp(x) - 1).",
    attrs={"alpha": 1.0},
    eager=lambda x, *, alpha: np.where(x > 0, x, np.expm1(x) * x.dtype.type(alpha)),
    scalar=Scalar("select({0} > {T}(0), {0}, expm1_{t}({0}) * {alpha})", cost=8),
    vjp=lambda g, y, x, *, alpha: (OPS["where"](x > 0, g, g * (y + alpha)),),
    samples=ANY_NUMBER,
    onnx="Elu",
)


softsign_row = elementwise(
    "softsign",
    "x / (1 + |x|).",
    eager=lambda x: x / (np.abs(x) + x.dtype.type(1)),
    scalar="({0} / (abs_{t}({0}) + {T}(1)))",
    vjp=lambda g, y, x: (g / OPS["square"](OPS["abs"](x) + 1.0),),
    samples=ANY_NUMBER,
    onnx="Softsign",
)


def _softplus(x: Any, *, beta: float, threshold: float) -> Any:
    kind = x.dtype.type
    scaled = x * kind(beta)
    smooth = (np.maximum(scaled, kind(0)) + np.log1p(np.exp(-np.abs(scaled)))) / kind(beta)
    return np.where(scaled > kind(threshold), x, smooth)


softplus = elementwise(
    "softplus",
    "log(1 + exp(beta x)) / beta; x itself where beta x is above `threshold`.",
    attrs={"beta": 1.0, "threshold": 20.0},
    eager=_softplus,
    scalar=Scalar("select({0} * {beta} > {threshold}, {0}, softplus_{t}({0} * {beta}) / {beta})", cost=12),
    vjp=lambda g, y, x, *, beta, threshold: (OPS["where"](x * beta > threshold, g, g * OPS["sigmoid"](x * beta)),),
    samples=ANY_NUMBER,
    onnx="Softplus",
)

"""Elementwise operators: arithmetic, comparisons, logic, activations, casts."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...base.dtype import LOW_FLOATS
from ...ir.core import Value
from ...jit.trace.known_values import known_array, known_sizes
from ...ops.dims import product
from .node import Importer, Node, element_type, op, rows


def direct(name: str) -> Importer:
    """The op `name` on all inputs."""

    def read(n: Node) -> Any:
        return getattr(op, name)(*n.given)

    return read


def _folded(name: str) -> Importer:
    """A binary op over any number of inputs."""

    def read(n: Node) -> Any:
        return reduce(lambda a, b: getattr(op, name)(a, b), n.given)

    return read


def _mean(n: Node) -> Any:
    return reduce(lambda a, b: a + b, n.given) / len(n.given)


def truncated_divide(x: Any, y: Any) -> Any:
    """Integer division that rounds towards zero."""
    quotient = op.floor_divide(x, y)
    if x.dtype.is_unsigned:
        return quotient
    whole = isinstance(x, Value) and known_sizes(x) is not None and known_sizes(y) is not None
    if whole and (known_array(x) is None or known_array(y) is None):
        return quotient  # sizes are not negative
    apart = op.logical_and(op.not_equal(x, quotient * y), op.logical_xor(x < 0, y < 0))
    return op.where(apart, quotient + 1, quotient)


def _div(n: Node) -> Any:
    x, y = n[0], n[1]
    return truncated_divide(x, y) if x.dtype.is_integer else op.divide(x, y)


def _mod(n: Node) -> Any:
    x, y = n[0], n[1]
    rest = op.remainder(x, y)
    if not n.attribute("fmod", 0):
        return rest
    apart = op.logical_and(op.not_equal(rest, 0), op.logical_xor(x < 0, y < 0))
    return op.where(apart, rest - y, rest)


def _pow(n: Node) -> Any:
    x, y = n[0], n[1]
    if x.dtype is y.dtype:
        return op.pow(x, y)
    if x.dtype.is_integer and y.dtype.is_floating:
        return op.cast(op.pow(op.cast(x, dt.float64), op.cast(y, dt.float64)), x.dtype)
    return op.pow(x, op.cast(y, x.dtype))


def _clip(n: Node) -> Any:
    x = n[0]
    low = n.get(1) if n.version >= 11 else n.attribute("min")
    high = n.get(2) if n.version >= 11 else n.attribute("max")
    if low is not None:
        x = op.maximum(x, low)
    return x if high is None else op.minimum(x, high)


def cast_to(x: Any, dtype: Any) -> Any:
    """A cast; from floats to narrow integers by way of int64, as C does where the value fits."""
    if x.dtype is dtype:
        return rows.assign(x)
    if x.dtype.is_floating and dtype in dt.SHORT_INTEGERS:
        x = op.cast(x, dt.int64)
    return op.cast(x, dtype)


def _bit_shift(n: Node) -> Any:
    """Shifts by the width or more leave zeros, or ones where a negative number moves right."""
    x, by = n[0], n[1]
    width = 8 * x.dtype.itemsize
    within = op.minimum(by, width - 1)
    if n.required("direction") == b"LEFT":
        return op.where(by < width, op.bitwise_left_shift(x, within), op.zeros_like(x))
    moved = op.bitwise_right_shift(x, within)
    return op.where(by < width, moved, op.zeros_like(x)) if x.dtype.is_unsigned else moved


def _is_inf(n: Node) -> Any:
    x, inf = n[0], math.inf
    if not x.dtype.is_floating:
        return op.isinf(x)
    if not n.attribute("detect_negative", 1):
        return op.logical_and(op.isinf(x), x > 0) if n.attribute("detect_positive", 1) else op.greater_than(x, inf)
    return op.isinf(x) if n.attribute("detect_positive", 1) else op.logical_and(op.isinf(x), x < 0)


def _with(function: Callable[..., Any], **defaults: float) -> Importer:
    """`function(x, …)` with float attributes of these names and defaults."""

    def read(n: Node) -> Any:
        x = n[0]
        wide = op.cast(x, dt.float32) if x.dtype in LOW_FLOATS else x  # rounded once, at the end
        made = function(wide, *(float(n.attribute(k, v)) for k, v in defaults.items()))
        return made if made.dtype is x.dtype else op.cast(made, x.dtype)

    return read


def _hard_sigmoid(x: Any, alpha: float, beta: float) -> Any:
    return op.clip(x * alpha + beta, 0.0, 1.0)


def _elu(x: Any, alpha: float) -> Any:
    return op.where(x < 0, (op.exp(op.minimum(x, 0.0)) - 1.0) * alpha, x)


def _selu(x: Any, alpha: float, gamma: float) -> Any:
    return _elu(x, alpha) * gamma


def _celu(x: Any, alpha: float) -> Any:
    return op.maximum(x, 0.0) + op.minimum(0.0, (op.exp(x / alpha) - 1.0) * alpha)


def _leaky(x: Any, alpha: float) -> Any:
    return op.where(x < 0, x * alpha, x)


def _thresholded(x: Any, alpha: float) -> Any:
    return op.where(x > alpha, x, 0.0)


def _shrink(x: Any, bias: float, lambd: float) -> Any:
    return op.where(x < -lambd, x + bias, op.where(x > lambd, x - bias, op.zeros_like(x)))


def _swish(x: Any, alpha: float) -> Any:
    return x * op.sigmoid(x * alpha)


def _gelu(n: Node) -> Any:
    return op.gelu(n[0], n.attribute("approximate", b"none") == b"tanh")


def _prelu(n: Node) -> Any:
    return op.where(n[0] < 0, n[0] * n[1], n[0])


def _softplus(n: Node) -> Any:
    x = n[0]
    return op.maximum(x, 0.0) + op.log1p(op.exp(-op.abs(x)))


def _mish(n: Node) -> Any:
    return n[0] * op.tanh(_softplus(n))


def _cast(n: Node) -> Any:
    return cast_to(n[0], element_type(n.required("to"), n.shown))


def _bit_cast(n: Node) -> Any:
    dtype = element_type(n.required("to"), n.shown)
    if dtype.itemsize != n[0].dtype.itemsize:
        raise n.refuse(f"{n[0].dtype.name} as {dtype.name}")
    return rows.bitcast(n[0], dtype)


def _cast_like(n: Node) -> Any:
    return cast_to(n[0], n[1].dtype)


def _identity(n: Node) -> Any:
    return n[0]


def _bits(whole: str, truth: str) -> Importer:
    def read(n: Node) -> Any:
        return getattr(op, truth if n[0].dtype.is_bool else whole)(*n.given)

    return read


def _sign_or_truth(n: Node) -> Any:
    return op.where(op.isnan(n[0]), n[0], op.sign(n[0])) if n[0].dtype.is_floating else op.sign(n[0])


def _hard_swish(n: Node) -> Any:
    return n[0] * _hard_sigmoid(n[0], 1.0 / 6.0, 0.5)


def _dropout(n: Node) -> Any:
    """For inference it hands its input on; the mask is all true. In training it drops and scales."""
    x = n[0]
    training = n.has(2) and bool(np.ravel(n.constant(2, "training_mode"))[0])
    ratio = float(np.ravel(n.constant(1, "ratio"))[0]) if training and n.has(1) else 0.5
    if not training or not ratio:
        return (x, op.full(x.shape, True, dt.bool_)) if n.wants(1) else x
    kept = rows.uniform(n.graph.model.random(n, product(x.shape)), x.shape, dt.float32, 0.0, 1.0) >= ratio
    dropped = op.where(kept, x / (1.0 - ratio) if ratio < 1.0 else x, op.zeros_like(x))
    return dropped, kept


UNARY = {
    "Abs": "abs", "Acos": "acos", "Acosh": "acosh", "Asin": "asin", "Asinh": "asinh", "Atan": "atan",
    "Atanh": "atanh", "Ceil": "ceil", "Cos": "cos", "Cosh": "cosh", "Erf": "erf", "Exp": "exp", "Floor": "floor",
    "IsNaN": "isnan", "Log": "log", "Neg": "neg", "Not": "logical_not", "Reciprocal": "reciprocal", "Relu": "relu",
    "Round": "round", "Sigmoid": "sigmoid", "Sin": "sin", "Sinh": "sinh", "Softsign": "softsign", "Sqrt": "sqrt",
    "Tan": "tan", "Tanh": "tanh",
}  # fmt: skip
BINARY = {
    "Add": "add", "And": "logical_and", "Equal": "equal", "Greater": "greater_than",
    "GreaterOrEqual": "greater_equal", "Less": "less_than", "LessOrEqual": "less_equal", "Mul": "multiply",
    "Or": "logical_or", "Sub": "subtract", "Where": "where", "Xor": "logical_xor",
}  # fmt: skip

ROWS: dict[str, Importer] = {
    **{name: direct(ours) for name, ours in (UNARY | BINARY).items()},
    "BitCast": _bit_cast,
    "BitShift": _bit_shift,
    "BitwiseAnd": _bits("bitwise_and", "logical_and"),
    "BitwiseNot": _bits("bitwise_not", "logical_not"),
    "BitwiseOr": _bits("bitwise_or", "logical_or"),
    "BitwiseXor": _bits("bitwise_xor", "logical_xor"),
    "Cast": _cast,
    "CastLike": _cast_like,
    "Celu": _with(_celu, alpha=1.0),
    "Clip": _clip,
    "Div": _div,
    "Dropout": _dropout,
    "Elu": _with(_elu, alpha=1.0),
    "Gelu": _gelu,
    "HardSigmoid": _with(_hard_sigmoid, alpha=0.2, beta=0.5),
    "HardSwish": _hard_swish,
    "Identity": _identity,
    "IsInf": _is_inf,
    "LeakyRelu": _with(_leaky, alpha=0.01),
    "Max": _folded("maximum"),
    "Mean": _mean,
    "Min": _folded("minimum"),
    "Mish": _mish,
    "Mod": _mod,
    "PRelu": _prelu,
    "Pow": _pow,
    "Selu": _with(_selu, alpha=1.67326319217681884765625, gamma=1.05070102214813232421875),
    "Shrink": _with(_shrink, bias=0.0, lambd=0.5),
    "Sign": _sign_or_truth,
    "Softplus": _softplus,
    "Sum": _folded("add"),
    "Swish": _with(_swish, alpha=1.0),
    "ThresholdedRelu": _with(_thresholded, alpha=1.0),
}

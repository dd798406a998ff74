"""Elementwise operations: arithmetic, comparisons, activations, casts."""

from __future__ import annotations

from functools import reduce
from typing import Any

from ..paddle_call import OperatorCall, Reader, op, rows
from .paddle_row import Entry, entry

UNARY = (
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "exp", "expm1", "floor",
    "lgamma", "log", "log10", "log1p", "log2", "mish", "reciprocal", "relu", "relu6", "round", "rsqrt",
    "sigmoid", "sign", "silu", "sin", "sinh", "softsign", "sqrt", "square", "tan", "tanh", "trunc",
)  # fmt: skip
BINARY = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "maximum": "max", "minimum": "min",
    "pow": "pow", "remainder": "mod", "floor_divide": "floordiv", "fmax": "fmax", "fmin": "fmin",
}  # fmt: skip
COMPARISONS = ("equal", "not_equal", "less_than", "less_equal", "greater_than", "greater_equal")
LOGIC = ("logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor")


def plain(name: str) -> Reader:
    """The op `name` on the first input."""
    return lambda c: getattr(op, name)(c[0])


def aligned(c: OperatorCall) -> tuple[Any, Any]:
    """Both inputs; `axis` says where the axes of the second begin in the first."""
    x, y, axis = c[0], c[1], int(c.attribute("axis", -1))
    if axis >= 0 and y.ndim and axis + y.ndim < x.ndim:
        y = op.reshape(y, [*y.shape, *[1] * (x.ndim - axis - y.ndim)])
    return x, y


def _binary(name: str) -> Reader:
    return lambda c: getattr(op, name)(*aligned(c))


def _clip(c: OperatorCall) -> Any:
    x = c[0]
    low, high = c.scalar(1, "min"), c.scalar(2, "max")
    return op.clip(x, low, high)


def _scale(c: OperatorCall) -> Any:
    x, bias = c[0], c.attribute("bias", 0.0)
    factor = c.scalar(1, "scale", 1.0)
    if x.dtype.is_integer:
        factor, bias = (int(v) if isinstance(v, float) and v == int(v) else v for v in (factor, bias))
    after = bool(c.attribute("bias_after_scale", True))
    made = x * factor + bias if after else (x + bias) * factor
    return made if made.dtype is x.dtype else op.cast(made, x.dtype)


def _cast(c: OperatorCall) -> Any:
    return op.cast(c[0], c.dtype("dtype out_dtype"))


def _same(c: OperatorCall) -> Any:
    return rows.assign(c[0])


def _dropout(c: OperatorCall) -> Any:
    """For inference: the input, or in the older mode the input times what is kept on average."""
    if not c.attribute("is_test", False):
        raise c.refuse("dropout while training")
    c.without("dropout_prob p")
    if c.attribute("mode dropout_implementation", "downgrade_in_infer") == "upscale_in_train":
        return rows.assign(c[0])
    return c[0] * (1.0 - float(c.number(2, "dropout_prob", 0.5)))


def _hard_swish(c: OperatorCall) -> Any:
    offset, threshold = float(c.attribute("offset", 3.0)), float(c.attribute("threshold", 6.0))
    return c[0] * op.clip(c[0] + offset, 0.0, threshold) / float(c.attribute("scale", 6.0))


def _hard_sigmoid(c: OperatorCall) -> Any:
    return op.clip(c[0] * float(c.attribute("slope", 1 / 6)) + float(c.attribute("offset", 0.5)), 0.0, 1.0)


def _leaky_relu(c: OperatorCall) -> Any:
    return op.leaky_relu(c[0], float(c.attribute("negative_slope alpha", 0.02)))


def _gelu(c: OperatorCall) -> Any:
    return op.gelu(c[0], bool(c.attribute("approximate", False)))


def _elu(c: OperatorCall) -> Any:
    return op.elu(c[0], float(c.attribute("alpha", 1.0)))


def _swish(c: OperatorCall) -> Any:
    return c[0] * op.sigmoid(c[0] * float(c.attribute("beta", 1.0)))


def _softplus(c: OperatorCall) -> Any:
    return op.softplus(c[0], float(c.attribute("beta", 1.0)), float(c.attribute("threshold", 20.0)))


def _hard_tanh(c: OperatorCall) -> Any:
    return op.clip(c[0], float(c.attribute("t_min", 0.0)), float(c.attribute("t_max", 24.0)))


def _prelu(c: OperatorCall) -> Any:
    x, weight = c[0], c[1]
    if c.attribute("mode", "all") == "channel" and x.ndim > 2:
        last = not c.attribute("data_format", "NCHW").startswith("NC")
        weight = op.reshape(weight, [-1] if last else [-1, *[1] * (x.ndim - 2)])
    elif c.attribute("mode", "all") == "element":
        weight = op.reshape(weight, [1, *x.shape[1:]])
    return op.where(x < 0, x * weight, x)


def _power(c: OperatorCall) -> Any:
    factor = c.scalar(1, "y factor")
    if factor is None:
        raise c.refuse("a power without an exponent")
    if c[0].dtype.is_integer and isinstance(factor, float) and factor == int(factor):
        factor = int(factor)
    return op.pow(c[0], factor)


def _add_all(c: OperatorCall) -> Any:
    return reduce(lambda a, b: a + b, c.several(0))


def _swiglu(c: OperatorCall) -> Any:
    gate, up = (c[0], c[1]) if c.has(1) else op.split(c[0], 2, -1)
    return op.silu(gate) * up


ENTRIES: list[Entry] = [
    *(entry(plain(name), name) for name in UNARY),
    *(entry(_binary(ours), ours if ours != "pow" else "elementwise_pow", f"elementwise_{old}", "X Y")
      for ours, old in BINARY.items()),
    *(entry(_binary(name), name, None, "X Y") for name in (*COMPARISONS, *LOGIC)),
    *(entry(plain(ours), new, old) for new, old, ours in (
        ("logical_not", "logical_not", "logical_not"), ("bitwise_not", "bitwise_not", "bitwise_not"),
        ("isnan", "isnan_v2", "isnan"), ("isinf", "isinf_v2", "isinf"), ("isfinite", "isfinite_v2", "isfinite"),
        ("logsigmoid", "logsigmoid", "log_sigmoid"), ("tanh_shrink", "tanh_shrink", "tanhshrink"),
        ("selu", "selu", "selu"),
    )),
    entry(_add_all, "add_n", "sum", "X*"),
    entry(_cast, "cast"),
    entry(_clip, "clip", None, "X Min Max"),
    entry(_dropout, "dropout", None, "X Seed", "Out Mask"),
    entry(_elu, "elu"),
    entry(_gelu, "gelu"),
    entry(_hard_sigmoid, "hardsigmoid", "hard_sigmoid"),
    entry(_hard_swish, "hardswish", "hard_swish"),
    entry(_hard_tanh, "hardtanh", "brelu"),
    entry(_leaky_relu, "leaky_relu"),
    entry(_power, "pow", None, "X FactorTensor"),
    entry(_prelu, "prelu", None, "X Alpha"),
    entry(_same, "assign share_data memcpy memcpy_d2h memcpy_h2d print", "assign share_data memcpy print", "X|In"),
    entry(_scale, "scale", None, "X ScaleTensor"),
    entry(_softplus, "softplus"),
    entry(_swiglu, "swiglu", None, "x y", "out"),
    entry(_swish, "swish"),
]  # fmt: skip

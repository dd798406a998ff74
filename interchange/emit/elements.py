"""Elementwise ops whose ONNX form is more than one operator, or differs by dtype."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...ir.core import Operation
from ...jit.trace.known_values import known_sizes
from ..writer import Writer
from .kinds import Emitter


def direct(kind: str) -> Emitter:
    """One node of the operator `kind`, operands as they are."""

    def emit(w: Writer, o: Operation, *x: str) -> str:
        return w.node(kind, *x)

    return emit


def _composed(write: Any) -> Emitter:
    """A row from `write(node, number, *operands)`: node(kind, …) adds a node, number(n) is n in the operands' dtype."""

    def emit(w: Writer, o: Operation, *x: str) -> str:
        made: str = write(w.node, lambda n: w.like(n, o.operands[0]), *x)
        return made

    return emit


def _whole(kind: str) -> Emitter:
    """A rounding operator: integers stay."""

    def emit(w: Writer, o: Operation, x: str) -> str:
        return w.node(kind, x) if o.operands[0].dtype.is_floating else w.node("Identity", x)

    return emit


def _truncated(w: Writer, o: Operation, x: str) -> str:
    if not o.operands[0].dtype.is_floating:
        return w.node("Identity", x)
    return w.node("Where", w.node("Less", x, w.like(0, o.operands[0])), w.node("Ceil", x), w.node("Floor", x))


def _extremum(kind: str, on_bools: str) -> Emitter:
    def emit(w: Writer, o: Operation, x: str, y: str) -> str:
        return w.node(on_bools if o.operands[0].dtype.is_bool else kind, x, y)

    return emit


def _remainder(w: Writer, o: Operation, x: str, y: str) -> str:
    """Python's: the sign is the divisor's. ONNX has that for integers; for floats only C's."""
    if not o.operands[0].dtype.is_floating:
        return w.node("Mod", x, y)
    zero = w.like(0, o.operands[0])
    rest = w.node("Mod", x, y, fmod=1)
    apart = w.node("Less", w.node("Mul", w.node("Sign", rest), w.node("Sign", y)), zero)
    return w.node("Where", apart, w.node("Add", rest, y), rest)


def _floor_divide(w: Writer, o: Operation, x: str, y: str) -> str:
    if not o.operands[0].dtype.is_floating:
        is_size = known_sizes(o.result) is not None
        return w.quotient_of_sizes(x, y) if is_size else w.floor_divide(x, y, o.operands[0].dtype)
    return w.node("Round", w.node("Div", w.node("Sub", x, _remainder(w, o, x, y)), y))


def _bits(kind: str, on_bools: str) -> Emitter:
    def emit(w: Writer, o: Operation, *x: str) -> str:
        if o.operands[0].dtype.is_bool:
            return w.node(on_bools, *x)
        return w.node(kind, *x, since=18)

    return emit


def _clip(w: Writer, o: Operation, x: str) -> str:
    low, high = (w.like(o.attrs[k], o.operands[0]) for k in ("min", "max"))
    return w.node("Clip", x, low, high)


def _cast(w: Writer, o: Operation, x: str) -> str:
    return w.node("Cast", x, to=w.element_type(o.attrs["dtype"]))


def _softplus(w: Writer, o: Operation, x: str) -> str:
    beta, threshold = (w.like(o.attrs[k], o.operands[0]) for k in ("beta", "threshold"))
    scaled = w.node("Mul", x, beta)
    soft = w.node("Div", w.node("Softplus", scaled), beta)
    return w.node("Where", w.node("Greater", scaled, threshold), x, soft)


def _log1p(node: Any, number: Any, x: str) -> str:
    """Exact near 0 after Kahan: the rounding of 1 + x is taken back out."""
    one = number(1)
    total = node("Add", x, one)
    corrected = node("Div", node("Mul", node("Log", total), x), node("Sub", total, one))
    small = node("Where", node("Equal", total, one), x, corrected)
    return str(node("Where", node("Greater", x, one), node("Log", total), small))


def _expm1(node: Any, number: Any, x: str) -> str:
    """exp(x) - 1; near 0 as 2 exp(x / 2) sinh(x / 2), which doesn't cancel."""
    half = node("Mul", x, number(0.5))
    small = node("Mul", number(2), node("Mul", node("Exp", half), node("Sinh", half)))
    near = node("Less", node("Abs", x), number(1))
    return str(node("Where", near, small, node("Sub", node("Exp", x), number(1))))


def _atan2(node: Any, number: Any, y: str, x: str) -> str:
    zero, pi, half = number(0), number(math.pi), number(math.pi / 2)
    shifted = node("Where", node("Less", y, zero), node("Neg", pi), pi)
    quotient = node("Atan", node("Div", y, x))
    left = node("Where", node("Less", x, zero), node("Add", quotient, shifted), quotient)
    return str(node("Where", node("Equal", x, zero), node("Mul", node("Sign", y), half), left))


def _shift_left(w: Writer, o: Operation, x: str, y: str) -> str:
    """A product with a power of two, in int64 where Pow has no kernel for the dtype."""
    dtype = o.operands[0].dtype
    if dtype.itemsize >= 4:
        return w.node("Mul", x, w.node("Pow", w.like(2, o.operands[0]), y))
    wide = w.element_type(dt.int64)
    x, y = w.node("Cast", x, to=wide), w.node("Cast", y, to=wide)
    made = w.node("Mul", x, w.node("Pow", w.constant(np.int64(2)), y))
    return w.node("Cast", made, to=w.element_type(dtype))


def _comparison(kind: str) -> Emitter:
    """Order of bools is order of numbers."""

    def emit(w: Writer, o: Operation, *x: str) -> str:
        if not o.operands[0].dtype.is_bool:
            return w.node(kind, *x)
        return w.node(kind, *(w.node("Cast", name, to=w.element_type(dt.int32)) for name in x))

    return emit


def _neg(w: Writer, o: Operation, x: str) -> str:
    value = o.operands[0]
    return w.node("Sub", w.like(0, value), x) if value.dtype.is_unsigned else w.node("Neg", x)


def _logarithm(base: float) -> Emitter:
    return _composed(lambda node, number, x: node("Mul", node("Log", x), number(1 / math.log(base))))


def _finite(w: Writer, o: Operation, x: str) -> str:
    if not o.operands[0].dtype.is_floating:
        return w.node("Equal", x, x)
    return w.node("Not", w.node("Or", w.node("IsInf", x), w.node("IsNaN", x)))


def _of_floats(kind: str) -> Emitter:
    """A predicate that is false for all integers."""

    def emit(w: Writer, o: Operation, x: str) -> str:
        if o.operands[0].dtype.is_floating:
            return w.node(kind, x)
        return w.node("Not", w.node("Equal", x, x))

    return emit


def _with_slope(kind: str, attribute: str) -> Emitter:
    def emit(w: Writer, o: Operation, x: str) -> str:
        return w.node(kind, x, alpha=float(o.attrs[attribute]))

    return emit


def _multiply(w: Writer, o: Operation, x: str, y: str) -> str:
    return w.node("And" if o.operands[0].dtype.is_bool else "Mul", x, y)


def _add(w: Writer, o: Operation, x: str, y: str) -> str:
    return w.node("Or" if o.operands[0].dtype.is_bool else "Add", x, y)


def _signbit(w: Writer, o: Operation, x: str) -> str:
    value = o.operands[0]
    zero = w.like(0, value)
    if not value.dtype.is_floating:
        return w.node("Less", x, zero)
    inverse = w.node("Reciprocal", x)  # of -0.0 it is -inf
    return w.node("Less", w.node("Where", w.node("Equal", x, zero), inverse, x), zero)


ROWS: dict[str, Emitter] = {
    "add": _add,
    "assign": direct("Identity"),
    "atan2": _composed(_atan2),
    "bitwise_and": _bits("BitwiseAnd", "And"),
    "bitwise_not": _bits("BitwiseNot", "Not"),
    "bitwise_or": _bits("BitwiseOr", "Or"),
    "bitwise_xor": _bits("BitwiseXor", "Xor"),
    "cast": _cast,
    "ceil": _whole("Ceil"),
    "clip": _clip,
    "elu": _with_slope("Elu", "alpha"),
    "expm1": _composed(_expm1),
    "floor": _whole("Floor"),
    "floor_divide": _floor_divide,
    "greater_equal": _comparison("GreaterOrEqual"),
    "greater_than": _comparison("Greater"),
    "isfinite": _finite,
    "isinf": _of_floats("IsInf"),
    "isnan": _of_floats("IsNaN"),
    "leaky_relu": _with_slope("LeakyRelu", "negative_slope"),
    "less_equal": _comparison("LessOrEqual"),
    "less_than": _comparison("Less"),
    "log10": _logarithm(10),
    "log1p": _composed(_log1p),
    "log2": _logarithm(2),
    "maximum": _extremum("Max", "Or"),
    "minimum": _extremum("Min", "And"),
    "multiply": _multiply,
    "neg": _neg,
    "not_equal": _composed(lambda node, number, x, y: node("Not", node("Equal", x, y))),
    "remainder": _remainder,
    "round": _whole("Round"),
    "rsqrt": _composed(lambda node, number, x: node("Reciprocal", node("Sqrt", x))),
    "shift_left": _shift_left,
    "signbit": _signbit,
    "softplus": _softplus,
    "square": _composed(lambda node, number, x: node("Mul", x, x)),
    "stop_gradient": direct("Identity"),
    "trunc": _truncated,
}

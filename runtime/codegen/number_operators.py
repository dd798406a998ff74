"""Python's operators on numbers of kernels, and conversions, as LLVM.

Integers are 64 bits wide in arithmetic, unsigned if both operands are; a bool is an integer. Signed sums, differences
and products are taken not to overflow, which is so for indices (of a user's numbers `wrapping_add` and the like must be
said). Division is Python's: rounded downwards, 0 by 0.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ...base.errors import KernelError
from .kernel_types import (
    BOOLEAN,
    FLOAT64,
    INT8,
    INT32,
    INT64,
    UINT64,
    Boolean,
    FlaggedBuilder,
    Float,
    Integer,
    IntegerLiteral,
    Kind,
    PointerKind,
    Typed,
    unified,
)
from .prelude import basic, integers, powers, wide_conversions
from .prelude.emit import ScalarValue

_SUMS = {"+": "add", "-": "sub", "*": "mul"}
_BITS = {"&": "and_", "|": "or_", "^": "xor"}
_RELATIONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
_LARGEST_EXACT = 2**24  # integers up to here are floats of 32 bits
_LARGEST_SINGLE = 3.0e38
_MOST_FACTORS = 64  # of a power that is written as products


def binary(build: FlaggedBuilder, symbol: str, left: Typed, right: Typed) -> Typed:
    """`left symbol right`. Errors: KernelError for operands without that operator."""
    if symbol in _RELATIONS:
        return compared(build, symbol, left, right)
    if symbol in ("<<", ">>"):
        return _shifted(build, symbol, left, right)
    if symbol == "**":
        return _power(build, left, right)
    kind = _arithmetic(symbol, left[1], right[1])
    if symbol == "/" and not isinstance(kind, Float):
        kind = FLOAT64
    a, b = (cast(build, value, given, kind) for value, given in (left, right))
    if symbol in _BITS:
        return getattr(build, _BITS[symbol])(a, b), kind
    if isinstance(kind, Float):
        return _of_floats(build, symbol, a, b), kind
    assert isinstance(kind, Integer)
    if symbol in _SUMS:
        return getattr(build, _SUMS[symbol])(a, b, flags=("nsw",) if kind.signed else ()), kind
    divide = integers.floor_div if symbol == "//" else integers.mod
    return divide(ScalarValue(build, a), ScalarValue(build, b), signed=kind.signed).llvm, kind


def _arithmetic(symbol: str, a: Kind, b: Kind) -> Kind:
    """The type in which two operands are added, divided or joined bit by bit."""
    found = unified(a, b)
    if found is None or (symbol in _BITS and isinstance(found, Float)):
        raise KernelError(f"kernels have no `{symbol}` of {a} and {b}")
    plain = (a.plain, b.plain)
    if any(isinstance(kind, Float) for kind in plain):
        return found
    if symbol in _BITS and found == BOOLEAN:
        return found
    return UINT64 if all(isinstance(k, Integer) and not k.signed for k in plain) else INT64


def _of_floats(build: FlaggedBuilder, symbol: str, a: ir.Value, b: ir.Value) -> ir.Value:
    if symbol in _SUMS:
        return getattr(build, f"f{_SUMS[symbol]}")(a, b, flags=build.flags)
    if symbol == "/":
        return build.fdiv(a, b, flags=build.flags)
    divide = basic.floor_div if symbol == "//" else basic.mod
    return divide(ScalarValue(build, a), ScalarValue(build, b)).llvm


def _shifted(build: FlaggedBuilder, symbol: str, left: Typed, right: Typed) -> Typed:
    number = left[1].plain
    number = INT8 if isinstance(number, Boolean) else number
    if not isinstance(number, Integer) or not isinstance(right[1].plain, Integer | Boolean):
        raise KernelError(f"kernels have no `{symbol}` of {left[1]} and {right[1]}")
    kind = INT64 if number.signed else UINT64
    value, count = cast(build, *left, kind), cast(build, *right, kind)
    if symbol == "<<":
        return build.shl(value, count), kind
    return (build.ashr if number.signed else build.lshr)(value, count), kind


def _power(build: FlaggedBuilder, left: Typed, right: Typed) -> Typed:
    exponent, kind = right[1], left[1].plain
    if isinstance(exponent, IntegerLiteral) and isinstance(kind, Float) and 0 <= exponent.value <= _MOST_FACTORS:
        made: Typed = (ir.Constant(kind.llvm, 1.0), kind)
        for _ in range(exponent.value):
            made = binary(build, "*", made, left)
        return made
    common = _arithmetic("**", left[1], right[1])
    a, b = (ScalarValue(build, cast(build, value, given, common)) for value, given in (left, right))
    if isinstance(common, Float):
        return powers.pow(a, b).llvm, common
    return integers.power(a, b, signed=common == INT64).llvm, common


def compared(build: FlaggedBuilder, symbol: str, left: Typed, right: Typed) -> Typed:
    """A comparison: false for NaN, but for `!=`. Errors: KernelError."""
    kind = unified(left[1], right[1])
    if kind is None or isinstance(kind, PointerKind):
        raise KernelError(f"kernels have no `{symbol}` of {left[1]} and {right[1]}")
    a, b = (cast(build, value, given, kind) for value, given in (left, right))
    if isinstance(kind, Float):
        compare = build.fcmp_unordered if symbol == "!=" else build.fcmp_ordered
        return compare(symbol, a, b, flags=build.flags), BOOLEAN
    is_signed = isinstance(kind, Integer) and kind.signed and symbol not in ("==", "!=")
    return (build.icmp_signed if is_signed else build.icmp_unsigned)(symbol, a, b), BOOLEAN


def unary(build: FlaggedBuilder, symbol: str, operand: Typed) -> Typed:
    """`-x` or `~x`. Errors: KernelError."""
    value, kind = operand[0], operand[1].plain
    if isinstance(kind, Boolean):
        if symbol == "~":
            return build.not_(value), BOOLEAN
        value, kind = cast(build, value, kind, INT64), INT64
    if isinstance(kind, Float) and symbol != "~":
        return build.fneg(value), kind
    if not isinstance(kind, Integer):
        raise KernelError(f"kernels have no `{symbol}` of {kind}")
    # In the operand's own width, so that it wraps around as the operand does.
    made = (build.neg if symbol == "-" else build.not_)(value)
    wide = INT64 if kind.signed else UINT64
    return cast(build, made, kind, wide), wide


def magnitude(build: FlaggedBuilder, operand: Typed) -> Typed:
    """`abs(x)`. Errors: KernelError."""
    value, kind = operand[0], operand[1].plain
    if isinstance(kind, Float):
        return basic.abs(ScalarValue(build, value)).llvm, kind
    if isinstance(kind, Boolean):
        value, kind = cast(build, value, kind, INT8), INT8
    if not isinstance(kind, Integer):
        raise KernelError(f"kernels have no `abs` of {kind}")
    if not kind.signed:
        return value, kind
    is_below = build.icmp_signed("<", value, ir.Constant(value.type, 0))
    return build.select(is_below, build.neg(value), value), kind


def truth(build: FlaggedBuilder, operand: Typed) -> ir.Value:
    """Whether a number isn't 0, as one bit; a NaN isn't. Errors: KernelError."""
    value, kind = operand[0], operand[1].plain
    if isinstance(kind, Boolean):
        return value
    if isinstance(kind, Float):
        return build.fcmp_unordered("!=", value, ir.Constant(value.type, 0.0), flags=build.flags)
    if isinstance(kind, Integer):
        return build.icmp_unsigned("!=", value, ir.Constant(value.type, 0))
    raise KernelError(f"{kind} is no condition")


def cast(build: FlaggedBuilder, value: ir.Value, given: Kind, wanted: Kind) -> ir.Value:
    """A value in another type, as C converts. Errors: KernelError."""
    given, wanted = given.plain, wanted.plain
    if given == wanted:
        return value
    if isinstance(value, ir.Constant) and (known := _constant(value.constant, wanted)) is not None:
        return known
    if isinstance(wanted, Boolean):
        return truth(build, (value, given))
    if isinstance(given, Boolean):
        return cast(build, build.zext(value, ir.IntType(32)), INT32, wanted)
    if isinstance(given, Integer) and isinstance(wanted, Integer):
        if wanted.bits == given.bits:
            return value
        widen = build.sext if given.signed else build.zext
        return (build.trunc if wanted.bits < given.bits else widen)(value, wanted.llvm)
    if isinstance(given, Float) and isinstance(wanted, Float):
        return (build.fpext if given.bits < wanted.bits else build.fptrunc)(value, wanted.llvm)
    if isinstance(given, Integer) and isinstance(wanted, Float):
        in_parts = build.abreast and (given, wanted) == (INT64, FLOAT64) and wide_conversions.converts_in_parts()
        if in_parts and not wide_conversions.is_widened(value):
            return wide_conversions.wide_to_float(ScalarValue(build, value)).llvm
        return (build.sitofp if given.signed else build.uitofp)(value, wanted.llvm)
    if isinstance(given, Float) and isinstance(wanted, Integer):
        return (build.fptosi if wanted.signed else build.fptoui)(value, wanted.llvm)
    raise KernelError(f"{given} isn't converted to {wanted}")


def _constant(number: Any, wanted: Kind) -> ir.Constant | None:
    """A literal in another type, where that is exact or rounded as the conversion rounds."""
    if type(number) is int and abs(number) <= _LARGEST_EXACT:
        if isinstance(wanted, Float):
            return ir.Constant(wanted.llvm, float(number))
        if isinstance(wanted, Integer) and 0 <= number < 2 ** (wanted.bits - 1):
            return ir.Constant(wanted.llvm, number)
    if type(number) is float and isinstance(wanted, Float) and abs(number) < _LARGEST_SINGLE:
        return ir.Constant(wanted.llvm, number)
    return None


def literal(number: Any) -> Typed:
    """A number that a kernel's text says."""
    if type(number) is bool:
        return ir.Constant(BOOLEAN.llvm, int(number)), BOOLEAN
    if type(number) is float:
        return ir.Constant(FLOAT64.llvm, number), FLOAT64
    kind = IntegerLiteral(number)
    return ir.Constant(kind.llvm, number), kind

"""Division, powers and extremes of integers: Python's signs, NumPy's x // 0 == x % 0 == 0, wrap-around."""

from __future__ import annotations

from llvmlite import ir

from ..target_machine import computes_wide_integers, converts_wide_integers
from .emit import F32, F64, ScalarValue, intrinsic, nearest, select
from .wide_conversions import converts_in_parts, float_to_wide, wide_to_float


def _quotient_remainder(x: ScalarValue, y: ScalarValue, *, signed: bool) -> tuple[ScalarValue, ScalarValue]:
    """The machine's division, without its traps: 0 and (for the least integer) -1 as divisors."""
    builder = x.builder
    zero = y.equals(0)
    if not signed:
        safe = select(zero, 1, y)
        q, r = x.new(builder.udiv(x.llvm, safe.llvm)), x.new(builder.urem(x.llvm, safe.llvm))
        return select(zero, 0, q), select(zero, 0, r)
    minus_one = y.equals(-1)
    safe = select(zero | minus_one, 1, y)
    q = x.new(builder.sdiv(x.llvm, safe.llvm))
    q = select(minus_one, -x, select(zero, 0, q))
    return q, select(zero | minus_one, 0, x.new(builder.srem(x.llvm, safe.llvm)))


def floor_div(x: ScalarValue, y: ScalarValue, *, signed: bool = True) -> ScalarValue:
    """x // y."""
    q, r = _quotient_remainder(x, y, signed=signed)
    return select(_inexact_below(r, y), q - 1, q) if signed else q


def mod(x: ScalarValue, y: ScalarValue, *, signed: bool = True) -> ScalarValue:
    """x % y, with the sign of y."""
    _, r = _quotient_remainder(x, y, signed=signed)
    return select(_inexact_below(r, y), r + y, r) if signed else r


def _inexact_below(r: ScalarValue, y: ScalarValue) -> ScalarValue:
    return ~r.equals(0) & ((r ^ y) < 0)


# ---- the same for loops that become vectors: CPUs divide vectors of floats, not of integers

_EXACT = {8: F32, 16: F32, 32: F64}  # formats whose quotients of such integers are next to no wrong integer


def abreast_floor_div(x: ScalarValue, y: ScalarValue, *, signed: bool = True) -> ScalarValue:
    """`floor_div`, as a vector's operations."""
    if (divisor := _multiplied(x, y, signed)) is not None:
        return _by_products(x, divisor)[0]
    if _is_machines(x, y):
        return floor_div(x, y, signed=signed)
    if x.type.width == 64:
        return _floored(x, y)[0]
    q, r = _by_floats(x, y, signed=signed)
    return select(_inexact_below(r, y), q - 1, q) if signed else q


def abreast_mod(x: ScalarValue, y: ScalarValue, *, signed: bool = True) -> ScalarValue:
    """`mod`, as a vector's operations."""
    if (divisor := _multiplied(x, y, signed)) is not None:
        return _by_products(x, divisor)[1]
    if _is_machines(x, y):
        return mod(x, y, signed=signed)
    if x.type.width == 64:
        return _floored(x, y)[1]
    _, r = _by_floats(x, y, signed=signed)
    return select(_inexact_below(r, y), r + y, r) if signed else r


def _is_machines(x: ScalarValue, y: ScalarValue) -> bool:
    """Whether the machine's division is left to LLVM: it multiplies or shifts instead where it knows the divisor."""
    wide, known = x.type.width == 64, isinstance(y.llvm, ir.Constant)
    if known:
        return not wide or y.llvm.constant & (y.llvm.constant - 1) == 0 or not converts_wide_integers()
    return wide and not computes_wide_integers()


def _multiplied(x: ScalarValue, y: ScalarValue, signed: bool) -> int | None:
    """The divisor of 64-bit integers, if it is known and products of halves give the quotient.

    LLVM multiplies by its inverse, too, but asks for the upper 64 bits of a product, which CPUs have no vectors of.
    """
    if not (signed and x.type.width == 64 and isinstance(y.llvm, ir.Constant) and converts_in_parts()):
        return None
    divisor: int = y.llvm.constant
    return divisor if divisor > 0 and divisor & (divisor - 1) else None


def _by_products(x: ScalarValue, divisor: int) -> tuple[ScalarValue, ScalarValue]:
    """x // divisor and x % divisor by a product with 2**(63 + bits) / divisor, rounded up, which has at most 64 bits.

    It is above by less than 2**bits / divisor of a unit, which the product with 63 bits leaves below the next quotient.
    Negative numbers are taken as what lies as far above 0 as they below -1: ~(~x // divisor) is x // divisor.
    """
    bits, half = divisor.bit_length(), (1 << 32) - 1
    factor = (1 << (63 + bits)) // divisor + 1
    sign = x >> 63
    number = x ^ sign
    low, high = number & half, number.shift_right_zero(32)
    lows, inner, outer = low * (factor & half), high * (factor & half), low * (factor >> 32)
    middle = lows.shift_right_zero(32) + (inner & half) + outer
    upper = high * (factor >> 32) + inner.shift_right_zero(32) + middle.shift_right_zero(32)
    q = upper.shift_right_zero(bits - 1) ^ sign
    if divisor > half:
        return q, x - q * divisor
    return q, (x - (q & half) * divisor) & half  # the halves of what is less than a half


def _by_floats(x: ScalarValue, y: ScalarValue, *, signed: bool) -> tuple[ScalarValue, ScalarValue]:
    """`_quotient_remainder` for at most 32 bits: the rounded quotient of such numbers reaches no further integer."""
    zero, form = y.equals(0), _EXACT[x.type.width]
    minus_one = y.equals(-1) if signed else None
    safe = select(zero if minus_one is None else zero | minus_one, 1, y)
    a, b = (v.int_to_float(form, signed=signed) for v in (x, safe))
    q = (a / b).float_to_int(x.type, signed=signed)
    r = x - q * safe
    if minus_one is not None:
        q = select(minus_one, -x, q)
    return select(zero, 0, q), r


def _floored(x: ScalarValue, y: ScalarValue) -> tuple[ScalarValue, ScalarValue]:
    """x // y and x % y of 64 bits: two quotients of rounded numbers, the second of what the first leaves.

    A quotient is off by 2**-51 of itself, so that the first remainder is less than 2**12 + |y| and never overflows, and
    the second is off by less than 2**-38: after it at most one divisor is too much, or missing.
    """
    zero, one, minus_one = y.equals(0), y.equals(1), y.equals(-1)
    plain = zero | one | minus_one
    safe = select(plain, 2, y)  # then no quotient overflows
    q, r = _converted(x, safe) if converts_wide_integers() else _taken_apart(x, safe)
    missing = _inexact_below(r, safe)
    q, r = select(missing, q - 1, q), select(missing, r + safe, r)
    return select(plain, select(zero, 0, select(one, x, -x)), q), select(plain, 0, r)


def _converted(x: ScalarValue, y: ScalarValue) -> tuple[ScalarValue, ScalarValue]:
    """A quotient, rounded down or up, and its remainder, by the CPU's conversions."""
    inverse = 1.0 / y.int_to_float(F64)
    q = (x.int_to_float(F64) * inverse).float_to_int(x.type)
    r = x - q * y
    more = intrinsic("floor", r.int_to_float(F64) * inverse).float_to_int(x.type)
    q, r = q + more, r - more * y
    rest = r - y
    over = ~_inexact_below(r, y) & ~r.equals(0) & (rest.equals(0) | ((rest ^ y) >= 0))
    return select(over, q + 1, q), select(over, rest, r)


def _taken_apart(x: ScalarValue, y: ScalarValue) -> tuple[ScalarValue, ScalarValue]:
    """The same where the CPU converts no vectors of 64 bits: quotients are the nearest, so that none is too small."""
    inverse = 1.0 / wide_to_float(y)
    q = float_to_wide(wide_to_float(x) * inverse)
    r = x - q * y
    more = nearest(wide_to_float(r) * inverse)[1] - F64.big_bits
    return q + more, r - more * y


def maximum(x: ScalarValue, y: ScalarValue, *, signed: bool = True) -> ScalarValue:
    """The larger."""
    return select(_greater(x, y, signed), x, y)


def minimum(x: ScalarValue, y: ScalarValue, *, signed: bool = True) -> ScalarValue:
    """The smaller."""
    return select(_greater(x, y, signed), y, x)


def _greater(x: ScalarValue, y: ScalarValue, signed: bool) -> ScalarValue:
    return x > y if signed else x.new(x.builder.icmp_unsigned(">", x.llvm, y.llvm))


def _inside(x: ScalarValue, y: ScalarValue) -> tuple[ScalarValue, ScalarValue]:
    """Whether a count of places is one that the machine shifts by, and a count that is."""
    inside = y.new(y.builder.icmp_unsigned("<", y.llvm, ir.Constant(y.type, x.type.width)))
    return inside, select(inside, y, 0)


def shift_left(x: ScalarValue, y: ScalarValue, *, signed: bool = True) -> ScalarValue:
    """x << y; 0 for counts outside of the number's bits, as in NumPy."""
    inside, count = _inside(x, y)
    return select(inside, x << count, 0)


def shift_right(x: ScalarValue, y: ScalarValue, *, signed: bool = True) -> ScalarValue:
    """x >> y; only signs for counts outside of the number's bits, as in NumPy."""
    if not signed:
        return shift_right_logical(x, y)
    inside, count = _inside(x, y)
    return x >> select(inside, count, x.type.width - 1)


def shift_right_logical(x: ScalarValue, y: ScalarValue, *, signed: bool = True) -> ScalarValue:
    """The bits of x moved to the right, zeros behind them; 0 for counts outside of the number's bits."""
    inside, count = _inside(x, y)
    return select(inside, x.shift_right_zero(count), 0)


def greatest_divisor(x: ScalarValue, y: ScalarValue, *, signed: bool = True) -> ScalarValue:
    """The greatest common divisor, by Euclid's algorithm; 0 of 0 and 0. A loop: not vectorised."""
    builder = x.builder
    a, b = (select(v < 0, -v, v) if signed else v for v in (x, y))
    before = builder.block
    body, done = builder.append_basic_block("gcd.body"), builder.append_basic_block("gcd.done")
    builder.cbranch(b.equals(0).llvm, done, body)
    builder.position_at_end(body)
    large, small = builder.phi(x.type), builder.phi(x.type)
    rest = x.new(builder.urem(large, small))
    for phi, start, following in ((large, a, x.new(small)), (small, b, rest)):
        phi.add_incoming(start.llvm, before)
        phi.add_incoming(following.llvm, body)
    builder.cbranch(rest.equals(0).llvm, done, body)
    builder.position_at_end(done)
    answer = builder.phi(x.type)
    answer.add_incoming(a.llvm, before)
    answer.add_incoming(small, body)
    return x.new(answer)


def least_multiple(x: ScalarValue, y: ScalarValue, *, signed: bool = True) -> ScalarValue:
    """The least common multiple; 0 where one is 0."""
    divisor = greatest_divisor(x, y, signed=signed)
    safe = select(divisor.equals(0), 1, divisor)
    a, b = (select(v < 0, -v, v) if signed else v for v in (x, y))
    return x.new(x.builder.udiv(a.llvm, safe.llvm)) * b


def power(x: ScalarValue, y: ScalarValue, *, signed: bool = True) -> ScalarValue:
    """x**y by squaring, wrapping; 0 for a negative exponent except from 1 and -1. A loop: not vectorised."""
    builder = x.builder
    before = builder.block
    body, done = builder.append_basic_block("pow.body"), builder.append_basic_block("pow.done")
    builder.cbranch(y.equals(0).llvm, done, body)
    builder.position_at_end(body)
    result, base, left = (builder.phi(x.type) for _ in range(3))
    odd = ~(y.new(left) & 1).equals(0)
    next_result = select(odd, x.new(result) * x.new(base), x.new(result))
    next_base = x.new(base) * x.new(base)
    next_left = y.new(left).shift_right_zero(1)
    for phi, start, following in ((result, x.constant(1), next_result), (base, x, next_base), (left, y, next_left)):
        phi.add_incoming(start.llvm, before)
        phi.add_incoming(following.llvm, body)
    builder.cbranch(next_left.equals(0).llvm, done, body)
    builder.position_at_end(done)
    answer = builder.phi(x.type)
    answer.add_incoming(ir.Constant(x.type, 1), before)
    answer.add_incoming(next_result.llvm, body)
    value = x.new(answer)
    if not signed:
        return value
    # An exponent's low bits say what powers of -1 are, negative or not.
    unit = x.equals(1) | x.equals(-1)
    return select((y < 0) & ~unit, 0, value)

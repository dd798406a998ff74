"""Rounding, sign, extremes, tests, remainders: exact unless a docstring says otherwise."""

from __future__ import annotations

import math

from llvmlite.binding import llvm_version_info
from llvmlite.ir.instructions import FastMathFlags

from .emit import Format, ScalarValue, fma, intrinsic, select
from .rare import by_c_library

# LLVM vectorises max reductions written with its own instruction (36 times as fast); older ones can't lower it for x86.
_HAS_MAXIMUM = llvm_version_info >= (18, 0, 0)
# Rounds of remainder reduction; each takes mantissa + 1 bits off the quotient.
_MOD_ROUNDS = {"f32": 3, "f64": 2}


def sqrt(x: ScalarValue) -> ScalarValue:
    """Square root. Error: 0.5 ulp."""
    return intrinsic("sqrt", x)


def rsqrt(x: ScalarValue) -> ScalarValue:
    """1 / sqrt(x). Error: 1.5 ulp."""
    return 1.0 / intrinsic("sqrt", x)


def floor(x: ScalarValue) -> ScalarValue:
    """The integer below."""
    return intrinsic("floor", x)


def ceil(x: ScalarValue) -> ScalarValue:
    """The integer above."""
    return intrinsic("ceil", x)


def trunc(x: ScalarValue) -> ScalarValue:
    """The integer towards 0."""
    return intrinsic("trunc", x)


def round(x: ScalarValue) -> ScalarValue:
    """The nearest integer, halves to even."""
    return intrinsic("rint", x)


def abs(x: ScalarValue) -> ScalarValue:
    """Magnitude."""
    return x.magnitude()


def sign(x: ScalarValue) -> ScalarValue:
    """-1, 0 or 1; NaN stays."""
    y = select(x < 0.0, x.constant(-1.0), select(x > 0.0, x.constant(1.0), 0.0))
    return select(x.is_nan(), x, y)


def copysign(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """The magnitude of x with the sign of y."""
    return x.signed_like(y)


def maximum(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """The larger; y of two zeros, as NumPy has it; NaN if either is NaN."""
    return select(x.is_nan(), x, select(x > y, x, y))


def minimum(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """The smaller; y of two zeros, as NumPy has it; NaN if either is NaN."""
    return select(x.is_nan(), x, select(x < y, x, y))


def at_least(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """`maximum`, for a y that is the same for many x."""
    return select(x <= y, y, select(y.is_nan(), y, x))


def at_most(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """`minimum`, for a y that is the same for many x."""
    return select(x >= y, y, select(y.is_nan(), y, x))


def largest(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """One step of a maximum over many; which of two zeros is open, as in NumPy: LLVM may take them in any order."""
    return _extreme("maximum", x, y) if _HAS_MAXIMUM else maximum(x, y)


def smallest(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """One step of a minimum over many; which of two zeros is open, as in NumPy: LLVM may take them in any order."""
    return _extreme("minimum", x, y) if _HAS_MAXIMUM else minimum(x, y)


def _extreme(name: str, x: ScalarValue, y: ScalarValue) -> ScalarValue:
    result = intrinsic(name, x, y)
    result.llvm.fastmath = FastMathFlags(("nsz",))  # two instructions less
    return result


def fmax(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """The larger; a NaN yields to a number."""
    return select(y.is_nan(), x, select(x > y, x, y))


def fmin(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """The smaller; a NaN yields to a number."""
    return select(y.is_nan(), x, select(x < y, x, y))


def isnan(x: ScalarValue) -> ScalarValue:
    """Whether x is NaN."""
    return x.is_nan()


def isinf(x: ScalarValue) -> ScalarValue:
    """Whether x is infinite."""
    return x.magnitude().equals(math.inf)


def isfinite(x: ScalarValue) -> ScalarValue:
    """Whether x is neither NaN nor infinite."""
    return x.magnitude() < math.inf


def signbit(x: ScalarValue) -> ScalarValue:
    """Whether the sign is that of negative numbers, of -0.0 and NaN too."""
    return x.bits() < 0


def rank(x: ScalarValue) -> ScalarValue:
    """An int64 that stands among others as x among floats; -0.0 is before 0.0, and all NaN are one, the last."""
    bits = select(x.is_nan(), x.constant(math.nan), x).bits()
    width = x.format.width
    return (bits ^ ((bits >> (width - 1)) & ((1 << (width - 1)) - 1))).to_int(64)


def unrank(number: ScalarValue, *, format: Format) -> ScalarValue:
    """The float of a rank."""
    bits = number.to_int(format.width)
    return (bits ^ ((bits >> (format.width - 1)) & ((1 << (format.width - 1)) - 1))).as_float()


def nextafter(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """The next float after x in the direction of y; y if they are equal."""
    bits = x.bits()
    grows = (x < y) ^ (bits < 0)  # in magnitude
    step = select(grows, bits + 1, bits - 1).as_float()
    smallest = (x.constant(0.0).bits() + 1).as_float()
    made = select(x.equals(0.0), smallest.signed_like(y), step)
    return select(x.is_nan() | y.is_nan(), x + y, select(x.equals(y), y, made))


def _remainder(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """The remainder of magnitudes, by the C library where the quotient is long; NaN if x is infinite or y is 0."""
    a, b = x.magnitude(), y.magnitude()
    r = a
    for _ in range(_MOD_ROUNDS[x.format.name]):
        # a - q b is a float for the rounded quotient q (Markstein), so every step is exact.
        r = fma(-intrinsic("rint", r / b), b, r)
    r = select(r < 0.0, r + b, r)
    r = select(r >= b, r - b, r)
    r = select((r >= 0.0) & (r < b), r, x.constant(math.nan))
    return by_c_library("fmod", select(b.equals(math.inf) & (a < math.inf), a, r), a, b)


def mod(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """x - floor(x / y) * y with the sign of y, as np.mod: exact before the sum with y that makes signs agree."""
    r = _remainder(x, y).signed_like(x)
    return select(r.equals(0.0), r.signed_like(y), select(_opposite(r, y), r + y, r))


def _opposite(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    return ~x.equals(0.0) & ((x.bits() ^ y.bits()) < 0)


def floor_div(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """floor(x / y), as np.floor_divide: from the remainder, so that rounding in x / y does not matter."""
    quotient, remainder = x / y, _remainder(x, y).signed_like(x)
    # NumPy's steps, so that both round alike where the quotient is long.
    exact = (x - remainder) / y - select(_opposite(remainder, y), x.constant(1.0), 0.0)
    whole = floor(exact)
    whole = select(exact - whole > 0.5, whole + 1.0, whole)
    whole = select(whole.equals(0.0), whole.signed_like(quotient), whole)
    whole = select(y.equals(0.0), quotient, whole)
    below = select(_opposite(x, y), -1.0, quotient)
    return select(isinf(y) & isfinite(x), below, whole)

"""Powers: of any two numbers, and x**k for a small whole number k, as products.

These are `pow2`, `pow3`, …, and `pow_1`, `pow_2`, … for negative ones. So are powers half between two whole numbers, of
which a square root is a factor: `pow1_5` and `pow_1_5` for 1.5 and -1.5. A product is a sum of two floats, its nearest
one and what that lacks, by fused multiply-adds: the result is rounded about once, or twice where a third of the work is
saved. Where the CPU lacks them, and for powers of roots, float32 is computed in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from ..target_machine import adds_products, takes_floats_apart
from . import coefficients as c
from .emit import (
    ScalarValue,
    call,
    clamp,
    fma,
    intrinsic,
    muladd,
    nearest,
    pair,
    polynomial,
    polynomial_in_pairs,
    select,
    times_power,
)  # fmt: skip
from .exponential import EXP_RANGE, exp_polynomial, log1p_polynomial, mantissa_exponent, reduced
from .instructions import scaled
from .rare import Unusual, by_c_library

Pair: TypeAlias = tuple[ScalarValue, ScalarValue | None]  # a sum of two floats; None: the first is all of it
MOST = 8  # products of more factors take as long as `pow`
MOST_HALF = 4  # so do those of more than that and a root


def _times(a: Pair, b: Pair) -> Pair:
    """A product of two sums of two floats, as such a sum."""
    high = a[0] * b[0]
    low = fma(a[0], b[0], -high)
    for large, small in ((a[0], b[1]), (b[0], a[1])):
        low = low if small is None else muladd(large, small, low)
    return high, low


def _raised(x: Pair, exponent: int) -> Pair:
    if exponent == 1:
        return x
    half = _raised(x, exponent // 2)
    if exponent % 2:
        return _times(_times(half, half), x) if exponent > 3 else _times(_times(x, x), x)
    return _times(half, half)


def _product_rounded(a: Pair, b: Pair) -> ScalarValue:
    """The float nearest to a product of two sums."""
    terms = [large * small for large, small in ((a[0], b[1]), (b[0], a[1])) if small is not None]
    if not terms:
        return a[0] * b[0]
    return fma(a[0], b[0], terms[0] if len(terms) == 1 else terms[0] + terms[1])


def _raised_rounded(x: Pair, exponent: int) -> ScalarValue:
    """x**exponent, rounded once; of odd exponents above 3 twice: x * h, and that times h, for a power h."""
    half = _raised(x, exponent // 2)
    if exponent == 3:
        return _product_rounded(_times(x, x), x)
    if half[1] is None:
        return half[0] * half[0]
    twice = half[0], half[1] + half[1]
    if exponent % 2 == 0:
        return fma(half[0], half[0], half[0] * twice[1])
    return _product_rounded(twice, x) * half[0]


def _float_power(x: ScalarValue, exponent: int) -> ScalarValue:
    if abs(exponent) == 1:
        return x if exponent == 1 else 1.0 / x
    if x.format.is_f32 and not adds_products():
        product = _product(x.to_f64(), abs(exponent))
        return (1.0 / product if exponent < 0 else product).to_f32()
    return _inverse_power(x, -exponent) if exponent < 0 else _usual_power(x, exponent)


def _usual_power(x: ScalarValue, exponent: int) -> ScalarValue:
    """x**exponent: from the limits on, only the last product is infinite, so that no rounding error is inf - inf."""
    limit = 2.0 ** -(-(x.format.bias + 1) // exponent)
    return _raised_rounded((clamp(x, -limit, limit), None), exponent)


def _inverse_power(x: ScalarValue, exponent: int) -> ScalarValue:
    """x**-exponent: 1 / |x| is a sum of two floats. Beyond the limits the last product is infinite, or 0."""
    form = x.format
    least, most = (2.0 ** -(-bits // exponent) for bits in (form.bias + 1, form.bias + form.mantissa + 2))
    a = clamp(x.magnitude(), 1.0 / least, most)
    inverse = 1.0 / a
    result = _raised_rounded((inverse, inverse * fma(-a, inverse, a.constant(1.0))), exponent)
    return result.signed_like(x) if exponent % 2 else result


def _rounded(high: ScalarValue, low: ScalarValue | None, *, inverted: bool, beyond: float | None = None) -> ScalarValue:
    """The float nearest to a sum of two, or to its inverse. beyond: what an inverse is where one of them overflows."""
    if low is None:
        return 1.0 / high if inverted else high
    finite = high.magnitude() < math.inf
    if not inverted:
        return select(finite & ~high.equals(0.0), high + low, high)  # the sign of a zero stays
    inverse = 1.0 / high
    better = inverse + inverse * (fma(-inverse, high, inverse.constant(1.0)) - inverse * low)
    usual = finite & (inverse.magnitude() < math.inf) & (high.magnitude() > high.format.smallest_normal)
    return select(usual, better, inverse if beyond is None else beyond)


def _product(x: ScalarValue, exponent: int) -> ScalarValue:
    half = x if exponent < 4 else _product(x, exponent // 2)
    if exponent < 4:
        return x if exponent == 1 else x * x if exponent == 2 else x * x * x
    return half * half * x if exponent & 1 else half * half


def whole_power(exponent: int) -> Callable[[ScalarValue], ScalarValue]:
    """The function `x**exponent` of floats; of integers, which wrap around, `x**abs(exponent)`."""

    def function(x: ScalarValue) -> ScalarValue:
        return _float_power(x, exponent) if x.is_float else _product(x, abs(exponent))

    function.__name__ = f"pow{exponent}" if exponent > 0 else f"pow_{-exponent}"
    function.__doc__ = (
        f"x**{exponent}. Error: 0.6 ulp; 1.5 ulp of odd exponents above 3, and of results near the least."
    )
    return function


def _half_power(x: ScalarValue, exponent: float) -> ScalarValue:
    """|x|**exponent, and NaN of a negative number."""
    whole, inverted = int(abs(exponent)), exponent < 0
    a = x.magnitude().to_f64()
    root = intrinsic("sqrt", a)
    if x.format.is_f32:
        product = root * _product(a, whole) if whole else root
        result = (1.0 / product if inverted else product).to_f32()
    else:
        parts: Pair = root, fma(-root, root, a) * (0.5 / root)
        power = _times(parts, _raised((a, None), whole)) if whole else parts
        if inverted and whole:  # the product may overflow where its inverse is still a number
            result = _rounded(*power, inverted=True, beyond=math.nan)
            result = by_c_library("pow", result, a, a.constant(exponent))
        else:
            result = _rounded(*power, inverted=inverted)
    return select((x < 0.0) & (x > -math.inf), x.constant(math.nan), result)


def half_power(exponent: float) -> Callable[[ScalarValue], ScalarValue]:
    """The function `x**exponent` of floats for a whole number and a half."""

    def function(x: ScalarValue) -> ScalarValue:
        return _half_power(x, exponent)

    function.__name__ = f"pow{'_' if exponent < 0 else ''}{int(abs(exponent))}_5"
    function.__doc__ = f"x**{exponent}. Error: 0.6 ulp (f32), 1.5 ulp (f64)."
    return function


def _pow_positive_f32(a: ScalarValue, y: ScalarValue) -> ScalarValue:
    """a**y for positive finite f32 a: only the logarithm and its product in f64, whose vectors hold half as many."""
    m, e = mantissa_exponent(a)
    logarithm = muladd(e.to_f64(), math.log(2), log1p_polynomial((m - 1.0).to_f64(), coarse=True))
    product = clamp(y.to_f64() * logarithm, *EXP_RANGE["f32"])
    n, _ = nearest(product, 1 / math.log(2))
    r = muladd(n, -math.log(2), product).to_f32()
    _, bits = nearest(n.to_f32())
    return times_power(exp_polynomial(r), bits - a.format.big_bits)


def _log2_pair_f32(a: ScalarValue) -> tuple[ScalarValue, ScalarValue]:
    """log2(a) to some 2**-34 as a sum of two floats, for positive finite a.

    The mantissa's is s G(z), s = (m - 1) / (m + 1), z = s**2, G(z) = 2 / ln2 + z (Q[0] + z P(z)).
    """
    m, e = mantissa_exponent(a)
    f, u = m - 1.0, m + 1.0
    inverse = 1.0 / u
    s = f * inverse
    s_low = fma(-s, m - (u - 1.0), fma(-s, u, f)) * inverse
    z = s * s
    z_low = fma(s + s, s_low, fma(s, s, -z))
    tail = muladd(z, polynomial(z, c.LOG2_PAIR32[1:]), c.LOG2_TERM_32[1])
    w = z * c.LOG2_TERM_32[0]
    w_low = muladd(z, tail, fma(z_low, c.LOG2_TERM_32[0], fma(z, c.LOG2_TERM_32[0], -w)))
    g, g_low = pair(w.constant(c.TWO_LOG2_E_32[0]), w)
    g_low = g_low + (w_low + c.TWO_LOG2_E_32[1])
    high = s * g
    low = muladd(s_low, g, muladd(s, g_low, fma(s, g, -high)))
    total, lost = pair(e, high)
    return total, lost + low


_MOST_BITS = 200.0  # 2 to this power, or to its negative, is no float32


def _pow_positive_by_pairs(a: ScalarValue, y: ScalarValue) -> ScalarValue:
    """a**y for positive finite f32 a: the logarithm as a sum of two floats."""
    high, low = _log2_pair_f32(a)
    product = y * high
    if not takes_floats_apart():
        product = clamp(product, -_MOST_BITS, _MOST_BITS)
    near = product.magnitude() < _MOST_BITS
    rest = select(near, fma(y, low, fma(y, high, -product)), 0.0)  # nor NaN of infinite ones
    total = product + rest
    if takes_floats_apart():
        n = intrinsic("rint", total)
        r = select(near, muladd(product - n, math.log(2), rest * math.log(2)), 0.0)
        return scaled(exp_polynomial(r), n)
    n, bits = nearest(total)
    r = muladd(product - n, math.log(2), rest * math.log(2))
    return times_power(exp_polynomial(r), bits - a.format.big_bits)


def _pow_positive_f64(a: ScalarValue, y: ScalarValue) -> ScalarValue:
    """a**y for positive finite f64 a: the logarithm to about 2**-66 as a sum of two floats (Dekker)."""
    m, e = mantissa_exponent(a)
    f, u = m - 1.0, m + 1.0
    u_low = m - (u - 1.0)
    inverse = 1.0 / u
    s = f * inverse
    s_low = fma(-s, u_low, fma(-s, u, f)) * inverse
    # 2 atanh(s + s_low) = 2 s + s z (2/3 + z P(z)) + s_low 2 / (1 - z), z = s**2: only s z 2/3 needs both floats.
    z = s * s
    third, third_low = c.TWO_THIRDS
    q = z * third
    q_low = muladd(z, third_low, muladd(fma(s, s, -z), third, fma(z, third, -q)))
    q, q_low = pair(q, muladd(z * z, polynomial_in_pairs(z, c.POW64), q_low))
    t = s * q
    t_low = muladd(s_low, muladd(q, 3.0, q.constant(2.0)), muladd(s, q_low, fma(s, q, -t)))
    two_s = s * 2.0
    high = two_s + t
    low = ((two_s - high) + t) + t_low
    e_high = e * c.LN2_64[0]
    total = e_high + high
    total_low = ((e_high - total) + high) + muladd(e, c.LN2_64[1], low)
    product = y * total
    rest = muladd(y, total_low, fma(y, total, -product))
    least, most = EXP_RANGE["f64"]
    if takes_floats_apart():
        n = intrinsic("rint", product * (1 / math.log(2)))
        r = muladd(n, -c.LN2_64[1], muladd(n, -c.LN2_64[0], product)) + rest
        near = product.magnitude() < most - least
        return scaled(exp_polynomial(select(near, r, 0.0), in_pairs=True), n)
    r, k = reduced(product)
    result = select(product > most, math.inf, times_power(exp_polynomial(r + rest, in_pairs=True), k))
    return select(product < least, 0.0, result)


def _pow_signed(operands: Sequence[ScalarValue], result: ScalarValue) -> ScalarValue:
    """x**y by |x|**y."""
    x, y = operands
    half = y * 0.5
    whole = intrinsic("rint", y).equals(y)
    odd = whole & ~intrinsic("rint", half).equals(half)
    sign = select(odd, x.bits() & x.format.sign_bit, 0)
    result = (result.bits() ^ sign).as_float()
    result = select((x < 0.0) & (x > -math.inf) & ~whole, x.constant(math.nan), result)
    return select(y.equals(0.0) | x.equals(1.0), 1.0, result)


_SIGNED = Unusual(
    "signed_",
    lambda operands, result: (operands[0] > 0.0) & ~result.is_nan(),
    lambda operands: (operands[0].magnitude(), operands[1]),
    _pow_signed,
)


def pow(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """x**y with the special cases of C's pow. Error: 1.5 ulp."""
    a = x.magnitude()
    if x.format.is_f32:
        result = (_pow_positive_by_pairs if adds_products() else _pow_positive_f32)(a, y)
    else:
        result = _pow_positive_f64(a, y)
    if takes_floats_apart():  # an infinite exponent of a has the limits of a**y, and NaN where there is none
        return by_c_library("pow", result, x, y, unusual=_SIGNED)
    grows = (a > 1.0) ^ (y < 0.0)
    limit = select(grows, x.constant(math.inf), 0.0)
    result = select(a.equals(0.0) | a.equals(math.inf), limit, result)
    result = select(a.equals(1.0), 1.0, result)
    result = select(x.is_nan() | y.is_nan(), x + y, result)
    return _pow_signed((x, y), result)


def single_pow(x: ScalarValue, y: ScalarValue) -> ScalarValue:
    """`pow` of single numbers: in f64 the C library's, whose operations wait less for each other.

    Error: 1.5 ulp (f32), 1 ulp (f64).
    """
    return pow(x, y) if x.format.is_f32 else call("pow", x, y, pure=True)


ALL = tuple(whole_power(k) for k in range(-MOST, MOST + 1) if k not in (0, 1))
HALVES = tuple(half_power(sign * (k + 0.5)) for k in range(MOST_HALF) for sign in (-1, 1) if (sign, k) != (1, 0))

"""exp, log and what is made of them: hyperbolic functions and their inverses, sigmoid, softplus.

exp: x = n ln2 + r (Cody and Waite), polynomial in r, scaled by 2**n so that subnormal and infinite results come out
right. log: x = 2**e m with m in [0.75, 1.5); polynomial in m - 1 (f32) or (m - 1)/(m + 1) (f64).
What is made of them carries, in f64, what a rounding loses as a second float (Dekker), to stay within 2 ulp.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ..target_machine import scales_by_powers, takes_floats_apart
from . import coefficients as c
from .emit import (
    Operand,
    ScalarValue,
    clamp,
    fma,
    intrinsic,
    muladd,
    nearest,
    pair,
    polynomial,
    polynomial_in_halves,
    polynomial_in_pairs,
    power_of_two,
    quotient,
    select,
    sum_pair,
    times_power,
)  # fmt: skip
from .instructions import exponent_of, mantissa_of

_LN2 = {"f32": c.LN2_32, "f64": c.LN2_64}
_LOG10_2 = {"f32": c.LOG10_2_32, "f64": c.LOG10_2_64}
_LN2_LOW = 2.319046813846299e-17  # ln 2 less its float64
_LOG10_E = (0.4342944819032518, 1.098319650216765e-17)  # log10 e as a sum of two floats
_EXP = {"f32": c.EXP32, "f64": c.EXP64}
EXP_RANGE = {"f32": (-104.0, 89.0), "f64": (-746.0, 710.0)}  # results are 0 and inf at the ends
_TANH_RANGE = {"f32": 10.0, "f64": 20.0}  # 1 within half an ulp from there


def reduced(x: ScalarValue) -> tuple[ScalarValue, ScalarValue]:
    """r in [-ln2/2, ln2/2] and integer k with x = r + k ln2, for x within the range of exp."""
    high, low = _LN2[x.format.name]
    n, bits = nearest(x, 1 / math.log(2))
    return muladd(n, -low, muladd(n, -high, x)), bits - x.format.big_bits


def _reduced_pair(x: ScalarValue) -> tuple[ScalarValue, ScalarValue, ScalarValue]:
    """`reduced` with what r lost by rounding: (r, rest, k)."""
    high, low = _LN2[x.format.name]
    n, bits = nearest(x, 1 / math.log(2))
    first = fma(n, -high, x)  # exact
    r = fma(n, -low, first)
    return r, fma(n, -low, first - r), bits - x.format.big_bits


def exp_pair(x: ScalarValue, rest: Operand = 0.0) -> tuple[ScalarValue, ScalarValue, ScalarValue]:
    """(high, low, k) with e**(x + rest) = (high + low) 2**k to some 60 bits, for x in the range of exp."""
    r, lost, k = _reduced_pair(x)
    high, low = pair(r.constant(1.0), r)
    tail = r * r * polynomial(r, _EXP[r.format.name])
    return *pair(high, low + muladd(lost + rest, high + tail, tail)), k


def _expm1_pair(
    r: ScalarValue, rest: ScalarValue, scale: ScalarValue, one: ScalarValue
) -> tuple[ScalarValue, ScalarValue]:
    """scale (e**(r + rest) - 1) + (scale - one) as a sum of two floats; scale / one is a power of two."""
    high, lost = pair(scale - one, scale * r)
    return pair(high, muladd(scale, muladd(r * r, polynomial(r, _EXP[r.format.name]), rest), lost))


def _expm1_polynomial(r: ScalarValue) -> ScalarValue:
    return muladd(r * r, polynomial(r, _EXP[r.format.name]), r)


def exp_polynomial(r: ScalarValue, *, in_pairs: bool = False) -> ScalarValue:
    """e**r; in_pairs: where few other operations are there while each waits for the one before."""
    tail = _EXP[r.format.name]
    if not in_pairs:
        return polynomial(r, (1.0, 1.0, *tail))
    return muladd(muladd(polynomial_in_pairs(r, tail), r, r.constant(1.0)), r, r.constant(1.0))


def _scaled_unless_nothing(
    x: ScalarValue, low: float, high: float, power: Callable[[ScalarValue], ScalarValue]
) -> ScalarValue:
    """power(x) with x limited to `high`; 0 below `low`, without a product that underflows.

    A product that is subnormal, or rounded to 0, takes a CPU a hundred cycles: in a softmax with a mask most are.
    """
    nothing = x < low
    if not scales_by_powers():
        x = select(nothing, 0.0, x)
    return select(nothing, 0.0, power(select(x > high, high, x)))


def exp(x: ScalarValue, halvings: int = 0) -> ScalarValue:
    """e**x / 2**halvings, which may be in range where e**x is not. Error: 1.1 ulp."""

    def power(x: ScalarValue) -> ScalarValue:
        r, k = reduced(x)
        return times_power(exp_polynomial(r), k - halvings if halvings else k)

    low, high = EXP_RANGE[x.format.name]
    return _scaled_unless_nothing(x, low, high + halvings, power)


def exp2(x: ScalarValue) -> ScalarValue:
    """2**x. Error: 1.5 ulp."""

    def power(x: ScalarValue) -> ScalarValue:
        n, bits = nearest(x)
        return times_power(_expm1_polynomial((x - n) * math.log(2)) + 1.0, bits - x.format.big_bits)

    limit = x.format.bias + 1.0
    return _scaled_unless_nothing(x, -limit - x.format.mantissa - 1, limit, power)


def _half_expm1_pair(x: ScalarValue) -> tuple[ScalarValue, ScalarValue]:
    """(e**x - 1) / 2 in f64, for x in the range of exp, as a sum of two floats."""
    r, rest, k = _reduced_pair(x)
    high, low = _expm1_pair(r, rest, power_of_two(k - 2), x.constant(0.25))
    return high * 2.0, low * 2.0


def _half_expm1(x: ScalarValue) -> ScalarValue:
    """(e**x - 1) / 2, finite where e**x barely overflows."""
    _, high = EXP_RANGE[x.format.name]
    x = clamp(x, -2 * _TANH_RANGE[x.format.name], high + 0.7)
    if not x.format.is_f32:
        return _half_expm1_pair(x)[0]
    r, k = reduced(x)
    # 2**(k - 1) in two factors: k may be two above the largest exponent.
    half = power_of_two(k - 2)
    return (muladd(half, _expm1_polynomial(r), half - 0.25)) * 2.0


def expm1(x: ScalarValue) -> ScalarValue:
    """e**x - 1 without cancellation. Error: 2 ulp (f32), 1.5 ulp (f64)."""
    return _unless_tiny(x, _half_expm1(x) * 2.0)


def _unless_tiny(x: ScalarValue, result: ScalarValue) -> ScalarValue:
    """`result`, or x itself where an odd function with slope 1 equals it."""
    return select(x.magnitude() < 2.0 ** -(x.format.mantissa + 2), x, result)


def mantissa_exponent(x: ScalarValue, *, normal: bool = False) -> tuple[ScalarValue, ScalarValue]:
    """m in [0.75, 1.5) and the integer e (as a float) with x = m 2**e, for positive finite x.

    normal: x isn't subnormal.
    """
    if takes_floats_apart():
        m = mantissa_of(x)
        return m, exponent_of(x) - exponent_of(m)
    form = x.format
    lift = form.mantissa + 2
    tiny = x < form.smallest_normal
    bits = x.bits() if normal else select(tiny, x * 2.0**lift, x).bits()
    e = _exponent(bits, form.name)
    m = (bits - (e << form.mantissa)).as_float()
    # i64 to f64 has no vector instruction before AVX-512: let the bits of a big float count instead.
    exponent = (e + form.big_bits).as_float() - form.big
    return m, exponent if normal else select(tiny, exponent - float(lift), exponent)


_LEAST_BITS = {"f32": 0x3F400000, "f64": 0x3FE8000000000000}  # of the least mantissa, 0.75


def _exponent(bits: ScalarValue, name: str) -> ScalarValue:
    return (bits - _LEAST_BITS[name]) >> (23 if name == "f32" else 52)


def log1p_polynomial(f: ScalarValue, *, coarse: bool = False) -> ScalarValue:
    """log(1 + f) for 1 + f in [0.75, 1.5); `coarse`: to 2**-36 of f, in f64."""
    if f.format.is_f32:
        return muladd(f * f, muladd(f, polynomial_in_halves(f, c.LOG32), -0.5), f)
    s = f / (f + 2.0)
    z = s * s
    tail = z * polynomial(z, c.ATANH32 if coarse else c.ATANH64)
    return f - s * (f - tail)  # 2 s = f - s f


def _log_or_special(x: ScalarValue, result: ScalarValue) -> ScalarValue:
    """`result` for positive finite x; the limits elsewhere."""
    rest = select(x.equals(0.0), -math.inf, x.constant(math.nan))
    return select(x > 0.0, select(x < math.inf, result, x), rest)


def _by_mantissa(
    x: ScalarValue, formula: Callable[[ScalarValue, ScalarValue], ScalarValue], *, reaches: bool = True
) -> ScalarValue:
    """formula(m - 1, e) for a positive finite x, the limits of logarithms elsewhere.

    reaches: the formula has a logarithm's limit where e is infinite and m - 1 a number, and NaN where m is.
    """
    m, e = mantissa_exponent(x)
    result = formula(m - 1.0, e)
    if not takes_floats_apart():
        return _log_or_special(x, result)
    return result if reaches else select(e.magnitude() < math.inf, result, e)


def log(x: ScalarValue) -> ScalarValue:
    """Natural logarithm. Error: 1.5 ulp."""
    high, low = _LN2[x.format.name]
    return _by_mantissa(x, lambda f, e: muladd(e, high, muladd(e, low, log1p_polynomial(f))))


def log2(x: ScalarValue) -> ScalarValue:
    """Base-2 logarithm, exact for powers of two. Error: 2.5 ulp (f32), 2 ulp (f64)."""
    if x.format.is_f32:
        return _by_mantissa(x, lambda f, e: muladd(f, polynomial(f, c.LOG2_32), e))
    return _by_mantissa(x, lambda f, e: muladd(log1p_polynomial(f), 1 / math.log(2), e))


def _log1p_rest(f: ScalarValue) -> ScalarValue:
    """log(1 + f) - f in f64, for 1 + f in [0.75, 1.5)."""
    s = f / (f + 2.0)
    z = s * s
    return s * (z * polynomial(z, c.ATANH64) - f)


def _log10_f64(f: ScalarValue, e: ScalarValue) -> ScalarValue:
    """log10((1 + f) 2**e): the product with log10 e keeps what its rounding loses."""
    high, low = _LOG10_2["f64"]
    most = f * _LOG10_E[0]
    total, lost = pair(e * high, most)
    lost = lost + (fma(f, _LOG10_E[0], -most) + f * _LOG10_E[1])
    return total + muladd(_log1p_rest(f), _LOG10_E[0], muladd(e, low, lost))


def log10(x: ScalarValue) -> ScalarValue:
    """Base-10 logarithm. Error: 3.5 ulp (f32), 1.5 ulp (f64)."""
    if not x.format.is_f32:
        return _by_mantissa(x, _log10_f64, reaches=False)
    high, low = _LOG10_2["f32"]
    return _by_mantissa(x, lambda f, e: muladd(e, high, muladd(f, polynomial(f, c.LOG10_32), e * low)))


def _log1p_f64(x: ScalarValue, rest: Operand, m: ScalarValue, down: ScalarValue, e: ScalarValue) -> ScalarValue:
    """log(1 + x + rest) with the roundings of 2**-e (1 + x) - 1 and of the sum with e ln2 kept."""
    high, low = _LN2["f64"]
    far = x > 2.0 ** (x.format.mantissa + 2)
    f, lost = sum_pair(down - 1.0, down * x)
    f, lost = select(far, m - 1.0, f), select(far, 0.0, muladd(down, rest, lost))
    total, rounding = pair(e * high, f)
    return total + (_log1p_rest(f) + (rounding + muladd(lost, 1.0 - f, e * low)))


def log1p(x: ScalarValue) -> ScalarValue:
    """log(1 + x) without losing small x. Error: 2 ulp (f32), 1.2 ulp (f64)."""
    return _log1p(x, 0.0)


def _log1p(x: ScalarValue, rest: Operand) -> ScalarValue:
    """log(1 + x + rest); f32 takes no notice of `rest`."""
    form = x.format
    high, low = _LN2[form.name]
    u = x + 1.0
    e = _exponent(u.bits(), form.name)
    m = (u.bits() - (e << form.mantissa)).as_float()
    exponent = (e + form.big_bits).as_float() - form.big
    # 2**-e (1 + x) - 1 from x itself, one rounding: 1 + x has lost the low bits of x.
    down = ((form.bias - e) << form.mantissa).as_float()
    if not form.is_f32:
        return select(x.equals(0.0), x, _log_or_special(u, _log1p_f64(x, rest, m, down, exponent)))
    f = select(x > 2.0 ** (form.mantissa + 2), m - 1.0, fma(down, x, down - 1.0))
    result = muladd(exponent, high, muladd(exponent, low, log1p_polynomial(f)))
    return select(x.equals(0.0), x, _log_or_special(u, result))


def tanh(x: ScalarValue) -> ScalarValue:
    """Hyperbolic tangent. Error: 3 ulp (f32), 1.5 ulp (f64)."""
    limit = _TANH_RANGE[x.format.name]
    a = x.magnitude()
    a = select(a > limit, limit, a)
    if x.format.is_f32:
        return _tanh_f32(a).signed_like(x)
    return _tanh_f64(a).signed_like(x)


def _tanh_f64(a: ScalarValue) -> ScalarValue:
    """`_tanh_f32` with numerator and denominator as sums of two floats."""
    big = a.format.big + a.format.bias
    shifted = muladd(a, 2 / math.log(2), a.constant(big))
    n = shifted - big
    high, low = _LN2["f64"]
    start = muladd(n, -0.5 * high, a)  # exact
    r = muladd(n, -0.5 * low, start)
    square = r * r
    rest = muladd(r * square, polynomial(square, c.TANH64), muladd(n, -0.5 * low, start - r))  # tanh r = r + rest
    scale = (shifted.bits() << a.format.mantissa).as_float()
    less, more = scale - 1.0, scale + 1.0
    top, bottom = fma(more, r, less), fma(less, r, more)
    top_low = muladd(more, rest, fma(more, r, less - top))
    more_low = (scale - more) + 1.0  # beyond 2**53
    bottom, bottom_low = pair(bottom, muladd(less, rest, fma(less, r, more - bottom)) + more_low)
    return quotient(top, top_low, bottom, bottom_low)


def _tanh_f32(a: ScalarValue) -> ScalarValue:
    """tanh a = (S - 1 + (S + 1) t) / (S + 1 + (S - 1) t) for 0 <= a <= 10: a = r + n ln2 / 2, S = 2**n, t = tanh r.

    Its operations wait for fewer others than those of expm1. It is at most 1: the numerator is at most the
    denominator, and rounding keeps them in order.
    """
    big = a.format.big + a.format.bias  # the low bits of the sum are the exponent of 2**n
    shifted = muladd(a, 2 / math.log(2), a.constant(big))
    r = muladd(shifted - big, -0.5 * math.log(2), a)
    square = r * r
    t = muladd(r * square, polynomial(square, c.TANH32), r)
    scale = (shifted.bits() << a.format.mantissa).as_float()
    less, more = scale - 1.0, scale + 1.0
    return muladd(more, t, less) / muladd(less, t, more)


def sinh(x: ScalarValue) -> ScalarValue:
    """Hyperbolic sine; f32: H + H / (2H + 1) with H = expm1(|x|) / 2. Error: 3 ulp (f32), 1.6 ulp (f64)."""
    if not x.format.is_f32:
        return _unless_tiny(x, _sinh_f64(x.magnitude()).signed_like(x))
    h = _half_expm1(x.magnitude())
    result = h + h / muladd(h, 2.0, x.constant(1.0))
    return _unless_tiny(x, select(h < math.inf, result, h).signed_like(x))


def _sinh_f64(a: ScalarValue) -> ScalarValue:
    """sinh a = D cosh r + S sinh r for a >= 0, without a division: a = r + k ln2, D, S = (2**k -+ 2**-k) / 2.

    D + S r is a sum of two floats. Half of all is computed: 2**k / 2 may overflow where the result doesn't.
    """
    r, rest, k = _reduced_pair(clamp(a, 0.0, EXP_RANGE["f64"][1] + 0.7))
    up, down = power_of_two(k - 2), power_of_two(-2 - select(k > 60, 60, k))  # nothing beside 2**k from there
    difference, total = up - down, up + down
    z, most = r * r, total * r
    high, low = pair(difference, most)
    odd = muladd(r * z, polynomial(z, c.SINH_SHORT64), rest)
    even = difference * (z * polynomial(z, c.COSH_SHORT64))
    return (high + (low + fma(total, r, -most) + muladd(total, odd, even))) * 2.0


def cosh(x: ScalarValue) -> ScalarValue:
    """Hyperbolic cosine: h + 1 / (4h) with h = exp(|x|) / 2. Error: 2 ulp (f32), 1.6 ulp (f64)."""
    h = exp(x.magnitude(), halvings=1)
    return h + 0.25 / h


def sigmoid(x: ScalarValue) -> ScalarValue:
    """1 / (1 + exp(-x)), accurate in both tails. Error: 3 ulp (f32), 1.2 ulp (f64)."""
    if not x.format.is_f32:
        return _sigmoid_f64(x)
    z = exp(-x.magnitude())
    return select(x < 0.0, z, 1.0) / (z + 1.0)


def _scaled_pair(x: ScalarValue) -> tuple[ScalarValue, ScalarValue]:
    """e**x in f64 as a sum of two floats, to some 55 bits, for x from the least exponent to 0."""
    r, k = reduced(x)
    high, low = pair(r.constant(1.0), _expm1_polynomial(r))
    return times_power(high, k), times_power(low, k)


def _sigmoid_f64(x: ScalarValue) -> ScalarValue:
    z, rest = _scaled_pair(clamp(-x.magnitude(), *EXP_RANGE["f64"]))
    total, lost = pair(z.constant(1.0), z)
    below = x < 0.0
    return quotient(select(below, z, 1.0), select(below, rest, 0.0), total, lost + rest)


def softplus(x: ScalarValue) -> ScalarValue:
    """log(1 + exp(x)) = max(x, 0) + log1p(exp(-|x|)). Error: 3 ulp (f32), 1.5 ulp (f64)."""
    if not x.format.is_f32:
        return _softplus_f64(x)
    z = exp(-x.magnitude())
    # 1 + z is in [1, 2]: halve it above 1.5.
    above = z + 1.0 > 1.5
    f = select(above, muladd(z, 0.5, x.constant(-0.5)), z)
    part = log1p_polynomial(f)
    return select(x > 0.0, x, 0.0) + (part + select(above, x.constant(math.log(2)), 0.0))


def _softplus_f64(x: ScalarValue) -> ScalarValue:
    z, rest = _scaled_pair(clamp(-x.magnitude(), *EXP_RANGE["f64"]))
    above = z + 1.0 > 1.5
    f, lost = pair(z.constant(-0.5), z * 0.5)
    f, lost = select(above, f, z), select(above, muladd(rest, 0.5, lost), rest)
    total, rounding = pair(select(above, x.constant(math.log(2)), 0.0), f)
    rounding = rounding + muladd(lost, 1.0 - f, select(above, x.constant(_LN2_LOW), 0.0))
    return select(x > 0.0, x, 0.0) + (total + (_log1p_rest(f) + rounding))


def asinh(x: ScalarValue) -> ScalarValue:
    """log1p(a + a**2 / (1 + sqrt(1 + a**2))), a = |x|. Error: 3.5 ulp (f32), 2 ulp (f64)."""
    a = x.magnitude()
    huge = a > 2.0 ** (x.format.mantissa + 2)
    square = select(huge, 0.0, a * a)
    inner = a + square / (intrinsic("sqrt", square + 1.0) + 1.0)
    # For a huge a the sum is 2a, which may overflow: log(2a) = log(a) + log(2).
    return (log1p(inner) + select(huge, a.constant(math.log(2)), 0.0)).signed_like(x)


def acosh(x: ScalarValue) -> ScalarValue:
    """log1p(t + sqrt(2 t + t**2)), t = x - 1; NaN below 1. Error: 3.5 ulp (f32), 1.5 ulp (f64)."""
    huge = x > 2.0 ** (x.format.mantissa + 2)
    t = x - 1.0
    small = select(huge, 0.0, t)
    square = muladd(small, small, small * 2.0)
    root = intrinsic("sqrt", square)
    inner, rest = t + root, x.constant(0.0)
    if not x.format.is_f32:
        inner, rest = sum_pair(t, root)
        lost = fma(-root, root, square) + fma(small, small, small * 2.0 - square)
        rest = select(huge, 0.0, muladd(lost, 0.5 / select(root > 0.0, root, 1.0), rest))
    result = _log1p(inner, rest) + select(huge, x.constant(math.log(2)), 0.0)
    return select(x < 1.0, x.constant(math.nan), result)


def atanh(x: ScalarValue) -> ScalarValue:
    """log1p(2 a / (1 - a)) / 2, a = |x|; NaN beyond 1. Error: 3.5 ulp (f32), 2 ulp (f64)."""
    a = x.magnitude()
    result = log1p(a * 2.0 / (1.0 - a)) * 0.5
    return select(a > 1.0, x.constant(math.nan), result).signed_like(x)

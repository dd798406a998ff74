"""erf, erfc, their inverse, lgamma, digamma, trigamma, tetragamma."""

from __future__ import annotations

import math

from . import coefficients as c
from .emit import (
    ScalarValue,
    call,
    fma,
    intrinsic,
    muladd,
    pair,
    polynomial,
    polynomial_in_halves,
    power_of_two,
    select,
    times_power,
)  # fmt: skip
from .exponential import exp, exp_pair, exp_polynomial, log, reduced
from .trigonometry import cos, sin, tan

_ERFC = {"f32": (c.ERFC32, 3.0, 10.2), "f64": (c.ERFC64, 3.75, 27.3)}


def _erfc_positive(a: ScalarValue) -> ScalarValue:
    """erfc for a >= 0: exp(-a**2) P((a - k)/(a + k)) / (1 + 2a) (Shepherd and Laframboise, 1981); f32 by f64."""
    table, k, top = _ERFC[a.format.name]
    v = a.to_f64()
    v = select(v > top, top, v)
    if not a.format.is_f32:
        return _erfc_f64(v)
    p = polynomial((v - k) / (v + k), table) / muladd(v, 2.0, v.constant(1.0))
    return (exp(-(v * v)) * p).to_f32()


def _erfc_f64(v: ScalarValue) -> ScalarValue:
    """`_erfc_positive` in f64: the square, its exponential and the quotient are sums of two floats."""
    q, q_low = _scaled_erfc_f64(v)
    square = v * v
    high, low, power = exp_pair(-square, -fma(v, v, -square))
    value = high * q
    return times_power(value + (fma(high, q, -value) + muladd(low, q, high * q_low)), power)


def _scaled_erfc_f64(v: ScalarValue) -> tuple[ScalarValue, ScalarValue]:
    """exp(v**2) erfc(v) as a sum of two floats, for v in [0, 27.3]."""
    table, k, _ = _ERFC["f64"]
    t = (v - k) / (v + k)
    p, p_low = pair(v.constant(table[0]), t * polynomial(t, table[1:]))
    bottom = muladd(v, 2.0, v.constant(1.0))
    inverse = 1.0 / bottom
    q = p * inverse
    return q, (fma(-q, bottom, p) + p_low - q * (muladd(v, 2.0, -bottom) + 1.0)) * inverse


def _erf_far_f64(a: ScalarValue) -> ScalarValue:
    """erf for a >= 1 in f64: erfc is below 0.16 there, so that its own roundings are less than half of erf's."""
    table, k, _ = _ERFC["f64"]
    v = select(a > 6.0, 6.0, a)  # 1 within half an ulp from there
    bottom, above = muladd(v, 2.0, v.constant(1.0)), v + k
    inverse = 1.0 / (bottom * above)
    p = polynomial((v - k) * (bottom * inverse), table) * (above * inverse)
    r, power = reduced(-(v * v))
    return fma(-exp_polynomial(r), p * power_of_two(power), v.constant(1.0))


def _erf_below_1(x: ScalarValue) -> ScalarValue:
    """erf for |x| < 1."""
    return muladd(x, polynomial(x * x, c.ERF32 if x.format.is_f32 else c.ERF64), x)


def erf(x: ScalarValue) -> ScalarValue:
    """Error function: a polynomial below 1; above it another one (f32) or 1 - erfc. Error: 2.5 (f32), 1.5 ulp (f64)."""
    a = x.magnitude()
    if x.format.is_f32:
        top = 3.88  # 1 within half an ulp from there
        t = muladd(select(a > top, top, a), 1 / 1.44, x.constant(-2.44 / 1.44))
        far = polynomial(t, c.ERF_FAR32)
    else:
        far = _erf_far_f64(a)
    return select(a < 1.0, _erf_below_1(a), far).signed_like(x)


def erfc(x: ScalarValue) -> ScalarValue:
    """1 - erf(x), accurate where it is tiny. Error: 4 ulp (f32), 2 ulp (f64)."""
    a = x.magnitude()
    value = _erfc_positive(a)
    value = select(x < 0.0, 2.0 - value, value)
    return select(a < 0.7, 1.0 - _erf_below_1(x), value)


def lgamma(x: ScalarValue) -> ScalarValue:
    """log|gamma(x)|: in f32 by Stirling's series in f64, in f64 by the C library, one element at a time.

    Error found: 0.93 ulp (f32, next to -2.457; elsewhere 0.6), 3 ulp (f64).
    """
    return _lgamma_f32(x) if x.format.is_f32 else call("lgamma", x)


def _lgamma_f32(x: ScalarValue) -> ScalarValue:
    """Eight steps up, then the series; below 0 reflected. Infinite at 0, -1, ... and at both infinities."""
    v = x.to_f64()
    below = v < 0.0
    y = select(below, 1.0 - v, v)
    low = y < 1e30
    product = y
    for k in range(1, _STEPS):
        product = product * (y + float(k))
    shifted = select(low, y + float(_STEPS), y)
    inverse = 1.0 / shifted
    series = inverse * polynomial(inverse * inverse, _STIRLING)
    made = (shifted - 0.5) * log(shifted) - shifted + (0.5 * math.log(2 * math.pi)) + series
    sine = sin((v - intrinsic("rint", v)) * math.pi).magnitude()
    product = select(low, product, 1.0)
    steps = log(select(below, product * (math.pi / sine), product))
    answer = select(below, steps - made, made - steps)
    answer = select(v.equals(1.0) | v.equals(2.0), 0.0, answer)
    pole = (v <= 0.0) & v.equals(intrinsic("rint", v))
    return select(pole | v.magnitude().equals(math.inf), v.constant(math.inf), answer).to_f32()


def erfinv(x: ScalarValue) -> ScalarValue:
    """The inverse of erf: x times a polynomial in w = -log(1 - x**2), further out in its root (Giles, 2010).

    Infinite at 1 and -1, NaN outside. Error: 4 ulp (f32), 8e-16 relative (f64).
    """
    a = x.magnitude()
    inside = a < 1.0
    y = select(inside, a, 0.0)
    w = -log((1.0 - y) * (1.0 + y))
    ends, middle, near, far = _ERFINV[x.format.name]
    beyond = polynomial_in_halves(intrinsic("sqrt", w) - middle, far)
    z = y * select(w < ends, polynomial_in_halves(w - ends / 2, near), beyond)
    outside = select(a.equals(1.0), x.constant(math.inf), x.constant(math.nan))
    return select(inside, z, outside).signed_like(x)


# Where the polynomial in w ends, what is taken from the root in the other one, and both
_ERFINV = {"f32": (5.0, 3.0, c.ERFINV, c.ERFINV_FAR32), "f64": (6.25, 4.25, c.ERFINV64, c.ERFINV_FAR64)}
# B(2k) / (2k (2k - 1)) for k = 1..8: Stirling's series of lgamma
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)
# B(2k) / 2k for k = 1..8: the asymptotic series of digamma
_DIGAMMA = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12, -3617 / 8160)
# B(2k) for k = 1..8: the asymptotic series of trigamma
_TRIGAMMA = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
# (2k + 1) B(2k) for k = 1..8: the asymptotic series of tetragamma
_TETRAGAMMA = tuple((2 * k + 1) * b for k, b in enumerate(_TRIGAMMA, 1))
_STEPS = 8


def digamma(x: ScalarValue) -> ScalarValue:
    """d/dx lgamma(x): eight steps up, then the asymptotic series; reflected below 0, in f64.

    Error: 1e-14 (f64) or 1e-7 (f32) relative to 1 + |digamma(x)|; NaN at -1, -2, ...; -inf at 0.
    """
    v = x.to_f64()
    below = v < 0.0
    y = select(below, 1.0 - v, v)
    # sum of 1 / (y + k) as one fraction: product rule, then one division
    top, bottom = y.constant(1.0), y
    low = y < 1e30  # the product of eight must not overflow; the terms are nothing there
    for k in range(1, _STEPS):
        step = y + float(k)
        top = muladd(top, step, bottom)
        bottom = bottom * step
    shifted = y + float(_STEPS)
    inverse = 1.0 / shifted
    series = inverse * inverse * polynomial(inverse * inverse, _DIGAMMA)
    result = log(shifted) - inverse * 0.5 - series - select(low, top / bottom, 0.0)
    reflected = result - math.pi / tan((v - intrinsic("rint", v)) * math.pi)
    answer = select(below, reflected, result)
    pole = (v <= 0.0) & v.equals(intrinsic("rint", v))
    answer = select(v.equals(0.0), -1.0 / v, select(pole, v.constant(math.nan), answer))
    return answer.to_f32() if x.format.is_f32 else answer


def trigamma(x: ScalarValue) -> ScalarValue:
    """d/dx digamma(x): eight steps up, then the asymptotic series; reflected below 0, in f64. Infinite at 0, -1, ...

    Error: 4e-15 (f64) or 1e-7 (f32) relative, for positive x.
    """
    v = x.to_f64()
    below = v < 0.0
    y = select(below, 1.0 - v, v)
    low = y < 1e15  # the product of sixteen must not overflow; eight steps are nothing there
    # sum of 1 / (y + k)**2 as one fraction: product rule, then one division
    top, bottom = y.constant(1.0), y * y
    for k in range(1, _STEPS):
        step = y + float(k)
        top = muladd(top, step * step, bottom)
        bottom = bottom * (step * step)
    inverse = 1.0 / select(low, y + float(_STEPS), y)
    square = inverse * inverse
    result = (
        inverse + (square * 0.5 + inverse * square * polynomial(square, _TRIGAMMA)) + select(low, top / bottom, 0.0)
    )
    sine = sin((v - intrinsic("rint", v)) * math.pi)
    answer = select(below, math.pi**2 / (sine * sine) - result, result)
    pole = (v <= 0.0) & v.equals(intrinsic("rint", v))
    answer = select(pole, v.constant(math.inf), answer)
    return answer.to_f32() if x.format.is_f32 else answer


def tetragamma(x: ScalarValue) -> ScalarValue:
    """d/dx trigamma(x): eight steps up, then the asymptotic series; reflected below 0, in f64. -inf at 0, -1, ...

    Error: 4e-15 (f64) or 1e-7 (f32) relative, for positive x.
    """
    v = x.to_f64()
    below = v < 0.0
    y = select(below, 1.0 - v, v)
    low = y < 1e10  # the product of 24 must not overflow; eight steps are nothing there
    # sum of 1 / (y + k)**3 as one fraction: product rule, then one division
    top, bottom = y.constant(1.0), y * y * y
    for k in range(1, _STEPS):
        step = y + float(k)
        cube = step * step * step
        top = muladd(top, cube, bottom)
        bottom = bottom * cube
    inverse = 1.0 / select(low, y + float(_STEPS), y)
    square = inverse * inverse
    series = square + (inverse * square + square * square * polynomial(square, _TETRAGAMMA))
    result = -(series + select(low, top / bottom, 0.0) * 2.0)
    part = (v - intrinsic("rint", v)) * math.pi
    sine = sin(part)
    answer = select(below, result - cos(part) / (sine * sine * sine) * (2.0 * math.pi**3), result)
    pole = (v <= 0.0) & v.equals(intrinsic("rint", v))
    answer = select(pole, v.constant(-math.inf), answer)
    return answer.to_f32() if x.format.is_f32 else answer

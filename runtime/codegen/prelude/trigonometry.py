"""sin, cos, tan and their inverses.

x is reduced by multiples of pi or pi/2 with pi as a sum of three floats and fused steps: the first step is exact, so
what remains keeps its relative accuracy next to a zero. Beyond LIMIT the multiple no longer fits: the C library has the
result there.
"""

from __future__ import annotations

import math

from . import coefficients as c
from .emit import ScalarValue, fma, intrinsic, muladd, nearest, pair, polynomial, quotient, select
from .rare import by_c_library

LIMIT = {"f32": 1e6, "f64": 1e14}
_PI = {"f32": c.PI_32, "f64": c.PI_64}
_SIN = {"f32": c.SIN32, "f64": c.SIN64}
_SIN_SHORT = {"f32": c.SIN_SHORT32, "f64": c.SIN_SHORT64}
_COS_SHORT = {"f32": c.COS_SHORT32, "f64": c.COS_SHORT64}
_ATAN = {"f32": c.ATAN32, "f64": c.ATAN64}
_ASIN = {"f32": c.ASIN32, "f64": c.ASIN64}


def _minus_multiple(x: ScalarValue, n: ScalarValue, scale: float = 1.0) -> ScalarValue:
    """x - n * pi * scale; `scale` is a power of two."""
    for part in _PI[x.format.name]:
        x = fma(n, -part * scale, x)
    return x


def _minus_multiple_pair(x: ScalarValue, n: ScalarValue, scale: float) -> tuple[ScalarValue, ScalarValue]:
    """`_minus_multiple` as a sum of two floats; next to a multiple the first may lack more than its last bit."""
    first, second, third = (-part * scale for part in _PI[x.format.name])
    start = fma(n, first, x)
    step = n * second
    r, lost = pair(start, step)  # where |step| is larger, x is next to a multiple, and what is lost up to an ulp off
    return r, lost + fma(n, third, fma(n, second, -step))


def _odd(r: ScalarValue, table: tuple[float, ...]) -> ScalarValue:
    """r + r**3 P(r**2)."""
    z = r * r
    return muladd(r * z, polynomial(z, table), r)


def _at_any(name: str, x: ScalarValue, result: ScalarValue) -> ScalarValue:
    """`result` up to LIMIT, beyond it what the C library has."""
    return by_c_library(name, select(x.magnitude() <= LIMIT[x.format.name], result, x.constant(math.nan)), x)


def _flip(value: ScalarValue, integer_bits: ScalarValue) -> ScalarValue:
    """`value`, negated where the integer in the low bits is odd."""
    return (value.bits() ^ (integer_bits << (value.format.width - 1))).as_float()


def sin(x: ScalarValue) -> ScalarValue:
    """Sine. Error: 2.5 ulp (f32) or 2 ulp (f64) to LIMIT, the C library's beyond."""
    n, bits = nearest(x * (1 / math.pi))
    y = _flip(_odd(_minus_multiple(x, n), _SIN[x.format.name]), bits)
    return select(x.equals(0.0), x, _at_any("sin", x, y))


def cos(x: ScalarValue) -> ScalarValue:
    """Cosine: -(-1)**n sin(x - (n + 1/2) pi). Error: 2.5 ulp (f32) or 2 ulp (f64) to LIMIT, the C library's beyond."""
    n, bits = nearest(muladd(x, 1 / math.pi, x.constant(-0.5)))
    y = _flip(_odd(_minus_multiple(x, n + 0.5), _SIN[x.format.name]), ~bits)
    # One unit below 1 would be within the bound, but rotations by no angle must leave things as they are.
    return select(x.equals(0.0), x.constant(1.0), _at_any("cos", x, y))


def _tan_f64(r: ScalarValue, rest: ScalarValue, inverse: ScalarValue) -> ScalarValue:
    """tan(r + rest), or its inverse where `inverse`: sine and cosine as sums of two floats each."""
    z = r * r
    k = muladd(z, -0.5, z.constant(1.0))
    k_low = muladd(z * z, polynomial(z, _COS_SHORT["f64"]), muladd(z, -0.5, 1.0 - k))
    k_low = muladd(-r, rest, k_low)
    s_low = muladd(r * z, polynomial(z, _SIN_SHORT["f64"]), rest * k)
    bottom, bottom_low = pair(select(inverse, r, k), select(inverse, s_low, k_low))
    return quotient(select(inverse, k, r), select(inverse, k_low, s_low), bottom, bottom_low)


def tan(x: ScalarValue) -> ScalarValue:
    """Tangent. Error: 4 ulp (f32) or 1.5 ulp (f64) up to LIMIT, the C library's beyond."""
    name = x.format.name
    n, bits = nearest(x * (2 / math.pi))
    odd = (bits << (x.format.width - 1)) < 0
    if not x.format.is_f32:
        y = _flip(_tan_f64(*_minus_multiple_pair(x, n, 0.5), odd), bits)
        return select(x.equals(0.0), x, _at_any("tan", x, y))
    r = _minus_multiple(x, n, 0.5)
    z = r * r
    s = _odd(r, _SIN_SHORT[name])
    k = muladd(z * z, polynomial(z, _COS_SHORT[name]), muladd(z, -0.5, x.constant(1.0)))
    y = _flip(select(odd, k, s) / select(odd, s, k), bits)
    return select(x.equals(0.0), x, _at_any("tan", x, y))


def turns_cos(u: ScalarValue) -> ScalarValue:
    """cos(2 pi u) for |u| <= 1, the reduction exact. Error: 2 ulp."""
    n, bits = nearest(muladd(u, 2.0, u.constant(-0.5)))
    r = (u * 2.0 - (n + 0.5)) * math.pi
    return _flip(_odd(r, _SIN[u.format.name]), ~bits)


def _arctangent(y: ScalarValue, x: ScalarValue) -> ScalarValue:
    """atan(y / x) in [0, pi/2] for y, x >= 0, by one division."""
    pi, pi_low, _ = _PI[x.format.name]
    steep = y > x * (math.sqrt(2) + 1)
    middle = y > x * (math.sqrt(2) - 1)
    above = select(steep, -x, select(middle, y - x, y))
    below = select(steep, y, select(middle, y + x, x))
    start = select(steep, x.constant(pi / 2), select(middle, x.constant(pi / 4), 0.0))
    start_low = select(steep, x.constant(pi_low / 2), select(middle, x.constant(pi_low / 4), 0.0))
    t = above / below
    z = t * t
    return start + (t + muladd(t * z, polynomial(z, _ATAN[x.format.name]), start_low))


def atan(x: ScalarValue) -> ScalarValue:
    """Arctangent. Error: 2.5 ulp (f32), 2 ulp (f64)."""
    return _arctangent(x.magnitude(), x.constant(1.0)).signed_like(x)


def atan2(y: ScalarValue, x: ScalarValue) -> ScalarValue:
    """The angle of (x, y) in [-pi, pi], with C's special cases. Error: 3 ulp (f32), 2 ulp (f64)."""
    pi, pi_low, _ = _PI[x.format.name]
    form = x.format
    a, b = y.magnitude(), x.magnitude()
    # y + x must not overflow, nor a tiny quotient's operands underflow.
    huge = select(a > b, a, b) > 2.0 ** (form.bias - 1)
    a, b = select(huge, a * 0.25, a), select(huge, b * 0.25, b)
    both_infinite = a.equals(math.inf) & b.equals(math.inf)
    a, b = select(both_infinite, 1.0, a), select(both_infinite, 1.0, b)
    angle = select(a.equals(0.0), 0.0, _arctangent(a, b))
    angle = select(x.bits() < 0, pi - (angle - pi_low), angle)
    return select(x.is_nan() | y.is_nan(), x + y, angle.signed_like(y))


def _asin_parts(x: ScalarValue) -> tuple[ScalarValue, ScalarValue, ScalarValue]:
    """|x| > 1/2; and (s, asin(s) - s) with s = |x|, or sqrt((1 - |x|) / 2) if above 1/2."""
    a = x.magnitude()
    above = a > 0.5
    z = select(above, (1.0 - a) * 0.5, a * a)
    s = select(above, intrinsic("sqrt", z), a)
    return above, s, s * z * polynomial(z, _ASIN[x.format.name])


def asin(x: ScalarValue) -> ScalarValue:
    """Arcsine; NaN beyond 1. Error: 2 ulp."""
    pi, pi_low, _ = _PI[x.format.name]
    above, s, rest = _asin_parts(x)
    folded = pi / 2 - (muladd(rest, 2.0, s.constant(-pi_low / 2)) + s * 2.0)
    return select(above, folded, s + rest).signed_like(x)


def acos(x: ScalarValue) -> ScalarValue:
    """Arccosine; NaN beyond 1. Error: 2 ulp (f32), 1.5 ulp (f64)."""
    pi, pi_low, _ = _PI[x.format.name]
    above, s, rest = _asin_parts(x)
    twice = (s + rest) * 2.0
    folded = select(x < 0.0, pi - (muladd(rest, 2.0, s.constant(-pi_low)) + s * 2.0), twice)
    signed, signed_rest = s.signed_like(x), rest.signed_like(x)
    return select(above, folded, pi / 2 - (signed + (signed_rest - pi_low / 2)))

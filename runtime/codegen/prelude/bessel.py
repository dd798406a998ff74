"""Modified Bessel functions of the first kind, of orders 0 and 1, and the same times exp(-|x|)."""

from __future__ import annotations

import math

from . import coefficients as c
from .emit import ScalarValue, intrinsic, polynomial, select
from .exponential import exp

_NEAR = {(0, "f32"): c.BESSEL0_32, (1, "f32"): c.BESSEL1_32, (0, "f64"): c.BESSEL0_64, (1, "f64"): c.BESSEL1_64}
_FAR = {
    (0, "f32"): c.BESSEL0_FAR32, (1, "f32"): c.BESSEL1_FAR32, (0, "f64"): c.BESSEL0_FAR64, (1, "f64"): c.BESSEL1_FAR64,
}  # fmt: skip
_SPLIT = 8.0  # below it the power series, all of whose terms are positive; from it on powers of 1 / x


def _bessel(x: ScalarValue, order: int, *, scaled: bool) -> ScalarValue:
    a = x.magnitude()
    kind = (order, x.format.name)
    is_far = a > _SPLIT
    inner, outer = select(is_far, a.constant(_SPLIT), a), select(is_far, a, a.constant(_SPLIT))
    near = polynomial(inner * inner * 0.25, _NEAR[kind])
    near = near * (inner * 0.5) if order else near
    far = polynomial(1.0 / outer, _FAR[kind]) / intrinsic("sqrt", outer)
    if scaled:
        made = select(is_far, far, near * exp(-inner))
    else:
        half = exp(outer * 0.5)  # twice: exp(x) overflows before I(x) does
        made = select(is_far, select(a.equals(math.inf), a, far * half * half), near)
    return made.signed_like(x) if order else made


def i0(x: ScalarValue) -> ScalarValue:
    """Order 0. Error: 4 ulp below 8, 6 ulp above, where exp(x / 2) is taken twice."""
    return _bessel(x, 0, scaled=False)


def i0e(x: ScalarValue) -> ScalarValue:
    """Order 0, times exp(-|x|). Error: 4 ulp."""
    return _bessel(x, 0, scaled=True)


def i1(x: ScalarValue) -> ScalarValue:
    """Order 1. Error: 4 ulp below 8, 6 ulp above, where exp(x / 2) is taken twice."""
    return _bessel(x, 1, scaled=False)


def i1e(x: ScalarValue) -> ScalarValue:
    """Order 1, times exp(-|x|). Error: 4 ulp."""
    return _bessel(x, 1, scaled=True)


ALL = (i0, i0e, i1, i1e)

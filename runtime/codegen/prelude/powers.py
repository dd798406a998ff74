"""x**k for a small whole number k, as products: `pow2`, `pow3`, …, and `pow_1`, `pow_2`, … for negative ones.

So are powers half between two whole numbers, of which a square root is a factor: `pow1_5` and `pow_1_5` for 1.5 and
-1.5. float32 is computed in float64, and a product of float64 as a sum of two: the result is rounded about once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from .emit import ScalarValue, fma, intrinsic, select
from .rare import by_c_library

Pair: TypeAlias = tuple[ScalarValue, ScalarValue | None]  # a sum of two floats; None: the first is all of it
MOST = 8  # products of more factors take as long as `pow`
MOST_HALF = 4  # so do those of more than that and a root


def _times(a: Pair, b: Pair) -> Pair:
    """A product of two sums of two floats, as such a sum."""
    high = a[0] * b[0]
    low = fma(a[0], b[0], -high)
    across = [large * small for large, small in ((a[0], b[1]), (b[0], a[1])) if small is not None]
    if across:
        low = low + (across[0] if len(across) == 1 else across[0] + across[1])
    return high, low


def _raised(x: ScalarValue, exponent: int) -> Pair:
    result: Pair | None = None
    base: Pair = (x, None)
    while True:
        if exponent & 1:
            result = base if result is None else _times(result, base)
        exponent >>= 1
        if not exponent:
            assert result is not None
            return result
        base = _times(base, base)


def _float_power(x: ScalarValue, exponent: int) -> ScalarValue:
    wide = x.to_f64()
    if x.format.is_f32:
        product = _product(wide, abs(exponent))
        return (1.0 / product if exponent < 0 else product).to_f32()
    return _rounded(*_raised(wide, abs(exponent)), inverted=exponent < 0)


def _rounded(
    high: ScalarValue, low: ScalarValue | None, *, inverted: bool, beyond: float | None = None
) -> ScalarValue:
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
    function.__doc__ = f"x**{exponent}. Error: 0.6 ulp (f32), 1 ulp (f64)."
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
        pair = root, fma(-root, root, a) * (0.5 / root)
        product = _times(pair, _raised(a, whole)) if whole else pair
        if inverted and whole:  # the product may overflow where its inverse is still a number
            result = _rounded(*product, inverted=True, beyond=math.nan)
            result = by_c_library("pow", result, a, a.constant(exponent))
        else:
            result = _rounded(*product, inverted=inverted)
    return select((x < 0.0) & (x > -math.inf), x.constant(math.nan), result)


def half_power(exponent: float) -> Callable[[ScalarValue], ScalarValue]:
    """The function `x**exponent` of floats for a whole number and a half."""

    def function(x: ScalarValue) -> ScalarValue:
        return _half_power(x, exponent)

    function.__name__ = f"pow{'_' if exponent < 0 else ''}{int(abs(exponent))}_5"
    function.__doc__ = f"x**{exponent}. Error: 0.6 ulp (f32), 1.5 ulp (f64)."
    return function


ALL = tuple(whole_power(k) for k in range(-MOST, MOST + 1) if k not in (0, 1))
HALVES = tuple(half_power(sign * (k + 0.5)) for k in range(MOST_HALF) for sign in (-1, 1) if (sign, k) != (1, 0))

"""Gamma, Bessel and inverse error functions over arrays, in float64; NumPy has none of them.

Bessel: the trapezoid rule on the periodic integral of exp(x cos t) cos(nt), which converges exponentially, the power
series near 0 and Hankel's series far out. Digamma and its derivatives: recurrence upwards, then Euler and Maclaurin.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)  # B2, B4, …
_TAIL_FROM = 15.0  # from here the asymptotic series hold to the last bits
_FAR = 50.0
_STEPS = 64


def _one_lgamma(x: float) -> float:
    if math.isnan(x) or math.isinf(x):
        return abs(x)
    if x <= 0 and x == math.floor(x):
        return math.inf
    try:
        return math.lgamma(x)
    except OverflowError:
        return math.inf


_lgamma = np.frompyfunc(_one_lgamma, 1, 1)
_erfc = np.frompyfunc(math.erfc, 1, 1)


def lgamma(x: Any) -> Any:
    """log |gamma(x)|; infinite at 0, -1, -2, …

    >>> round(float(lgamma(np.array(5.0))), 10)
    3.1780538303
    """
    x = np.asarray(x)
    return np.asarray(_lgamma(x.astype(np.float64)), np.float64).astype(x.dtype)


def hurwitz(order: int, x: Any) -> Any:
    """The sum of (x + k)^-order over k = 0, 1, …, for an order of at least 2; infinite at 0, -1, …"""
    pole = (x <= 0) & (x == np.floor(x))
    x = np.where(pole | np.isnan(x), 1.0, x)
    total = np.zeros_like(x)
    for _ in range(int(_TAIL_FROM)):
        near = x < _TAIL_FROM
        total = total + np.where(near, np.where(near, x, 1.0) ** -float(order), 0.0)
        x = np.where(near, x + 1.0, x)
    while (x < _TAIL_FROM).any():  # far below 0
        near = x < _TAIL_FROM
        total = total + np.where(near, np.where(near, x, 1.0) ** -float(order), 0.0)
        x = np.where(near, x + 1.0, x)
    total = total + x ** (1.0 - order) / (order - 1) + 0.5 * x ** -float(order)
    rising = float(order)
    for k, b in enumerate(_BERNOULLI, 1):
        total = total + b / math.factorial(2 * k) * rising * x ** (1.0 - order - 2 * k)
        rising *= (order + 2 * k - 1) * (order + 2 * k)
    return np.where(pole, np.inf, total)


def digamma(x: Any) -> Any:
    """The derivative of log gamma(x); NaN at -1, -2, …, at 0 infinite with the other sign.

    >>> round(float(digamma(np.array(1.0))), 12)
    -0.577215664902
    """
    x = np.asarray(x)
    wide = x.astype(np.float64)
    pole = (wide <= 0) & (wide == np.floor(wide))
    below = wide < 0.5
    z = np.where(below, 1.0 - wide, wide)  # reflected: gamma(1 - x) is smooth there
    total = np.zeros_like(z)
    for _ in range(int(_TAIL_FROM)):
        near = z < _TAIL_FROM
        total = total - np.where(near, 1.0 / np.where(near, z, 1.0), 0.0)
        z = np.where(near, z + 1.0, z)
    total = total + np.log(z) - 0.5 / z
    for k, b in enumerate(_BERNOULLI, 1):
        total = total - b / (2 * k) * z ** (-2.0 * k)
    fraction = np.where(pole | ~below, 0.25, wide - np.rint(wide))  # exact, also just below a pole
    total = np.where(below, total - np.pi / np.tan(np.pi * fraction), total)
    at_poles = np.where(wide == 0, np.copysign(np.inf, -wide), np.nan)
    return np.where(pole, at_poles, total).astype(x.dtype)


def polygamma(x: Any, *, n: int) -> Any:
    """The n-th derivative of digamma."""
    if n == 0:
        return digamma(x)
    x = np.asarray(x)
    wide = x.astype(np.float64)
    made = (-1.0) ** (n + 1) * math.factorial(n) * hurwitz(n + 1, wide)
    return np.where(np.isnan(wide), np.nan, made).astype(x.dtype)


_CLOSE = 4e-16  # what a last step may change, relatively: a factor rounded to double can be no closer to 1


def _lower_series(a: Any, x: Any) -> Any:
    term = np.where(a > 0, 1.0 / np.where(a > 0, a, 1.0), 0.0)
    total, k = term.copy(), a.copy()
    for _ in range(10_000):
        k = k + 1.0
        term = term * x / k
        total = total + term
        if not (np.abs(term) > np.abs(total) * _CLOSE).any():
            break
    return total


def _upper_fraction(a: Any, x: Any) -> Any:
    """Lentz's way through the continued fraction of the upper function."""
    tiny = 1e-300
    b = x + 1.0 - a
    c, d = np.full_like(x, 1.0 / tiny), 1.0 / np.where(b == 0, tiny, b)
    h = d.copy()
    for k in range(1, 10_000):
        step = -k * (k - a)
        b = b + 2.0
        d = step * d + b
        d = 1.0 / np.where(d == 0, tiny, d)
        c = b + step / c
        c = np.where(c == 0, tiny, c)
        h = h * d * c
        if not (np.abs(d * c - 1.0) > _CLOSE).any():
            break
    return h


def gammaincc(a: Any, x: Any) -> Any:
    """The regularised upper incomplete gamma function of a > 0 up from x >= 0; NaN elsewhere."""
    return _incomplete(a, x, upper=True)


def gammainc(a: Any, x: Any) -> Any:
    """The regularised lower incomplete gamma function of a > 0 up to x >= 0; NaN elsewhere."""
    return _incomplete(a, x, upper=False)


def _incomplete(a: Any, x: Any, *, upper: bool) -> Any:
    kind = np.asarray(a).dtype
    a, x = (np.array(v, np.float64) for v in np.broadcast_arrays(a, x))
    bad = (a < 0) | (x < 0) | np.isnan(a) | np.isnan(x) | ((a == 0) & (x == 0))
    lowest, highest = bad | (x == 0), np.isinf(x) | (a == 0)
    usual = ~(lowest | highest | np.isinf(a))
    below = usual & (x < a + 1.0)
    made = np.where(np.isinf(a) & ~highest, 0.0, np.where(highest, 1.0, 0.0))  # the lower function
    front = np.zeros_like(x)
    front[usual] = np.exp(a[usual] * np.log(x[usual]) - x[usual] - lgamma(a[usual]))
    above = usual & ~below
    made[below] = front[below] * _lower_series(a[below], x[below])
    tail = np.zeros_like(x)
    tail[above] = front[above] * _upper_fraction(a[above], x[above])
    made[above] = 1.0 - tail[above]
    made = np.where(above, tail, 1.0 - made) if upper else made
    return np.where(bad, np.nan, made).astype(kind)


def bessel(x: Any, order: int, *, scaled: bool) -> Any:
    """The modified Bessel function of the first kind, order 0 or 1; `scaled`: times exp(-|x|).

    >>> float(bessel(np.array(0.0), 0, scaled=False))
    1.0
    """
    kind = np.asarray(x).dtype
    wide = np.asarray(x, np.float64)
    size = np.abs(wide)
    near, far = size < 1.0, size > _FAR
    inner = np.where(far | ~np.isfinite(size), 1.0, size)
    total = np.full_like(inner, 0.5) + 0.5 * (-1.0) ** order * np.exp(-2.0 * inner)
    for k in range(1, _STEPS):
        angle = math.pi * k / _STEPS
        total = total + np.exp(inner * (math.cos(angle) - 1.0)) * math.cos(order * angle)
    made = total / _STEPS
    quarter = np.where(near, size * size * 0.25, 0.0)
    term = series = np.ones_like(quarter)
    for k in range(1, 14):
        term = term * quarter / (k * (k + order))
        series = series + term
    made = np.where(near, series * (size * 0.5) ** order * np.exp(-np.where(near, size, 0.0)), made)
    outer = np.where(far, size, _FAR)
    term = series = np.ones_like(outer)
    for k in range(1, 14):
        term = -term * (4 * order * order - (2 * k - 1) ** 2) / (8.0 * k * outer)
        series = series + term
    made = np.where(far, series / np.sqrt(2.0 * math.pi * outer), made)
    made = np.where(np.isnan(size), np.nan, made)
    if not scaled:
        made = np.where(np.isinf(size), np.inf, made * np.exp(np.where(np.isinf(size), 0.0, size)))
    return (np.copysign(made, wide) if order else made).astype(kind)


def erfinv(x: Any) -> Any:
    """The inverse of erf on (-1, 1); infinite at the ends, NaN outside.

    >>> float(erfinv(np.array(0.0)))
    0.0
    """
    kind = np.asarray(x).dtype
    wide = np.asarray(x, np.float64)
    size = np.abs(wide)
    inside = size < 1.0
    y = np.where(inside, size, 0.0)
    rest = 1.0 - y
    w = np.log(rest * (1.0 + y))
    u = 2.0 / (math.pi * 0.147) + 0.5 * w  # Winitzki's start, then Halley's steps
    z = np.sqrt(np.maximum(np.sqrt(u * u - w / 0.147) - u, 0.0))
    for _ in range(3):
        miss = (rest - np.asarray(_erfc(z), np.float64)) / (2.0 / math.sqrt(math.pi) * np.exp(-z * z))
        z = z - miss / (1.0 + z * miss)
    small = y < 1e-4
    z = np.where(small, y * (math.sqrt(math.pi) / 2.0) * (1.0 + math.pi * y * y / 12.0), z)
    made = np.where(inside, z, np.where(size == 1.0, np.inf, np.nan))
    return (np.copysign(1.0, wide) * made).astype(kind)

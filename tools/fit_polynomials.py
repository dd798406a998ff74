"""Fit the coefficients in runtime/codegen/prelude/coefficients.py (development tool; needs mpmath).

Remez exchange on a dense grid, in 60 digits. Run it and paste what it prints.
"""

from collections.abc import Callable, Sequence

import mpmath as mp

mp.mp.dps = 60
Real = Callable[[mp.mpf], mp.mpf]


def remez(f: Real, weight: Real, low: float, high: float, degree: int) -> tuple[list[mp.mpf], mp.mpf]:
    """Return c with sum c[k] x**k close to `f` on [low, high], and the largest weight * error."""
    low, high = mp.mpf(low), mp.mpf(high)
    count = degree + 2
    grid = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * k / 800) for k in range(801)]
    values = [(x, f(x), weight(x)) for x in grid if abs(x) > 1e-12 and weight(x) != 0]  # 0/0 near 0
    step = (len(values) - 1) / (count - 1)
    chosen = [values[round(k * step)] for k in range(count)]
    for _ in range(30):
        system = mp.matrix([[x**k for k in range(degree + 1)] + [(-1) ** j / w] for j, (x, _, w) in enumerate(chosen)])
        solution = list(mp.lu_solve(system, mp.matrix([v for _, v, _ in chosen])))
        errors = [(polynomial(solution[:-1], x) - v) * w for x, v, w in values]
        worst = max(abs(e) for e in errors)
        if worst <= abs(solution[-1]) * mp.mpf("1.02"):
            break
        chosen = exchange(values, errors, count)
    return solution[:-1], worst


def exchange(values: Sequence[tuple], errors: Sequence[mp.mpf], count: int) -> list[tuple]:
    """Pick `count` neighbouring extrema of alternating sign, dropping the smaller end first."""
    extrema: list[int] = []
    for k, error in enumerate(errors):
        if extrema and (errors[extrema[-1]] > 0) == (error > 0):
            if abs(error) > abs(errors[extrema[-1]]):
                extrema[-1] = k
        else:
            extrema.append(k)
    while len(extrema) > count:
        extrema.pop(0 if abs(errors[extrema[0]]) < abs(errors[extrema[-1]]) else -1)
    if len(extrema) < count:
        raise RuntimeError("the error has too few extrema: lower the degree or widen the grid")
    return [values[k] for k in extrema]


def polynomial(c: Sequence[mp.mpf], x: mp.mpf) -> mp.mpf:
    """Evaluate by Horner's rule."""
    return mp.polyval(list(reversed(c)), x)


def show(name: str, fit: tuple[list[mp.mpf], mp.mpf]) -> None:
    """Print one table as Python."""
    coefficients, error = fit
    print(f"{name} = (  # error {mp.nstr(error, 2)}")
    for c in coefficients:
        print(f"    {float(c)!r},")
    print(")", flush=True)


def split(name: str, value: mp.mpf, *bits: int) -> None:
    """Print `value` as a sum of floats of so many bits each, largest first; none is negative where the first is short.

    Then an infinite multiple of each adds up to an infinity, and to no NaN.
    """
    parts = []
    for count in bits:
        unit = mp.mpf(2) ** (mp.floor(mp.log(abs(value), 2)) + 1 - count)
        shorter = bits[0] < bits[1] and not parts
        parts.append((mp.floor if shorter else mp.nint)(value / unit) * unit)
        value -= parts[-1]
    print(f"{name} = ({', '.join(repr(float(p)) for p in parts)})", flush=True)


def series(f: Real, at_zero: mp.mpf) -> Real:
    """`f` with its removable singularity at 0 filled in."""
    return lambda x: at_zero if x == 0 else f(x)


def scaled_erfc(k: float) -> Real:
    """(1 + 2a) exp(a*a) erfc(a) as a function of t = (a - k)/(a + k) (Shepherd & Laframboise, 1981)."""

    def at(t: mp.mpf) -> mp.mpf:
        a = k * (1 + t) / (1 - t)
        return (1 + 2 * a) * mp.exp(a * a) * mp.erfc(a)

    return at


def square(f: Real) -> Real:
    """`f` at the square root of its argument."""
    return lambda z: f(mp.sqrt(z))


def logarithm(base: int) -> Real:
    """The logarithm of 1 + f to a base, by f."""
    return series(lambda f: mp.log1p(f) / f / mp.log(base), 1 / mp.log(base))


def one_plus(f: Real) -> Real:
    """1 / (1 + f(x)), a weight that makes the error of 1 + f relative."""
    return lambda x: 1 / (1 + f(x))


def bessel(order: int) -> Real:
    """I_n(x) / (x / 2)**n as a function of x**2 / 4: all terms of its series are positive."""
    return lambda q: mp.hyp0f1(order + 1, q) / mp.factorial(order)


def far_bessel(order: int) -> Real:
    """sqrt(x) exp(-x) I_n(x) as a function of 1 / x."""
    return series(lambda u: mp.exp(-1 / u) * mp.besseli(order, 1 / u) / mp.sqrt(u), 1 / mp.sqrt(2 * mp.pi))


def erfinv(w: mp.mpf) -> mp.mpf:
    """z / erf(z) where erf(z)**2 = 1 - exp(-w), by Newton's steps on erfc."""
    if w == 0:
        return mp.sqrt(mp.pi) / 2
    y = mp.sqrt(-mp.expm1(-w))
    z = y * mp.sqrt(mp.pi) / 2 if w < 1 else mp.sqrt(w - mp.log(mp.sqrt(mp.pi * w) / 2) if w > 5 else w)
    for _ in range(60):
        z += (mp.erfc(z) - mp.exp(-w) / (1 + y)) * mp.exp(z * z) * mp.sqrt(mp.pi) / 2
    return z / y


def relative(f: Real) -> Real:
    """A weight that makes an error relative."""
    return lambda x: 1 / f(x)


def main() -> None:
    """Fit and print every table."""
    one = mp.mpf(1)
    half_ln2 = float(mp.log(2) / 2) * 1.001
    low, high = -0.25001, 0.50001  # mantissas from 0.75 to 1.5, less 1
    quarter, eighth = float(mp.pi / 4) * 1.001, float(mp.tan(mp.pi / 8)) * 1.0001
    exp_tail = series(lambda r: (mp.expm1(r) - r) / r**2, one / 2)
    log_tail = series(lambda f: (mp.log1p(f) - f + f * f / 2) / f**3, one / 3)
    atanh_tail = series(square(lambda s: 2 * (mp.atanh(s) - s) / s**3), one * 2 / 3)
    sin_tail = series(square(lambda r: (mp.sin(r) - r) / r**3), -one / 6)
    cos_tail = series(square(lambda r: (mp.cos(r) - 1 + r * r / 2) / r**4), one / 24)
    atan_tail = series(square(lambda t: (mp.atan(t) - t) / t**3), -one / 3)
    tanh_tail = series(square(lambda s: (mp.tanh(s) - s) / s**3), -one / 3)
    tanh_weight = series(square(lambda s: s**3 / mp.tanh(s)), mp.mpf(0))
    asin_tail = series(square(lambda s: (mp.asin(s) - s) / s**3), one / 6)
    erf_tail = series(square(lambda x: mp.erf(x) / x - 1), 2 / mp.sqrt(mp.pi) - 1)
    tables = ((32, 3.0, 10.2, (4, 7, 3, 4, 2, 2, 3, 4, 5, 10)), (64, 3.75, 27.3, (9, 0, 6, 7, 5, 5, 10, 12, 11, 22)))
    for bits, k, top, degrees in tables:
        d = iter(degrees)
        show(f"EXP{bits}", remez(exp_tail, abs, -half_ln2, half_ln2, next(d)))
        degree = next(d)
        if bits == 32:
            show(f"TANH{bits}", remez(tanh_tail, tanh_weight, 0.0, (half_ln2 / 2) ** 2, 1))
            show(f"LOG{bits}", remez(log_tail, lambda f: f * f, low, high, degree))
            for base in (2, 10):
                show(f"LOG{base}_{bits}", remez(logarithm(base), relative(logarithm(base)), low, high, 8))
        degree = next(d)
        show(f"ATANH{bits}", remez(atanh_tail, lambda z: z, 0.0, 0.04 * 1.001, degree))
        show(
            f"SIN{bits}",
            remez(
                sin_tail,
                series(lambda z: z * mp.sqrt(z) / mp.sin(mp.sqrt(z)), mp.mpf(0)),
                0.0,
                (2 * quarter) ** 2,
                next(d),
            ),
        )
        show(f"SIN_SHORT{bits}", remez(sin_tail, lambda z: z, 0.0, quarter**2, next(d)))
        show(f"COS_SHORT{bits}", remez(cos_tail, lambda z: z * z, 0.0, quarter**2, next(d)))
        show(f"ATAN{bits}", remez(atan_tail, lambda z: z, 0.0, eighth**2, next(d)))
        show(f"ASIN{bits}", remez(asin_tail, lambda z: z, 0.0, 0.2501, next(d)))
        weight = one_plus(erf_tail) if bits == 32 else lambda z: one
        show(f"ERF{bits}", remez(erf_tail, weight, 0.0, 1.0, next(d)))
        show(f"ERFC{bits}", remez(scaled_erfc(k), lambda t: one, -1.0, (top - k) / (top + k), next(d)))
    for bits, width, short in ((32, 24, 15), (64, 53, 41)):
        split(f"LN2_{bits}", mp.log(2), short, width)  # short: n * LN2[0] is exact for every exponent n
        split(f"LOG10_2_{bits}", mp.log10(2), short, width)
        split(f"PI_{bits}", mp.pi, width, width, width)
    split("TWO_THIRDS", one * 2 / 3, 53, 53)
    pow_tail = series(square(lambda s: 2 * (mp.atanh(s) - s - s**3 / 3) / s**5), one * 2 / 5)
    middle, half = mp.mpf("2.44"), mp.mpf("1.44")
    show("ERF_FAR32", remez(lambda t: mp.erf(middle + half * t), lambda t: one, -1.0, 1.0, 12))
    two_log2_e = 2 / mp.log(2)
    log2_tail = series(square(lambda s: two_log2_e * (mp.atanh(s) - s) / s**3), two_log2_e / 3)
    log2_fit = remez(log2_tail, lambda z: z, 0.0, 0.04 * 1.001, 3)
    show("LOG2_PAIR32", log2_fit)
    split("LOG2_TERM_32", log2_fit[0][0], 24, 24)
    split("TWO_LOG2_E_32", two_log2_e, 24, 24)
    show("POW64", remez(pow_tail, lambda z: z * z, 0.0, 0.04 * 1.001, 7))
    for bits, near_degree, far_degree in ((32, 9, 6), (64, 14, 23)):
        for order in (0, 1):
            near, far = bessel(order), far_bessel(order)
            show(f"BESSEL{order}_{bits}", remez(near, relative(near), 0.0, 16.0, near_degree))
            show(f"BESSEL{order}_FAR{bits}", remez(far, relative(far), 0.0, 0.125, far_degree))
    sinh_tail = series(square(lambda r: (mp.sinh(r) - r) / r**3), one / 6)
    cosh_tail = series(square(lambda r: (mp.cosh(r) - 1) / r**2), one / 2)
    show("SINH_SHORT64", remez(sinh_tail, lambda z: z, 0.0, half_ln2**2, 4))
    show("COSH_SHORT64", remez(cosh_tail, lambda z: z, 0.0, half_ln2**2, 4))
    show("TANH64", remez(tanh_tail, tanh_weight, 0.0, (half_ln2 / 2) ** 2, 5))
    near = lambda t: erfinv(t + 2.5)  # noqa: E731 - around the middle: powers of small numbers don't cancel
    show("ERFINV", remez(near, relative(near), -2.5, 2.5, 9))
    far = lambda t: erfinv((t + 3.0) ** 2)  # noqa: E731
    show("ERFINV_FAR32", remez(far, relative(far), 5.0**0.5 - 3.0, 4.1 - 3.0, 9))
    near = lambda t: erfinv(t + 3.125)  # noqa: E731
    show("ERFINV64", remez(near, relative(near), -3.125, 3.125, 24))
    far = lambda t: erfinv((t + 4.25) ** 2)  # noqa: E731
    show("ERFINV_FAR64", remez(far, relative(far), 2.5 - 4.25, 6.1 - 4.25, 28))


if __name__ == "__main__":
    main()

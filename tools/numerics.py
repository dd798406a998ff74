"""How exact kernels are: every scalar function of the prelude over the whole float range, sums at hostile magnitudes.

    python tools/numerics.py                  # measure and print; exit status 1 where a stated bound doesn't hold
    python tools/numerics.py --write          # write docs/numerics.md from what was measured
    python tools/numerics.py --functions exp sin

float32: every --stride-th bit pattern, hence every exponent, against NumPy's float64. float64: all exponents with
random mantissas and the busy ranges; NumPy's long double finds the candidates, and mpmath with 60 digits measures the
worst of them. Errors are in units in the last place of the exact result, rounded to the type. Needs mpmath.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mpmath as mp
import numerics_sums as sums
import numpy as np

from vitrify.base.table import table
from vitrify.runtime.codegen.prelude import BOUNDS, trigonometry
from vitrify.testing.element_loops import element_loop

Array = np.ndarray[Any, np.dtype[Any]]
Real = Callable[..., Any]
TYPES: dict[str, type] = {"f32": np.float32, "f64": np.float64}
TRIGONOMETRIC = ("sin", "cos", "tan")
DIGITS = 60


def _sigmoid(x: Array) -> Array:
    return np.where(x < 0, np.exp(-np.abs(x)), 1) / (1 + np.exp(-np.abs(x)))


def _softplus(x: Array) -> Array:
    return np.asarray(np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))))


# In NumPy, for any width; None: mpmath (float64) or Python's math (float32) is asked for every point.
WIDE: dict[str, Callable[..., Array] | None] = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10,
    "log1p": np.log1p, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "tanh": np.tanh, "sinh": np.sinh,
    "cosh": np.cosh, "sigmoid": _sigmoid, "softplus": _softplus, "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "asinh": np.arcsinh, "acosh": np.arccosh,
    "atanh": np.arctanh, "erf": None, "erfc": None, "lgamma": None, "pow": np.power, "atan2": np.arctan2,
}  # fmt: skip
NARROW: dict[str, Callable[[float], float]] = {"erf": math.erf, "erfc": math.erfc, "lgamma": math.lgamma}
TWO = ("pow", "atan2")


def _erfc(x: Any) -> Any:
    return mp.erfc(x) if x < 30 else mp.mpf(0)  # mpmath's takes forever further out


def _lgamma(x: Any) -> Any:
    return mp.inf if x <= 0 and x == mp.floor(x) else mp.re(mp.loggamma(x))


def _pow(x: Any, y: Any) -> Any:
    return mp.power(x, y)


EXACT: dict[str, Real] = {
    "exp2": lambda x: mp.power(2, x), "log2": lambda x: mp.log(x, 2), "rsqrt": lambda x: 1 / mp.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)), "softplus": lambda x: mp.log1p(mp.exp(x)), "erfc": _erfc,
    "lgamma": _lgamma, "pow": _pow,
}  # fmt: skip


@dataclass
class Measured:
    """What one function of one type was found to do."""

    name: str
    bound: float
    points: int = 0
    error: float = 0.0
    at: tuple[float, ...] = ()
    wrong: list[tuple[float, ...]] = field(default_factory=list)  # NaN or infinite where the exact result isn't, or not

    @property
    def holds(self) -> bool:
        return self.error <= self.bound and not self.wrong


def computed(name: str, arrays: Sequence[Array]) -> Array:
    """What kernels compute."""
    out = np.empty_like(arrays[0])
    kinds = [str(out.dtype)] * (len(arrays) + 1)
    element_loop(f"{name}({', '.join('AB'[: len(arrays)])})", *kinds)(*arrays, out)
    return out


# -- points


def float32_points(stride: int, offset: int) -> Array:
    """Every `stride`-th float32 of all bit patterns: both zeros' neighbours, subnormals, infinities, NaN."""
    return np.arange(offset % stride, 2**32, stride, dtype=np.uint64).astype(np.uint32).view(np.float32)


def float64_points(name: str, scale: int, rng: np.random.Generator) -> Array:
    """Every exponent of both signs (subnormals, infinities and NaN with them), and where functions bend."""
    each = max(scale // 400, 1)
    exponents = np.repeat(np.arange(2**12, dtype=np.uint64), each)
    mantissas = rng.integers(0, 2**52, exponents.size, dtype=np.uint64)
    whole = ((exponents << np.uint64(52)) | mantissas).view(np.float64)
    sign = rng.choice([-1.0, 1.0], scale)
    busy = [rng.uniform(-w, w, scale) for w in (1, 4, 20, 110, 760, 1e4)]
    busy += [sign * (1 + sign * 10.0 ** rng.uniform(-16, 0, scale)), sign * 10.0 ** rng.uniform(-6, 2, scale)]
    if name in TRIGONOMETRIC:
        busy.append(rng.integers(-(10**6), 10**6, scale) * (np.pi / 2))
        busy.append(rng.uniform(-1, 1, scale) * 10.0 ** rng.uniform(4, 17, scale))
    return np.concatenate([whole, *busy])


def pairs(name: str, short: str, scale: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Operands of pow whose result is finite, mostly; of atan2 at all angles and magnitudes."""
    kind, top = TYPES[short], math.log(float(np.finfo(TYPES[short]).max))
    if name == "atan2":
        y = np.exp(rng.uniform(4 - top, top - 4, scale)) * rng.choice([-1, 1], scale)
        near = y * np.exp(rng.uniform(-3, 3, scale)) * rng.choice([-1, 1], scale)
        far = np.exp(rng.uniform(-top, top, scale)) * rng.choice([-1, 1], scale)
        return np.concatenate([y, y]).astype(kind), np.concatenate([near, far]).astype(kind)
    near = 1 + rng.uniform(-1, 1, scale) * 10.0 ** rng.uniform(-15, 0, scale)
    base = np.concatenate([np.exp(rng.uniform(-top, top, scale)), rng.uniform(0.5, 2, scale), near]).astype(kind)
    with np.errstate(all="ignore"):
        reach = top / np.abs(np.log(base.astype(np.float64)))
        power = np.clip(reach * rng.uniform(-1.05, 1.0, base.size), -1e30, 1e30).astype(kind)
    keep = base > 0
    return base[keep], power[keep]


# -- errors


def ulps(got: Array, want: Array) -> tuple[Array, Array]:
    """(errors in units in the last place, 0 where one isn't finite; where NaN or infinities differ)."""
    with np.errstate(all="ignore"):
        rounded = want.astype(got.dtype)
        both = np.isfinite(rounded) & np.isfinite(got)
        unit = np.spacing(np.abs(np.where(both, rounded, 1))).astype(want.dtype)
        errors = np.where(both, np.abs(got.astype(want.dtype) - want) / unit, 0)
    same = (got == rounded) | (np.isnan(got) & np.isnan(rounded))
    largest = np.finfo(got.dtype).max  # next to the overflow, both sides are within a unit
    edge = np.minimum(np.abs(got), np.abs(rounded)) >= largest
    return errors.astype(np.float64), ~both & ~same & ~edge


def exact_ulps(name: str, got: Array, operands: Sequence[Array]) -> tuple[Array, Array]:
    """`ulps` against mpmath, point by point."""
    function = EXACT.get(name) or getattr(mp, name)
    errors, wrong = np.zeros(got.size), np.zeros(got.size, bool)
    with mp.workdps(DIGITS):
        for k, value in enumerate(got):
            want = _exactly(function, [float(a[k]) for a in operands])
            rounded = got.dtype.type(float(want))
            if np.isfinite(value) and np.isfinite(rounded):
                unit = mp.mpf(float(np.spacing(abs(rounded))))
                errors[k] = float(abs(mp.mpf(float(value)) - want) / unit)
            else:
                wrong[k] = not (value == rounded or (np.isnan(value) and np.isnan(rounded)))
    return errors, wrong


def _exactly(function: Real, operands: Sequence[float]) -> Any:
    if any(math.isnan(v) for v in operands):
        return mp.nan
    try:
        made = function(*(mp.mpf(v) for v in operands))
    except (ValueError, ZeroDivisionError):
        return mp.nan
    return made if isinstance(made, mp.mpf) else mp.nan


def measure(name: str, short: str, *, stride: int, scale: int, exact: int, seed: int = 0) -> Measured:
    """The largest error that a search finds."""
    rng = np.random.default_rng(seed)
    found = Measured(f"{name}_{short}", BOUNDS[f"{name}_{short}"])
    if name in TWO:
        operands: tuple[Array, ...] = pairs(name, short, scale * (1 if short == "f64" else 10), rng)
        _search(found, name, short, operands, exact)
    elif short == "f32":
        every = stride * (10 if WIDE[name] is None else 1)
        x = float32_points(every, int(rng.integers(every)))
        for part in np.array_split(x, max(x.size // 2**20, 1)):
            _search(found, name, short, (part,), exact)
    else:
        x = float64_points(name, scale if WIDE[name] else exact, rng)
        _search(found, name, short, (x,), exact)
    return found


def _search(found: Measured, name: str, short: str, operands: tuple[Array, ...], exact: int) -> None:
    got = computed(found.name, operands)
    found.points += got.size
    wide, function = np.float64 if short == "f32" else np.longdouble, WIDE[name]
    if function is None and short == "f64":
        errors, wrong = exact_ulps(name, got, operands)
    else:
        with np.errstate(all="ignore"):
            widened = [a.astype(wide) for a in operands]
            want = function(*widened) if function else _by_math(NARROW[name], widened[0])
        errors, wrong = ulps(got, want)
        if short == "f64":
            chosen = np.union1d(np.argsort(errors)[-exact:], np.flatnonzero(wrong)[:exact])
            operands, got = tuple(a[chosen] for a in operands), got[chosen]
            errors, wrong = exact_ulps(name, got, operands)
    worst = int(errors.argmax())
    if errors[worst] > found.error:
        found.error, found.at = float(errors[worst]), tuple(float(a[worst]) for a in operands)
    found.wrong += [tuple(float(a[k]) for a in operands) for k in np.flatnonzero(wrong)[:3]]


def _by_math(function: Callable[[float], float], x: Array) -> Array:
    def one(v: float) -> float:
        try:
            return function(v)
        except (ValueError, OverflowError):  # a pole, or beyond float64
            return math.inf

    return np.array([one(v) for v in x.tolist()])


# -- sums, and the page


def sum_rows(count: int) -> tuple[list[list[str]], bool]:
    """(a row per case and type: what, operands, unit, errors and bounds; whether all bounds hold)."""
    rows, good = [], True
    for short, kind in TYPES.items():
        for case in sums.cases(kind, count):
            errors = case.errors()
            good &= all(e <= b for e, b in zip(errors, case.bounds, strict=True))
            told = [f"{_number(e)} (≤ {_number(b)})" for e, b in zip(errors, case.bounds, strict=True)]
            rows.append([case.what, short, case.operands, case.unit, *told])
    return rows, good


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"


def function_rows(found: Sequence[Measured]) -> list[list[str]]:
    """A row per function: bound, largest error found and where, for each type."""
    by_name = {m.name: m for m in found}
    rows = []
    for name in dict.fromkeys(m.name.rpartition("_")[0] for m in found):
        row = [name]
        for short in TYPES:
            m = by_name[f"{name}_{short}"]
            row += [f"{m.bound:g}", f"{m.error:.2f}", ", ".join(f"{v:.9g}" for v in m.at) or "–", f"{m.points:,}"]
        rows.append(row)
    return rows


def page(found: Sequence[Measured], rows: Sequence[Sequence[str]], given: argparse.Namespace) -> str:
    """docs/numerics.md."""
    heads = ["function", *(f"{short}{what}" for short in TYPES for what in (": bound", ": found", ", at", ", points"))]
    reach = ", ".join(f"{limit:.0e} ({short})" for short, limit in trigonometry.LIMIT.items())
    edges = [[w, o, ", ".join(e), ", ".join(c) if c != e else "the same"] for w, o, e, c in sums.edges()]
    return PAGE_TEXT.format(
        functions=_markdown(heads, function_rows(found)), sums=_markdown(SUM_HEADS, rows), reach=reach,
        edges=_markdown(["function (float32)", "of", "eager", "compiled"], edges), stride=given.stride,
        exact=given.exact, digits=DIGITS, wrong=sum(bool(m.wrong) for m in found),
    )  # fmt: skip


SUM_HEADS = ["function", "type", "of", "in units of eps times", "eager", "compiled"]
PAGE = Path(__file__).resolve().parent.parent / "docs" / "numerics.md"
PAGE_TEXT = """\
# Numerics: how exact results are

Written by `make numerics ARGS=--write` (`tools/numerics.py`), which measures everything below; without `--write` it
prints the figures and fails where a bound doesn't hold. `tests/tools/test_numerics.py` does so with fewer points.

## What a compiled program promises
`to_static(numerics=...)`, or the environment variable `VITRIFY_NUMERICS`, chooses one of three modes. The dump of a
kernel (`fn.kernels`) names its mode in its first line.

* `"ieee"`, the default: every element-wise operation is that IEEE operation, rounded once: `+ - * / sqrt`, `maximum`,
  casts, comparisons, remainders have the bits of eager mode, wherever the operation stands: alone, fused with others,
  before or after a sum, a product or a convolution, in a loop, in a gradient. Nothing is contracted, reassociated,
  approximated or flushed to zero. NaN, infinities, subnormal numbers and signs of zeros are eager mode's.
* `"fast"`: LLVM may reassociate, contract to fused multiply-adds, take reciprocals, drop signs of zeros and
  approximate. NaN and infinities that go in come out, but ones may appear that eager mode doesn't have:
  `1 / sqrt(0)` is NaN. Programs that look for equal elements (`max`, `==`) are compiled as in the default mode.
* `"reference"`: NumPy's functions in eager mode's order, bit for bit, without kernels.

The exceptions of the default mode are these:

* *Functions* (exp, log, sin, ...) are polynomials of ours, with the bounds below; a fused multiply-add inside of them
  is part of the bound. Next to its threshold of overflow or underflow a function may round to the other side of it.
* *Sums* inside reductions, products of matrices, convolutions and attention are added in another order; the
  multiplication inside a product, a convolution or attention is fused with the addition. Their bounds are below, too.
  Which zero `max` and `min` over an axis give where both are there is open, as in NumPy.
* *A factor and terms per channel behind a convolution* (bias, batch norm by fixed numbers) become one factor and one
  term: (y - m) s + b is y s + (b - m s), fused with the sum. Where m s overflows, so does the result.
* *A product of matrices that is scaled and added to memory* (`w - k * (x @ g)`) is one call of the BLAS: a literal k is
  its alpha, another one is multiplied into the smaller operand. Products that are added up (the gradient of a weight
  that a loop uses) become one product, and a piece that is added to zeros becomes the piece itself (-0 stays -0).
  Gradients of arrays that loops fill leave zeros out likewise: adding them would cost the whole array each time.
* *Transformed tiles and attention* make up to sixteen pixels, or a row, NaN where one number that goes in is NaN or
  infinite.

`python -m vitrify.testing.fuzz --kind compositions` tries the promise on random compositions of all element-wise rows
([reliability](reliability.md)).

## Functions in kernels
Compiled programs compute transcendental functions by polynomials (`runtime/codegen/prelude`) instead of the C
library. The
bounds are the stated ones (`vitrify.runtime.codegen.prelude.BOUNDS`), in units in the last place of the exact result;
the errors are the largest that the search found, with the place:

* float32: every {stride}th bit pattern of all 2³² (for erf, erfc and lgamma every tenth of those), hence both signs of
  every exponent, subnormals, infinities and NaN, against float64;
* float64: every exponent of both signs with random mantissas, and many points where functions bend; long double
  (64 bits of mantissa) finds the {exact} worst, which mpmath measures with {digits} digits (erf, erfc and lgamma: all);
* `pow` and `atan2`: random pairs of all magnitudes, with results near overflow and underflow.

NaN and infinities are where the exact function has them: {wrong} functions had one elsewhere. Beyond {reach}
sin, cos and tan are the C library's.
`lgamma` is the C library's, evaluated in float64: its float64 errors are that library's. So is `pow` of float64 where
the result is a single number, half the time of the one that makes vectors.
`x ** k` for a whole number k from -8 to 8 is a product, within 0.6 units; for 5, 7, -5 and -7, and next to the least
numbers, within 1.5.
`digamma` is within 1e-7 (f32) and 1e-14 (f64) of 1 + |digamma(x)|, `polygamma` of order 1
and 2 of positive x within 1e-7 and 4e-15 of its value, `erfinv` within 4 units (f32) and 1e-15 (f64), Bessel functions
within 6 units (`tests/runtime/test_prelude.py`). floor, ceil,
round, trunc, abs, sign, maximum, minimum, remainder and floor division have eager mode's bits, for quotients of any
length: those beyond 2⁷⁰ (f32) or 2¹⁰⁴ (f64) are the C library's.

{functions}

Eager mode calls NumPy, whose own errors are its authors' to state. `fn.deviation(*args)` tells how far a compiled
function is from eager mode on your numbers; `numerics="reference"` makes it none.

## Sums and what is made of them
eps is half a unit in the last place of 1: 2⁻²⁴ for f32, 2⁻⁵³ for f64. Eager mode adds in pairs, as NumPy does. Kernels
add blocks of 4096, each in eight lanes or more, and then the blocks' sums: the bound is 4096/8 + count/4096. Sums over
an axis that isn't the last one in memory (of a transposed array: of the array that was transposed) add in order, as
NumPy's do. `cumsum` adds in order in both. Products of matrices are the BLAS's.
3 x 3 convolutions by transformed tiles (the pass `winograd`) are within 60 eps times the Σ of the products' sizes,
as direct ones are within 80 (512 channels, all numbers positive; 2.5 and 5 for normal ones); here the Σ is the
largest of the image, as a pixel takes over the rounding of its neighbours. softmax loses what
rounding x - max(x) loses: as many units as that difference is large.

{sums}

## At kinks, infinities and NaN
Values and gradients of the activations and the element-wise functions are compared with PaddlePaddle 3.3.1 at 0, -0,
their kinks, infinities, NaN, large and small numbers. At kinks the gradients are Paddle's: 0 at both bounds of `relu6`,
`hardtanh` and `hardswish` (at 3: 1), the first operand's of equal ones for `fmax` and `fmin`; `abs` has the gradient 0
at 0 whatever follows. `maximum` and `minimum` share it, `clip` has 1 at its bounds. What differs is on purpose:

| of | here | Paddle |
|---|---|---|
| `relu(nan)` | nan | 0 |
| gradient at NaN of `leaky_relu`, `hardshrink`, `softshrink` | 1 | 0 |
| value at -inf and gradient at ±inf of `silu`, `mish`, `gelu` | nan | nan (`silu` at inf: gradient inf) |
| gradient of `silu` below -88 (f32), of `celu` above 88 times alpha | exact | nan |
| gradient of `swish` from 1e10 on | 1 | 0 |
| `log_sigmoid(-inf)`, its gradient | -inf, 1 | nan |
| `softshrink(±inf)`, `thresholded_relu(-inf)` | ±inf, 0 | nan |
| gradient of `hardswish`, `abs`, `l1_loss`, `logaddexp`, `hypot` at ±inf | exact | nan |
| `log_softmax` below -64 | exact | -64 |
| `soft_margin_loss` beyond 88 (f32) | exact | inf, gradient nan |
| gradient of `binary_cross_entropy_with_logits` at 0 | sigmoid(0) - label | 1 less |
| `erfinv` outside of (-1, 1), `sinc(±inf)`, `sinc(nan)` | nan | ±inf, 1, 1 |
| `pow(x, 0.5)` of -0 and -inf | -0, nan: a square root | 0, inf |
| odd powers of -0 and -inf: `pow(x, 3)`, `pow(x, -1)` | signed | not signed |
| `x % 3` of -3 | 0, as in Python | -0 |
| constants of `selu`, `stanh`, `hardsigmoid` and `rrelu` with f64 | f64 | f32 |

## Where something overflows
{edges}

`norm` squares its operands as they are: beyond 1e19 (f32) they overflow, and below 1e-23 they vanish; divide by the
largest first.
"""


def _markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def main() -> int:
    """Measure, print, and write where that is asked for; 1 where a bound doesn't hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--functions", nargs="*", default=list(WIDE), choices=list(WIDE), metavar="NAME")
    parser.add_argument("--stride", type=int, default=251, help="one in so many float32 patterns")
    parser.add_argument("--scale", type=int, default=200_000, help="float64 points in each busy range")
    parser.add_argument("--exact", type=int, default=600, help="float64 points that mpmath looks at")
    parser.add_argument("--sums", type=int, default=10**6, help="how many numbers the sums are of")
    parser.add_argument("--write", action="store_true", help="write docs/numerics.md")
    given = parser.parse_args()
    found = []
    for name in given.functions:
        for short in TYPES:
            m = measure(name, short, stride=given.stride, scale=given.scale, exact=given.exact)
            found.append(m)
            verdict = "holds" if m.holds else f"DOES NOT HOLD: {m.wrong[:3] or m.at}"
            print(
                f"{m.name:14s} {m.points:10,d} points, error {m.error:6.3f}, bound {m.bound:4.1f} {verdict}", flush=True
            )
    rows, good = sum_rows(given.sums)
    print(table(SUM_HEADS, rows))
    if given.write:
        PAGE.write_text(page(found, rows, given), encoding="utf-8")
    return int(not good or not all(m.holds for m in found))


if __name__ == "__main__":
    sys.exit(main())

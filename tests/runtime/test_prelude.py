"""The prelude's functions against mpmath and NumPy: error bounds, special values, vectorisation, random twins."""

from __future__ import annotations

import ctypes
import math
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from llvmlite import ir
from llvmlite.binding import llvm_version_info

from vitrify.base.target import current_target
from vitrify.ops import philox
from vitrify.ops.op import OPS
from vitrify.runtime.codegen.llvm_backend import llvm_text
from vitrify.runtime.codegen.prelude import BOUNDS, emit, exponential, namespace, source_hash, trigonometry
from vitrify.runtime.kernel_cache import KernelSource, addresses
from vitrify.testing.element_loops import element_loop

mp = pytest.importorskip("mpmath")

Array = np.ndarray[Any, np.dtype[Any]]
TYPES: dict[str, type] = {"f32": np.float32, "f64": np.float64}
TRIGONOMETRIC = {"sin": np.sin, "cos": np.cos, "tan": np.tan}
UNARY: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10,
    "log1p": np.log1p, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "tanh": np.tanh,
    "sinh": np.sinh, "cosh": np.cosh,
    "sigmoid": lambda x: np.where(x < 0, np.exp(x), 1) / (1 + np.exp(-np.abs(x))),
    "softplus": lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))),
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "erf": np.vectorize(math.erf, otypes=[float]), "erfc": np.vectorize(math.erfc, otypes=[float]), **TRIGONOMETRIC,
}  # fmt: skip
EXACT: dict[str, Callable[..., Array]] = {
    "floor": np.floor, "ceil": np.ceil, "round": np.round, "trunc": np.trunc, "abs": np.abs, "sign": np.sign,
    "copysign": np.copysign, "maximum": np.maximum, "minimum": np.minimum, "fmax": np.fmax, "fmin": np.fmin,
    "mod": np.mod, "floor_div": np.floor_divide,
}  # fmt: skip
TWO = {"copysign", "maximum", "minimum", "fmax", "fmin", "mod", "floor_div"}
HARD: dict[str, Callable[[Any], Any]] = {
    "erfc": lambda x: mp.erfc(x) if x < 30 else mp.mpf(0), # mpmath's fails for huge x
    "log2": lambda x: mp.log(x, 2), "exp2": lambda x: mp.power(2, x), "rsqrt": lambda x: 1 / mp.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)), "softplus": lambda x: mp.log1p(mp.exp(x)),
}  # fmt: skip
ODD = ("expm1", "log1p", "tanh", "sinh", "asinh", "atanh", "sin", "tan", "asin", "atan", "erf", "floor", "trunc",
       "round")  # fmt: skip
INTEGERS = ("int8", "int16", "int32", "int64", "uint8")


def compiled(expression: str, result: str, *arguments: str) -> Any:
    """A loop over arrays of these dtypes, with the flags of numerics="fast", which must change nothing here."""
    return element_loop(expression, result, *arguments, fast=True)


def apply(name: str, *arrays: Array, result: str | None = None) -> Array:
    kind = str(arrays[0].dtype)
    out = np.empty(arrays[0].shape, result or kind)
    expression = f"{name}({', '.join('ABCDEF'[: len(arrays)])})"
    compiled(expression, str(out.dtype), *(str(a.dtype) for a in arrays))(*arrays, out)
    return out


def samples(dtype: type, count: int, seed: int = 0) -> Array:
    """Both signs of log-spaced magnitudes, subnormals included, uniform ranges and the neighbourhood of 1."""
    rng = np.random.default_rng(seed)
    info = np.finfo(dtype)
    low, high = math.log(float(info.smallest_subnormal)), math.log(float(info.max)) * 0.99999
    sign = rng.choice([-1.0, 1.0], count)
    parts = [sign * np.exp(rng.uniform(low, high, count)), sign * (1 + sign * 10.0 ** rng.uniform(-16, 0, count))]
    parts += [sign * 10.0 ** rng.uniform(-6, 2, count)]
    parts += [rng.uniform(-width, width, count) for width in (1, 4, 20, 110, 760, 1e4)]
    return np.concatenate(parts).astype(dtype)


def near_zeros_of_sine(dtype: type, count: int) -> Array:
    multiples = np.random.default_rng(1).integers(-6000, 6000, count)
    return np.asarray(multiples * (np.pi / 2)).astype(dtype)


def ulps(got: Array, want: Array) -> Array:
    """The error of `got` in units of the last place of the wider `want`; 0 where one is not finite."""
    with np.errstate(all="ignore"):
        rounded = want.astype(got.dtype)
        finite = np.isfinite(rounded) & np.isfinite(got)
        unit = np.spacing(np.abs(np.where(finite, rounded, 1))).astype(np.float64)
        return np.where(finite, np.abs(got.astype(np.float64) - want) / unit, 0.0)


def same_special(got: Array, want: Array) -> Array:
    """Whether NaN meets NaN and infinities meet infinities of their sign."""
    with np.errstate(all="ignore"):
        want = want.astype(got.dtype)
    return (np.isnan(got) == np.isnan(want)) & (np.where(np.isinf(got), got, 0) == np.where(np.isinf(want), want, 0))


@pytest.mark.parametrize("name", UNARY)
def test_f32_errors_are_within_their_bounds(name: str) -> None:
    x = samples(np.float32, 3000 if name in ("erf", "erfc") else 40000)
    if name in TRIGONOMETRIC:
        x = np.concatenate([x, near_zeros_of_sine(np.float32, 20000)])
    got = apply(f"{name}_f32", x)
    with np.errstate(all="ignore"):
        want = UNARY[name](x.astype(np.float64))
    errors = ulps(got, want)
    worst = int(errors.argmax())
    assert errors[worst] <= BOUNDS[f"{name}_f32"], (x[worst], got[worst], want[worst])
    wrong = ~same_special(got, want)
    assert not wrong.any(), (x[wrong][:3], got[wrong][:3], want[wrong][:3])


@pytest.mark.parametrize("name", UNARY)
def test_f64_errors_are_within_their_bounds(name: str) -> None:
    x = samples(np.float64, 60)
    with np.errstate(all="ignore"):
        x = x[np.isfinite(UNARY[name](x))]
    if name in TRIGONOMETRIC:
        x = np.concatenate([x, near_zeros_of_sine(np.float64, 200)])
    got = apply(f"{name}_f64", x)
    exact = HARD.get(name) or getattr(mp, name)
    with mp.workdps(400):  # as many digits as the largest numbers have, for sines of them
        errors = [ulp_of_mp(g, exact(mp.mpf(float(v)))) for v, g in zip(x, got, strict=True)]
    worst = int(np.argmax(errors))
    assert errors[worst] <= BOUNDS[f"{name}_f64"], (x[worst], got[worst])


def ulp_of_mp(got: Any, want: Any) -> float:
    rounded = abs(float(want))
    if not math.isfinite(rounded):
        return 0.0 if got == float(want) else math.inf
    return float(abs(mp.mpf(float(got)) - want) / mp.mpf(math.ulp(rounded)))


@pytest.mark.parametrize("short", TYPES)
def test_pow_and_atan2_are_within_their_bounds(short: str) -> None:
    dtype, rng = TYPES[short], np.random.default_rng(2)
    base = np.concatenate([np.exp(rng.uniform(-80, 80, 400)), rng.uniform(0.5, 2, 400)]).astype(dtype)
    reach = math.log(float(np.finfo(dtype).max)) / np.abs(np.log(base.astype(np.float64)))
    power = (reach * rng.uniform(-0.99, 0.99, base.size)).astype(dtype)
    y = (np.exp(rng.uniform(-40, 40, 800)) * rng.choice([-1, 1], 800)).astype(dtype)
    x = (y * np.exp(rng.uniform(-3, 3, 800)) * rng.choice([-1, 1], 800)).astype(dtype)
    rows = (("pow", mp.power, base, power), ("single_pow", mp.power, base, power), ("atan2", mp.atan2, y, x))
    for name, exact, first, second in rows:
        got = apply(f"{name}_{short}", first, second)
        with mp.workdps(60):
            for a, b, g in zip(first, second, got, strict=True):
                want = exact(mp.mpf(float(a)), mp.mpf(float(b)))
                unit = float(np.spacing(dtype(abs(float(want)))))
                assert abs(mp.mpf(float(g)) - want) <= BOUNDS[f"{name.removeprefix('single_')}_{short}"] * unit, (
                    name,
                    a,
                    b,
                    g,
                )


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 2.5, -2.5, 7.25, 1e-40, -1e-40, 1e6, -1e6,
           math.inf, -math.inf, math.nan]  # fmt: skip


@pytest.mark.parametrize("short", TYPES)
@pytest.mark.parametrize("name", UNARY)
def test_special_values(name: str, short: str) -> None:
    x = np.array(SPECIAL, TYPES[short])
    got = apply(f"{name}_{short}", x)
    with np.errstate(all="ignore"):
        want = UNARY[name](x.astype(np.float64))
    assert same_special(got, want).all(), (x, got, want)
    zero = want.astype(got.dtype) == 0
    assert (np.signbit(got) == np.signbit(want))[zero].all(), (x[zero], got[zero])


@pytest.mark.parametrize("short", TYPES)
@pytest.mark.parametrize("name", ["pow", "single_pow", "atan2"])
def test_special_pairs(name: str, short: str) -> None:
    x, y = (grid.ravel().astype(TYPES[short]) for grid in np.meshgrid(SPECIAL, SPECIAL))
    got = apply(f"{name}_{short}", x, y)
    with np.errstate(all="ignore"):
        want = (np.arctan2 if name == "atan2" else np.power)(x, y)
    assert np.allclose(got, want, rtol=4 * np.finfo(x.dtype).eps, atol=0, equal_nan=True)
    zero = want == 0
    assert (np.signbit(got) == np.signbit(want))[zero].all()


FAR = [("exp", 88.7, -104.0, 89.0), ("exp2", 127.9, -150.1, 128.0)]


@pytest.mark.parametrize(("name", "inside", "zero", "infinite"), FAR)
def test_overflow_and_underflow(name: str, inside: float, zero: float, infinite: float) -> None:
    got = apply(f"{name}_f32", np.array([inside, zero, infinite], np.float32))
    assert np.isfinite(got[0])
    assert got[1] == 0
    assert got[2] == math.inf


@pytest.mark.parametrize("count", [1, 7, 64, 1000])
@pytest.mark.parametrize("short", TYPES)
@pytest.mark.parametrize("name", TRIGONOMETRIC)
def test_far_arguments_among_near_ones(name: str, short: str, count: int) -> None:
    """Beyond LIMIT the C library computes, lane by lane; the other lanes of its vector are what they are without it."""
    dtype, rng = TYPES[short], np.random.default_rng(count)
    near = rng.normal(size=count).astype(dtype)
    far = rng.random(count) < 0.3
    reach = math.log10(float(np.finfo(dtype).max)) - math.log10(trigonometry.LIMIT[short])
    x = np.where(far, trigonometry.LIMIT[short] * 10 ** (reach * rng.random(count)), near).astype(dtype)
    got = apply(f"{name}_{short}", x)
    np.testing.assert_array_equal(got[~far], apply(f"{name}_{short}", near)[~far])
    with mp.workdps(400):
        errors = [ulp_of_mp(g, getattr(mp, name)(mp.mpf(float(v)))) for v, g in zip(x[far], got[far], strict=True)]
    scale = 1 if short == "f64" else 2.0**-29  # ulp_of_mp counts in units of float64
    assert max(errors, default=0.0) * scale <= 1.0


def test_a_loop_with_far_arguments_is_still_made_of_vectors() -> None:
    text = "def body(p0, p1, lo, hi):\n    for i in range(lo, hi):\n        p1[i] = sin_f32(p0[i]) + 1.0\n"
    made = llvm_text(text, ("f32", "f32"), 0)
    lanes = current_target().lanes(4)
    assert re.search(rf"call <{lanes} x float> @llvm.fma.v{lanes}f32", made)
    assert "call float @sinf(" in made
    assert "@vitrify_rare" not in made  # part of the loop, not a call in it


@pytest.mark.parametrize("short", TYPES)
@pytest.mark.parametrize("name", ODD)
def test_odd_functions_are_odd_at_zero_and_in_subnormals(name: str, short: str) -> None:
    tiny = np.finfo(TYPES[short]).smallest_normal / 8
    got = apply(f"{name}_{short}", np.array([0.0, -0.0, tiny, -tiny], TYPES[short]))
    assert np.signbit(got[[1]]).all()
    assert not np.signbit(got[[0, 2]]).any()
    if name not in ("floor", "trunc", "round"):
        assert got[2] == -got[3] != 0


def test_tanh_of_float32_stays_within_one_and_ends_there() -> None:
    x = np.concatenate([samples(np.float32, 20000), np.linspace(0, 12, 400001, dtype=np.float32)])
    got = apply("tanh_f32", x)
    assert np.abs(got).max() == 1.0
    assert (np.abs(got[np.abs(x) > 9.02]) == 1.0).all()
    np.testing.assert_array_equal(apply("tanh_f32", -x), -got)


def test_tanh_of_float32_is_one_division_and_a_short_chain() -> None:
    """What gelu and recurrent cells wait for: a loop has few elements under way, so that the chain sets its speed."""
    function = ir.Function(ir.Module(), ir.FunctionType(ir.VoidType(), [ir.FloatType()]), "f")
    builder = ir.IRBuilder(function.append_basic_block())
    result = exponential.tanh(emit.ScalarValue(builder, function.args[0]))
    names = [operation_of(i) for i in builder.block.instructions]
    assert names.count("fdiv") == 1
    assert sum(name in ARITHMETIC for name in names) <= 13
    assert chain(result.llvm) <= 8


ARITHMETIC = ("fadd", "fsub", "fmul", "fdiv", "llvm.fmuladd.f32", "llvm.fma.f32")


def operation_of(instruction: ir.Instruction) -> str:
    return instruction.callee.name if instruction.opname == "call" else instruction.opname


def chain(value: ir.Value) -> int:
    """The most floating-point operations, one after another, that a value waits for."""
    if not isinstance(value, ir.Instruction):
        return 0
    return max(map(chain, value.operands), default=0) + (operation_of(value) in ARITHMETIC)


@pytest.mark.parametrize("short", TYPES)
@pytest.mark.parametrize("name", EXACT)
def test_exact_functions_equal_numpy(name: str, short: str) -> None:
    rng = np.random.default_rng(4)
    whole = rng.integers(-50, 50, 5000)
    edge = [grid.ravel() for grid in np.meshgrid(SPECIAL, [v for v in SPECIAL if abs(v) != 1e-40])]
    x = np.concatenate([edge[0], rng.normal(size=5000) * 10.0 ** rng.uniform(-3, 12, 5000), whole])
    y = np.concatenate([edge[1], rng.normal(size=5000) * 10.0 ** rng.uniform(-3, 3, 5000), rng.integers(-9, 9, 5000)])
    arrays = [v.astype(TYPES[short]) for v in ((x, y) if name in TWO else (x + 0.5,))]
    with np.errstate(all="ignore"):
        want = EXACT[name](*arrays)
    got = apply(f"{name}_{short}", *arrays)
    np.testing.assert_array_equal(got, want)
    if name not in ("maximum", "minimum", "fmax", "fmin"):
        zero = want == 0
        assert (np.signbit(got) == np.signbit(want))[zero].all()


@pytest.mark.parametrize("short", TYPES)
@pytest.mark.parametrize("name", ["isnan", "isinf", "isfinite"])
def test_classification(name: str, short: str) -> None:
    x = np.array(SPECIAL, TYPES[short])
    np.testing.assert_array_equal(apply(f"{name}_{short}", x, result="uint8") != 0, getattr(np, name)(x))


@pytest.mark.parametrize("short", TYPES)
def test_remainders_of_the_longest_quotients_are_exact(short: str) -> None:
    x, y = np.array([np.finfo(TYPES[short]).max], TYPES[short]), np.array([3e-30], TYPES[short])
    np.testing.assert_array_equal(apply(f"mod_{short}", x, y), np.mod(x, y))


@pytest.mark.parametrize("short", TYPES)
def test_digamma_and_lgamma(short: str) -> None:
    x = np.concatenate([np.random.default_rng(5).uniform(-12, 40, 200), [1e-3, 1e3, 1e20]]).astype(TYPES[short])
    tolerance = 1e-7 if short == "f32" else 1e-14
    for name, exact in (("digamma", mp.digamma), ("lgamma", lambda v: mp.log(abs(mp.gamma(v))))):
        for v, got in zip(x, apply(f"{name}_{short}", x), strict=True):
            want = float(exact(mp.mpf(float(v))))
            assert abs(got - want) <= tolerance * (1 + abs(want)), (name, v, got, want)
    poles = apply(f"digamma_{short}", np.array([0.0, -0.0, -1.0, math.inf, math.nan], TYPES[short]))
    np.testing.assert_array_equal(poles, np.array([-math.inf, math.inf, math.nan, math.inf, math.nan], TYPES[short]))


EXACTLY: dict[str, tuple[tuple[float, float], ...]] = {
    "cos": ((0.0, 1.0), (-0.0, 1.0)), "cosh": ((0.0, 1.0),), "exp": ((0.0, 1.0),), "sigmoid": ((0.0, 0.5),),
    "exp2": ((0.0, 1.0), (3.0, 8.0), (-2.0, 0.25)), "log": ((1.0, 0.0),), "acosh": ((1.0, 0.0),),
    "log2": ((1.0, 0.0), (8.0, 3.0), (0.25, -2.0)), "log10": ((1.0, 0.0), (100.0, 2.0), (1000.0, 3.0)),
    "acos": ((1.0, 0.0),), "rsqrt": ((4.0, 0.5), (0.25, 2.0)), "erfc": ((0.0, 1.0),),
}  # fmt: skip


@pytest.mark.parametrize("short", ["f32", "f64"])
@pytest.mark.parametrize("name", EXACTLY)
def test_what_everybody_knows_by_heart_is_exact(name: str, short: str) -> None:
    points = np.array(EXACTLY[name], TYPES[short])
    np.testing.assert_array_equal(apply(f"{name}_{short}", points[:, 0].copy()), points[:, 1])


@pytest.mark.parametrize("short", ["f32", "f64"])
@pytest.mark.parametrize("name", ["sin", "cos", "tanh", "erf", "sigmoid"])
def test_bounded_functions_keep_their_bound(name: str, short: str) -> None:
    """acos(cos(x)) and log(1 - tanh(x)**2) are NaN otherwise."""
    turns = np.arange(-2000, 2000) * (math.pi / 4)
    near = (turns[:, None] + np.linspace(-1e-3, 1e-3, 101)).astype(TYPES[short]).reshape(-1)
    assert np.abs(apply(f"{name}_{short}", near)).max() <= 1.0


@pytest.mark.parametrize("short", TYPES)
def test_bessel_functions_trigamma_and_tetragamma(short: str) -> None:
    rng, unit = np.random.default_rng(5), np.finfo(TYPES[short]).eps
    x = np.concatenate([rng.uniform(-9, 9, 200), rng.uniform(-88, 88, 100), [8.0, 1e-30, 90.0, 710.0]]).astype(
        TYPES[short]
    )
    y = np.concatenate([rng.uniform(0, 40, 150), rng.uniform(-12, 0, 50), [1e-3, 1e16, 1e25]]).astype(TYPES[short])
    cases = (
        ("i0", lambda v: mp.besseli(0, v), x, 6), ("i0e", lambda v: mp.besseli(0, v) * mp.exp(-abs(v)), x, 4),
        ("i1", lambda v: mp.besseli(1, v), x, 6), ("i1e", lambda v: mp.besseli(1, v) * mp.exp(-abs(v)), x, 4),
        ("trigamma", lambda v: mp.psi(1, v), y, 18), ("tetragamma", lambda v: mp.psi(2, v), y, 18),
    )  # fmt: skip
    for name, exact, places, units in cases:
        with np.errstate(over="ignore"):
            want = np.array([exact(mp.mpf(float(v))) for v in places]).astype(TYPES[short])
        np.testing.assert_allclose(apply(f"{name}_{short}", places), want, rtol=units * unit, err_msg=name)
    edges = np.array([0.0, -0.0, math.inf, -math.inf, math.nan], TYPES[short])
    for name in ("i0", "i0e", "i1", "i1e", "trigamma", "tetragamma"):
        with np.errstate(all="ignore"):
            want = OPS[name].eager(edges)
        got = apply(f"{name}_{short}", edges)
        np.testing.assert_array_equal(got, want, err_msg=name)
        np.testing.assert_array_equal(np.signbit(got)[:4], np.signbit(want)[:4], err_msg=name)


@pytest.mark.parametrize("kind", INTEGERS)
def test_integers_equal_numpy(kind: str) -> None:
    info, rng = np.iinfo(kind), np.random.default_rng(6)
    short = kind[0] + kind.lstrip("uint")
    x = rng.integers(info.min, info.max, 2000, dtype=kind, endpoint=True)
    small, large = rng.integers(max(info.min, -5), 5, 1000), rng.integers(info.min, info.max, 1000, dtype=kind)
    y = np.concatenate([small.astype(kind), large])
    x[:4], y[:4] = info.min, [info.max if info.min == 0 else -1, 0, 1, 2]
    pairs: Sequence[tuple[str, Any]] = (
        ("mod", np.mod), ("floor_div", np.floor_divide), ("maximum", np.maximum), ("minimum", np.minimum),
        ("abreast_mod", np.mod), ("abreast_floor_div", np.floor_divide),
    )  # fmt: skip
    for name, exact in pairs:
        with np.errstate(all="ignore"):
            want = exact(x, y)
        np.testing.assert_array_equal(apply(f"{name}_{short}", x, y), want, err_msg=name)
    power = np.where(y < 0, y.dtype.type(3), y)
    np.testing.assert_array_equal(apply(f"pow_{short}", x, power), np.power(x, power))


@pytest.mark.parametrize("kind", INTEGERS)
def test_division_by_floats_is_exact(kind: str) -> None:
    """Numbers around powers of two and the ends of the range, and multiples of the divisor with their neighbours."""
    info, rng = np.iinfo(kind), np.random.default_rng(8)
    short = kind[0] + kind.lstrip("uint")
    powers = [sign * (1 << k) + d for k in range(info.bits) for d in (-1, 0, 1) for sign in (-1, 1)]
    edges = np.array(sorted({p for p in powers if info.min <= p <= info.max} | {info.min, info.max}), kind)
    y = rng.integers(info.min, info.max, 20000, dtype=kind) >> rng.integers(0, info.bits - 2, 20000).astype(kind)
    y[y == 0] = 3
    multiples = rng.integers(info.min // 2, info.max // 2, 20000).astype(kind) // y * y
    x = np.concatenate([np.repeat(edges, len(edges)), *(multiples + np.int8(d) for d in (-1, 0, 1))]).astype(kind)
    y = np.concatenate([np.tile(edges, len(edges)), y, y, y])
    for name, exact in (("abreast_mod", np.mod), ("abreast_floor_div", np.floor_divide)):
        with np.errstate(all="ignore"):
            want = exact(x, y)
        np.testing.assert_array_equal(apply(f"{name}_{short}", x, y), want, err_msg=name)


def test_negative_integer_powers_are_those_of_units_or_zero() -> None:
    x, y = np.array([1, -1, -1, 2, 0], np.int64), np.array([-5, -5, -4, -1, -1], np.int64)
    np.testing.assert_array_equal(apply("pow_i64", x, y), [1, -1, 1, 0, 0])


@pytest.mark.parametrize("condition", ["bool", "uint8"])
@pytest.mark.parametrize("kind", ["bool", *INTEGERS, "float32", "float64"])
def test_select(kind: str, condition: str) -> None:
    rng = np.random.default_rng(7)
    flag = rng.integers(0, 2, 100).astype(condition)
    a, b = (rng.integers(0, 100, 100).astype(kind) for _ in range(2))
    out = np.empty_like(a)
    compiled("select(A, B, C)", kind, condition, kind, kind)(flag, a, b, out)
    np.testing.assert_array_equal(out, np.where(flag, a, b))


SERIES = {"digamma", "trigamma", "tetragamma", "erfinv", "i0", "i0e", "i1", "i1e"}
VECTORISED = sorted(set(UNARY) | {"pow", "atan2"} | SERIES | set(EXACT))


@pytest.mark.parametrize("short", TYPES)
@pytest.mark.parametrize("name", VECTORISED)
def test_loops_are_vectorised_and_call_nothing(name: str, short: str) -> None:
    kind = np.dtype(TYPES[short]).name
    count = 2 if name in TWO | {"pow", "atan2"} else 1
    kernel = compiled(f"{name}_{short}({', '.join('AB'[:count])})", kind, *[kind] * count)
    text = kernel.source.llvm()
    lanes = [int(n) for n in re.findall(r"store <(\d+) x ", text)]
    assert lanes, "no vector is stored"
    assert max(lanes) * TYPES[short]().itemsize >= 16
    assembly = kernel.source.assembly()
    calls = ["exp", "log", "fma", "floor", "rint"]
    if name != "pow":  # this calls it for lanes in which a number has no limit
        calls.append("pow")
    if name not in ("mod", "floor_div"):  # these call it for lanes whose quotient is long
        calls.append("fmod")
    library = {called + suffix for called in calls for suffix in ("", "f")}
    assert not library & set(re.findall(r"\$(\w+)", assembly))


def test_max_reductions_are_vectorised_and_keep_nan() -> None:
    text = """def body(p0, p1, lo, hi):
    m = p0[0]
    for i in range(lo, hi):
        m = largest_f32(m, p0[i])
    p1[0] = m
"""
    (address,) = addresses([KernelSource("peak", text, ("f32", "f32"), 0, fast=True)])
    x, out = np.random.default_rng(9).normal(size=1001).astype(np.float32), np.zeros(1, np.float32)
    pointers = (ctypes.c_int64 * 2)(x.ctypes.data, out.ctypes.data)
    peak = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)(address)
    peak(ctypes.addressof(pointers), 0, 0, x.size)
    assert out[0] == x.max()
    x[700] = math.nan
    peak(ctypes.addressof(pointers), 0, 0, x.size)
    assert math.isnan(out[0])
    if llvm_version_info >= (18, 0, 0):
        assert "llvm.vector.reduce.fmaximum" in llvm_text(text, ("f32", "f32"), 0, fast=True)


def test_results_do_not_depend_on_the_kernel_around() -> None:
    x, y = np.random.default_rng(8).uniform(-5, 5, (2, 1000)).astype(np.float32)
    out = np.empty_like(x)
    compiled("exp_f32(A) * tanh_f32(B)", "float32", "float32", "float32")(x, y, out)
    np.testing.assert_array_equal(out, apply("exp_f32", x) * apply("tanh_f32", y))


SEEDS = [(0, 0), (2**63 - 5, 2**40 + 3), (-7, 12345), (123456789123, -1)]


def drawn(name: str, kind: str, seed: int, offset: int, n: int) -> Array:
    out = np.empty(n, kind)
    index = np.arange(n)
    compiled(f"{name}(A, B, C)", kind, *["int64"] * 3)(np.full(n, seed), np.full(n, offset), index, out)
    return out


def test_philox_known_answer() -> None:
    # Random123's published vector for a zero counter and key
    assert philox.bits(0, 0, 4).tolist() == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]


@pytest.mark.parametrize(("seed", "offset"), SEEDS)
def test_philox_twins_are_equal_bit_for_bit(seed: int, offset: int) -> None:
    n = 40003
    np.testing.assert_array_equal(drawn("philox_u32", "int64", seed, offset, n), philox.bits(seed, offset, n))
    for short, dtype in TYPES.items():
        twin = philox.uniform(seed, offset, n, dtype)
        np.testing.assert_array_equal(drawn(f"philox_uniform_{short}", np.dtype(dtype).name, seed, offset, n), twin)


@pytest.mark.parametrize("short", TYPES)
def test_normals_agree_and_are_normal(short: str) -> None:
    dtype, n = TYPES[short], 40003
    kernel, twin = drawn(f"philox_normal_{short}", np.dtype(dtype).name, 3, 4, n), philox.normal(3, 4, n, dtype)
    assert kernel.dtype == twin.dtype == dtype
    error = np.abs(kernel.astype(np.float64) - twin) / (1 + np.abs(twin))
    assert error.max() < (4e-7 if short == "f32" else 4e-15)
    moments = [float(np.mean(twin.astype(np.float64) ** k)) for k in (1, 2, 3, 4)]
    np.testing.assert_allclose(moments, [0, 1, 0, 3], atol=0.15)


@pytest.mark.parametrize("draw", [philox.bits, philox.uniform, philox.normal])
def test_an_element_does_not_depend_on_the_count(draw: Callable[..., Array]) -> None:
    longer = draw(5, 6, 40001)
    for n in (0, 1, 2, 5, 32769):
        np.testing.assert_array_equal(draw(5, 6, n), longer[:n])
    assert not np.array_equal(draw(5, 7, 8), longer[:8])
    assert not np.array_equal(draw(6, 6, 8), longer[:8])


def test_every_bounded_name_is_there() -> None:
    assert set(BOUNDS) <= set(namespace())
    assert max(b for name, b in BOUNDS.items() if name.endswith("f32")) <= 4
    assert max(b for name, b in BOUNDS.items() if name.endswith("f64") and name != "lgamma_f64") <= 2


def test_hash_needs_no_llvm() -> None:
    code = (
        "import sys\nfrom vitrify.runtime.codegen.prelude import source_hash\n"
        "print(source_hash(), {'llvmlite'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [source_hash(), "set()"]


def test_powers_of_two_are_multiplied_alike_with_and_without_an_instruction_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What CPUs and LLVMs without the instruction do differs by an ulp at most, subnormal results and NaN included."""
    given = {short: np.concatenate([samples(dtype, 300), np.array(SPECIAL, dtype)]) for short, dtype in TYPES.items()}
    here = {short: apply(f"exp_{short}", x) for short, x in given.items()}
    monkeypatch.setattr(emit, "scales_by_powers", lambda: False)
    text = "def body(p0, p1, lo, hi):\n    for i in range(lo, hi):\n        p1[i] = exp_f32(p0[i])\n"
    assert "ldexp" not in llvm_text(text, ("f32", "f32"), 0)
    element_loop.cache_clear()
    for short, x in given.items():
        made = apply(f"exp_{short}", x)
        finite = np.isfinite(made)
        np.testing.assert_array_equal(finite, np.isfinite(here[short]))
        np.testing.assert_array_max_ulp(made[finite], here[short][finite], 1)
        np.testing.assert_array_equal(np.isnan(made), np.isnan(here[short]))
    element_loop.cache_clear()


WHOLE_POWERS = [k for k in range(-8, 9) if k not in (0, 1)]
HALF_POWERS = [-3.5, -2.5, -1.5, -0.5, 1.5, 2.5, 3.5]


def power_name(exponent: float) -> str:
    return (f"pow{exponent}" if exponent > 0 else f"pow_{-exponent}").replace(".", "_")


@pytest.mark.parametrize("short", TYPES)
@pytest.mark.parametrize("exponent", WHOLE_POWERS + HALF_POWERS)
def test_products_in_place_of_powers(exponent: float, short: str) -> None:
    dtype, rng = TYPES[short], np.random.default_rng(2)
    reach, is_half = math.log(float(np.finfo(dtype).max)) / max(1, abs(exponent)), exponent % 1 == 0.5
    signs = [1] if is_half else [-1, 1]
    x = np.exp(rng.uniform(-0.8, 0.99, 600) * np.sign(exponent) * reach).astype(dtype)
    x *= rng.choice(signs, 600).astype(dtype)
    name = power_name(exponent)
    got = apply(f"{name}_{short}", x)
    twice = (is_half and short == "f64") or (abs(exponent) > 3 and exponent % 2 == 1)  # is rounded
    bound = 1.5 if twice else 0.6
    with mp.workdps(60):
        for a, g in zip(x, got, strict=True):
            want = mp.mpf(float(a)) ** exponent
            assert abs(mp.mpf(float(g)) - want) <= bound * float(np.spacing(dtype(abs(float(want))))), (a, g)
    special = np.array(SPECIAL, dtype)
    with np.errstate(all="ignore"):
        want = np.power(special, np.full_like(special, exponent))
    found = apply(f"{name}_{short}", special)
    np.testing.assert_allclose(found, want, rtol=1e-6 if short == "f32" else 1e-15)
    numbers = ~np.isnan(want)
    np.testing.assert_array_equal(np.signbit(found)[numbers], np.signbit(want)[numbers])


@pytest.mark.parametrize("short", TYPES)
@pytest.mark.parametrize("exponent", WHOLE_POWERS)
def test_products_near_the_ends_of_the_range(exponent: int, short: str) -> None:
    """Results from subnormal to infinite ones, of operands whose other powers may be beyond the range."""
    dtype = TYPES[short]
    info = np.finfo(dtype)
    ends = np.array([math.log(float(v)) for v in (info.smallest_subnormal, info.smallest_normal, info.max)])
    near = (ends[:, None] / exponent + np.linspace(-3, 3, 61)).ravel()
    x = np.exp(near[(near > ends[0]) & (near < ends[2])]).astype(dtype)
    x = np.concatenate([x, -x, np.array([info.max, info.smallest_normal, info.smallest_subnormal], dtype)])
    got = apply(f"{power_name(exponent)}_{short}", x)
    with mp.workdps(60), np.errstate(over="ignore"):
        for a, g in zip(x, got, strict=True):
            want = mp.mpf(float(a)) ** exponent
            rounded = dtype(float(want))
            if not np.isfinite(rounded) or not rounded:
                assert g == rounded and np.signbit(g) == np.signbit(float(want)), (a, g)
                continue
            assert abs(mp.mpf(float(g)) - want) <= 1.5 * float(np.spacing(abs(rounded))), (a, g)


@pytest.mark.parametrize("short", TYPES)
def test_neighbours_and_signs(short: str) -> None:
    x, y = (np.array(v, TYPES[short]).reshape(-1) for v in np.meshgrid(SPECIAL, SPECIAL))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(apply(f"nextafter_{short}", x, y), np.nextafter(x, y))


def test_erf_far_from_zero_is_within_a_unit() -> None:
    """There 1 less a small number is computed without a second float."""
    x = np.concatenate([np.linspace(1, 2, 500), np.linspace(2, 6.2, 300), [7.0, 1e300]])
    got = apply("erf_f64", np.concatenate([x, -x]))
    want = np.array([mp.erf(mp.mpf(float(v))) for v in x])
    np.testing.assert_array_equal(got[: len(x)], -got[len(x) :])
    errors = [abs(mp.mpf(float(g)) - w) / mp.mpf(2) ** -53 for g, w in zip(got, want, strict=False)]
    assert max(errors) <= 1.1  # in units of what follows numbers from 1/2 to 1
    np.testing.assert_array_equal(apply("erf_f64", np.array([math.inf, -math.inf])), [1.0, -1.0])
    assert math.isnan(apply("erf_f64", np.array([math.nan]))[0])


@pytest.mark.parametrize("short", TYPES)
def test_lgamma_and_the_inverse_of_erf(short: str) -> None:
    dtype, rng = TYPES[short], np.random.default_rng(4)
    x = np.concatenate([rng.uniform(-30, 30, 400), np.exp(rng.uniform(-60, 60, 200)), [1, 2, 0, -0.0, -1, -7]])
    x = np.concatenate([x, rng.uniform(0.9, 2.1, 200), [math.inf, -math.inf, math.nan]]).astype(dtype)
    got = apply(f"lgamma_{short}", x)
    want = np.array([_exact_lgamma(float(v)) for v in x])
    np.testing.assert_allclose(
        got, want, rtol=1e-6 if short == "f32" else 1e-12, atol=1e-7 if short == "f32" else 1e-14
    )
    near_1 = 1 - 10 ** rng.uniform(-15, -1, 100)
    y = [rng.uniform(-1, 1, 400), rng.uniform(-1e-5, 1e-5, 50), near_1, [1, -1, 0, 2, -2, math.nan]]
    y = np.concatenate(y).astype(dtype)
    got = apply(f"erfinv_{short}", y)
    want = np.array(
        [float(mp.erfinv(mp.mpf(float(v)))) if abs(v) < 1 else v * math.inf if abs(v) == 1 else math.nan for v in y]
    )
    np.testing.assert_allclose(got, want, rtol=4.8e-7 if short == "f32" else 1e-15)


def _exact_lgamma(x: float) -> float:
    if not math.isfinite(x) or (x <= 0 and x == math.floor(x)):
        return math.nan if math.isnan(x) else math.inf
    return float(mp.log(abs(mp.gamma(mp.mpf(x)))))


@pytest.mark.parametrize("kind", ["i8", "u8", "i16", "i32", "i64"])
def test_shifts_and_divisors_equal_numpy(kind: str) -> None:
    dtype = np.dtype({"i8": "int8", "u8": "uint8"}.get(kind, f"int{kind[1:]}"))
    bounds = np.iinfo(dtype)
    values = [0, 1, 2, 5, 12, 100, 63, 64, 65, 31, 32, 8, bounds.max, bounds.min, bounds.max // 3, -1, -5, -60]
    some = np.array([v for v in values if bounds.min <= v <= bounds.max], dtype)
    x, y = (v.reshape(-1) for v in np.meshgrid(some, some))
    for name, function in (
        ("shift_left", np.left_shift),
        ("shift_right", np.right_shift),
        ("gcd", np.gcd),
        ("lcm", np.lcm),
    ):
        np.testing.assert_array_equal(apply(f"{name}_{kind}", x, y), function(x, y), err_msg=name)


@pytest.mark.parametrize("short", TYPES)
def test_powers_do_not_depend_on_their_neighbours(short: str) -> None:
    """Lanes that are looked at apart, for their sign or by the C library, leave the others as they are."""
    dtype, rng = TYPES[short], np.random.default_rng(3)
    x, y = rng.uniform(0.1, 3, 400).astype(dtype), rng.integers(-5, 6, 400).astype(dtype)
    alone = apply(f"pow_{short}", x, y)
    signs = rng.choice([-1, 1], x.size).astype(dtype)
    np.testing.assert_array_equal(apply(f"pow_{short}", x * signs, y), alone * np.where(y % 2, signs, 1))
    x[::7], y[::7] = rng.choice(SPECIAL, 58), rng.choice(SPECIAL, 58)
    others = np.arange(400) % 7 > 0
    mixed = apply(f"pow_{short}", x, y)
    np.testing.assert_array_equal(mixed[others], alone[others])
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(mixed[::7], np.power(x[::7], y[::7]), rtol=4 * np.finfo(dtype).eps)

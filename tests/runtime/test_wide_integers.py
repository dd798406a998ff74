"""64-bit integers in vectors of CPUs without AVX-512: division by what is known, and conversions, to the last bit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.target import TARGETS, host_target, using_target
from vitrify.runtime.kernel_cache import KernelSource
from vitrify.testing.element_loops import ElementLoop

Array = np.ndarray[Any, np.dtype[Any]]
DIVISORS = (3, 7, 10, 1500, 2**31 - 1, 2**32 - 1, 2**32 + 1, 10**12 + 1, 2**62 + 1, 2**63 - 1)
SHARES_NO_CODE = pytest.mark.skipif(host_target().architecture != "x86_64", reason="this CPU runs no code for AVX2")


@pytest.fixture(params=["avx2", "this CPU"])
def _target(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.param == "avx2" and host_target().architecture != "x86_64":
        pytest.skip("this CPU runs no code for AVX2")
    with using_target(TARGETS["avx2"] if request.param == "avx2" else host_target()):
        yield


def edges() -> Array:
    """Numbers around powers of two, the ends of the range, and many of every length."""
    powers = [s * (1 << k) + d for k in range(63) for d in (-1, 0, 1) for s in (-1, 1)]
    rng = np.random.default_rng(5)
    drawn = rng.integers(-(2**63), 2**63 - 1, 20001, np.int64) >> rng.integers(0, 63, 20001)
    ends = np.array([-(2**63), 2**63 - 1], np.int64)
    return np.concatenate([np.array(powers, np.int64), drawn, ends, ends + np.array([1, -1])])


def computed(expression: str, x: Array, result: str) -> Array:
    out = np.empty(x.shape, result)
    ElementLoop(expression, result, (str(x.dtype),), fast=False)(x, out)
    return out


@pytest.mark.usefixtures("_target")
@pytest.mark.parametrize("divisor", [*DIVISORS, -3, 1, -1, 8, -8, -(2**63)])
def test_division_by_a_known_number_is_exact(divisor: int) -> None:
    x, y = edges(), np.int64(divisor)
    with np.errstate(over="ignore"):
        near = (x // y) * y
    for numbers in (x, near, near - 1, near + y - 1):
        with np.errstate(over="ignore"):
            wanted = numbers % y, numbers // y
        for name, want in zip(("mod", "floor_div"), wanted, strict=True):
            got = computed(f"abreast_{name}_i64(A, i64({divisor}))", numbers, "int64")
            np.testing.assert_array_equal(got, want, err_msg=name)


@pytest.mark.usefixtures("_target")
@pytest.mark.parametrize("count", [1, 3, 4, 45])
def test_few_numbers_are_divided_alike(count: int) -> None:
    x = edges()[-count:]
    np.testing.assert_array_equal(computed("abreast_mod_i64(A, i64(1500))", x, "int64"), x % 1500)


@SHARES_NO_CODE
@pytest.mark.parametrize("divisor", [7, 1500, 10**12 + 1])
def test_division_by_a_known_number_is_vectors(divisor: int) -> None:
    body = f"def body(p0, p1, lo, hi):\n    for i in range(lo, hi):\n        p1[i] = abreast_mod_i64(p0[i], i64({divisor}))\n"
    with using_target(TARGETS["avx2"]):
        text = KernelSource("rests", body, ("i64", "i64"), 0).assembly()
    assert len(re.findall(r"vpmuludq.*ymm", text)) >= 5


@pytest.mark.usefixtures("_target")
def test_integers_become_the_nearest_float64() -> None:
    x = edges()
    half = (x >> 12 << 12) + 2048  # between two floats, or next to there
    for numbers in (x, half - 1, half, half + 1):
        np.testing.assert_array_equal(computed("f64(A)", numbers, "float64"), numbers.astype(np.float64))


@pytest.mark.usefixtures("_target")
@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_floats_become_integers_towards_zero(kind: str) -> None:
    whole = edges().astype(kind)
    special = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1e30, -1e30, 2.0**63, -(2.0**63), 5e-324, 0.99999997], kind)
    drawn = np.random.default_rng(6).standard_normal(5000) * 10.0 ** np.arange(-1, 19).repeat(250)
    for x in (whole, np.nextafter(whole, np.inf, dtype=kind), np.nextafter(whole, -np.inf, dtype=kind), special):
        fits = np.abs(x) < 2.0**63
        want = np.where(fits, np.where(fits, x, 0).astype(np.int64), -(2**63))
        np.testing.assert_array_equal(computed("whole_i64(A)", x, "int64"), want)
    np.testing.assert_array_equal(
        computed("whole_i64(A)", drawn.astype(kind), "int64"), drawn.astype(kind).astype("int64")
    )


@SHARES_NO_CODE
@pytest.mark.parametrize(
    ("expression", "kinds"), [("f64(p0[i])", ("i64", "f64")), ("whole_i64(p0[i])", ("f64", "i64"))]
)
def test_conversions_of_loops_are_vectors(expression: str, kinds: tuple[str, str]) -> None:
    body = f"def body(p0, p1, lo, hi):\n    for i in range(lo, hi):\n        p1[i] = {expression}\n"
    with using_target(TARGETS["avx2"]):
        assert "cvt" not in KernelSource("converted", body, kinds, 0).assembly()


@SHARES_NO_CODE
@pytest.mark.parametrize("body", ["p1[0] = f64(p0[0])\n", "for i in range(lo, hi):\n        p1[p0[i]] = f64(p0[i])\n"])
def test_single_numbers_are_converted_by_the_cpu(body: str) -> None:
    """Also in loops that scatter, which no vectors compute."""
    text = KernelSource("single", f"def body(p0, p1, lo, hi):\n    {body}", ("i64", "f64"), 0)
    with using_target(TARGETS["avx2"]):
        assert "cvtsi2sd" in text.assembly()


@pytest.mark.parametrize("shape", [(0,), (1,), (5, 3), (64, 9)])
def test_compiled_functions_give_what_eager_mode_gives(shape: tuple[int, ...]) -> None:
    x = np.resize(edges()[::-7], shape)

    def rests(x):
        y = x % 1500 + x // 7
        return y, (x.astype("float64") * 0.37).astype("int64"), x.astype("float32").astype("int64")

    for made, wanted in zip(vt.to_static(rests)(vt.to_tensor(x)), rests(vt.to_tensor(x)), strict=True):
        np.testing.assert_array_equal(made.numpy(), wanted.numpy())

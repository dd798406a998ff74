"""Functions of kernels on CPUs without the instructions that this one may have: powers of two, mantissas, exponents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base.target import TARGETS, current_target, runnable, using_target
from vitrify.runtime.codegen.llvm_backend import llvm_text
from vitrify.testing.element_loops import ElementLoop

NAMED = sorted(set(TARGETS) & set(runnable()))
KINDS = {"f32": "float32", "f64": "float64"}
FUNCTIONS: dict[str, Any] = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10,
    "log1p": np.log1p, "tanh": np.tanh, "tan": np.tan, "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "softplus": lambda x: np.logaddexp(0, x),
}  # fmt: skip
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 2.5, 7.25, 1e-40, -1e-40, 1e-310, 1e6, -1e6, 1e20, 1e-20,
           np.inf, -np.inf, np.nan]  # fmt: skip


def _close(got: Any, want: Any, short: str) -> None:
    zero = want == 0
    np.testing.assert_array_equal(np.signbit(got)[zero], np.signbit(want)[zero])
    np.testing.assert_allclose(got, want, rtol=5 * np.finfo(KINDS[short]).eps, atol=0)


@pytest.mark.parametrize("short", KINDS)
@pytest.mark.parametrize("target", NAMED)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_special_values(name: str, target: str, short: str) -> None:
    kind = KINDS[short]
    x = np.array([*SPECIAL, 0.75, 1.5, 0.7499999, 1.4999999, 100.0, -100.0], kind)
    out = np.empty_like(x)
    with using_target(TARGETS[target]), np.errstate(all="ignore"):
        ElementLoop(f"{name}_{short}(A)", kind, (kind,), fast=True)(x, out)
        want = FUNCTIONS[name](x.astype(np.longdouble)).astype(kind)
    _close(out, want, short)


@pytest.mark.parametrize("short", KINDS)
@pytest.mark.parametrize("target", NAMED)
def test_powers_far_beyond_the_range_and_special_ones(target: str, short: str) -> None:
    kind = KINDS[short]
    x, y = (grid.ravel().astype(kind) for grid in np.meshgrid(SPECIAL, SPECIAL))
    out = np.empty_like(x)
    with using_target(TARGETS[target]), np.errstate(all="ignore"):
        ElementLoop(f"pow_{short}(A, B)", kind, (kind, kind), fast=True)(x, y, out)
        want = np.power(x, y)
    _close(out, want, short)


@pytest.mark.parametrize("short", KINDS)
@pytest.mark.parametrize("count", [1, 3, 8, 37, 64])
def test_numbers_of_any_count_are_taken_apart_alike(count: int, short: str) -> None:
    kind = KINDS[short]
    x = np.exp(np.random.default_rng(count).uniform(-80, 80, count)).astype(kind)
    loop, out, alone = ElementLoop(f"log_{short}(A)", kind, (kind,), fast=False), np.empty_like(x), np.empty_like(x)
    loop(x, out)
    for k in range(count):
        loop(x[k : k + 1], alone[k : k + 1])
    np.testing.assert_array_equal(out, alone)


@pytest.mark.skipif("avx512vl" not in current_target().enabled, reason="this CPU has no such instructions")
@pytest.mark.parametrize("narrow", ["bool", "u8", "i16"])
def test_instructions_are_part_of_loops_of_vectors(narrow: str) -> None:
    """Of loops over narrow elements, too, whose vectors have more lanes than a register of floats."""
    text = "def body(p0, p1, lo, hi):\n    for i in range(lo, hi):\n        p1[i] = log_f32(f32(p0[i]))\n"
    made = llvm_text(text, (narrow, "f32"), 0)
    assert "@llvm.x86.avx512.mask.getmant.ps.512(<16 x float>" in made
    assert "@vitrify_rare" not in made

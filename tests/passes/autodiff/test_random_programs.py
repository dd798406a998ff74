"""Gradients of random programs, in one random direction, against differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.ir.core import Program
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.passes.autodiff.differentiate import differentiate
from vitrify.testing.programs import random_program

from .numeric import with_gradients

SEEDS = range(60)


def in_float64(program: Program) -> Program:
    return parse_program(str(program).replace("f32", "f64"))


def arguments(seed: int) -> tuple[Program, list[Any], int]:
    program, feeds, state = random_program(seed, 14)
    arrays = [a.astype(np.float64) if a.dtype == np.float32 else a for a in (*feeds, *state)]
    return in_float64(program), arrays, len(feeds)


def total(program: Program, arrays: list[Any], feeds: int) -> float:
    fetched, _ = interpret(program, arrays[:feeds], arrays[feeds:])
    return float(sum(np.sum(f) for f in fetched if f.dtype.kind == "f"))


def slopes(program: Program, arrays: list[Any], feeds: int, direction: list[Any]) -> tuple[float, float]:
    """Slope from one side and from the other: they differ at a kink."""
    eps = 1e-6
    here = total(program, arrays, feeds)
    above = total(program, [(a + eps * d).astype(a.dtype) for a, d in zip(arrays, direction, strict=True)], feeds)
    below = total(program, [(a - eps * d).astype(a.dtype) for a, d in zip(arrays, direction, strict=True)], feeds)
    return (above - here) / eps, (here - below) / eps


@pytest.mark.parametrize("seed", SEEDS)
def test_slope_in_a_random_direction(seed: int) -> None:
    program, arrays, feeds = arguments(seed)
    floats = [k for k, a in enumerate(arrays) if a.dtype.kind == "f"]
    rng = np.random.default_rng(seed)
    direction = [rng.standard_normal(a.shape) if a.dtype.kind == "f" else np.zeros_like(a) for a in arrays]
    one, other = slopes(program, arrays, feeds, direction)
    if abs(one - other) > 1e-3 * (1 + abs(one)):
        pytest.skip("a kink")
    made, found = with_gradients(program, floats)
    count = len(program.fetches)
    grads = interpret(made, arrays[:feeds], arrays[feeds:])[0][count:]
    slope = sum(float(np.sum(g * direction[k])) for k, g in zip(found, grads, strict=True))
    assert slope == pytest.approx((one + other) / 2, rel=1e-4, abs=1e-4)

    twin = differentiate(program, floats)
    fetched, _ = interpret(twin.forward, arrays[:feeds], arrays[feeds:])
    saved = [arrays[r.index] if r.kind == "argument" else fetched[r.index] for r in twin.residuals]
    given = [*saved, *(np.ones_like(fetched[k]) for k in twin.seeds), *twin.told(True for _ in twin.seeds)]
    again = interpret(twin.backward, given)[0][: len(found)]
    assert list(twin.gradients) == found
    for a, b in zip(grads, again, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)

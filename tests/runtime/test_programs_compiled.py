"""Whole random programs, compiled: equal to the interpreter on several sizes and numbers of threads, fused or not,
from the program or from its text, forward and backward.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from vitrify.base.flags import flags
from vitrify.ir.core import Program
from vitrify.ir.parser import parse_program
from vitrify.ir.printer import print_program
from vitrify.ops.dims import concrete
from vitrify.passes.autodiff.differentiate import differentiate
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.vm import team
from vitrify.testing.gradients import float_arguments, in_double, numeric_slopes, random_direction, with_gradients
from vitrify.testing.ops import kernel_sources, warm_kernels
from vitrify.testing.programs import random_program

from .checks import PIPELINES, compare

SEEDS = range(60)
GRADIENT_SEEDS = range(100, 124)
SIZES = [(1, 1), (7, 2), (33, 40)]
ROUNDING = 1e-3  # whole programs add up the rounding of single operations; float64 values may come from float32


@pytest.fixture(scope="module", autouse=True)
def _kernels(request: pytest.FixtureRequest) -> None:
    """Compile the kernels of all chosen seeds in several processes."""
    chosen = [i for i in request.session.items if i.path == request.path and hasattr(i, "callspec")]
    programs = []
    for item in chosen:
        if "pipeline" in item.callspec.params:
            params = item.callspec.params
            programs.append((random_program(params["seed"], 16)[0], PIPELINES[params["pipeline"]]))
        elif "seed" in item.callspec.params:
            programs += [(p, PIPELINES["default"]) for p in gradient_programs(item.callspec.params["seed"])]
    warm_kernels(s for program, passes in programs for s in kernel_sources(program, passes))


@pytest.fixture(autouse=True)
def _verified(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(flags, "verify", True)
    before = team.get_num_threads()
    yield
    team.set_num_threads(before)


def arguments(program: Program, sizes: tuple[int, int], seed: int) -> list[np.ndarray[Any, Any]]:
    """Arrays for other sizes than the program was made with."""
    rng = np.random.default_rng(seed)
    out = []
    for value in program.body.args:
        shape = concrete(value.shape, dict(zip("NM", sizes, strict=True)))
        high = 2 if value.dtype.is_bool else 4
        drawn = rng.uniform(-1, 1, shape) if value.dtype.is_floating else rng.integers(0, high, shape)
        out.append(np.asarray(drawn).astype(value.dtype.numpy))
    return out


def check_program(program: Program, arrays: Sequence[Any], pipeline: str) -> None:
    executable = compile_program(program, passes=PIPELINES[pipeline])
    count = len(program.feeds)
    cases = [list(arrays), *([arguments(program, s, 5) for s in SIZES] if program.symbols else [])]
    for case in cases:
        for threads in (1, 2):
            team.set_num_threads(threads)
            compare(executable, program, case[:count], case[count:], f32=ROUNDING, f64=ROUNDING)


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("seed", SEEDS)
def test_compiled_is_interpreted(seed: int, pipeline: str) -> None:
    program, feeds, state = random_program(seed, 16)
    if seed % 2:
        program = parse_program(print_program(program))
    check_program(program, [*feeds, *state], pipeline)


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(1000, 2**32), st.sampled_from(sorted(PIPELINES)))
def test_compiled_is_interpreted_on_any_seed(seed: int, pipeline: str) -> None:
    program, feeds, state = random_program(seed, 16)
    check_program(program, [*feeds, *state], pipeline)


def gradient_programs(seed: int) -> list[Program]:
    """A program of this seed with its gradients, and the two halves that a tape node has."""
    program, feeds, state = random_program(seed, 12)
    program, arrays = in_double(program, [*feeds, *state])
    twin = differentiate(program, float_arguments(arrays))
    return [with_gradients(program, float_arguments(arrays))[0], twin.forward, twin.backward]


def has_checked_gradients(seed: int) -> bool:
    """False where the program has a kink, so that there is nothing to compare."""
    program, feeds, state = random_program(seed, 12)
    program, arrays = in_double(program, [*feeds, *state])
    direction = random_direction(arrays, seed)
    one, other = numeric_slopes(program, arrays, direction)
    if abs(one - other) > 1e-3 * (1 + abs(one)):
        return False
    numbers, count = float_arguments(arrays), len(feeds)
    made, found = with_gradients(program, numbers)
    executable = compile_program(made)
    compare(executable, made, arrays[:count], arrays[count:])
    fetched = executable.run(arrays[:count], [a.copy() for a in arrays[count:]])
    gradients = fetched[len(program.fetches) :]
    slope = sum(float(np.sum(g * direction[k])) for k, g in zip(found, gradients, strict=True))
    assert slope == pytest.approx((one + other) / 2, rel=1e-4, abs=1e-4)
    check_twin(program, arrays, numbers, gradients)
    return True


def check_twin(program: Program, arrays: list[Any], numbers: list[int], gradients: Sequence[Any]) -> None:
    """Forward and backward as two compiled programs, as the tape runs them.

    Backward computes some values again: forward by NumPy and backward compiled would disagree on which one is largest.
    """
    twin, count = differentiate(program, numbers), len(program.feeds)
    forward, backward = compile_program(twin.forward), compile_program(twin.backward)
    compare(forward, twin.forward, arrays[:count], arrays[count:])
    fetched = forward.run(arrays[:count], [a.copy() for a in arrays[count:]])
    saved = [arrays[r.index] if r.kind == "argument" else fetched[r.index] for r in twin.residuals]
    given_ = [*saved, *(np.ones_like(fetched[k]) for k in twin.seeds), *twin.told(True for _ in twin.seeds)]
    for a, b in zip(backward.run(given_)[: len(gradients)], gradients, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("seed", GRADIENT_SEEDS)
def test_compiled_gradients_are_numeric(seed: int) -> None:
    if not has_checked_gradients(seed):
        pytest.skip("a kink")


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(1000, 2**32))
def test_compiled_gradients_are_numeric_on_any_seed(seed: int) -> None:
    assume(has_checked_gradients(seed))

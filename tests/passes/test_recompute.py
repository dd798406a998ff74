"""Recomputation keeps values to the bit, whatever it repeats, and brings the planned peak down."""

from __future__ import annotations

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.ir.builder import new_program
from vitrify.ir.core import Program
from vitrify.ir.interpret import interpret
from vitrify.ir.verifier import verify
from vitrify.ir.walk import clone_program
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.passes.algebra.dce import DeadCode
from vitrify.passes.manager import PassManager
from vitrify.passes.pipelines import default_pipeline, final_passes, recomputations
from vitrify.runtime.schedule.linearise import linearise
from vitrify.runtime.schedule.pipeline import run_schedule
from vitrify.runtime.vm.binding import memory_plan
from vitrify.testing.programs import random_program

WAYS = recomputations(1, ())


@pytest.mark.parametrize("seed", range(20))
def test_values_stay(seed: int) -> None:
    program, feeds, state = random_program(seed, 40)
    PassManager(default_pipeline(fuse=False)).run(program)
    before = interpret(program, feeds, state)
    for way in WAYS:
        tried = clone_program(program)
        changed = way.run(tried)
        verify(tried)
        assert changed == (str(tried) != str(program))
        after = interpret(tried, feeds, state)
        for a, b in zip([*before[0], *before[1]], [*after[0], *after[1]], strict=True):
            np.testing.assert_array_equal(a, b)


def there_and_back(depth: int) -> Program:
    """As a network and its gradient: each value of the way there is read again on the way back."""
    program, builder = new_program("there_and_back")
    x = program.add_feed("x", TensorType(dt.float32, (32, 32)))
    w = program.add_feed("w", TensorType(dt.float32, (32, 32)))
    with builder.active():
        kept = [x]
        for _ in range(depth):
            kept.append(OPS["tanh"](OPS["matmul"](kept[-1], w)))
        back = kept.pop()
        while kept:
            back = OPS["multiply"](OPS["matmul"](back, w), kept.pop())
    builder.return_([back])
    return program


def peak(program: Program) -> int:
    steps = linearise(program)
    run_schedule(steps)
    return memory_plan(steps, {})[1].peak


def test_the_peak_grows_with_the_root_of_the_depth() -> None:
    program = there_and_back(36)
    x = np.random.default_rng(0).standard_normal((2, 32, 32)).astype(np.float32)
    expected = interpret(program, list(x * 0.1))[0][0]
    peaks = {}
    for way in (None, *WAYS):
        tried = clone_program(program)
        PassManager([*default_pipeline(fuse=False), *([way] if way else []), DeadCode(), *final_passes()]).run(tried)
        np.testing.assert_array_equal(interpret(tried, list(x * 0.1))[0][0], expected)
        peaks[way] = peak(tried)
    one = 32 * 32 * 4
    assert peaks[None] > 30 * one
    assert min(peaks[way] for way in WAYS if way.keep_every) < 16 * one
    assert min(peaks.values()) < 7 * one

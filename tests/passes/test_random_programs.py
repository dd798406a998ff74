"""Every pass keeps the values of random programs, to the bit, and says truly whether it changed something."""

from __future__ import annotations

import gc
import time

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.ir.builder import new_program
from vitrify.ir.core import Program
from vitrify.ir.interpret import interpret
from vitrify.ir.verifier import verify
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.passes.pipelines import default_pipeline, pass_named
from vitrify.testing.programs import random_program


@pytest.mark.parametrize("seed", range(60))
def test_values_stay(seed: int) -> None:
    program, feeds, state = random_program(seed, 30)
    before = interpret(program, feeds, state)
    for item in default_pipeline():
        text = str(program)
        changed = item.run(program)
        verify(program)
        assert changed == (str(program) != text), item.name
        after = interpret(program, feeds, state)
        for a, b in zip([*before[0], *before[1]], [*after[0], *after[1]], strict=True):
            np.testing.assert_array_equal(a, b, err_msg=item.name)


def chain(count: int) -> Program:
    program, builder = new_program("chain")
    x = value = program.add_feed("x", TensorType(dt.float32, (4,)))
    with builder.active():
        for k in range(count // 2):
            value = OPS["multiply"](OPS["tanh"](value), x if k % 2 else value)
        builder.return_([value])
    return program


@pytest.mark.parametrize("name", ["simplify", "fold", "cse", "dce", "licm"])
def test_time_grows_with_the_program_only(name: str) -> None:
    """2000 and 8000 operations: four times the work, generously measured."""
    item = pass_named(name)
    seconds = []
    for count in (2000, 8000):
        best = float("inf")
        for _ in range(5):
            program = chain(count)
            gc.disable()  # a collection walks all that the tests before have left
            try:
                start = time.thread_time()
                item.run(program)
                best = min(best, time.thread_time() - start)
            finally:
                gc.enable()
        seconds.append(best)
    assert seconds[1] < 10 * seconds[0] + 0.02

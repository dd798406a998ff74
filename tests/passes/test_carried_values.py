"""Carried values of loops: those that are equal in every iteration become one."""

from __future__ import annotations

import numpy as np
import pytest

from vitrify.ir.core import Program
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.walk import walk
from vitrify.passes.algebra.dce import DeadCode
from vitrify.passes.algebra.simplify import Simplify

LOOP = """program "loop"(%n: i64[], %x: f32[3], %y: f32[3]) {{
  %0, %1 = for %n, {starts} : f32[3], f32[3] (%i: i64[], %a: f32[3], %b: f32[3]) {{
    %2 = multiply %a, %x : f32[3]
    %3 = add %2, %b : f32[3]
    %4 = subtract %2, %y : f32[3]
    yield {given}
  }}
  %5 = add %0, %x : f32[3]
  return %1, %5
}}
"""


def outcome(program: Program, count: int) -> list[np.ndarray]:
    arrays = [np.array(count), np.array([0.5, -2.0, np.nan], np.float32), np.array([1.0, -0.0, 3.0], np.float32)]
    return interpret(program, arrays)[0]


@pytest.mark.parametrize(
    ("starts", "given", "carried"),
    [
        ("%x, %x", "%3, %3", 1),
        ("%x, %y", "%3, %3", 2),
        ("%x, %x", "%3, %4", 2),
        ("%x, %x", "%b, %a", 2),
    ],
)
def test_values_that_start_and_go_on_alike_are_one(starts: str, given: str, carried: int) -> None:
    program = parse_program(LOOP.format(starts=starts, given=given))
    before = [outcome(program, count) for count in (0, 1, 5)]
    Simplify().run(program)
    DeadCode().run(program)
    (loop,) = [o for o in walk(program.body) if o.name == "for"]
    assert len(loop.results) == carried
    for count, wanted in zip((0, 1, 5), before, strict=True):
        for one, two in zip(outcome(program, count), wanted, strict=True):
            assert one.tobytes() == two.tobytes()

"""What is known of an array's integers holds for what operations make of any numbers."""

from __future__ import annotations

import numpy as np
import pytest

from vitrify.ir.interpret import interpret
from vitrify.ir.number_bounds import bounds_of, lies_in
from vitrify.ir.parser import parse_program

LINES = {
    "clip": ("clip %x {max = 7, min = -2}", (-2, 7)),
    "a clip whose limits are exchanged": ("clip %x {max = 2, min = 5}", (2, 2)),
    "remainder": ("remainder %x, %five", (0, 4)),
    "remainder of unknown ones": ("remainder %five, %x", (None, None)),
    "bitwise_and": ("bitwise_and %x, %five", (0, 5)),
    "minimum": ("minimum %x, %five", (None, 5)),
    "maximum": ("maximum %x, %five", (5, None)),
    "add": ("add %small, %five", (5, 9)),
    "subtract": ("subtract %five, %small", (1, 5)),
    "multiply": ("multiply %small, %small", (0, 16)),
    "floor_divide": ("floor_divide %small, %five", (0, 0)),
    "floor_divide of unknown ones": ("floor_divide %x, %five", (None, None)),
    "argsort": ("argsort %x {axis = 0, descending = false}", (0, 5)),
    "flip": ("flip %small {axis = (0)}", (0, 4)),
}


@pytest.mark.parametrize("name", LINES)
def test_bounds_hold(name: str) -> None:
    line, bounds = LINES[name]
    text = "program @f(%x: i64[6]) -> i64[6] {\n  %five = constant {data = dense<i64[], 5>} : i64[]\n"
    text += f"  %small = remainder %x, %five : i64[6]\n  %made = {line} : i64[6]\n  return %made\n}}"
    program = parse_program(text)
    assert bounds_of(program.fetches[0]) == bounds
    for numbers in ([-9, 0, 1, 2, 7, 9], [2**62, -(2**62), 5, 4, 3, 3]):
        with np.errstate(all="ignore"):
            (made,), _ = interpret(program, [np.array(numbers)])
        assert bounds[0] is None or made.min() >= bounds[0]
        assert bounds[1] is None or made.max() <= bounds[1]


def test_indices_of_an_axis() -> None:
    assert lies_in((0, 4), 5)
    assert not lies_in((0, 5), 5)
    assert not lies_in((-1, 4), 5)
    assert not lies_in((None, 4), 5)
    assert not lies_in((0, None), 5)

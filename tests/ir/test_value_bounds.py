"""Bounds of values: what operations tell, dtypes that are too narrow, and what nothing is known of."""

from __future__ import annotations

import pytest

from vitrify.ir.parser import parse_program
from vitrify.ir.value_bounds import value_bounds


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["%r = add %i, %i : i64[5]"], (-(2**63), 2**63 - 1)),
        (["%0 = constant {data = dense<i64[2], [3, -4]>} : i64[2]"], (-4, 3)),
        (["%0 = cast %i {dtype = i8} : i8[5]"], (-128, 127)),
        (["%0 = cast %b {dtype = i8} : i8[5]"], (0, 1)),
        (["%0 = cast %x {dtype = i32} : i32[5]"], (-(2**31), 2**31 - 1)),
        (["%0 = add %x, %x : f32[5]"], None),
        (["%0 = cast %b {dtype = i8} : i8[5]", "%1 = add %0, %0 : i8[5]"], (0, 2)),
        (["%0 = less_than %i, %i : bool[5]"], (0, 1)),
        (["%0 = cast %b {dtype = i64} : i64[5]", "%1 = less_than %0, %0 : bool[5]"], (0, 1)),
        (["%0 = cast %s {dtype = i64} : i64[5]", "%1 = multiply %0, %0 : i64[5]"], (-(128 * 127), 128**2)),
        (["%0 = multiply %s, %s : i8[5]"], (-128, 127)),
    ],
)
def test_bounds(lines: list[str], expected: tuple[int, int] | None) -> None:
    last = lines[-1]
    name, kind = last.split(" = ")[0], last.rsplit(" : ")[-1]
    head = f"program @f(%i: i64[5], %x: f32[5], %b: bool[5], %s: i8[5]) -> {kind} {{"
    program = parse_program("\n  ".join([head, *lines, f"return {name}"]) + "\n}")
    assert value_bounds(program.body.operations[-2].result) == expected


def test_arguments_have_the_bounds_of_their_dtype() -> None:
    program = parse_program("program @f(%b: bool[5]) -> bool[5] {\n  return %b\n}")
    assert value_bounds(program.body.args[0]) == (0, 1)

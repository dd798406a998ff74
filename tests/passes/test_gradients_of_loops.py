"""Gradients of loops that fill an array: an iteration touches its rows, and never the whole array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.ir.core import Operation, Program
from vitrify.ir.parser import parse_program
from vitrify.ir.walk import walk
from vitrify.passes.loops.carried_sums import merge_carried_sums
from vitrify.passes.loops.known_flags import KnownFlags

STEPS = 19


def _gradients(layer: Any) -> Any:
    def made(x: Any) -> Any:
        x.stop_gradient = False
        y, _ = layer(x)
        loss = (y * y).mean()
        return loss, *vt.grad(loss, [x, *layer.parameters()])

    return made


@pytest.mark.parametrize("kind", ["GRU", "LSTM", "SimpleRNN"])
@pytest.mark.parametrize("direction", ["forward", "bidirect"])
def test_iterations_touch_rows(kind: str, direction: str) -> None:
    vt.seed(3)
    function = _gradients(getattr(vt.nn, kind)(5, 7, direction=direction))
    compiled = vt.to_static(function)
    x = vt.to_tensor(np.random.default_rng(0).standard_normal((3, STEPS, 5)).astype("float32"))
    for one, other in zip(compiled(x), function(x), strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=2e-5, atol=2e-6)
    program = parse_program(compiled.dump("after fuse").split("\n\n")[0])
    loops = [o for o in walk(program.body) if o.name == "for"]
    assert loops
    for loop in loops:
        assert not [o.name for o in _whole(loop) if o.name not in ("select_update", "select_add", "select", "group")]


def _whole(loop: Operation) -> list[Operation]:
    """The operations that make an array with a row per iteration."""
    return [
        o for o in walk(loop.blocks[0]) for v in o.results
        if v.tensor_type.rank == 3 and v.tensor_type.shape[0] in (STEPS, STEPS - 1)
    ]  # fmt: skip


def _flags(count: int, second: str, updated: str) -> Program:
    return parse_program(f"""program @f(%x: f32[4], %unknown: bool[]) -> (f32[4], bool[]) {{
  %0 = constant {{data = dense<i64[], {count}>}} : i64[]
  %1 = constant {{data = dense<bool[], true>}} : bool[]
  %2 = constant {{data = dense<bool[], false>}} : bool[]
  %3, %4, %5 = for %0, %x, %1, {second} : f32[4], bool[], bool[] (%i: i64[], %6: f32[4], %7: bool[], %8: bool[]) {{
    %9 = logical_or %7, %8 : bool[]
    %10 = constant {{data = dense<f32[], 0.0>}} : f32[]
    %11 = where %9, %6, %10 : f32[4]
    yield %11, %2, {updated}
  }}
  return %3, %5
}}""")


@pytest.mark.parametrize(
    ("count", "second", "updated", "inside", "after"),
    [
        (3, "%2", "%9", True, True),  # the first iteration settles it
        (0, "%2", "%9", True, None),  # of no iteration the result is what it started from
        (3, "%2", "%8", None, False),  # true in the first one only
        (3, "%unknown", "%9", True, True),  # or-ed with what is true
        (3, "%2", "%unknown", None, None),
    ],
)  # fmt: skip
def test_flags_that_the_program_decides(
    count: int, second: str, updated: str, inside: bool | None, after: bool | None
) -> None:
    program = _flags(count, second, updated)
    KnownFlags().run(program)
    (loop,) = (o for o in program.body.operations if o.name == "for")
    (choice,) = (o for o in walk(loop.blocks[0]) if o.name == "where")
    for value, known in ((choice.operands[0], inside), (program.body.yields[1], after)):
        made = value.operation
        assert made is not None
        found = made.attrs["data"].array.item() if made.name == "constant" else None
        assert found is known


def _sums(count: str, rest: str, kind: str = "f32[4]") -> Program:
    return parse_program(f"""program @f(%x: f32[4], %y: f32[4], %n: i64[]) -> f32[4] {{
  %0 = constant {{data = dense<i64[], 3>}} : i64[]
  %1 = full {{dtype = f32, fill_value = 0.0, shape = (4)}} : f32[4]
  %2, %3 = for {count}, %x, %y : f32[4], f32[4] (%i: i64[], %4: f32[4], %5: f32[4]) {{
    %6 = add %4, %5 : f32[4]
    %7 = exp %6 : f32[4]
    yield {rest}, %7
  }}
  %8 = add %2, %3 : f32[4]
  %9 = multiply %8, {"%8" if kind == "f32[4]" else "%2"} : f32[4]
  return %9
}}""")


@pytest.mark.parametrize(
    ("count", "rest", "kind", "merged"),
    [
        ("%0", "%1", "f32[4]", True),
        ("%n", "%1", "f32[4]", True),  # of no iteration the sum behind the loop is the sum of the starts
        ("%0", "%4", "f32[4]", False),  # not 0 from then on
        ("%0", "%1", "read", True),  # it is known that there are iterations
        ("%n", "%1", "read", False),
    ],
)
def test_sums_of_carried_values(count: str, rest: str, kind: str, merged: bool) -> None:
    from vitrify.ir.interpret import interpret

    x, y = np.float32([1, -2, 0.5, 0]), np.float32([0.25, 1, -3, 0])
    trips = [np.int64(n) for n in ((0, 1, 3) if count == "%n" else (3,))]
    expected = [interpret(_sums(count, rest, kind), [x, y, n])[0] for n in trips]
    program = _sums(count, rest, kind)
    (loop,) = (o for o in program.body.operations if o.name == "for")
    assert merge_carried_sums(loop) is merged
    for n, one in zip(trips, expected, strict=True):
        np.testing.assert_array_equal(interpret(program, [x, y, n])[0], one)

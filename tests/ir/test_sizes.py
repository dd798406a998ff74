"""Sizes that only a run knows, in the IR: text, verifier, interpreter, machine and gradients agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base.dtype import BY_SHORT
from vitrify.base.errors import ShapeError, VerifyError
from vitrify.ir.core import Program
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.printer import print_program
from vitrify.ir.verifier import verify
from vitrify.ir.walk import equal_programs
from vitrify.jit.call.program_function import gradient_program
from vitrify.ops.sizes import fresh_size
from vitrify.passes.autodiff.differentiate import differentiate
from vitrify.runtime.compiler import compile_program

PICK = """program @pick(%x: f64[4], %m: bool[4]) -> (f64[u0], f64[4]) {
  %0 = masked_select %x, %m {defines = (u0)} : f64[u0]
  %1 = multiply %0, %0 : f64[u0]
  %2 = sum %1 {axis = (0), keepdim = false} : f64[]
  %3 = multiply %x, %2 : f64[4]
  return %1, %3
}
"""
GROW = """program @grow(%x: f64[2], %n: i64[]) -> f64[u1] {
  %0 = for %n, %x : f64[u1] (%t: i64[], %h: f64[u0]) {
    %1 = multiply %h, %h : f64[u0]
    %2 = concat %1, %x {axis = 0} : f64[u0+2]
    yield %2
  }
  %3 = multiply %0, %0 : f64[u1]
  return %3
}
"""
CHOOSE = """program @choose(%x: f64[4], %c: bool[]) -> f64[u0] {
  %0 = if %c : f64[u0] {
    yield %x
  } else {
    %1 = concat %x, %x {axis = 0} : f64[8]
    yield %1
  }
  %2 = exp %0 : f64[u0]
  return %2
}
"""
X = np.array([1.1, -0.7, 0.3, 0.9])
FEEDS: dict[str, list[list[Any]]] = {
    PICK: [[X, np.array(m, bool)] for m in ([1, 0, 1, 1], [0, 0, 0, 0])],
    GROW: [[X[:2], np.array(n)] for n in (0, 1, 2)],
    CHOOSE: [[X, np.array(c)] for c in (True, False)],
}


def read(text: str) -> Program:
    program = parse_program(text)
    verify(program)
    return program


@pytest.mark.parametrize("text", FEEDS)
def test_the_text_is_complete(text: str) -> None:
    printed = print_program(read(text))
    assert equal_programs(parse_program(printed), read(text))
    assert print_program(parse_program(printed)) == printed


@pytest.mark.parametrize("text", FEEDS)
def test_the_machine_is_the_interpreter(text: str) -> None:
    program = read(text)
    compiled = compile_program(program)
    for feeds in FEEDS[text]:
        for found, expected in zip(compiled.run(feeds), interpret(program, feeds)[0], strict=True):
            assert found.shape == expected.shape
            np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize("text", FEEDS)
def test_gradients_are_those_of_differences(text: str) -> None:
    made = differentiate(read(text), [0])
    verify(made.forward)
    verify(made.backward)
    forward, backward = compile_program(made.forward), compile_program(made.backward)
    for x, other in FEEDS[text]:
        fetched = forward.run([x, other])
        seeds = [np.cos(np.arange(fetched[k].size)).reshape(fetched[k].shape) for k in made.seeds]
        kept = [[x, other][r.index] if r.kind == "argument" else fetched[r.index] for r in made.residuals]
        numeric = np.zeros_like(x)
        for k, step in enumerate(np.eye(x.size) * 1e-6):
            ends = [forward.run([x + s * step, other]) for s in (1, -1)]
            numeric[k] = (
                sum(((ends[0][j] - ends[1][j]) * s).sum() for j, s in zip(made.seeds, seeds, strict=True)) / 2e-6
            )
        np.testing.assert_allclose(backward.run([*kept, *seeds])[0], numeric, rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(interpret(made.backward, [*kept, *seeds])[0][0], numeric, rtol=1e-6, atol=1e-7)


def test_second_derivatives_of_a_tensor_that_grows() -> None:
    first = gradient_program(read(GROW), differentiate(read(GROW), [0]))
    first.feeds[2] = "seed"
    second = gradient_program(first, differentiate(first, [0]))
    verify(second)
    x, n, weights = np.array([1.1, 0.7]), np.array(2), np.array([1.0, 2.0])
    seed = np.arange(6.0) + 1

    def slope(x: Any) -> Any:
        return (interpret(first, [x, n, seed])[0][0] * weights).sum()

    numeric = [(slope(x + step) - slope(x - step)) / 2e-6 for step in np.eye(2) * 1e-6]
    for found in (interpret(second, [x, n, seed, weights])[0], compile_program(second).run([x, n, seed, weights])):
        np.testing.assert_allclose(found[0], numeric, rtol=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "%1 = multiply",
            "%9 = full {dtype = f64, fill_value = 0.0, shape = (u7)} : f64[u7]\n  %1 = multiply",
            "has the size u7, but no operation before it defines that size",
        ),
        ("%1 = multiply", "%9 = nonzero %m {defines = (u0)} : i64[u0, 1]\n  %1 = multiply", "u0 is defined before"),
    ],
)
def test_the_verifier_knows_where_a_size_is_defined(old: str, new: str, message: str) -> None:
    with pytest.raises(VerifyError, match=message):
        verify(parse_program(PICK.replace(old, new)))


def test_a_loop_takes_another_size_only_where_it_says_so() -> None:
    fixed = GROW.replace("%h: f64[u0]", "%h: f64[2]").replace("f64[u0+2]", "f64[4]").replace("u0", "2")
    with pytest.raises(VerifyError, match="the yield of the body must be"):
        verify(parse_program(fixed.replace("f64[u1]", "f64[2]")))


def test_a_size_of_one_loop_is_not_known_after_it() -> None:
    with pytest.raises(VerifyError, match="u0"):
        verify(parse_program(GROW.replace("multiply %0, %0 : f64[u1]", "full {dtype = f64, fill_value = 0.0, "
                                          "shape = (u0)} : f64[u0]").replace("-> f64[u1]", "-> f64[u0]")))  # fmt: skip


def test_a_name_is_never_that_of_a_dtype() -> None:
    names = {str(fresh_size()) for _ in range(80)}
    assert len(names) == 80 and not names & set(BY_SHORT)
    assert names.isdisjoint({"u8", "u16", "u32", "u64"})  # dtypes, or dtypes to come


def test_sizes_taken_for_equal_are_checked_by_the_run() -> None:
    text = """program @sum(%x: f64[4], %m: bool[4], %k: bool[4]) -> f64[u0] {
  %0 = masked_select %x, %m {defines = (u0)} : f64[u0]
  %1 = masked_select %x, %k {defines = (u1)} : f64[u1]
  %2 = add %1, %0 : f64[u0]
  return %2
}
"""
    program, m = read(text), np.array([1, 0, 1, 1], bool)
    for run in (lambda f: interpret(program, f)[0], compile_program(program).run):
        np.testing.assert_allclose(run([X, m, m])[0], 2 * X[m])
        with pytest.raises(ShapeError, match="don't fit"):
            run([X, m, np.array([1, 1, 0, 0], bool)])

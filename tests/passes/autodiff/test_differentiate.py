from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.verifier import verify
from vitrify.ir.walk import walk
from vitrify.passes.autodiff.differentiate import Differentiated, Residual, differentiate
from vitrify.passes.autodiff.residual_lists import LIST_POP, LIST_READ

from . import programs
from .numeric import numeric

DENSE = """program @p(%x: f64[N, 3], %w: f64[3, 2], %b: f64[2], %unused: f64[2], %i: i64[N])
    -> (f64[N, 2], f64[2], f64[N, 3], i64[N]) {
  %0 = matmul %x, %w {transpose_x = false, transpose_y = false} : f64[N, 2]
  %1 = add %0, %b : f64[N, 2]
  %2 = tanh %1 : f64[N, 2]
  %3 = sum %2 {axis = (0), keepdim = false} : f64[2]
  return %2, %3, %x, %i
}"""


def values(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.5, 1.5, shape)


def run(made: Differentiated, arrays: list[Any], feeds: int) -> list[Any]:
    verify(made.forward)
    verify(made.backward)
    fetched, _ = interpret(made.forward, arrays[:feeds], arrays[feeds:])
    saved = [arrays[r.index] if r.kind == "argument" else fetched[r.index] for r in made.residuals]
    given = [*saved, *(np.ones_like(fetched[k]) for k in made.seeds), *made.told(True for _ in made.seeds)]
    return interpret(made.backward, given)[0][: len(made.gradients)]


def check(text: str, *given: Any) -> Differentiated:
    program = parse_program(text)
    arrays = [np.asarray(a) for a in given]
    made = differentiate(program, [k for k, a in enumerate(arrays) if a.dtype.kind == "f"])
    grads = run(made, arrays, len(arrays))
    for k, gradient in zip(made.gradients, grads, strict=True):
        np.testing.assert_allclose(gradient, numeric(program, arrays, k, {}), rtol=1e-5, atol=1e-6)
    return made


def test_what_the_caller_has_is_not_kept_twice() -> None:
    made = check(DENSE, values(4, 3), values(3, 2), values(2), values(2), np.arange(4))
    assert made.residuals == (Residual("argument", 0), Residual("argument", 1), Residual("fetch", 0))
    assert made.gradients == (0, 1, 2)  # %unused has none
    assert made.seeds == (0, 1, 2)  # %i is an integer
    assert made.backward.fetch_names == ["gradient of x", "gradient of w", "gradient of b"]


def test_a_fetch_that_is_a_feed_passes_its_gradient_on() -> None:
    made = check("program @p(%x: f64[2]) -> f64[2] {\n  return %x\n}", values(2))
    assert made.residuals == ()


def test_sizes_come_with_an_argument() -> None:
    made = check(
        "program @p(%x: f64[N, 50], %i: i64[N]) -> f64[] {\n"
        "  %0 = sum %x {axis = (0, 1), keepdim = false} : f64[]\n  return %0\n}", values(3, 50), np.arange(3),
    )  # fmt: skip
    assert made.residuals == (Residual("argument", 1),)  # the smallest argument that tells N


@pytest.mark.parametrize("count", [0, 1, 3])
def test_loops_run_again_for_their_lists(count: int) -> None:
    check(programs.MIXED, values(3), values(3, seed=1), count)
    check(programs.FOR, values(3), values(3, seed=1), count)


@pytest.mark.parametrize("taken", [True, False])
def test_branches(taken: bool) -> None:
    check(programs.BRANCH, values(3), values(3, seed=1), taken)
    check(programs.NESTED_BRANCH, values(3), True, taken)


def test_state_that_is_updated_is_fetched_as_it_was() -> None:
    program = parse_program("""program @p(%x: f64[2]) state(%w: f64[2] parameter) -> f64[2] {
      %0 = multiply %x, %w : f64[2]
      %1 = add %w, %x : f64[2]
      update %w, %1
      return %0
    }""")
    made = differentiate(program, [0, 1])
    assert made.residuals == (Residual("argument", 0), Residual("fetch", 1))
    x, w = values(2), values(2, seed=1)
    for found, expected in zip(run(made, [x, w], 1), [w, x], strict=True):
        np.testing.assert_allclose(found, expected)


def test_a_loop_with_a_callback_keeps_its_lists_in_python() -> None:
    made = differentiate(parse_program(programs.CALLBACK), [0])
    assert made.lists
    for program in (made.forward, made.backward):
        verify(program)
        assert not [o for o in walk(program.body) if o.name.startswith("list_")]
    called = {o.attrs["callee"] for o in walk(made.backward.body) if o.name == "callback"}
    assert {LIST_READ, LIST_POP} <= called
    assert not called & {o.attrs["callee"] for o in walk(made.forward.body) if o.name == "callback"}


def test_program_stays_as_it_was() -> None:
    program = parse_program(programs.MIXED)
    before = str(program)
    differentiate(program, [0, 1])
    assert str(program) == before

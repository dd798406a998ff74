"""Gradients of functions that call themselves, of first and second order, against slopes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import GradientError
from vitrify.ir.builder import Builder
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.verifier import verify
from vitrify.ir.walk import walk
from vitrify.ops.op import OPS
from vitrify.passes.autodiff import vjp_block_values
from vitrify.passes.autodiff.differentiate import differentiate
from vitrify.runtime.compiler import compile_program
from vitrify.testing.gradients import float_arguments, numeric_slopes, random_direction, with_gradients

TWO = """program @f(%n: i64[], %x: f64[3], %w: f64[3]) -> f64[3] {
  %r = function %n, %x {limit = 100, name = "two"} : f64[3] (%m: i64[], %y: f64[3]) {
    %two = constant {data = dense<i64[], 2>} : i64[]
    %one = constant {data = dense<i64[], 1>} : i64[]
    %stop = less_than %m, %two : bool[]
    %v = if %stop : f64[3] {
      %q = sin %y : f64[3]
      yield %q
    } else {
      %k = subtract %m, %one : i64[]
      %yw = multiply %y, %w : f64[3]
      %c = call %k, %yw {callee = "two", outputs = (f64[3])} : f64[3]
      %k2 = subtract %m, %two : i64[]
      %d = call %k2, %c {callee = "two", outputs = (f64[3])} : f64[3]
      %p = multiply %d, %c : f64[3]
      %ps = add %p, %y : f64[3]
      yield %ps
    }
    yield %v
  }
  return %r
}
"""
LOOP = """program @f(%n: i64[], %x: f64[N]) -> f64[N] {
  %r = function %n, %x {limit = 100, name = "g"} : f64[N] (%m: i64[], %y: f64[N]) {
    %zero = constant {data = dense<i64[], 0>} : i64[]
    %one = constant {data = dense<i64[], 1>} : i64[]
    %go = greater_than %m, %zero : bool[]
    %v = if %go : f64[N] {
      %a = for %m, %y : f64[N] (%i: i64[], %c: f64[N]) {
        %k = subtract %m, %one : i64[]
        %t = tanh %c : f64[N]
        %q = call %k, %t {callee = "g", outputs = (f64[N])} : f64[N]
        %z = multiply %q, %t : f64[N]
        yield %z
      }
      %b = add %a, %y : f64[N]
      yield %b
    } else {
      yield %y
    }
    yield %v
  }
  return %r
}
"""
INNER = """program @f(%n: i64[], %x: f64[2]) -> f64[2] {
  %r = function %n, %x {limit = 100, name = "even"} : f64[2] (%m: i64[], %y: f64[2]) {
    %zero = constant {data = dense<i64[], 0>} : i64[]
    %one = constant {data = dense<i64[], 1>} : i64[]
    %go = greater_than %m, %zero : bool[]
    %v = if %go : f64[2] {
      %k = subtract %m, %one : i64[]
      %o = function %k, %y {limit = 100, name = "odd"} : f64[2] (%m2: i64[], %y2: f64[2]) {
        %go2 = greater_than %m2, %zero : bool[]
        %v2 = if %go2 : f64[2] {
          %k2 = subtract %m2, %one : i64[]
          %s = sin %y2 : f64[2]
          %c1 = call %k2, %s {callee = "odd", outputs = (f64[2])} : f64[2]
          %c2 = call %k2, %y {callee = "even", outputs = (f64[2])} : f64[2]
          %c3 = add %c1, %c2 : f64[2]
          %c4 = multiply %c3, %y2 : f64[2]
          yield %c4
        } else {
          yield %y2
        }
        yield %v2
      }
      %c5 = call %k, %o {callee = "even", outputs = (f64[2])} : f64[2]
      %c6 = multiply %c5, %y : f64[2]
      yield %c6
    } else {
      yield %y
    }
    yield %v
  }
  return %r
}
"""
ONLY_OUTSIDE = """program @f(%n: i64[], %w: f64[2]) -> f64[2] {
  %r = function %n {limit = 100, name = "w"} : f64[2] (%m: i64[]) {
    %one = constant {data = dense<i64[], 1>} : i64[]
    %stop = less_than %m, %one : bool[]
    %v = if %stop : f64[2] {
      yield %w
    } else {
      %k = subtract %m, %one : i64[]
      %c = call %k {callee = "w", outputs = (f64[2])} : f64[2]
      %p = multiply %c, %w : f64[2]
      yield %p
    }
    yield %v
  }
  return %r
}
"""
X, W = np.array([0.3, 0.5, 0.9]), np.array([0.7, 1.1, 0.8])
PROGRAMS: dict[str, tuple[str, int, list[Any]]] = {
    "two calls, one of the other's result": (TWO, 5, [X, W]),
    "a call in a loop": (LOOP, 3, [X]),
    "functions that call each other": (INNER, 3, [X[:2]]),
    "a float that only comes from outside": (ONLY_OUTSIDE, 4, [W[:2]]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_of_first_and_second_order_are_slopes(name: str) -> None:
    text, n, floats = PROGRAMS[name]
    program, arrays = parse_program(text), [np.asarray(n), *floats]
    wrt = float_arguments(arrays)
    for order in range(2 if name != "functions that call each other" else 1):
        made, found = with_gradients(program, wrt)
        verify(made)
        assert found == wrt
        fetched, _ = interpret(made, arrays)
        for a, b in zip(compile_program(made).run(arrays), fetched, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9)
        direction = random_direction(arrays, 5)
        slope = sum(float(np.sum(g * direction[k])) for g, k in zip(fetched[-len(wrt) :], wrt, strict=True))
        before, after = numeric_slopes(program, arrays, direction)
        assert slope == pytest.approx((before + after) / 2, rel=1e-5), order
        program = made


@pytest.mark.parametrize("name", PROGRAMS)
def test_forward_and_backward_programs_are_apart(name: str) -> None:
    text, n, floats = PROGRAMS[name]
    arrays = [np.asarray(n), *floats]
    wrt = float_arguments(arrays)
    made = differentiate(parse_program(text), wrt)
    verify(made.forward)
    verify(made.backward)
    assert list(made.gradients) == wrt
    fetched, _ = interpret(made.forward, arrays)
    residuals = [arrays[r.index] if r.kind == "argument" else fetched[r.index] for r in made.residuals]
    grads, _ = interpret(made.backward, [*residuals, np.ones_like(fetched[0])])
    wanted, _ = interpret(with_gradients(parse_program(text), wrt)[0], arrays)
    for a, b in zip(grads, wanted[-len(wrt) :], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_a_gradient_through_a_call_within_the_function_is_refused() -> None:
    program = parse_program(TWO)
    (call, *_) = [o for o in walk(program.body) if o.name == "call"]
    assert call.parent is not None
    builder = Builder(call.parent, before=call.parent.terminator)
    with builder.active():
        seed = OPS["ones"]([3]) if "ones" in OPS else OPS["full"]((3,), 1.0, call.result.dtype)
    with pytest.raises(GradientError, match="taken inside the function `two`, through a call of itself"):
        vjp_block_values(builder, [call.result], [seed], [call.operands[1]])

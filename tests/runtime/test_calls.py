"""Functions that call themselves, on the VM: each call has values of its own, and what fails leaves nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import DepthError
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.schedule.program_steps import HostCallStep, InterpretedStep

from .checks import check, program


def function(body: str, results: str = "f32[3]", extra: str = "") -> str:
    """`g` of a count and an array, which reads %w from outside; `body` yields what it gives where %m isn't 0."""
    return f"""program @f(%n: i64[], %x: f32[3], %w: f32[3]) -> f32[3] {{
      {extra}
      %r = function %n, %x {{limit = 100, name = "g"}} : f32[3] (%m: i64[], %y: f32[3]) {{
        %zero = constant {{data = dense<i64[], 0>}} : i64[]
        %one = constant {{data = dense<i64[], 1>}} : i64[]
        %two = constant {{data = dense<i64[], 2>}} : i64[]
        %go = greater_than %m, %zero : bool[]
        %k = subtract %m, %one : i64[]
        %v = if %go : f32[3] {{
          {body}
        }} else {{
          yield %y
        }}
        yield %v
      }}
      %z = add %r, %x : f32[3]
      return %z
    }}"""


def call(name: str, arguments: str, callee: str = "g") -> str:
    return f'%{name} = call {arguments} {{callee = "{callee}", outputs = (f32[3])}} : f32[3]\n'


BODIES = {
    "what comes before and after": "%t = tanh %y : f32[3]\n" + call("c", "%k, %t") + """
        %u = multiply %c, %t : f32[3]
        %p = add %u, %y : f32[3]
        yield %p""",
    "two calls": "%l = subtract %m, %two : i64[]\n" + call("c", "%k, %y") + "%t = multiply %c, %w : f32[3]\n"
    + call("d", "%l, %t") + "%p = add %c, %d : f32[3]\nyield %p",
    "a call of a call": call("c", "%k, %w") + call("d", "%k, %c") + "%p = add %y, %d : f32[3]\nyield %p",
    "arguments that change places": "%t = sin %y : f32[3]\n" + call("c", "%k, %t") + "yield %c",
    "a call in a loop": """%p = for %m, %y : f32[3] (%i: i64[], %a: f32[3]) {
          %e = cast %i {dtype = f32} : f32[]
          %t = add %a, %e : f32[3]
          """ + call("c", "%k, %t") + """
          %s = add %c, %a : f32[3]
          %q = multiply %s, %w : f32[3]
          yield %q
        }
        yield %p""",
    "a call in a while": """%i, %p = while %k, %y : i64[], f32[3] (%j: i64[], %a: f32[3]) {
          %o = greater_than %j, %zero : bool[]
          yield %o
        } do (%j2: i64[], %a2: f32[3]) {
          %h = subtract %j2, %one : i64[]
          """ + call("c", "%h, %a2") + """
          %s = add %c, %a2 : f32[3]
          yield %h, %s
        }
        yield %p""",
    "a function in a function": """%o = function %k, %y {limit = 100, name = "h"} : f32[3] (%m2: i64[], %y2: f32[3]) {
          %go2 = greater_than %m2, %zero : bool[]
          %v2 = if %go2 : f32[3] {
            %k2 = subtract %m2, %one : i64[]
            %s = sin %y2 : f32[3]
            """ + call("c1", "%k2, %s", "h") + call("c2", "%k2, %y") + """
            %c3 = add %c1, %c2 : f32[3]
            %c4 = multiply %c3, %y2 : f32[3]
            yield %c4
          } else {
            yield %y2
          }
          yield %v2
        }
        """ + call("c5", "%k, %o") + "%p = add %c5, %y : f32[3]\nyield %p",
    "pieces of one array": call("c", "%k, %y") + call("d", "%k, %w") + """
        %e = concat %c, %y, %d {axis = 0} : f32[9]
        %q = slice %e {sizes = (3), starts = (2), strides = (2)} : f32[3]
        yield %q""",
    "arguments that stay where they are": "%t = sin %y : f32[3]\n" + call("c", "%k, %t")
    + call("d", "%k, %y") + "%p = add %c, %d : f32[3]\nyield %p",
    "a product": """%a = reshape %y {shape = (1, 3)} : f32[1, 3]
        %b = reshape %w {shape = (3, 1)} : f32[3, 1]
        %g = matmul %b, %a {transpose_x = false, transpose_y = false} : f32[3, 3]
        """ + call("c", "%k, %y") + """
        %h = sum %g {axis = (0), keepdim = false} : f32[3]
        %p = add %h, %c : f32[3]
        yield %p""",
}  # fmt: skip
X, W = np.array([0.3, -0.5, 0.9], np.float32), np.array([0.7, 0.2, -0.4], np.float32)


@pytest.mark.parametrize("body", BODIES)
def test_the_vm_gives_what_the_interpreter_gives(body: str) -> None:
    for n in (0, 1, 4):
        made = check(function(BODIES[body]), np.int64(n), X, W, calls=2)
    assert not any(isinstance(s, (InterpretedStep, HostCallStep)) for s in made["default"].steps.steps)


@pytest.mark.parametrize("iterations", [False, True])
def test_a_function_without_calls_runs_once(iterations: bool) -> None:
    made = """%r = function %n, %x {limit = 100, name = "g"} : f32[3] (%m: i64[], %y: f32[3]) {
        %s = sin %y : f32[3]
        %t = sum %s {axis = (0), keepdim = false} : f32[]
        %u = add %s, %t : f32[3]
        yield %u
      }
      """
    if iterations:
        made = made.replace("%r", "%o").replace("%x", "%z")
        made = "%r = for %n, %x : f32[3] (%i: i64[], %z: f32[3]) {\n" + made + "yield %o\n}\n"
    check(f"program @f(%n: i64[], %x: f32[3]) -> f32[3] {{\n{made}return %r\n}}", np.int64(3), X)


def test_beyond_the_limit_a_call_fails_and_the_next_one_is_right() -> None:
    body = call("c", "%k, %y") + "%p = add %c, %w : f32[3]\nyield %p"
    made = compile_program(program(function(body)))
    good = made.run([np.int64(100), X, W])[0]
    for _ in range(2):
        with pytest.raises(DepthError, match=r"`g` calls itself more than 100 times deep"):
            made.run([np.int64(101), X, W])
        np.testing.assert_array_equal(made.run([np.int64(100), X, W])[0], good)


def test_a_failing_call_leaves_state_as_it_was() -> None:
    text = """program @f(%n: i64[]) state(%s: i64[] other) -> i64[] {
      %one = constant {data = dense<i64[], 1>} : i64[]
      %next = add %s, %one : i64[]
      %r = function %n {limit = 10, name = "g"} : i64[] (%m: i64[]) {
        %go = greater_than %m, %s : bool[]
        %v = if %go : i64[] {
          %k = subtract %m, %one : i64[]
          %c = call %k {callee = "g", outputs = (i64[])} : i64[]
          %p = add %c, %one : i64[]
          yield %p
        } else {
          yield %m
        }
        yield %v
      }
      update %s, %next
      return %r
    }"""
    made, state = compile_program(program(text)), np.zeros((), np.int64)
    assert made.run([np.int64(10)], [state])[0] == 10
    assert state == 1
    with pytest.raises(DepthError):
        made.run([np.int64(12)], [state])
    assert state == 1
    check(text, np.int64(7), state=[np.int64(2)])


def test_functions_with_lists_or_sizes_of_a_run_are_the_interpreters() -> None:
    listed = """%l = list_new {element = f32[3]} : list<f32[3]>
        %l2 = list_push %l, %y : list<f32[3]>
        """ + call("c", "%k, %w") + """
        %l3, %q = list_pop %l2 : list<f32[3]>, f32[3]
        %p = add %q, %c : f32[3]
        yield %p"""  # fmt: skip
    late = """%b = greater_than %y, %w : bool[3]
        %s = masked_select %y, %b {defines = (u0)} : f32[u0]
        """ + call("c", "%k, %w") + """
        %o = sorted_values %s {axis = 0, descending = false} : f32[u0]
        %t = sum %o {axis = (0), keepdim = false} : f32[]
        %p = add %c, %t : f32[3]
        yield %p"""  # fmt: skip
    for body in (listed, late):
        for n in (0, 3):
            made = check(function(body), np.int64(n), X, W)
        steps = made["default"].steps.steps
        assert [s.operation.name for s in steps if isinstance(s, InterpretedStep) and s.operation] == ["function"]


def test_callbacks_run_at_each_depth() -> None:
    seen: list[Any] = []

    def note(m: Any) -> Any:
        seen.append(int(m))
        return (m * 2,)

    body = """%o = callback %m {callee = "note", form = "array", gradient = none, outputs = (i64[])} : i64[]
        """ + call("c", "%k, %y") + """
        %e = cast %o {dtype = f32} : f32[]
        %p = add %c, %e : f32[3]
        yield %p"""  # fmt: skip
    made = compile_program(program(function(body)), callbacks={"note": note})
    np.testing.assert_allclose(made.run([np.int64(3), X, W])[0], 2 * X + 12, rtol=1e-6)
    assert seen == [3, 2, 1]


def test_symbolic_sizes_are_bound_as_always() -> None:
    text = function(BODIES["two calls"]).replace("f32[3]", "f32[N]")
    for size in (1, 5):
        x = np.linspace(-1, 1, size, dtype=np.float32)
        check(text, np.int64(4), x, x * 0.5)

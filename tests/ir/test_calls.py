"""Functions of a program that call themselves: what the verifier refuses, and what the interpreter makes of them."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from vitrify.base.errors import DepthError, VerifyError
from vitrify.ir.calls import callee_of, calls_of
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.verifier import verify
from vitrify.ir.walk import clone_program, equal_programs, walk

FACTORIAL = """program @f(%n: i64[], %x: f64[]) -> f64[] {
  %r = function %n, %x {limit = 20, name = "fact"} : f64[] (%m: i64[], %y: f64[]) {
    %one = constant {data = dense<i64[], 1>} : i64[]
    %stop = less_equal %m, %one : bool[]
    %v = if %stop : f64[] {
      yield %y
    } else {
      %k = subtract %m, %one : i64[]
      %c = call %k, %y {callee = "fact", outputs = (f64[])} : f64[]
      %d = cast %m {dtype = f64} : f64[]
      %p = multiply %d, %c : f64[]
      yield %p
    }
    yield %v
  }
  return %r
}
"""


def factorial(n: int) -> float:
    (found,), _ = interpret(parse_program(FACTORIAL), [np.int64(n), np.float64(1)])
    return float(found)


def test_a_call_keeps_the_values_of_the_call_around_it() -> None:
    verify(parse_program(FACTORIAL))
    assert [factorial(n) for n in (0, 1, 5, 10)] == [1, 1, 120, 3628800]


def test_the_limit_is_the_number_of_calls_within_each_other() -> None:
    assert factorial(21) > 0
    with pytest.raises(DepthError, match=r"`fact` calls itself more than 20 times deep") as caught:
        factorial(22)
    assert isinstance(caught.value, RecursionError)


def test_depth_takes_no_more_than_the_limit_of_python_that_it_gives_back() -> None:
    before = sys.getrecursionlimit()
    deep = parse_program(FACTORIAL.replace("limit = 20", "limit = 20000"))
    (found,), _ = interpret(deep, [np.int64(15000), np.float64(1)])
    assert found == np.inf
    with pytest.raises(DepthError):
        interpret(deep, [np.int64(30000), np.float64(1)])
    assert sys.getrecursionlimit() == before


def test_a_call_means_the_nearest_function_of_its_name() -> None:
    inner = FACTORIAL.replace(
        "%c = call",
        """%in = function %y {limit = 5, name = "fact"} : f64[] (%z: f64[]) {
        %s = call %z {callee = "fact", outputs = (f64[])} : f64[]
        yield %s
      }
      %c = call""",
    )
    program = parse_program(inner)
    verify(program)
    outer, within = [o for o in walk(program.body) if o.name == "function"]
    assert [callee_of(o) for o in walk(program.body) if o.name == "call"] == [within, outer]
    assert len(calls_of(outer)) == len(calls_of(within)) == 1


def test_copies_are_equal_and_apart() -> None:
    program = parse_program(FACTORIAL)
    copy = clone_program(program)
    assert equal_programs(program, copy)
    (call,) = [o for o in walk(copy.body) if o.name == "call"]
    assert callee_of(call) in list(walk(copy.body))


WRONG = {
    "no function 'other' is around the call": ('callee = "fact"', 'callee = "other"'),
    "the arguments of the call must be": ("%c = call %k, %y {", "%c = call %y, %k {"),
    "the arguments of the call must be (i64[], f64[]), not (i64[])": ("%c = call %k, %y {", "%c = call %k {"),
    "is said to make (f64[])": ("outputs = (f64[])", "outputs = (f32[])"),
    "the results of the call must be (f64[]), not (f64[], f64[])": (
        "%c = call %k, %y {callee = \"fact\", outputs = (f64[])} : f64[]",
        "%c, %c2 = call %k, %y {callee = \"fact\", outputs = (f64[], f64[])} : f64[], f64[]",
    ),
    "the block's arguments must be": ("(%m: i64[], %y: f64[])", "(%m: i64[], %y: f32[])"),
    "a function needs a name": ('name = "fact"', 'name = ""'),
    "the attribute limit of `function` must be an int of at least 1, not 0": ("limit = 20", "limit = 0"),
    "the attribute limit of `function` must be an int of at least 1, not True": ("limit = 20", "limit = true"),
    "the yield must be": ("    yield %v\n", "    yield %stop\n"),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_what_is_wrong_is_said(message: str) -> None:
    old, new = WRONG[message]
    assert FACTORIAL.count(old) == 1
    with pytest.raises(VerifyError) as caught:
        verify(parse_program(FACTORIAL.replace(old, new)))
    assert message in str(caught.value)


def test_lists_are_not_handed_to_functions() -> None:
    text = """program @f() -> () {
  %a = list_new {element = f32[]} : list<f32[]>
  %b = function %a {limit = 5, name = "g"} : list<f32[]> (%c: list<f32[]>) {
    yield %c
  }
  return
}"""
    with pytest.raises(VerifyError, match="takes and gives tensors only"):
        verify(parse_program(text))

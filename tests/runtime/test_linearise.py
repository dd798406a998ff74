"""Where values are put: programs made to be wrong if a result takes the memory of something that is still read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.ir.builder import new_program
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.passes.manager import PassManager
from vitrify.passes.pipelines import default_pipeline
from vitrify.runtime.schedule.linearise import linearise
from vitrify.runtime.schedule.pipeline import run_schedule
from vitrify.runtime.schedule.program_steps import CopyStep, KernelStep

from .checks import check

N3 = np.arange(3, dtype=np.float32)
M34 = np.arange(12, dtype=np.float32).reshape(3, 4) - 5
M33 = np.arange(9, dtype=np.float32).reshape(3, 3) / 8
TURNS = np.int64(3)


def loop(carried: str, body: str, yields: str, *, kind: str = "f32[3, 4]", names: str = "%a", head: str = "") -> str:
    """`%r…` after %n iterations of `body`; `carried` starts them, `names` are the loop's own."""
    starts, mine = carried.split(", "), names.split(", ")
    kinds = ", ".join([kind] * len(starts))
    results = ", ".join(f"%r{k}" for k in range(len(starts)))
    args = ", ".join(["%i: i64[]", *(f"{name}: {kind}" for name in mine)])
    return f"""program @f(%x: {kind}, %y: {kind}, %n: i64[]) -> ({kinds}) {{
      {head}
      {results} = for %n, {carried} : {kinds} ({args}) {{
        {body}
        yield {yields}
      }}
      return {results}
    }}"""


LOOPS = {
    "a swap": loop("%x, %y", "", "%b, %a", names="%a, %b"),
    "three in a circle": loop("%x, %y, %x", "", "%c, %a, %b", names="%a, %b, %c"),
    "a swap with a change": loop("%x, %y", "%s = add %a, %b : f32[3, 4]", "%b, %s", names="%a, %b"),
    "the other changed, then itself": loop(
        "%x, %y", "%s = add %a, %b : f32[3, 4]\n%t = subtract %a, %s : f32[3, 4]", "%s, %t", names="%a, %b"
    ),
    "both changed from both": loop(
        "%x, %y", "%s = add %a, %b : f32[3, 4]\n%t = subtract %a, %b : f32[3, 4]", "%t, %s", names="%a, %b"
    ),
    "one value twice": loop("%x, %y", "%s = add %a, %b : f32[3, 4]", "%s, %s", names="%a, %b"),
    "an old value once more": loop("%x, %y", "%s = tanh %a : f32[3, 4]", "%s, %a", names="%a, %b"),
    "the iteration before the last": loop(
        "%x, %y, %y", "%s = tanh %a : f32[3, 4]\n%t = add %s, %c : f32[3, 4]", "%t, %a, %b", names="%a, %b, %c"
    ),
    "a value from outside": loop("%x, %y", "%s = multiply %a, %x : f32[3, 4]", "%s, %x", names="%a, %b"),
    "nothing but what comes in": loop("%x", "", "%a"),
    "a value made before the loop, read by every iteration": loop(
        "%t", "%s = multiply %a, %t : f32[3, 4]", "%s", head="%t = tanh %x : f32[3, 4]"
    ),
    "a row of itself, broadcast over itself": loop(
        "%x",
        """%p = slice %a {sizes = (1, 4), starts = (1, 0), strides = (1, 1)} : f32[1, 4]
        %s = subtract %a, %p : f32[3, 4]""",
        "%s",
    ),
    "itself upside down": loop("%x", "%s = flip %a {axis = (0)} : f32[3, 4]", "%s"),
    "itself upside down, added": loop(
        "%x", "%s = flip %a {axis = (0)} : f32[3, 4]\n%t = add %s, %a : f32[3, 4]", "%t"
    ),
    "computed, upside down": loop(
        "%x", "%t = tanh %a : f32[3, 4]\n%s = flip %t {axis = (0)} : f32[3, 4]", "%s"
    ),
    "its transpose": loop(
        "%x",
        "%s = transpose %a {perm = (1, 0)} : f32[4, 3]\n%t = reshape %s {shape = (3, 4)} : f32[3, 4]",
        "%t",
    ),
    "halves put together anew": loop(
        "%x",
        """%p = slice %a {sizes = (1, 4), starts = (0, 0), strides = (1, 1)} : f32[1, 4]
        %q = slice %a {sizes = (2, 4), starts = (1, 0), strides = (1, 1)} : f32[2, 4]
        %u = tanh %q : f32[2, 4]
        %v = multiply %p, %p : f32[1, 4]
        %s = concat %u, %v {axis = 0} : f32[3, 4]""",
        "%s",
    ),
    "a piece computed early, the rest read late": loop(
        "%x",
        """%q = slice %a {sizes = (2, 4), starts = (1, 0), strides = (1, 1)} : f32[2, 4]
        %u = cumsum %q {axis = 1, reverse = false} : f32[2, 4]
        %w = cumsum %a {axis = 0, reverse = false} : f32[3, 4]
        %p = slice %w {sizes = (1, 4), starts = (2, 0), strides = (1, 1)} : f32[1, 4]
        %v = cumsum %p {axis = 1, reverse = false} : f32[1, 4]
        %s = concat %u, %v {axis = 0} : f32[3, 4]""",
        "%s",
    ),
    "one piece twice": loop(
        "%x",
        """%q = slice %a {sizes = (1, 4), starts = (1, 0), strides = (1, 1)} : f32[1, 4]
        %u = cumsum %q {axis = 1, reverse = false} : f32[1, 4]
        %v = tanh %u : f32[1, 4]
        %s = concat %u, %v, %u {axis = 0} : f32[3, 4]""",
        "%s",
    ),
    "softmax of itself": loop(
        "%x",
        """%m = max %a {axis = (1), keepdim = true} : f32[3, 1]
        %d = subtract %a, %m : f32[3, 4]
        %e = exp %d : f32[3, 4]
        %z = sum %e {axis = (1), keepdim = true} : f32[3, 1]
        %s = divide %e, %z : f32[3, 4]""",
        "%s",
    ),
    "stored in one sweep, read in the next": loop(
        "%x, %y",
        """%s = tanh %a : f32[3, 4]
        %m = max %s {axis = (1), keepdim = true} : f32[3, 1]
        %c = subtract %a, %m : f32[3, 4]""",
        "%s, %c",
        names="%a, %b",
    ),
    "minus its mean over rows": loop(
        "%x", "%m = mean %a {axis = (0), keepdim = true} : f32[1, 4]\n%s = subtract %a, %m : f32[3, 4]", "%s"
    ),
    "minus the sum of all": loop(
        "%x", "%m = sum %a {axis = (0, 1), keepdim = true} : f32[1, 1]\n%s = subtract %a, %m : f32[3, 4]", "%s"
    ),
    "a running sum": loop("%x", "%s = cumsum %a {axis = 0, reverse = false} : f32[3, 4]", "%s"),
    "a running sum backwards, along rows": loop("%x", "%s = cumsum %a {axis = 1, reverse = true} : f32[3, 4]", "%s"),
    "a branch on the iteration": loop(
        "%x, %y",
        """%one = constant {data = dense<i64[], 1>} : i64[]
        %t = equal %i, %one : bool[]
        %u, %v = if %t : f32[3, 4], f32[3, 4] {
          yield %b, %a
        } else {
          %s = add %a, %b : f32[3, 4]
          yield %s, %s
        }""",
        "%u, %v",
        names="%a, %b",
    ),
    "a branch that keeps one": loop(
        "%x, %y",
        """%one = constant {data = dense<i64[], 1>} : i64[]
        %t = equal %i, %one : bool[]
        %u = if %t : f32[3, 4] {
          yield %a
        } else {
          %s = tanh %b : f32[3, 4]
          yield %s
        }
        %w = add %u, %a : f32[3, 4]""",
        "%u, %w",
        names="%a, %b",
    ),
    "a loop in the loop": loop(
        "%x, %y",
        """%u, %v = for %n, %a, %b : f32[3, 4], f32[3, 4] (%j: i64[], %c: f32[3, 4], %d: f32[3, 4]) {
          %s = tanh %d : f32[3, 4]
          yield %s, %c
        }
        %w = add %u, %a : f32[3, 4]""",
        "%w, %v",
        names="%a, %b",
    ),
    "the outer value swapped in an inner loop": loop(
        "%x, %y",
        """%u, %v = for %i, %a, %b : f32[3, 4], f32[3, 4] (%j: i64[], %c: f32[3, 4], %d: f32[3, 4]) {
          yield %d, %c
        }""",
        "%v, %u",
        names="%a, %b",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.parametrize("iterations", [0, 1, 4])
def test_carried_values(name: str, iterations: int) -> None:
    check(LOOPS[name], M34, M34[::-1].copy() * 2, np.int64(iterations), calls=2)


STATES: dict[str, tuple[str, Sequence[Any]]] = {
    "a swap": ("", ["%q", "%p"]),
    "the old one kept": ("%a = add %p, %x : f32[3]", ["%a", "%p"]),
    "the old one kept, the other way": ("%a = add %p, %x : f32[3]", ["%q", "%a"]),
    "each from both": ("%a = add %p, %q : f32[3]\n%b = subtract %p, %q : f32[3]", ["%a", "%b"]),
    "each from both, crosswise": ("%a = tanh %p : f32[3]\n%b = sin %q : f32[3]", ["%b", "%a"]),
    "one value for both": ("%a = add %p, %q : f32[3]", ["%a", "%a"]),
    "itself": ("", ["%p", "%q"]),
    "a feed": ("", ["%x", "%x"]),
    "a constant": ("%a = full {dtype = f32, fill_value = 2.5, shape = (3)} : f32[3]", ["%a", "%p"]),
    "an array": ("%a = constant {data = dense<f32[3], [1.0, 2.0, 4.0]>} : f32[3]", ["%q", "%a"]),
    "a view of the other": (
        "%a = tanh %p : f32[3]\n%b = reshape %p {shape = (3, 1)} : f32[3, 1]\n%c = reshape %b {shape = (3)} : f32[3]",
        ["%a", "%c"],
    ),
    "upside down": ("%a = flip %p {axis = (0)} : f32[3]\n%b = flip %q {axis = (0)} : f32[3]", ["%b", "%a"]),
    "a branch": (
        "%a, %b = if %t : f32[3], f32[3] {\n yield %q, %p\n } else {\n %c = tanh %q : f32[3]\n yield %c, %q\n }",
        ["%a", "%b"],
    ),
    "a loop": (
        "%a, %b = for %n, %p, %q : f32[3], f32[3] (%i: i64[], %c: f32[3], %d: f32[3]) {\n yield %d, %c\n }",
        ["%b", "%a"],
    ),
    "read again after its next value is made": (
        "%a = sin %p : f32[3]\n%m = max %a {axis = (0), keepdim = true} : f32[1]\n%b = multiply %p, %m : f32[3]",
        ["%a", "%b"],
    ),
}


@pytest.mark.parametrize("fetch", ["%p", "%q", "%x", "%a"])
@pytest.mark.parametrize("name", STATES)
def test_state(name: str, fetch: str) -> None:
    body, (first, second) = STATES[name]
    if fetch == "%a" and "%a" not in body:
        pytest.skip("there is no %a")
    text = f"""program @f(%x: f32[3], %t: bool[], %n: i64[])
        state(%p: f32[3] parameter, %q: f32[3] moment) -> (f32[3], f32[3]) {{
      {body}
      update %p, {first}
      update %q, {second}
      return {fetch}, %p
    }}"""
    check(text, N3, np.bool_(True), np.int64(3), state=[N3 + 1, 0.5 - N3], calls=3)
    check(text, N3, np.bool_(False), np.int64(2), state=[N3 + 1, 0.5 - N3], calls=3)


def test_updates_of_the_middle_of_a_state() -> None:
    check(
        """program @f(%x: f32[4], %k: i64[]) state(%p: f32[3, 4] parameter) -> f32[4] {
          %q = select_update %p, %x, %k {axis = 0} : f32[3, 4]
          %one = constant {data = dense<i64[], 1>} : i64[]
          %a = slice %p {sizes = (1, 4), starts = (1, 0), strides = (1, 1)} : f32[1, 4]
          %b = reshape %a {shape = (4)} : f32[4]
          update %p, %q
          return %b
        }""",
        N3.repeat(2)[:4].copy(), np.int64(1), state=[M34],
    )  # fmt: skip


def test_an_update_of_the_middle_with_a_piece_of_the_same() -> None:
    for row in (0, 1, 2):
        check(
            f"""program @f(%k: i64[]) state(%p: f32[3, 4] parameter) {{
              %a = slice %p {{sizes = (1, 4), starts = ({row}, 0), strides = (1, 1)}} : f32[1, 4]
              %b = reshape %a {{shape = (4)}} : f32[4]
              %q = select_update %p, %b, %k {{axis = 0}} : f32[3, 4]
              update %p, %q
              return
            }}""",
            np.int64(1), state=[M34],
        )  # fmt: skip


def test_a_scatter_of_its_own_rows() -> None:
    check(
        """program @f(%k: i64[3], %n: i64[]) state(%p: f32[3, 4] parameter) {
          %r = for %n, %p : f32[3, 4] (%i: i64[], %a: f32[3, 4]) {
            %v = reshape %a {shape = (3, 4)} : f32[3, 4]
            %q = scatter_add %a, %k, %v {axis = 0} : f32[3, 4]
            yield %q
          }
          update %p, %r
          return
        }""",
        np.array([1, 2, 0]), TURNS, state=[M34],
    )  # fmt: skip


FETCHES = {
    "a feed": "return %x, %x",
    "a state": "return %p, %p",
    "one value twice": "%a = tanh %x : f32[3]\nreturn %a, %a",
    "a value and what is made of it": "%a = tanh %x : f32[3]\n%b = tanh %a : f32[3]\nreturn %b, %a",
    "a constant": "%c = constant {data = dense<f32[3], [1.0, 2.0, 3.0]>} : f32[3]\nreturn %c, %c",
    "something free": "%c = full {dtype = f32, fill_value = 0.5, shape = (3)} : f32[3]\nreturn %c, %c",
    "views": "%a = reshape %x {shape = (3, 1)} : f32[3, 1]\n%b = reshape %a {shape = (3)} : f32[3]\nreturn %b, %x",
    "the new value of a state": "%a = add %p, %x : f32[3]\nupdate %p, %a\nreturn %a, %p",
    "a branch": "%a = if %t : f32[3] {\n yield %x\n } else {\n yield %p\n }\nreturn %a, %a",
}


@pytest.mark.parametrize("name", FETCHES)
def test_fetches(name: str) -> None:
    text = f"program @f(%x: f32[3], %t: bool[]) state(%p: f32[3] parameter) -> (f32[3], f32[3]) {{\n{FETCHES[name]}\n}}"
    made = check(text, N3, np.bool_(True), state=[N3 - 7])
    one, two = made["default"].run([N3, np.bool_(False)], [N3 - 7])
    assert not np.shares_memory(one, two), "each fetch is an array of its own"
    assert not np.shares_memory(one, N3)


def test_a_fetch_is_not_changed_by_the_next_call() -> None:
    text = "program @f(%x: f32[30000]) -> f32[30000] {\n%a = neg %x : f32[30000]\nreturn %a\n}"
    x = np.ones(30000, np.float32)
    run = check(text, x)["default"].run
    kept = [run([x * k])[0] for k in range(20)]
    views = [run([x * k])[0][5:9] for k in range(20)]
    for k in range(20):
        assert (kept[k] == -k).all()
        assert (views[k] == -k).all()


@pytest.mark.parametrize("dtype", ["i32", "i64", "u8", "i8"])
@pytest.mark.parametrize("shape", ["", "1"])
def test_the_count_of_a_loop_is_any_integer(dtype: str, shape: str) -> None:
    text = f"""program @f(%x: f32[3], %n: {dtype}[{shape}]) -> f32[3] {{
      %r = for %n, %x : f32[3] (%i: i64[], %a: f32[3]) {{
        %s = add %a, %a : f32[3]
        yield %s
      }}
      return %r
    }}"""
    kind = {"i32": np.int32, "i64": np.int64, "u8": np.uint8, "i8": np.int8}[dtype]
    for count in (0, 3):
        check(text, N3, np.full([1] if shape else [], count, kind))


def test_a_negative_count_is_no_iteration() -> None:
    check(LOOPS["a swap with a change"], M34, M34 + 1, np.int64(-2))


WHILE = """program @f(%x: f32[3], %y: f32[3], %limit: f32[]) -> (f32[3], f32[3], i64[]) {
  %zero = constant {data = dense<i64[], 0>} : i64[]
  %a, %b, %k = while %x, %y, %zero : f32[3], f32[3], i64[] (%u: f32[3], %v: f32[3], %j: i64[]) {
    %s = sum %u {axis = (0), keepdim = false} : f32[]
    %c = less_than %s, %limit : bool[]
    yield %c
  } do (%p: f32[3], %q: f32[3], %l: i64[]) {
    %one = constant {data = dense<i64[], 1>} : i64[]
    %m = add %l, %one : i64[]
    %t = add %p, %q : f32[3]
    yield %t, %p, %m
  }
  return %a, %b, %k
}"""


@pytest.mark.parametrize("limit", [-1e9, 10.0, 1000.0])
def test_while(limit: float) -> None:
    check(WHILE, N3, N3 + 1, np.float32(limit))


def test_a_condition_that_is_a_carried_flag() -> None:
    check(
        """program @f(%x: f32[3], %t: bool[1]) -> (f32[3], bool[1]) {
          %a, %b = while %x, %t : f32[3], bool[1] (%u: f32[3], %v: bool[1]) {
            yield %v
          } do (%p: f32[3], %q: bool[1]) {
            %c = constant {data = dense<f32[3], 100.0>} : f32[3]
            %s = add %p, %p : f32[3]
            %d = less_than %s, %c : bool[3]
            %e = all %d {axis = (0), keepdim = true} : bool[1]
            yield %s, %e
          }
          return %a, %b
        }""",
        N3, np.array([True]),
    )  # fmt: skip


LISTS = """program @f(%x: f32[3], %n: i64[], %m: i64[]) -> (f32[3], f32[3]) {
  %none = list_new {element = f32[3]} : list<f32[3]>
  %full, %last = for %n, %none, %x : list<f32[3]>, f32[3] (%i: i64[], %items: list<f32[3]>, %a: f32[3]) {
    %more = list_push %items, %a : list<f32[3]>
    %b = sin %a : f32[3]
    yield %more, %b
  }
  %rest, %total = for %m, %full, %last : list<f32[3]>, f32[3] (%j: i64[], %left: list<f32[3]>, %c: f32[3]) {
    %less, %top = list_pop %left : list<f32[3]>, f32[3]
    %d = add %top, %c : f32[3]
    yield %less, %d
  }
  return %total, %last
}"""


@pytest.mark.parametrize("iterations", [0, 1, 5])
def test_lists(iterations: int) -> None:
    check(LISTS, N3, np.int64(iterations), np.int64(iterations))
    check(LISTS, N3, np.int64(iterations), np.int64(iterations // 2))


ZERO_SIZES = """program @f(%x: f32[N, 4], %ids: i64[N], %n: i64[])
    state(%p: f32[N, 4] other) -> (f32[4], f32[N], f32[N, N], f32[N, 4], f32[N, 8]) {
  %s = sum %x {axis = (0), keepdim = false} : f32[4]
  %t = sum %x {axis = (1), keepdim = false} : f32[N]
  %m = matmul %x, %p {transpose_x = false, transpose_y = true} : f32[N, N]
  %g = gather %x, %ids {axis = 0} : f32[N, 4]
  %r = for %n, %g : f32[N, 4] (%i: i64[], %a: f32[N, 4]) {
    %b = tanh %a : f32[N, 4]
    yield %b
  }
  %c = concat %x, %r {axis = 1} : f32[N, 8]
  update %p, %r
  return %s, %t, %m, %r, %c
}"""


@pytest.mark.parametrize("n", [0, 1, 5])
def test_sizes_down_to_zero(n: int) -> None:
    x = np.linspace(-1, 1, 4 * n, dtype=np.float32).reshape(n, 4)
    check(ZERO_SIZES, x, np.arange(n)[::-1].copy(), TURNS, state=[x + 1])


def test_a_product_over_nothing_is_zero() -> None:
    text = """program @f(%x: f32[2, N], %y: f32[N, 3]) -> f32[2, 3] {
      %m = matmul %x, %y {transpose_x = false, transpose_y = false} : f32[2, 3]
      return %m
    }"""
    check(text, np.zeros((2, 0), np.float32), np.zeros((0, 3), np.float32))


def test_a_chain_in_a_loop_needs_no_copies() -> None:
    made = check(LOOPS["softmax of itself"], M34, M34, TURNS)["default"]
    assert sum(isinstance(s, CopyStep) for s in made.steps.steps) <= 2, "into the loop and out of it"


def test_kernels_have_the_same_text_whenever_a_program_is_lowered() -> None:
    """The cache is named by the text: sets of values, whose order changes from process to process, must not show."""

    def texts(junk: int) -> list[str]:
        held = [object() for _ in range(junk)]  # values get other addresses
        program, builder = new_program("f")
        values = [program.add_feed(f"x{k}", TensorType(dt.float32, (4, 4))) for k in range(9)]
        with builder.active():
            made = [
                OPS["add"](OPS["matmul"](a, b), OPS["tanh"](OPS["matmul"](b, a))) for a, b in pairwise(values) if held
            ]
            made = [OPS["matmul"](m, values[0]) for m in made]
        builder.return_(made)
        PassManager(default_pipeline()).run(program)
        steps = linearise(program)
        run_schedule(steps)
        return [s.kernel.source.identity for s in steps.steps if isinstance(s, KernelStep)]

    first = texts(1)
    assert all(texts(k) == first for k in range(1, 20))


def test_a_fetched_array_of_equal_numbers_is_written_where_it_is_fetched() -> None:
    made = check("""program @f(%x: f32[2]) -> (f32[300, 5], f32[7], f32[300, 5]) {
      %a = full {dtype = f32, fill_value = 0.0, shape = (300, 5)} : f32[300, 5]
      %b = full {dtype = f32, fill_value = 3.0, shape = (7)} : f32[7]
      return %a, %b, %a
    }""", np.ones(2, np.float32))["default"]  # fmt: skip
    assert not any(isinstance(step, CopyStep) for step in made.steps.steps)

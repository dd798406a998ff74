"""Arrays that grow in loops, in lists of the VM: every way to append, cut, read and write, and whose memory is whose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import AxisError, ShapeError
from vitrify.runtime.allocations import allocations
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.schedule.program_steps import HostCallStep, InterpretedStep, RowStep

from .checks import PIPELINES, check, program

X = np.arange(4, dtype=np.float32) - 1.5
START = "%none = full {dtype = f32, fill_value = 0.0, shape = (0, 4)} : f32[0, 4]"
ROW = "%row = reshape %c {shape = (1, 4)} : f32[1, 4]"


def loop(body: str, yields: str = "%more", *, after: str = "", results: str = "%xs: f32[u2, 4]", head: str = "") -> str:
    """A loop of %n turns that carries %c, twice itself each turn, and the rows %a; `%last` and `%xs` come out."""
    names, kinds = zip(*(part.split(": ") for part in results.split("; ")), strict=True)
    return f"""program @f(%x: f32[4], %n: i64[]) -> (f32[4], {", ".join(kinds)}) {{
      {START}
      {head}
      %last, %xs = for %n, %x, %none : f32[4], f32[u2, 4] (%i: i64[], %c: f32[4], %a: f32[u0, 4]) {{
        %double = add %c, %c : f32[4]
        {ROW}
        {body}
        yield %double, {yields}
      }}
      {after}
      return %last, {", ".join(names)}
    }}"""


PUSH = "%more = concat %a, %row {axis = 0} : f32[u0+1, 4]"
PUSHED_BY_BRANCH = """
        %two = constant {data = dense<i64[], 2>} : i64[]
        %late = greater_than %i, %two : bool[]
        %more = if %late : f32[u1, 4] {
          %longer = concat %a, %row {axis = 0} : f32[u0+1, 4]
          yield %longer
        } else {
          yield %a
        }"""
READ = """
        %at = constant {data = dense<i64[], -1>} : i64[]
        %end = select %more, %at {axis = 0} : f32[4]"""
BETWEEN = """
        %start = constant {data = dense<i64[], START>} : i64[]
        %stop = constant {data = dense<i64[], STOP>} : i64[]
        %part = slice_between %more, %start, %stop {axis = 0, defines = (u20), step = 1} : f32[u20, 4]
        %most = concat %part, %row, %row {axis = 0} : f32[u20+2, 4]"""
CASES = {
    "appended": loop(PUSH),
    "twice in a turn": loop(PUSH + "\n%most = concat %more, %row, %row {axis = 0} : f32[u0+3, 4]", "%most"),
    "in front": loop("%more = concat %row, %a {axis = 0} : f32[u0+1, 4]"),
    "to itself": loop(PUSH + "\n%most = concat %more, %more {axis = 0} : f32[2*u0+2, 4]", "%most"),
    "in one branch": loop(PUSHED_BY_BRANCH),
    "kept beside": loop(
        PUSH, after="%again = concat %xs, %xs {axis = 0} : f32[2*u2, 4]", results="%xs: f32[u2, 4]; %again: f32[2*u2, 4]"
    ),
    "cut after": loop(
        PUSH + """
        %most = concat %more, %row {axis = 0} : f32[u0+2, 4]
        %less = slice %most {sizes = (u0+1, 4), starts = (0, 0), strides = (1, 1)} : f32[u0+1, 4]""", "%less"
    ),
    "popped": loop(
        PUSH + BETWEEN.replace("START", str(-(2**63))).replace("STOP", "-1"), "%most"
    ),
    "the last three": loop(
        PUSH + BETWEEN.replace("START", "-3").replace("STOP", str(2**63 - 1)), "%part"
    ),
    "between, beside": loop(
        PUSH + BETWEEN.replace("START", "1").replace("STOP", "3") + "\n%all = concat %more, %part {axis = 0} : f32[u0+u20+1, 4]", "%all"
    ),
    "cut in front": loop(
        PUSH + """
        %most = concat %more, %row {axis = 0} : f32[u0+2, 4]
        %less = slice %most {sizes = (u0+1, 4), starts = (1, 0), strides = (1, 1)} : f32[u0+1, 4]""", "%less"
    ),
    "old beside new": loop(
        PUSH + """
        %old = slice %more {sizes = (u0, 4), starts = (1, 0), strides = (1, 1)} : f32[u0, 4]
        %most = concat %a, %old, %row {axis = 0} : f32[2*u0+1, 4]""", "%most"
    ),
    "last written": loop(
        PUSH + "%at = constant {data = dense<i64[], -1>} : i64[]\n"
        "%set = select_update %more, %double, %at {axis = 0} : f32[u0+1, 4]", "%set"
    ),
    "last added to": loop(
        PUSH + "%at = constant {data = dense<i64[], -1>} : i64[]\n"
        "%set = select_add %more, %double, %at {axis = 0} : f32[u0+1, 4]", "%set"
    ),
    "written beside": loop(
        PUSH + """
        %at = constant {data = dense<i64[], 0>} : i64[]
        %set = select_update %more, %double, %at {axis = 0} : f32[u0+1, 4]
        %both = concat %set, %more {axis = 0} : f32[2*u0+2, 4]""", "%both"
    ),
    "filled": loop(
        PUSH + """
        %ones = full {dtype = f32, fill_value = 1.0, shape = (u0+2, 4)} : f32[u0+2, 4]
        %spread = broadcast_to %row {shape = (u0+1, 4)} : f32[u0+1, 4]
        %both = concat %more, %ones, %spread {axis = 0} : f32[3*u0+4, 4]""", "%both"
    ),
    "reshaped": loop(
        PUSH + """
        %flat = reshape %more {shape = (4*u0+4)} : f32[4*u0+4]
        %back = reshape %flat {shape = (u0+1, 4)} : f32[u0+1, 4]""", "%back"
    ),
    "counted": loop(
        PUSH + """
        %size = dim_value {dim = u0+1} : i64[]
        %number = cast %size {dtype = f32} : f32[]
        %numbers = broadcast_to %number {shape = (1, 4)} : f32[1, 4]
        %most = concat %more, %numbers {axis = 0} : f32[u0+2, 4]""", "%most"
    ),
}  # fmt: skip
ALONE = frozenset(
    {"to itself", "old beside new", "written beside", "filled", "between, beside"}
)  # 2 ** n rows: fewer turns


@pytest.mark.parametrize("name", CASES)
def test_steps_of_the_vm_equal_the_interpreter(name: str) -> None:
    text = CASES[name]
    for turns in (0, 1, 4 if name in ALONE else 9):
        for executable in check(text, X, np.int64(turns), calls=2, pipelines=["default"]).values():
            steps = executable.steps.steps
            assert any(isinstance(s, RowStep) for s in steps)
            assert not any(isinstance(s, (InterpretedStep, HostCallStep)) for s in steps), name


SWAPPED = f"""program @f(%x: f32[4], %n: i64[]) -> (f32[u4, 4], f32[u5, 4]) {{
  {START}
  %a, %b, %z = for %n, %none, %none, %x : f32[u4, 4], f32[u5, 4], f32[4]
      (%i: i64[], %p: f32[u0, 4], %q: f32[u1, 4], %c: f32[4]) {{
    {ROW}
    %double = add %c, %c : f32[4]
    %more = concat %p, %row {{axis = 0}} : f32[u0+1, 4]
    yield %q, %more, %double
  }}
  return %a, %b
}}"""
NESTED = f"""program @f(%x: f32[4], %n: i64[]) -> f32[u6, 4] {{
  {START}
  %xs = for %n, %none : f32[u6, 4] (%i: i64[], %a: f32[u0, 4]) {{
    %inner = for %i, %none : f32[u3, 4] (%j: i64[], %b: f32[u1, 4]) {{
      %row = reshape %x {{shape = (1, 4)}} : f32[1, 4]
      %more = concat %b, %row {{axis = 0}} : f32[u1+1, 4]
      yield %more
    }}
    %both = concat %a, %inner {{axis = 0}} : f32[u0+u3, 4]
    yield %both
  }}
  return %xs
}}"""
WITH_A_STEP_OF_THE_HOST = f"""program @f(%x: f32[4], %n: i64[]) -> (f32[u6, 4], f32[]) {{
  {START}
  %zero = constant {{data = dense<f32[], 0.0>}} : f32[]
  %xs, %sum = for %n, %none, %zero : f32[u6, 4], f32[] (%i: i64[], %a: f32[u0, 4], %s: f32[]) {{
    %row = reshape %x {{shape = (1, 4)}} : f32[1, 4]
    %more = concat %a, %row {{axis = 0}} : f32[u0+1, 4]
    %all = sum %more {{axis = (0, 1), keepdim = false}} : f32[]
    %ones = full {{dtype = f32, fill_value = 1.0, shape = (u0, u0)}} : f32[u0, u0]
    %count = sum %ones {{axis = (0, 1), keepdim = false}} : f32[]
    %both = add %all, %count : f32[]
    %next = add %s, %both : f32[]
    yield %more, %next
  }}
  return %xs, %sum
}}"""


@pytest.mark.parametrize(
    "text", [SWAPPED, NESTED, WITH_A_STEP_OF_THE_HOST], ids=["swapped", "nested", "with a host step"]
)
def test_loops_that_carry_lists(text: str) -> None:
    for turns in (0, 1, 5):
        for executable in check(text, X, np.int64(turns), pipelines=["fused"]).values():
            assert not any(isinstance(s, InterpretedStep) and s.operation.blocks for s in executable.steps.steps)


FIXED = """%fixed = for %n, %none : f32[u21, 4] (%k: i64[], %g: f32[u20, 4]) {
          %one = reshape %x {shape = (1, 4)} : f32[1, 4]
          %grown = concat %g, %one {axis = 0} : f32[u20+1, 4]
          yield %grown
        }"""


def test_an_outside_list_is_as_it_was_in_each_turn() -> None:
    text = loop(PUSH + "\n%other = concat %fixed, %more {axis = 0} : f32[u0+u21+1, 4]", "%other", head=FIXED)
    for turns in (0, 1, 4):
        check(text, X, np.int64(turns), pipelines=["fused"])


def compiled(text: str) -> Any:
    return compile_program(program(text), passes=PIPELINES["default"])


def test_a_row_that_is_not_there_has_its_line() -> None:
    text = loop(
        PUSH, after="%at = constant {data = dense<i64[], 2>} : i64[]\n%third = select %xs, %at {axis = 0} : f32[4]",
        results="%third: f32[4]",
    )  # fmt: skip
    executable = compiled(text)
    for turns in (1, 3, 2, 4):
        if turns > 2:
            assert executable.run([X, np.int64(turns)])[1].tolist() == (X * 4).tolist()
        else:
            with pytest.raises(AxisError, match=f"index 2 is outside .* {turns}"):
                executable.run([X, np.int64(turns)])


def test_rows_that_must_be_as_many_as_another_size() -> None:
    text = loop(PUSH, after="%four = reshape %xs {shape = (u2, 2, 2)} : f32[u2, 2, 2]", results="%four: f32[u2, 2, 2]")
    assert compiled(text).run([X, np.int64(3)])[1].shape == (3, 2, 2)
    as_many = "%four = reshape %xs {shape = (u21+1, 4)} : f32[u21+1, 4]"
    wrong = loop(PUSH, after=as_many, results="%four: f32[u21+1, 4]", head=FIXED)
    with pytest.raises(ShapeError, match=r"the array has 3 rows where f32\[u21\+1, 4\] is expected"):
        compiled(wrong).run([X, np.int64(3)])


def test_memory_of_lists_is_used_again_or_given_back() -> None:
    executable = compiled(CASES["appended"])
    executable.run([X, np.int64(50)])
    held = allocations().lists
    for _ in range(100):
        assert executable.run([X, np.int64(50)])[1].shape == (50, 4)
    assert allocations().lists == held > 0
    executable.run([X, np.int64(100_000)])
    assert allocations().lists < held + (1 << 20)


@pytest.mark.parametrize("place", [3, -4, 2**60, 2**61, 2**62, -(2**61), -(2**63)])
def test_places_that_wrap_around_in_bytes_are_out_of_range(place: int) -> None:
    """2**61 rows of eight bytes are 0 bytes modulo 2**64."""

    def item(x: Any, n: Any, place: Any) -> Any:
        items = []
        for i in range(n):
            items.append(x * i)
        return items[place]

    compiled = vt.to_static(item)
    given = vt.ones([2]), vt.to_tensor(3)
    assert compiled(*given, vt.to_tensor(2)).tolist() == [2.0, 2.0]
    with pytest.raises(IndexError):
        compiled(*given, vt.to_tensor(place))
    assert compiled(*given, vt.to_tensor(-3)).tolist() == [0.0, 0.0]


def test_sizes_that_are_taken_to_be_equal_tell_nothing_of_other_arrays() -> None:
    """An array of no rows plus one of a single row has none; the one row stays one."""

    def joined(x: Any, m: Any) -> Any:
        a, b = x[m], (x * 2)[m]
        c = b[1:] + a
        return b, c[1:] if c.sum() > 0 else a

    compiled = vt.to_static(joined)
    x = vt.arange(4.0)
    with pytest.raises(ShapeError, match="only a run knows"):
        compiled(x, x == 2)
    assert [y.tolist() for y in compiled(x, x > 9)] == [y.tolist() for y in joined(x, x > 9)] == [[], []]

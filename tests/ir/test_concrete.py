"""Programs from texts whose claims about sizes don't hold: refused before native code reads beyond the memory."""

from __future__ import annotations

import numpy as np
import pytest

from vitrify.base.errors import GuardError, VerifyError
from vitrify.ir.concrete import check_concrete
from vitrify.ir.parser import parse_program
from vitrify.ir.verifier import verify
from vitrify.ops.dims import at_least
from vitrify.ops.op import NONDIFFERENTIABLE, OPS, row
from vitrify.ops.types import TensorType
from vitrify.runtime.compiler import compile_program

CLAIMS = {
    "a slice that leaves the axis": (
        "slice %x {sizes = (4, N), starts = (0, 0), strides = (1, 32)} : f32[4, N]",
        "has no 3 elements from 0 by 32",
    ),
    "a slice that ends one element behind the axis": (
        "slice %x {sizes = (4, N), starts = (0, 1), strides = (1, 1)} : f32[4, N]",
        "has no 3 elements from 1 by 1",
    ),
    "a slice that begins one element before its end in steps backwards": (
        "slice %x {sizes = (4, N), starts = (0, 1), strides = (1, -1)} : f32[4, N]",
        "has no 3 elements from 1 by -1",
    ),
    "a broadcast of sizes that differ": ("where %t, %b, %y : f32[4, 4]", "don't broadcast"),
    "a reshape to other elements": ("reshape %y {shape = (4, N)} : f32[4, N]", "reshape"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_that_does_not_hold_is_refused(name: str) -> None:
    line, reason = CLAIMS[name]
    head = f"program @f(%x: f32[4, N], %y: f32[4, M], %b: f32[4], %t: bool[]) -> {line.rpartition(': ')[2]} {{"
    program = parse_program(f"{head}\n  %0 = {line}\n  return %0\n}}\n")
    verify(program)  # for some sizes it may hold
    executable = compile_program(program)
    arrays = [np.ones((4, 3), np.float32), np.ones((4, 2), np.float32), np.ones(4, np.float32), np.array(True)]
    with pytest.raises(GuardError, match=reason) as caught:
        executable.run(arrays)
    assert "doesn't hold for N=3, M=2" in str(caught.value)


PLACES = {
    "a loop": """%n = constant {{data = dense<i64[], 1>}} : i64[]
  %r = for %n, %z : {kind} (%i: i64[], %a: {kind}) {{
    %0 = {line}
    yield %0
  }}""",
    "a branch": """%r = if %t : {kind} {{
    %0 = {line}
    yield %0
  }} else {{
    yield %z
  }}""",
    "the other branch": """%r = if %t : {kind} {{
    yield %z
  }} else {{
    %0 = {line}
    yield %0
  }}""",
    "a branch in a loop": """%n = constant {{data = dense<i64[], 1>}} : i64[]
  %r = for %n, %z : {kind} (%i: i64[], %a: {kind}) {{
    %b0 = if %t : {kind} {{
      %0 = {line}
      yield %0
    }} else {{
      yield %a
    }}
    yield %b0
  }}""",
    "a while": """%r = while %z : {kind} (%a: {kind}) {{
    yield %t
  }} do (%c: {kind}) {{
    %0 = {line}
    yield %0
  }}""",
    "a while's condition": """%r = while %z : {kind} (%a: {kind}) {{
    %0 = {line}
    %s = max %0 {{axis = (0, 1), keepdim = false}} : f32[]
    %p = less_than %s, %s : bool[]
    yield %p
  }} do (%c: {kind}) {{
    %d = neg %c : {kind}
    yield %d
  }}""",
    "a group": """%r = group %x, %y, %b, %t {{axes = none, domain = (4, 4), reason = ""}} : {kind} (%x: f32[4, N], %y: f32[4, M], %b: f32[4], %t: bool[]) {{
    %0 = {line}
    yield %0
  }}""",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_inside_a_block_is_checked_too(name: str, place: str) -> None:
    line, reason = CLAIMS[name]
    kind = line.rpartition(": ")[2]
    feeds = f"%x: f32[4, N], %y: f32[4, M], %b: f32[4], %t: bool[], %z: {kind}"
    body = PLACES[place].format(line=line, kind=kind)
    if place == "a group":
        body = body.replace("%x", "%g").replace("%y", "%h").replace("%b", "%i").replace("%t", "%j")
        head, _, rest = body.partition("(%g: ")
        body = head.replace("%g", "%x").replace("%h", "%y").replace("%i", "%b").replace("%j", "%t") + "(%g: " + rest
    program = parse_program(f"program @f({feeds}) -> {kind} {{\n  {body}\n  return %r\n}}\n")
    verify(program)
    sizes = {"N": 3, "M": 2}
    shape = [sizes.get(d.strip(), 4) for d in kind[4:-1].split(",")]
    arrays = [np.ones((4, 3), np.float32), np.ones((4, 2), np.float32), np.ones(4, np.float32), np.array(True)]
    with pytest.raises(GuardError, match=reason):
        compile_program(program).run([*arrays, np.ones(shape, np.float32)])


def test_what_a_group_says_of_its_loops_is_not_believed() -> None:
    text = """program @f(%x: f32[4]) -> f32[4] {
      %r = group %x {axes = none, domain = (4000000), reason = ""} : f32[4] (%a: f32[4]) {
        %0 = neg %a : f32[4]
        yield %0
      }
      return %r
    }"""
    program = parse_program(text)
    verify(program)
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(compile_program(program).run([x])[0], -x)


def test_an_element_of_a_list_of_another_shape_is_an_error() -> None:
    text = """program @f(%x: f32[4]) -> f32[4000] {
      %l = list_new {element = f32[4000]} : list<f32[4000]>
      %m = list_push %l, %x : list<f32[4000]>
      %o, %y = list_pop %m : list<f32[4000]>, f32[4000]
      return %y
    }"""
    with pytest.raises(GuardError, match=r"`list_push` is said to make list<f32\[4000\]>, but the value is f32\[4\]"):
        compile_program(parse_program(text)).run([np.ones(4, np.float32)])


def test_a_claim_that_holds_runs() -> None:
    program = parse_program(
        "program @f(%x: f32[N], %y: f32[M]) -> f32[N] {\n  %0 = add %x, %y : f32[N]\n  return %0\n}\n"
    )
    executable = compile_program(program)
    x = np.arange(3, dtype=np.float32)
    np.testing.assert_array_equal(executable.run([x, x])[0], x + x)
    check_concrete(program, {"N": 5, "M": 1})
    with pytest.raises(GuardError):
        check_concrete(program, {"N": 5, "M": 2})


def test_attributes_that_a_row_does_not_have() -> None:
    program = parse_program(
        "program @f(%x: f32[3]) -> f32[3] {\n  %0 = square %x {axis = 1} : f32[3]\n  return %0\n}\n"
    )
    with pytest.raises(VerifyError, match="`square` has no attribute 'axis'"):
        verify(program)


def test_the_second_result_of_an_op_is_compared_too() -> None:
    def infer(x: TensorType) -> tuple[TensorType, TensorType]:
        return x, TensorType(x.dtype, (2 * x.shape[0] if at_least(x.shape[0], 3) else x.shape[0],))

    row("second_by_size", "A test's.", "x", infer=infer, eager=lambda x: (x, x), vjp=NONDIFFERENTIABLE, public=False)
    try:
        text = (
            "program @main(%x: f32[N]) -> f32[2*N] {\n  %y, %z = second_by_size %x : f32[N], f32[2*N]\n  return %z\n}"
        )
        program = parse_program(text)
        verify(program)
        check_concrete(program, {"N": 3})
        with pytest.raises(GuardError, match="doesn't hold for N=2"):
            check_concrete(program, {"N": 2})
    finally:
        del OPS["second_by_size"]

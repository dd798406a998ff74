"""Which operations become one kernel, which must not, and that values and effects stay in order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from vitrify.ir.core import Operation, Program
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.verifier import verify
from vitrify.ir.walk import clone_program, walk
from vitrify.passes.algebra.cse import CommonSubexpressions
from vitrify.passes.fusion.fuse import MAX_OPERATIONS, Fuse
from vitrify.passes.fusion.rematerialise import RematerialiseIndices


def fused(body: str, feeds: str = "%x: f32[3, 4], %y: f32[3, 4]", returns: str = "%r") -> Program:
    """A program of this body, checked and fused; verified and evaluated before and after."""
    made = parse_program(f"program @f({feeds}) {{\n{body}\nreturn {returns}\n}}")
    verify(made)
    before = clone_program(made)
    Fuse().run(made)
    verify(made)
    rng = np.random.default_rng(0)
    sizes = {"N": 5, "M": 3}
    shapes = [[d if isinstance(d, int) else sizes[str(d)] for d in v.shape] for v in made.body.args]
    arrays = [
        np.asarray(rng.integers(0, 2, s) if not v.dtype.is_floating else rng.standard_normal(s)).astype(v.dtype.numpy)
        for v, s in zip(made.body.args, shapes, strict=True)
    ]
    for a, b in zip(interpret(before, arrays)[0], interpret(made, arrays)[0], strict=True):
        np.testing.assert_array_equal(a, b)
    return made


def groups(program: Program) -> list[set[str]]:
    """The names of the operations in each group, in order; constants aside."""
    found = [o for o in walk(program.body) if o.name == "group"]
    return [{i.name for i in o.blocks[0].operations[:-1]} - {"constant", "full"} for o in found]


def names(program: Program) -> list[str]:
    return [o.name for o in program.body.operations[:-1]]


SUM = "{axis = (1), keepdim = true}"
TOGETHER = {
    "a chain": (
        "%a = exp %x : f32[3, 4]\n%b = add %a, %y : f32[3, 4]\n%r = tanh %b : f32[3, 4]",
        {"exp", "add", "tanh"},
    ),
    "softmax": (
        f"""%m = max %x {SUM} : f32[3, 1]
        %d = subtract %x, %m : f32[3, 4]
        %e = exp %d : f32[3, 4]
        %z = sum %e {SUM} : f32[3, 1]
        %r = divide %e, %z : f32[3, 4]""",
        {"max", "subtract", "exp", "sum", "divide"},
    ),
    "a norm over rows": (
        f"""%m = mean %x {SUM} : f32[3, 1]
        %d = subtract %x, %m : f32[3, 4]
        %q = multiply %d, %d : f32[3, 4]
        %v = mean %q {SUM} : f32[3, 1]
        %s = rsqrt %v : f32[3, 1]
        %r = multiply %d, %s : f32[3, 4]""",
        {"mean", "subtract", "multiply", "rsqrt"},
    ),
    "a loss": (
        """%d = subtract %x, %y : f32[3, 4]
        %q = multiply %d, %d : f32[3, 4]
        %r = mean %q {axis = (0, 1), keepdim = false} : f32[]""",
        {"subtract", "multiply", "mean"},
    ),
    "a cheap producer at another index": (
        "%a = neg %x : f32[3, 4]\n%r = transpose %a {perm = (1, 0)} : f32[4, 3]",
        {"neg", "transpose"},
    ),
    "a row of numbers behind its reduction": (
        "%m = sum %x {axis = (1), keepdim = false} : f32[3]\n%r = tanh %m : f32[3]",
        {"sum", "tanh"},
    ),
    "a column of numbers behind its reduction": (
        "%m = sum %x {axis = (0), keepdim = false} : f32[4]\n%r = tanh %m : f32[4]",
        {"sum", "tanh"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TOGETHER)
def test_one_kernel(name: str) -> None:
    body, expected = TOGETHER[name]
    made = fused(body)
    assert names(made) == ["group"]
    assert groups(made) == [expected]
    assert made.body.operations[0].attrs["reason"], "a group says why it is one"


def test_readers_of_one_array_share_a_pass_over_it() -> None:
    made = fused("%a = exp %x : f32[3, 4]\n%b = tanh %x : f32[3, 4]", returns="%a, %b")
    assert groups(made) == [{"exp", "tanh"}]


def test_two_reductions_of_one_array_share_a_pass() -> None:
    made = fused(f"%a = sum %x {SUM} : f32[3, 1]\n%b = max %x {SUM} : f32[3, 1]", returns="%a, %b")
    assert groups(made) == [{"sum", "max"}]


APART = {
    "a product between them": """%a = exp %x : f32[3, 4]
        %p = matmul %a, %y {transpose_x = false, transpose_y = true} : f32[3, 3]
        %q = matmul %p, %x {transpose_x = false, transpose_y = false} : f32[3, 4]
        %r = add %a, %q : f32[3, 4]""",
    "a running sum between them": """%a = exp %x : f32[3, 4]
        %c = cumsum %a {axis = 0, reverse = false} : f32[3, 4]
        %r = add %a, %c : f32[3, 4]""",
    "a reduction of all before the rows": """%a = exp %x : f32[3, 4]
        %s = sum %a {axis = (0, 1), keepdim = true} : f32[1, 1]
        %r = multiply %a, %s : f32[3, 4]
        %t = sum %r {axis = (1), keepdim = false} : f32[3]""",
    "columns before the whole": """%a = exp %x : f32[3, 4]
        %s = sum %a {axis = (0), keepdim = true} : f32[1, 4]
        %r = multiply %a, %s : f32[3, 4]""",
    "rows, then columns": f"""%s = sum %x {SUM} : f32[3, 1]
        %d = subtract %x, %s : f32[3, 4]
        %r = sum %d {{axis = (0), keepdim = false}} : f32[4]""",
    "an expensive producer at many indices": """%e = sum %x {axis = (1), keepdim = false} : f32[3]
        %h = tanh %e : f32[3]
        %g = exp %h : f32[3]
        %k = reshape %g {shape = (3, 1)} : f32[3, 1]
        %b = broadcast_to %k {shape = (3, 4)} : f32[3, 4]
        %r = flip %b {axis = (0)} : f32[3, 4]""",
}  # fmt: skip


@pytest.mark.parametrize("name", APART)
def test_several_kernels(name: str) -> None:
    made = fused(APART[name])
    assert len([n for n in names(made) if n not in ("constant", "matmul", "reshape")]) > 1


def test_reductions_along_axes_of_one_element() -> None:
    """The result of such a reduction has its operand's shape: it is no row of it."""
    made = fused(
        f"%a = sum %x {SUM} : f32[3, 1]\n%b = max %a {SUM} : f32[3, 1]\n%r = exp %b : f32[3, 1]", "%x: f32[3, 1]"
    )
    assert not any({"sum", "max"} <= g for g in groups(made))


def test_symbolic_sizes() -> None:
    made = fused(
        f"%e = exp %x : f32[N, M]\n%z = sum %e {SUM} : f32[N, 1]\n%r = divide %e, %z : f32[N, M]", "%x: f32[N, M]"
    )
    assert groups(made) == [{"exp", "sum", "divide"}]


def test_sizes_that_may_differ_stay_apart() -> None:
    made = fused("%a = exp %x : f32[N]\n%b = exp %y : f32[M]", "%x: f32[N], %y: f32[M]", returns="%a, %b")
    assert groups(made) == []


ROLLED = """
%a = sqrt %x : f32[3, 4]
%b = multiply %a, %y : f32[3, 4]
%e = exp %b : f32[3, 4]
%c = tanh %e : f32[3, 4]
%l = roll %c {axis = (1), shifts = (1)} : f32[3, 4]
%r0 = roll %c {axis = (1), shifts = (-1)} : f32[3, 4]
%s = add %l, %r0 : f32[3, 4]
%u = roll %c {axis = (0), shifts = (1)} : f32[3, 4]
%r = add %s, %u : f32[3, 4]
"""


def test_what_is_read_at_several_places_is_computed_once() -> None:
    assert groups(fused(ROLLED)) == [{"sqrt", "multiply", "exp", "tanh"}, {"roll", "add"}]
    cheap = ROLLED.replace("exp", "abs").replace("sqrt", "abs").replace("tanh", "abs")
    assert groups(fused(cheap)) == [{"abs", "multiply", "roll", "add"}]


PICKED = """
%i = concat %p, %q {axis = 2} : i64[3, 4, 2]
%g = gather_nd %x, %i : f32[3, 4]
%h = gather_nd %y, %i : f32[3, 4]
%s = multiply %g, %h : f32[3, 4]
%l = roll %s {axis = (1), shifts = (1)} : f32[3, 4]
%m = roll %s {axis = (1), shifts = (-1)} : f32[3, 4]
%u = roll %s {axis = (0), shifts = (1)} : f32[3, 4]
%t = add %l, %m : f32[3, 4]
%r = add %t, %u : f32[3, 4]
"""


def picking(body: str) -> Program:
    feeds = "%x: f32[3, 4], %y: f32[3, 4], %p: i64[3, 4, 1], %q: i64[3, 4, 1]"
    program = parse_program(f"program @f({feeds}) {{\n{body}\nreturn %r\n}}")
    RematerialiseIndices().run(program)
    Fuse().run(program)
    CommonSubexpressions().run(program)
    verify(program)
    return program


def test_what_is_picked_is_not_picked_again_at_several_places() -> None:
    assert groups(picking(PICKED)) == [{"concat", "gather_nd", "multiply"}, {"roll", "add"}]
    once = PICKED.replace("%h = gather_nd %y, %i", "%h = abs %y").replace(
        "%u = roll %s {axis = (0), shifts = (1)}", "%u = abs %y"
    )
    assert groups(picking(once)) == [{"concat", "gather_nd", "abs", "multiply", "roll", "add"}]


@pytest.mark.parametrize("pick", ["take_along_axis %q, {}", "gather %t, {}"])
def test_indices_of_picked_elements_are_read_in_place(pick: str) -> None:
    """A walk from node to node, which needs its place for the next one and for the pick: one place, computed once."""
    axis = "axis = 1" if pick.startswith("take") else "axis = 0"
    steps = ["%n0 = minimum %p, %p : i64[3, 4]"]
    for k in range(6):
        steps.append(f"%f{k} = {pick.format(f'%n{k}')} {{{axis}}} : i64[3, 4]")
        steps.append(f"%s{k} = add %n{k}, %f{k} : i64[3, 4]")
        steps.append(f"%n{k + 1} = minimum %s{k}, %p : i64[3, 4]")
    made = fused("\n".join(steps), "%p: i64[3, 4], %q: i64[3, 4], %t: i64[4]", "%n6")
    assert groups(made) == [{"minimum", "add", pick.split()[0]}]


def test_each_reader_of_joined_indices_reads_the_pieces() -> None:
    """Two groups that can't be one: the second one reads a product of the first one's result."""
    program = picking(
        """%i = concat %p, %q {axis = 2} : i64[3, 4, 2]
        %g = gather_nd %x, %i : f32[3, 4]
        %a = abs %g : f32[3, 4]
        %b = matmul %a, %y {transpose_x = false, transpose_y = true} : f32[3, 3]
        %c = matmul %b, %a {transpose_x = false, transpose_y = false} : f32[3, 4]
        %h = gather_nd %c, %i : f32[3, 4]
        %r = abs %h : f32[3, 4]"""
    )
    assert groups(program) == [{"concat", "gather_nd", "abs"}] * 2
    assert "concat" not in names(program)


def test_joined_indices_that_no_kernel_reads_alone_stay_one() -> None:
    """Complex numbers are picked outside kernels."""
    program = parse_program(
        """program @f(%x: c64[3, 4], %y: c64[3, 4], %p: i64[3, 4, 1], %q: i64[3, 4, 1]) {
        %i = concat %p, %q {axis = 2} : i64[3, 4, 2]
        %g = gather_nd %x, %i : c64[3, 4]
        %h = gather_nd %y, %i : c64[3, 4]
        return %g, %h
        }"""
    )
    for step in (RematerialiseIndices(), Fuse(), CommonSubexpressions()):
        step.run(program)
    verify(program)
    assert names(program) == ["concat", "gather_nd", "gather_nd"]


def test_what_nobody_reads_is_dropped() -> None:
    made = fused("%a = exp %x : f32[3, 4]\n%b = tanh %a : f32[3, 4]\n%r = neg %y : f32[3, 4]")
    assert names(made) == ["neg"]
    assert not made.body.args[0].uses


def test_views_of_memory_are_no_kernels() -> None:
    made = fused(
        "%a = reshape %x {shape = (12)} : f32[12]\n%r = slice %a {sizes = (4), starts = (4), strides = (1)} : f32[4]"
    )
    assert groups(made) == []


def test_blocks_are_fused_too() -> None:
    made = fused(
        """%r = for %n, %x : f32[3, 4] (%i: i64[], %h: f32[3, 4]) {
          %a = exp %h : f32[3, 4]
          %b = tanh %a : f32[3, 4]
          yield %b
        }""",
        "%x: f32[3, 4], %n: i64[]",
    )
    assert groups(made) == [{"exp", "tanh"}]


def test_long_chains_are_cut() -> None:
    lines = ["%v0 = neg %x : f32[3, 4]"]
    lines += [f"%v{k} = sin %v{k - 1} : f32[3, 4]" for k in range(1, 3 * MAX_OPERATIONS)]
    made = fused("\n".join(lines), returns=f"%v{3 * MAX_OPERATIONS - 1}")
    sizes = [len(o.blocks[0].operations) - 1 for o in made.body.operations if o.name == "group"]
    assert sum(sizes) == 3 * MAX_OPERATIONS
    assert max(sizes) <= MAX_OPERATIONS


def test_groups_never_wait_for_each_other() -> None:
    """%a and %u are one group that needs %s by way of %m: then %s can't be one with %t, which needs %a by way of %v."""
    body = """%a = exp %x : f32[3, 4]
        %v = matmul %a, %w {transpose_x = false, transpose_y = false} : f32[3, 5]
        %s = tanh %y : f32[3, 5]
        %m = matmul %s, %w {transpose_x = false, transpose_y = true} : f32[3, 4]
        %u = add %a, %m : f32[3, 4]
        %t = add %s, %v : f32[3, 5]"""
    made = fused(body, "%x: f32[3, 4], %y: f32[3, 5], %w: f32[4, 5]", returns="%u, %t")
    assert len(groups(made)) == 1


def effects(program: Program) -> Iterator[Operation]:
    return (o for o in walk(program.body) if o.name in ("callback", "check"))


def test_effects_keep_their_order() -> None:
    made = parse_program("""program @f(%x: f32[3], %t: bool[]) -> f32[3] {
      %a = exp %x : f32[3]
      %b = callback %a {callee = "one", form = "array", gradient = none, outputs = (f32[3])} : f32[3]
      %c = tanh %a : f32[3]
      check %t {error = "ValueError", message = "two"}
      %d = add %c, %b : f32[3]
      %e = callback %c {callee = "three", form = "array", gradient = none, outputs = (f32[3])} : f32[3]
      %r = add %d, %e : f32[3]
      return %r
    }""")
    Fuse().run(made)
    verify(made)
    assert [o.attrs.get("callee", o.attrs.get("message")) for o in effects(made)] == ["one", "two", "three"]


def test_fusing_twice_changes_nothing() -> None:
    made = fused(TOGETHER["softmax"][0])
    text = str(made)
    Fuse().run(made)
    assert str(made) == text


COLUMNS = {
    "a column": "%c = slice %m {sizes = (64, 1), starts = (0, 3), strides = (1, 1)} : f32[64, 1]",
    "every other element": "%c = slice %m {sizes = (1, 64), starts = (0, 0), strides = (1, 2)} : f32[1, 64]",
    "picked elements": "%c = gather %v, %i {axis = 0} : f32[64]",
    "a column of the run's choice": "%c = select %m, %k {axis = 1} : f32[64]",
}
ARRAYS = "%x: f32[64, 64], %m: f32[64, 128], %v: f32[64], %i: i64[64], %k: i64[]"


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_that_every_row_reads_is_made_once(name: str) -> None:
    """Where it lies along the rows of what reads it; where it gives one number per row, it is read in place."""
    for shape, apart in (("64", True), ("64, 1", False)):
        read = f"%d = reshape %c {{shape = ({shape})}} : f32[{shape}]\n%r = multiply %x, %d : f32[64, 64]"
        found = groups(fused(f"{COLUMNS[name]}\n{read}", ARRAYS))
        assert any({"multiply", COLUMNS[name].split()[2]} <= group for group in found) != apart
    few = f"{COLUMNS[name]}\n%d = reshape %c {{shape = (64)}} : f32[64]\n%r = multiply %d, %v : f32[64]"
    assert any({"multiply", COLUMNS[name].split()[2]} <= group for group in groups(fused(few, ARRAYS)))


def test_a_column_of_any_length_beside_rows_of_a_known_one() -> None:
    body = "%c = slice %x {sizes = (N, 1), starts = (0, 0), strides = (1, 1)} : f32[N, 1]\n%r = multiply %c, %y : f32[N, 4]"
    assert names(fused(body, "%x: f32[N, 3], %y: f32[N, 4]"))


@pytest.mark.parametrize("number", ["%y", "3.0"])
def test_powers_that_every_row_reads_are_made_once(number: str) -> None:
    """A power by a number from a tensor is costly; one by three is two products, made where they are read."""
    exponent = number if number == "%y" else "%n"
    start = "" if number == "%y" else "%n = full {dtype = f32, fill_value = 3.0, shape = ()} : f32[]\n"
    made = fused(
        f"""{start}%p = pow %v, {exponent} : f32[100]
        %r = add %x, %p : f32[90, 100]""",
        "%x: f32[90, 100], %v: f32[100], %y: f32[100]",
    )
    assert groups(made) == ([] if number == "%y" else [{"pow", "add"}])


def test_pieces_of_costly_rows_are_read_from_memory() -> None:
    made = fused(
        """%e = exp %v : f32[101]
        %p = slice %e {sizes = (100), starts = (1), strides = (1)} : f32[100]
        %r = add %x, %p : f32[90, 100]""",
        "%x: f32[90, 100], %v: f32[101]",
    )
    assert all("exp" not in group or "add" not in group for group in groups(made))


def test_zeros_of_either_sign_in_one_kernel() -> None:
    body = """
      %a = full {dtype = f32, fill_value = 0.0, shape = ()} : f32[]
      %b = full {dtype = f32, fill_value = -0.0, shape = ()} : f32[]
      %c = greater_than %x, %y : bool[3, 4]
      %d = where %c, %a, %b : f32[3, 4]
      %e = where %c, %b, %x : f32[3, 4]
      %f = divide %x, %d : f32[3, 4]
      %r = divide %f, %e : f32[3, 4]
    """
    assert len(groups(fused(body))) == 1

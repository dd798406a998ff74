"""Text form: print and parse are inverse; bad text is a ParseError and nothing else."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vitrify.base import dtype as dt
from vitrify.base.errors import ArgumentError, ParseError, VerifyError
from vitrify.base.location import Loc
from vitrify.ir.builder import new_program
from vitrify.ir.core import Operation, Program
from vitrify.ir.diff import diff
from vitrify.ir.interpret import interpret
from vitrify.ir.lexer import tokens_of
from vitrify.ir.parser import parse_program
from vitrify.ir.printer import print_program
from vitrify.ir.verifier import verify
from vitrify.ir.walk import equal_programs
from vitrify.ops.create import ArrayData
from vitrify.ops.dims import Dim
from vitrify.ops.op import OPS
from vitrify.ops.types import ListType, TensorType
from vitrify.testing.programs import random_program

SEEDS = st.integers(0, 2**32)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_round_trip_of_random_programs(seed: int) -> None:
    program, feeds, state = random_program(seed, 12)
    text = print_program(program)
    back = parse_program(text)
    verify(back)
    assert equal_programs(program, back)
    assert print_program(back) == text
    before, after = interpret(program, feeds, state), interpret(back, feeds, state)
    for x, y in zip((*before[0], *before[1]), (*after[0], *after[1]), strict=True):
        np.testing.assert_array_equal(x, y, strict=True)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_large_constants_go_to_the_side_table(seed: int) -> None:
    program, _, _ = random_program(seed, 12)
    table: dict[str, ArrayData] = {}
    back = parse_program(print_program(program, constants=table), table)
    assert equal_programs(program, back)
    assert all(data.array.size > 16 for data in table.values())


def carrier(value: object) -> Program:
    """A program with one attribute of this value."""
    program, builder = new_program()
    builder.block.append(Operation(OPS["return"], [], {"a": value}, []))
    return program


DIMS = st.recursive(
    st.sampled_from(["N", "M", "batch"]).map(Dim.symbol) | st.integers(-3, 9),
    lambda inner: st.tuples(st.sampled_from("+-*/"), inner, inner).map(
        lambda t: (
            t[1] + t[2]
            if t[0] == "+"
            else t[1] - t[2]
            if t[0] == "-"
            else t[1] * t[2]
            if t[0] == "*"
            else t[1] // (t[2] if t[2] != 0 else 2)
        )
    ),
    max_leaves=6,
)
TENSORS = st.builds(TensorType, st.sampled_from(dt.ALL), st.lists(DIMS, max_size=3).map(tuple))
ARRAYS = st.builds(
    lambda dtype, shape, raw: ArrayData(
        np.frombuffer((raw * 99)[: dtype.itemsize * int(np.prod(shape))], dtype.numpy).reshape(shape)
    ),
    st.sampled_from([d for d in dt.ALL if not d.is_bool]),
    st.lists(st.integers(0, 3), max_size=2),
    st.binary(min_size=16, max_size=64),
)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text()
    | st.sampled_from(dt.ALL)
    | TENSORS
    | TENSORS.map(ListType)
    | DIMS
    | ARRAYS,
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(PLAIN)
def test_round_trip_of_attributes(value: object) -> None:
    program = carrier(value)
    text = print_program(program)
    back = parse_program(text)
    assert equal_programs(program, back), text
    assert print_program(back) == text


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=6), max_size=6), st.text(max_size=8))
def test_any_name_survives(hints: list[str], name: str) -> None:
    program, builder = new_program(name)
    kind = TensorType(dt.float32, (2,))
    for k, hint in enumerate(hints):
        if k % 2:
            program.add_state(f"{hint}.{k}", kind, "moment" if k % 3 else hint)
        else:
            program.add_feed(f"{k}{hint}", kind).hint = hint
    builder.return_(program.body.args)
    text = print_program(program)
    back = parse_program(text)
    assert equal_programs(program, back), text
    assert print_program(back) == text


def test_what_is_no_plain_data_is_refused() -> None:
    with pytest.raises(ArgumentError, match="can't be an attribute"):
        print_program(carrier(object()))


def test_locs_are_printed_on_request_and_ignored_when_read() -> None:
    program, _, _ = random_program(3)
    program.body.operations[0].loc = Loc("model.py", 31)
    text = print_program(program, locs=True)
    assert "  // model.py:31\n" in text
    assert "//" not in print_program(program).replace("//2", "")
    assert equal_programs(parse_program(text), program)


GOOD = """program @f(%x: f32[N, 4], %k: i64[]) state(%w: f32[4] parameter "a b") -> f32[N, 4] "out" where N-1 >= 0 {
  %0, %1 = for %k, %x : f32[N, 4], f32[] (%i: i64[], %h: f32[N, 4]) {
    %2 = add %h, %w : f32[2*N+(N+1)//2]
    yield %2
  }
  %3 = callback %0 {a = (1, -2.5, none, "s", f32, f32[max(N,3)], nan), b = dense<f32[2], [1.0, 0x3f800000]>} : f32[N, 4]
  return %3
}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected `program`, found the end"),
        ("program f() { return }", "expected a name like `@main`"),
        ("program @f() { return } x", "expected the end of the text"),
        ("program @f() {\n  return %x\n}", "`%x` isn't defined"),
        ("program @f(%x: f32[2], %x: f32[2]) { return }", "defined twice"),
        ("program @f(%x: q32[2]) { return }", "expected a type"),
        ("program @f(%x: list<f32[2]>) { return }", "can't be a list"),
        ("program @f(%x: f32[N//0]) { return }", "division by zero"),
        ("program @f() { retrun }", "did you mean return"),
        ("program @f() -> f32[] { return }", "declared are f32"),
        ("program @f() { %x = constant {data = @const0} : f32[] return %x }", "isn't in the table"),
        ("program @f() { %x = constant {data = dense<f32[3], [1.0]>} : f32[] return %x }", "3 elements, but 1"),
        ("program @f() { %x = constant {data = dense<u8[1], [256]>} : u8[1] return %x }", "outside uint8"),
        ("program @f() { return {a = 1, a = 2} }", "given twice"),
        ("program @f() where N >= 1 { return }", "compare with 0"),
        ("program @f() where 3 >= 0 { return }", "names a size"),
        ("program @f() { %x, %y = constant : f32[] }", "2 results are named, but 1"),
        ('program @f() { return {a = "\\x"} }', "not a string"),
        ("program @f() { return {a = ?} }", "unexpected character"),
        ("program @f() { if { %x = constant : f32[] yield } return %x }", "is defined in another block"),
        ("program @f() { return {a = " + "(" * 9000, "nested deeper"),
        ("program @f() " + "{ if " * 9000, "nested deeper"),
        ("program @f(%x: f32[" + "*".join(f"(A{k}+B)" for k in range(40)) + "])", "too large a dimension"),
        ("program @f(%x: f32[" + "*".join(["9" * 3999] * 9) + "])", "too large a dimension"),
        ("program @f(%x: f32[" + "1" * 9000, "a number of 9000 digits"),
        ("program @f() { return {a = dense<f32[99999999999], 0.0>} }", "too large an array"),
        ("program @f() { return {a = dense<f32[" + "1, " * 70 + "1], 0.0>} }", "no type of an array"),
    ],
)
def test_errors_of_the_parser(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_program(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith("line ")
    assert "^" in str(caught.value)


def test_the_caret_stands_below_the_fault() -> None:
    with pytest.raises(ParseError) as caught:
        parse_program("program @f(%x: f32[2]) {\n  %y = neg %z : f32[2]\n  return %y\n}")
    line, source, caret, *_ = str(caught.value).splitlines()
    assert line == "line 2, column 12: `%z` isn't defined"
    assert source[caret.index("^") :].startswith("%z")


def test_damaged_text_gives_nothing_but_parse_errors() -> None:
    chance = random.Random(5)
    pieces = [t.text for t in tokens_of(GOOD)]
    parse_program(GOOD)
    for _ in range(1500):
        damaged = list(GOOD) if chance.random() < 0.5 else [p + " " for p in pieces]
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(damaged))
            damaged[at : at + chance.randint(0, 2)] = chance.choice(
                [[], [chance.choice(damaged)], ["0x"], ["é"], ["("]]
            )
        try:
            program = parse_program("".join(damaged))
        except ParseError:
            continue
        text = print_program(program)
        assert print_program(parse_program(text)) == text
        try:
            verify(program)
        except VerifyError:
            pass


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_gives_nothing_but_parse_errors(text: str) -> None:
    with pytest.raises(ParseError):
        parse_program(text)


def test_diff_ignores_the_numbering() -> None:
    a = "program @f(%x: f32[2]) -> f32[2] {\n  %0 = neg %x : f32[2]\n  %1 = abs %0 : f32[2]\n  return %1\n}\n"
    b = a.replace("%1", "%2").replace("%0", "%1").replace("{\n", "{\n  %0 = exp %x : f32[2]\n", 1)
    changed = [line for line in diff(a, b).splitlines() if line[0] in "+-"]
    assert changed == ["+   %0 = exp %x : f32[2]"]
    assert diff(parse_program(a), parse_program(a)) == ""


def test_diff_sees_other_operands() -> None:
    a = "program @f() {\n  %0 = neg : f32[2]\n  %1 = neg : f32[2]\n  return %0\n}\n"
    changed = [line for line in diff(a, a.replace("return %0", "return %1")).splitlines() if line[0] in "+-"]
    assert changed == ["-   return %0", "+   return %1"]

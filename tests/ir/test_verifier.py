"""The verifier accepts what is right and says clearly what is wrong: one wrong program per rule."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vitrify.base import dtype as dt
from vitrify.base.errors import VerifyError
from vitrify.base.location import Loc
from vitrify.ir.core import Operation, Program, StateEntry
from vitrify.ir.parser import parse_program
from vitrify.ir.verifier import verify
from vitrify.ir.walk import clone_program, walk
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.testing.programs import random_program


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_random_programs_are_valid(seed: int) -> None:
    program, _, _ = random_program(seed, 15)
    verify(program)
    verify(clone_program(program))


RIGHT = {
    "equal sizes": """program @f(%x: f32[N], %y: f32[M]) -> f32[N] where N-M == 0 {
  %z = add %x, %y : f32[N]
  return %z
}""",
    "equal sizes, the other one": """program @f(%x: f32[N], %y: f32[M]) -> f32[2*M] where N-M == 0 {
  %z = concat %x, %y {axis = (0)} : f32[2*M]
  return %z
}""".replace("(0)", "0"),
    "lists": """program @f(%x: f32[4], %n: i64[], %flag: bool[]) -> f32[4] {
  %a = list_new {element = f32[4]} : list<f32[4]>
  %b = for %n, %a : list<f32[4]> (%i: i64[], %c: list<f32[4]>) {
    %d = list_push %c, %x : list<f32[4]>
    yield %d
  }
  %e = if %flag : list<f32[4]> {
    yield %b
  } else {
    %g = list_push %b, %x : list<f32[4]>
    yield %g
  }
  %h, %r = list_pop %e : list<f32[4]>, f32[4]
  return %r
}""",
    "group": """program @f(%x: f32[4]) -> f32[4] {
  %y = group %x {axes = none, domain = (4), reason = ""} : f32[4] (%a: f32[4]) {
    %b = neg %a : f32[4]
    yield %b
  }
  return %y
}""",
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_programs_pass(name: str) -> None:
    verify(parse_program(RIGHT[name]))


LIST = "  %a = list_new {element = f32[4]} : list<f32[4]>\n"
LOOP = "  %r = while %x : f32[4] (%c: f32[4]) {\n    yield %t\n  } do (%d: f32[4]) {\n    yield %d\n  }\n"

WRONG = {
    "type": ("  %y = neg %x : f32[5]\n", "`neg` makes (f32[4]) here, but is said to make (f32[5])"),
    "dtype": ("  %y = add %x, %n : f32[4]\n", "`add` doesn't take these operands"),
    "operand count": ("  %y = neg %x, %x : f32[4]\n", "`neg` takes 1 operands (x), not 2"),
    "too few operands": ("  %y = for : f32[4]\n", "`for` takes at least 1 operands"),
    "attributes": ("  %y = sum %x {axis = (0)} : f32[]\n", "`sum` doesn't take these attributes"),
    "result count": ("  %y, %z = neg %x : f32[4], f32[4]\n", "`neg` makes (f32[4])"),
    "unknown size": (
        "  %y = full {dtype = f32, fill_value = 0.0, shape = (K)} : f32[K]\n",
        "has the size K, but no argument",
    ),
    "negative size": ("  %y = neg %x : f32[-4]\n", "-4 is no size"),
    "early end": ("  return %x\n", "a terminator stands before the end"),
    "yield in the body": ("  yield %x\n", "a terminator stands before the end"),
    "terminator with results": ("  %y = return : f32[4]\n", "a terminator stands before"),
    "blocks where none belong": ("  %y = neg %x : f32[4] {\n    yield %x\n  }\n", "`neg` takes no blocks"),
    "if without blocks": ("  if %t\n", "`if` has 2 blocks, not 0"),
    "if on a number": (
        "  if %n {\n    yield\n  } else {\n    yield\n  }\n",
        "the condition must be one bool, not i64[]",
    ),
    "if with arguments": (
        "  if %t (%a: f32[4]) {\n    yield\n  } else {\n    yield\n  }\n",
        "the arguments of block 0",
    ),
    "if yields": (
        "  %y = if %t : f32[4] {\n    yield %x\n  } else {\n    yield %n\n  }\n",
        "the yield of block 1 must be (f32[4])",
    ),
    "empty block": ("  if %t {\n  } else {\n    yield\n  }\n", "must end in `yield`, but it is empty"),
    "return in a block": (
        "  if %t {\n    return\n  } else {\n    yield\n  }\n",
        "must end in `yield`, but it ends in `return`",
    ),
    "while results": (LOOP.replace("%x : f32[4]", "%x : f32[5]"), "the results must be (f32[4])"),
    "while condition": (LOOP.replace("yield %t", "yield %c"), "the condition must be one bool"),
    "while condition count": (LOOP.replace("yield %t", "yield %t, %t"), "yields 2 values instead of one bool"),
    "while arguments": (LOOP.replace("%d: f32[4]", "%d: f32[5]"), "the arguments of the body must be (f32[4])"),
    "while condition arguments": (LOOP.replace("(%c: f32[4]) ", ""), "the arguments of the condition"),
    "while yield": (LOOP.replace("yield %d", "yield %n"), "the yield of the body must be (f32[4])"),
    "for count": ("  for %x (%i: i64[]) {\n    yield\n  }\n", "the count must be one integer"),
    "for arguments": ("  for %n {\n    yield\n  }\n", "the arguments of the body must be (i64[])"),
    "list used twice": (
        LIST + "  %b = list_push %a, %x : list<f32[4]>\n  %c = list_push %a, %x : list<f32[4]>\n",
        "has been used up",
    ),
    "list used in a loop": (
        LIST + "  for %n (%i: i64[]) {\n    %b = list_push %a, %x : list<f32[4]>\n    yield\n  }\n",
        "carry it through the loop",
    ),
    "list used after a branch": (
        LIST + "  if %t {\n    %b = list_push %a, %x : list<f32[4]>\n    yield\n  } else {\n    yield\n  }\n"
        "  %c = list_push %a, %x : list<f32[4]>\n",
        "has been used up",
    ),
    "list used up in a condition": (
        LIST + "  %b = while %a : list<f32[4]> (%c: list<f32[4]>) {\n"
        "    %d = list_push %c, %x : list<f32[4]>\n    yield %t\n"
        "  } do (%e: list<f32[4]>) {\n    yield %e\n  }\n",
        "not use them up",
    ),
    "update twice": ("  update %w, %x\n  update %w, %x\n", "updated twice"),
    "update in a block": (
        "  if %t {\n    update %w, %x\n    yield\n  } else {\n    yield\n  }\n",
        "updated inside a block",
    ),
    "update of no state": ("  update %x, %x\n", "no state entry"),
    "update of another type": (
        "  %y = reshape %x {shape = (2, 2)} : f32[2, 2]\n  update %w, %y\n",
        "`update` doesn't take",
    ),
    "update of another size": (
        "  %y = concat %x, %x {axis = 0} : f32[8]\n  update %w, %y\n",
        "the new value must be (f32[4])",
    ),
    "impure group": (
        """  group %t {axes = none, domain = (), reason = ""} (%a: bool[]) {
    check %a {error = "ValueError", message = ""}
    yield
  }
""",
        "pure operations only",
    ),
}


def program_with(lines: str) -> Program:
    head = "program @f(%x: f32[4], %n: i64[], %t: bool[]) state(%w: f32[4] parameter) {\n"
    return parse_program(f"{head}{lines}  return %x\n}}")


@pytest.mark.parametrize("name", WRONG)
def test_wrong_operations_are_named(name: str) -> None:
    lines, message = WRONG[name]
    with pytest.raises(VerifyError) as caught:
        verify(program_with(lines))
    assert message in str(caught.value)
    assert str(caught.value).startswith("in @f: ")


def test_the_users_line_is_shown() -> None:
    program = program_with("  %y = neg %x : f32[5]\n")
    program.body.operations[0].loc = Loc("model.py", 31)
    with pytest.raises(VerifyError, match=r"in  %y = neg %x\n  --> model.py:31"):
        verify(program)


def a_neg(program: Program) -> Operation:
    return next(o for o in walk(program.body) if o.name == "neg")


def use_before(program: Program) -> None:
    program.body.operations.reverse()
    program.body.operations.append(program.body.operations.pop(0))


def use_from_another_block(program: Program) -> None:
    inner = program.body.operations[2].blocks[0].operations[0]
    a_neg(program).set_operand(0, inner.result)


def foreign_value(program: Program) -> None:
    other = clone_program(program)
    a_neg(program).set_operand(0, other.body.args[0])


def list_attribute(program: Program) -> None:
    a_neg(program).attrs["axis"] = [1]


def lost_use(program: Program) -> None:
    program.body.args[0].uses.clear()


def stray_use(program: Program) -> None:
    operation = a_neg(program)
    program.body.args[0].uses[operation, 7] = None


def dead_user(program: Program) -> None:
    operation = a_neg(program)
    program.body.args[1].uses[Operation(operation.op, [], {}, []), 0] = None


def wrong_parent(program: Program) -> None:
    a_neg(program).parent = None


def wrong_block_parent(program: Program) -> None:
    program.body.operations[2].blocks[0].parent = program


def standing_twice(program: Program) -> None:
    program.body.operations.insert(0, program.body.operations[0])


def wrong_index(program: Program) -> None:
    a_neg(program).result.index = 1


def missing_return(program: Program) -> None:
    program.body.operations[-1].erase()


def too_few_names(program: Program) -> None:
    program.feeds.pop()


def equal_names(program: Program) -> None:
    program.feeds[1] = program.feeds[0]


def equal_entries(program: Program) -> None:
    program.add_state("w", TensorType(dt.float32, (4,)))


def fetch_names(program: Program) -> None:
    program.fetch_names = ["a", "b"]


def bad_relation(program: Program) -> None:
    program.constraints.append(("!=", program.body.args[0].shape[0]))  # type: ignore[arg-type]


def list_result(program: Program) -> None:
    made = program.body.insert(0, Operation(OPS["list_new"], [], {"element": TensorType(dt.float32, ())}, []))
    value = made.add_result(made.op.infer(element=TensorType(dt.float32, ())))  # type: ignore[arg-type]
    program.body.terminator.set_operands([value])


BROKEN: list[tuple[Callable[[Program], None], str]] = [
    (use_before, "isn't made before it"),
    (use_from_another_block, "isn't made before it"),
    (foreign_value, "isn't made before it"),
    (list_attribute, "is a list, which isn't plain data"),
    (lost_use, "lacks this use"),
    (stray_use, "names operand 7"),
    (dead_user, "isn't in the program"),
    (wrong_parent, "names another block"),
    (wrong_block_parent, "names another parent"),
    (standing_twice, "stands in the program twice"),
    (wrong_index, "another producer or position"),
    (missing_return, "must end in `return`, but it ends in `if`"),
    (too_few_names, "arguments for 1 feeds and 1 state"),
    (equal_names, "two feeds are called 'x'"),
    (equal_entries, "two state entries are called 'w'"),
    (fetch_names, "2 fetches are named, but 1"),
    (bad_relation, "is neither == nor >="),
    (list_result, "fetches are tensors"),
]


@pytest.mark.parametrize(("damage", "message"), BROKEN, ids=[damage.__name__ for damage, _ in BROKEN])
def test_broken_structures_are_named(damage: Callable[[Program], None], message: str) -> None:
    program = parse_program("""program @f(%x: f32[4], %t: bool[]) state(%w: f32[4] parameter) {
  %y = neg %x : f32[4]
  %z = abs %y : f32[4]
  if %t {
    %a = exp %z : f32[4]
    yield
  } else {
    yield
  }
  return %z
}""")
    verify(program)
    damage(program)
    with pytest.raises(VerifyError) as caught:
        verify(program)
    assert message in str(caught.value)


def test_state_is_counted() -> None:
    program = program_with("")
    program.state.append(StateEntry("more"))
    with pytest.raises(VerifyError, match="3 feeds and 2 state entries"):
        verify(program)


def test_a_size_must_be_told_by_an_argument() -> None:
    with pytest.raises(VerifyError, match="has the size N, but no argument"):
        verify(parse_program("program @f(%x: f32[2*N]) { return %x }"))

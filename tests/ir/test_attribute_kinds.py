"""Attributes of a wrong kind in program texts: each attribute of each row, a typed error or what a call may give."""

from __future__ import annotations

import dataclasses
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base import dtype as dt
from vitrify.base.errors import ParseError, VerifyError, VitrifyError
from vitrify.ir.core import Operation
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.printer import print_program
from vitrify.ir.verifier import verify
from vitrify.ops import LIBRARY
from vitrify.ops.attribute_kinds import beyond, kind_of
from vitrify.ops.op import OPS, Op
from vitrify.testing.ops import RowProgram, program_rows, row_program

VALUES: tuple[Any, ...] = (
    "0", "x", True, False, 0, 2, -1, -5, 2**70, -(2**63), 0.5, float("nan"), float("inf"), None, (), (0,), (1, 2), (-7,),
    (0.5,), (True,), ("x",), ((1,),), ((1, 1), (1, 1)), dt.float32, 1 + 2j,
)  # fmt: skip
ROWS = [op for op in program_rows() if op.attrs]


def family(value: Any) -> Any:
    """The kind of a value, told apart as texts do; tuples by that of their entries."""
    if isinstance(value, tuple):
        return ("tuple", *sorted({str(family(v)) for v in value}))
    return "number" if type(value) in (int, float) else type(value).__name__


def one_sample(op: Op) -> tuple[RowProgram, Operation]:
    """A row's first sample as a program, and the operation of that row."""
    fields = {f.name: getattr(op, f.name) for f in dataclasses.fields(Op)}
    made = row_program(Op(**fields | {"samples": lambda: op.samples()[:1]}))
    return made, next(o for o in made.program.body.operations if o.name == op.name)


def outcome(made: RowProgram) -> str:
    """What becomes of the program's text: refused, run, or failed with a typed error. Any other error goes on."""
    try:
        program = parse_program(print_program(made.program))
        verify(program)
    except (ParseError, VerifyError):
        return "refused"
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            interpret(program, made.feeds, [], {})
    except VitrifyError:
        return "failed"
    return "run"


@pytest.mark.parametrize("op", ROWS, ids=lambda op: op.name)
def test_an_attribute_of_a_wrong_kind_is_a_typed_error(op: Op) -> None:
    made, operation = one_sample(op)
    for name, right in dict(operation.attrs).items():
        for value in VALUES:
            operation.attrs[name] = value
            found = outcome(made)
            if value is not None and right not in ((), None) and family(value) not in (family(right), ("tuple",)):
                numbers = {family(value), family(right)} <= {"number", "bool"} and not isinstance(right, bool)
                assert found == "refused" or numbers or (op.name, name) in EITHER, (name, value)
        operation.attrs[name] = right


EITHER = {("full", "fill_value"), ("conv2d_input_grad", "size"), ("avg_pool2d_grad", "size")}  # of several kinds


@pytest.mark.parametrize("op", ROWS, ids=lambda op: op.name)
def test_what_calls_put_there_is_of_its_kind(op: Op) -> None:
    for operation in row_program(op).program.body.operations:
        if operation.name not in LIBRARY:
            continue
        for name, value in operation.attrs.items():
            assert kind_of(operation.op, name).holds(value), (name, value)
            assert not beyond(operation.op, name, value, operation.results[0].dtype), (name, value)


def test_every_attribute_has_a_kind() -> None:
    for name in LIBRARY:
        for attr in OPS[name].attrs:
            assert kind_of(OPS[name], attr).words


REFUSED = {
    "a string for a number": ("leaky_relu %x {negative_slope = \"0.1\"}", "negative_slope of `leaky_relu` must be a number"),
    "a list for an int": ("argmax %x {axis = (0), keepdim = false}", "axis of `argmax` must be an int of at least 0"),
    "true for an int": ("argmax %x {axis = true, keepdim = false}", "not True"),
    "an int for a flag": ("sum %x {axis = (0), keepdim = 1}", "keepdim of `sum` must be true or false, not 1"),
    "a word that is none of those": ("pad %x {pads = ((1, 1)), mode = \"odd\", value = 0.0}", "must be \"constant\" or"),
    "a huge int": ("tril %x {diagonal = 1180591620717411303424}", "must be an int of 62 bits"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_the_message_names_the_attribute_and_what_it_holds(case: str) -> None:
    operation, message = REFUSED[case]
    text = f"program @main(%x: f32[4]) -> f32[4] {{\n  %y = {operation} : f32[4]\n  return %y\n}}"
    with pytest.raises(VerifyError) as caught:
        verify(parse_program(text))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("value", "dtype"), [("nan", "i64"), ("300", "i8"), ("0.5", "i32"), ("complex(0.0, 1.0)", "f32")]
)
def test_an_element_is_one_of_the_dtype_of_the_result(value: str, dtype: str) -> None:
    text = f"program @main() -> {dtype}[2] {{\n  %y = full {{shape = (2), fill_value = {value}, dtype = {dtype}}} : {dtype}[2]\n  return %y\n}}"
    with pytest.raises(VerifyError, match="the attribute fill_value of `full` is no"):
        verify(parse_program(text))


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8"])
def test_a_step_of_a_slice_is_no_element_of_it(dtype: str, tmp_path: Path) -> None:
    """Every other element, backwards, or far apart, of elements that hold no such number."""

    def fn(x: Any, n: Any) -> Any:
        return x[:n:2], x[n::-1], x[:n:300]

    x = vt.to_tensor([1, 0, 1, 1, 0]).astype(dtype)
    spec = [vt.InputSpec([5], dtype, name="x"), vt.InputSpec([], "int64", name="n")]
    vt.jit.save(vt.jit.to_static(fn), tmp_path / "m", input_spec=spec)
    loaded = vt.jit.load(tmp_path / "m")
    for n in (4, 2):
        made = loaded(x, vt.to_tensor(n))
        assert [part.tolist() for part in made] == [part.tolist() for part in fn(x, vt.to_tensor(n))]

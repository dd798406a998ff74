"""Numbers that a program says."""

from __future__ import annotations

from vitrify.ir.known_numbers import known_number
from vitrify.ir.parser import parse_program


def test_numbers_that_an_operation_refuses_are_not_known() -> None:
    lines = ["%0 = constant {data = dense<i64[], 2>} : i64[]", "%1 = constant {data = dense<i64[], -1>} : i64[]"]
    program = parse_program(
        "program @f() -> i64[] {\n  " + "\n  ".join([*lines, "%2 = pow %0, %1 : i64[]", "return %2"]) + "\n}"
    )
    assert known_number(program.body.operations[2].result) is None
    assert known_number(program.body.operations[1].result) == -1

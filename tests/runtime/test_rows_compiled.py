"""Every row of the table, compiled: equal to the interpreter on all its samples, with known sizes and symbolic ones."""

from __future__ import annotations

from typing import Any

import pytest

from vitrify.base.flags import flags
from vitrify.ir.interpret import interpret
from vitrify.ops.op import OPS, Op
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.schedule.program_steps import HostCallStep
from vitrify.testing.ops import RowProgram, assert_close, kernel_sources, program_rows, row_program, warm_kernels

ROWS = program_rows()
# Rows that leave native code, and for which dtypes of their first operand. A new one has to be put here by hand.
# Complex and 16-bit float operands always do.
PYTHON_DTYPES = {"c64", "c128", "f16", "bf16"}
WHOLE = {"i8", "u8", "i16", "i32", "i64"}
PYTHON_ROWS: dict[str, set[str]] = {
    "array_order": {"f32", "f64", "i64"},  # equal elements stand as NumPy leaves them
    "bitcast": {"f32", "i32"},
    "complex": {"f32", "f64"},
    "nms_mask": {"f64"},
    "draw_binomial": {"i64"},
    "draw_gamma": {"i64"},
    "draw_poisson": {"i64"},
    "edit_distance": {"i64"},
    "eig": {"f64"},
    "fft_r2c": {"f32", "f64"},
    "frexp": {"f32", "f64"},
    "gather_tree": {"i64"},
    "matrix_exp": {"f32", "f64"},
    "pivot_matrix": {"i32"},
    "polygamma": {"f32", "f64"},
    "put_between": {"f64"},
    "rnnt_loss": {"f64"},
    # whether data make an operation fail: only asked inside a `try`
    "cholesky_fails": {"f32", "f64"},
    "eig_fails": {"f64"},
    "eigh_fails": {"f32", "f64"},
    "inv_fails": {"f32", "f64"},
    "pinv_fails": {"f32", "f64"},
    "solve_fails": {"f64"},
    "svd_fails": {"f64"},
    "triangular_solve_fails": {"f64"},
}


@pytest.fixture(scope="module", autouse=True)
def _kernels(request: pytest.FixtureRequest) -> None:
    """Compile the kernels of all chosen tests of this module, in several processes."""
    chosen = [i.callspec.params for i in request.session.items if i.path == request.path and hasattr(i, "callspec")]
    made = {(p["op"], p["symbolic"]) for p in chosen if {"op", "symbolic"} <= set(p)}
    warm_kernels(s for op, symbolic in made for s in kernel_sources(row_program(op, symbolic=symbolic).program, ()))


@pytest.mark.parametrize("symbolic", [False, True], ids=["known", "symbolic"])
@pytest.mark.parametrize("op", ROWS, ids=[op.name for op in ROWS])
def test_compiled_is_interpreted(op: Op, symbolic: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flags, "verify", True)
    made = row_program(op, symbolic=symbolic)
    assert not made.refused
    expected, _ = interpret(made.program, made.feeds)
    kept = [a.copy() for a in made.feeds]
    executable = compile_program(made.program, passes=())  # the row itself, not what a pass makes of it
    for _ in range(2):
        found = executable.run(made.feeds)
        for number, a, b in zip(made.samples, found, expected, strict=True):
            assert_close(a, b, f"{op.name}, sample {number}")
    for a, b in zip(made.feeds, kept, strict=True):
        assert_close(a, b, "a feed afterwards", f32=0, f64=0)
    assert python_dtypes(executable) - PYTHON_DTYPES == PYTHON_ROWS.get(op.name, set())


def python_dtypes(executable: Any) -> set[str]:
    """The dtypes of the first operand of operations that Python runs."""
    steps = [s for s in executable.steps.steps if isinstance(s, HostCallStep)]
    return {s.operation.operands[0].dtype.short for s in steps if s.operation is not None}


def test_python_rows_exist() -> None:
    assert set(PYTHON_ROWS) <= set(OPS)


def test_a_row_program_holds_every_sample() -> None:
    made: RowProgram = row_program(OPS["add"])
    assert set(made.samples) == set(range(len(OPS["add"].samples())))
    assert len(made.feeds) == len(made.program.feeds)

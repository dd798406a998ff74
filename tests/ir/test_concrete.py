"""Programs from texts whose claims about sizes don't hold: refused before native code reads beyond the memory."""

from __future__ import annotations

import numpy as np
import pytest

from vitrify.base.errors import GuardError, VerifyError
from vitrify.ir.concrete import check_concrete
from vitrify.ir.parser import parse_program
from vitrify.ir.verifier import verify
from vitrify.runtime.compiler import compile_program

CLAIMS = {
    "a slice that leaves the axis": (
        "slice %x {sizes = (4, N), starts = (0, 0), strides = (1, 32)} : f32[4, N]",
        "has no 3 elements from 0 by 32",
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

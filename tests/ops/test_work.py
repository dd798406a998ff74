"""How much arithmetic rows say they are: known for all that have kernels, right for products and convolutions."""

from __future__ import annotations

from typing import Any

import pytest

from vitrify.base.dtype import float32
from vitrify.ir.walk import walk
from vitrify.ops.dims import Dim
from vitrify.ops.lowering import Host
from vitrify.ops.op import OPS, Op
from vitrify.ops.types import TensorType
from vitrify.ops.work import bytes_of, work_of
from vitrify.testing.ops import program_rows, row_program

ROWS = [op for op in program_rows() if not isinstance(op.lowering, Host)]


@pytest.mark.parametrize("op", ROWS, ids=lambda op: op.name)
def test_rows_with_kernels_know_their_work(op: Op) -> None:
    for symbolic in (False, True):
        for operation in walk(row_program(op, symbolic=symbolic).program.body):
            if isinstance(operation.op.lowering, Host):
                continue
            given, made = ([v.type for v in values] for values in (operation.operands, operation.results))
            found = work_of(operation.op, given, made, operation.attrs)
            assert found is not None
            assert symbolic or (isinstance(found, int) and found >= 0)


@pytest.mark.parametrize(
    ("name", "given", "made", "attrs", "expected"),
    [
        ("matmul", [(5, 3, 4), (4, 2)], (5, 3, 2), {"transpose_x": False, "transpose_y": False}, 2 * 5 * 3 * 4 * 2),
        ("matmul", [(4, 3), (4, 2)], (3, 2), {"transpose_x": True, "transpose_y": False}, 2 * 3 * 4 * 2),
        ("matmul", [(4,), (4,)], (), {"transpose_x": True, "transpose_y": False}, 8),
        ("conv2d", [(2, 6, 5, 5), (4, 3, 3, 3)], (2, 4, 3, 3), {"groups": 2}, 2 * (2 * 4 * 3 * 3) * (3 * 3 * 3)),
        ("max_pool2d", [(1, 2, 4, 4)], (1, 2, 2, 2), {"kernel": (2, 2)}, 32),
        ("add", [(3, 4), (4,)], (3, 4), {}, 12),
        ("exp", [(3, 4)], (3, 4), {}, 96),
        ("sum", [(3, 4)], (3,), {"axis": (1,), "keepdim": False}, 12),
        ("transpose", [(3, 4)], (4, 3), {"perm": (1, 0)}, 0),
    ],
)
def test_known_counts(name: str, given: Any, made: Any, attrs: dict[str, Any], expected: int) -> None:
    types = [TensorType(float32, shape) for shape in given]
    assert work_of(OPS[name], types, [TensorType(float32, made)], attrs) == expected


def test_open_sizes_give_polynomials() -> None:
    n = Dim.symbol("N")
    x, w, y = (TensorType(float32, s) for s in ((n, 8), (8, 4), (n, 4)))
    assert str(work_of(OPS["matmul"], [x, w], [y], {"transpose_x": False, "transpose_y": False})) == "64*N"
    assert str(bytes_of([x, w, y])) == "48*N+128"


def test_what_numpy_runs_is_unknown() -> None:
    square = TensorType(float32, (3, 3))
    assert work_of(OPS["matrix_exp"], [square], [square], {}) is None

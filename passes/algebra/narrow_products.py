"""Products that BLAS would take row by row are sums of products instead, in the kernel of what reads them.

Of many rows of few numbers and a vector: 65,536 rows of four numbers take BLAS six times as long. Of a row and a
column in each of many matrices, or a column and a row: nothing is used twice, so that there is nothing to block.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...base.target import current_target
from ...ir.builder import ahead_of
from ...ir.core import Operation, Program, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ir.walk import walk
from ...ops.dims import product, same_dim, same_shape
from ...ops.op import OPS
from ..fusion.fusion_facts import is_native
from ..manager import Pass


@dataclass(frozen=True)
class NarrowProducts(Pass):
    """Matmuls of few columns with vectors, and of matrices of one row or column each, become sums of products."""

    name = "narrow_products"

    def run(self, program: Program) -> bool:
        found = [o for o in walk(program.body) if o.name == "matmul" and _is_of_floats(o)]
        return [_replace(o) for o in found].count(True) > 0


def _is_of_floats(operation: Operation) -> bool:
    return is_native(operation) and operation.result.dtype.is_floating and not is_dynamic(operation)


def _replace(operation: Operation) -> bool:
    x, y = operation.operands
    with ahead_of(operation).active():
        if _is_narrow(operation):
            made = OPS["sum"](x * y, (x.ndim - 1,), False)
        elif _are_dots(operation):
            made = OPS["reshape"](OPS["sum"](_rows(x) * _rows(y), (x.ndim - 2,), False), operation.result.shape)
        elif _are_outer(operation):
            made = OPS["reshape"](x, (*x.shape[:-2], -1, 1)) * OPS["reshape"](y, (*y.shape[:-2], 1, -1))
        else:
            return False
    operation.result.replace_by(made)
    operation.erase()
    return True


def _rows(x: Value) -> Value:
    """Matrices of one row or column as rows of numbers."""
    made = OPS["reshape"](x, (*x.shape[:-2], product(x.shape[-2:])))
    assert isinstance(made, Value)
    return made


def _is_narrow(operation: Operation) -> bool:
    x, y = (v.tensor_type for v in operation.operands)
    if x.rank < 2 or y.rank != 1 or any(operation.attrs[f"transpose_{k}"] for k in "xy"):
        return False
    limits, rows, columns = current_target().short_rows, product(x.shape[:-1]), y.shape[0]
    return isinstance(columns, int) and 1 < columns <= limits.elements and isinstance(rows, int) and rows >= limits.rows


def _are_dots(operation: Operation) -> bool:
    """Whether each matrix of the result is one number, and each operand has matrices of its own for it."""
    return _are_batches(operation) and all(same_dim(n, 1) for n in operation.result.shape[-2:])


def _are_outer(operation: Operation) -> bool:
    x = operation.operands[0]
    return _are_batches(operation) and same_dim(x.shape[-2 if operation.attrs["transpose_x"] else -1], 1)


def _are_batches(operation: Operation) -> bool:
    x, y = (v.tensor_type.shape for v in operation.operands)
    return len(x) > 2 and same_shape(x[:-2], y[:-2]) and 0 not in (*x, *y)

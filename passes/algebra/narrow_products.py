"""Products of many rows of few numbers with a vector: a sum for each row, as vectors over rows, in its readers' kernel.

BLAS takes such rows one by one: 65,536 rows of four numbers in six times as long.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...base.target import current_target
from ...ir.builder import ahead_of
from ...ir.core import Operation, Program
from ...ir.dynamic_sizes import is_dynamic
from ...ir.walk import walk
from ...ops.dims import product
from ...ops.op import OPS
from ..fusion.fusion_facts import is_native
from ..manager import Pass


@dataclass(frozen=True)
class NarrowProducts(Pass):
    """Matmuls of matrices of few columns with vectors become sums of products."""

    name = "narrow_products"

    def run(self, program: Program) -> bool:
        found = [o for o in walk(program.body) if o.op.is_contraction and _is_narrow(o)]
        for operation in found:
            x, y = operation.operands
            with ahead_of(operation).active():
                operation.result.replace_by(OPS["sum"](x * y, (x.ndim - 1,), False))
            operation.erase()
        return bool(found)


def _is_narrow(operation: Operation) -> bool:
    if operation.name != "matmul" or is_dynamic(operation) or not is_native(operation):
        return False
    x, y = (v.tensor_type for v in operation.operands)
    if x.rank < 2 or y.rank != 1 or not x.dtype.is_floating or any(operation.attrs[f"transpose_{k}"] for k in "xy"):
        return False
    limits, rows, columns = current_target().short_rows, product(x.shape[:-1]), y.shape[0]
    return isinstance(columns, int) and 1 < columns <= limits.elements and isinstance(rows, int) and rows >= limits.rows

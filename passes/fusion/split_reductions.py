"""Large reductions over all axes in two steps: one value per row of the leading axis, then one of those.

A single fold can't be divided among threads; rows can. The tree of sums depends on the shape alone, so that the result
has the same bits for any number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...base.target import current_target
from ...ir.core import Operation, Program
from ...ir.walk import walk
from ...ops.lowering import Reduce
from ...ops.types import TensorType
from ..manager import Pass
from .fusion_facts import is_native, is_reduce

ROWS = 8  # fewer aren't worth a second kernel
SHORTEST = 512  # elements of a row: starting and ending the fold of a shorter one costs more than a thread gains


@dataclass(frozen=True)
class SplitReductions(Pass):
    """Reduce large arrays of known size row by row, then the rows' results.

    Not for `any` and `all`: their kernels end where the result is known.
    """

    name = "split_reductions"

    def run(self, program: Program) -> bool:
        found = [o for o in walk(program.body) if is_reduce(o) and is_native(o) and _is_large(o)]
        for operation in found:
            _divide(operation)
        return bool(found)


def _is_large(operation: Operation) -> bool:
    shape = operation.operands[0].tensor_type.shape
    lowering = operation.op.lowering
    if (
        not isinstance(lowering, Reduce)
        or lowering.is_flag
        or len(shape) < 2
        or len(operation.attrs["axis"]) != len(shape)
    ):
        return False
    size = operation.operands[0].tensor_type.size
    rows, least = shape[0], current_target().threads.reduction
    return isinstance(size, int) and size >= least and isinstance(rows, int) and ROWS <= rows <= size // SHORTEST


def _divide(operation: Operation) -> None:
    """All rows of the table of reductions may be folded in pieces: a fold of folds of equal size is the fold."""
    source = operation.operands[0]
    axes = tuple(range(1, source.tensor_type.rank))
    attrs = {**operation.attrs, "axis": axes, "keepdim": True}
    kind = operation.op.infer(source.tensor_type, **attrs)
    assert isinstance(kind, TensorType)
    rows = Operation(operation.op, [source], attrs, [kind], (), operation.loc)
    block = operation.parent
    assert block is not None
    block.operations.insert(block.operations.index(operation), rows)
    rows.parent = block
    operation.set_operand(0, rows.result)

"""A concat that only elementwise work reads is an index map of its readers: `x - concat([x[1:], edge])` copies nothing.

The readers' loops are split where one piece ends and the next one begins (runtime/kernel/index_sets.py), so that each
part reads one piece, as vectors. Written out, the pieces would be copied side by side and read again.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...base.target import current_target
from ...ir.builder import ahead_of
from ...ir.core import Operation, Program
from ...ir.dynamic_sizes import is_dynamic
from ...ir.walk import walk
from ...ops.dims import same_dim
from ...ops.lowering import Scalar
from ...ops.moves import concat_pieces
from ..fusion.fusion_facts import is_map, is_native
from ..manager import Pass

MOST_PIECES = 3  # a loop is split between any two


@dataclass(frozen=True)
class ConcatReads(Pass):
    """Concats of few pieces of known size that only elementwise operations of their block read become index maps."""

    name = "concat_reads"

    def run(self, program: Program) -> bool:
        changed = False
        for operation in reversed([o for o in walk(program.body) if o.name == "concat"]):
            if not _is_read_well(operation):
                continue
            with ahead_of(operation).active():
                operation.result.replace_by(concat_pieces(operation.operands, operation.attrs["axis"]))
            operation.erase()
            changed = True
        return changed


def _is_read_well(operation: Operation) -> bool:
    """Whether its pieces are few, rows are long enough for vectors, and maps are all that read it."""
    if not is_native(operation) or is_dynamic(operation) or not 1 < len(operation.operands) <= MOST_PIECES:
        return False
    shape, axis = operation.result.tensor_type.shape, operation.attrs["axis"]
    if not all(isinstance(v.tensor_type.shape[axis], int) for v in operation.operands):
        return False
    lanes, wide = current_target().lanes(operation.result.dtype.itemsize), [d for d in shape if not same_dim(d, 1)]
    if len(wide) > 1 and not (isinstance(wide[-1], int) and wide[-1] >= 2 * lanes):
        return False  # loops over a joined axis are longer than those over this one
    users = {user for user, _ in operation.result.uses}
    return bool(users) and all(user.parent is operation.parent and _reads_elements(user) for user in users)


def _reads_elements(user: Operation) -> bool:
    return (isinstance(user.op.lowering, Scalar) or user.op is concat_pieces) and is_map(user) and is_native(user)

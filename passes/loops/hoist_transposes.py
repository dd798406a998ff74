"""A loop-invariant matrix that is used transposed inside a loop is transposed once, before the loop."""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.builder import ahead_of
from ...ir.core import Block, Operation, Program, Value
from ...ir.walk import walk
from ...ops.op import OPS
from ..fusion.custom_gemm import custom_gemm_of
from ..manager import Pass


@dataclass(frozen=True)
class HoistTransposes(Pass):
    """Rewrite `matmul(x, y^T)` in a loop as `matmul(x, z)` with `z = y^T` before the outermost loop that y comes into,
    where the matmul has a custom kernel, which would otherwise copy y in every iteration.
    """

    name = "hoist_transposes"

    def run(self, program: Program) -> bool:
        transposed: dict[tuple[Operation, Value], Value] = {}
        found = [o for o in walk(program.body) if o.op.is_contraction and o.attrs["transpose_y"]]
        changed = [_hoist(operation, transposed) for operation in found]
        return any(changed)


def _hoist(operation: Operation, transposed: dict[tuple[Operation, Value], Value]) -> bool:
    sizes = custom_gemm_of(operation)
    loop = None if sizes is None else _outermost_loop(operation, operation.operands[1].block)
    if loop is None:
        return False
    y = operation.operands[1]
    if (loop, y) not in transposed:
        ahead = ahead_of(loop)
        ahead.loc = operation.loc
        transposed[loop, y] = ahead.apply(OPS["transpose"], (y,), {"perm": (1, 0)})
    operation.set_operand(1, transposed[loop, y])
    operation.attrs = {**operation.attrs, "transpose_y": False}
    return True


def _outermost_loop(operation: Operation, home: Block) -> Operation | None:
    """The outermost loop between an operation and the block in which its operand is made."""
    block, found = operation.parent, None
    while block is not None and block is not home:
        above = block.parent
        if not isinstance(above, Operation):
            return None
        found = above if above.name in ("for", "while") else found
        block = above.parent
    return found

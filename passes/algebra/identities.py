"""What is its operand once all gradients are taken: copies, and constants for the gradient's sake.

Fused or alone they would be memory of their own beside the same elements, and what reads both would read twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.core import Operation, Program
from ...ir.walk import walk
from ...ops.effects import Effect
from ...ops.lowering import Scalar
from ..manager import Pass


@dataclass(frozen=True)
class DropIdentities(Pass):
    """Read the operand of `assign`, `stop_gradient` and their like in place of their result: final programs only."""

    name = "drop_identities"

    def run(self, program: Program) -> bool:
        found = [o for o in walk(program.body) if _is_identity(o)]
        for operation in found:
            operation.result.replace_by(operation.operands[0])
            operation.erase()
        return bool(found)


def _is_identity(operation: Operation) -> bool:
    """Whether the elements of its one operand are those of its result, as its lowering says."""
    lowering = operation.op.lowering
    return (
        isinstance(lowering, Scalar)
        and lowering == Scalar("{0}", cost=lowering.cost)
        and operation.op.effect is Effect.PURE
        and len(operation.operands) == 1
        and operation.operands[0].type == operation.result.type
    )

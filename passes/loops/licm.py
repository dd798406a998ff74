"""Loop-invariant code motion: what is the same in every iteration is computed once, before the loop."""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.core import Block, Operation, Program
from ...ir.dynamic_sizes import is_dynamic
from ...ir.known_numbers import literal_number
from ...ops.dims import product
from ...ops.lowering import Host, Library, Reduce, Scalar
from ...ops.types import TensorType
from ..manager import Pass


@dataclass(frozen=True)
class LoopInvariants(Pass):
    """Move pure operations out of loops when their operands come from outside. If a loop may have no iteration, only
    cheap ones are worth it. Operations that can fail stay (integer indices, host calls), and so do those whose result
    is larger than what they read: fusion repeats them for less than reading them would cost.
    """

    name = "licm"

    def run(self, program: Program) -> bool:
        return _hoist(program.body)


def _hoist(block: Block) -> bool:
    changed = False
    out: list[Operation] = []
    for operation in block.operations:
        for inner in operation.blocks:
            changed |= _hoist(inner)
        if operation.name in ("for", "while"):
            for inner in operation.blocks:
                moved = _invariants(operation, inner)
                for hoisted in moved:
                    hoisted.parent = block
                out.extend(moved)
                changed |= bool(moved)
        out.append(operation)
    block.operations = out
    return changed


def _invariants(loop: Operation, body: Block) -> list[Operation]:
    """Take the operations to hoist out of `body`, in order."""
    certain = _runs(loop, body)
    moved: set[Operation] = set()
    for operation in body.operations:
        outside = all(v.block is not body or v.operation in moved for v in operation.operands)
        if outside and is_movable(operation) and (certain or is_cheap(operation)):
            moved.add(operation)
    body_kept = [o for o in body.operations if o not in moved]
    hoisted = [o for o in body.operations if o in moved]
    body.operations = body_kept
    return hoisted


def _runs(loop: Operation, body: Block) -> bool:
    """Whether a block of a loop certainly runs at least once: conditions do, and bodies with a literal count."""
    if loop.name == "while":
        return body is loop.blocks[0]
    return bool((literal_number(loop.operands[0]) or 0) > 0)


def is_movable(operation: Operation) -> bool:
    """Pure, cannot fail, not larger than what it reads, and of sizes known before the run."""
    if operation.blocks or operation.is_terminator or not operation.is_pure or len(operation.results) != 1:
        return False
    kinds = [v.type for v in (*operation.operands, operation.result)]
    if not all(isinstance(kind, TensorType) for kind in kinds) or can_fail(operation) or is_dynamic(operation):
        return False
    if not operation.operands:
        return True
    size = product(operation.result.tensor_type.shape)
    if size == 1:
        return True
    sizes = [product(v.tensor_type.shape) for v in operation.operands]
    return any(s == size for s in sizes) or isinstance(operation.op.lowering, (Reduce, Library))


def can_fail(operation: Operation) -> bool:
    """Whether an operation may raise at run time: calls of the host, and indices that are data."""
    if isinstance(operation.op.lowering, Host):
        return True
    return operation.op.family == "index" or "index" in operation.op.operands


def is_cheap(operation: Operation) -> bool:
    """A literal, or a few steps per element."""
    return not operation.operands or isinstance(operation.op.lowering, Scalar)

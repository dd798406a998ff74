"""Numbers that several others are computed from are computed once more for each: equal chains then stay apart.

The rate of an optimiser's step, cast to float64, goes into one number per parameter. Joined by it, the numbers of all
parameters would be one long kernel or another, as the order has it; apart they are equal kernels, one call (tables.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.core import Operation, Program
from ...ir.walk import clone_operation, walk
from ...ops.dims import same_dim
from ..manager import Pass
from .fusion_facts import cost, is_free, is_map, is_native, is_resident


@dataclass(frozen=True)
class RematerialiseScalars(Pass):
    """A cheap operation on numbers in memory, used for several other numbers, is repeated for each of them."""

    name = "rematerialise_scalars"

    def run(self, program: Program) -> bool:
        changed = False
        for operation in list(walk(program.body)):
            if _is_repeated(operation):
                _repeat(operation)
                changed = True
        return changed


def _is_repeated(operation: Operation) -> bool:
    if operation.is_terminator or not _is_number(operation) or cost(operation) > 1:
        return False
    users = {user for user, _ in operation.result.uses}
    together = all(user.parent is operation.parent and _is_number(user) for user in users)
    return len(users) > 1 and together and all(is_resident(v) or _is_literal(v.operation) for v in operation.operands)


def _is_number(operation: Operation) -> bool:
    """Whether it computes one element, and kernels can."""
    return (
        len(operation.results) == 1
        and operation.parent is not None
        and is_map(operation)
        and not is_free(operation)
        and is_native(operation)
        and all(same_dim(v.tensor_type.size, 1) for v in (*operation.operands, operation.result))
    )


def _is_literal(operation: Operation | None) -> bool:
    return operation is not None and is_free(operation)


def _repeat(operation: Operation) -> None:
    """One copy before each user but the first in the block, which keeps the original."""
    block = operation.parent
    assert block is not None
    users = dict.fromkeys(user for user, _ in operation.result.uses)
    _, *others = sorted(users, key=block.operations.index)
    for user in others:
        copy = clone_operation(operation, {})
        block.insert(block.operations.index(user), copy)
        for k, value in enumerate(user.operands):
            if value is operation.result:
                user.set_operand(k, copy.result)

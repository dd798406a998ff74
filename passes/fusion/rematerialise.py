"""What costs nothing where it is read is made once for each reader: numbers, and the joined indices of points.

Numbers that several others are computed from are computed once more for each: equal chains then stay apart.

The rate of an optimiser's step, cast to float64, goes into one number per parameter. Joined by it, the numbers of all
parameters would be one long kernel or another, as the order has it; apart they are equal kernels, one call (tables.py).

The index arrays of `u[i, j]` and `v[i, j]` are one concat, which a kernel reads piece by piece (fuse.py), but only if
it is the one that does: each reader gets its own. Those that fusion leaves alone are one again after it (cse.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.core import Block, Operation, Program
from ...ir.dynamic_sizes import is_dynamic
from ...ir.walk import clone_operation, walk
from ...ops.dims import same_dim
from ...ops.types import TensorType
from ..manager import Pass
from .fusion_facts import cost, is_free, is_map, is_native, is_resident, joins_indices


@dataclass(frozen=True)
class RematerialiseScalars(Pass):
    """A cheap operation on numbers in memory, used for several other numbers, is repeated for each of them."""

    name = "rematerialise_scalars"

    def run(self, program: Program) -> bool:
        copies: dict[Block, dict[Operation, list[Operation]]] = {}  # by block: what is put before an operation
        for operation in walk(program.body):
            if len(operation.results) == 1 and len(operation.results[0].uses) > 1 and _is_repeated(operation):
                assert operation.parent is not None
                _repeat(operation, copies.setdefault(operation.parent, {}))
        _insert(copies)
        return bool(copies)


@dataclass(frozen=True)
class RematerialiseIndices(Pass):
    """A concat of index arrays that several operations pick points by is repeated for each of them."""

    name = "rematerialise_indices"

    def run(self, program: Program) -> bool:
        copies: dict[Block, dict[Operation, list[Operation]]] = {}
        for operation in walk(program.body):
            if joins_indices(operation) and is_native(operation) and not is_dynamic(operation):
                block = operation.parent
                users = {user for user, _ in operation.result.uses}
                if block is not None and len(users) > 1 and all(user.parent is block for user in users):
                    _repeat(operation, copies.setdefault(block, {}))
        _insert(copies)
        return bool(copies)


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
        and isinstance(operation.results[0].type, TensorType)
        and same_dim(operation.results[0].type.size, 1)
        and is_map(operation)
        and not is_free(operation)
        and is_native(operation)
        and all(same_dim(v.tensor_type.size, 1) for v in operation.operands)
    )


def _is_literal(operation: Operation | None) -> bool:
    return operation is not None and is_free(operation)


def _insert(copies: dict[Block, dict[Operation, list[Operation]]]) -> None:
    """Put copies into blocks, each before an operation."""
    for block, ahead in copies.items():
        block.operations = [o for operation in block.operations for o in (*ahead.get(operation, ()), operation)]


def _repeat(operation: Operation, ahead: dict[Operation, list[Operation]]) -> None:
    """One copy for each user but the first in the block, which keeps the original. ahead: learns before which it is."""
    block = operation.parent
    assert block is not None
    users = dict.fromkeys(user for user, _ in operation.result.uses)
    first = next(o for o in block.operations[block.operations.index(operation) :] if o in users)
    for user in users:
        if user is first:
            continue
        copy = clone_operation(operation, {})
        copy.parent = block
        ahead.setdefault(user, []).append(copy)
        for k, value in enumerate(user.operands):
            if value is operation.result:
                user.set_operand(k, copy.result)

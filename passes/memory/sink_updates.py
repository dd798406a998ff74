"""What changes some elements of an array comes after all that read the array as it was: then it needs no copy."""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.core import Block, Program
from ...ir.walk import users_in
from ..manager import Pass


@dataclass(frozen=True)
class SinkUpdates(Pass):
    """Moves updates of single rows or elements behind the last reader of the array that they start from."""

    name = "sink_updates"

    def run(self, program: Program) -> bool:
        return _sink(program.body)


def _sink(block: Block) -> bool:
    changed = False
    for operation in list(block.operations):
        for inner in operation.blocks:
            changed |= _sink(inner)
    updates = [o for o in block.operations if o.op.writes_into_first]
    positions = {o: k for k, o in enumerate(block.operations)}
    for operation in updates:
        base, here = operation.operands[0], positions[operation]
        last = max(positions[o] for o in users_in(block, base))
        first = min((positions[o] for r in operation.results for o in users_in(block, r)), default=len(positions) - 1)
        if here < last < first and block.operations[last] is not block.terminator:
            block.operations.insert(last, block.operations.pop(here))
            positions.update((block.operations[k], k) for k in range(here, last + 1))
            changed = True
    return changed

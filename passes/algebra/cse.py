"""Common subexpressions: of two equal pure operations, one of which dominates the other, the second one goes."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from ...ir.core import Block, Operation, Program
from ...ir.walk import attrs_key
from ...ops.effects import Effect
from ...ops.types import TensorType
from ..manager import Pass

Seen = list[dict[Hashable, Operation]]  # one table per enclosing block, the innermost last


@dataclass(frozen=True)
class CommonSubexpressions(Pass):
    """Reuse the results of an equal, effect-free operation of this block or one around it. Equal: same op, operands (in
    any order where the op is commutative), attributes and types; literals too. One walk over the program.
    """

    name = "cse"

    def run(self, program: Program) -> bool:
        return _merge(program.body, [])


def _merge(block: Block, outer: Seen) -> bool:
    here: dict[Hashable, Operation] = {}
    seen = [*outer, here]
    kept: list[Operation] = []
    changed = False
    for operation in block.operations:
        for inner in operation.blocks:
            changed |= _merge(inner, [] if operation.name == "group" else seen)
        key = _key(operation)
        known = next((table[key] for table in seen if key in table), None) if key is not None else None
        if known is None:
            kept.append(operation)
            if key is not None:
                here[key] = operation
            continue
        for old, new in zip(operation.results, known.results, strict=True):
            old.replace_by(new)
        operation.parent = None
        operation.erase()
        changed = True
    block.operations = kept
    return changed


def _key(operation: Operation) -> Hashable | None:
    """What makes two operations equal; None for those that must stay apart (effects, blocks, lists)."""
    if operation.op.effect is not Effect.PURE or operation.blocks:
        return None
    kinds = tuple(r.type for r in operation.results)
    if not all(isinstance(kind, TensorType) for kind in kinds):
        return None
    operands = tuple(id(v) for v in operation.operands)
    if operation.op.commutative:
        operands = tuple(sorted(operands))
    return operation.name, operands, attrs_key(operation.attrs), kinds

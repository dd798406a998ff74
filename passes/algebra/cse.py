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
    idempotent = True

    def run(self, program: Program) -> bool:
        return _merge(program.body, [])


def _merge(block: Block, outer: Seen) -> bool:
    here: dict[Hashable, Operation] = {}
    kept: list[Operation] = []
    changed = False
    for operation in block.operations:
        for inner in operation.blocks:
            changed |= _merge(inner, [] if operation.name == "group" else [*outer, here])
        if operation.name == "group" and len(operation.results) > 1:
            changed |= _yield_once(operation)
        key = _key(operation)
        known = None if key is None else _known(key, operation, outer, here)
        if known is None:
            kept.append(operation)
            continue
        for old, new in zip(operation.results, known.results, strict=True):
            old.replace_by(new)
        operation.parent = None
        operation.erase()
        changed = True
    block.operations = kept
    return changed


def _yield_once(group: Operation) -> bool:
    """What has become one value in a kernel is one of its results."""
    (block,) = group.blocks
    first: dict[int, int] = {}
    kept: list[int] = []
    for k, value in enumerate(block.yields):
        if (known := first.setdefault(id(value), k)) == k:
            kept.append(k)
        else:
            group.results[k].replace_by(group.results[known])
    if len(kept) == len(group.results):
        return False
    block.terminator.set_operands([block.yields[k] for k in kept])
    group.set_results([group.results[k] for k in kept])
    return True


def _known(key: Hashable, operation: Operation, outer: Seen, here: dict[Hashable, Operation]) -> Operation | None:
    """The first operation with a key, if it isn't this one."""
    for table in outer:
        if key in table:
            return table[key]
    known = here.setdefault(key, operation)
    return None if known is operation else known


def _key(operation: Operation) -> Hashable | None:
    """What makes two operations equal; None for those that must stay apart (effects, blocks, lists)."""
    op = operation.op
    if op.effect is not Effect.PURE or operation.blocks:
        return None
    kinds = [r.type for r in operation.results]
    for kind in kinds:
        if not isinstance(kind, TensorType):
            return None
    operands = [id(v) for v in operation.operands]
    if op.commutative:
        operands.sort()
    return op, attrs_key(operation.attrs), *operands, None, *kinds

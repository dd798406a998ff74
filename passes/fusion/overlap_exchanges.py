"""All-reduces begin as soon as their operand is there, and are waited for just before something needs the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...base.location import Loc
from ...ir.core import Block, Operation, Program, Value
from ...ir.walk import walk
from ...ops.effects import Effect
from ...ops.op import OPS
from ...ops.types import TensorType
from ..manager import Pass
from .fusion_facts import alias_offset


@dataclass(frozen=True)
class OverlapExchanges(Pass):
    """Split an all-reduce into `all_reduce_start`, moved up to where its operand is made, and `all_reduce_wait`, moved
    down to the first reader of its result.

    Exchanges begin in the order in which they did, so ranks still agree. Starts pass pure operations only; waits, in
    their order, also other starts and waits. Where nothing would run between, the exchange stays whole.
    """

    name = "overlap_exchanges"

    def run(self, program: Program) -> bool:
        blocks = [program.body, *(b for o in walk(program.body) if o.name != "group" for b in o.blocks)]
        return sum(_overlap(block) for block in blocks) > 0  # all of them, not up to the first


def _overlap(block: Block) -> bool:
    pairs = [_split(block, o) for o in [*block.operations] if o.name == "all_reduce"]
    for _, wait in reversed(pairs):
        block.operations.insert(_latest(block, wait), wait)
        block.operations.remove(wait)
    useful = [_is_useful(block, *pair) for pair in pairs]
    for (start, wait), keeps in zip(pairs, useful, strict=True):
        if not keeps:
            _join(block, start, wait)
    return any(useful)


def _split(block: Block, operation: Operation) -> tuple[Operation, Operation]:
    """A start where the operand is there, and a wait in place of the exchange."""
    x, attrs, loc = operation.operands[0], operation.attrs, operation.loc
    start = _made("all_reduce_start", [x], attrs, loc)
    wait = _made("all_reduce_wait", [start.result, x], attrs, loc)
    first = _earliest(block, operation)
    _replace(block, operation, wait)
    block.insert(first, start)
    return start, wait


def _join(block: Block, start: Operation, wait: Operation) -> None:
    """The whole exchange again, in place of the start."""
    whole = _made("all_reduce", [start.operands[0]], start.attrs, start.loc)
    block.insert(block.operations.index(start), whole)
    wait.result.replace_by(whole.result)
    for operation in (wait, start):
        operation.forget()
        block.operations.remove(operation)


def _made(name: str, operands: list[Value], attrs: dict[str, Any], loc: Loc) -> Operation:
    op = OPS[name]
    kind = op.infer(*[v.tensor_type for v in operands], **attrs)
    assert isinstance(kind, TensorType)
    return Operation(op, operands, dict(attrs), [kind], (), loc)


def _replace(block: Block, old: Operation, new: Operation) -> None:
    block.insert(block.operations.index(old), new)
    old.result.replace_by(new.result)
    old.forget()
    block.operations.remove(old)


def _is_useful(block: Block, start: Operation, wait: Operation) -> bool:
    """Whether something is computed between the two; constants aren't."""
    between = block.operations[block.operations.index(start) + 1 : block.operations.index(wait)]
    return any(o.operands and o.op.effect is not Effect.COLLECTIVE and alias_offset(o) is None for o in between)


def _earliest(block: Block, operation: Operation) -> int:
    """Where its start may stand: after what makes its operand, and after all that has an effect."""
    maker, place = operation.operands[0].operation, block.operations.index(operation)
    while place > 0:
        before = block.operations[place - 1]
        if before is maker or not before.is_pure:
            return place
        place -= 1
    return place


def _latest(block: Block, wait: Operation) -> int:
    """Where a wait may stand: before the first reader of its result, and before what isn't an exchange's part."""
    place = block.operations.index(wait) + 1
    while not block.operations[place].is_terminator:
        after = block.operations[place]
        movable = after.is_pure or after.name in ("all_reduce_start", "all_reduce_wait")
        if not movable or _reads(after, wait.result):
            break
        place += 1
    return place


def _reads(operation: Operation, value: Value) -> bool:
    inside = (o for block in operation.blocks for o in walk(block))
    return any(value in o.operands for o in (operation, *inside))

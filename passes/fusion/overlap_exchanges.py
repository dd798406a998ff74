"""All-reduces begin as soon as their operand is there, and are waited for just before something needs the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...base.location import Loc
from ...ir.core import Block, Operation, Program, Value
from ...ir.walk import walk
from ...ops.dims import DimLike
from ...ops.effects import Effect
from ...ops.op import OPS
from ...ops.types import TensorType
from ...ops.work import bytes_of, work_of
from ..manager import Pass
from .fusion_facts import alias_offset


@dataclass(frozen=True)
class OverlapExchanges(Pass):
    """Split an all-reduce into `all_reduce_start`, moved up to where its operand is made, and `all_reduce_wait`, moved
    down to the first reader of its result.

    Exchanges begin in the order in which they did, so ranks still agree. Starts pass pure operations and waits; waits,
    in their order, pass pure operations, starts and waits. An exchange stays whole where splitting it costs more than
    it can save: where little runs between, or little is exchanged. few: bytes that travel about as fast as Python
    begins an exchange and waits for it, while a whole one needs no Python. least: floating-point operations and bytes
    that take as long. Networks whose driver is the program's own process move data only while the program calls MPI. So
    an `exchange_progress` follows each `pace` of work between a start and its wait: some 0.3 ms of a core, in which a
    network of 10 Gbit/s carries what a socket holds, and thirty times what the call takes.
    """

    name = "overlap_exchanges"
    few: int = 1 << 18
    least: int = 1_000_000
    pace: int = 20_000_000

    def run(self, program: Program) -> bool:
        blocks = [program.body, *(b for o in walk(program.body) if o.name != "group" for b in o.blocks)]
        return sum(self._overlap(block) for block in blocks) > 0  # all of them, not up to the first

    def _overlap(self, block: Block) -> bool:
        pairs = [_split(block, o) for o in [*block.operations] if o.name == "all_reduce"]
        for _, wait in reversed(pairs):
            block.operations.insert(_latest(block, wait), wait)
            block.operations.remove(wait)
        useful = [self._is_large(wait) and self._is_useful(block, start, wait) for start, wait in pairs]
        for (start, wait), keeps in zip(pairs, useful, strict=True):
            if not keeps:
                _join(block, start, wait)
        if any(useful):
            self._pace(block)
        return any(useful)

    def _pace(self, block: Block) -> None:
        """Let exchanges that are under way go on every now and then."""
        under_way, done = 0, 0
        for operation in [*block.operations]:
            under_way += (operation.name == "all_reduce_start") - (operation.name == "all_reduce_wait")
            if operation.op.effect is Effect.COLLECTIVE or not under_way:
                done = 0
                continue
            work = _work(operation)
            done += work if isinstance(work, int) else self.pace
            if done >= self.pace:
                done = 0
                made = Operation(OPS["exchange_progress"], [], {}, [], (), operation.loc)
                block.insert(block.operations.index(operation) + 1, made)

    def _is_large(self, operation: Operation) -> bool:
        """Whether an exchange carries many bytes; one of unknown size may."""
        size = bytes_of([operation.result.type])
        return not isinstance(size, int) or size >= self.few

    def _is_useful(self, block: Block, start: Operation, wait: Operation) -> bool:
        """Whether much is computed between the two; what has an unknown size may be much."""
        between = block.operations[block.operations.index(start) + 1 : block.operations.index(wait)]
        work: DimLike = 0
        for operation in between:
            if operation.op.effect is not Effect.COLLECTIVE:
                work = work + _work(operation)
        return not isinstance(work, int) or work >= self.least


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


def _work(operation: Operation) -> DimLike:
    """Floating-point operations of an operation, and the bytes that it reads and writes.

    A loop or a branch counts as its parts, once.
    """
    if operation.blocks:
        return sum((_work(o) for block in operation.blocks for o in block.operations), 0)
    given, made = [v.type for v in operation.operands], [r.type for r in operation.results]
    if not given or alias_offset(operation) is not None:
        return 0  # constants and views
    work = work_of(operation.op, given, made, operation.attrs)
    return bytes_of([*given, *made]) + (work or 0)


def _earliest(block: Block, operation: Operation) -> int:
    """Where its start may stand: after what makes its operand, and after all that has an effect but waits."""
    maker, place = operation.operands[0].operation, block.operations.index(operation)
    while place > 0:
        before = block.operations[place - 1]
        if before is maker or not (before.is_pure or before.name == "all_reduce_wait"):
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

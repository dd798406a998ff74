"""Which arrays share a list of the VM: as many as possible, so that a loop appends where the array lies.

Arrays of one list are never needed at the same time, unless they are the same. So whatever writes a list ends nothing
that something still reads; between lists rows are copied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from ....ir.core import Block, Operation, Program, Value
from .row_operations import may_be_in_place
from .row_values import RowValues

BEHIND = 0.5  # where an operation reads an operand that its result must not overwrite


class _Places:
    """Where in the program values are made and read; its operations are numbered in their order."""

    def __init__(self, program: Program) -> None:
        self.start: dict[Operation, int] = {}
        self.end: dict[Operation, int] = {}
        self.first: dict[Block, int] = {}
        self._number = count()
        self._visit(program.body)

    def _visit(self, block: Block) -> None:
        self.first[block] = next(self._number)
        for operation in block.operations:
            self.start[operation] = next(self._number)
            for inner in operation.blocks:
                self._visit(inner)
            self.end[operation] = next(self._number) if operation.blocks else self.start[operation]

    def made(self, value: Value) -> int:
        return self.first[value.block] if value.operation is None else self.end[value.operation]

    def read(self, value: Value) -> Iterator[tuple[Block, float]]:
        for user, number in value.uses:
            assert user.parent is not None
            behind = 0 if user.blocks or user.is_terminator or may_be_in_place(user, number) else BEHIND
            yield user.parent, self.start[user] + behind

    def interfere(self, a: Value, b: Value) -> bool:
        """Whether one is still needed where the other is made."""
        first, second = sorted((a, b), key=self.made)
        here, there = first.block, second.block
        if self.made(first) == self.made(second):
            return True
        at = self.made(second)
        if _exclude(here, there):
            return False
        for loop in _loops(there):
            if any(block.encloses(here) for block in loop.blocks):
                break
            if any(block.encloses(reader) for block in loop.blocks for reader, _ in self.read(first)):
                return True  # the next iteration reads it again
        return any(place > at and not _exclude(reader, there) for reader, place in self.read(first))


def _loops(block: Block) -> Iterator[Operation]:
    """The loops around a block, innermost first."""
    owner = block.parent
    while isinstance(owner, Operation):
        if owner.name in ("for", "while"):
            yield owner
        owner = owner.holder


def _exclude(a: Block, b: Block) -> bool:
    """Whether two blocks are in different branches of one `if`."""
    ways = dict(_branches(a))
    return any(ways.get(operation, block) is not block for operation, block in _branches(b))


def _branches(block: Block) -> Iterator[tuple[Operation, Block]]:
    while isinstance(block.parent, Operation):
        if block.parent.name == "if":
            yield block.parent, block
        assert block.parent.parent is not None
        block = block.parent.parent


class ListNumbers:
    """The list of each array: an array and its number; arrays with one number share one list."""

    def __init__(self, program: Program, rows: RowValues) -> None:
        self._places = _Places(program)
        self._group: dict[Value, list[Value]] = {v: [v] for v in rows.values}
        carried = [o for o in self._places.start if o.name in ("for", "while", "if")]
        for a, b in self._same(carried):
            self._join(a, b)
        for a, b in (*self._moves(carried), *self._in_place(rows.operations), *self._starts(carried)):
            if a in self._group and b in self._group and not self._clash(a, b):
                self._join(a, b)
        groups = {id(group): group for group in self._group.values()}
        ordered = sorted(groups.values(), key=lambda group: min(map(self._places.made, group)))
        self.of = {value: number for number, group in enumerate(ordered) for value in group}

    def _join(self, a: Value, b: Value) -> None:
        ours, theirs = self._group[a], self._group[b]
        if ours is not theirs:
            ours += theirs
            self._group.update(dict.fromkeys(theirs, ours))

    def _clash(self, a: Value, b: Value) -> bool:
        ours, theirs = self._group[a], self._group[b]
        return ours is not theirs and any(self._places.interfere(x, y) for x in ours for y in theirs)

    def _same(self, carried: Iterable[Operation]) -> Iterator[tuple[Value, Value]]:
        """What a loop carries, where it tests it, and what comes out of it are one array."""
        for loop in carried:
            if loop.name != "if":
                args = loop.blocks[-1].args[loop.name == "for" :]
                tested = loop.blocks[0].args if loop.name == "while" else args
                for arg, seen, result in zip(args, tested, loop.results, strict=True):
                    if arg in self._group:
                        yield arg, seen
                        yield arg, result

    def _moves(self, carried: Iterable[Operation]) -> Iterator[tuple[Value, Value]]:
        for operation in carried:
            if operation.name == "if":
                for block in operation.blocks:
                    yield from zip(operation.results, block.yields, strict=True)
            else:
                body = operation.blocks[-1]
                yield from zip(body.args[operation.name == "for" :], body.yields, strict=True)

    def _in_place(self, operations: Iterable[Operation]) -> Iterator[tuple[Value, Value]]:
        for operation in sorted(operations, key=self._places.start.__getitem__):
            if operation.operands and may_be_in_place(operation, 0):
                yield operation.operands[0], operation.results[0]

    def _starts(self, carried: Iterable[Operation]) -> Iterator[tuple[Value, Value]]:
        for loop in carried:
            if loop.name != "if":
                skip = loop.name == "for"
                yield from zip(loop.operands[skip:], loop.blocks[-1].args[skip:], strict=True)

"""Program -> lines of text that know their operation, under names that outlive passes.

The text is the printer's. Values keep their names from one listing to the next, so that the texts of two stages differ
only where the program does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .core import Block, Operation, Program, Value
from .printer import Printer, value_names


@dataclass(frozen=True, slots=True)
class ListingLine:
    """One line of a program's text and the operation that it belongs to (None: the program's own first and last)."""

    text: str
    operation: Operation | None


@dataclass(slots=True)
class ValueNames:
    """The names given so far. Values that come later get new ones."""

    of: dict[Value, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def learn(self, program: Program) -> None:
        """Name what has no name yet."""
        for value, name in value_names(program).items():
            if value in self.of:
                continue
            found, k = name, 0
            while found in self.taken:
                k += 1
                found = f"%{len(self.of) + k}" if name[1:].isdigit() else f"{name}_{k}"
            self.taken.add(found)
            self.of[value] = found


def listing(program: Program, names: ValueNames | None = None) -> list[ListingLine]:
    """The lines of a program; arrays of more than 16 elements stand there as `@const…` only."""
    names = ValueNames() if names is None else names
    names.learn(program)
    printer = Printer(program, False, {})
    printer.names = names.of
    lines = list(printer.lines())
    owners = [None, *_owners(program.body), None]
    return [ListingLine(text, owner) for text, owner in zip(lines, owners, strict=True)]


def _owners(block: Block) -> Iterator[Operation]:
    """The operation of each line of a block, in the printer's order."""
    for operation in block.operations:
        yield operation
        for inner in operation.blocks:
            yield from _owners(inner)
            yield operation

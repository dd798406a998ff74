"""Which arrays whose number of rows only a run knows lie in lists of the VM, and which operations are its steps."""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.core import Operation, Program, Value
from ....ir.dynamic_sizes import defined, definers, mentioned
from ....ir.walk import walk_from
from ....ops.sizes import runtime_names
from .row_operations import has_open_rows, needed, split


class RowValues:
    """The arrays that loops and branches carry, and those that operations of the VM make of them or they of those.

    operations: those that may be steps of the VM; loops and branches among them keep the arrays in lists. Where no list
    holds anything these are the ones that say what a size is, or ask for such a size: numbers that the VM knows.
    """

    def __init__(self, program: Program, operations: Sequence[Operation]) -> None:
        self.values: set[Value] = set()
        self.operations: set[Operation] = set()
        self.definers = definers(program.body)
        self._carry(operations)
        candidates = [o for o in operations if needed(o) is not None]
        self._bound = {n for o in candidates if not _touched(o) and not o.blocks for n in defined(o)}
        if self.values:
            self._spread(candidates)
        else:
            self.operations.update(o for o in candidates if not _touched(o) and self._names(o) <= self._bound)

    def _carry(self, operations: Sequence[Operation]) -> None:
        for operation in operations:
            if operation.name in ("if", "for", "while"):
                carried = [*operation.operands, *operation.results]
                for block in operation.blocks:
                    carried += [*block.args, *block.yields]
                self.values.update(v for v in carried if has_open_rows(v.type))

    def _spread(self, candidates: Sequence[Operation]) -> None:
        """One array in a list draws along what is made of it, and what it is made of."""
        changed = True
        while changed:
            changed = False
            for operation in candidates:
                touched = [v for v in _touched(operation) if has_open_rows(v.type)]
                if operation in self.operations or (touched and not any(v in self.values for v in touched)):
                    continue
                self.operations.add(operation)
                self.values.update(touched)
                changed = True

    def words(self, on_host: Sequence[Operation]) -> set[str]:
        """The sizes that steps need as numbers: those of the VM, and those that Python runs."""
        found: set[str] = set()
        for operation in self.operations:
            found |= self._names(operation)
        for operation in on_host:
            found.update(name for o in walk_from(operation) for name in mentioned(o))
        return {name for name in found if name in (self.definers if self.values else self._bound)}

    def _names(self, operation: Operation) -> set[str]:
        """The sizes that the VM's steps of an operation read."""
        places = map(split, needed(operation) or ())
        return {place[0] for place in places if place is not None and place[0] is not None}


def _touched(operation: Operation) -> list[Value]:
    """Its operands and results with sizes that only a run knows."""
    return [v for v in (*operation.operands, *operation.results) if runtime_names(v.type)]

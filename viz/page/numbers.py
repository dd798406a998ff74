"""Operations numbered in the order in which they are met."""

from __future__ import annotations

from ...ir.core import Operation


class Numbers(dict[Operation, int]):
    """A number for each operation, given when it is first asked for."""

    def __missing__(self, operation: Operation) -> int:
        self[operation] = len(self)
        return self[operation]

"""What a trace keeps about the loops that Python counts and the program runs (see converters/rolled.py)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NoReturn

from ...base.errors import CaptureError
from ...base.location import Loc
from ...dygraph.tensor import Tensor
from ...ir.core import Value

LEAST_TRIP_COUNT = 16
LEAST_LEFT = 8  # iterations after one that raised on one path: what follows them would be traced after each


class NotRolled(BaseException):
    """The iterations aren't alike, or it doesn't pay. No `except` clause of the user's may see it."""


class HeldElsewhere(NotRolled):
    """The elements that a loop appends hold tensors that exist besides: rows would be copies of these."""


class Unread:
    """In a list whose elements of earlier iterations nobody may read: a reader makes the loop one that is unrolled."""

    def fork(self, message: str) -> NoReturn:
        """The list is read."""
        raise NotRolled


@dataclass(eq=False, slots=True)
class Rolling:
    """allowed: whether such loops are tried at all. depth: how many are being tried. used: whether one is there.

    raising: the places of `if`s of which one side raises what code around catches. passed: how often one of them was
    met after its paths had been split.
    """

    allowed: bool = True
    depth: int = 0
    used: bool = False
    one_by_one: dict[Any, CaptureError] = field(default_factory=dict)  # why loops that a tensor ends can't be one
    raising: set[Loc] = field(default_factory=set)
    passed: int = 0
    rows: dict[tuple[Value, ...], Tensor] = field(default_factory=dict)  # values that are the rows of a tensor

    def is_long(self, trip_count: int) -> bool:
        """Whether a loop of so many iterations is worth a try."""
        return self.allowed and trip_count >= LEAST_TRIP_COUNT

    def takes(self, trip_count: int) -> bool:
        """Whether a loop of our own code with so many iterations, all alike, is one of the program."""
        self.used |= self.is_long(trip_count)
        return self.is_long(trip_count)

    def stacked(self, elements: Any, values: Any) -> Tensor | None:
        """The tensor whose rows the elements of a list are, in order; None if there is none. values: see `Tracer`."""
        if not self.rows or type(elements) not in (list, tuple) or len(elements) < LEAST_TRIP_COUNT:
            return None
        if not all(type(x) is Tensor for x in elements):
            return None
        found = self.rows.get(tuple(values(x) for x in elements))
        return None if found is None else found.snapshot()

    def forget_unread(self) -> None:
        """Drop the operations of rows that nobody reads."""
        for values in self.rows:
            for value in values:
                while (made := value.operation) is not None and made.parent is not None and not value.uses:
                    if made.name not in ("reshape", "slice") or not made.operands:
                        break  # another one, or one of a piece of code that was given up
                    value = made.operands[0]
                    made.erase()


def refuse_subscript(rolling: Rolling) -> None:
    """A Python list is read at the iteration's number: which element it is is known in each iteration only."""
    if rolling.depth:
        raise NotRolled

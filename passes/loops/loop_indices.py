"""What is known of an index that the turn of a `for` gives: where it lies, and that no two turns have the same."""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.core import Operation, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ops.dims import Dim, DimLike, same_dim


@dataclass(frozen=True, slots=True)
class Place:
    """An integer between `low` and `high`, both included; `slope` 1 or -1: it is some number + slope * turn of `loop`.

    With slope 0 it is the same in all turns of all loops.
    """

    low: DimLike
    high: DimLike
    slope: int = 0
    loop: Operation | None = None

    def lies_in(self, size: DimLike) -> bool:
        """Whether it certainly is an index of an axis of this size, not negative."""
        return _is_natural(self.low) and _is_natural(size - 1 - self.high)

    def goes_through(self, size: DimLike) -> bool:
        """Whether it takes each index of an axis of this size exactly once."""
        return self.slope != 0 and same_dim(self.low, 0) and same_dim(self.high, size - 1)


def _is_natural(dim: DimLike) -> bool:
    return isinstance(dim, int) and dim >= 0


def turns_of(loop: Operation) -> DimLike | None:
    """How often a `for` turns, where that is known before the run."""
    place = place_of(loop.operands[0])
    return None if place is None or place.slope or not same_dim(place.low, place.high) else place.low


def place_of(value: Value) -> Place | None:
    """What is known of an integer without axes; None where nothing is."""
    operation = value.operation
    if operation is None:
        return _of_argument(value)
    if not value.dtype.is_integer or is_dynamic(operation):
        return None
    name, attrs = operation.name, operation.attrs
    if name == "constant" and value.tensor_type.size == 1:
        return _fixed(int(attrs["data"].array.item()))
    if name == "full" and not value.ndim:
        return _fixed(int(attrs["fill_value"]))
    if name == "dim_value":
        return _fixed(attrs["dim"])
    if name == "group":
        return place_of(operation.blocks[0].yields[value.index])
    if name not in ("add", "subtract") or value.ndim:
        return None
    a, b = (place_of(v) for v in operation.operands)
    if a is None or b is None:
        return None
    return _sum(a, b if name == "add" else Place(-b.high, -b.low, -b.slope, b.loop))


def _fixed(number: int | Dim) -> Place:
    return Place(number, number)


def _of_argument(value: Value) -> Place | None:
    block = value.block
    owner = block.parent
    if not isinstance(owner, Operation) or value.block.args[value.index] is not value:
        return None
    if owner.name == "group":
        return place_of(owner.operands[value.index])
    if owner.name != "for" or value.index:
        return None
    count = turns_of(owner)
    return None if count is None else Place(0, count - 1, 1, owner)


def _sum(a: Place, b: Place) -> Place | None:
    if a.slope and b.slope:
        return None  # of two loops, or twice of one
    turning = a if a.slope else b
    return Place(a.low + b.low, a.high + b.high, turning.slope, turning.loop)

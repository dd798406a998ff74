"""The range of an index that depends on the iteration of a `for`: an affine range, whose indices are all different."""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.core import Operation, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ir.known_numbers import literal_number
from ...ops.dims import Dim, DimLike, same_dim


@dataclass(frozen=True, slots=True)
class IndexRange:
    """An integer from `low` to `high`, both included; `slope` 1 or -1: some number + slope * iteration of `loop`.

    With slope 0 it is the same in all iterations of all loops.
    """

    low: DimLike
    high: DimLike
    slope: int = 0
    loop: Operation | None = None

    def lies_in(self, size: DimLike) -> bool:
        """Whether it certainly is an index of an axis of this size, not negative."""
        return _is_natural(self.low) and _is_natural(size - 1 - self.high)

    def never_comes_back(self, size: DimLike) -> bool:
        """Whether all its numbers certainly are different indices of an axis of this size, of which -1 is the last."""
        return self.slope != 0 and _is_natural(size - 1 - (self.high - self.low))

    def goes_through(self, size: DimLike) -> bool:
        """Whether it takes each index of an axis of this size exactly once."""
        return self.slope != 0 and same_dim(self.low, 0) and same_dim(self.high, size - 1)


def _is_natural(dim: DimLike) -> bool:
    return isinstance(dim, int) and dim >= 0


def trip_count_of(loop: Operation) -> DimLike | None:
    """The trip count of a `for`, if it is known before the run."""
    indices = index_range_of(loop.operands[0])
    return None if indices is None or indices.slope or not same_dim(indices.low, indices.high) else indices.low


def index_range_of(value: Value) -> IndexRange | None:
    """What is known of an integer without axes; None where nothing is."""
    operation = value.operation
    if operation is None:
        return _of_argument(value)
    if not value.dtype.is_integer or is_dynamic(operation):
        return None
    name, attrs = operation.name, operation.attrs
    number = literal_number(value)
    if number is not None:
        return _fixed(int(number))
    if name == "dim_value":
        return _fixed(attrs["dim"])
    if name == "group":
        return index_range_of(operation.blocks[0].yields[value.index])
    if not (operation.op.is_sum or operation.op.is_difference) or value.ndim:
        return None
    a, b = (index_range_of(v) for v in operation.operands)
    if a is None or b is None:
        return None
    return _sum(a, b if operation.op.is_sum else IndexRange(-b.high, -b.low, -b.slope, b.loop))


def stays_in(value: Value, size: DimLike) -> bool:
    """Whether an integer without axes certainly is an index of an axis of this size, not negative."""
    limits = limits_of(value)
    return limits is not None and IndexRange(*limits).lies_in(size)


def limits_of(value: Value) -> tuple[DimLike, DimLike] | None:
    """The least and the largest number that an integer may be, from those that its operands may be: `i * n + j` too."""
    known = index_range_of(value)
    if known is not None:
        return known.low, known.high
    operation = value.operation
    if operation is None:
        return _limits_of_argument(value)
    if not value.dtype.is_integer or value.ndim or is_dynamic(operation):
        return None
    if operation.name == "group":
        return limits_of(operation.blocks[0].yields[value.index])
    if not (operation.op.is_sum or operation.name == "multiply"):
        return None
    a, b = (limits_of(v) for v in operation.operands)
    if a is None or b is None:
        return None
    if operation.op.is_sum:
        return a[0] + b[0], a[1] + b[1]
    return (a[0] * b[0], a[1] * b[1]) if _is_natural(a[0]) and _is_natural(b[0]) else None


def _limits_of_argument(value: Value) -> tuple[DimLike, DimLike] | None:
    """Of what a group reads, and of the number of an iteration, where only the trip count's limits are known."""
    owner = value.block.parent
    if not isinstance(owner, Operation):
        return None
    if owner.name == "group":
        return limits_of(owner.operands[value.index])
    if owner.name != "for" or value.index or value.block.args[0] is not value:
        return None
    count = limits_of(owner.operands[0])
    return None if count is None else (0, count[1] - 1)


def _fixed(number: int | Dim) -> IndexRange:
    return IndexRange(number, number)


def _of_argument(value: Value) -> IndexRange | None:
    block = value.block
    owner = block.parent
    if not isinstance(owner, Operation) or value.block.args[value.index] is not value:
        return None
    if owner.name == "group":
        return index_range_of(owner.operands[value.index])
    if owner.name != "for" or value.index:
        return None
    count = trip_count_of(owner)
    return None if count is None else IndexRange(0, count - 1, 1, owner)


def _sum(a: IndexRange, b: IndexRange) -> IndexRange | None:
    if a.slope and b.slope:
        return None  # of two loops, or twice of one
    moving = a if a.slope else b
    return IndexRange(a.low + b.low, a.high + b.high, moving.slope, moving.loop)

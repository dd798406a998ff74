"""Values of all iterations of a loop as rows of one array: the array that holds them already, or a new one."""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.builder import Builder, ahead_of
from ...ir.core import Block, Operation, Value
from ...ops.dims import DimLike, never_negative, product, same_dim, same_shape
from ...ops.op import OPS
from ...ops.types import TensorType
from .loop_indices import IndexRange, index_range_of

MOST_BYTES = 64 << 20  # of an array that is made


@dataclass(frozen=True, slots=True)
class RowArray:
    """The values of all iterations along an axis of an array: each iteration has the piece at `indices`."""

    array: Value
    indices: IndexRange
    axis: int = 0

    def goes_with(self, other: IndexRange) -> bool:
        """Whether the rows come in the order of other rows."""
        return self.indices.slope == other.slope

    def stacked(self, builder: Builder, trip_count: DimLike) -> Value:
        """The values of all iterations along a first axis."""
        rows = to_front(builder, self.array, self.axis)
        shape = rows.tensor_type.shape
        if same_dim(shape[0], trip_count):
            return rows
        attrs = {"starts": (self.indices.low, *(0 for _ in shape[1:])), "sizes": (trip_count, *shape[1:])}
        made: Value = builder.apply(OPS["slice"], (rows,), {**attrs, "strides": (1,) * len(shape)})
        return made

    def joined(self, builder: Builder, trip_count: DimLike) -> Value:
        """The values of all iterations one below another, as a matrix."""
        rows = self.stacked(builder, trip_count)
        shape = rows.tensor_type.shape
        made: Value = builder.apply(OPS["reshape"], (rows,), {"shape": (trip_count * product(shape[1:-1]), shape[-1])})
        return made


def to_front(builder: Builder, array: Value, axis: int) -> Value:
    """The array with an axis moved to the front."""
    if not axis:
        return array
    order = (axis, *(k for k in range(array.ndim) if k != axis))
    made: Value = builder.apply(OPS["transpose"], (array,), {"perm": order})
    return made


def from_front(builder: Builder, array: Value, axis: int) -> Value:
    """The array with its first axis moved to where `axis` is."""
    if not axis:
        return array
    order = (*range(1, axis + 1), 0, *range(axis + 1, array.ndim))
    made: Value = builder.apply(OPS["transpose"], (array,), {"perm": order})
    return made


def is_outside(value: Value, body: Block) -> bool:
    """Whether a value is the same in all iterations."""
    return value.block is not body and not body.encloses(value.block)


def rows_of(loop: Operation, value: Value) -> RowArray | None:
    """Rows that hold what `value` is in each iteration: it comes from an array outside, or goes to a carried one."""
    return _read(loop, value) or next(filter(None, (_written(loop, *use) for use in value.uses)), None)


def _read(loop: Operation, value: Value) -> RowArray | None:
    made = value.operation
    if made is None or made.name != "select" or not is_outside(made.operands[0], loop.blocks[0]):
        return None
    return _at(loop, made.operands[0], made.operands[0], made.operands[1], made.attrs["axis"])


def _written(loop: Operation, user: Operation, number: int) -> RowArray | None:
    body = loop.blocks[0]
    if user.name != "select_update" or number != 1 or user.parent is not body:
        return None
    array, value, index = user.operands
    axis, shape = user.attrs["axis"], array.tensor_type.shape
    if array not in body.args or not same_shape(value.tensor_type.shape, shape[:axis] + shape[axis + 1 :]):
        return None
    if len(array.uses) != 1 or list(user.result.uses) != [(body.terminator, array.index - 1)]:
        return None
    return _at(loop, array, loop.results[array.index - 1], index, axis)


def _at(loop: Operation, array: Value, whole: Value, index: Value, axis: int) -> RowArray | None:
    indices = index_range_of(index)
    if indices is None or indices.loop is not loop or not indices.lies_in(array.tensor_type.shape[axis]):
        return None
    return RowArray(whole, indices, axis)


def may_keep(loop: Operation, value: Value, trip_count: DimLike) -> bool:
    """Whether an array of the value in all iterations may be made: of 64 MiB, or, if its size is known only at run
    time, certainly no larger than what the loop reads row by row.
    """
    size = value.tensor_type.size * trip_count
    if isinstance(size, int):
        return size * value.dtype.itemsize <= MOST_BYTES
    return never_negative(sum(map(_bytes, _values_read(loop)), 0) - _bytes(value))


def _bytes(value: Value) -> DimLike:
    return value.tensor_type.size * value.dtype.itemsize


def _values_read(loop: Operation) -> list[Value]:
    """The rows that each iteration reads from arrays outside."""
    return [o.result for o in loop.blocks[0].operations if o.name == "select" and _read(loop, o.result) is not None]


def keep(loop: Operation, value: Value, trip_count: DimLike, order: IndexRange) -> RowArray:
    """A new carried array that gets the value in each iteration, in the order of other rows."""
    body = loop.blocks[0]
    kind = TensorType(value.dtype, (trip_count, *value.tensor_type.shape))
    attrs = {"shape": kind.shape, "fill_value": 0.0, "dtype": value.dtype}
    loop.add_operand(ahead_of(loop).apply(OPS["full"], (), attrs))
    array, index = body.add_arg(kind), body.args[0]
    inside = Builder(body, before=body.terminator)
    inside.loc = loop.loc
    if order.slope < 0:
        index = inside.apply(OPS["subtract"], (inside.constant(trip_count - 1), index), {})
    changed = inside.apply(OPS["select_update"], (array, value, index), {"axis": 0})
    body.terminator.add_operand(changed)
    return RowArray(loop.add_result(kind), IndexRange(0, trip_count - 1, order.slope, loop))

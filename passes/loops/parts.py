"""Parts of arrays: boxes that slices and selects read and that updates write; a part of a part is a part."""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.core import Operation, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ops.dims import DimLike, same_dim
from ...ops.types import Shape
from ..fusion.fusion_facts import changes_only_ones
from .loop_indices import stays_in


@dataclass(frozen=True, slots=True)
class AxisSpan:
    """`size` elements of an axis from `start` on, in steps of `stride`. With an index it is one, `start` behind the one
    that this names.
    """

    start: DimLike
    size: DimLike
    index: Value | None = None
    stride: int = 1

    def equals(self, other: AxisSpan) -> bool:
        """Whether both certainly are the same elements."""
        same = same_dim(self.start, other.start) and same_dim(self.size, other.size)
        return same and self.index is other.index and self.stride == other.stride

    def is_all_of(self, size: DimLike) -> bool:
        """Whether it certainly is a whole axis of this size."""
        return self.index is None and self.stride == 1 and same_dim(self.start, 0) and same_dim(self.size, size)

    def within(self, outer: AxisSpan, size: DimLike) -> AxisSpan | None:
        """This span of another one, as a span of that one's axis of this size; None where only a run knows."""
        if self.index is None:
            start = outer.start + self.start * outer.stride
            return AxisSpan(start, self.size, outer.index, 1 if outer.index is not None else outer.stride * self.stride)
        if outer.is_all_of(size):
            return self
        if outer.index is not None or outer.stride != 1 or not stays_in(self.index, outer.size):
            return None
        return AxisSpan(outer.start, 1, self.index)


@dataclass(frozen=True, slots=True)
class ArrayPart:
    """A box of an array, a span of each axis.

    axes: which axis of the array each axis of the part is; None: none, it has one element. order: the axes with an
    index, in the order in which a run meets these.
    """

    array: Value
    spans: tuple[AxisSpan, ...]
    axes: tuple[int | None, ...]
    order: tuple[int, ...] = ()

    def at(self, spans: tuple[AxisSpan, ...]) -> ArrayPart | None:
        """A part of this part, with a span of each axis of this one."""
        made, order, shape = list(self.spans), list(self.order), self.array.tensor_type.shape
        for axis, span in zip(self.axes, spans, strict=True):
            if axis is None:
                if not same_dim(span.size, 1) or (span.index is not None and not stays_in(span.index, 1)):
                    return None
                continue
            inner = span.within(made[axis], shape[axis])
            if inner is None:
                return None
            made[axis] = inner
            if span.index is not None:
                order.append(axis)
        return ArrayPart(self.array, tuple(made), self.axes, tuple(order))

    def without(self, axis: int) -> ArrayPart:
        """The same part without one of its axes, of one element."""
        return ArrayPart(self.array, self.spans, self.axes[:axis] + self.axes[axis + 1 :], self.order)

    def equals(self, other: ArrayPart) -> bool:
        """Whether both certainly are the same elements of one array."""
        return self.array is other.array and all(a.equals(b) for a, b in zip(self.spans, other.spans, strict=True))

    def in_shape(self, shape: Shape) -> ArrayPart:
        """The same elements with other axes of one element."""
        sizes = [self.spans[a].size for a in self.axes if a is not None]
        axes = [a for a in self.axes if a is not None]
        wide = iter([a for a, size in zip(axes, sizes, strict=True) if not same_dim(size, 1)])
        return ArrayPart(
            self.array, self.spans, tuple(None if same_dim(d, 1) else next(wide) for d in shape), self.order
        )


def whole(array: Value) -> ArrayPart:
    """All of an array."""
    shape = array.tensor_type.shape
    return ArrayPart(array, tuple(AxisSpan(0, size) for size in shape), tuple(range(len(shape))))


def part_of(array: Value, value: Value) -> ArrayPart | None:
    """Which part of the array a value was read from; None where it was not, or nobody can tell."""
    if value is array:
        return whole(array)
    operation = value.operation
    if operation is None or operation.name not in ("select", "slice", "reshape") or is_dynamic(operation):
        return None
    outer = part_of(array, operation.operands[0])
    if outer is None:
        return None
    if operation.name == "reshape":
        return outer.in_shape(value.tensor_type.shape) if changes_only_ones(operation) else None
    sizes = value.tensor_type.shape
    if operation.name == "select":
        return _selected(outer, operation.operands[0], operation.attrs["axis"], operation.operands[1])
    return _cut(outer, operation, sizes)


def written_by(operation: Operation) -> ArrayPart | None:
    """Which part of its first operand an update replaces; None of other operations."""
    if operation.name not in ("select_update", "slice_update") or is_dynamic(operation):
        return None
    array, value = operation.operands[:2]
    if operation.name == "select_update":
        return _selected(whole(array), array, operation.attrs["axis"], operation.operands[2])
    return _cut(whole(array), operation, value.tensor_type.shape)


def written_inside(part: ArrayPart, value: Value) -> tuple[ArrayPart, Value] | None:
    """The part of a part, and what is put there, where all that changes of it on the way is that."""
    while len(value.uses) == 1 and value.operation is not None and changes_only_ones(value.operation):
        value = value.operation.operands[0]
    change = value.operation
    inner = None if change is None or len(value.uses) != 1 else written_by(change)
    read = None if inner is None else part_of(part.array, inner.array)
    if inner is None or read is None or change is None or not read.equals(part):
        return None
    made = read.at(inner.spans)
    return None if made is None else (made, change.operands[1])


def _selected(outer: ArrayPart, value: Value, axis: int, index: Value) -> ArrayPart | None:
    spans = [AxisSpan(0, size) for size in value.tensor_type.shape]
    spans[axis] = AxisSpan(0, 1, index)
    made = outer.at(tuple(spans))
    return None if made is None else made.without(axis)


def _cut(outer: ArrayPart, operation: Operation, sizes: Shape) -> ArrayPart | None:
    attrs = zip(operation.attrs["starts"], sizes, operation.attrs["strides"], strict=True)
    return outer.at(tuple(AxisSpan(start, size, None, stride) for start, size, stride in attrs))

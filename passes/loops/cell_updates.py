"""Parts of arrays that loops write are written where they lie: `d[i, j] = v` moves one number, not a row.

An assignment to a part of a part is the outer part read from the array, changed, and put back. Here it is one update,
of what changes: of one element of the table as a line, at `i * columns + j`, where all indices are known to be in
range; of a box otherwise. A part at a fixed place that a loop replaces is written as one at an index would be, and
the rest of the table stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from ...base.dtype import int64
from ...ir.builder import Builder, ahead_of
from ...ir.core import Block, Operation, Program, Value
from ...ir.walk import walk
from ...ops.dims import DimLike, product, same_dim, same_shape
from ...ops.op import OPS
from ...ops.types import Shape
from ..fusion.fusion_facts import is_native
from ..manager import Pass
from .loop_indices import stays_in
from .parts import ArrayPart, AxisSpan, written_by, written_inside

_UPDATES = ("select_update", "slice_update", "box_update", "reshape")
SPARSE = 8  # elements of a table for each that is replaced, from which on the piece is written alone
MANY = 8  # updates of one array, one after the other


@dataclass(frozen=True)
class CellUpdates(Pass):
    """Make nested updates of tables of known sizes that loops fill one update, at one index."""

    name = "cell_updates"

    def run(self, program: Program) -> bool:
        changed = False
        for operation in reversed(list(walk(program.body))):
            if operation.parent is not None and not operation.is_terminator:
                changed |= _rewrite(operation, operation.parent)
        return changed


def _is_in_loop(block: Block) -> bool:
    """Whether a block is the body of a loop, or a branch in one."""
    owner = block.parent
    while isinstance(owner, Operation) and owner.name == "if":
        owner = owner.holder
    return isinstance(owner, Operation) and owner.name in ("for", "while")


def _rewrite(operation: Operation, block: Block) -> bool:
    """Whether an update was replaced by one of the part alone that changes."""
    part, value = written_by(operation), operation.operands[1] if len(operation.operands) > 1 else None
    if part is None or value is None or not is_native(operation) or not all(map(_has_elements, part.spans)):
        return False
    is_nested = False
    while (inner := written_inside(part, value)) is not None:
        (part, value), is_nested = inner, True
    if operation.name == "select_update" and not is_nested:
        return False
    if not (part.order and _is_in_loop(block)) and not (_is_sparse(part) and _is_table(part.array)):
        return False
    with ahead_of(operation).active() as builder:
        operation.result.replace_by(_in_line(builder, part, value) or _as_box(builder, part, value))
    operation.erase()
    return True


def _has_elements(span: AxisSpan) -> bool:
    return not isinstance(span.size, int) or span.size > 0


def _is_table(array: Value) -> bool:
    """Whether a loop carries or has filled the array, or many updates precede: what is computed in one sweep may take
    a few updates in passing.
    """
    operation, count = array.operation, 0
    while operation is not None and operation.name in _UPDATES and count < MANY:
        count += operation.name != "reshape"
        array = operation.operands[0]
        operation = array.operation
    is_carried = operation is None and _is_in_loop(array.block)
    return is_carried or count >= MANY or (operation is not None and operation.name in ("for", "while"))


def _is_sparse(part: ArrayPart) -> bool:
    whole, size = part.array.tensor_type.size, product(span.size for span in part.spans)
    return isinstance(whole, int) and isinstance(size, int) and size * SPARSE <= whole


def _in_line(builder: Builder, part: ArrayPart, value: Value) -> Value | None:
    """The updated array, by an update along one axis; None where there is none, or an index may be out of range."""
    shape = part.array.tensor_type.shape
    axes = [k for k, (span, size) in enumerate(zip(part.spans, shape, strict=True)) if not span.is_all_of(size)]
    sizes = [size for size in shape if isinstance(size, int)]
    if not axes or len(sizes) != len(shape) or len(axes) != axes[-1] + 1 - axes[0]:
        return None
    first, end = axes[0], axes[-1] + 1
    spans = part.spans[first:end]
    if not all(same_dim(span.size, 1) and _is_sure(span, sizes[first + k]) for k, span in enumerate(spans)):
        return None
    index = _joined(builder, spans, sizes[first:end])
    made = _in_shape(value, (*shape[:first], *shape[end:]))
    line = _in_shape(part.array, (*shape[:first], prod(sizes[first:end]), *shape[end:]))
    return _in_shape(OPS["select_update"](line, made, index, axis=first), shape)


def _is_sure(span: AxisSpan, size: int) -> bool:
    """Whether its place certainly is one of the axis; behind another start that is known."""
    return span.index is None or not same_dim(span.start, 0) or stays_in(span.index, size)


def _as_box(builder: Builder, part: ArrayPart, value: Value) -> Value:
    """The updated array, by an update of a box."""
    given = [_place(builder, part.spans[axis]) for axis in part.order]
    starts = tuple(0 if span.index is not None else span.start for span in part.spans)
    strides = tuple(span.stride for span in part.spans)
    made = _in_shape(value, tuple(span.size for span in part.spans))
    updated: Value = OPS["box_update"](part.array, made, given, axes=part.order, starts=starts, strides=strides)
    return updated


def _place(builder: Builder, span: AxisSpan) -> Value:
    """Where along an axis a span with an index lies."""
    index = span.index
    assert index is not None
    if same_dim(span.start, 0):
        return index
    moved: Value = OPS["add"](_long(index), builder.constant(span.start, int64))
    return moved


def _long(index: Value) -> Value:
    return index if index.dtype is int64 else OPS["cast"](index, int64)


def _joined(builder: Builder, spans: Sequence[AxisSpan], sizes: Sequence[int]) -> Value:
    """The index along axes that are joined."""
    total: Value | None = None
    known: DimLike = 0
    for k, span in enumerate(spans):
        step = prod(sizes[k + 1 :])
        known = known + span.start * step
        if span.index is not None:
            number = _long(span.index)
            number = number if step == 1 else OPS["multiply"](number, builder.constant(step, int64))
            total = number if total is None else OPS["add"](total, number)
    if total is None:
        return builder.constant(known, int64)
    return total if same_dim(known, 0) else OPS["add"](total, builder.constant(known, int64))


def _in_shape(value: Value, shape: Shape) -> Value:
    while value.operation is not None and value.operation.name == "reshape":
        value = value.operation.operands[0]
    return value if same_shape(value.tensor_type.shape, shape) else OPS["reshape"](value, shape)

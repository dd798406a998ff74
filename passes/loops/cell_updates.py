"""Cells of tables that loops fill are written where they lie: `d[i, j] = v` moves one number, not a row.

An assignment to a cell is a row read from the table, an element of it replaced, and the row put back. Where all indices
are known to be in range it is one element of the table as a line, at `i * columns + j`. A row or column at a fixed
place that a loop replaces is written as one at an index would be, and the rest of the table stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

from ...base.dtype import int64
from ...ir.builder import Builder, ahead_of
from ...ir.core import Block, Operation, Program, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ir.walk import walk
from ...ops.dims import same_shape
from ...ops.op import OPS
from ..manager import Pass
from .loop_indices import stays_in

Place: TypeAlias = Value | int

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


@dataclass(frozen=True, slots=True)
class _Update:
    """`value` put into an array at one index of each of some axes, all of its other axes whole."""

    array: Value
    value: Value
    places: Mapping[int, Place] = field(default_factory=dict)


def _is_in_loop(block: Block) -> bool:
    owner = block.parent
    return isinstance(owner, Operation) and owner.name in ("for", "while")


def _rewrite(operation: Operation, block: Block) -> bool:
    """Whether an update was replaced by one at a single index."""
    update = _update_of(operation)
    if update is None:
        return False
    while (inner := _inside(update)) is not None:
        update = inner
    if operation.name == "select_update" and len(update.places) == 1:
        return False
    moves = any(isinstance(place, Value) for place in update.places.values())
    if not (moves and _is_in_loop(block)) and not (_is_sparse(update) and _is_table(update, block)):
        return False
    made = _written(operation, update)
    if made is None:
        return False
    operation.result.replace_by(made)
    operation.erase()
    return True


def _update_of(operation: Operation) -> _Update | None:
    """What an operation does, if that is an update of whole axes but for single places."""
    if operation.name not in ("select_update", "slice_update") or is_dynamic(operation):
        return None
    array, value = operation.operands[:2]
    if not all(isinstance(size, int) and size for size in array.tensor_type.shape):
        return None
    if operation.name == "select_update":
        return _Update(array, value, {operation.attrs["axis"]: operation.operands[2]})
    places = _box(array, value.tensor_type.shape, operation)
    return _Update(array, value, places) if places else None


def _box(array: Value, sizes: tuple[object, ...], operation: Operation) -> dict[int, Place] | None:
    """The places along axes of which a box has one element; None where it has some elements of an axis, not all."""
    places: dict[int, Place] = {}
    starts, strides = operation.attrs["starts"], operation.attrs["strides"]
    for axis, (size, whole) in enumerate(zip(sizes, array.tensor_type.shape, strict=True)):
        if strides[axis] != 1 or not isinstance(starts[axis], int):
            return None
        if size == 1:
            places[axis] = starts[axis]
        elif size != whole or starts[axis]:
            return None
    return places


def _inside(update: _Update) -> _Update | None:
    """The update with the one in it, where its value is what lay there before, changed at places."""
    change = update.value.operation
    inner = None if change is None or len(update.value.uses) != 1 else _update_of(change)
    read = None if inner is None else inner.array.operation
    if inner is None or read is None or read.name not in ("select", "slice"):
        return None
    if read.operands[0] is not update.array or not _is_same_place(read, update):
        return None
    axes = list(range(update.array.ndim))
    if read.name == "select":
        axes.remove(read.attrs["axis"])
    inner_places = {axes[k]: place for k, place in inner.places.items() if axes[k] not in update.places}
    if any(axes[k] in update.places and place != 0 for k, place in inner.places.items()):
        return None  # of an axis of one element that was cut out
    return _Update(update.array, inner.value, {**update.places, **inner_places})


def _is_same_place(read: Operation, update: _Update) -> bool:
    """Whether a part of an array was read where it is put back."""
    if read.name == "select":
        return update.places == {read.attrs["axis"]: read.operands[1]}
    return update.places == _box(read.operands[0], read.result.tensor_type.shape, read)


def _is_table(update: _Update, block: Block) -> bool:
    """Whether a loop carries or has filled the array, or many updates precede: what is computed in one sweep may take
    a few updates in passing.
    """
    operation, count = update.array.operation, 0
    while operation is not None and operation.name in ("select_update", "slice_update", "reshape"):
        count += operation.name != "reshape"
        operation = operation.operands[0].operation
    is_carried = operation is None and _is_in_loop(block)
    return is_carried or count >= MANY or (operation is not None and operation.name in ("for", "while"))


def _is_sparse(update: _Update) -> bool:
    whole, part = update.array.tensor_type.size, update.value.tensor_type.size
    return isinstance(whole, int) and isinstance(part, int) and part * SPARSE <= whole


def _written(operation: Operation, update: _Update) -> Value | None:
    """The updated array, by an update along one axis; None where there is none, or an index may be out of range."""
    shape, axes = update.array.tensor_type.shape, sorted(update.places)
    first, end = axes[0], axes[-1] + 1
    sizes = [size for size in shape if isinstance(size, int)]
    if len(axes) != end - first:
        return None
    if not all(isinstance(place, int) or stays_in(place, sizes[axis]) for axis, place in update.places.items()):
        return None
    rest = (*shape[:first], *shape[end:])
    with ahead_of(operation).active() as builder:
        index = _joined(builder, [update.places[axis] for axis in axes], sizes[first:end])
        value = _in_shape(update.value, rest)
        line = _in_shape(update.array, (*shape[:first], prod(sizes[first:end]), *shape[end:]))
        return _in_shape(OPS["select_update"](line, value, index, axis=first), shape)


def _joined(builder: Builder, places: list[Place], sizes: list[int]) -> Value:
    """The index along axes that are joined."""
    total: Value | None = None
    known = 0
    for k, place in enumerate(places):
        step = prod(sizes[k + 1 :])
        if isinstance(place, int):
            known += place * step
            continue
        number = place if place.dtype is int64 else OPS["cast"](place, int64)
        number = number if step == 1 else OPS["multiply"](number, builder.constant(step, int64))
        total = number if total is None else OPS["add"](total, number)
    if total is None:
        return builder.constant(known, int64)
    return OPS["add"](total, builder.constant(known, int64)) if known else total


def _in_shape(value: Value, shape: tuple[object, ...]) -> Value:
    return value if same_shape(value.tensor_type.shape, shape) else OPS["reshape"](value, shape)  # type: ignore[arg-type]

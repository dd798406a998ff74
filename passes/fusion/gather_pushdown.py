"""Few elements are picked before work on every element is done, not after: a loss reads one number of each row."""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.core import Operation, Program, Value
from ...ir.walk import walk
from ...ops.dims import same_dim, same_shape
from ...ops.lowering import Scalar
from ...ops.op import OPS
from ...ops.types import TensorType
from ..manager import Pass

LARGEST_SHARE = 16  # one in so many elements at most is picked: then doing the work twice costs little


@dataclass(frozen=True)
class GatherPushdown(Pass):
    """`take_along_axis(f(x, y), i)` becomes `f(take_along_axis(x, i), …)` for an elementwise f, so that
    f(x, y) need not be stored to be picked from.

    Values stay to the bit: the same operations on the same numbers, only fewer of them.
    """

    name = "gather_pushdown"

    def run(self, program: Program) -> bool:
        changed = False
        picks = [o for o in walk(program.body) if o.name == "take_along_axis"]
        while picks:
            made = _earlier(picks.pop())
            changed |= made is not None
            picks += made or []
        return changed


def _earlier(pick: Operation) -> list[Operation] | None:
    """Pick from the operands instead; the new picks, or None where that can't be done or doesn't pay."""
    source, index = pick.operands
    work, block, axis = source.operation, pick.parent, pick.attrs["axis"]
    if work is None or block is None or work.parent is not block:
        return None
    if not isinstance(work.op.lowering, Scalar) or not _is_small(source, pick.result, axis):
        return None
    if not all(_is_picked(v, source) or _is_row(v, source, axis) for v in work.operands):
        return None
    place, made = block.operations.index(pick), []
    operands: list[Value] = []
    for value in work.operands:
        if not _is_picked(value, source):
            operands.append(value)
            continue
        kind = TensorType(value.dtype, pick.result.shape)
        operation = Operation(OPS["take_along_axis"], [value, index], dict(pick.attrs), [kind], [], pick.loc)
        operands.append(block.insert(place, operation).result)
        made.append(operation)
        place += 1
    kind = TensorType(source.dtype, pick.result.shape)
    result = block.insert(place, Operation(work.op, operands, dict(work.attrs), [kind], [], work.loc)).result
    pick.result.replace_by(result)
    pick.erase()
    if not source.uses:
        work.erase()
    return made


def _is_small(source: Value, picked: Value, axis: int) -> bool:
    """Whether the indices pick few elements along one axis and go through all the others."""
    outer, inner = source.tensor_type.shape, picked.tensor_type.shape
    if len(outer) != len(inner) or not isinstance(inner[axis], int) or not isinstance(outer[axis], int):
        return False
    others = all(same_dim(m, n) for k, (m, n) in enumerate(zip(outer, inner, strict=True)) if k != axis)
    few, all_of = inner[axis], outer[axis]
    assert isinstance(few, int)
    assert isinstance(all_of, int)
    return others and few * LARGEST_SHARE <= all_of


def _is_picked(value: Value, source: Value) -> bool:
    """Whether an operand has an element for each one of the result."""
    return same_shape(value.tensor_type.shape, source.tensor_type.shape)


def _is_row(value: Value, source: Value, axis: int) -> bool:
    """Whether an operand is the same for all elements along the axis, so that it fits what is picked."""
    shape, outer = value.tensor_type.shape, source.tensor_type.shape
    padded = (1,) * (len(outer) - len(shape)) + tuple(shape)
    return (
        len(shape) <= len(outer)
        and same_dim(padded[axis], 1)
        and all(same_dim(m, 1) or same_dim(m, n) for m, n in zip(padded, outer, strict=True))
    )

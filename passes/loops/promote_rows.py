"""Loops over rows of arrays: what one loop keeps for another lies in an array; rows read once are read where they are.

The gradient of a loop empties lists that the loop has filled. If the trip count is known before the run, a list is
an array with a row for each iteration: the plan knows its memory, kernels write and read the rows where they lie.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.builder import ahead_of
from ...ir.core import Block, Operation, Program, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ir.walk import walk
from ...ops.dims import DimLike, same_dim
from ...ops.op import OPS
from ...ops.types import TensorType
from ..manager import Pass
from .loop_indices import index_range_of, trip_count_of


@dataclass(frozen=True)
class PromoteRows(Pass):
    """Make an array of a list that each iteration of one `for` adds to and each iteration of another takes from. And
    where a loop reads a row of an array, then replaces it, and no iteration comes back to it: let it read the array as
    it was before.
    """

    name = "promote_rows"

    def run(self, program: Program) -> bool:
        changed = False
        for operation in list(walk(program.body)):
            if operation.name == "list_new" and operation.parent is not None:
                changed |= _make_array(operation)
            elif operation.name == "for":
                for k in range(len(operation.results)):
                    changed |= _read_before(operation, k) or _replace_zeros(operation, k)
        return changed


@dataclass(frozen=True, slots=True)
class _Path:
    """Where a list goes: carried as number `filled` through one loop, as number `emptied` through another."""

    fill: Operation
    filled: int
    push: Operation
    empty: Operation
    emptied: int
    pop: Operation
    trip_count: DimLike


def _only_use(value: Value) -> tuple[Operation, int] | None:
    return next(iter(value.uses)) if len(value.uses) == 1 else None


def _in_loop(value: Value, block: Block | None, name: str) -> tuple[Operation, int, Operation] | None:
    """The `for` of a block to which alone a list goes, its number there, and the one operation on it in the body."""
    use = _only_use(value)
    if use is None or use[0].name != "for" or use[0].parent is not block or not use[1]:
        return None
    loop, k = use[0], use[1] - 1
    inner = _only_use(loop.blocks[0].args[k + 1])
    if inner is None or inner[0].name != name or inner[1] or inner[0].parent is not loop.blocks[0]:
        return None
    handed = _only_use(inner[0].results[0])
    return (loop, k, inner[0]) if handed == (loop.blocks[0].terminator, k) else None


def _path(new: Operation) -> _Path | None:
    first = _in_loop(new.result, new.parent, "list_push")
    second = None if first is None else _in_loop(first[0].results[first[1]], new.parent, "list_pop")
    if first is None or second is None or second[0].results[second[1]].uses or is_dynamic(first[2]):
        return None
    trip_count, others = trip_count_of(first[0]), trip_count_of(second[0])
    if (
        trip_count is None
        or others is None
        or not same_dim(trip_count, others)
        or (isinstance(trip_count, int) and trip_count < 1)
    ):
        return None
    return _Path(*first, *second, trip_count)


def _make_array(new: Operation) -> bool:
    path = _path(new)
    if path is None:
        return False
    value = path.push.operands[1]
    kind = TensorType(value.dtype, (path.trip_count, *value.tensor_type.shape))
    nothing = False if value.dtype.is_bool else 0.0 if value.dtype.is_floating else 0
    blank = ahead_of(path.fill).apply(
        OPS["full"], (), {"shape": kind.shape, "fill_value": nothing, "dtype": value.dtype}
    )
    path.fill.set_operand(path.filled + 1, blank)
    body = path.fill.blocks[0]
    array, result = body.args[path.filled + 1], path.fill.results[path.filled]
    array.type = result.type = kind
    changed = ahead_of(path.push).apply(OPS["select_update"], (array, value, body.args[0]), {"axis": 0})
    path.push.results[0].replace_by(changed)
    path.push.erase()
    path.empty.set_operand(path.emptied + 1, new.result)
    builder = ahead_of(path.pop)
    last = builder.constant(path.trip_count - 1)
    index = builder.apply(OPS["subtract"], (last, path.empty.blocks[0].args[0]), {})
    path.pop.results[1].replace_by(builder.apply(OPS["select"], (result, index), {"axis": 0}))
    path.pop.results[0].replace_by(path.pop.operands[0])
    path.pop.erase()  # the list stays empty
    return True


def _read_before(loop: Operation, k: int) -> bool:
    """Rows that an iteration reads, then replaces, and that nobody reads later are those of the array at the start."""
    body, start = loop.blocks[0], loop.operands[k + 1]
    array, change = body.args[k + 1], body.yields[k].operation
    if change is None or change.name != "select_update" or change.parent is not body or change.operands[0] is not array:
        return False
    index, axis = change.operands[2], change.attrs["axis"]
    indices = index_range_of(index)
    if indices is None or indices.loop is not loop or not indices.never_comes_back(array.shape[axis]):
        return False
    if len(change.result.uses) != 1:
        return False
    reads = [user for user, _ in array.uses if user is not change]
    if not reads or not all(_is_row(o, index, axis) for o in reads):
        return False
    later = [user for user, _ in loop.results[k].uses]
    if not all(_is_another_row(o, axis, indices.low, indices.high) for o in later):
        return False
    for operation in (*reads, *later):
        operation.set_operand(0, start)
    return True


def _replace_zeros(loop: Operation, k: int) -> bool:
    """A row added to zeros, to which no iteration comes back, replaces them."""
    body, start = loop.blocks[0], loop.operands[k + 1].operation
    array, change = body.args[k + 1], body.yields[k].operation
    if change is None or change.name != "select_add" or list(array.uses) != [(change, 0)] or change.parent is not body:
        return False
    indices = index_range_of(change.operands[2])
    if (
        start is None
        or start.name != "full"
        or start.attrs["fill_value"] != 0
        or indices is None
        or indices.loop is not loop
        or not indices.never_comes_back(array.shape[change.attrs["axis"]])
    ):
        return False
    change.results[0].replace_by(
        ahead_of(change).apply(OPS["select_update"], tuple(change.operands), dict(change.attrs))
    )
    change.erase()
    return True


def _is_row(operation: Operation, index: Value, axis: int) -> bool:
    return operation.name == "select" and operation.operands[1] is index and operation.attrs["axis"] == axis


def _is_another_row(operation: Operation, axis: int, low: DimLike, high: DimLike) -> bool:
    """Whether it reads one row, whose number is known and not among these."""
    if operation.name != "select" or operation.attrs["axis"] != axis:
        return False
    indices = index_range_of(operation.operands[1])
    if indices is None or not isinstance(indices.low, int) or not isinstance(indices.high, int):
        return False
    return (
        indices.low >= 0
        and isinstance(low, int)
        and isinstance(high, int)
        and low >= 0
        and (indices.high < low or indices.low > high)
    )

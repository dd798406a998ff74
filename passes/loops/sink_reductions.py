"""Sums over iterations that no iteration reads are computed after the loop: the gradient of a weight is one matmul.

A loop's gradient adds x_t^T @ g_t to the gradient of a weight in every iteration: a thin matmul, and an addition as
large as the weight. After the loop it is one matmul of all rows x and all rows g, which adds in registers. Most of
these rows lie in arrays already: residuals of the forward loop, and the gradients of inputs; other rows get an array.
Matmuls of rows that come from an array are one matmul before the loop, and those whose results only fill rows of an
array are one after it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.builder import ahead_of, behind
from ...ir.core import Block, Operation, Program, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ir.walk import walk
from ...ops.dims import DimLike, same_dim, same_shape
from ...ops.op import OPS
from ..manager import Pass
from .loop_indices import IndexRange, index_range_of, trip_count_of
from .row_arrays import RowArray, from_front, is_outside, keep, may_keep, rows_of

MOST_GROWTH = 8  # of rows by a matmul before the loop, if the trip count is known only at run time


@dataclass(frozen=True)
class SinkReductions(Pass):
    """A carried sum `s + x^T @ y`, or `s + sum(y, 0)`, that is read only after a `for` becomes one matmul, or one
    sum, of the rows of all iterations. Reassociates it (stated bounds: docs/limitations.md). `x[t] @ w` becomes a row
    of `x @ w`, computed before the loop; rows `y @ w` that only an array takes are computed after it.
    """

    name = "sink_reductions"

    def run(self, program: Program) -> bool:
        changed = False
        for operation in list(walk(program.body)):
            trip_count = trip_count_of(operation) if operation.name == "for" else None
            if trip_count is None or (isinstance(trip_count, int) and trip_count < 1):
                continue
            for inner in list(operation.blocks[0].operations):
                changed |= inner.op.is_contraction and _multiply_before(operation, inner, trip_count)
            for k in range(len(operation.results)):
                changed |= _sum_behind(operation, k, trip_count) or _multiply_behind(operation, k, trip_count)
        return changed


def _multiply_before(loop: Operation, matmul: Operation, trip_count: DimLike) -> bool:
    """A row of an array times a matrix that stays: a row of their matrix product."""
    x, y = matmul.operands
    rows = rows_of(loop, x)
    if rows is None or not is_outside(rows.array, loop.blocks[0]) or rows.array in loop.results:
        return False
    if not _is_by_matrix(loop, matmul) or is_dynamic(matmul):
        return False
    if not may_keep(loop, matmul.result, trip_count) and not _grows_little(matmul.result, x, trip_count):
        return False
    builder = ahead_of(loop)
    whole = builder.apply(matmul.op, (rows.stacked(builder, trip_count), y), dict(matmul.attrs))
    assert x.operation is not None
    inside = ahead_of(matmul)
    index = x.operation.operands[1]
    if not same_dim(rows.indices.low, 0):
        index = inside.apply(OPS["subtract"], (index, inside.constant(rows.indices.low)), {})
    matmul.result.replace_by(inside.apply(OPS["select"], (whole, index), {"axis": 0}))
    matmul.erase()
    return True


def _is_by_matrix(loop: Operation, matmul: Operation) -> bool:
    """Whether it is a matrix of the iteration times one that is the same in all."""
    x, y = matmul.operands
    flat = x.ndim == y.ndim == 2 and not matmul.attrs["transpose_x"] and x.dtype.is_floating
    return flat and is_outside(y, loop.blocks[0])


def _grows_little(made: Value, row: Value, trip_count: DimLike) -> bool:
    if isinstance(made.tensor_type.size * trip_count, int):
        return False
    growth = (made.shape[-1], row.shape[-1])
    return all(isinstance(n, int) for n in growth) and growth[0] <= MOST_GROWTH * growth[1]


def _multiply_behind(loop: Operation, k: int, trip_count: DimLike) -> bool:
    """Matmuls whose results only fill an array become one matmul of all rows."""
    body = loop.blocks[0]
    array, change = body.args[k + 1], body.yields[k].operation
    if change is None or change.name != "select_update" or list(array.uses) != [(change, 0)]:
        return False
    matmul, indices, axis = change.operands[1].operation, index_range_of(change.operands[2]), change.attrs["axis"]
    if matmul is None or not matmul.op.is_contraction or matmul.parent is not body or len(matmul.result.uses) != 1:
        return False
    if indices is None or indices.loop is not loop or not indices.lies_in(array.shape[axis]):
        return False
    if len(change.result.uses) != 1 or not _is_by_matrix(loop, matmul) or is_dynamic(matmul):
        return False
    shape = array.shape[:axis] + array.shape[axis + 1 :]
    rows = rows_of(loop, matmul.operands[0])
    known = rows if rows is not None and rows.goes_with(indices) else None
    if not same_shape(matmul.result.shape, shape) or (
        known is None and not may_keep(loop, matmul.operands[0], trip_count)
    ):
        return False
    factor = known or keep(loop, matmul.operands[0], trip_count, indices)
    builder = behind(loop)
    whole = builder.apply(matmul.op, (factor.joined(builder, trip_count), matmul.operands[1]), dict(matmul.attrs))
    whole = builder.apply(OPS["reshape"], (whole,), {"shape": (trip_count, *shape)})
    whole = from_front(builder, whole, axis)
    if not indices.goes_through(array.shape[axis]):
        starts = tuple(indices.low if n == axis else 0 for n in range(array.ndim))
        attrs = {"starts": starts, "strides": (1,) * array.ndim}
        whole = builder.apply(OPS["slice_update"], (loop.operands[k + 1], whole), attrs)
    loop.results[k].replace_by(whole)
    body.terminator.set_operand(k, array)
    return True


def _sum_behind(loop: Operation, k: int, trip_count: DimLike) -> bool:
    """Take one carried sum out of a loop."""
    body = loop.blocks[0]
    term = _term(body, k)
    if term is None or is_dynamic(term):
        return False
    known = [rows_of(loop, value) for value in term.operands]
    order = next((rows.indices for rows in known if rows is not None), IndexRange(0, trip_count - 1, 1, loop))
    kept: list[RowArray | None] = [rows if rows is not None and rows.goes_with(order) else None for rows in known]
    pairs = list(zip(term.operands, kept, strict=True))
    if not all(rows is not None or may_keep(loop, value, trip_count) for value, rows in pairs):
        return False
    found = [rows or keep(loop, value, trip_count, order) for value, rows in pairs]
    builder = behind(loop)
    builder.loc = term.loc
    factors = tuple(rows.joined(builder, trip_count) for rows in found)
    attrs = {"axis": (0,), "keepdim": False} if term.name == "sum" else dict(term.attrs)
    made = builder.apply(term.op, factors, attrs)
    start = loop.operands[k + 1]
    if start.operation is None or start.operation.name != "full" or start.operation.attrs["fill_value"] != 0:
        made = builder.apply(OPS["add"], (start, made), {})
    loop.results[k].replace_by(made)
    body.terminator.set_operand(k, body.args[k + 1])
    return True


def _term(body: Block, k: int) -> Operation | None:
    """What each iteration adds to a carried sum that it doesn't read: a flat matmul, or a sum over the first axes."""
    total, array = body.yields[k], body.args[k + 1]
    made = total.operation
    if made is None or not made.op.is_sum or made.parent is not body or len(total.uses) != 1 or len(array.uses) != 1:
        return None
    if array not in made.operands or made.operands[0] is made.operands[1]:
        return None
    value = made.operands[1 if made.operands[0] is array else 0]
    term = value.operation
    if term is None or term.parent is not body or not value.dtype.is_floating:
        return None
    if not all(_is_only_added(user, body) for user, _ in value.uses):
        return None
    if not same_shape(value.tensor_type.shape, array.tensor_type.shape):
        return None
    return term if _is_matmul(term) or _is_sum(term) else None


def _is_only_added(user: Operation, body: Block) -> bool:
    """Whether an operation is a sum that goes on to the next iteration, or that nobody reads any more."""
    readers = {reader for reader, _ in user.result.uses} if user.op.is_sum else {user}
    return user.parent is body and readers <= {body.terminator}


def _is_matmul(term: Operation) -> bool:
    if not term.op.is_contraction or not term.attrs["transpose_x"] or term.attrs["transpose_y"]:
        return False
    return all(v.ndim == 2 for v in term.operands)


def _is_sum(term: Operation) -> bool:
    """A sum over all axes but the last."""
    if term.name != "sum" or term.operands[0].dtype is not term.result.dtype:
        return False
    rank = term.operands[0].ndim
    return rank > 1 and not term.attrs["keepdim"] and tuple(term.attrs["axis"]) == tuple(range(rank - 1))

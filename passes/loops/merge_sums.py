"""Sums of many small parts become one array: what the gradient of an unrolled loop adds up piece by piece.

A gradient of `x[t]` is zeros with one piece filled in, and the sum of T of them costs T times the whole array; as a
concat it costs the array once, mostly nothing, since pieces are computed where they belong. The gradient of a weight is
a sum of T matmuls `x_t^T @ g_t`, each as large as the weight; one matmul of the stacked factors adds in registers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...ir.builder import insert_before
from ...ir.core import Block, Operation, Program, Value
from ...ir.walk import walk
from ...ops.create import ArrayData
from ...ops.dims import same_dim, same_shape
from ...ops.op import OPS
from ..fusion.fusion_facts import alias_offset, is_map
from ..manager import Pass
from .carried_sums import merge_carried_sums

MANY_PIECES = 8  # from so many on, a copy of each piece is cheaper than asking at each element which piece it is in
MANY_MATMULS = 4  # two or three matmuls accumulate in place as well
ASSUMED = 64  # rows of a factor whose number is open


@dataclass(frozen=True)
class MergeSums(Pass):
    """Sums of zeros with pieces filled in become a concat; sums of matmuls x^T @ y become one matmul of concats.

    Reassociates the sum of matmuls (stated bounds: docs/limitations.md).
    """

    name = "merge_sums"

    def run(self, program: Program) -> bool:
        changed = False
        for operation in list(walk(program.body)):
            if operation.name == "for":
                changed |= merge_carried_sums(operation)
        for operation in list(walk(program.body)):
            if operation.op.is_sum and operation.parent is not None and not _is_part_of_sum(operation):
                changed |= _merge(operation)
        for operation in list(walk(program.body)):
            if operation.op.is_sum and operation.parent is not None:
                changed |= _add_in_place(operation) or _add_row_of_a_loop(operation)
        return changed


def _add_in_place(total: Operation) -> bool:
    """`x + zeros with v added at i` -> x with v added at i: the gradient of `x[t]` touches one row per iteration."""
    for term, rest in (total.operands, reversed(total.operands)):
        made = term.operation
        if made is None or made.name != "select_add" or len(term.uses) != 1 or made.parent is not total.parent:
            continue
        base = made.operands[0].operation
        if base is None or base.name != "full" or base.attrs["fill_value"] != 0:
            continue
        if rest.operation is base or not same_shape(rest.tensor_type.shape, total.result.tensor_type.shape):
            continue
        total.result.replace_by(insert_before(total, OPS["select_add"], [rest, *made.operands[1:]], dict(made.attrs)))
        _erase_sum(total)
        return True
    return False


def _add_row_of_a_loop(total: Operation) -> bool:
    """`x + zeros with one row filled in`, x from a loop: added to that row of x in its memory, which the loop has left.

    The first iteration of a loop that Python counts stands before it, so that the loop's gradient lacks one row.
    """
    for term, rest in (total.operands, reversed(total.operands)):
        piece = _piece(term, total.parent)
        loop = rest.operation
        if piece is None or loop is None or not loop.blocks or len(rest.uses) != 1 or piece.stop != piece.start + 1:
            continue
        if not same_shape(rest.tensor_type.shape, total.result.tensor_type.shape):
            continue
        shape = piece.value.tensor_type.shape
        row = insert_before(
            total, OPS["reshape"], [piece.value], {"shape": shape[: piece.axis] + shape[piece.axis + 1 :]}
        )
        index = insert_before(total, OPS["constant"], [], {"data": ArrayData(np.array(piece.start))})
        total.result.replace_by(insert_before(total, OPS["select_add"], [rest, row, index], {"axis": piece.axis}))
        _erase_sum(total)
        return True
    return False


def _is_part_of_sum(operation: Operation) -> bool:
    """Whether the only use of a sum is in another sum of its block."""
    uses = operation.result.uses
    return len(uses) == 1 and _continues(next(iter(uses))[0], operation.result)


def _continues(user: Operation, value: Value) -> bool:
    producer = value.operation
    return (
        user.op.is_sum
        and producer is not None
        and user.parent is producer.parent
        and same_shape(user.result.tensor_type.shape, value.tensor_type.shape)
    )


def _merge(total: Operation) -> bool:
    """Rewrite one whole sum."""
    terms = _terms(total)
    pieces = _groups([_piece(v, total.parent) for v in terms])
    matmuls = _groups([_matmul(v, total.parent) for v in terms])
    made: list[Value] = []
    gone: set[Value] = set()
    for found in pieces:
        tiling = _tiling(total, [p for p in found if isinstance(p, _Piece)])
        if tiling is not None:
            made.append(_concat(total, tiling, tiling[0].axis))
            gone.update(p.term for p in tiling)
    for found in matmuls:
        factors = [p for p in found if isinstance(p, _Matmul)]
        if len(factors) >= MANY_MATMULS and all(p.is_flat for p in factors):
            made.append(_stacked_matmul(total, factors))
            gone.update(p.term for p in factors)
    if not made:
        return False
    parts = iter([*made, *(v for v in terms if v not in gone)])
    result = next(parts)
    for part in parts:
        result = insert_before(total, OPS["add"], [result, part], {})
    result.hint = total.result.hint
    total.result.replace_by(result)
    _erase_sum(total)
    return True


def _terms(total: Operation) -> list[Value]:
    """What is added up, from left to right."""
    found: list[Value] = []
    stack = [total.operands[1], total.operands[0]]
    while stack:
        value = stack.pop()
        inner = value.operation
        if inner is not None and inner.op.is_sum and _is_part_of_sum(inner) and inner.parent is total.parent:
            stack += [inner.operands[1], inner.operands[0]]
        else:
            found.append(value)
    return found


@dataclass(frozen=True, slots=True)
class _Piece:
    """A term that is zero but for `value`, which lies `start` along `axis` and fills all other axes."""

    term: Value
    value: Value
    axis: int
    start: int

    @property
    def kind(self) -> tuple[object, ...]:
        return ("piece", self.axis)

    @property
    def stop(self) -> int:
        size = self.value.tensor_type.shape[self.axis]
        assert isinstance(size, int)
        return self.start + size


@dataclass(frozen=True, slots=True)
class _Matmul:
    """A term x^T @ y of two matrices."""

    term: Value
    x: Value
    y: Value

    @property
    def kind(self) -> tuple[object, ...]:
        return ("matmul",)

    @property
    def is_flat(self) -> bool:
        """Whether copying both factors costs less than writing their result and reading it again."""
        m, k, n = (*self.x.tensor_type.shape, self.y.tensor_type.shape[1])
        rows = m if isinstance(m, int) else ASSUMED
        return isinstance(k, int) and isinstance(n, int) and rows * (k + n) <= 2 * k * n


def _piece(value: Value, block: Block | None) -> _Piece | None:
    operation = _own_term(value, block, lambda o: o.name == "slice_update")
    if operation is None or set(operation.attrs["strides"]) - {1}:
        return None
    base, piece = operation.operands
    starts = operation.attrs["starts"]
    if base.operation is None or base.operation.name != "full" or base.operation.attrs["fill_value"] != 0:
        return None
    outer, inner = value.tensor_type.shape, piece.tensor_type.shape
    axes = [k for k in range(len(outer)) if not same_dim(outer[k], inner[k])]
    if len(axes) != 1 or not all(isinstance(n, int) for n in (outer[axes[0]], inner[axes[0]], *starts)):
        return None
    return _Piece(value, piece, axes[0], starts[axes[0]])


def _matmul(value: Value, block: Block | None) -> _Matmul | None:
    operation = _own_term(value, block, lambda o: o.op.is_contraction)
    if operation is None or not operation.attrs["transpose_x"] or operation.attrs["transpose_y"]:
        return None
    x, y = operation.operands
    return _Matmul(value, x, y) if x.ndim == y.ndim == 2 and value.dtype.is_floating else None


def _own_term(value: Value, block: Block | None, is_wanted: Callable[[Operation], bool]) -> Operation | None:
    """The wanted operation behind a term, if nobody else reads its result; gradients have been taken by now."""
    operation = value.operation
    while operation is not None and operation.parent is block and len(operation.results[0].uses) == 1:
        if is_wanted(operation):
            return operation
        if not operation.op.detaches:
            return None
        operation = operation.operands[0].operation
    return None


def _groups(found: Sequence[_Piece | _Matmul | None]) -> Iterator[list[_Piece | _Matmul]]:
    groups: dict[tuple[object, ...], list[_Piece | _Matmul]] = {}
    for item in found:
        if item is not None:
            groups.setdefault(item.kind, []).append(item)
    yield from groups.values()


def _tiling(total: Operation, pieces: list[_Piece]) -> list[_Piece] | None:
    """The pieces in the order of a concat, if they fill the whole array and that pays."""
    if not pieces:
        return None
    ordered = sorted(pieces, key=lambda piece: piece.start)
    shape, axis = ordered[0].term.tensor_type.shape, ordered[0].axis
    at = 0
    for piece in ordered:
        if piece.start != at:
            return None
        at = piece.stop
    in_place = all(size == 1 for size in shape[:axis])
    pays = in_place or len(ordered) >= MANY_PIECES or _is_stored_by_one_kernel(total, ordered)
    return ordered if at == shape[axis] and pays else None


def _is_stored_by_one_kernel(total: Operation, pieces: Sequence[_Piece]) -> bool:
    """Whether fusion will compute the pieces side by side, and no map would have computed the sum where it reads it."""
    shape = pieces[0].value.tensor_type.shape
    makers = [p.value.operation for p in pieces]
    if not all(m is not None and m.parent is total.parent and is_map(m) for m in makers):
        return False
    readers = [user for user, _ in total.result.uses]
    for user in readers:
        if alias_offset(user) is not None:
            readers += [reader for reader, _ in user.result.uses]
    read = any(is_map(user) and alias_offset(user) is None and user.name != "slice_update" for user in readers)
    return not read and all(same_shape(p.value.tensor_type.shape, shape) for p in pieces)


def _concat(total: Operation, pieces: Sequence[_Piece], axis: int) -> Value:
    return insert_before(total, OPS["concat"], [p.value for p in pieces], {"axis": axis})


def _stacked_matmul(total: Operation, factors: Sequence[_Matmul]) -> Value:
    x = insert_before(total, OPS["concat"], [p.x for p in factors], {"axis": 0})
    y = insert_before(total, OPS["concat"], [p.y for p in factors], {"axis": 0})
    return insert_before(total, OPS["matmul"], [x, y], {"transpose_x": True, "transpose_y": False})


def _erase_sum(total: Operation) -> None:
    """Remove a sum that nobody reads, and of its parts those that then aren't read either."""
    stack = [total]
    while stack:
        operation = stack.pop()
        if operation.parent is None or any(result.uses for result in operation.results):
            continue
        inner = [v.operation for v in operation.operands if v.operation is not None]
        operation.erase()
        stack += [o for o in inner if o.op.is_sum]

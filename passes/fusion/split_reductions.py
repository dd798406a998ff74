"""Large reductions in two steps, where one step would be slow.

Over all axes: one value per row of the leading axis, or of equal parts where its rows are short, then one of those. A
single fold can't be divided among threads; rows can. The tree of sums depends on the shape alone, so that the result
has the same bits for any number of threads.

Over axes on both sides of a kept one, of which the inner ones have few elements: first over the outer ones, down a few
columns whose accumulators stay in registers or the first cache, then over the rest. A fold of few elements fills no
vector, and there would be one for each outer row.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...base.target import current_target
from ...ir.builder import ahead_of
from ...ir.core import Block, Operation, Program, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ir.walk import walk
from ...ops.dims import product
from ...ops.lowering import Reduce
from ...ops.op import OPS
from ...ops.types import Shape, TensorType
from ..layout.move_reshapes import Taken, can_take, taking
from ..manager import Pass
from .fusion_facts import is_native, is_reduce

ROWS = 8  # fewer aren't worth a second kernel
MANY_ROWS = 256  # outer ones: starting and ending the fold of their columns costs little beside that of fewer
MOST_INNER = 32  # elements behind a kept axis that are few
MOST_IN_ORDER = 4096  # floats that are added one after another; more lose digits
SHORTEST = 512  # elements of a row: starting and ending the fold of a shorter one costs more than a thread gains


@dataclass(frozen=True)
class SplitReductions(Pass):
    """Reduce large arrays of known size row by row, then the rows' results; or first over outer axes.

    Not for `any` and `all`: their kernels end where the result is known.
    """

    name = "split_reductions"

    def run(self, program: Program) -> bool:
        found = [o for o in walk(program.body) if is_reduce(o) and is_native(o) and not (_is_flag(o) or is_dynamic(o))]
        all_axes = [o for o in found if _is_large(o)]
        around = [o for o in found if _is_around_kept(o)]
        taken: dict[Block | None, Taken] = {}
        changed = [_divide_all(o, taken.setdefault(o.parent, {})) for o in all_axes]
        for operation in around:
            _divide_around_kept(operation)
        return any(changed) or bool(around)


def _is_flag(operation: Operation) -> bool:
    return not isinstance(operation.op.lowering, Reduce) or operation.op.lowering.is_flag


def _is_large(operation: Operation) -> bool:
    kind = operation.operands[0].tensor_type
    if not kind.rank or len(operation.attrs["axis"]) != kind.rank:
        return False
    return isinstance(kind.size, int) and kind.size >= current_target().threads.reduction


def _divide_all(operation: Operation, taken: Taken) -> bool:
    """By rows of the first axis, if these are few enough and long; else by equal parts, one after the other."""
    source, block = operation.operands[0], operation.parent
    size, rows = source.tensor_type.size, source.tensor_type.shape[0]
    assert isinstance(size, int)
    if source.tensor_type.rank == 1 or not isinstance(rows, int) or not ROWS <= rows <= size // SHORTEST:
        shape = _parts_of(source.tensor_type.shape, size)
        again = current_target().costs.repeated
        if shape is None or block is None or not can_take(source, shape, block, again=again):
            return False
        builder, kind = ahead_of(operation), operation.result.tensor_type
        attrs = {**operation.attrs, "axis": tuple(range(len(shape))), "keepdim": False}
        result = builder.apply(operation.op, (taking(source, shape, operation, taken),), attrs)
        assert isinstance(result, Value)
        assert result.operation is not None
        made = result.operation
        operation.result.replace_by(
            builder.apply(OPS["reshape"], (result,), {"shape": kind.shape}) if kind.rank else result
        )
        operation.erase()
        operation = made
    _divide(operation, tuple(range(1, operation.operands[0].tensor_type.rank)))
    return True


def _parts_of(shape: Shape, size: int) -> Shape | None:
    """The shape of equal parts of an array: of its first axis, if a number of parts divides it."""
    (rows, *columns), most = shape, current_target().threads.sums
    for whole, rest in ((rows, columns), (size, [])):
        parts = next((n for n in range(most, ROWS - 1, -1) if isinstance(whole, int) and whole % n == 0), 0)
        if parts and isinstance(whole, int):
            return (parts, whole // parts, *rest)
    return None


def _is_around_kept(operation: Operation) -> bool:
    """Whether the first axis is folded, the next one isn't, and few elements are behind the last kept one."""
    kind = operation.operands[0].tensor_type
    folded = set(operation.attrs["axis"])
    kept = [k for k in range(kind.rank) if k not in folded]
    if not kept or kept[0] != 1 or not isinstance(kind.size, int) or not kind.size:
        return False
    if kind.dtype.is_complex or (kind.dtype.is_floating and kind.dtype.numpy.itemsize < 4):  # sums have wider types
        return False
    rows, inner = kind.shape[0], product(kind.shape[kept[-1] + 1 :])
    assert isinstance(rows, int)
    assert isinstance(inner, int)
    fits = kind.size // rows * kind.dtype.numpy.itemsize <= current_target().caches.first // 4
    return fits and 1 < inner <= MOST_INNER and rows >= MANY_ROWS and _block(operation) > 0


def _block(operation: Operation) -> int:
    """How many rows are folded one after another; 0 where no number of them divides all."""
    rows, lowering = operation.operands[0].tensor_type.shape[0], operation.op.lowering
    assert isinstance(rows, int)
    assert isinstance(lowering, Reduce)
    if rows <= MOST_IN_ORDER or not (lowering.combine.startswith("{a} + ") and operation.operands[0].dtype.is_floating):
        return rows
    return next((n for n in range(MOST_IN_ORDER, MANY_ROWS - 1, -1) if rows % n == 0), 0)


def _divide_around_kept(operation: Operation) -> None:
    source, block = operation.operands[0], _block(operation)
    rows, *columns = source.tensor_type.shape
    if rows != block:
        assert isinstance(rows, int)
        shape = (rows // block, block, *columns)
        blocks = Operation(
            OPS["reshape"], [source], {"shape": shape}, [TensorType(source.dtype, shape)], (), operation.loc
        )
        _insert(operation, blocks)
        operation.set_operand(0, blocks.result)
    _divide(operation, (int(rows != block),), keepdim=rows == block)


def _divide(operation: Operation, axes: tuple[int, ...], *, keepdim: bool = True) -> None:
    """Fold some axes first. All rows of the table of reductions may be folded in pieces: a fold of folds of equal size
    is the fold.
    """
    source = operation.operands[0]
    attrs = {**operation.attrs, "axis": axes, "keepdim": keepdim}
    kind = operation.op.infer(source.tensor_type, **attrs)
    assert isinstance(kind, TensorType)
    part = Operation(operation.op, [source], attrs, [kind], (), operation.loc)
    _insert(operation, part)
    operation.set_operand(0, part.result)


def _insert(operation: Operation, before: Operation) -> None:
    block = operation.parent
    assert block is not None
    block.operations.insert(block.operations.index(operation), before)
    before.parent = block

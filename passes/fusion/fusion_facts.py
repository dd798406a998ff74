"""What fusion knows about single operations: how they iterate, what they cost, which are free, which are aliases."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod
from typing import Any

from ...base.target import current_target
from ...ir.core import Operation, Value
from ...ir.dynamic_sizes import fits_any_size, is_dynamic
from ...ops.dims import DimLike, product, same_dim, same_shape
from ...ops.lowering import Point, Reduce, Scalar
from ...ops.sizes import runtime_names
from ...ops.types import Shape, TensorType

MOST_PLACES = 64  # beyond them nobody counts


def is_native(operation: Operation) -> bool:
    """Whether kernels know all its dtypes; float16 and complex numbers run on the rows' NumPy kernels."""
    if alias_offset(operation) is not None and not is_map(operation):
        return True  # the same memory, whatever lies in it
    values = (*operation.operands, *operation.results)
    return all(isinstance(v.type, TensorType) and v.type.dtype.is_native for v in values)


def is_map(operation: Operation) -> bool:
    """One element of the result from single elements of the operands.

    Of arrays whose size only a run knows, what moves elements about stays apart: the VM may do it in a list.
    """
    lowering = operation.op.lowering
    return (
        (not is_dynamic(operation) or (isinstance(lowering, Scalar) and _fits_apart_from_lists(operation)))
        and len(operation.results) == 1
        and (isinstance(lowering, Scalar) or (isinstance(lowering, Point) and lowering.inline))
        and not own_generator(operation)
    )


def _fits_apart_from_lists(operation: Operation) -> bool:
    """Whether it is the same for all sizes that only a run knows, and none of its operands is in a list of the VM."""
    return fits_any_size(operation) and not any(map(_may_lie_in_list, operation.operands))


def _may_lie_in_list(value: Value) -> bool:
    """Whether a loop or a branch may carry an array whose size only a run knows, or what it was cut from."""
    if not runtime_names(value.type):
        return False
    operation = value.operation
    if operation is None:
        return isinstance(value.block.parent, Operation) and value.block.parent.name != "group"
    if operation.name == "group" or isinstance(operation.op.lowering, Scalar):
        return False  # it computes elements anew
    return bool(operation.blocks) or any(map(_may_lie_in_list, operation.operands))


def own_generator(operation: Operation) -> str:
    """The generator of an operation that could be written element by element, but for less than all of them; or ""."""
    lowering = operation.op.lowering
    if not isinstance(lowering, Point) or lowering.apart is None:
        return ""
    return lowering.own if lowering.apart([v.tensor_type for v in operation.operands], operation.attrs) else ""


def is_reduce(operation: Operation) -> bool:
    """A fold over axes of one operand."""
    return isinstance(operation.op.lowering, Reduce) and (
        not is_dynamic(operation) or _fits_apart_from_lists(operation)
    )


def joins_indices(operation: Operation) -> bool:
    """Whether this is a concat whose elements are read one by one, each by its known place: indices of several axes."""
    if operation.name != "concat" or operation.attrs["axis"] != operation.result.tensor_type.rank - 1:
        return False
    if not all(isinstance(v.tensor_type.shape[-1], int) for v in operation.operands):
        return False
    return all(user.name == "gather_nd" and place == 1 for user, place in operation.result.uses)


def is_free(operation: Operation) -> bool:
    """Costs nothing to repeat: literals, and constant arrays only when they hold one element."""
    if operation.name == "constant":
        return operation.result.tensor_type.size == 1
    return operation.op.is_literal and not is_dynamic(operation)


def cost(operation: Operation) -> int:
    """Arithmetic cost of one element, in simple operations."""
    lowering = operation.op.lowering
    if isinstance(lowering, Scalar) and lowering.by_number and _number(operation.operands[1]) in lowering.by_number:
        return 1
    return lowering.cost if isinstance(lowering, (Scalar, Point)) else 1


def _effort(operation: Operation) -> int:
    """What an element takes where it is computed again, in simple operations; picked ones aren't read as vectors."""
    lowering = operation.op.lowering
    picked = current_target().costs.picked if isinstance(lowering, Point) and lowering.picks else 0
    return 0 if is_free(operation) else cost(operation) + picked


def _number(value: Value) -> float | None:
    """The one number that all elements of a value are, where the program says it."""
    operation = value.operation
    if operation is not None and operation.name == "full":
        return float(operation.attrs["fill_value"]) if value.dtype.is_floating or value.dtype.is_integer else None
    if operation is None or operation.name != "constant" or value.tensor_type.size != 1:
        return None
    return float(operation.attrs["data"].array.reshape(-1)[0]) if not value.dtype.is_complex else None


def reads_elsewhere(operation: Operation) -> bool:
    """Whether a map reads its operands at other indices than the one that it is computed for: slices, rolls, flips."""
    if not is_map(operation) or isinstance(operation.op.lowering, Scalar) or is_free(operation):
        return False
    shape = operation.result.tensor_type.shape
    same = alias_offset(operation) == 0 and same_shape(operation.operands[0].tensor_type.shape, shape)
    return not (same or operation.name == "broadcast_to" or changes_only_ones(operation))


def reads_of_each(operation: Operation) -> int:
    """How often an operation reads an element of its operands: windows that overlap do it once each."""
    if operation.name not in ("windows", "patches"):
        return 1
    sizes, steps = (a if isinstance(a, tuple) else (a,) for a in (operation.attrs["size"], operation.attrs["step"]))
    return prod(max(1, size // step) for size, step in zip(sizes, steps, strict=True))


def moves(operation: Operation, place: int) -> bool:
    """Whether a map reads its operand at that place at another index than the one that it is computed for."""
    if not reads_elsewhere(operation):
        return False
    lowering = operation.op.lowering
    return not (
        isinstance(lowering, Point)
        and lowering.beside == place
        and same_shape(operation.operands[place].tensor_type.shape, operation.result.tensor_type.shape)
    )


def is_put_once(operation: Operation, domain: Shape, work: int) -> bool:
    """Whether an update puts a piece, which takes so much work an element, into an array hardly larger than it."""
    if operation.name != "slice_update" or not same_shape(operation.operands[1].tensor_type.shape, domain):
        return False
    size, whole = product(domain), operation.result.tensor_type.size
    if not isinstance(size, int) or not isinstance(whole, int):
        return False
    return work * (whole - size) <= current_target().costs.duplicated * size


def reads_across(operation: Operation) -> bool:
    """Whether neighbours along the innermost axis lie apart in the operand's memory: a column's, or picked elements."""
    lowering = operation.op.lowering
    if isinstance(lowering, Point) and lowering.picks:
        return True
    if operation.name not in ("slice", "select"):
        return False
    shape, result = operation.operands[0].tensor_type.shape, operation.result.tensor_type.shape
    wide = [k for k, size in enumerate(result) if not same_dim(size, 1)]
    if not wide:
        return False
    axis, step = wide[-1], 1
    if operation.name == "slice":
        step = operation.attrs["strides"][axis]
    elif axis >= operation.attrs["axis"]:
        axis += 1
    return not same_dim(step * product(shape[axis + 1 :]), 1)


def moves_innermost(operation: Operation) -> bool:
    """Whether this is a transpose whose operand has other neighbours in memory."""
    if operation.name != "transpose":
        return False
    shape = operation.operands[0].tensor_type.shape
    wide = [k for k in operation.attrs["perm"] if not same_dim(shape[k], 1)]
    return bool(wide) and wide[-1] != max(wide)


def folds_transposed(operations: Sequence[Operation], domain: Shape, axes: tuple[int, ...] | None) -> bool:
    """Whether rows of what operations transpose would be folded; only few elements aren't better transposed before."""
    if axes is None:
        return False
    folded = product(domain[k] for k in axes)
    is_short = isinstance(folded, int) and folded <= current_target().short_rows.elements
    return not is_short and any(map(moves_innermost, operations))


def is_worth_keeping(operation: Operation) -> bool:
    """Whether elements are better made once than for each row that reads them: costly ones, and what lies apart."""
    lowering = operation.op.lowering
    worth = max(cost(operation), lowering.row_cost if isinstance(lowering, Scalar) else 0)
    return reads_across(operation) or (is_map(operation) and worth >= current_target().costs.stashed)


def cut_axes(operation: Operation) -> frozenset[int] | None:
    """The axes along which a slice takes only some of what is there, or in other steps; None: it is no slice."""
    if operation.name != "slice":
        return None
    shape, taken = operation.operands[0].tensor_type.shape, operation.result.tensor_type.shape
    steps = operation.attrs["strides"]
    return frozenset(k for k, size in enumerate(shape) if steps[k] != 1 or not same_dim(size, taken[k]))


def lies_along_rows(value: Value, inside: Collection[Operation]) -> bool:
    """Whether operations of a group read different elements of a value along their innermost axis."""
    users = [user for user, _ in value.uses if user in inside]
    if any(not changes_only_ones(user) for user in users):
        return bool(value.tensor_type.shape) and not same_dim(value.tensor_type.shape[-1], 1)
    return any(lies_along_rows(user.result, inside) for user in users)


def repeated_work(operations: Sequence[Operation]) -> int:
    """What a kernel of these operations, in their order, computes more than once per element, in simple operations.

    A value is computed anew for each operation that reads it at another index, and so is all that it is made of.
    """
    if not any(map(reads_elsewhere, operations)):
        return 0
    inside, places, total = set(operations), dict[Operation, frozenset[Any]](), 0
    for operation in reversed(operations):
        found: set[Any] = set()
        for user, operand in {use for result in operation.results for use in result.uses}:
            if user not in inside:
                found.add(None)
            elif moves(user, operand):
                found.update((user, place) for place in places[user])
            else:
                found |= places[user]
        total += _effort(operation) * _narrowing(operation) * max(0, len(found) - 1)
        if len(found) > MOST_PLACES:
            return total * MOST_PLACES
        places[operation] = frozenset(found)
    return total


def _narrowing(operation: Operation) -> int:
    """How many of its results fit where one of its operands does: as many vectors of these are read at each place."""
    widths = [v.dtype.itemsize for v in operation.operands if v.tensor_type.rank]
    return max(1, *(w // operation.result.dtype.itemsize for w in widths)) if widths else 1


def domain_of(operation: Operation) -> Shape:
    """The iteration space: the operand's shape for a reduction, the result's for a map."""
    value = operation.operands[0] if is_reduce(operation) else operation.result
    return value.tensor_type.shape


def innermost_reduced(domain: Shape, axes: tuple[int, ...]) -> bool:
    """Whether the last axis that isn't of size 1 is among those that are folded."""
    for k in reversed(range(len(domain))):
        if not same_dim(domain[k], 1):
            return k in axes
    return True


def without_ones(shape: Shape) -> Shape:
    """A shape without its axes of size 1."""
    return tuple(d for d in shape if not same_dim(d, 1))


def alias_offset(operation: Operation) -> DimLike | None:
    """Element offset at which the result lies inside operand 0 as it is in memory; None when it doesn't."""
    lowering = operation.op.lowering
    if not isinstance(lowering, Point) or lowering.alias is None:
        return None
    kinds = [v.type for v in operation.operands if isinstance(v.type, TensorType)]
    return lowering.alias(kinds, operation.attrs)


def changes_only_ones(operation: Operation) -> bool:
    """A reshape that only adds or drops axes of size 1: its index map is free."""
    if operation.name != "reshape":
        return False
    old, new = operation.operands[0].tensor_type.shape, operation.result.tensor_type.shape
    return same_shape(without_ones(old), without_ones(new))


def is_resident(value: Value) -> bool:
    """Whether a value is in memory whatever fusion does: arguments, constants, results of library calls and blocks."""
    operation = value.operation
    if operation is None:
        return True
    if is_free(operation):
        return False
    if alias_offset(operation) is not None and not changes_only_ones(operation):
        return is_resident(operation.operands[0])
    return not (is_map(operation) or is_reduce(operation))


AxisMap = tuple[int | None, ...]


def follow_axes(operation: Operation, known: dict[Value, AxisMap], rank: int) -> AxisMap | None:
    """For a map that reads values depending on a reduction: which domain axis each result axis follows.

    None entries mean "constant along this axis". Returns None when the axes don't line up (such a read can't be
    fused with the reduction, because it would need results of other rows).
    """
    result = operation.result.tensor_type.shape
    if isinstance(operation.op.lowering, Scalar) or operation.name == "broadcast_to":
        out: list[int | None] = [None] * len(result)
        for value in operation.operands:
            axes = known.get(value)
            if axes is None:
                continue
            shift = len(result) - len(axes)
            for k, axis in enumerate(axes):
                if axis is None:
                    continue
                if out[k + shift] not in (None, axis):
                    return None
                out[k + shift] = axis
        return tuple(out)
    if changes_only_ones(operation):
        return _follow_ones(operation, known[operation.operands[0]])
    return None


def _follow_ones(operation: Operation, axes: AxisMap) -> AxisMap:
    old = operation.operands[0].tensor_type.shape
    kept = [a for a, d in zip(axes, old, strict=True) if not same_dim(d, 1)]
    queue = iter(kept)
    return tuple(None if same_dim(d, 1) else next(queue) for d in operation.result.tensor_type.shape)


def rows_of(
    operations: Sequence[Operation], folds: Collection[Operation], domain: Shape, axes: tuple[int, ...],
    before: Mapping[Value, AxisMap],
) -> dict[Value, AxisMap] | None:  # fmt: skip
    """Which results of operations, in their order, depend on a reduction, and which axes of the domain theirs follow.

    None where one of them reads a reduction's result at another row than the one at hand. folds: the operations that
    are reductions; before: what is known of values that other operations of the group make.
    """
    known: dict[Value, AxisMap] = {}
    for operation in operations:
        if operation in folds:
            read = operation.operands[0]
            source = known.get(read, before.get(read))
            if source is not None and any(a not in (None, k) for k, a in enumerate(source)):
                return None
            if not same_shape(read.tensor_type.shape, domain) or operation.attrs["axis"] != axes:
                return None
            kept = operation.attrs["keepdim"]
            known[operation.result] = tuple(
                None if k in axes else k for k in range(len(domain)) if kept or k not in axes
            )
            continue
        read_rows = {v: axes_of for v in operation.operands if (axes_of := known.get(v, before.get(v))) is not None}
        if read_rows:
            found = follow_axes(operation, read_rows, len(domain))
            if found is None or not _fits(found, operation.result.tensor_type.shape, domain, axes):
                return None
            known[operation.result] = found
    return known


def _fits(found: AxisMap, shape: Shape, domain: Shape, axes: tuple[int, ...]) -> bool:
    """Whether a reduction-dependent value is either the whole domain or one element per row."""
    if same_shape(shape, domain):
        return all(a in (None, k) for k, a in enumerate(found))
    rows = [k for k in range(len(domain)) if k not in axes and not same_dim(domain[k], 1)]
    return [a for a, d in zip(found, shape, strict=True) if not same_dim(d, 1)] == rows

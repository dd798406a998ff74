"""Whether each row of a program's results depends on the same row of its inputs alone: then requests may be joined.

Along each value the axis that counts the rows is followed. Where an operation isn't known to keep rows apart, they
count as mixed: such a program runs once for each request.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..ir.core import Operation, Program, Value
from ..ops.dims import Dim

Axes = Sequence["int | None"]  # of each operand the axis of its rows; None where it has none


class _MixedError(Exception):
    """Rows meet."""


def has_independent_rows(program: Program, size: Dim) -> bool:
    """Whether row k of each result is made of row k of the inputs, of state and of constants. All begin with `size`.

    Where this can't be seen it is False: beside operations over the rows, that are conditions and loops.
    """
    rows = _Rows(size)
    found: dict[Value, int | None] = dict.fromkeys(program.feed_values, 0)
    found |= dict.fromkeys(program.state_values)
    try:
        for operation in program.body.operations:
            if operation.name in ("yield", "return"):
                continue
            axis = rows.of(operation, [found[value] for value in operation.operands])
            found |= dict.fromkeys(operation.results, axis)
    except _MixedError:
        return False
    return all(found[value] == 0 for value in program.fetches)


class _Rows:
    def __init__(self, size: Dim) -> None:
        self.symbols = size.symbols()

    def of(self, operation: Operation, axes: Axes) -> int | None:
        """The axis of the rows of an operation's results."""
        if operation.blocks or operation.op.family in ("random", "collective", "control"):
            if operation.blocks or operation.results or any(axis is not None for axis in axes):
                raise _MixedError
            return None
        if all(axis is None for axis in axes):
            return self._constant(operation)
        rule = _BY_NAME.get(operation.name) or _BY_FAMILY.get(operation.op.family)
        if rule is None:
            raise _MixedError
        axis = rule(self, operation, axes)
        if not all(self.counts(value.tensor_type.shape[axis]) for value in operation.results):
            raise _MixedError
        return axis

    def counts(self, dim: Any) -> bool:
        """Whether a size is that of the rows, or a multiple."""
        return isinstance(dim, Dim) and not self.symbols.isdisjoint(dim.symbols())

    def _constant(self, operation: Operation) -> int | None:
        """What is made of no rows must not be as many as these, unless it repeats itself: then there is one a row."""
        if operation.name == "dim_value":  # how many rows there are
            raise _MixedError
        found = {k for v in operation.results for k, dim in enumerate(v.tensor_type.shape) if self.counts(dim)}
        if not found:
            return None
        if len(found) > 1 or operation.name not in ("full", "broadcast_to"):
            raise _MixedError
        return found.pop()

    def aligned(self, operation: Operation, axes: Axes) -> int:
        """Elements at one place of all operands, which are lined up at their last axes."""
        rank = operation.results[0].tensor_type.rank
        ranks = [value.tensor_type.rank for value in operation.operands]
        places = {axis + rank - r for axis, r in zip(axes, ranks, strict=True) if axis is not None}
        if len(places) != 1:
            raise _MixedError
        (place,) = places
        return place

    def reduction(self, operation: Operation, axes: Axes) -> int:
        (axis,), kind = axes, operation.operands[0].tensor_type
        assert axis is not None
        gone = _listed(operation.attrs["axis"], kind.rank)
        if axis in gone:
            raise _MixedError
        return axis if operation.attrs.get("keepdim") else axis - sum(k < axis for k in gone)

    def along(self, operation: Operation, axes: Axes) -> int:
        """Lines along an axis that isn't that of the rows; several operands have them in the same place."""
        place = self.aligned(operation, axes)
        if place in _listed(operation.attrs["axis"], operation.operands[0].tensor_type.rank):
            raise _MixedError
        return place

    def reshape(self, operation: Operation, axes: Axes) -> int:
        (axis,), before, after = axes, operation.operands[0].tensor_type.shape, operation.results[0].tensor_type.shape
        assert axis is not None
        if axis == 0 and self.counts(after[0]):  # the rows stay the outermost, whatever becomes of what they hold
            return 0
        for k in range(len(after)):
            if after[k] == before[axis] and _product(after[:k]) == _product(before[:axis]):
                return k
        raise _MixedError

    def transpose(self, operation: Operation, axes: Axes) -> int:
        rank = operation.operands[0].tensor_type.rank
        order = operation.attrs["perm"]
        order = list(range(rank))[::-1] if order is None else [k % rank for k in order]
        return order.index(axes[0])  # type: ignore[arg-type]

    def whole(self, operation: Operation, axes: Axes) -> int:
        """The rows as they are, each of them cut, filled up or read in another order."""
        (axis,) = axes
        assert axis is not None
        before, after = operation.operands[0].tensor_type, operation.results[0].tensor_type
        pads = operation.attrs.get("pads")
        told = _listed(operation.attrs.get("axis", ()), before.rank)
        strides = operation.attrs.get("strides")
        moves = axis in told or (pads is not None and any(pads[axis])) or (strides and strides[axis] != 1)
        if moves or before.shape[axis] != after.shape[axis]:
            raise _MixedError
        return axis

    def triangle(self, operation: Operation, axes: Axes) -> int:
        return self._outside_of(operation, axes, 2)

    def _outside_of(self, operation: Operation, axes: Axes, last: int) -> int:
        """Rows that lie outside of the last axes, which an operation takes as a matrix or a line."""
        rank = operation.results[0].tensor_type.rank
        place = self.aligned(operation, axes)
        if place >= rank - last:
            raise _MixedError
        return place

    def matmul(self, operation: Operation, axes: Axes) -> int:
        """The rows are those of the first matrix, or lie outside of both."""
        x, y = (value.tensor_type.rank for value in operation.operands[-2:])
        given, other = axes[-2:]
        if x < 2 or y < 2:
            raise _MixedError
        row = x - 1 if operation.attrs["transpose_x"] else x - 2
        if given == row:
            if other is not None or any(axis is not None for axis in axes[:-2]) or y > x:
                raise _MixedError
            return operation.results[0].tensor_type.rank - 2
        return self._outside_of(operation, axes, 2)

    def gather(self, operation: Operation, axes: Axes) -> int:
        source, index = axes
        at: int = operation.attrs["axis"] % operation.operands[0].tensor_type.rank
        if source is None and index is not None:
            return at + index
        if index is not None or source is None or source == at:
            raise _MixedError
        return source if source < at else source - 1 + operation.operands[1].tensor_type.rank

    def first(self, operation: Operation, axes: Axes) -> int:
        """Images or sequences, one a row, and what all of them are treated with."""
        if axes[0] != 0 or any(axis is not None for axis in axes[1:]):
            raise _MixedError
        return 0

    def heads(self, operation: Operation, axes: Axes) -> int:
        if axes[:3] != [0, 0, 0] or any(axis not in (None, 0) for axis in axes[3:]):
            raise _MixedError
        if any(axis == 0 and v.tensor_type.rank != operation.operands[0].tensor_type.rank
               for axis, v in zip(axes[3:], operation.operands[3:], strict=True)):  # fmt: skip
            raise _MixedError
        return 0


Rule = Callable[[_Rows, Operation, Axes], int]
_BY_FAMILY: dict[str, Rule] = {"elementwise": _Rows.aligned, "reduction": _Rows.reduction, "scan": _Rows.along}
_BY_NAME: dict[str, Rule] = {
    "reshape": _Rows.reshape, "transpose": _Rows.transpose, "broadcast_to": _Rows.aligned, "concat": _Rows.along,
    "matmul": _Rows.matmul, "matmul_add": _Rows.matmul, "gather": _Rows.gather, "select": _Rows.gather,
    "attention": _Rows.heads,
    **dict.fromkeys(("slice", "flip", "roll", "pad"), _Rows.whole), **dict.fromkeys(("tril", "triu"), _Rows.triangle),
    **dict.fromkeys(("argsort", "sorted_values", "top_places", "take_along_axis"), _Rows.along),
    **dict.fromkeys(("conv2d", "max_pool2d", "avg_pool2d"), _Rows.first),
}  # fmt: skip


def _listed(axis: Any, rank: int) -> list[int]:
    if axis is None:
        return list(range(rank))
    return [k % rank for k in (axis if isinstance(axis, (list, tuple)) else (axis,))]


def _product(sizes: Sequence[Any]) -> Any:
    made: Any = 1
    for size in sizes:
        made = made * size
    return made

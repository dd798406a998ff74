"""Groups with reductions along rows of few elements: these are written out, one behind another.

for r in kept axes: all elements of the row; then what follows on its reductions; then all stores

The loop over rows is the innermost one, and becomes vectors: a row of five numbers fills none, and what follows on it
(a logarithm of their sum) would be one number at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import product as all_of

from ....base.target import current_target
from ....ir.core import Operation, Value
from ....ops.dims import DimLike, product, same_dim, same_shape
from ....ops.kernel_expressions import expr
from ....ops.lowering import Reduce, Scalar
from ....ops.types import Shape
from .axes import Axis, whole
from .folds import plan_sweeps, weight_of
from .rows import RowWriter

WIDE = 128  # elements of an innermost axis: shorter ones leave loops over the rows around them too little work


class ShortRowWriter(RowWriter):
    """Writes the kernel of a group that folds few neighbouring elements."""

    @staticmethod
    def takes(operations: Sequence[Operation], outputs: Sequence[Value], domain: Shape, axes: tuple[int, ...]) -> bool:
        """Whether rows of this group are few elements, and many rows."""
        limits = current_target().short_rows
        elements = product(domain[k] for k in axes)
        rows = product(size for k, size in enumerate(domain) if k not in axes)
        if not isinstance(elements, int) or elements * len(operations) > limits.written:
            return False
        many = isinstance(rows, int) and rows >= limits.many
        most = limits.windows if are_windows(operations, domain) else limits.elements
        costly = [o for o in operations if weight_of(o) >= current_target().costs.stashed]
        if inside := sum(same_shape(o.results[0].tensor_type.shape, domain) for o in costly):
            most = (limits.costly if many else limits.costly // 2) // inside
        elif costly and many and sum(isinstance(o.op.lowering, Reduce) for o in operations) > 1:
            most = limits.before_costly  # one sum alone is one vector's
        if any(same_shape(v.tensor_type.shape, domain) for v in outputs):  # rows that are vectors are stored as such
            lanes = current_target().lanes(max(v.dtype.itemsize for v in outputs))
            most = min(most, limits.elements, lanes - 1)
        return 1 < elements <= most and _is_at_least(rows, limits.rows)

    def _write_body(self) -> DimLike:
        folded = [a for a in self.loops if not a.kept]
        outer, inner = _split_rows([a for a in self.loops if a.kept])
        sweeps = plan_sweeps(self.reductions, [v for v in self.outputs if self._is_full(v)], self._needs)
        with ExitStack() as loops:
            self._decode(outer, loops.enter_context(self._range()))
            if inner is not None:
                self._set_index(inner, loops.enter_context(self._loop("i", 0, self.parameters.dim(inner.size))))
            for reductions, stores in sweeps:
                self._write_out(folded, reductions, stores)
            for value in self.outputs:
                if not self._is_full(value):
                    self._store(value, self._value_index(value))
            self._flush()
        return product(a.size for a in outer)

    def _write_out(self, folded: Sequence[Axis], reductions: Sequence[Operation], stores: Sequence[Value]) -> None:
        """The elements of a row, in order: accumulates reductions, queues stores."""
        saved, names = list(self.index), self._accumulators(reductions)
        for place in all_of(*(range(whole(axis.size)) for axis in folded)):
            for axis, k in zip(folded, place, strict=True):
                self._set_index(axis, expr(k))
            self._accumulate(reductions, names)
            for value in stores:
                self._store(value, list(self.index))
        self.index = saved
        for operation, name in zip(reductions, names, strict=True):
            self.names[operation.result] = self._finish(operation, name)

    def _in_place(self) -> dict[Value, tuple[Value, ...]]:
        """A row is stored when all of it is computed: results may take the memory of what only it is read from."""
        assert self.axes is not None
        folded = set(self.axes)

        def row(place: Sequence[object]) -> list[object]:
            return [i for k, i in enumerate(place) if k not in folded]

        def is_taken(result: Value, value: Value) -> bool:
            alike = same_shape(value.tensor_type.shape, self.domain) and value.dtype is result.dtype
            return alike and all(row(p) == row(self.stored_at[result]) for p in self.elements.reads[value])

        full = [v for v in self.outputs if self._is_full(v)]
        return {v: tuple(i for i in self.elements.reads if is_taken(v, i)) for v in full}


def are_windows(operations: Sequence[Operation], domain: Shape) -> bool:
    """Whether all rows are windows, of which those side by side begin side by side in memory."""
    found, inside = [o for o in operations if o.name == "windows"], set(operations)
    read = {v for o in operations for v in o.operands if v.operation not in inside and o not in found}
    wide = [k for k, size in enumerate(domain[:-1]) if not same_dim(size, 1)]
    return (
        bool(found and wide)
        and all(
            isinstance(o.op.lowering, (Scalar, Reduce)) or o.name in ("windows", "broadcast_to") for o in operations
        )
        and all(o.attrs["step"] == 1 or o.attrs["axis"] != wide[-1] for o in found)
        and not any(same_shape(v.tensor_type.shape, domain) for v in read)
    )


def has_wide_rows(domain: Shape, axes: tuple[int, ...]) -> bool:
    """Whether few elements are folded, and the innermost axis, which isn't, is a loop of many vectors."""
    folded = product(domain[k] for k in axes)
    inner = next(size for size in reversed(domain) if not same_dim(size, 1))
    return isinstance(folded, int) and folded <= current_target().short_rows.elements and _is_at_least(inner, WIDE)


def _split_rows(kept: Sequence[Axis]) -> tuple[Sequence[Axis], Axis | None]:
    """The kept axes of the kernel's range, and one that has a loop of its own within.

    A single loop over all rows would divide by sizes to know where it is, and there no vectors can be loaded from.
    """
    if len(kept) > 1 and _is_at_least(kept[-1].size, current_target().short_rows.inner):
        return kept[:-1], kept[-1]
    return kept, None


def _is_at_least(size: DimLike, least: int) -> bool:
    return not isinstance(size, int) or size >= least

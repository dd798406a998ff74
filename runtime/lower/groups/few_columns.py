"""Groups with reductions down a few columns: rows are walked side by side, as many as fill vectors.

A row of three numbers fills no vector, and each would wait for the one before. So a run of rows is taken as one long
row with an accumulator for each of its elements, and these are merged at the end.
"""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from math import gcd

from ....base.dtype import BY_SHORT
from ....base.target import current_target
from ....ir.core import Operation, Value
from ....ops.dims import DimLike, product, same_dim, same_shape
from ....ops.kernel_expressions import ZERO, Expr, Name, Operand, call, differ
from ....ops.lowering import Reduce, Scalar
from ...kernel.statements import LoopKind
from ..element import broadcast_index
from .axes import Axis, whole
from .columns import ColumnWriter
from .folds import combined, flag_of, lowering_of, merged, taken_in

_VECTORS = 4  # accumulators of a run, at least: as many additions are under way
_MOST = 128  # accumulators of a run
_RUNS = 4  # fewer runs aren't worth it


class FewColumnWriter(ColumnWriter):
    """Writes the kernel of a group that folds outer axes only."""

    in_runs: bool = False  # each accumulator is an element of a local array

    def _write_body(self) -> DimLike:
        rows = self._rows_of_run()
        return self._write_runs(rows) if rows else super()._write_body()

    def _rows_of_run(self) -> int:
        """How many rows are taken as one; 0 where that doesn't help, or elements aren't one behind another."""
        if len(self.loops) < 2 or [a.kept for a in self.loops[-2:]] != [False, True]:
            return 0
        inner, folded = self.loops[-1].size, self.loops[-2].size
        if not isinstance(inner, int) or not inner or not all(a.kept for a in self.loops[:-2]) or not self._are_runs():
            return 0
        sizes = (BY_SHORT[self._column_type(o)].itemsize for o in self.reductions if not lowering_of(o).is_flag)
        lanes = current_target().lanes(max(sizes, default=4))
        step = lanes // gcd(inner, lanes)
        rows = step * max(1, _VECTORS * lanes // (inner * step))
        if inner > lanes or not self._fits_registers(rows * inner) or rows * inner > _MOST:
            return 0
        return 0 if isinstance(folded, int) and folded < _RUNS * rows else rows

    def _are_runs(self) -> bool:
        """Whether all that is computed element by element reads whole arrays in order, and nothing of it is stored."""
        return not any(map(self._is_full, self.outputs)) and all(map(self._is_element_of_run, self.operations))

    def _is_element_of_run(self, operation: Operation) -> bool:
        if isinstance(operation.op.lowering, Reduce):
            return same_shape(operation.operands[0].tensor_type.shape, self.domain)
        if not any(same_shape(r.tensor_type.shape, self.domain) for r in operation.results):
            return True
        return isinstance(operation.op.lowering, Scalar) and all(map(self._is_in_order, operation.operands))

    def _is_in_order(self, value: Value) -> bool:
        shape = value.tensor_type.shape
        return same_shape(shape, self.domain) or product(shape) == 1 or self._is_row(value)

    def _is_row(self, value: Value) -> bool:
        """Whether this is an array with a number for each column."""
        shape, columns = value.tensor_type.shape, self.loops[-1].members
        wide = [len(self.domain) - len(shape) + k for k, size in enumerate(shape) if not same_dim(size, 1)]
        if value.operation in self.operations or value.dtype.is_bool:
            return False
        return wide == [k for k in columns if not same_dim(self.domain[k], 1)] and all(
            same_dim(shape[k - len(self.domain)], self.domain[k]) for k in wide
        )

    def _repeat_rows(self, rows: int, columns: int) -> None:
        """Copies of arrays with a number for each column, as long as a run."""
        operands = {v: None for o in self.operations for v in o.operands}
        for number, value in enumerate(v for v in operands if product(v.tensor_type.shape) != 1 and self._is_row(v)):
            name = self.builder.local(f"row{number}", value.dtype.short, rows * columns)
            with self._loop("k", 0, rows) as k, self._loop("j", 0, columns) as j:
                self._set_index(self.loops[-1], j)
                element = self.elements.value(value, broadcast_index(value.tensor_type, self.index))
                self.builder.store(name[k * columns + j], element)
            self.names[value] = name["j"]

    def _is_written_out(self, columns: DimLike) -> bool:
        return not self.in_runs and super()._is_written_out(columns)

    def _write_runs(self, rows: int) -> DimLike:
        self.in_runs = True
        kept, folded, inner = self.loops[:-2], self.loops[-2], self.loops[-1]
        columns = whole(inner.size)
        places: dict[Operation, Expr] = {o: self._column_place(o, rows * columns) for o in self.reductions}
        self._repeat_rows(rows, columns)
        with ExitStack() as outermost:
            self._decode(kept, outermost.enter_context(self._range()))
            with self._loop("j", 0, rows * columns, kind=LoopKind.BLOCK):
                self._column_start(places)
            begin, stop = self._bounds(folded)
            most = self._last_run(folded, rows)
            with self._loop("j0", begin, most, rows) as first:
                start = self.builder.let("start", first * columns)
                with self._loop("j", 0, rows * columns, kind=LoopKind.BLOCK) as j:
                    self._take_in(places, folded, inner, start + j)
            with self._loop("j0", most, stop) if most != folded.size else nullcontext() as row:
                if row is not None:
                    start = self.builder.let("start", row * columns)
                    with self._loop("j", 0, columns) as j:
                        self._take_in(places, folded, inner, start + j)
            with self._loop("k", 1, rows) as k, self._loop("j", 0, columns) as j:
                for operation, place in places.items():
                    with self.builder.on_behalf_of(operation):
                        self.builder.store(place[j], self._merged(operation, place[j], place[k * columns + j]))
            self._set_index(folded, ZERO)
            self._column_loop(inner, (0, columns, LoopKind.BLOCK), lambda: self._column_finish(places))
        return product(a.size for a in kept)

    def _last_run(self, folded: Axis, rows: int) -> Operand:
        """Where the last run of so many rows ends."""
        size = folded.size
        return size // rows * rows if isinstance(size, int) else self.parameters.dim(size) // rows * rows

    def _take_in(self, places: dict[Operation, Expr], folded: Axis, inner: Axis, place: Expr) -> None:
        """The element of a number in this piece of memory."""
        self._set_index(folded, ZERO)
        self._set_index(inner, place)
        for operation, element in [(o, self._element(o)) for o in places]:
            at = places[operation][Name("j")]
            with self.builder.on_behalf_of(operation):
                if lowering_of(operation).is_flag:
                    made: Expr = call("u8", flag_of(operation, differ(at, 0), element))
                else:
                    made = combined(operation, at, taken_in(operation, element))
                self.builder.store(at, made)

    def _merged(self, operation: Operation, a: Expr, b: Expr) -> Expr:
        if lowering_of(operation).is_flag:
            return call("u8", flag_of(operation, differ(a, 0), differ(b, 0)))
        return merged(operation, a, b)

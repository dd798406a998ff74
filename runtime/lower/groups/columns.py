"""Groups with reductions down their columns.

for each row: accumulators[j] = …    the innermost axis is kept: whole rows go into the results, which then are finished
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from ....base.dtype import BY_SHORT
from ....base.target import current_target
from ....ir.core import Operation
from ....ops.dims import DimLike, product
from ....ops.kernel_expressions import ZERO, Expr, Load, Name, Operand, differ, expr
from ....ops.types import TensorType
from ...kernel.kernel_call import Kernel
from ...kernel.statements import LoopKind
from ..parameters import stored_as
from .axes import Axis, fills_no_vectors, whole
from .folds import accumulator_of, as_element, combined, flag_of, lowering_of, start_of, taken_in
from .group_writer import GroupWriter

ROWS = 4  # that go into the accumulators at once: a store per row would keep loads of rows a page apart waiting

NARROWEST = 64  # columns of a piece


class ColumnWriter(GroupWriter):
    """Writes the kernel of a group that folds outer axes only."""

    column: Expr = Name("j")  # at hand
    ranges_over_columns: bool = False

    def write(self) -> Kernel:
        """The kernel; pieces of few columns, where its range is columns, would each read all lines of memory."""
        kernel, columns = super().write(), self.loops[-1].size
        if not self.ranges_over_columns:
            return kernel
        pieces = current_target().threads.pieces
        return replace(kernel, parts=max(1, min(pieces, columns // NARROWEST)) if isinstance(columns, int) else pieces)

    def _write_body(self) -> DimLike:
        kept = [a for a in self.loops[:-1] if a.kept]
        folded = [a for a in self.loops if not a.kept]
        inner = self.loops[-1]
        size = self.parameters.dim(inner.size)
        in_registers = self._fits_registers(inner.size)
        with ExitStack() as outermost:
            bounds: tuple[Operand, Operand, LoopKind] = "lo", "hi", LoopKind.PARALLEL
            places = {o: self._column_place(o, inner.size if in_registers else None) for o in self.reductions}
            self.ranges_over_columns = not (kept or in_registers)
            if not self.ranges_over_columns:
                self._decode(kept, outermost.enter_context(self._range()))
                bounds = 0, size, LoopKind.BLOCK if in_registers else LoopKind.SERIAL
            self._column_loop(inner, bounds, lambda: self._column_start(places))
            with ExitStack() as loops:
                for k, axis in enumerate(folded[:-1]):
                    self._set_index(axis, loops.enter_context(self._loop(f"j{k}", *self._bounds(axis))))
                if not folded:
                    self._column_loop(inner, bounds, lambda: self._column_accumulate(places, None, [ZERO]))
                several = not in_registers and not any(map(self._is_full, self.outputs))
                for axis in folded[-1:]:
                    for start, stop, rows in self._row_ranges(axis, several):
                        with self._loop(f"j{len(folded) - 1}", start, stop, rows) as first:
                            here = [first + k if k else first for k in range(rows)]
                            self._column_loop(inner, bounds, partial(self._column_accumulate, places, axis, here))
            self._column_loop(inner, bounds, lambda: self._column_finish(places))
        return inner.size if self.ranges_over_columns else product(a.size for a in kept)

    def _bounds(self, axis: Axis) -> tuple[Operand, Operand]:
        """From where to where along a folded axis."""
        return 0, self.parameters.dim(axis.size)

    def _fits_registers(self, columns: DimLike) -> bool:
        """Whether the accumulators of all columns stay in registers while the rows go by."""
        kinds = [BY_SHORT[self._column_type(o)].numpy.itemsize for o in self.reductions]
        most = current_target().core.vector_bytes * current_target().core.registers // 4
        return isinstance(columns, int) and columns * sum(kinds) <= most

    def _column_loop(self, inner: Axis, bounds: tuple[Operand, Operand, LoopKind], body: Callable[[], None]) -> None:
        start, stop, kind = bounds
        if kind is LoopKind.BLOCK and self._is_written_out(inner.size):
            for column in range(whole(inner.size)):
                self.column = expr(column)
                self._set_index(inner, self.column)
                body()
            return
        with self._loop("j", start, stop, kind=kind) as j:
            self._set_index(inner, j)
            body()
            is_empty = not self.builder.innermost
        if is_empty:  # nothing to do per element
            self.builder.innermost.pop()

    def _is_written_out(self, columns: DimLike) -> bool:
        """Whether these few columns have a number each as accumulator: those that fill no vectors."""
        few = isinstance(columns, int) and columns * len(self.operations) <= current_target().short_rows.written
        return few and fills_no_vectors(whole(columns))

    def _column_place(self, operation: Operation, in_registers: DimLike | None) -> Expr:
        """What a reduction's accumulators stand in: registers, its result's memory, or scratch."""
        short, result = self._column_type(operation), operation.result
        if in_registers is not None:
            return self.builder.local(f"c{self.reductions.index(operation)}", stored_as(short), whole(in_registers))
        if result in self.outputs and result.dtype.short == short:
            return self.parameters.pointer(result, "out")
        return self.parameters.scratch(TensorType(BY_SHORT[short], result.tensor_type.shape))

    def _column_type(self, operation: Operation) -> str:
        """The short name of a column's accumulators, which stand in memory: flags are bytes there."""
        return "bool" if lowering_of(operation).is_flag else accumulator_of(operation)

    def _column_at(self, operation: Operation, place: Expr) -> Load:
        if isinstance(place, Name):
            return place[self.column]
        return place[self.parameters.at(operation.result, self._value_index(operation.result))]

    def _column_start(self, places: dict[Operation, Expr]) -> None:
        for operation, place in places.items():
            with self.builder.on_behalf_of(operation):
                start = as_element(self._column_type(operation), start_of(operation))
                self.builder.store(self._column_at(operation, place), start)

    def _row_ranges(self, axis: Axis, several: bool) -> list[tuple[Operand, Operand, int]]:
        """Start, stop and step of the loops over rows: several at a time, then the rest one by one."""
        size, stop = axis.size, self.parameters.dim(axis.size)
        if not several or (isinstance(size, int) and size < ROWS):
            return [(*self._bounds(axis), 1)]
        most = size // ROWS * ROWS if isinstance(size, int) else stop // ROWS * ROWS
        rest: list[tuple[Operand, Operand, int]] = [] if most == size else [(most, stop, 1)]
        return [(0, most, ROWS), *rest]

    def _column_accumulate(self, places: dict[Operation, Expr], axis: Axis | None, rows: Sequence[Expr]) -> None:
        """Elements of these rows go into a column's accumulators, which are read and written once."""
        held: dict[Operation, Expr] = {}
        for row in rows:
            if axis is not None:
                self._set_index(axis, row)
            elements = [(o, self._element(o)) for o in places]
            for operation, element in elements:
                at = self._column_at(operation, places[operation])
                before = held.get(operation, differ(at, 0) if lowering_of(operation).is_flag else at)
                with self.builder.on_behalf_of(operation):
                    if lowering_of(operation).is_flag:
                        made = flag_of(operation, before, element)
                    else:
                        made = combined(operation, before, taken_in(operation, element))
                    if row is rows[-1]:
                        self.builder.store(at, as_element(self._column_type(operation), made))
                    else:
                        held[operation] = self.elements.bind(made)
        for value in self.outputs:
            if self._is_full(value):
                self._store(value, list(self.index))
        self._flush()

    def _column_finish(self, places: dict[Operation, Expr]) -> None:
        for operation, place in places.items():
            if lowering_of(operation).finish == "{a}" and self._only_stored(operation, place):
                continue
            at = self._column_at(operation, place)
            with self.builder.on_behalf_of(operation):
                held = self.elements.bind(differ(at, 0) if self._column_type(operation) == "bool" else at)
            self.names[operation.result] = self._finish(operation, held)
        for value in self.outputs:
            producer = value.operation
            stored = producer in places and value not in self.names
            if not self._is_full(value) and not stored:
                self._store(value, self._value_index(value))
        self._flush()
        for operation in places:
            self.names.pop(operation.result, None)

    def _only_stored(self, operation: Operation, place: Expr) -> bool:
        """Whether a column's accumulators are the stored result already, and nothing else reads them."""
        at_home = operation.result in self.outputs and self.parameters.pointer(operation.result, "out") == place
        return at_home and not any(user in self.elements.inside for user, _ in operation.result.uses)

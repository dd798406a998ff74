"""Folds of many rows to few columns, as two kernels: one for parts of the rows, then one for what the parts gave.

The range of a kernel that folds all rows is one, and one thread runs it. Parts of the rows are shared by threads; each
leaves its accumulators in a row of a table. The parts depend on sizes alone, so that a result has the same bits for any
number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ....base.dtype import BY_SHORT
from ....base.target import current_target
from ....ir.core import Operation, Value
from ....ops.dims import DimLike
from ....ops.kernel_expressions import Expr, Name, Operand, call
from ....ops.types import Shape, TensorType
from ....passes.fusion.contractions import takes_epilogue
from ...kernel.kernel_call import Kernel, KernelSlot
from ...kernel.statements import LoopKind
from .axes import Axis, sweep_axes, whole
from .few_columns import FewColumnWriter
from .folds import as_element

ALIGNED = 32  # a part has a multiple of so many rows, but for the last one


@dataclass(frozen=True)
class ColumnFold:
    """What is folded: the operations of a kernel over a domain, of which some axes go, and the values that stay."""

    name: str
    operations: Sequence[Operation]
    outputs: Sequence[Value]
    domain: Shape
    axes: tuple[int, ...]

    def kernels(self) -> tuple[Kernel, Kernel] | None:
        """The kernel of the parts and the one that folds their accumulators; None where one kernel is as good."""
        if not self._is_large():
            return None
        *rows, columns = loops = sweep_axes(self.domain, self.axes, self.operations)
        if not rows or not columns.kept or any(axis.kept for axis in rows):
            return None
        if any(takes_epilogue(o) or o.name == "select_update" for o in self.operations):
            return None
        parts = FoldParts.of([whole(axis.size) for axis in loops])
        first = PartialFoldWriter(self, parts)
        if parts.count == 1 or not first.fits_registers():
            return None
        return first.write(), TableFoldWriter(self, parts).write()

    def _is_large(self) -> bool:
        sizes = [size for size in self.domain if isinstance(size, int)]
        return len(sizes) == len(self.domain) and math.prod(sizes) >= current_target().threads.reduction


@dataclass(frozen=True)
class FoldParts:
    """How many rows of the first axis a part has, and how many parts there are."""

    rows: int
    count: int

    @staticmethod
    def of(sizes: Sequence[int]) -> FoldParts:
        """Those of a domain: a part has enough elements that starting it costs nothing beside.

        >>> FoldParts.of([65536, 16]), FoldParts.of([40000, 5])
        (FoldParts(rows=1600, count=41), FoldParts(rows=5024, count=8))
        """
        threads, size = current_target().threads, sizes[0]
        count = max(1, min(threads.sums, math.prod(sizes) // (threads.reduction // 8)))
        rows = -(-size // count)
        if rows > ALIGNED:
            rows = -(-rows // ALIGNED) * ALIGNED
        return FoldParts(rows, -(-size // rows))


class _TableWriter(FewColumnWriter):
    """What both kernels know: the table of each reduction, of a row of accumulators for each part."""

    role = "in"  # of the tables

    def __init__(self, fold: ColumnFold, parts: FoldParts) -> None:
        super().__init__(fold.name, fold.operations, fold.outputs, fold.domain, fold.axes)
        self.parts = parts
        self.columns = whole(self.loops[-1].size)
        self.tables: dict[Operation, Expr] = {}

    def _element_of(self, operation: Operation, row: Expr) -> Expr:
        """The accumulator of the column at hand in a row of a reduction's table."""
        if operation not in self.tables:
            kind = TensorType(BY_SHORT[self._column_type(operation)], (self.parts.count, self.columns))
            self.tables[operation] = self.parameters.add(KernelSlot(self.role, None, kind, kind.dtype.short))
        return self.tables[operation][row * self.columns + self.column]


class PartialFoldWriter(_TableWriter):
    """Writes the kernel of the parts, which also stores what is stored element by element."""

    role = "out"
    part: Expr = Name("r")

    def fits_registers(self) -> bool:
        """Whether the accumulators of all columns do: else threads share the columns."""
        return self._fits_registers(self.columns)

    def _write_body(self) -> DimLike:
        super()._write_body()
        return self.parts.count

    @contextmanager
    def _range(self, variable: str = "r") -> Iterator[Name]:
        rows, size = self.parts.rows, whole(self.loops[0].size)
        with super()._range(variable) as part:
            self.part = part
            begin = self.builder.let("begin", part * rows)
            self.builder.let("end", call("min", begin + rows, size))
            yield part

    def _bounds(self, axis: Axis) -> tuple[Operand, Operand]:
        return (Name("begin"), Name("end")) if axis is self.loops[0] else super()._bounds(axis)

    def _last_run(self, folded: Axis, rows: int) -> Operand:
        if folded is not self.loops[0]:
            return super()._last_run(folded, rows)
        return self.builder.let("last", Name("begin") + (Name("end") - Name("begin")) // rows * rows)

    def _column_finish(self, places: dict[Operation, Expr]) -> None:
        """The accumulators go into the part's row of the table."""
        for operation, place in places.items():
            with self.builder.on_behalf_of(operation):
                self.builder.store(self._element_of(operation, self.part), self._column_at(operation, place))


class TableFoldWriter(_TableWriter):
    """Writes the kernel that folds the rows of the tables, and computes what follows from the results."""

    def write(self) -> Kernel:
        return replace(super().write(), work=self.parts.count * self.columns * len(self.reductions))

    def _write_body(self) -> DimLike:
        inner, bounds = self.loops[-1], (0, self.columns, LoopKind.BLOCK)
        places = {o: self._column_place(o, self.columns) for o in self.reductions}
        with self._range():
            self._column_loop(inner, bounds, lambda: self._column_start(places))
            with self._loop("j0", 0, self.parts.count) as row:
                self._column_loop(inner, bounds, lambda: self._take_row(places, row))
            self._column_loop(inner, bounds, lambda: self._column_finish(places))
        return 1

    def _take_row(self, places: dict[Operation, Expr], row: Expr) -> None:
        for operation, place in places.items():
            at, short = self._column_at(operation, place), self._column_type(operation)
            with self.builder.on_behalf_of(operation):
                made = self._merged(operation, at, self._element_of(operation, row))
                self.builder.store(at, as_element(short, made))

"""Fused groups to kernels: what all of them share, and maps over a domain.

for i in domain: results[i] = …
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from ....base.target import current_target
from ....ir.core import Operation, Value
from ....ops.dims import DimLike, product, same_dim, same_shape
from ....ops.kernel_expressions import ZERO, Expr, Load, Name, Operand, expr
from ....ops.lowering import Index, Reduce
from ....ops.types import Shape
from ...kernel.kernel_builder import KernelBuilder
from ...kernel.kernel_call import Kernel
from ...kernel.statements import LoopKind
from ..element import ElementWriter, are_alike, broadcast_index, stored, stored_parts
from ..parameters import Parameters
from .axes import Axis, decode, fills_no_vectors, set_index, sweep_axes, whole, whole_vectors
from .folds import finished, lowering_of, weight_of


class GroupWriter:
    """Writes the kernel of a group without reductions; `outputs` are results of its operations to store.

    Groups with reductions have subclasses (rows.py, columns.py).
    """

    def __init__(
        self,
        name: str,
        operations: Sequence[Operation],
        outputs: Sequence[Value],
        domain: Shape,
        axes: tuple[int, ...] | None,
    ) -> None:
        self.name = name
        self.operations = list(operations)
        self.outputs = list(outputs)
        self.domain = domain
        self.axes = axes
        self.parameters = Parameters()
        self.builder = KernelBuilder()
        self.names: dict[Value, Expr] = {}
        self.elements = ElementWriter(self.parameters, self.builder, set(operations), self._resolve)
        self.loops = sweep_axes(domain, axes, operations)
        self.index: Index = [ZERO] * len(domain)
        self.pending: list[tuple[Load, Expr, Operation | None]] = []  # stores, with the operations they belong to
        self.reductions = [o for o in operations if isinstance(o.op.lowering, Reduce)]
        self.splittable = True
        self.stores_parts = False  # of vectors, by a mask, row by row
        self.sweep_of: dict[Value, int] = {}  # in which sweep over a row a result is stored
        self.read_in: list[set[Value]] = []  # what each sweep reads
        self.stored_at: dict[Value, tuple[Expr, ...]] = {}
        self.targets: dict[Value, Load] = {}  # where results are stored that are numbers in one piece
        self.streamed: dict[Value, Name] = {}  # results whose rows are made in local arrays
        self.kept: dict[Value, Load] = {}  # of these, the ones of earlier sweeps: later ones read them there
        self.stashes: dict[Value, Name] = {}
        self.stashed: set[Value] = set()

    def write(self) -> Kernel:
        extent = self._write_body()
        work = product(self.domain) * max(1, sum(weight_of(o) for o in self.operations))
        makers = {value: value.operation for value in self.outputs}  # bases: arrays of which only a row is stored
        bases = {v: o.operands[0] for v, o in makers.items() if o is not None and o.name == "select_update"}
        kernel = self.parameters.kernel(self.name, self.builder, extent, work)
        return replace(kernel, in_place=self._in_place(), splittable=self.splittable, bases=bases)

    # -- shared ------------------------------------------------------------------------------------

    def _resolve(self, value: Value, index: Index) -> Expr | None:
        """Finished reductions are local names, whatever way their row's index is spelled; what is kept is a load."""
        if value in self.kept and tuple(index) == self.stored_at[value]:
            return self.elements.bind(self.kept[value])
        if value in self.stashed and index == self.index:
            return self.elements.bind(self.stashes[value]["j0"])
        return self.names.get(value)

    def _set_index(self, axis: Axis, name: Expr) -> None:
        set_index(self.index, axis, name)

    def _decode(self, axes: Sequence[Axis], flat: Expr) -> None:
        """Split a flat loop variable into the indices of several axes."""
        decode(axes, flat, self.index, self.parameters, self.builder)

    def _repeat(self, inner: Axis, variable: Name, outer: Sequence[Axis]) -> None:
        """Say that a loop over an axis runs again for each row: indices that only it changes are checked once."""
        rows, target = product(a.size for a in outer), current_target()
        are_few = isinstance(rows, int) and rows < target.costs.tables
        if isinstance(inner.size, int) and 0 < inner.size <= target.stash_elements // 2 and not are_few:
            self.elements.repeated[variable] = inner.size

    @contextmanager
    def _loop(
        self, variable: str, start: Operand, stop: Operand, step: int = 1, kind: LoopKind = LoopKind.SERIAL
    ) -> Iterator[Name]:
        """A loop, with a scope of its own for elements that are computed in it."""
        with self.builder.loop(variable, start, stop, step, kind) as name:
            self.elements.push()
            yield name
            self.elements.pop()

    def _range(self, variable: str = "r") -> AbstractContextManager[Name]:
        """The loop over the kernel's range, which threads may share."""
        return self._loop(variable, "lo", "hi", kind=LoopKind.PARALLEL)

    def _store(self, value: Value, index: Index) -> None:
        """Queue a store; stores follow all loads of an element, so that a result may take an input's memory."""
        parts = stored_parts(value, index, self.elements)
        names = [self.elements.value(part, index) for part, _ in parts]
        self.stored_at[value] = tuple(index)
        for name, (part, place) in zip(names, parts, strict=True):
            element, target = stored(value, name), self.parameters.out(value, place)
            if part is value and not value.dtype.is_bool:
                self.targets[value] = target
            if value in self.streamed:
                target = self.streamed[value]["j0"]
            self.pending.append((target, element, part.operation))

    def _flush(self) -> None:
        for target, element, operation in self.pending:
            with self.builder.on_behalf_of(operation):
                self.builder.store(target, element)
        self.pending.clear()

    def _value_index(self, value: Value) -> Index:
        """The index of a stored value at the current place: the whole domain, or the row."""
        shape = value.tensor_type.shape
        if same_shape(shape, self.domain):
            return list(self.index)
        assert self.axes is not None
        rows = [k for k in range(len(self.domain)) if k not in self.axes and not same_dim(self.domain[k], 1)]
        queue = iter(rows)
        return [ZERO if same_dim(d, 1) else self.index[next(queue)] for d in shape]

    def _is_full(self, value: Value) -> bool:
        """Whether a value is stored per element of the domain rather than per row."""
        if self.axes is None:
            return True
        if value.operation in self.reductions or not same_shape(value.tensor_type.shape, self.domain):
            return False
        folded = product(self.domain[a] for a in self.axes)
        return not same_dim(folded, 1)

    def _element(self, operation: Operation) -> Expr:
        """One element that a reduction takes in."""
        operand = operation.operands[0]
        with self.builder.on_behalf_of(operation):
            return self.elements.value(operand, broadcast_index(operand.tensor_type, self.index))

    def _finish(self, operation: Operation, accumulator: Expr) -> Expr:
        """The name of a reduction's result."""
        count = None
        if "{n}" in lowering_of(operation).finish:
            shape = operation.operands[0].tensor_type.shape
            count = self.parameters.dim(product(shape[a] for a in operation.attrs["axis"]))
        made = finished(operation, accumulator, count)
        if made == accumulator:
            return made
        with self.builder.on_behalf_of(operation):
            return self.elements.bind(made)

    def _in_place(self) -> dict[Value, tuple[Value, ...]]:
        """Results that may take an input's memory: its elements are read where they are stored, and not later."""
        found: dict[Value, tuple[Value, ...]] = {}
        if self.stores_parts or (self.loops and self.axes is not None and self.loops[-1].kept):
            return found
        for value in filter(self._is_full, self.outputs):
            later = set[Value]().union(*self.read_in[self.sweep_of.get(value, 0) + 1 :])
            found[value] = tuple(
                i for i, indices in self.elements.reads.items()
                if i not in later and are_alike(i, value) and same_shape(i.tensor_type.shape, self.domain)
                and indices == {self.stored_at[value]}
            )  # fmt: skip
        return found

    # -- maps --------------------------------------------------------------------------------------

    def _write_body(self) -> DimLike:
        """The loops; gives the extent of the outermost, which threads may share."""
        loops = self.loops
        if len(loops) <= 1:
            with self._range("i") as i:
                if loops:
                    self._set_index(loops[0], i)
                self._store_all()
            return loops[0].size if loops else 1
        if len(loops) == 2 and self._written_out(1):
            with self._range("i") as i:
                self._set_index(loops[0], i)
                self._store_row()
            return loops[0].size
        last = 2 if self._written_out(2) else 1
        outer, inner = loops[:-last], loops[-last]
        with self._range() as r:
            self._decode(outer, r)
            is_short = (
                isinstance(inner.size, int) and 4 < inner.size <= 64
            )  # else it would be straight code, no vectors
            kind = LoopKind.BLOCK if is_short else LoopKind.SERIAL
            pieces = whole_vectors(whole(inner.size)) if is_short else [(0, self.parameters.dim(inner.size))]
            self.stores_parts = is_short and fills_no_vectors(whole(inner.size))
            self._repeat(inner, Name("j"), outer)
            for start, stop in pieces:
                with self._loop("j", start, stop, kind=kind) as j:
                    self._set_index(inner, j)
                    self._store_row() if last == 2 else self._store_all()
        return product(a.size for a in outer)

    def _written_out(self, outer: int) -> bool:
        """Whether the innermost axis is so short that its elements are written out, and so many axes are around it: the
        loop over the next one becomes vectors, and takes the indices apart less often.
        """
        size, limits = self.loops[-1].size, current_target().short_rows
        is_short = isinstance(size, int) and size <= limits.map and size * len(self.operations) <= limits.written
        return is_short and len(self.loops) > outer

    def _store_row(self) -> None:
        """All elements along the innermost axis, loads before stores."""
        inner = self.loops[-1]
        for k in range(whole(inner.size)):
            self._set_index(inner, expr(k))
            for value in self.outputs:
                self._store(value, list(self.index))
        self._flush()

    def _store_all(self) -> None:
        for value in self.outputs:
            self._store(value, list(self.index))
        self._flush()

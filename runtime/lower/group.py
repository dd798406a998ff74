"""Fused groups to kernels: maps over a domain, rows with reductions along them, and column reductions.

map      for i in domain: results[i] = …
rows     for r in kept axes: phases of loops over the folded axes; a phase's reductions feed the next phases
columns  the innermost axis is kept: accumulate whole rows into the results, then finish them
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace

from ...base.dtype import BY_SHORT
from ...base.target import current_target
from ...ir.core import Operation, Value
from ...ops.dims import DimLike, product, same_dim, same_shape
from ...ops.kernel_expressions import ZERO, Expr, Load, Name, Operand, differ, smaller, ternary
from ...ops.lowering import Index, Reduce
from ...ops.types import Shape, TensorType
from ..kernel.kernel_builder import KernelBuilder
from ..kernel.kernel_call import Kernel
from ..kernel.statements import LoopKind
from .axes import Axis, kind_of, sweep_axes, whole_vectors
from .element import ElementWriter, broadcast_index, stored, stored_parts
from .fetch import fetch_rows, store_rows, streamed_rows
from .folds import (
    SUM_BLOCK,
    Sweep,
    accumulator_of,
    as_element,
    combined,
    expensive_under,
    finished,
    is_order_free,
    lowering_of,
    plan_sweeps,
    reductions_under,
    start_of,
    summed_in_blocks,
    taken_in,
    weight_of,
)
from .in_place import in_place
from .parameters import Parameters, linear


class GroupWriter:
    """Writes the kernel of a group; `outputs` are results of its operations to store."""

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
        self.sweep_of: dict[Value, int] = {}  # in which sweep over a row a result is stored
        self.read_in: list[set[Value]] = []  # what each sweep reads
        self.stored_at: dict[Value, tuple[Expr, ...]] = {}
        self.targets: dict[Value, Load] = {}  # where results are stored that are numbers in one piece
        self.streamed: dict[Value, Name] = {}  # results whose rows are made in local arrays
        self.kept: dict[Value, Load] = {}  # of these, the ones of earlier sweeps: later ones read them there
        self.stashes: dict[Value, Name] = {}
        self.stashed: set[Value] = set()

    def write(self) -> Kernel:
        if self.axes is None:
            extent = self._write_map()
        elif self.loops and self.loops[-1].kept:
            extent = self._write_columns()
        else:
            extent = self._write_rows()
        work = product(self.domain) * max(1, sum(weight_of(o) for o in self.operations))
        in_place, bases = self._in_place(), self._bases()
        kernel = self.parameters.kernel(self.name, self.builder, extent, work)
        return replace(kernel, in_place=in_place, splittable=self.splittable, bases=bases)

    # -- shared ------------------------------------------------------------------------------------

    def _resolve(self, value: Value, index: Index) -> Expr | None:
        """Finished reductions are local names, whatever way their row's index is spelled; what is kept is a load."""
        if value in self.kept and tuple(index) == self.stored_at[value]:
            return self.elements.bind(self.kept[value])
        if value in self.stashed and index == self.index:
            return self.elements.bind(self.stashes[value]["j0"])
        return self.names.get(value)

    def _set_index(self, axis: Axis, name: Expr) -> None:
        for member in axis.members:
            self.index[member] = ZERO
        self.index[axis.members[-1]] = name

    def _decode(self, axes: Sequence[Axis], flat: Expr) -> None:
        """Split a flat loop variable into the indices of several axes."""
        rest = flat
        for k in reversed(range(1, len(axes))):
            size = self.parameters.dim(axes[k].size)
            self._set_index(axes[k], self.builder.let(f"i{k}", rest % size))
            rest = self.builder.let(f"r{k}", rest // size)
        if axes:
            self._set_index(axes[0], rest)

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
        shape = [self.parameters.dim(d) for d in value.tensor_type.shape]
        pointer = self.parameters.pointer(value, "out")
        for name, (part, place) in zip(names, parts, strict=True):
            element, target = stored(value, name), pointer[linear(place, shape)]
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

    def _in_place(self) -> dict[Value, tuple[Value, ...]]:
        return in_place(self)

    def _bases(self) -> dict[Value, Value]:
        """Arrays of which only a row is stored."""
        makers = {value: value.operation for value in self.outputs}
        return {v: o.operands[0] for v, o in makers.items() if o is not None and o.name == "select_update"}

    # -- maps --------------------------------------------------------------------------------------

    def _write_map(self) -> DimLike:
        loops = self.loops
        if len(loops) <= 1:
            with self._range("i") as i:
                if loops:
                    self._set_index(loops[0], i)
                self._store_all()
            return loops[0].size if loops else 1
        outer, inner = loops[:-1], loops[-1]
        with self._range() as r:
            self._decode(outer, r)
            is_short = (
                isinstance(inner.size, int) and 4 < inner.size <= 64
            )  # else it would be straight code, no vectors
            kind = LoopKind.BLOCK if is_short else LoopKind.SERIAL
            pieces = whole_vectors(_whole(inner.size)) if is_short else [(0, self.parameters.dim(inner.size))]
            for start, stop in pieces:
                with self._loop("j", start, stop, kind=kind) as j:
                    self._set_index(inner, j)
                    self._store_all()
        return product(a.size for a in outer)

    def _store_all(self) -> None:
        for value in self.outputs:
            self._store(value, list(self.index))
        self._flush()

    # -- rows --------------------------------------------------------------------------------------

    def _write_rows(self) -> DimLike:
        kept = [a for a in self.loops if a.kept]
        folded = [a for a in self.loops if not a.kept]
        sweeps = plan_sweeps(self.reductions, [v for v in self.outputs if self._is_full(v)], self._needs)
        self._choose_stashes(sweeps, folded)
        ahead: dict[Operation, Name] = {}
        if self._may_reduce_ahead(sweeps, kept, folded):
            ahead = self._reduce_first_row(kept[0], folded[0], sweeps.pop(0)[0])
        rows = streamed_rows(sweeps[-1][1], folded) if sweeps else {}
        for value, name in rows.items():
            self.builder.local(name.name, value.dtype.short, _whole(folded[0].size))
        with self._range() as r:
            self._decode(kept, r)
            self._restart(ahead)
            self._write_sweeps(sweeps, rows, (kept, folded), ahead)
            store_rows(self.builder, self.parameters, rows, self.index, folded)
            for value in self.outputs:
                if not self._is_full(value):
                    self._store(value, self._value_index(value))
            self._flush()
        if rows:
            self.builder.do("fence")
        return product(a.size for a in kept)

    def _write_sweeps(
        self, sweeps: Sequence[Sweep], rows: dict[Value, Name], axes: tuple[Sequence[Axis], Sequence[Axis]],
        ahead: dict[Operation, Name],
    ) -> None:  # fmt: skip
        """All sweeps over a row, the next row's memory asked for before the last one."""
        kept, folded = axes
        fetches = len(sweeps) > 1 and not ahead and len(kept) == len(folded) == 1
        for number, (reductions, stores) in enumerate(sweeps):
            self.sweep_of |= dict.fromkeys(stores, number)
            self.streamed = rows if stores is sweeps[-1][1] else {}
            if fetches and stores is sweeps[-1][1]:
                fetch_rows(self.builder, self.parameters, self.elements.reads, self.index, kept[0], folded[0])
            before, self.elements.reads = self.elements.reads, {}
            self._sweep(axes, reductions, stores, ahead)
            self.read_in.append(set(self.elements.reads))
            for value, places in before.items():
                self.elements.reads.setdefault(value, set()).update(places)
            self.kept |= {v: self.targets[v] for v in stores if v in self.targets}
            ahead = {}

    def _choose_stashes(self, sweeps: Sequence[Sweep], folded: Sequence[Axis]) -> None:
        """Expensive elements that several sweeps need are kept in a local array instead of being computed again."""
        size = folded[0].size if len(folded) == 1 else None
        if not isinstance(size, int) or size > current_target().stash_elements:
            return
        seen: set[Operation] = set()
        for reductions, stores in sweeps:
            needed = self._expensive([*(o.operands[0] for o in reductions), *stores])
            for operation in needed & seen:
                self.stashes.setdefault(operation.result, Name(f"s{len(self.stashes)}"))
            seen |= needed
        for value, name in self.stashes.items():
            self.builder.local(name.name, value.dtype.short, size)

    def _expensive(self, roots: Sequence[Value]) -> set[Operation]:
        return expensive_under(roots, self.elements.inside, self.reductions, self.domain)

    def _may_reduce_ahead(self, sweeps: Sequence[Sweep], kept: Sequence[Axis], folded: Sequence[Axis]) -> bool:
        """Whether the second sweep over a row may also make the first one over the next row.

        Then the next row comes from memory while this one is computed with (softmax: half the time). Not where the
        second sweep stores, perhaps over its input, nor for sums, which would differ between the first row and others.
        """
        if len(sweeps) < 2 or sweeps[0][1] or sweeps[1][1] or len(kept) != 1 or len(folded) != 1:
            return False
        costly = self._expensive([o.operands[0] for o in sweeps[0][0]])
        return all(map(is_order_free, sweeps[0][0])) and not any(o.result in self.stashes for o in costly)

    def _reduce_first_row(self, kept: Axis, folded: Axis, reductions: Sequence[Operation]) -> dict[Operation, Name]:
        """The first sweep of the first row, before the loop over rows; gives the names of the accumulators."""
        saved, names = list(self.index), self._accumulators(reductions)
        count = ternary(Name("lo") < "hi", self.parameters.dim(folded.size), 0)
        with self._loop("j0", 0, count) as j:
            self._set_index(folded, j)
            self._reduce_row(kept, Name("lo"), dict(zip(reductions, names, strict=True)))
        self.index = saved
        return dict(zip(reductions, names, strict=True))

    def _restart(self, ahead: dict[Operation, Name]) -> None:
        """What was reduced ahead is this row's; the accumulators start again, for the next row."""
        for operation, name in ahead.items():
            with self.builder.on_behalf_of(operation):
                held = self.builder.let(f"b{name}", name)
                self.builder.let(name, start_of(operation))
            self.names[operation.result] = self._finish(operation, held)
        if ahead:
            self.builder.let("q", smaller(Name("r") + 1, Name("hi") - 1))

    def _reduce_row(self, kept: Axis, row: Expr, ahead: dict[Operation, Name]) -> None:
        """Accumulate one element of another row; its own sweeps read it as well, so that reads count as theirs."""
        saved, reads = list(self.index), self.elements.reads
        self.elements.reads = {}
        self._set_index(kept, row)
        self._accumulate(list(ahead), list(ahead.values()))
        for value, places in self.elements.reads.items():
            reads.setdefault(value, set()).update(
                tuple(Name("r") if i == row else i for i in place) for place in places
            )
        self.elements.reads, self.index = reads, saved

    def _accumulators(self, reductions: Sequence[Operation]) -> list[Name]:
        """A fresh accumulator for each reduction, at its start."""
        names = []
        for operation in reductions:
            self.elements.count += 1
            with self.builder.on_behalf_of(operation):
                names.append(self.builder.let(f"a{self.elements.count}", start_of(operation)))
        return names

    def _accumulate(self, reductions: Sequence[Operation], names: Sequence[Name]) -> None:
        elements = [(o, self._accumulated(o)) for o in reductions]
        for name, (operation, element) in zip(names, elements, strict=True):
            with self.builder.on_behalf_of(operation):
                self.builder.let(name, combined(operation, name, element))

    def _sweep(
        self, axes: tuple[Sequence[Axis], Sequence[Axis]], reductions: Sequence[Operation], stores: Sequence[Value],
        ahead: dict[Operation, Name],
    ) -> None:  # fmt: skip
        """One loop nest over the folded axes: accumulates reductions, stores elements, reduces the next row ahead."""
        kept, folded = axes
        saved, names = list(self.index), self._accumulators(reductions)
        totals = dict(zip(reductions, names, strict=True))
        in_blocks = summed_in_blocks(reductions, [a.size for a in folded])
        shortest = 2 if self._expensive([*(o.operands[0] for o in reductions), *stores]) else 9
        with ExitStack() as loops:
            sums = totals
            for k, axis in enumerate(folded):
                start: Operand = 0
                stop = self.parameters.dim(axis.size)
                if in_blocks and axis is folded[-1]:
                    if not isinstance(axis.size, int) or axis.size > SUM_BLOCK:
                        start = loops.enter_context(self._loop("first", 0, stop, SUM_BLOCK))
                        stop = smaller(start + SUM_BLOCK, stop)
                    blocks = dict(zip(in_blocks, self._accumulators(in_blocks), strict=True))
                    sums = totals | blocks
                    loops.callback(self._add_blocks, blocks, totals)
                kind = kind_of(axis.size, shortest) if axis is folded[-1] else LoopKind.SERIAL
                self._set_index(axis, loops.enter_context(self._loop(f"j{k}", start, stop, kind=kind)))
            self._sweep_element(sums, stores, kept, ahead)
        self.index = saved
        for operation, name in totals.items():
            self.names[operation.result] = self._finish(operation, name)

    def _sweep_element(
        self, sums: dict[Operation, Name], stores: Sequence[Value], kept: Sequence[Axis], ahead: dict[Operation, Name]
    ) -> None:
        """What a sweep does at one element."""
        self._accumulate(list(sums), list(sums.values()))
        for value in stores:
            self._store(value, list(self.index))
        fresh = [
            v for v in self.stashes if v not in self.stashed and (v, tuple(self.index)) in self.elements.scopes[-1]
        ]
        for value in fresh:
            element = self.elements.value(value, list(self.index))
            self.pending.append((self.stashes[value]["j0"], element, value.operation))
        self.stashed.update(fresh)
        self._flush()
        if ahead:
            self._reduce_row(kept[0], Name("q"), ahead)

    def _add_blocks(self, blocks: dict[Operation, Name], totals: dict[Operation, Name]) -> None:
        for operation, name in blocks.items():
            with self.builder.on_behalf_of(operation):
                self.builder.let(totals[operation], totals[operation] + name)

    def _accumulated(self, operation: Operation) -> Expr:
        """One element on its way into an accumulator."""
        operand = operation.operands[0]
        with self.builder.on_behalf_of(operation):
            element = self.elements.value(operand, broadcast_index(operand.tensor_type, self.index))
        return taken_in(operation, element)

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

    def _needs(self, value: Value) -> set[Operation]:
        return reductions_under(value, self.elements.inside, self.reductions)

    # -- columns -----------------------------------------------------------------------------------

    def _write_columns(self) -> DimLike:
        kept = [a for a in self.loops[:-1] if a.kept]
        folded = [a for a in self.loops if not a.kept]
        inner = self.loops[-1]
        size = self.parameters.dim(inner.size)
        in_registers = self._fits_registers(inner.size)
        with ExitStack() as outermost:
            bounds: tuple[Operand, Operand, LoopKind] = "lo", "hi", LoopKind.PARALLEL
            places = {o: self._column_place(o, inner.size if in_registers else None) for o in self.reductions}
            if kept or in_registers:
                self._decode(kept, outermost.enter_context(self._range()))
                bounds = 0, size, LoopKind.BLOCK if in_registers else LoopKind.SERIAL
            self._column_loop(inner, bounds, lambda: self._column_start(places))
            with ExitStack() as loops:
                for k, axis in enumerate(folded):
                    self._set_index(axis, loops.enter_context(self._loop(f"j{k}", 0, self.parameters.dim(axis.size))))
                self._column_loop(inner, bounds, lambda: self._column_accumulate(places))
            self._column_loop(inner, bounds, lambda: self._column_finish(places))
        return product(a.size for a in kept) if kept or in_registers else inner.size

    def _fits_registers(self, columns: DimLike) -> bool:
        """Whether the accumulators of all columns stay in registers while the rows go by."""
        kinds = [BY_SHORT[accumulator_of(o)].numpy.itemsize for o in self.reductions]
        most = current_target().core.vector_bytes * current_target().core.registers // 4
        return isinstance(columns, int) and columns * sum(kinds) <= most

    def _column_loop(self, inner: Axis, bounds: tuple[Operand, Operand, LoopKind], body: Callable[[], None]) -> None:
        start, stop, kind = bounds
        with self._loop("j", start, stop, kind=kind) as j:
            self._set_index(inner, j)
            body()
            is_empty = not self.builder.innermost
        if is_empty:  # nothing to do per element
            self.builder.innermost.pop()

    def _column_place(self, operation: Operation, in_registers: DimLike | None) -> Expr:
        """What a reduction's accumulators stand in: registers, its result's memory, or scratch."""
        short, result = accumulator_of(operation), operation.result
        if in_registers is not None:
            element = "u8" if short == "bool" else short
            return self.builder.local(f"c{self.reductions.index(operation)}", element, _whole(in_registers))
        if result in self.outputs and result.dtype.short == short:
            return self.parameters.pointer(result, "out")
        return self.parameters.scratch(TensorType(BY_SHORT[short], result.tensor_type.shape))

    def _column_at(self, operation: Operation, place: Expr) -> Load:
        if isinstance(place, Name):
            return place["j"]
        shape = [self.parameters.dim(d) for d in operation.result.tensor_type.shape]
        return place[linear(self._value_index(operation.result), shape)]

    def _column_start(self, places: dict[Operation, Expr]) -> None:
        for operation, place in places.items():
            with self.builder.on_behalf_of(operation):
                self.builder.store(self._column_at(operation, place), as_element(operation, start_of(operation)))

    def _column_accumulate(self, places: dict[Operation, Expr]) -> None:
        elements = [(o, place, self._accumulated(o)) for o, place in places.items()]
        for operation, place, element in elements:
            at = self._column_at(operation, place)
            held = differ(at, 0) if accumulator_of(operation) == "bool" else at
            with self.builder.on_behalf_of(operation):
                self.builder.store(at, as_element(operation, combined(operation, held, element)))
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
                held = self.elements.bind(differ(at, 0) if accumulator_of(operation) == "bool" else at)
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


def _whole(size: DimLike) -> int:
    assert isinstance(size, int)
    return size

"""Fused groups to kernels: maps over a domain, rows with reductions along them, and column reductions.

map      for i in domain: results[i] = …
rows     for r in kept axes: phases of loops over the folded axes; a phase's reductions feed the next phases
columns  the innermost axis is kept: accumulate whole rows into the results, then finish them
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...base.dtype import BY_SHORT
from ...ir.core import Operation, Value
from ...ops.dims import DimLike, product, same_dim, same_shape
from ...ops.lowering import Index, Reduce
from ...ops.types import Shape, TensorType
from .axes import Axis, sweep_axes
from .element import ElementWriter, broadcast_index, stored_parts
from .fetch import fetch_lines, stream_lines, streamed_rows
from .folds import (
    SUM_BLOCK,
    Sweep,
    accumulator_of,
    as_element,
    combine_of,
    expensive_under,
    is_order_free,
    lowering_of,
    put_off,
    reductions_under,
    summed_in_blocks,
    taken_in,
    template_of,
    weight_of,
)
from .in_place import in_place
from .kernel import Kernel, Parameters, Writer, linear

STASH_LIMIT = 4096  # elements of a row kept on the stack


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
        self.writer = Writer()
        self.names: dict[Value, str] = {}
        self.elements = ElementWriter(self.parameters, self.writer, set(operations), self._resolve)
        self.loops = sweep_axes(domain, axes, operations)
        self.index: Index = ["0"] * len(domain)
        self.pending: list[tuple[str, Operation | None]] = []  # lines with the operations they belong to
        self.reductions = [o for o in operations if isinstance(o.op.lowering, Reduce)]
        self.splittable = True
        self.sweep_of: dict[Value, int] = {}  # in which sweep over a row a result is stored
        self.read_in: list[set[Value]] = []  # what each sweep reads
        self.stored_at: dict[Value, tuple[str, ...]] = {}
        self.targets: dict[Value, str] = {}  # where results are stored that are numbers in one piece
        self.streamed: dict[Value, str] = {}  # results whose rows are made in local arrays
        self.kept: dict[Value, str] = {}  # of these, the ones of earlier sweeps: later ones read them there
        self.stashes: dict[Value, str] = {}
        self.stashed: set[Value] = set()

    def write(self) -> Kernel:
        if self.axes is None:
            extent = self._write_map()
        elif self.loops and self.loops[-1].kept:
            extent = self._write_columns()
        else:
            extent = self._write_rows()
        work = product(self.domain) * max(1, sum(weight_of(o) for o in self.operations))
        return Kernel(
            self.parameters.source(self.name, self.writer.text()), self.parameters.slots,
            self.parameters.dims,
            extent, work,
            self._in_place(), self.splittable, self.parameters.has_status, self._bases(), origins=self.writer.origins,
        )  # fmt: skip

    # -- shared ------------------------------------------------------------------------------------

    def _resolve(self, value: Value, index: Index) -> str | None:
        """Finished reductions are local names, whatever way their row's index is spelled; what is kept is a load."""
        if value in self.kept and tuple(index) == self.stored_at[value]:
            return self.elements.bind(self.kept[value])
        if value in self.stashed and index == self.index:
            return self.elements.bind(f"{self.stashes[value]}[j0]")
        return self.names.get(value)

    def _set_index(self, axis: Axis, name: str) -> None:
        for member in axis.members:
            self.index[member] = "0"
        self.index[axis.members[-1]] = name

    def _decode(self, axes: Sequence[Axis], flat: str) -> None:
        """Split a flat loop variable into the indices of several axes."""
        line = self.writer.line
        rest = flat
        for k in reversed(range(1, len(axes))):
            name, size = f"i{k}", self.parameters.dim(axes[k].size)
            line(f"{name} = {rest} % {size}")
            line(f"r{k} = {rest} // {size}")
            rest = f"r{k}"
            self._set_index(axes[k], name)
        if axes:
            self._set_index(axes[0], rest)

    def _open(self, variable: str, size: str, start: str = "0") -> None:
        self.writer.line(
            f"for {variable} in range({start}, {size}):" if start != "0" else f"for {variable} in range({size}):"
        )
        self.writer.depth += 1
        self.elements.push()

    def _close(self) -> None:
        self.writer.depth -= 1
        self.elements.pop()

    def _store(self, value: Value, index: Index) -> None:
        """Queue a store; stores follow all loads of an element, so that a result may take an input's memory."""
        parts = stored_parts(value, index, self.elements)
        names = [self.elements.value(part, index) for part, _ in parts]
        self.stored_at[value] = tuple(index)
        shape = [self.parameters.dim(d) for d in value.tensor_type.shape]
        pointer = self.parameters.pointer(value, "out")
        for name, (part, place) in zip(names, parts, strict=True):
            text, target = f"u8({name})" if value.dtype.is_bool else name, f"{pointer}[{linear(place, shape)}]"
            self.pending.append((f"{target} = {text}", part.operation))
            if part is value and not value.dtype.is_bool:
                self.targets[value] = target
            if value in self.streamed:
                self.pending[-1] = f"{self.streamed[value]}[j0] = {text}", part.operation

    def _flush(self) -> None:
        for text, operation in self.pending:
            with self.writer.on_behalf_of(operation):
                self.writer.line(text)
        self.pending.clear()

    def _value_index(self, value: Value) -> Index:
        """The index of a stored value at the current place: the whole domain, or the row."""
        shape = value.tensor_type.shape
        if same_shape(shape, self.domain):
            return list(self.index)
        assert self.axes is not None
        rows = [k for k in range(len(self.domain)) if k not in self.axes and not same_dim(self.domain[k], 1)]
        queue = iter(rows)
        return ["0" if same_dim(d, 1) else self.index[next(queue)] for d in shape]

    def _is_full(self, value: Value) -> bool:
        """Whether a value is stored per element of the domain rather than per row."""
        if self.axes is None:
            return True
        operation = value.operation
        if operation in self.reductions:
            return False
        if not same_shape(value.tensor_type.shape, self.domain):
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
            self._open("i", "hi", "lo")
            if loops:
                self._set_index(loops[0], "i")
            self._store_all()
            self._close()
            return loops[0].size if loops else 1
        outer, inner = loops[:-1], loops[-1]
        self._open("r", "hi", "lo")
        self._decode(outer, "r")
        self._open("j", self.parameters.dim(inner.size))
        self._set_index(inner, "j")
        self._store_all()
        self._close()
        self._close()
        return product(a.size for a in outer)

    def _store_all(self) -> None:
        for value in self.outputs:
            self._store(value, list(self.index))
        self._flush()

    # -- rows --------------------------------------------------------------------------------------

    def _write_rows(self) -> DimLike:
        kept = [a for a in self.loops if a.kept]
        folded = [a for a in self.loops if not a.kept]
        sweeps = self._plan_sweeps()
        self._choose_stashes(sweeps, folded)
        ahead: dict[Operation, str] = {}
        if self._may_reduce_ahead(sweeps, kept, folded):
            ahead = self._reduce_first_row(kept[0], folded[0], sweeps.pop(0)[0])
        rows = streamed_rows(sweeps[-1][1], folded) if sweeps else {}
        for value, name in rows.items():
            self.writer.line(f"{name} = local_{value.dtype.short}({folded[0].size})")
        self._open("r", "hi", "lo")
        self._decode(kept, "r")
        self._restart(ahead)
        fetches = len(sweeps) > 1 and not ahead and len(kept) == len(folded) == 1
        for number, (reductions, stores) in enumerate(sweeps):
            self.sweep_of |= dict.fromkeys(stores, number)
            self.streamed = rows if stores is sweeps[-1][1] else {}
            if fetches and stores is sweeps[-1][1]:
                for text in fetch_lines(self.parameters, self.elements.reads, self.index, kept[0], folded[0]):
                    self.writer.line(text)
            before, self.elements.reads = self.elements.reads, {}
            self._sweep((kept, folded), reductions, stores, ahead)
            self.read_in.append(set(self.elements.reads))
            for value, places in before.items():
                self.elements.reads.setdefault(value, set()).update(places)
            self.kept |= {v: self.targets[v] for v in stores if v in self.targets}
            ahead = {}
        for text in stream_lines(self.parameters, rows, self.index, folded):
            self.writer.line(text)
        for value in self.outputs:
            if not self._is_full(value):
                self._store(value, self._value_index(value))
        self._flush()
        self._close()
        if rows:
            self.writer.line("fence()")
        return product(a.size for a in kept)

    def _plan_sweeps(self) -> list[Sweep]:
        """Loops over the folded axes: the reductions each can finish, and the elements each can store."""
        done: set[Operation] = set()
        full = [v for v in self.outputs if self._is_full(v)]
        sweeps: list[Sweep] = []
        while True:
            ready = [o for o in self.reductions if o not in done and not (self._needs(o.operands[0]) - done)]
            stores = [v for v in full if not (self._needs(v) - done)]
            if not ready and not stores:
                return put_off(sweeps, self._needs)
            sweeps.append((ready, stores))
            done.update(ready)
            full = [v for v in full if v not in stores]

    def _choose_stashes(self, sweeps: Sequence[Sweep], folded: Sequence[Axis]) -> None:
        """Expensive elements that several sweeps need are kept in a local array instead of being computed again."""
        size = folded[0].size if len(folded) == 1 else None
        if not isinstance(size, int) or size > STASH_LIMIT:
            return
        seen: set[Operation] = set()
        for reductions, stores in sweeps:
            needed = self._expensive([*(o.operands[0] for o in reductions), *stores])
            for operation in needed & seen:
                self.stashes.setdefault(operation.result, f"s{len(self.stashes)}")
            seen |= needed
        for value, name in self.stashes.items():
            self.writer.line(f"{name} = local_{value.dtype.short}({size})")

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

    def _reduce_first_row(self, kept: Axis, folded: Axis, reductions: Sequence[Operation]) -> dict[Operation, str]:
        """The first sweep of the first row, before the loop over rows; gives the names of the accumulators."""
        saved, names = list(self.index), self._accumulators(reductions)
        self._open("j0", f"{self.parameters.dim(folded.size)} if lo < hi else 0")
        self._set_index(folded, "j0")
        self._reduce_row(kept, "lo", dict(zip(reductions, names, strict=True)))
        self._close()
        self.index = saved
        return dict(zip(reductions, names, strict=True))

    def _restart(self, ahead: dict[Operation, str]) -> None:
        """What was reduced ahead is this row's; the accumulators start again, for the next row."""
        for operation, name in ahead.items():
            held = f"b{name}"
            with self.writer.on_behalf_of(operation):
                self.writer.line(f"{held} = {name}")
                self.writer.line(f"{name} = {self._template(operation, lowering_of(operation).start)}")
            self.names[operation.result] = self._finish(operation, held)
        if ahead:
            self.writer.line("q = min(r + 1, hi - 1)")

    def _reduce_row(self, kept: Axis, row: str, ahead: dict[Operation, str]) -> None:
        """Accumulate one element of another row; its own sweeps read it as well, so that reads count as theirs."""
        saved, reads = list(self.index), self.elements.reads
        self.elements.reads = {}
        self._set_index(kept, row)
        self._accumulate(list(ahead), list(ahead.values()))
        for value, places in self.elements.reads.items():
            reads.setdefault(value, set()).update(tuple("r" if i == row else i for i in place) for place in places)
        self.elements.reads, self.index = reads, saved

    def _accumulators(self, reductions: Sequence[Operation]) -> list[str]:
        """A fresh accumulator for each reduction, at its start."""
        names = []
        for operation in reductions:
            start = self._template(operation, lowering_of(operation).start)
            self.elements.count += 1
            name = f"a{self.elements.count}"
            with self.writer.on_behalf_of(operation):
                self.writer.line(f"{name} = {start}")
            names.append(name)
        return names

    def _accumulate(self, reductions: Sequence[Operation], names: Sequence[str]) -> None:
        elements = [(o, self._accumulated(o)) for o in reductions]
        for name, (operation, element) in zip(names, elements, strict=True):
            text = self._template(operation, combine_of(operation), a=name, x=element)
            with self.writer.on_behalf_of(operation):
                self.writer.line(f"{name} = {text}")

    def _sweep(
        self, axes: tuple[Sequence[Axis], Sequence[Axis]], reductions: Sequence[Operation], stores: Sequence[Value],
        ahead: dict[Operation, str],
    ) -> None:  # fmt: skip
        """One loop nest over the folded axes: accumulates reductions, stores elements, reduces the next row ahead."""
        kept, folded = axes
        saved, names = list(self.index), self._accumulators(reductions)
        blocks = dict.fromkeys(summed_in_blocks(reductions, [a.size for a in folded]), "")
        for k, axis in enumerate(folded):
            variable, size, start = f"j{k}", self.parameters.dim(axis.size), "0"
            if blocks and axis is folded[-1]:
                start = "first"
                self._open(start, f"0, {size}, {SUM_BLOCK}")
                blocks = dict(zip(blocks, self._accumulators(list(blocks)), strict=True))
                size = f"min(first + {SUM_BLOCK}, {size})"
            self._open(variable, size, start)
            self._set_index(axis, variable)
        self._accumulate(reductions, [blocks.get(o, n) for o, n in zip(reductions, names, strict=True)])
        for value in stores:
            self._store(value, list(self.index))
        fresh = [
            v for v in self.stashes if v not in self.stashed and (v, tuple(self.index)) in self.elements.scopes[-1]
        ]
        for value in fresh:
            element = self.elements.value(value, list(self.index))
            self.pending.append((f"{self.stashes[value]}[j0] = {element}", value.operation))
        self.stashed.update(fresh)
        self._flush()
        if ahead:
            self._reduce_row(kept[0], "q", ahead)
        for axis in reversed(folded):
            self._close()
            if blocks and axis is folded[-1]:
                self._add_blocks(blocks, dict(zip(reductions, names, strict=True)))
                self._close()
        self.index = saved
        for name, operation in zip(names, reductions, strict=True):
            self.names[operation.result] = self._finish(operation, name)

    def _add_blocks(self, blocks: dict[Operation, str], totals: dict[Operation, str]) -> None:
        for operation, name in blocks.items():
            with self.writer.on_behalf_of(operation):
                self.writer.line(f"{totals[operation]} = {totals[operation]} + {name}")

    def _accumulated(self, operation: Operation) -> str:
        """One element on its way into an accumulator."""
        operand = operation.operands[0]
        with self.writer.on_behalf_of(operation):
            element = self.elements.value(operand, broadcast_index(operand.tensor_type, self.index))
        return taken_in(operation, element)

    def _finish(self, operation: Operation, name: str) -> str:
        text = self._template(operation, lowering_of(operation).finish, a=name)
        short = operation.result.dtype.short
        if accumulator_of(operation) != short and short != "bool":
            text = f"{short}({text})"
        if text == name:
            return text
        with self.writer.on_behalf_of(operation):
            return self.elements.bind(text)

    def _template(self, operation: Operation, template: str, **fields: str) -> str:
        source = operation.operands[0].tensor_type
        count = (
            self.parameters.dim(product(source.shape[a] for a in operation.attrs["axis"])) if "{n}" in template else ""
        )
        return template_of(operation, template, count, **fields)

    def _needs(self, value: Value) -> set[Operation]:
        return reductions_under(value, self.elements.inside, self.reductions)

    # -- columns -----------------------------------------------------------------------------------

    def _write_columns(self) -> DimLike:
        kept = [a for a in self.loops[:-1] if a.kept]
        folded = [a for a in self.loops if not a.kept]
        inner = self.loops[-1]
        size = self.parameters.dim(inner.size)
        if kept:
            self._open("r", "hi", "lo")
            self._decode(kept, "r")
            start, stop = "0", size
        else:
            start, stop = "lo", "hi"
        places = {o: self._column_place(o) for o in self.reductions}
        self._column_loop(inner, start, stop, lambda: self._column_start(places))
        for k, axis in enumerate(folded):
            self._open(f"j{k}", self.parameters.dim(axis.size))
            self._set_index(axis, f"j{k}")
        self._column_loop(inner, start, stop, lambda: self._column_accumulate(places))
        for _ in folded:
            self._close()
        self._column_loop(inner, start, stop, lambda: self._column_finish(places))
        if kept:
            self._close()
            return product(a.size for a in kept)
        return inner.size

    def _column_loop(self, inner: Axis, start: str, stop: str, body: Callable[[], None]) -> None:
        self._open("j", stop, start)
        head = len(self.writer.lines)
        self._set_index(inner, "j")
        body()
        self._close()
        if len(self.writer.lines) == head:  # nothing to do per element
            self.writer.lines.pop()

    def _column_place(self, operation: Operation) -> str:
        """The pointer under a reduction's accumulators: its result's memory, or scratch."""
        short, result = accumulator_of(operation), operation.result
        if result in self.outputs and result.dtype.short == short:
            return self.parameters.pointer(result, "out")
        return self.parameters.scratch(TensorType(BY_SHORT[short], result.tensor_type.shape))

    def _column_at(self, operation: Operation, place: str) -> str:
        shape = [self.parameters.dim(d) for d in operation.result.tensor_type.shape]
        return f"{place}[{linear(self._value_index(operation.result), shape)}]"

    def _column_start(self, places: dict[Operation, str]) -> None:
        for operation, place in places.items():
            text = self._template(operation, lowering_of(operation).start)
            with self.writer.on_behalf_of(operation):
                self.writer.line(f"{self._column_at(operation, place)} = {as_element(operation, text)}")

    def _column_accumulate(self, places: dict[Operation, str]) -> None:
        elements = [(o, place, self._accumulated(o)) for o, place in places.items()]
        for operation, place, element in elements:
            at = self._column_at(operation, place)
            held = f"({at} != 0)" if accumulator_of(operation) == "bool" else at
            text = self._template(operation, combine_of(operation), a=held, x=element)
            with self.writer.on_behalf_of(operation):
                self.writer.line(f"{at} = {as_element(operation, text)}")
        for value in self.outputs:
            if self._is_full(value):
                self._store(value, list(self.index))
        self._flush()

    def _column_finish(self, places: dict[Operation, str]) -> None:
        for operation, place in places.items():
            if lowering_of(operation).finish == "{a}" and self._only_stored(operation, place):
                continue
            at = self._column_at(operation, place)
            with self.writer.on_behalf_of(operation):
                held = self.elements.bind(f"({at} != 0)" if accumulator_of(operation) == "bool" else at)
            self.names[operation.result] = self._finish(operation, held)
        for value in self.outputs:
            producer = value.operation
            stored = producer in places and value not in self.names
            if not self._is_full(value) and not stored:
                self._store(value, self._value_index(value))
        self._flush()
        for operation in places:
            self.names.pop(operation.result, None)

    def _only_stored(self, operation: Operation, place: str) -> bool:
        """Whether a column's accumulators are the stored result already, and nothing else reads them."""
        at_home = operation.result in self.outputs and self.parameters.pointer(operation.result, "out") == place
        return at_home and not any(user in self.elements.inside for user, _ in operation.result.uses)

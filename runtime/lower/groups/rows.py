"""Groups with reductions along their rows.

for r in kept axes: sweeps over the folded axes; a sweep's reductions feed the next sweeps
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from ....base.target import current_target
from ....ir.core import Operation, Value
from ....ops.dims import DimLike, product
from ....ops.kernel_expressions import Expr, Name, Operand, smaller, ternary
from ...kernel.statements import LoopKind
from .axes import Axis, kind_of, whole
from .fetch import fetch_rows, store_rows, streamed_rows
from .folds import (
    SUM_BLOCK,
    Sweep,
    combined,
    expensive_under,
    is_longer_than_block,
    is_order_free,
    plan_sweeps,
    reductions_under,
    start_of,
    summed_in_blocks,
    taken_in,
    undecided,
    weight_of,
)
from .group_writer import GroupWriter


class RowWriter(GroupWriter):
    """Writes the kernel of a group that folds the innermost axis."""

    def _write_body(self) -> DimLike:
        kept = [a for a in self.loops if a.kept]
        folded = [a for a in self.loops if not a.kept]
        sweeps = plan_sweeps(self.reductions, [v for v in self.outputs if self._is_full(v)], self._needs)
        self._choose_stashes(sweeps, folded)
        if len(folded) == 1:
            self._repeat(folded[0], Name("j0"), kept)
        ahead: dict[Operation, Name] = {}
        if self._may_reduce_ahead(sweeps, kept, folded):
            ahead = self._reduce_first_row(kept[0], folded[0], sweeps.pop(0)[0])
        costliest = max((weight_of(o) for o in self.operations if self._is_full(o.results[0])), default=0)
        rows = streamed_rows(sweeps[-1][1], folded, costliest) if sweeps else {}
        for value, name in rows.items():
            self.builder.local(name.name, value.dtype.short, whole(folded[0].size))
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
        elements = [(o, taken_in(o, self._element(o))) for o in reductions]
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
        test = None if stores or ahead else undecided(reductions, names, self.operations)
        shortest = 2 if self._expensive([*(o.operands[0] for o in reductions), *stores]) else 9
        with ExitStack() as loops:
            sums = totals
            for k, axis in enumerate(folded):
                start: Operand = 0
                stop = self.parameters.dim(axis.size)
                if (in_blocks or test is not None) and axis is folded[-1] and is_longer_than_block(axis.size):
                    start = loops.enter_context(self._loop("first", 0, stop, SUM_BLOCK))
                    stop = smaller(start + SUM_BLOCK, stop)
                    if test is not None:
                        loops.enter_context(self.builder.when(test))
                if in_blocks and axis is folded[-1]:
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

    def _needs(self, value: Value) -> set[Operation]:
        return reductions_under(value, self.elements.inside, self.reductions)

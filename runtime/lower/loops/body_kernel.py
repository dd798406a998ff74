"""The body kernel of speculative time tiling (schedule/time_tiling.py): some iterations on every block of elements.

It loads a block into registers, runs the iterations, and stores the block at the other place of its arrays. The
reductions of each iteration go to the rows of the block's piece. A block that an iteration leaves as is has converged.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.core import Value
from ..folds import accumulator_of, lowering_of, taken_in
from .loop_parts import LoopParts, is_single
from .tiled_loops import PIECES, Key, TiledKernel, TilingWriter, start_of

CHECKED = 16  # iterations between two checks whether a block has converged
SHORT = 6  # fewer iterations aren't worth the check


class _BodyKernel(TilingWriter):
    """Writes the body kernel."""

    def write(self) -> TiledKernel:
        parts, line = self.parts, self.line
        self.locals = {v: f"l{k}" for k, v in enumerate([*(parts.args[k] for k in parts.arrays), *parts.read])}
        line("# in blocks")  # numba_backend.IN_BLOCKS
        for value, name in self.locals.items():
            line(f"{name} = local_{_stored(value)}({self.block})")
        for k, operation in enumerate(parts.reductions):
            if not operation.result.dtype.is_bool:
                line(f"z{k} = local_{accumulator_of(operation)}({self.block})")
        line(f"iterations = {self.pointer('iterations')}[0]")
        self.load_alone()
        self._choose_sides()
        line(f"share = ({self.count} + {PIECES - 1}) // {PIECES}")
        line("for piece in range(lo, hi):")
        self.writer.depth += 1
        for k, operation in enumerate(parts.reductions):
            line("for k in range(iterations):")
            line(f"    for i in range({self.lanes(k)}):")
            line(f"        {self.row(k, 'k', 'i')} = {start_of(operation)}")
        line(f"for b in range(piece * share, min(piece * share + share, {self.count})):")
        self.writer.depth += 1
        self.elements.push()
        self._block()
        self.elements.pop()
        return self.finish("body", PIECES, splittable=True)

    # -- memory ------------------------------------------------------------------------------------

    @property
    def keeps_old(self) -> bool:
        """Whether iterations may have to run again, so that the old state is kept: there are two sides."""
        return bool(self.parts.reductions)

    def _choose_sides(self) -> None:
        if self.keeps_old:
            self.line(f"side = {self.pointer('side')}[0] % 2")
            self.line("other = select(iterations == 1, side, 1 - side)  # one iteration never runs again")
            self.line(f"again = {self.pointer('again')}[0]")
        for k in self.parts.arrays:
            short = self.parts.args[k].dtype.short
            here = self.pointer("here", k, "inout", short)
            if self.keeps_old:
                there = self.pointer("there", k, "inout", short)
                self.line(f"x{k} = select(side == 0, {here}, {there})")
                self.line(f"y{k} = select(other == 0, {here}, {there})")
            else:
                self.line(f"x{k} = {here}")
                self.line(f"y{k} = {here}")

    def _block(self) -> None:
        line, parts = self.line, self.parts
        line(f"base = b * {self.block}")
        line(f"rest = min({self.block}, {self.size} - base)")
        if parts.may_converge:
            self._pass_converged()
        line(f"whole = rest == {self.block}")
        line("at = select(whole, base, 0)")
        line(f"to = select(whole, base, {self.block})")
        sources = [(f"x{k}", parts.args[k], ("edge", k)) for k in parts.arrays]
        sources += [
            (self.pointer("read", k, "in", v.dtype.short), v, ("edge of read", k)) for k, v in enumerate(parts.read)
        ]
        self._pad(sources)
        for n, (pointer, value, key) in enumerate(sources):
            edge = self.pointer(*key, "inout", value.dtype.short)
            line(f"u{n} = select(whole, {pointer}, {edge})")
        for k in parts.arrays:
            line(f"w{k} = select(whole, y{k}, {self.pointer('edge', k)})")
        line(f"for j in range({self.block}):")
        for n in range(len(self.locals)):
            line(f"    l{n}[j] = u{n}[at + j]")
        self._iterations()
        line("if not whole:")
        line("    for j in range(rest):")
        for k in parts.arrays:
            line(f"        y{k}[base + j] = w{k}[to + j]")

    def _pad(self, sources: Sequence[tuple[str, Value, Key]]) -> None:
        """The last block is filled up with its last element, which changes no result, in memory of its own."""
        self.line("if not whole:")
        self.line(f"    for j in range({self.block}):")
        for pointer, value, key in sources:
            edge = self.pointer(*key, "inout", value.dtype.short)
            self.line(f"        {edge}[j] = {pointer}[base + min(j, rest - 1)]")

    def _pass_converged(self) -> None:
        """Blocks that have converged: once more, their elements go to the other side."""
        line, converged = self.line, self.pointer("converged", 0, "inout", "u8")
        state = f"{converged}[b]"
        line(f"if {state} == 2 or ({state} == 1 and again == 0):" if self.keeps_old else f"if {state} != 0:")
        self.writer.depth += 1
        if self.keeps_old:
            line(f"if {converged}[b] == 1 and iterations > 1:")
            line(f"    {converged}[b] = u8(2)")
            line("    for j in range(rest):")
            for k in self.parts.arrays:
                line(f"        y{k}[base + j] = x{k}[base + j]")
        for k, operation in enumerate(self.parts.reductions):
            last = self.pointer("last", k, "inout", accumulator_of(operation))
            self._fold_rows(k, "0", f"{last}[b]")
        line("continue")
        self.writer.depth -= 1

    def _fold_rows(self, k: int, start: str, accumulator: str) -> None:
        place = self.row(k, "k")
        self.line(f"for k in range({start}, iterations):")
        self.line(f"    {place} = {self.combined(k, place, accumulator)}")

    # -- iterations --------------------------------------------------------------------------------

    def _iterations(self) -> None:
        line, parts = self.line, self.parts
        for k in parts.needed:
            self.load_number(("first", k), parts.args[k], f"s{k}")
        if parts.uses_iteration:
            line(f"iteration = {self.pointer('first iteration')}[0]")
        self.name_numbers(parts.needed)
        line("t = i64(0)")
        if parts.may_converge:
            line(f"check = select(iterations < {SHORT}, -1, min({CHECKED}, iterations) - 1)")
        line("while t < iterations:")
        self.writer.depth += 1
        self.elements.push()
        if parts.may_converge:
            line("if t == check:")
            self._store(1)
        self._iteration()
        if parts.may_converge:
            self._check_convergence()
        line("t += 1")
        self.elements.pop()
        self.writer.depth -= 1
        self._store(0)

    def _store(self, depth: int) -> None:
        self.writer.depth += depth
        self.line(f"for j in range({self.block}):")
        for n, k in enumerate(self.parts.arrays):
            self.line(f"    w{k}[to + j] = l{n}[j]")
        self.writer.depth -= depth

    def _iteration(self) -> None:
        """One iteration of a block."""
        parts, line = self.parts, self.line
        for value in self._numbers_of_elements():
            self.value(value)  # before the elements, so that all of them share it
        for k, operation in enumerate(parts.reductions):
            if operation.result.dtype.is_bool:
                line(f"f{k} = ({start_of(operation)} != 0)")
        line(f"for j in range({self.block}):")
        self.writer.depth += 1
        self.elements.push()
        folded = [self.value(o.operands[0]) for o in parts.reductions]
        made = [self.value(parts.yields[k]) for k in parts.arrays]
        for k, (operation, element) in enumerate(zip(parts.reductions, folded, strict=True)):
            if operation.result.dtype.is_bool:  # wider accumulators would make for fewer lanes
                line(f"f{k} = {lowering_of(operation).combine.format(T='', a=f'f{k}', x=element)}")
            else:
                line(f"z{k}[j] = {taken_in(operation, element)}")
        for n, (k, name) in enumerate(zip(parts.arrays, made, strict=True)):
            line(f"l{n}[j] = {f'u8({name})' if parts.args[k].dtype.is_bool else name}")
        self.elements.pop()
        self.writer.depth -= 1
        for k, operation in enumerate(parts.reductions):
            if operation.result.dtype.is_bool:
                line(f"a{k} = {accumulator_of(operation)}(f{k})")
                line(f"{self.row(k, 't')} = {self.combined(k, self.row(k, 't'), f'a{k}')}")
            else:
                self._fold_vectors(k)
        self.next_numbers(parts.needed)

    def _fold_vectors(self, k: int) -> None:
        """The block's elements to one vector, by halves, and that into the iteration's accumulators."""
        half = self.block // 2
        while half >= self.lanes(k):
            self.line(f"for i in range({half}):")
            self.line(f"    z{k}[i] = {self.combined(k, f'z{k}[i]', f'z{k}[i + {half}]')}")
            half //= 2
        place = self.row(k, "t", "i")
        self.line(f"for i in range({self.lanes(k)}):")
        self.line(f"    {place} = {self.combined(k, place, f'z{k}[i]')}")

    def _numbers_of_elements(self) -> list[Value]:
        """Numbers that are computed in an iteration and read by elements."""
        parts = self.parts
        roots = [*(parts.yields[k] for k in parts.arrays), *(o.operands[0] for o in parts.reductions)]
        return [v for v in parts.behind(roots) if is_single(v) and parts.inputs(v)]

    def _check_convergence(self) -> None:
        line, parts = self.line, self.parts
        line("if t == check:")
        self.writer.depth += 1
        line("changed = i64(0)")
        line(f"for j in range({self.block}):")
        for n, k in enumerate(parts.arrays):
            line(f"    changed = changed | i64(differ(l{n}[j], w{k}[to + j]))")
        line("if changed == 0:")
        self.writer.depth += 1
        line(f"{self.pointer('converged', 0, 'inout', 'u8')}[b] = u8(1)")
        for k, operation in enumerate(parts.reductions):
            if not operation.result.dtype.is_bool:
                line(f"a{k} = z{k}[0]")
                line(f"for i in range(1, {self.lanes(k)}):")
                line(f"    a{k} = {self.combined(k, f'a{k}', f'z{k}[i]')}")
            line(f"{self.pointer('last', k, 'inout', accumulator_of(operation))}[b] = a{k}")
            self._fold_rows(k, "t + 1", f"a{k}")
        line("break")
        self.writer.depth -= 1
        line(f"check = min(check + {CHECKED}, iterations - 1)")
        self.writer.depth -= 1

    def element(self, value: Value) -> str | None:
        name = self.locals.get(value)
        if name is None:
            return None
        return self.elements.bind(f"({name}[j] != 0)" if value.dtype.is_bool else f"{name}[j]")


def body_kernel(parts: LoopParts) -> TiledKernel:
    """The kernel that runs some iterations on each block."""
    return _BodyKernel(parts, counts=parts.uses_iteration).write()


def _stored(value: Value) -> str:
    return "u8" if value.dtype.is_bool else value.dtype.short

"""The body kernel of speculative time tiling (schedule/time_tiling.py): some iterations on every block of elements.

It loads a block into registers, runs the iterations, and stores the block at the other place of its arrays. The
reductions of each iteration go to the rows of the block's piece. A block that an iteration leaves as is has converged.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from ....ir.core import Value
from ....ops.kernel_expressions import (
    Expr,
    Name,
    Operand,
    Pointer,
    all_of,
    any_of,
    call,
    differ,
    equal,
    invert,
    select,
    smaller,
)  # fmt: skip
from ...kernel.statements import Exit, LoopKind
from ..element import stored
from ..groups.folds import accumulator_of, flag_of, merged, start_of, taken_in
from ..parameters import as_number, stored_as
from .loop_parts import LoopParts, is_single
from .tiled_loops import PIECES, Key, TiledKernel, TilingWriter

CHECKED = 16  # iterations between two checks whether a block has converged
SHORT = 6  # fewer iterations aren't worth the check


class _BodyKernel(TilingWriter):
    """Builds the body kernel."""

    def build(self) -> TiledKernel:
        """The finished kernel."""
        parts, builder = self.parts, self.builder
        held = [*(parts.args[k] for k in parts.arrays), *parts.read]
        self.locals = {v: builder.local(f"l{k}", stored_as(v.dtype.short), self.block) for k, v in enumerate(held)}
        self.folded = {
            k: builder.local(f"z{k}", accumulator_of(operation), self.block)
            for k, operation in enumerate(parts.reductions)
            if not operation.result.dtype.is_bool
        }
        self.iterations = builder.let("iterations", self.pointer("iterations")[0])
        self.load_alone()
        self._choose_sides()
        share = builder.let("share", (self.count + (PIECES - 1)) // PIECES)
        with builder.loop("piece", "lo", "hi", kind=LoopKind.PARALLEL) as piece:
            for k, operation in enumerate(parts.reductions):
                with builder.loop("k", 0, self.iterations) as iteration, builder.loop("i", 0, self.lanes(k)) as lane:
                    builder.store(self.row(k, iteration, lane), start_of(operation))
            first = piece * share
            with builder.loop("b", first, smaller(first + share, self.count)) as b, self.scope():
                self._block(b)
        return self.finish("body", PIECES, splittable=True)

    # -- memory ------------------------------------------------------------------------------------

    @property
    def keeps_old(self) -> bool:
        """Whether iterations may have to run again, so that the old state is kept: there are two sides."""
        return bool(self.parts.reductions)

    def _each_element(self) -> AbstractContextManager[Name]:
        """The loop over the elements of a block, which becomes vectors in registers."""
        return self.builder.loop("j", 0, self.block, kind=LoopKind.BLOCK)

    def _choose_sides(self) -> None:
        let = self.builder.let
        if self.keeps_old:
            side = let("side", self.pointer("side")[0] % 2)
            other = let("other", select(equal(self.iterations, 1), side, 1 - side))  # one iteration never runs again
            let("again", self.pointer("again")[0])
        for k in self.parts.arrays:
            short = self.parts.args[k].dtype.short
            here = self.pointer("here", k, "inout", short)
            if self.keeps_old:
                there = self.pointer("there", k, "inout", short)
                let(f"x{k}", select(equal(side, 0), here, there))
                let(f"y{k}", select(equal(other, 0), here, there))
            else:
                let(f"x{k}", here)
                let(f"y{k}", here)

    def _block(self, b: Name) -> None:
        """All iterations of a block; the last block may be cut, and has a place of its own where it is whole."""
        builder, parts = self.builder, self.parts
        base = builder.let("base", b * self.block)
        rest = builder.let("rest", smaller(self.block, self.size - base))
        if parts.may_converge:
            self._pass_converged(b)
        whole = builder.let("whole", equal(rest, self.block))
        at = builder.let("at", select(whole, base, 0))
        builder.let("to", select(whole, base, self.block))
        sources: list[tuple[Expr, Value, Key]] = [(Name(f"x{k}"), parts.args[k], ("edge", k)) for k in parts.arrays]
        sources += [
            (self.pointer("read", k, "in", v.dtype.short), v, ("edge of read", k)) for k, v in enumerate(parts.read)
        ]
        self._pad(sources)
        starts = []
        for n, (pointer, value, key) in enumerate(sources):
            starts.append(builder.let(f"u{n}", select(whole, pointer, self._edge(key, value))))
        for k in parts.arrays:
            builder.let(f"w{k}", select(whole, f"y{k}", self.pointer("edge", k)))
        with self._each_element() as j:
            for start, local in zip(starts, self.locals.values(), strict=True):
                builder.store(local[j], start[at + j])
        self._iterations()
        with builder.when(invert(whole)):
            self._copy_back("w", "to", "y")

    def _edge(self, key: Key, value: Value) -> Pointer:
        return self.pointer(*key, "scratch", value.dtype.short)  # each run of the kernel writes it anew

    def _copy_back(self, source: str, start: str, target: str) -> None:
        """The elements of a cut or converged block from one place of its arrays to another."""
        with self.builder.loop("j", 0, "rest") as j:
            for k in self.parts.arrays:
                self.builder.store(Name(f"{target}{k}")[Name("base") + j], Name(f"{source}{k}")[Name(start) + j])

    def _pad(self, sources: Sequence[tuple[Expr, Value, Key]]) -> None:
        """The last block is filled up with its last element, which changes no result, in memory of its own."""
        with self.builder.when(invert("whole")), self._each_element() as j:
            for pointer, value, key in sources:
                self.builder.store(self._edge(key, value)[j], pointer[Name("base") + smaller(j, Name("rest") - 1)])

    def _pass_converged(self, b: Name) -> None:
        """Blocks that have converged: once more, their elements go to the other side."""
        builder, state = self.builder, self.pointer("converged", 0, "inout", "u8")[b]
        passed = any_of(equal(state, 2), all_of(equal(state, 1), equal("again", 0)))
        with builder.when(passed if self.keeps_old else differ(state, 0)):
            if self.keeps_old:
                with builder.when(all_of(equal(state, 1), self.iterations > 1)):
                    builder.store(state, call("u8", 2))
                    self._copy_back("x", "base", "y")
            for k, operation in enumerate(self.parts.reductions):
                last = self.pointer("last", k, "inout", accumulator_of(operation))
                self._fold_rows(k, 0, last[b])
            builder.leave(Exit.CONTINUE)

    def _fold_rows(self, k: int, start: Operand, accumulator: Expr) -> None:
        with self.builder.loop("k", start, self.iterations) as iteration:
            self.merge(k, self.row(k, iteration), accumulator)

    # -- iterations --------------------------------------------------------------------------------

    def _iterations(self) -> None:
        builder, parts, iterations = self.builder, self.parts, self.iterations
        for k in parts.needed:
            self.load_number(("first", k), parts.args[k], f"s{k}")
        if parts.uses_iteration:
            builder.let("iteration", self.pointer("first iteration")[0])
        self.name_numbers(parts.needed)
        t = builder.let("t", call("i64", 0))
        if parts.may_converge:
            builder.let("check", select(iterations < SHORT, -1, smaller(CHECKED, iterations) - 1))
        with builder.repeat(t < iterations), self.scope():
            if parts.may_converge:
                with builder.when(equal(t, "check")):
                    self._store()
            self._iteration(t)
            if parts.may_converge:
                self._check_convergence(t)
            builder.let(t, t + 1)
        self._store()

    def _store(self) -> None:
        """The block's arrays to memory."""
        with self._each_element() as j:
            for local, k in zip(self.locals.values(), self.parts.arrays, strict=False):
                self.builder.store(Name(f"w{k}")[Name("to") + j], local[j])

    def _iteration(self, t: Name) -> None:
        """One iteration of a block."""
        builder, parts = self.builder, self.parts
        for value in self._numbers_of_elements():
            self.value(value)  # before the elements, so that all of them share it
        flags = {
            k: builder.let(f"f{k}", differ(start_of(operation), 0))
            for k, operation in enumerate(parts.reductions)
            if operation.result.dtype.is_bool
        }
        with self._each_element() as j, self.scope():
            self._element_of_iteration(j, flags)
        for k, operation in enumerate(parts.reductions):
            if operation.result.dtype.is_bool:
                made = builder.let(f"a{k}", call(accumulator_of(operation), flags[k]))
                self.merge(k, self.row(k, t), made)
            else:
                self._fold_vectors(k, t)
        self.next_numbers(parts.needed)

    def _element_of_iteration(self, j: Name, flags: dict[int, Name]) -> None:
        """The next state of an element, and what reductions take of it. All is computed before anything is stored."""
        builder, parts = self.builder, self.parts
        taken = [self.value(o.operands[0]) for o in parts.reductions]
        made = [self.value(parts.yields[k]) for k in parts.arrays]
        for k, (operation, element) in enumerate(zip(parts.reductions, taken, strict=True)):
            if k in flags:  # wider accumulators would make for fewer lanes
                builder.let(flags[k], flag_of(operation, flags[k], element))
            else:
                builder.store(self.folded[k][j], taken_in(operation, element))
        for local, k, element in zip(self.locals.values(), parts.arrays, made, strict=False):
            builder.store(local[j], stored(parts.args[k], element))

    def _fold_vectors(self, k: int, t: Name) -> None:
        """The block's elements to one vector, by halves, and that into the iteration's accumulators."""
        half, folded = self.block // 2, self.folded[k]
        while half >= self.lanes(k):
            with self.builder.loop("i", 0, half) as i:
                self.merge(k, folded[i], folded[i + half])
            half //= 2
        with self.builder.loop("i", 0, self.lanes(k)) as i:
            self.merge(k, self.row(k, t, i), folded[i])

    def _numbers_of_elements(self) -> list[Value]:
        """Numbers that are computed in an iteration and read by elements."""
        parts = self.parts
        roots = [*(parts.yields[k] for k in parts.arrays), *(o.operands[0] for o in parts.reductions)]
        return [v for v in parts.behind(roots) if is_single(v) and parts.inputs(v)]

    def _check_convergence(self, t: Name) -> None:
        """Leave the block's iterations if this one changed nothing: the rest of its rows are as this one's."""
        builder, parts = self.builder, self.parts
        with builder.when(equal(t, "check")):
            changed = builder.let("changed", call("i64", 0))
            with self._each_element() as j:
                for local, k in zip(self.locals.values(), parts.arrays, strict=False):
                    before = Name(f"w{k}")[Name("to") + j]
                    builder.let(changed, changed | call("i64", call("differ", local[j], before)))
            with builder.when(equal(changed, 0)):
                builder.store(self.pointer("converged", 0, "inout", "u8")[Name("b")], call("u8", 1))
                for k, operation in enumerate(parts.reductions):
                    self._keep_last(k, t, is_flag=operation.result.dtype.is_bool)
                builder.leave(Exit.BREAK)
            builder.let("check", smaller(Name("check") + CHECKED, self.iterations - 1))

    def _keep_last(self, k: int, t: Name, *, is_flag: bool) -> None:
        """What a converged block gives a reduction in each iteration: now, and for those that follow."""
        builder, operation, total = self.builder, self.parts.reductions[k], Name(f"a{k}")
        if not is_flag:
            builder.let(total, self.folded[k][0])
            with builder.loop("i", 1, self.lanes(k)) as i:
                builder.let(total, merged(operation, total, self.folded[k][i]))
        builder.store(self.pointer("last", k, "inout", accumulator_of(operation))[Name("b")], total)
        self._fold_rows(k, t + 1, total)

    def element(self, value: Value) -> Expr | None:
        """An element of an array that lies in registers."""
        local = self.locals.get(value)
        return None if local is None else self.elements.bind(as_number(local[Name("j")], value))


def body_kernel(parts: LoopParts) -> TiledKernel:
    """The kernel that runs some iterations on each block."""
    return _BodyKernel(parts, counts=parts.uses_iteration).build()

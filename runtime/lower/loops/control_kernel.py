"""The control kernel of speculative time tiling: how many iterations the loop's condition allowed; how many come next.

Looking back, it reduces the rows of all pieces and stops where the loop would have. Looking ahead, it takes the numbers
through iterations as if each reduction were the largest, then the smallest there is: so far they let the loop go on.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.core import Operation
from ....ops.kernel_expressions import Expr, Load, Name, call, differ, equal, invert, larger, select, smaller
from ...kernel.statements import Exit, LoopKind
from ..element import extreme, stored
from ..groups.folds import accumulator_of, finished
from .loop_parts import LoopParts
from .tiled_loops import MOST_ITERATIONS, PIECES, TiledKernel, TilingWriter

FIRST = 8  # iterations that run one by one: a loop that ends among them runs none again
WORK_AT_ONCE = 200_000_000  # simple operations until the VM looks for signals


class _ControlKernel(TilingWriter):
    """Builds the control kernel."""

    def build(self) -> TiledKernel:
        """The finished kernel."""
        parts, builder = self.parts, self.builder
        self.load_alone()
        self.name_numbers(parts.numbers)
        with builder.loop("once", "lo", "hi", kind=LoopKind.PARALLEL):
            iterations = builder.let("iterations", self._word("iterations"))
            with builder.when(equal(iterations, 0)):
                if parts.may_converge:
                    with builder.loop("b", 0, self.count) as b:
                        builder.store(self.pointer("converged", 0, "inout", "u8")[b], call("u8", 0))
            with builder.otherwise():
                if parts.reductions:
                    with builder.when(differ(self._word("again"), 0)):
                        builder.store(self._word("again"), 0)
                        self._change_sides(iterations)
                    with builder.otherwise():
                        self._look_back(iterations)
                else:
                    self._look_back(iterations)
            if parts.reductions:
                with builder.when(equal(self._word("again"), 0)):
                    self._look_ahead()
                side = self.pointer("side")[0]
                builder.store(self.pointer("odd", 0, "inout", "u8")[0], call("u8", side % 2))
            else:
                self._look_ahead()
            builder.store(self.pointer("go", 0, "inout", "u8")[0], call("u8", self.pointer("iterations")[0] > 0))
        return self.finish("control", 1, splittable=False)

    def _word(self, what: str) -> Load:
        """A number of the tiling's own, in memory."""
        return self.pointer(what, 0, "inout")[0]

    def _change_sides(self, iterations: Name) -> None:
        side = self._word("side")
        self.builder.store(side, side + call("i64", iterations > 1))

    def _load(self) -> Name:
        """The loop's numbers from memory, and the count of iterations from 0."""
        for k in self.parts.numbers:
            value = self.parts.args[k]
            self.pointer("here", k, "inout", value.dtype.short)
            self.load_number(("here", k), value, f"s{k}")
        if self.parts.iteration is not None:
            self.builder.let("iteration", self._word("iteration"))
        return self.builder.let("k", call("i64", 0))

    def _walk(self, k: Name, limit: Name, accumulators: Sequence[Expr]) -> None:
        """Take the numbers through iterations, `k` of them, as long as the loop goes on."""
        builder = self.builder
        with builder.repeat(k < limit), self.scope():
            with builder.when(invert(self._condition())):
                builder.leave(Exit.BREAK)
            for n, (operation, accumulator) in enumerate(zip(self.parts.reductions, accumulators, strict=True)):
                held = builder.let(f"a{n}", accumulator)
                self.names[operation.result] = builder.let(f"r{n}", finished(operation, held))
            self.next_numbers(self.parts.numbers)
            builder.let(k, k + 1)

    def _condition(self) -> Expr:
        if self.parts.is_counted:
            return Name("iteration") < self.pointer("count")[0]
        return self.value(self.parts.operation.blocks[0].yields[0])

    def _look_back(self, iterations: Name) -> None:
        """How many of the iterations were the loop's."""
        parts, builder = self.parts, self.builder
        for n in range(len(parts.reductions)):
            self._reduce_rows(n, iterations)
        k = self._load()
        self._walk(k, iterations, [self.row(n, "k", 0, 0) for n in range(len(parts.reductions))])
        for n in parts.numbers:
            builder.store(self.pointer("here", n)[0], stored(parts.args[n], Name(f"s{n}")))
        if parts.iteration is not None:
            builder.store(self.pointer("iteration")[0], "iteration")
        if parts.reductions:
            done = self._word("done")
            builder.store(done, done + k)
            with builder.when(k < iterations):
                builder.store(self.pointer("again")[0], 1)
                builder.store(self.pointer("iterations")[0], k)
            with builder.otherwise():
                self._change_sides(iterations)

    def _reduce_rows(self, n: int, iterations: Name) -> None:
        """The accumulators of all pieces and lanes to the first one of each iteration."""
        with self.builder.loop("k", 0, iterations) as k:
            with self.builder.loop("piece", 1, PIECES), self.builder.loop("i", 0, self.lanes(n)) as i:
                self.merge(n, self.row(n, k, i, 0), self.row(n, k, i))
            with self.builder.loop("i", 1, self.lanes(n)) as i:
                self.merge(n, self.row(n, k, 0, 0), self.row(n, k, i, 0))

    def _look_ahead(self) -> None:
        """How many iterations come next: as many as the numbers allow if the reductions let the loop go on."""
        parts, builder = self.parts, self.builder
        limit = builder.let("limit", larger(WORK_AT_ONCE // parts.weight // (self.size + 1), 1))
        if parts.reductions:
            done = self._word("done")
            guess = builder.let("guess", smaller(MOST_ITERATIONS, larger(done // (16 if parts.is_heavy else 2), 1)))
            builder.let(limit, smaller(limit, select(done < FIRST, 1, guess)))
        most = builder.let("most", call("i64", 0))
        with builder.loop("way", 0, 2 if parts.reductions else 1):
            k = self._load()
            self._walk(k, limit, [_either(operation) for operation in parts.reductions])
            builder.let(most, larger(most, k))
        builder.store(self.pointer("iterations")[0], most)
        for n in parts.needed:
            short = parts.args[n].dtype.short
            builder.store(self.pointer("first", n, "inout", short)[0], self.pointer("here", n)[0])
        if parts.uses_iteration:
            builder.store(self._word("first iteration"), self.pointer("iteration")[0])


def control_kernel(parts: LoopParts) -> TiledKernel:
    """The kernel that says how many iterations come next, or that the last ones were too many."""
    return _ControlKernel(parts, counts=True).build()


def _either(operation: Operation) -> Expr:
    """An accumulator at one end of its range or, the other way, at the other end."""
    if operation.result.dtype.is_bool:
        return call("i64", "way")
    short = accumulator_of(operation)
    return select(equal("way", 1), extreme(short, 1), extreme(short, -1))

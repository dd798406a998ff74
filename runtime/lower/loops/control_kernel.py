"""The control kernel of speculative time tiling: how many iterations the loop's condition allowed; how many come next.

Looking back, it reduces the rows of all pieces and stops where the loop would have. Looking ahead, it takes the numbers
through iterations as if each reduction were the largest, then the smallest there is: so far they let the loop go on.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.core import Operation
from ..element import extreme
from ..folds import accumulator_of, finished
from .loop_parts import LoopParts
from .tiled_loops import MOST_ITERATIONS, PIECES, TiledKernel, TilingWriter

FIRST = 8  # iterations that run one by one: a loop that ends among them runs none again
WORK_AT_ONCE = 200_000_000  # simple operations until the VM looks for signals


class _ControlKernel(TilingWriter):
    """Writes the control kernel."""

    def write(self) -> TiledKernel:
        parts, line = self.parts, self.line
        self.load_alone()
        self.name_numbers(parts.numbers)
        line("for once in range(lo, hi):")
        self.writer.depth += 1
        line(f"iterations = {self.pointer('iterations', 0, 'inout')}[0]")
        line("if iterations == 0:")
        line("    pass")
        if parts.may_converge:
            line(f"    for b in range({self.count}):")
            line(f"        {self.pointer('converged', 0, 'inout', 'u8')}[b] = u8(0)")
        if parts.reductions:
            line(f"elif {self.pointer('again', 0, 'inout')}[0] != 0:")
            line(f"    {self.pointer('again', 0, 'inout')}[0] = 0")
            line(f"    {self.pointer('side', 0, 'inout')}[0] += i64(iterations > 1)")
        line("else:")
        self.writer.depth += 1
        self._look_back()
        self.writer.depth -= 1
        if parts.reductions:
            line(f"if {self.pointer('again', 0, 'inout')}[0] == 0:")
            self.writer.depth += 1
        self._look_ahead()
        if parts.reductions:
            self.writer.depth -= 1
            line(f"{self.pointer('odd', 0, 'inout', 'u8')}[0] = u8({self.pointer('side')}[0] % 2)")
        line(f"{self.pointer('go', 0, 'inout', 'u8')}[0] = u8({self.pointer('iterations')}[0] > 0)")
        return self.finish("control", 1, splittable=False)

    def _load(self) -> None:
        for k in self.parts.numbers:
            value = self.parts.args[k]
            self.pointer("here", k, "inout", value.dtype.short)
            self.load_number(("here", k), value, f"s{k}")
        if self.parts.iteration is not None:
            self.line(f"iteration = {self.pointer('iteration', 0, 'inout')}[0]")
        self.line("k = i64(0)")

    def _walk(self, limit: str, folded: Sequence[str]) -> None:
        """Take the numbers through iterations, `k` of them, as long as the loop goes on. folded: the accumulators."""
        self.line(f"while k < {limit}:")
        self.writer.depth += 1
        self.elements.push()
        self.line(f"if not {self._condition()}:")
        self.line("    break")
        for k, (operation, text) in enumerate(zip(self.parts.reductions, folded, strict=True)):
            self.line(f"a{k} = {text}")
            self.line(f"r{k} = {finished(operation, f'a{k}')}")
            self.names[operation.result] = f"r{k}"
        self.next_numbers(self.parts.numbers)
        self.line("k += 1")
        self.elements.pop()
        self.writer.depth -= 1

    def _condition(self) -> str:
        if self.parts.is_counted:
            return f"iteration < {self.pointer('count')}[0]"
        return self.value(self.parts.operation.blocks[0].yields[0])

    def _look_back(self) -> None:
        """How many of the iterations were the loop's."""
        parts, line = self.parts, self.line
        for k in range(len(parts.reductions)):
            place = self.row(k, "k", "i", "0")
            line("for k in range(iterations):")
            line(f"    for piece in range(1, {PIECES}):")
            line(f"        for i in range({self.lanes(k)}):")
            line(f"            {place} = {self.combined(k, place, self.row(k, 'k', 'i'))}")
            line(f"    for i in range(1, {self.lanes(k)}):")
            line(f"        {self.row(k, 'k', '0', '0')} = {self.combined(k, self.row(k, 'k', '0', '0'), place)}")
        self._load()
        self._walk("iterations", [self.row(k, "k", "0", "0") for k in range(len(parts.reductions))])
        for k in parts.numbers:
            self.line(f"{self.pointer('here', k)}[0] = {self._stored_number(k)}")
        if parts.iteration is not None:
            line(f"{self.pointer('iteration')}[0] = iteration")
        if parts.reductions:
            line(f"{self.pointer('done', 0, 'inout')}[0] += k")
            line("if k < iterations:")
            line(f"    {self.pointer('again')}[0] = 1")
            line(f"    {self.pointer('iterations')}[0] = k")
            line("else:")
            line(f"    {self.pointer('side')}[0] += i64(iterations > 1)")

    def _look_ahead(self) -> None:
        """How many iterations come next: as many as the numbers allow if the reductions let the loop go on."""
        parts, line = self.parts, self.line
        least = f"max({WORK_AT_ONCE // parts.weight} // ({self.size} + 1), 1)"
        line(f"limit = {least}")
        if parts.reductions:
            done = f"{self.pointer('done', 0, 'inout')}[0]"
            line(f"guess = min({MOST_ITERATIONS}, max({done} // {16 if parts.is_heavy else 2}, 1))")
            line(f"limit = min(limit, select({done} < {FIRST}, 1, guess))")
        line("most = i64(0)")
        line(f"for way in range({2 if parts.reductions else 1}):")
        self.writer.depth += 1
        self._load()
        self._walk("limit", [_either(operation) for operation in parts.reductions])
        line("most = max(most, k)")
        self.writer.depth -= 1
        line(f"{self.pointer('iterations')}[0] = most")
        for k in parts.needed:
            short = parts.args[k].dtype.short
            line(f"{self.pointer('first', k, 'inout', short)}[0] = {self.pointer('here', k)}[0]")
        if parts.uses_iteration:
            line(f"{self.pointer('first iteration', 0, 'inout')}[0] = {self.pointer('iteration')}[0]")

    def _stored_number(self, k: int) -> str:
        return f"u8(s{k})" if self.parts.args[k].dtype.is_bool else f"s{k}"


def control_kernel(parts: LoopParts) -> TiledKernel:
    """The kernel that says how many iterations come next, or that the last ones were too many."""
    return _ControlKernel(parts, counts=True).write()


def _either(operation: Operation) -> str:
    """An accumulator at one end of its range or, the other way, at the other end."""
    if operation.result.dtype.is_bool:
        return "i64(way)"
    short = accumulator_of(operation)
    return f"select(way == 1, {extreme(short, 1)}, {extreme(short, -1)})"

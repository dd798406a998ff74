"""Kernels that sort long lines by digits, the lowest first: the order of a line's elements, and its most frequent one.

Elements are compared as integers in their order, less the smallest of the line: so many digits are looked at as their
span has. Source: Knuth, The Art of Computer Programming 3, 5.2.5 (algorithm R).
"""

from __future__ import annotations

from ....base.dtype import int64
from ....base.target import current_target
from ....ir.core import Operation
from ....ops.dims import product
from ....ops.kernel_expressions import Expr, Literal, Name, Pointer, all_of, call, differ, equal, select
from ...kernel.kernel_call import Kernel
from ..nest import Nest, size_of
from .selection import Ranked, is_selected

_SHORTEST = 64  # elements of shorter lines are compared with each other


def is_radix_sorted(operation: Operation) -> bool:
    """Whether lines are too long to be sorted by merging on the stack, and of a known length."""
    length = operation.operands[0].tensor_type.shape[operation.attrs["axis"]]
    return isinstance(length, int) and length > current_target().costs.merged and is_selected(operation)


def is_counted_by_digits(operation: Operation) -> bool:
    """Whether the most frequent element of a line is found by sorting it."""
    length = operation.operands[0].tensor_type.shape[operation.attrs["axis"]]
    return isinstance(length, int) and length > _SHORTEST and is_selected(operation)


class _Digits:
    """The lines of an operand, sorted one after another within the loop over lines: numbers, and behind them places."""

    def __init__(self, nest: Nest, *, falling: bool) -> None:
        self.nest, self.lines = nest, Ranked(nest, falling=falling, counted=False)
        self.bits = current_target().costs.digit
        self.counts = nest.builder.local("counts", "i64", 1 << self.bits)

    def sort(self) -> tuple[Pointer, Name]:
        """Sort this line; gives memory, and where the numbers in order start in it."""
        nest, lines, size = self.nest, self.lines, self.lines.size
        memory, area = lines.areas(4, int64)
        source, target = nest.let("source", area), nest.let("target", area + size * 2)
        low, high = (nest.let(name, call("i64", lines.number(Literal(0)))) for name in ("low", "high"))
        with nest.loop("j", 0, size) as j:
            number = nest.let("number", call("i64", lines.number(j)))
            nest.let(low, call("smallest_i64", low, number))
            nest.let(high, call("largest_i64", high, number))
            nest.store(memory[source + j], number)
            nest.store(memory[source + size + j], j)
        span = nest.let("span", call("wrapping_subtract", high, low))
        shift = nest.let("shift", call("i64", 0))
        with nest.builder.repeat(all_of(shift < 64, ~equal(call("shift_right_logical_i64", span, shift), 0))):
            self._pass(memory, source, target, low, shift)
            third = nest.let("third", source)
            nest.let(source, target)
            nest.let(target, third)
            nest.let(shift, shift + self.bits)
        return memory, source

    def _pass(self, memory: Pointer, source: Name, target: Name, low: Name, shift: Name) -> None:
        """Put numbers and places in the order of a digit, those with equal digits in the order in which they are."""
        nest, size, counts = self.nest, self.lines.size, self.counts

        def digit(j: Expr) -> Expr:
            apart = call("wrapping_subtract", memory[source + j], low)
            return call("shift_right_logical_i64", apart, shift) & ((1 << self.bits) - 1)

        with nest.loop("d", 0, 1 << self.bits) as d:
            nest.store(counts[d], 0)
        with nest.loop("j", 0, size) as j:
            here = nest.let("here", digit(j))
            nest.store(counts[here], counts[here] + 1)
        total = nest.let("total", call("i64", 0))
        with nest.loop("d", 0, 1 << self.bits) as d:
            some = nest.let("some", counts[d])
            nest.store(counts[d], total)
            nest.let(total, total + some)
        with nest.loop("j", 0, size) as j:
            here = nest.let("here", digit(j))
            at = nest.let("at", counts[here])
            nest.store(counts[here], at + 1)
            nest.store(memory[target + at], memory[source + j])
            nest.store(memory[target + size + at], memory[source + size + j])


def radix_kernel(operation: Operation) -> Kernel:
    """The places of a line's elements in order."""
    nest = Nest(operation)
    digits = _Digits(nest, falling=operation.attrs["descending"])
    lines = digits.lines
    with nest.rows(lines.others) as lines.index:
        memory, source = digits.sort()
        with nest.loop("j", 0, lines.size) as j:
            nest.store(nest.out(lines.along(j)), memory[source + lines.size + j])
    return nest.finish(product(lines.others), size_of(operation.operands[0]) * 16)


def mode_kernel(operation: Operation) -> Kernel:
    """The last place of the most frequent element, of NaN the first: the longest run in the sorted line."""
    nest = Nest(operation)
    digits = _Digits(nest, falling=False)
    lines = digits.lines
    with nest.rows(lines.others) as lines.index:
        memory, source = digits.sort()
        run, most, best = (nest.let(name, call("i64", 0)) for name in ("run", "most", "best"))
        before = nest.let("before", memory[source])
        with nest.loop("j", 0, lines.size) as j:
            number = nest.let("number", memory[source + j])
            nest.let(run, select(equal(number, before), run, 0) + 1)
            nest.let(before, number)
            longer = nest.let("longer", run > most)
            nest.let(most, select(longer, run, most))
            nest.let(best, select(longer, j, best))
        place = nest.let("place", memory[source + lines.size + best])
        if lines.short in ("f32", "f64"):
            x = nest.let("x", nest.load(0, lines.along(place)))
            with nest.when(differ(x, x)):
                nest.let(place, memory[source + lines.size + best - most + 1])
        nest.store(nest.out(lines.along(0)), place)
    return nest.finish(product(lines.others), size_of(operation.operands[0]) * 16)

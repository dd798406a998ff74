"""Kernels that sort long lines by digits, the lowest first: a line's elements, their order, and the most frequent one.

Elements are compared as integers in their order, less the smallest of the line: so many digits are looked at as their
span has. Source: Knuth, The Art of Computer Programming 3, 5.2.5 (algorithm R).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from ....base.dtype import int64
from ....base.target import current_target
from ....ir.core import Operation
from ....ops.dims import product
from ....ops.kernel_expressions import Expr, Literal, Name, Pointer, all_of, call, differ, equal, select
from ...kernel.kernel_call import Kernel
from ..nest import Nest, size_of
from .merge_sort import Order
from .selection import Ranked, is_selected

_SHORTEST = 64  # elements of shorter lines are compared with each other


def is_radix_sorted(operation: Operation) -> bool:
    """Whether lines are too long to be sorted by merging on the stack, or may be."""
    return _is_longer(operation, current_target().costs.merged)


def is_long(operation: Operation) -> bool:
    """Whether the values of a line are sorted by digits: where they may be enough for the digits' counts."""
    return _is_longer(operation, _SHORTEST)


def is_counted_by_digits(operation: Operation) -> bool:
    """Whether the most frequent element of a line is found by sorting it."""
    length = operation.operands[0].tensor_type.shape[operation.attrs["axis"]]
    return isinstance(length, int) and is_long(operation)


def _is_longer(operation: Operation, than: int) -> bool:
    length = operation.operands[0].tensor_type.shape[operation.attrs["axis"]]
    return is_selected(operation) and not (isinstance(length, int) and length <= than)


class _Digits:
    """The lines of an operand, sorted one after another within the loop over lines: numbers, and behind them places.

    placed: whether places go with the numbers.
    """

    def __init__(self, nest: Nest, *, falling: bool, placed: bool = True) -> None:
        self.nest, self.placed, self.lines = nest, placed, Ranked(nest, falling=falling, counted=False)
        self.key = "i64" if placed else self.lines.key
        self.bits = self._digit()
        self.counts = nest.builder.local("counts", "i64", 1 << self.bits)

    def _digit(self) -> int:
        """Bits of a digit: as many as a line's length pays for, where both copies of it stay in the second cache."""
        costs, length = current_target().costs, self.lines.length
        if self.placed or not isinstance(length, int):
            return costs.digit
        copies = length * 2 * int(self.key[1:]) // 8
        return costs.bins if length >= 1 << costs.bins and copies <= current_target().caches.second else costs.digit

    def not_empty(self) -> AbstractContextManager[None]:
        """A block for lines that have elements, where only the run knows that."""
        return nullcontext() if isinstance(self.lines.length, int) else self.nest.when(self.lines.size > 0)

    def span(self) -> None:
        """Find this line's smallest number, and how far the largest one is from it, modulo 2**64."""
        nest, lines, key = self.nest, self.lines, self.key
        least, most = (nest.let(name, call(key, lines.number(Literal(0)))) for name in ("least", "most"))
        with nest.loop("j", 0, lines.size) as j:
            number = nest.let("number", call(key, lines.number(j)))
            nest.let(least, call(f"smallest_{key}", least, number))
            nest.let(most, call(f"largest_{key}", most, number))
        self.low = nest.let("low", call("i64", least))
        self.apart = nest.let("apart", call("wrapping_subtract", call("i64", most), self.low))

    def sort(self) -> tuple[Pointer, Name]:
        """Sort this line, whose span is known; gives memory, and where the numbers in order start in it."""
        nest, lines, size = self.nest, self.lines, self.lines.size
        memory, area = lines.areas(4 if self.placed else 2, int64 if self.placed else None)
        source, target = nest.let("source", area), nest.let("target", area + size * (2 if self.placed else 1))
        shift = nest.let("shift", call("i64", 0))
        self._pass(lambda j: (call(self.key, lines.number(j)), j), memory, source, shift)
        nest.let(shift, shift + self.bits)
        with nest.builder.repeat(all_of(shift < 64, ~equal(call("shift_right_logical_i64", self.apart, shift), 0))):
            self._pass(lambda j: (memory[source + j], memory[source + size + j]), memory, target, shift)
            third = nest.let("third", source)
            nest.let(source, target)
            nest.let(target, third)
            nest.let(shift, shift + self.bits)
        return memory, source

    def count(self, digit: Callable[[Expr], Expr]) -> None:
        """How many elements have each digit."""
        nest, counts = self.nest, self.counts
        with nest.loop("d", 0, 1 << self.bits) as d:
            nest.store(counts[d], 0)
        with nest.loop("j", 0, self.lines.size) as j:
            here = nest.let("here", digit(j))
            nest.store(counts[here], counts[here] + 1)

    def _pass(self, at: Callable[[Expr], tuple[Expr, Expr]], memory: Pointer, target: Name, shift: Name) -> None:
        """Put numbers and places in the order of a digit, those with equal digits in the order in which they are.

        at: the number and the place that are one of them now.
        """
        nest, size, counts = self.nest, self.lines.size, self.counts

        def digit(j: Expr) -> Expr:
            apart = call("wrapping_subtract", call("i64", at(j)[0]), self.low)
            return call("shift_right_logical_i64", apart, shift) & ((1 << self.bits) - 1)

        self.count(digit)
        total = nest.let("total", call("i64", 0))
        with nest.loop("d", 0, 1 << self.bits) as d:
            some = nest.let("some", counts[d])
            nest.store(counts[d], total)
            nest.let(total, total + some)
        with nest.loop("j", 0, size) as j:
            here = nest.let("here", digit(j))
            to = nest.let("to", counts[here])
            nest.store(counts[here], to + 1)
            number, place = at(j)
            nest.store(memory[target + to], number)
            if self.placed:
                nest.store(memory[target + size + to], place)


def radix_kernel(operation: Operation) -> Kernel:
    """The places of a line's elements in order."""
    nest = Nest(operation)
    digits = _Digits(nest, falling=operation.attrs["descending"])
    lines = digits.lines
    with nest.rows(lines.others) as lines.index, digits.not_empty():
        digits.span()
        memory, source = digits.sort()
        with nest.loop("j", 0, lines.size) as j:
            nest.store(nest.out(lines.along(j)), memory[source + lines.size + j])
    return nest.finish(product(lines.others), size_of(operation.operands[0]) * 16)


def values_kernel(operation: Operation) -> Kernel:
    """A line's elements in order; zeros of both signs in the order in which they came.

    Where all lie within the span of a digit, so many of each are written; else their numbers are sorted.
    """
    nest = Nest(operation)
    digits = _Digits(nest, falling=operation.attrs["descending"], placed=False)
    lines = digits.lines
    with nest.rows(lines.others) as lines.index, digits.not_empty():
        digits.span()
        with nest.when(all_of(digits.apart >= 0, digits.apart < 1 << digits.bits)):
            digits.count(lambda j: call("wrapping_subtract", call("i64", lines.number(j)), digits.low))
            start = nest.let("start", call("i64", 0))
            with nest.loop("d", 0, digits.apart + 1) as d:
                element = nest.let("element", lines.element(call(lines.key, digits.low + d)))
                stop = nest.let("stop", start + digits.counts[d])
                with nest.loop("j", start, stop) as j:
                    nest.store(nest.out(lines.along(j)), element)
                nest.let(start, stop)
        with nest.builder.otherwise():
            memory, source = digits.sort()
            with nest.loop("j", 0, lines.size) as j:
                nest.store(nest.out(lines.along(j)), lines.element(memory[source + j]))
        if lines.short in ("f32", "f64"):
            _keep_zeros(nest, lines)
    return nest.finish(product(lines.others), size_of(operation.operands[0]) * 16)


def _keep_zeros(nest: Nest, lines: Ranked) -> None:
    """Where a line has a negative zero: its zeros, which are positive by now, as they stand in the operand."""
    none = call(lines.short, 0)
    negative = nest.let("negative", call(lines.key, 0))

    def element(j: Expr) -> Expr:
        return lines.memory[nest.parameters.at(lines.source, lines.along(j))]

    with nest.loop("j", 0, lines.size) as j:
        below = call(f"rank_{lines.short}", element(j))
        nest.let(negative, negative | call(lines.key, equal(below, call(f"rank_{lines.short}", -none))))
    with nest.when(negative > 0):
        at = nest.let("at", call("i64", 0))
        order = Order(lines.source.tensor_type, falling=lines.falling)
        with nest.loop("j", 0, lines.size) as j:
            nest.let(at, at + call("i64", order.before(nest.let("x", element(j)), none)))
        with nest.loop("j", 0, lines.size) as j:
            x = nest.let("x", element(j))
            with nest.when(equal(x, none)):
                nest.store(nest.out(lines.along(at)), x)
                nest.let(at, at + 1)


def mode_kernel(operation: Operation) -> Kernel:
    """The last place of the most frequent element, of NaN the first: the longest run in the sorted line."""
    nest = Nest(operation)
    digits = _Digits(nest, falling=False)
    lines = digits.lines
    with nest.rows(lines.others) as lines.index:
        digits.span()
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

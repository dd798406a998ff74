"""Kernels that sort long lines by digits, the lowest first: a line's elements, their order, and the most frequent one.

Elements are compared as integers in their order, less the smallest of the line. So many of the highest digits that the
span has are looked at as tell most of the line's elements apart; insertion does the rest. Source: Knuth, The Art of
Computer Programming 3, 5.2.5 (algorithm R, and MacLaren's
radix exchange with sifting).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from ....base.dtype import int64
from ....base.target import current_target
from ....ir.core import Operation
from ....ops.dims import product
from ....ops.kernel_expressions import Expr, Literal, Name, all_of, call, differ, equal, select
from ...kernel.kernel_call import Kernel
from ..nest import Nest, size_of
from .merge_sort import Order, keep_zeros
from .selection import Ranked, is_selected

_SHORTEST = 64  # elements of shorter lines are compared with each other
_SPARE = 12  # bits of digits beyond those of a line's length: the exponents of floats, and what keeps elements apart
_FEW = 8  # of so many elements one may stand behind a larger one before insertion


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

    placed: whether places go with the numbers. packed: of 32 bits both are one number, the place its lower half.
    """

    def __init__(self, nest: Nest, *, falling: bool, placed: bool = True) -> None:
        self.nest, self.placed, self.lines = nest, placed, Ranked(nest, falling=falling, counted=False)
        self.packed = placed and self.lines.key == "i32"
        self.beside = placed and not self.packed
        self.key = "i64" if placed else self.lines.key
        self.bits, length = current_target().costs.digit, self.lines.length
        bins = current_target().costs.bins
        counted = not placed and isinstance(length, int) and length >= 1 << bins
        self.counted = bins if counted else self.bits  # bits of a span whose elements are counted
        self.counts = nest.local("counts", "i64", 1 << self.counted)
        self.signed = not placed and self.lines.short in ("f32", "f64")

    def not_empty(self) -> AbstractContextManager[None]:
        """A block for lines that have elements, where only the run knows that."""
        return nullcontext() if isinstance(self.lines.length, int) else self.nest.when(self.lines.size > 0)

    def read(self) -> None:
        """Read this line: its numbers and their places into memory, the smallest number and the span, modulo 2**64.

        Of values also whether there is a negative zero, which has the number of the positive one.
        """
        nest, lines, size = self.nest, self.lines, self.lines.size
        self.memory, area = lines.areas(4 if self.beside else 2, int64 if self.placed else None)
        self.source = nest.let("source", area)
        self.target = nest.let("target", area + size * (2 if self.beside else 1))
        least, most = (nest.let(name, lines.number(Literal(0))) for name in ("least", "most"))
        if self.signed:
            self.negative, none = nest.let("negative", call(lines.key, 0)), -call(lines.short, 0)
        with nest.loop("j", 0, size) as j:
            if self.signed:
                x = nest.let("x", lines.element(j))
                below = equal(call(f"rank_{lines.short}", x), call(f"rank_{lines.short}", none))
                nest.let(self.negative, self.negative | call(lines.key, below))
            number = nest.let("number", lines.number(j))
            nest.let(least, call(f"smallest_{lines.key}", least, number))
            nest.let(most, call(f"largest_{lines.key}", most, number))
            nest.store(self.memory[self.source + j], call("i64", number) * (1 << 32) + j if self.packed else number)
            if self.beside:
                nest.store(self.memory[self.source + size + j], j)
        self.low = nest.let("low", call("i64", least))
        self.apart = nest.let("apart", call("wrapping_subtract", call("i64", most), self.low))

    def place(self, j: Expr) -> Expr:
        """The place of the number that stands at `j`."""
        if self.packed:
            return self.memory[self.source + j] & 0xFFFFFFFF
        return self.memory[self.source + self.lines.size + j]

    def number(self, j: Expr) -> Expr:
        """The number that stands at `j`."""
        number: Expr = self.memory[self.source + j]
        return number // (1 << 32) if self.packed else number

    def sort(self) -> None:
        """Sort the line that was read, by its highest digits first: few elements are alike in so many of them.

        These are put in their places by insertion; where they are many after all, all digits are looked at.
        """
        nest, size = self.nest, self.lines.size
        bits, wanted = self._bits_of("bits", self.apart), self._bits_of("wanted", size) + _SPARE
        wanted = nest.let("wanted", (wanted + (self.bits - 1)) // self.bits * self.bits)
        first = nest.let("first", call("largest_i64", bits - wanted, 0))
        shift = nest.let("shift", first)
        with nest.repeat(shift < bits):
            self._pass(shift)
            third = nest.let("third", self.source)
            nest.let(self.source, self.target)
            nest.let(self.target, third)
            nest.let(shift, shift + self.bits)
            with nest.when(all_of(shift >= bits, first > 0)):
                nest.let(first, 0)
                left = self._insert()
                with nest.when(left < 0):
                    nest.let(shift, 0)

    def _bits_of(self, name: str, number: Expr) -> Name:
        """How many bits a number of 64 has that aren't leading zeros."""
        nest = self.nest
        bits, rest = nest.let(name, call("i64", 0)), nest.let("rest", call("i64", number))
        with nest.repeat(~equal(rest, 0)):
            nest.let(rest, call("shift_right_logical_i64", rest, 1))
            nest.let(bits, bits + 1)
        return bits

    def _insert(self) -> Name:
        """Put what stands behind larger numbers in its place; gives how many moves were left, or less than 0."""
        nest, memory, source, size = self.nest, self.memory, self.source, self.lines.size
        left = nest.let("left", call("i64", 0))
        with nest.loop("j", 1, size) as j:
            nest.let(left, left + call("i64", memory[source + j - 1] > memory[source + j]))
        j = nest.let("next", select(left > 0, 1, size))
        nest.let(left, select(left > size // _FEW, -1, size))
        with nest.repeat(all_of(left >= 0, j < size)):
            x = nest.let("moved", memory[source + j])
            with nest.when(memory[source + j - 1] > x):
                self._shift(j, x, left)
            nest.let(j, j + 1)
        return left

    def _shift(self, j: Name, x: Name, left: Name) -> None:
        """Move the numbers before `j` that are larger than `x`, which stood there, and `x` before them."""
        nest, memory, source, size = self.nest, self.memory, self.source, self.lines.size
        at = nest.let("at", j)
        if self.beside:
            place = nest.let("moved_place", memory[source + size + j])
        before = source + call("largest_i64", at - 1, 0)
        with nest.repeat(all_of(at > 0, memory[before] > x)):
            nest.store(memory[source + at], memory[before])
            if self.beside:
                nest.store(memory[source + size + at], memory[before + size])
            nest.let(at, at - 1)
        nest.store(memory[source + at], x)
        if self.beside:
            nest.store(memory[source + size + at], place)
        nest.let(left, left - (j - at))

    def count(self, bits: int, digit: Callable[[Expr], Expr]) -> None:
        """How many elements have each digit."""
        nest, counts = self.nest, self.counts
        with nest.loop("d", 0, 1 << bits) as d:
            nest.store(counts[d], 0)
        with nest.loop("j", 0, self.lines.size) as j:
            here = nest.let("here", digit(j))
            nest.store(counts[here], counts[here] + 1)

    def above(self, j: Expr) -> Expr:
        """By how much the number at `j` is more than the smallest one."""
        return call("wrapping_subtract", call("i64", self.number(j)), self.low)

    def _pass(self, shift: Name) -> None:
        """Put numbers and places in the order of a digit, those with equal digits in the order in which they are."""
        nest, size, counts = self.nest, self.lines.size, self.counts

        def digit(j: Expr) -> Expr:
            return call("shift_right_logical_i64", self.above(j), shift & 63) & ((1 << self.bits) - 1)

        self.count(self.bits, digit)
        total = nest.let("total", call("i64", 0))
        with nest.loop("d", 0, 1 << self.bits) as d:
            some = nest.let("some", counts[d])
            nest.store(counts[d], total)
            nest.let(total, total + some)
        even = nest.let("even", size // 2 * 2)
        with nest.loop("j", 0, even, 2) as j:
            self._move([(j, digit(j)), (j + 1, digit(j + 1))])
        with nest.loop("j", even, size) as j:
            self._move([(j, digit(j))])

    def _move(self, elements: list[tuple[Expr, Expr]]) -> None:
        """Move one element or two to where those with their digits go next.

        Where both have one digit, the second doesn't wait until the first one's count is in memory.
        """
        nest, counts, size = self.nest, self.counts, self.lines.size
        here = [nest.let(f"here{k}", digit) for k, (_, digit) in enumerate(elements)]
        to = [nest.let(f"to{k}", counts[digit]) for k, digit in enumerate(here)]
        if len(to) > 1:
            nest.let(to[1], to[1] + call("i64", equal(*here)))
        for digit, place in zip(here, to, strict=True):
            nest.store(counts[digit], place + 1)
        for (j, _), place in zip(elements, to, strict=True):
            nest.store(self.memory[self.target + place], self.memory[self.source + j])
            if self.beside:
                nest.store(self.memory[self.target + size + place], self.memory[self.source + size + j])


def radix_kernel(operation: Operation) -> Kernel:
    """The places of a line's elements in order."""
    nest = Nest(operation)
    digits = _Digits(nest, falling=operation.attrs["descending"])
    lines = digits.lines
    with nest.rows(lines.others) as lines.index, digits.not_empty():
        digits.read()
        digits.sort()
        with nest.loop("j", 0, lines.size) as j:
            nest.store(lines.out(j), digits.place(j))
    return nest.finish(product(lines.others), size_of(operation.operands[0]) * 16)


def values_kernel(operation: Operation) -> Kernel:
    """A line's elements in order; zeros of both signs in the order in which they came.

    Where all lie within the span of a digit, so many of each are written; else their numbers are sorted.
    """
    nest = Nest(operation)
    digits = _Digits(nest, falling=operation.attrs["descending"], placed=False)
    lines = digits.lines
    with nest.rows(lines.others) as lines.index, digits.not_empty():
        digits.read()
        with nest.when(all_of(digits.apart >= 0, digits.apart < 1 << digits.counted)):
            digits.count(digits.counted, digits.above)
            start = nest.let("start", call("i64", 0))
            with nest.loop("d", 0, digits.apart + 1) as d:
                element = nest.let("element", lines.element_of(call(lines.key, digits.low + d)))
                stop = nest.let("stop", start + digits.counts[d])
                with nest.loop("j", start, stop) as j:
                    nest.store(lines.out(j), element)
                nest.let(start, stop)
        with nest.otherwise():
            digits.sort()
            with nest.loop("j", 0, lines.size) as j:
                nest.store(lines.out(j), lines.element_of(digits.number(j)))
        if digits.signed:
            _keep_zeros(nest, lines, digits.negative)
    return nest.finish(product(lines.others), size_of(operation.operands[0]) * 16)


def _keep_zeros(nest: Nest, lines: Ranked, negative: Name) -> None:
    """Where a line has a negative zero: its zeros, which are positive by now, as they stand in the operand."""
    order = Order(lines.kind, falling=lines.falling)
    with nest.when(negative > 0):
        keep_zeros(nest, order, lines.size, lines.element, lines.out)


def mode_kernel(operation: Operation) -> Kernel:
    """The last place of the most frequent element, of NaN the first: the longest run in the sorted line."""
    nest = Nest(operation)
    digits = _Digits(nest, falling=False)
    lines = digits.lines
    with nest.rows(lines.others) as lines.index:
        digits.read()
        digits.sort()
        run, most, best = (nest.let(name, call("i64", 0)) for name in ("run", "most", "best"))
        before = nest.let("before", digits.number(Literal(0)))
        with nest.loop("j", 0, lines.size) as j:
            number = nest.let("number", digits.number(j))
            nest.let(run, select(equal(number, before), run, 0) + 1)
            nest.let(before, number)
            longer = nest.let("longer", run > most)
            nest.let(most, select(longer, run, most))
            nest.let(best, select(longer, j, best))
        place = nest.let("place", digits.place(best))
        if lines.short in ("f32", "f64"):
            x = nest.let("x", nest.load(0, lines.along(place)))
            with nest.when(differ(x, x)):
                nest.let(place, digits.place(best - most + 1))
        nest.store(lines.out(0), place)
    return nest.finish(product(lines.others), size_of(operation.operands[0]) * 16)

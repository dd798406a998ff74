"""Kernels that find elements by their rank, without sorting the rest: a line's elements are counted in bins.

Elements are compared as integers in their order. The span from a line's smallest to its largest one is divided into
bins; the counts say in which of them a rank lies. The elements of that bin are copied, counted in finer bins, and so on
until all that are left are equal. Equal ones are told apart by a last look at the line, so that the order is stable.
Nothing branches on an element's value but the copy, which always stores and moves on where an element is wanted.
Source: Alabi et al., Fast k-selection algorithms for graphics processing units, 2012 (bucket selection).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from ....base.dtype import DType, int32, int64
from ....base.target import current_target
from ....ir.core import Operation, Value
from ....ops.dims import product
from ....ops.kernel_expressions import ZERO, Expr, Literal, Name, Operand, all_of, call, equal, smaller
from ...kernel.kernel_call import Kernel
from ..nest import Memory, Nest, pieces_of, size_of
from ..parameters import stored_as
from ..registry import generates
from .merge_sort import Line

_KEYS = {"bool": int32, "u8": int32, "i8": int32, "i16": int32, "i32": int32, "f32": int32, "i64": int64, "f64": int64}
_FEWEST = 5  # bits of a bin's number
_FINER = 6  # those of bins among the elements of a bin
_BLOCK = 64  # elements of which equal ones are counted at once


def is_selected(operation: Operation) -> bool:
    """Whether a line's elements have numbers in their order."""
    return operation.operands[0].dtype.short in _KEYS


class Ranked(Line):
    """One line of an operand, as numbers in the order of its elements."""

    def __init__(self, nest: Nest, *, falling: bool = False, counted: bool = True) -> None:
        """counted: whether they are counted in bins."""
        super().__init__(nest)
        self.falling, self.short = falling, self.kind.dtype.short
        self.key = _KEYS[self.short].short
        if not counted:
            return
        most = current_target().costs.bins
        bits = (self.length // 8).bit_length() if isinstance(self.length, int) else most
        self.bits = min(max(bits, _FEWEST), most)
        self.table = nest.local("table", "i64", 1 << self.bits)
        self.finer = nest.local("finer", "i64", 1 << _FINER)

    def areas(self, copies: int = 2, kind: DType | None = None) -> Memory:
        """Memory of so many lines, of numbers if nothing else, for this piece of the range; inside the loop over it."""
        extent, size = product(self.others), self.length * copies + 2
        return self.nest.area("area", size, extent, kind or _KEYS[self.short], parts=pieces_of(extent))

    def number(self, place: Operand) -> Expr:
        """That of an element; both zeros have one, and so have all NaN."""
        x = self.element(place)
        if self.short in ("f32", "f64"):
            x = call(f"rank_{self.short}", x + call(self.short, 0))
        x = call(self.key, x)
        return ~x if self.falling else x

    def element_of(self, number: Expr) -> Expr:
        """The element of a number, of both zeros the positive one, as it stands in memory."""
        number = ~number if self.falling else number
        if self.short in ("f32", "f64"):
            return call(f"unrank_{self.short}", call("i64", number))
        return call(stored_as(self.short), number)


@dataclass
class Bins:
    """The span of some numbers, divided into bins. name: of the locals that say how."""

    nest: Nest
    key: str
    table: Name
    bits: int
    name: str

    def span(self, count: Operand, number: Callable[[Expr], Expr]) -> None:
        """Find the smallest and the largest of some numbers, and how wide a bin is."""
        nest = self.nest
        self.low, self.high = (nest.let(f"{side}{self.name}", number(ZERO)) for side in ("low", "high"))
        with nest.loop("j", 0, count) as j:
            nest.let(self.low, call(f"smallest_{self.key}", self.low, number(j)))
            nest.let(self.high, call(f"largest_{self.key}", self.high, number(j)))
        self.base = nest.let(f"base{self.name}", call("i64", self.low))
        left = nest.let("left", call("wrapping_subtract", call("i64", self.high), self.base))
        self.shift = nest.let(f"shift{self.name}", call("i64", 0))
        with nest.repeat((left < 0) | (left >= 1 << self.bits)):  # a span of 2**63 and more is negative
            nest.let(left, call("shift_right_logical_i64", left, 1))
            nest.let(self.shift, self.shift + 1)

    def of(self, number: Expr) -> Expr:
        """The bin of a number."""
        apart = call("wrapping_subtract", call("i64", number), self.base)
        return call("shift_right_logical_i64", apart, self.shift)

    def count(self, count: Operand, number: Callable[[Expr], Expr]) -> None:
        """How many of some numbers lie in each bin."""
        nest = self.nest
        with nest.loop("j", 0, 1 << self.bits) as j:
            nest.store(self.table[j], 0)
        with nest.loop("j", 0, count) as j:
            bin_ = nest.let("bin", self.of(number(j)))
            nest.store(self.table[bin_], self.table[bin_] + 1)

    def find(self, rest: Name) -> Name:
        """The bin in which the element of rank `rest` lies; takes from it what is in the bins before."""
        nest = self.nest
        found = nest.let(f"found{self.name}", 0)
        with nest.repeat(all_of(found < (1 << self.bits) - 1, rest >= self.table[found])):
            nest.let(rest, rest - self.table[found])
            nest.let(found, found + 1)
        return found

    def copy(
        self, found: Name, count: Operand, number: Callable[[Expr], Expr], memory: Expr, start: Expr,
        *, few: bool = False,
    ) -> None:  # fmt: skip
        """The numbers of a bin, one after the other; one place more may be written to. few: most have other bins."""
        nest = self.nest
        end = nest.let("end", start)

        def is_wanted(j: Expr) -> Expr:
            return equal(self.of(number(j)), found)

        with _blocks_with(nest, count, is_wanted) if few else nullcontext((ZERO, count)) as (first, stop):
            with nest.loop("j", first, stop) as j:
                x = nest.let("x", number(j))
                nest.store(memory[end], x)
                nest.let(end, end + call("i64", equal(self.of(x), found)))


@contextmanager
def _blocks_with(nest: Nest, count: Operand, wanted: Callable[[Expr], Expr]) -> Iterator[tuple[Name, Name]]:
    """The blocks of a line in which there are wanted elements: where they start and stop. Most lines have few."""
    with nest.loop("first", 0, count, _BLOCK) as first:
        stop, hits = nest.let("stop", smaller(first + _BLOCK, count)), nest.let("hits", call("i64", 0))
        with nest.loop("j", first, stop) as j:
            nest.let(hits, hits + call("i64", wanted(j)))
        with nest.when(hits > 0):
            yield first, stop


class Selection:
    """Ranks of one line after another, within the loop over lines."""

    def __init__(self, lines: Ranked, memory: Expr, area: Expr) -> None:
        self.lines, self.nest, self.memory = lines, lines.nest, memory
        self.first, self.second = area, self.nest.let("second", area + lines.size + 1)
        self.bins = Bins(self.nest, lines.key, lines.table, lines.bits, "")

    def start(self) -> None:
        """Count a new line's elements."""
        self.bins.span(self.lines.size, self.lines.number)
        self.bins.count(self.lines.size, self.lines.number)
        self.seen = self.nest.let("seen", -1)

    def select(self, rank: Operand) -> tuple[Expr, Name]:
        """The number of the element of a rank, and how many equal ones stand before it."""
        nest, bins, lines = self.nest, self.bins, self.lines
        rest = nest.let("rest", call("i64", rank))
        found = bins.find(rest)
        with nest.when(~equal(found, self.seen)):
            bins.copy(found, lines.size, lines.number, self.memory, self.first, few=True)
            nest.let(self.seen, found)
        source, count = nest.let("held", self.first), nest.let("count", lines.table[found])
        finer = Bins(nest, lines.key, lines.finer, _FINER, "1")

        def number(j: Expr) -> Expr:
            return self.memory[source + j]

        going = nest.let("going", 1)
        with nest.repeat(going > 0):
            finer.span(count, number)
            nest.let(going, call("i64", finer.low < finer.high))
            with nest.when(going > 0):
                finer.count(count, number)
                inner = finer.find(rest)
                finer.copy(inner, count, number, self.memory, self.second)
                nest.let(source, self.second)
                nest.let(count, lines.finer[inner])
        return number(ZERO), rest


def _place_of(lines: Ranked, wanted: Expr, rest: Name) -> Name:
    """The place of one of the elements that equal a number, by how many of them stand before it."""
    nest = lines.nest
    value, first, here = nest.let("value", wanted), nest.let("first", -_BLOCK), nest.let("here", 0)
    with nest.repeat(rest >= here):
        nest.let(rest, rest - here)
        nest.let(first, first + _BLOCK)
        nest.let(here, 0)
        with nest.loop("j", first, smaller(first + _BLOCK, lines.size)) as j:
            nest.let(here, here + call("i64", equal(lines.number(j), value)))
    hit = nest.let("hit", equal(lines.number(first), value))
    with nest.repeat(~hit | (rest > 0)):
        nest.let(rest, rest - call("i64", hit))
        nest.let(first, first + 1)
        nest.let(hit, equal(lines.number(first), value))
    return first


@generates("order.place_of_rank", when=is_selected)
def _rank_kernel(operation: Operation) -> Kernel:
    """The places of the elements that have the ranks which the second operand has for each line."""
    nest = Nest(operation)
    lines = Ranked(nest)
    ranks: Value = operation.operands[1]
    count = ranks.tensor_type.shape[lines.axis]
    with nest.rows(lines.others) as lines.index:
        selection = Selection(lines, *lines.areas())
        with nest.when(lines.size > 0):
            selection.start()
        with nest.loop("m", 0, nest.dim(count)) as m:
            rank = nest.checked(nest.load(1, lines.along(m)), lines.length)
            with nest.when(lines.size > 0):
                place = _place_of(lines, *selection.select(rank))
                nest.store(lines.out(m), place)
    return nest.finish(product(lines.others), size_of(operation.operands[0]) * 6)


@generates("order.top_set", when=is_selected)
def _set_kernel(operation: Operation) -> Kernel:
    """The places of the first elements of an order: all before the last of them, and the first that equal it."""
    nest = Nest(operation)
    lines, wanted = Ranked(nest, falling=operation.attrs["largest"]), operation.attrs["k"]
    with nest.rows(lines.others) as lines.index:
        selection = Selection(lines, *lines.areas())
        if not isinstance(lines.length, int):
            nest.checked(Literal(wanted - 1), lines.length)
        with nest.when(lines.size > wanted - 1):
            selection.start()
            number, rest = selection.select(wanted - 1)
            last, place, count = nest.let("last", number), nest.let("place", 0), nest.let("made", 0)
            with _blocks_with(nest, lines.size, lambda j: lines.number(j) <= last) as (first, stop):
                nest.let(place, first)
                with nest.repeat(all_of(count < wanted, place < stop)):
                    x = nest.let("x", lines.number(place))
                    same = nest.let("same", equal(x, last))
                    nest.store(lines.out(count), place)
                    nest.let(count, count + call("i64", (x < last) | (same & (rest >= 0))))
                    nest.let(rest, rest - call("i64", same))
                    nest.let(place, place + 1)
    return nest.finish(product(lines.others), size_of(operation.operands[0]) * 6)

"""Kernels that sort several lines at once by a network: each step compares vectors, an element of each line.

Which elements are compared doesn't depend on their values, so nothing branches, and all lines go the same way. A line
is filled up to a power of two. Elements are compared as integers that stand in their order; if their places are asked
for, these are the lower half of the integers, or, where elements fill these, in a table beside them, and are compared
where elements are equal: both make the order stable. Source: Batcher, Sorting networks and their applications, 1968
(bitonic sort, with the first step of a merge from both ends).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from ....base.dtype import int32, int64
from ....base.target import current_target
from ....ir.core import Operation
from ....ops.dims import DimLike, floordiv, product
from ....ops.kernel_expressions import ONE, ZERO, Expr, Name, Operand, call, equal, select, smaller
from ...kernel.kernel_call import Kernel
from ...kernel.statements import LoopKind
from ..element import extreme
from ..nest import Nest, pieces_of, size_of
from ..parameters import stored_as
from .merge_sort import Order, keep_zeros

_ABREAST = 8  # lines of 64-bit numbers, twice as many of shorter ones
_LONGEST = 1 << 16  # elements of a line
_STACK = 128 << 10  # bytes of a table on the stack
_SHORTEST = 2  # elements of a line: shorter ones are sorted by insertion
_FIRST = 8  # elements that `_SORT` puts in order before runs are merged
_SORT = (
    ((0, 2), (1, 3), (4, 6), (5, 7)), ((0, 4), (1, 5), (2, 6), (3, 7)), ((0, 1), (2, 3), (4, 5), (6, 7)),
    ((2, 4), (3, 5)), ((1, 4), (3, 6)), ((1, 2), (3, 4), (5, 6)),
)  # fmt: skip  # by 19 comparisons of pairs, the fewest (Knuth, The Art of Computer Programming 3, 5.3.4)
_NARROW = frozenset({"bool", "u8", "i8", "i16", "i32", "f32"})


def is_networked(operation: Operation) -> bool:
    """Whether lines are of a known length that isn't long, and more than a few."""
    kind, axis = operation.operands[0].tensor_type, operation.attrs["axis"]
    line, costs = kind.shape[axis], current_target().costs
    wide = kind.dtype.short in ("i64", "f64")
    if not isinstance(line, int) or line <= _SHORTEST or not (wide or kind.dtype.short in _NARROW):
        return False
    lines = product(d for k, d in enumerate(kind.shape) if k != axis)
    places = operation.name == "argsort"
    if line > (costs.merged // 2 if wide and places else costs.merged):
        return isinstance(lines, int) and not (wide and places) and _pays(line, lines, _abreast(wide or places))
    return not (isinstance(lines, int) and lines < costs.together)


def _abreast(wide: bool) -> int:
    """Lines that are sorted side by side."""
    return _ABREAST if wide else 2 * _ABREAST


def _pays(line: int, lines: int, abreast: int) -> bool:
    """Whether the steps of a network for long lines take less time than sorting these by digits."""
    levels = (line - 1).bit_length()
    groups = -(-lines // abreast)
    steps = (levels * (levels + 1) // 2 << levels) * groups * abreast
    core, most = current_target().core, current_target().costs.steps
    return line <= _LONGEST and steps * 32 * _ABREAST <= line * lines * most * core.vector_bytes * abreast


def network_kernel(operation: Operation) -> Kernel:
    """The values of lines in order, or with `argsort` their places."""
    return _Network(operation).build()


def _element(memory: Name, c: Expr) -> Expr:
    return memory[c]


class _Network:
    """A table of lines side by side, sorted along its columns."""

    def __init__(self, operation: Operation) -> None:
        self.operation, self.nest = operation, Nest(operation)
        self.places = operation.name == "argsort"
        self.falling = operation.attrs["descending"]
        kind, self.axis = operation.operands[0].tensor_type, operation.attrs["axis"]
        self.short = kind.dtype.short
        self.line = kind.shape[self.axis]
        assert isinstance(self.line, int)
        self.full = 1 << (self.line - 1).bit_length()
        self.paired = self.places and self.short not in _NARROW
        self.element = "i32" if self.short in _NARROW and not self.places else "i64"
        self.abreast = _abreast(self.element == "i64")
        self.lines: DimLike = product(d for k, d in enumerate(kind.shape) if k != self.axis)
        self.signed = self.short in ("f32", "f64") and not self.places  # -0 is less than 0 here
        self.order = Order(kind, falling=self.falling)
        self.inner = product(kind.shape[self.axis + 1 :])
        self.stored = stored_as(self.short)
        self.made = "i64" if self.places else self.stored
        self.table: Expr
        self.area: Expr | None = None  # where this piece's part of the table starts
        self.source = self.nest.parameters.pointer(operation.operands[0])
        self.target = self.nest.parameters.pointer(self.nest.result, "out")

    def build(self) -> Kernel:
        """The kernel; its range are groups of lines."""
        nest, size = self.nest, self.full * self.abreast
        self.groups = floordiv(self.lines + self.abreast - 1, self.abreast)
        kind = int32 if self.element == "i32" else int64
        is_local = size * kind.itemsize <= _STACK
        if is_local:
            self.table = nest.local("table", self.element, size)
        many = 4 if self.paired or self.full < _FIRST else _FIRST
        self.held = [nest.local(f"held{m}", self.element, self.abreast) for m in range(many)]
        self.spare = [nest.local(f"spare{m}", self.element, self.abreast) for m in range(many)]
        if self.paired:
            self.beside = nest.local("beside", "i64", size)
            self.later = nest.local("later", "i64", self.abreast)
        if self.signed:
            self.zeros = nest.local("zeros", self.element, self.abreast)
        with nest.range() as r:
            if not is_local:  # each piece of the range has a part of a large one
                self.table, self.area = nest.area("area", size, self.groups, kind, parts=pieces_of(self.groups))
            first = nest.let("first", r * self.abreast)
            if self._are_neighbours():
                self._neighbours(first)
            elif self._are_rows():
                self._rows(nest.let("group", smaller(first, nest.dim(self.lines) - self.abreast)))
            else:
                self._one_by_one(first)
        return nest.finish(self.groups, size_of(self.operation.operands[0]) * int(math.log2(self.full)))

    def _at(self, memory: Expr, place: Expr) -> Expr:
        """Where the elements of a place stand."""
        at: Expr = place * self.abreast
        return self.area + at if memory is self.table and self.area is not None else at

    # -- into the table, and out of it -------------------------------------------------------------

    def _are_neighbours(self) -> bool:
        """Whether the lines of a group lie side by side."""
        return isinstance(self.inner, int) and self.inner % self.abreast == 0

    def _are_rows(self) -> bool:
        """Whether lines are rows of memory, enough for a group."""
        return self.inner == 1 and isinstance(self.lines, int) and self.lines >= self.abreast

    def _neighbours(self, first: Expr) -> None:
        nest, inner = self.nest, self.nest.dim(self.inner)
        base = nest.let("base", first // inner * self.line * inner + first % inner)
        with nest.loop("j", 0, self.line) as j:
            self._take(j, lambda c: self.source[base + j * inner + c])
        self._sort_table()
        with nest.loop("j", 0, self.line) as j:
            self._keep(self.target, base + j * inner, lambda c: self._result(j, c), 1)
        self._keep_zeros(lambda c: base + c, inner)

    def _rows(self, first: Expr) -> None:
        """In squares that are transposed in registers; what they leave over one by one."""
        nest, side = self.nest, self.abreast
        whole = self.line // side * side
        square = nest.local("square", self.stored, side * side)
        made = nest.local("made", self.made, side * side)
        base = nest.let("base", first * self.line)
        with nest.loop("part", 0, whole, side) as part:
            nest.do(f"transpose_{self.stored}", side, self.source, base + part, self.line, square, 0, side)
            with nest.loop("i", 0, side) as i:
                self._take(part + i, lambda c: square[i * side + c])
        with nest.loop("j", whole, self.line) as j:
            self._take(j, lambda c: self.source[base + c * self.line + j])
        self._sort_table()
        with nest.loop("part", 0, whole, side) as part:
            with nest.loop("i", 0, side) as i:
                self._keep(made, i, lambda c: self._result(part + i, c))
            nest.do(f"transpose_{self.made}", side, made, 0, side, self.target, base + part, self.line)
        with nest.loop("j", whole, self.line) as j, nest.loop("c", 0, side) as c:
            nest.store(self.target[base + c * self.line + j], self._result(j, c))
        self._keep_zeros(lambda c: base + c * self.line, ONE)

    def _one_by_one(self, first: Expr) -> None:
        """The last line again where a group isn't full."""
        nest, inner = self.nest, self.nest.dim(self.inner)
        last = nest.dim(self.lines) - 1

        def start(c: Expr) -> Expr:
            number = nest.let("number", smaller(first + c, last))
            base: Expr = number // inner * self.line * inner + number % inner
            return base

        with nest.loop("c", 0, self.abreast) as c:
            base = nest.let("base", start(c))
            with nest.loop("j", 0, self.line) as j:
                nest.store(self.table[self._at(self.table, j) + c], self._key(self.source[base + j * inner], j))
        self._sort_table()
        with nest.loop("c", 0, self.abreast) as c:
            base = nest.let("base", start(c))
            with nest.loop("j", 0, self.line) as j:
                nest.store(self.target[base + j * inner], self._result(j, c))
        self._keep_zeros(start, inner)

    def _sort_table(self) -> None:
        """Sort what was taken; also note which lines have a negative zero, and fill up."""
        if self.paired:
            with self.nest.loop("j", 0, self.full) as j:
                self._keep(self.beside, j, lambda c: j)
        self._fill_up()
        self._meet_zeros()
        self._sort()

    def _meet_zeros(self) -> None:
        """Note which lines have a negative zero."""
        if not self.signed:
            return
        nest, number = self.nest, self._key(-call(self.short, 0), ZERO)
        self._keep(self.zeros, ZERO, lambda c: call(self.element, 0))
        with nest.loop("j", 0, self.line) as j:

            def met(c: Expr) -> Expr:
                return self.zeros[c] | call(self.element, equal(self.table[self._at(self.table, j) + c], number))

            self._keep(self.zeros, ZERO, met)

    def _keep_zeros(self, start: Callable[[Expr], Expr], step: Expr) -> None:
        """Let zeros stand in the order in which they came, in lines that have a negative one."""
        if not self.signed:
            return
        with self.nest.loop("c", 0, self.abreast) as c, self.nest.when(self.zeros[c] > 0):
            base = self.nest.let("line", start(c))

            def at(memory: Expr, place: Expr) -> Expr:
                return memory[base + place * step]

            keep_zeros(self.nest, self.order, self.line, partial(at, self.source), partial(at, self.target))

    def _take(self, j: Expr, element: Callable[[Expr], Expr]) -> None:
        self._keep(self.table, j, lambda c: self._key(element(c), j))

    def _fill_up(self) -> None:
        """Numbers that stand behind those of all elements."""
        if self.line < self.full:
            with self.nest.loop("j", self.line, self.full) as j:
                packed = self.places and not self.paired
                most = call("i64", ((1 << 31) - 1) << 32) + j if packed else extreme(self.element, 1)
                self._keep(self.table, j, lambda c: most)

    def _key(self, x: Expr, j: Expr) -> Expr:
        """An element as a number of the table."""
        if self.short in ("f32", "f64"):
            x = call(f"rank_{self.short}", x + call(self.short, 0) if self.places else x)
        key: Expr = call("i64", x)
        key = ~key if self.falling else key
        return key * (1 << 32) + j if self.places and not self.paired else call(self.element, key)

    def _result(self, place: Expr, c: Expr) -> Expr:
        """What a line's result has at a place, by the number that stands there in the table, or beside it."""
        found = self.beside if self.paired else self.table
        number: Expr = found[self._at(found, place) + c]
        if self.places:
            return number if self.paired else number & 0xFFFFFFFF
        key: Expr = call("i64", number)
        key = ~key if self.falling else key
        return call(f"unrank_{self.short}" if self.short in ("f32", "f64") else self.stored, key)

    # -- the network -------------------------------------------------------------------------------

    def _sort(self) -> None:
        """Runs of 1, 2, 4, … elements are merged: with each other's mirror image first, then at halved distances."""
        nest = self.nest
        together = not self.paired and self.full >= _FIRST
        run = nest.let("run", call("i64", 2))
        if together:
            with nest.loop("start", 0, self.full, _FIRST) as start:
                self._steps([start + m for m in range(_FIRST)], _SORT)
            nest.let(run, 2 * _FIRST)
        with nest.repeat(run < self.full + 1):
            if together:
                self._mirrored(run)
                distance = nest.let("distance", run // 8)
            else:
                with nest.loop("start", 0, self.full, run) as start, nest.loop("k", 0, run // 2) as k:
                    self._exchange(start + k, start + run - 1 - k)
                distance = nest.let("distance", run // 4)
            self._merge(distance)
            nest.let(run, run * 2)

    def _merge(self, distance: Name) -> None:
        """The steps at a distance, at half of it, and so on: as many at once as elements fit into registers."""
        nest = self.nest
        if self.paired:
            with nest.repeat(distance > 0):
                with nest.loop("start", 0, self.full, 2 * distance) as start, nest.loop("k", 0, distance) as k:
                    self._exchange(start + k, start + k + distance)
                nest.let(distance, distance // 2)
            return
        for steps in (3, 2) if len(self.held) == _FIRST else (2,):
            with nest.repeat(distance > (1 << (steps - 1)) - 1):
                self._halving(distance, steps)
                nest.let(distance, distance // (1 << steps))
        with nest.repeat(distance > 0):
            with nest.loop("start", 0, self.full, 2) as start:
                self._exchange(start, start + 1)
            nest.let(distance, 0)

    def _exchange(self, i: Expr, j: Expr) -> None:
        if self.paired:
            self._exchange_pairs(i, j)
            return
        a, b = (self._held(self.table, m, place) for m, place in enumerate((i, j)))
        self._keep(self.table, i, lambda c: self._least(a[c], b[c]))
        self._keep(self.table, j, lambda c: self._most(a[c], b[c]))

    def _exchange_pairs(self, i: Expr, j: Expr) -> None:
        """The same with places beside: of equal elements the one with the smaller place is first."""
        nest = self.nest
        a, b = (self._held(self.table, m, place) for m, place in enumerate((i, j)))
        p, q = (self._held(self.beside, m + 2, place) for m, place in enumerate((i, j)))
        with nest.loop("c", 0, self.abreast, kind=LoopKind.BLOCK) as c:
            later = (b[c] < a[c]) | (equal(b[c], a[c]) & (q[c] < p[c]))
            nest.store(self.later[c], call("i64", later))

        def chosen(x: Name, y: Name) -> Callable[[Expr], Expr]:
            return lambda c: select(self.later[c] > 0, y[c], x[c])

        for memory, x, y in ((self.table, a, b), (self.beside, p, q)):
            self._keep(memory, i, chosen(x, y))
            self._keep(memory, j, chosen(y, x))

    def _mirrored(self, run: Name) -> None:
        """Two steps at once: with the mirror image, and at a quarter of the run."""
        nest = self.nest
        quarter = nest.let("quarter", run // 4)
        with nest.loop("start", 0, self.full, run) as start, nest.loop("k", 0, quarter) as k:
            front, back = start + k, start + run - 1 - k
            places = [front, front + quarter, back - quarter, back]
            self._steps(places, [[(0, 3), (1, 2)], [(0, 1), (2, 3)]])

    def _halving(self, distance: Expr, steps: int) -> None:
        """Steps at a distance, at half of it, and so on."""
        nest, many = self.nest, 1 << steps
        least = nest.let("least", distance // (many // 2))
        layers = [[(i, i + gap) for i in range(many) if not i & gap] for gap in (many >> (k + 1) for k in range(steps))]
        with nest.loop("start", 0, self.full, 2 * distance) as start, nest.loop("k", 0, least) as k:
            self._steps([start + k + least * m for m in range(many)], layers)

    def _steps(self, places: Sequence[Expr], layers: Sequence[Sequence[tuple[int, int]]]) -> None:
        """Several steps on a few elements of each line while they are in registers: of each pair the least is first."""
        nest, now, other = self.nest, self.held[: len(places)], self.spare[: len(places)]
        at = [nest.let(f"at{m}", self._at(self.table, place)) for m, place in enumerate(places)]
        with nest.loop("c", 0, self.abreast, kind=LoopKind.BLOCK) as c:
            for held, start in zip(now, at, strict=True):
                nest.store(held[c], self.table[start + c])
        for layer in layers:
            with nest.loop("c", 0, self.abreast, kind=LoopKind.BLOCK) as c:
                for i, j in layer:
                    nest.store(other[i][c], self._least(now[i][c], now[j][c]))
                    nest.store(other[j][c], self._most(now[i][c], now[j][c]))
            for m in (m for pair in layer for m in pair):
                now[m], other[m] = other[m], now[m]
        for m, place in enumerate(places):
            self._keep(self.table, place, partial(_element, now[m]))

    def _held(self, memory: Expr, number: int, place: Expr) -> Name:
        """The elements of a place in registers."""
        nest, held = self.nest, self.held[number]
        at = nest.let(f"at{number}", self._at(memory, place))
        with nest.loop("c", 0, self.abreast, kind=LoopKind.BLOCK) as c:
            nest.store(held[c], memory[at + c])
        return held

    def _keep(self, memory: Expr, place: Expr, made: Callable[[Expr], Expr], step: int = 0) -> None:
        """Change the elements of a place; a loop of its own, in which nothing is read that it writes."""
        nest = self.nest
        to = nest.let("to", place * step if step else self._at(memory, place))
        with nest.loop("c", 0, self.abreast, kind=LoopKind.BLOCK) as c:
            nest.store(memory[to + c], made(c))

    def _least(self, a: Operand, b: Operand) -> Expr:
        return call(f"at_most_{self.element}", a, b)

    def _most(self, a: Operand, b: Operand) -> Expr:
        return call(f"at_least_{self.element}", a, b)

"""Maps that read an array across its rows (a transpose): in square tiles, which are transposed in registers.

Reading a column of a large array takes a line of memory for each element, and where rows are a power of two apart those
lines push each other out of the cache. Here each line is read once, whole: `side` rows of `side` elements at a time go
through registers into a square on the stack, and the elements are computed from that. Four by four tiles follow one
another, so that pages and lines that tiles share are still near.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ....base.target import current_target
from ....ir.core import Value
from ....ops.dims import DimLike, floordiv, product, same_dim
from ....ops.kernel_expressions import ZERO, Expr, Name, Operand, all_of, equal, smaller
from ....ops.lowering import Index
from ..parameters import as_number, stored_as
from .axes import Axis
from .group_writer import GroupWriter

SMALLEST = 4  # side of a tile
BLOCK = 4  # tiles along each side of a block


@dataclass(frozen=True)
class TransposedReads:
    """The loop along whose axis the arrays lie in memory, and the arrays: for each axis of one its loop, or None.

    side: of the tiles.
    """

    loop: int
    places: tuple[tuple[Value, tuple[int | None, ...]], ...]
    side: int


def transposed_reads(writer: GroupWriter) -> TransposedReads | None:
    """What a map that has been written reads across rows, if it is worth tiles; `writer` still has its loops."""
    last = len(writer.loops) - 1
    if writer.axes is not None or last < 1:
        return None
    loops = {writer.index[axis.members[-1]]: k for k, axis in enumerate(writer.loops)}
    found: list[tuple[int, Value, tuple[int | None, ...]]] = []
    for value, places in writer.elements.reads.items():
        for place in places:
            if all(i == ZERO or i in loops for i in place):
                order = tuple(None if i == ZERO else loops[i] for i in place)
                if _is_across(value, order, writer, last):
                    found.append((next(k for k in reversed(order) if k is not None), value, order))
    if not found:
        return None
    loop = Counter(k for k, _, _ in found).most_common(1)[0][0]
    places_ = tuple((value, order) for k, value, order in found if k == loop)
    side = current_target().transpose_side(max(value.dtype.itemsize for value, _ in places_))
    sizes = [writer.loops[k].size for k in (loop, last)]
    known = [size for size in sizes if isinstance(size, int)]
    while side > SMALLEST and min(known, default=side) < side:
        side //= 2
    if min(known, default=side) < side or (side == SMALLEST and any(-size % side * side > size for size in known)):
        return None  # or much of a tile would be that of the one before
    return TransposedReads(loop, places_, side)


def _is_across(value: Value, order: tuple[int | None, ...], writer: GroupWriter, last: int) -> bool:
    """Whether the array's own last loop isn't the innermost one, which it has too; all of it within its bounds."""
    loops = [k for k in order if k is not None]
    if last not in loops or loops[-1] == last or len(set(loops)) < len(loops):
        return False
    shape = value.tensor_type.shape
    for at, loop in enumerate(order):
        if loop is not None:
            members = writer.loops[loop].members
            first = at - len(members) + 1
            sizes = [writer.domain[m] for m in range(members[0], members[-1] + 1)]
            if first < 0 or not all(same_dim(a, b) for a, b in zip(shape[first : at + 1], sizes, strict=False)):
                return False
    return same_dim(product(shape), product(writer.loops[k].size for k in loops))


class TransposedMapWriter(GroupWriter):
    """Writes a map in tiles."""

    def __init__(self, *args: Any, transposed: TransposedReads) -> None:
        super().__init__(*args)
        self.transposed = transposed
        self.squares: dict[tuple[Value, tuple[Expr, ...]], Name] = {}

    def _resolve(self, value: Value, index: Index) -> Expr | None:
        square = self.squares.get((value, tuple(index)))
        if square is None:
            return super()._resolve(value, index)
        element = square[Name("a") * self.transposed.side + "b"]
        return self.elements.bind(as_number(element, value))

    def _write_body(self) -> DimLike:
        side, loops = self.transposed.side, self.loops
        rows, inner = loops[self.transposed.loop], loops[-1]
        blocks = [Axis(axis.members, _quotient(axis.size, BLOCK * side), True) for axis in (rows, inner)]
        outer = [axis for axis in loops[:-1] if axis is not rows]
        squares = [
            self.builder.local(f"s{k}", stored_as(value.dtype.short), side * side)
            for k, (value, _) in enumerate(() if self._only_moves() else self.transposed.places)
        ]
        with self._range() as r:
            self._decode([*outer, *blocks], r)  # few rows may be one block: threads share those along them, too
            first, start = (self.index[axis.members[-1]] * BLOCK for axis in (rows, inner))
            with self._tiles("u", "i0", first, rows.size) as i0, self._tiles("v", "j0", start, inner.size) as j0:
                self._set_index(rows, i0)
                self._set_index(inner, j0)
                if squares:
                    self._compute(squares)
                else:
                    self._move()
        return product(axis.size for axis in [*outer, *blocks])

    def _only_moves(self) -> bool:
        """Whether the elements are stored as they are read."""
        return len(self.operations) == len(self.transposed.places) == 1 and self.operations[0].name == "transpose"

    def _move(self) -> None:
        """The tile, from register to result."""
        ((value, order),) = self.transposed.places
        (result,) = self.outputs
        row = product(result.tensor_type.shape[self.loops[self.transposed.loop].members[-1] + 1 :])
        at = self.parameters.at(result, self.index)
        self._transpose(value, order, self.parameters.pointer(result, "out"), at, row)

    def _compute(self, squares: Sequence[Name]) -> None:
        """The tile of each array, then the elements."""
        rows, inner = self.loops[self.transposed.loop], self.loops[-1]
        for name, (value, order) in zip(squares, self.transposed.places, strict=True):
            with self.builder.on_behalf_of(next((o for o in self.operations if value in o.operands), None)):
                self._transpose(value, order, name, ZERO, self.transposed.side)
        with self._within("a", "i", "i0", rows), self._within("b", "j", "j0", inner):
            for name, (value, order) in zip(squares, self.transposed.places, strict=True):
                self.squares[value, tuple(self._place(order))] = name
            self._store_all()

    @contextmanager
    def _tiles(self, variable: str, start: str, first: Expr, size: DimLike) -> Iterator[Name]:
        """A loop over the tiles of a block; `start`: where a tile begins. The last one may overlap the one before."""
        side, count = self.transposed.side, self.parameters.dim(_quotient(size, self.transposed.side))
        with self._loop(variable, first, smaller(first + BLOCK, count)) as tile:
            at = self.builder.let(start, tile * side)
            if not isinstance(size, int):
                self.builder.let(f"{start}n", smaller(side, self.parameters.dim(size) - at))
            elif size % side:
                self.builder.let(start, smaller(at, size - side))
            yield at

    @contextmanager
    def _within(self, offset: str, variable: str, start: str, axis: Axis) -> Iterator[None]:
        """The loop over the rows, or the columns, of a tile."""
        count: Operand = self.transposed.side if isinstance(axis.size, int) else f"{start}n"
        with self._loop(offset, 0, count) as k:
            self._set_index(axis, self.builder.let(variable, Name(start) + k))
            yield

    def _transpose(self, value: Value, order: Sequence[int | None], target: Expr, to: Expr, row: DimLike) -> None:
        """Put a tile into `target`; tiles that the array's end cuts are copied element by element."""
        builder, side, dim = self.builder, self.transposed.side, self.parameters.dim
        source, last = self.parameters.pointer(value), order.index(len(self.loops) - 1)
        step = dim(product(value.tensor_type.shape[last + 1 :]))
        at, width = self.parameters.at(value, self._place(order)), dim(row)
        ends = (("i0n", self.transposed.loop), ("j0n", -1))
        cut = [name for name, k in ends if not isinstance(self.loops[k].size, int)]
        if not cut:
            builder.do(f"transpose_{stored_as(value.dtype.short)}", side, source, at, step, target, to, width)
            return
        with builder.when(all_of(*(equal(name, side) for name in cut))):
            builder.do(f"transpose_{stored_as(value.dtype.short)}", side, source, at, step, target, to, width)
        rows, columns = (name if name in cut else side for name, _ in ends)
        with builder.otherwise(), builder.loop("a", 0, rows) as a, builder.loop("b", 0, columns) as b:
            builder.store(target[to + a * width + b], source[at + b * step + a])

    def _place(self, order: Sequence[int | None]) -> list[Expr]:
        """The index into an array at the current place."""
        return [ZERO if k is None else self.index[self.loops[k].members[-1]] for k in order]

    def _in_place(self) -> dict[Value, tuple[Value, ...]]:
        """As in other maps; not where tiles overlap, nor the memory that is read across rows."""
        sizes = (self.loops[self.transposed.loop].size, self.loops[-1].size)
        if any(isinstance(size, int) and size % self.transposed.side for size in sizes):
            return {}
        transposed = {value for value, _ in self.transposed.places}
        return {out: tuple(v for v in found if v not in transposed) for out, found in super()._in_place().items()}


def _quotient(size: DimLike, divisor: int) -> DimLike:
    return floordiv(size + (divisor - 1), divisor)

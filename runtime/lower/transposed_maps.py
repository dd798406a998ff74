"""Maps that read an array across its rows (a transpose): in square tiles, which are transposed in registers.

Reading a column of a large array takes a line of memory for each element, and where rows are a power of two apart those
lines push each other out of the cache. Here each line is read once, whole: `side` rows of `side` elements at a time go
through registers into a square on the stack, and the elements are computed from that. Four by four tiles follow one
another, so that pages and lines that tiles share are still near.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...ir.core import Value
from ...ops.dims import DimLike, floordiv, product, same_dim
from ...ops.lowering import Index
from ..codegen.target import vector_bytes
from .axes import Axis
from .group import GroupWriter
from .kernel import linear

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
            if all(i == "0" or i in loops for i in place):
                order = tuple(None if i == "0" else loops[i] for i in place)
                if _is_across(value, order, writer, last):
                    found.append((next(k for k in reversed(order) if k is not None), value, order))
    if not found:
        return None
    loop = Counter(k for k, _, _ in found).most_common(1)[0][0]
    places_ = tuple((value, order) for k, value, order in found if k == loop)
    side = 16 if vector_bytes() == 64 and all(value.dtype.itemsize <= 4 for value, _ in places_) else 8
    sizes = [writer.loops[k].size for k in (loop, last)]
    if any(isinstance(size, int) and size < side for size in sizes):
        return None
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
        self.squares: dict[tuple[Value, tuple[str, ...]], str] = {}

    def _resolve(self, value: Value, index: Index) -> str | None:
        square = self.squares.get((value, tuple(index)))
        if square is None:
            return super()._resolve(value, index)
        text = f"{square}[a * {self.transposed.side} + b]"
        return self.elements.bind(f"({text} != 0)" if value.dtype.is_bool else text)

    def _write_map(self) -> DimLike:
        side, loops = self.transposed.side, self.loops
        rows, inner = loops[self.transposed.loop], loops[-1]
        blocks = Axis(rows.members, _quotient(rows.size, BLOCK * side), True)
        outer = [axis for axis in loops[:-1] if axis is not rows]
        squares = [] if self._only_moves() else [f"s{k}" for k in range(len(self.transposed.places))]
        for name, (value, _) in zip(squares, self.transposed.places, strict=False):
            self.writer.line(f"{name} = local_{_element(value)}({side * side})")
        self._open("r", "hi", "lo")
        self._decode([*outer, blocks], "r")
        first = f"({self.index[rows.members[-1]]}) * {BLOCK}"
        self._open("block", self.parameters.dim(_quotient(inner.size, BLOCK * side)))
        self._tiles("u", "i0", first, rows.size)
        self._tiles("v", "j0", f"block * {BLOCK}", inner.size)
        self._set_index(rows, "i0")
        self._set_index(inner, "j0")
        if squares:
            self._compute(squares)
        else:
            self._move()
        for _ in range(4):
            self._close()
        return product(axis.size for axis in [*outer, blocks])

    def _only_moves(self) -> bool:
        """Whether the elements are stored as they are read."""
        return len(self.operations) == len(self.transposed.places) == 1 and self.operations[0].name == "transpose"

    def _move(self) -> None:
        """The tile, from register to result."""
        ((value, order),) = self.transposed.places
        (result,) = self.outputs
        shape = [self.parameters.dim(d) for d in result.tensor_type.shape]
        row = product(result.tensor_type.shape[self.loops[self.transposed.loop].members[-1] + 1 :])
        self._transpose(value, order, self.parameters.pointer(result, "out"), linear(self.index, shape), row)

    def _compute(self, squares: Sequence[str]) -> None:
        """The tile of each array, then the elements."""
        rows, inner = self.loops[self.transposed.loop], self.loops[-1]
        for name, (value, order) in zip(squares, self.transposed.places, strict=True):
            with self.writer.on_behalf_of(next((o for o in self.operations if value in o.operands), None)):
                self._transpose(value, order, name, "0", self.transposed.side)
        self._within("a", "i", "i0", rows)
        self._within("b", "j", "j0", inner)
        for name, (value, order) in zip(squares, self.transposed.places, strict=True):
            self.squares[value, tuple(self._place(order))] = name
        self._store_all()
        self._close()
        self._close()

    def _tiles(self, variable: str, start: str, first: str, size: DimLike) -> None:
        """A loop over the tiles of a block; `start`: where a tile begins. The last one may overlap the one before."""
        side, count = self.transposed.side, self.parameters.dim(_quotient(size, self.transposed.side))
        self._open(variable, f"min({first} + {BLOCK}, {count})", first)
        self.writer.line(f"{start} = {variable} * {side}")
        if isinstance(size, int):
            if size % side:
                self.writer.line(f"{start} = min({start}, {size - side})")
        else:
            self.writer.line(f"{start}n = min({side}, {self.parameters.dim(size)} - {start})")

    def _within(self, offset: str, variable: str, start: str, axis: Axis) -> None:
        """The loop over the rows, or the columns, of a tile."""
        self._open(offset, str(self.transposed.side) if isinstance(axis.size, int) else f"{start}n")
        self.writer.line(f"{variable} = {start} + {offset}")
        self._set_index(axis, variable)

    def _transpose(self, value: Value, order: Sequence[int | None], target: str, to: str, row: DimLike) -> None:
        """Lines that put a tile into `target`; tiles that the array's end cuts are copied element by element."""
        line, side, dim = self.writer.line, self.transposed.side, self.parameters.dim
        source, last = self.parameters.pointer(value), order.index(len(self.loops) - 1)
        step = dim(product(value.tensor_type.shape[last + 1 :]))
        at = linear(self._place(order), [dim(d) for d in value.tensor_type.shape])
        whole = f"transpose_{_element(value)}({side}, {source}, {at}, {step}, {target}, {to}, {dim(row)})"
        cut = [
            f"{n}n" for n, k in (("i0", self.transposed.loop), ("j0", -1)) if not isinstance(self.loops[k].size, int)
        ]
        if not cut:
            line(whole)
            return
        line(f"if {' and '.join(f'{n} == {side}' for n in cut)}:")
        line(f"    {whole}")
        line("else:")
        line(f"    for a in range({'i0n' if 'i0n' in cut else side}):")
        line(f"        for b in range({'j0n' if 'j0n' in cut else side}):")
        line(f"            {target}[{to} + a * {dim(row)} + b] = {source}[{at} + b * {step} + a]")

    def _place(self, order: Sequence[int | None]) -> list[str]:
        """The index into an array at the current place."""
        return ["0" if k is None else self.index[self.loops[k].members[-1]] for k in order]

    def _in_place(self) -> dict[Value, tuple[Value, ...]]:
        """As in other maps; not where tiles overlap, nor the memory that is read across rows."""
        sizes = (self.loops[self.transposed.loop].size, self.loops[-1].size)
        if any(isinstance(size, int) and size % self.transposed.side for size in sizes):
            return {}
        transposed = {value for value, _ in self.transposed.places}
        return {out: tuple(v for v in found if v not in transposed) for out, found in super()._in_place().items()}


def _quotient(size: DimLike, divisor: int) -> DimLike:
    return floordiv(size + (divisor - 1), divisor)


def _element(value: Value) -> str:
    return "u8" if value.dtype.is_bool else value.dtype.short

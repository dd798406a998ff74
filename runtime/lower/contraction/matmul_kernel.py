"""Products of matrices with what follows them element by element: a kernel over tiles of sums, 8 rows by two vectors.

A unit of the kernel's range is a strip of columns (as wide as a tile) of a panel of rows. Where the strip would be read
often, or lies in memory so that its rows fall into the same places of the cache, it is copied first, and
transposed if need be. Where sizes don't fill tiles, the last tile overlaps the one before it: it computes some sums
again, to the same bits, since each sum adds its products in order of depth. For that reason, too, results don't depend
on tiles and threads. Sums go to the result at once, or, in a group, to a block in the first cache, where the group's
elements are computed from them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from ....base.target import current_target
from ....ir.core import Operation, Value
from ....ops.kernel_expressions import ZERO, Expr, Name, call, expr, smaller, ternary
from ....passes.fusion.custom_gemm import CustomGemm, FewRows, is_gemv, microkernel_of
from ...kernel.kernel_builder import KernelBuilder
from ...kernel.kernel_call import Kernel
from ...kernel.statements import LoopKind
from ..parameters import Parameters
from ..registry import ContractionGroup, generates_contraction
from .epilogue import Epilogue, RowsOfSums
from .few_rows_kernel import few_rows_kernel
from .gemv_kernel import gemv_kernel


@generates_contraction("matmul")
def matmul_kernel(group: ContractionGroup) -> Kernel:
    """The kernel of a matmul, alone or with its epilogue."""
    sizes = microkernel_of(group.head)
    if sizes is None:
        assert is_gemv(group.head), group.head
        return gemv_kernel(group)
    return few_rows_kernel(group, sizes) if isinstance(sizes, FewRows) else GemmWriter(group, sizes).write()


def many_rows_kernel(operation: Operation, sizes: CustomGemm) -> Kernel:
    """The kernel of a matmul for calls with more rows than its first one is for."""
    return GemmWriter(ContractionGroup.alone(operation), sizes).write()


@dataclass(frozen=True, slots=True)
class Tiles:
    """How a product is cut. rows, vectors: of a tile; panel: rows of a unit; block: depth of a strip at a time."""

    rows: int
    vectors: int
    panel: int
    block: int
    copied: bool


def tiles_of(sizes: CustomGemm, itemsize: int) -> Tiles:
    """Tiles that keep the registers busy, and how a strip is read; for rows of unknown number a call chooses that.

    >>> from types import SimpleNamespace
    >>> tiles_of(SimpleNamespace(rows=48, depth=1024, columns=256, transposed=False), 4).block
    512
    """
    target = current_target()
    limits, (tile_rows, vectors) = target.gemm, target.gemm_tile
    vectors = vectors if sizes.columns >= vectors * target.lanes(itemsize) else 1
    if not isinstance(sizes.rows, int):
        return Tiles(tile_rows, vectors, limits.panel // tile_rows * tile_rows, sizes.depth, True)
    if sizes.rows <= tile_rows:
        tile_rows = sizes.rows
    elif sizes.rows % tile_rows:
        choices = range(tile_rows - 2, tile_rows + 1)
        tile_rows = min(choices, key=lambda r: (-(-sizes.rows // r) * r * target.core.waiting(r * vectors), -r))
    clashes = sizes.columns * itemsize % target.caches.clash == 0 and sizes.rows > 2 * tile_rows
    deep = sizes.depth > limits.deep
    overlap = sizes.rows % tile_rows or sizes.columns % target.lanes(itemsize)  # then sums can't be added to
    copied = sizes.transposed or sizes.rows > limits.in_place or clashes or (deep and overlap)
    return Tiles(
        tile_rows,
        vectors,
        min(limits.panel // tile_rows * tile_rows, sizes.rows),
        limits.deep if deep and not copied else sizes.depth,
        bool(copied),
    )


@dataclass(frozen=True)
class GemmStrip:
    """A strip of columns: vectors that it is wide, its first column, and from which row to which one."""

    vectors: int
    column: Name
    first: Expr
    last: Expr


class Matrix(NamedTuple):
    """Rows of numbers in memory: where the first one starts, and elements from one to the next."""

    pointer: Expr
    at: Expr
    step: Expr


class GemmWriter:
    """Writes the kernel; `head` is the product."""

    def __init__(self, group: ContractionGroup, sizes: CustomGemm) -> None:
        self.name, self.head, self.sizes = group.name, group.head, sizes
        self.parameters, self.builder = Parameters(), KernelBuilder()
        self.epilogue = Epilogue(group, self.parameters, self.builder)
        head = group.head
        self.short = head.result.dtype.short
        self.target = current_target()
        self.lanes = self.target.lanes(head.result.dtype.itemsize)
        self.tiles = tiles_of(sizes, head.result.dtype.itemsize)
        self.width = self.tiles.vectors * self.lanes
        self.is_plain = self.epilogue.is_empty
        self.is_open = not isinstance(sizes.rows, int)
        self.overlaps = self.is_open or sizes.rows % self.tiles.rows != 0
        given = self.parameters.open if self.is_plain else self.parameters.dim  # few texts: it is soon compiled
        self.rows, self.depth, self.columns = (given(n) for n in (sizes.rows, sizes.depth, sizes.columns))
        self.blocks = -(-sizes.depth // max(self.tiles.block, 1))
        self.stored = RowsOfSums(self.epilogue, self.parameters, self.builder)

    @property
    def chooses(self) -> bool:
        """Whether a call chooses how strips are read."""
        return self.is_open and not self.sizes.transposed

    def write(self) -> Kernel:
        sizes, tiles = self.sizes, self.tiles
        strips = -(-sizes.columns // self.width)
        panels = (sizes.rows + tiles.panel - 1) // tiles.panel
        self.a, self.b = self.parameters.pointer(sizes.x), self.parameters.pointer(sizes.y)
        self.out = self.parameters.pointer(self.head.result, "out") if self.is_plain else Name("sums")
        with self.builder.on_behalf_of(self.head):
            self._locals()
        with self.builder.loop("u", "lo", "hi", kind=LoopKind.PARALLEL) as unit:
            if self.is_open or panels > 1:
                count = self.parameters.open(strips) if self.is_plain else self.parameters.dim(strips)
                first = self.builder.let("i0", unit // count * tiles.panel)
                strip = self.builder.let("u0", unit % count)
                self._strip(strip, first, smaller(first + tiles.panel, self.rows))
            else:
                self._strip(unit, ZERO, self.rows)
        each = sizes.depth // self.target.costs.multiply_adds + self.epilogue.weight
        work = sizes.rows * sizes.columns * each
        kernel = self.parameters.kernel(self.name, self.builder, strips * panels, work)
        return replace(kernel, in_place=self._in_place())

    def _locals(self) -> None:
        """A copied strip, a block of sums, and how strips are read."""
        sizes, tiles = self.sizes, self.tiles
        if tiles.copied:
            held = self.target.gemm.most_depth if self.is_plain else sizes.depth
            self.builder.local("strip", self.short, held * self.width)
        if not self.is_plain:
            held = tiles.panel if self.blocks > 1 else tiles.rows
            self.builder.local("sums", self.short, held * self.width)
        if self.chooses:
            itemsize = self.head.result.dtype.itemsize
            limits = self.target.gemm
            steady = sizes.depth <= limits.deep and sizes.columns * itemsize % self.target.caches.clash != 0
            self.builder.let("copied", self.rows > (limits.in_place if steady else 2 * tiles.rows))

    # -- one strip of columns ----------------------------------------------------------------------

    def _strip(self, number: Expr, first: Expr, last: Expr) -> None:
        """All rows from `first` to `last` of a strip; where half of the last strip is enough, it is a narrow one."""
        builder, width, narrow = self.builder, self.width, self.width // 2
        rest = self.sizes.columns % width
        overlapping = rest > narrow or self.tiles.vectors == 1
        start = smaller(number * width, self.columns - width) if overlapping else number * width
        strip = GemmStrip(self.tiles.vectors, builder.let("j0", start), first, last)
        if rest == 0 or overlapping:
            self._rows(strip)
            return
        with builder.when(strip.column + narrow < self.columns):
            self._rows(strip)
        with builder.otherwise():
            builder.let(strip.column, self.columns - narrow)
            self._rows(replace(strip, vectors=strip.vectors // 2))

    def _rows(self, strip: GemmStrip) -> None:
        b = self._read(strip)
        if self.blocks > 1:
            self._blocked_rows(strip)
            return
        tile_rows = self.tiles.rows
        with self.builder.loop("i", strip.first, strip.last, tile_rows) as i:
            row = self.builder.let("q", smaller(i, self.rows - tile_rows)) if self.overlaps else i
            self._tile(strip, 0, self.depth, (self._factor(strip, row), b, self._sums(strip, row, ZERO)))
            if not self.is_plain:
                self._finish(strip, row)

    def _factor(self, strip: GemmStrip, row: Expr) -> Matrix:
        """Where tiles find x from a row on."""
        return Matrix(self.a, row * self.depth, self.depth)

    def _blocked_rows(self, strip: GemmStrip) -> None:
        """A block of the strip at a time, for all rows: sums are added to in memory."""
        builder, tiles, rows = self.builder, self.tiles, (strip.first, strip.last)
        width = strip.vectors * self.lanes
        with builder.on_behalf_of(self.head):
            with builder.loop("i", *rows) as i, builder.loop("j", 0, width) as j:
                sums = self._sums(strip, i, i * width)
                builder.store(sums.pointer[sums.at + j], call(self.short, 0.0))
            with builder.loop("start", 0, self.depth, tiles.block) as start:
                depth = builder.let("nk", smaller(tiles.block, self.depth - start))
                b = Matrix(self.b, start * self.columns + strip.column, self.columns)
                with builder.loop("i", *rows, tiles.rows) as i:
                    a = Matrix(self.a, i * self.depth + start, self.depth)
                    self._tile(strip, 1, depth, (a, b, self._sums(strip, i, i * width)))
        if not self.is_plain:
            with builder.loop("i", *rows, tiles.rows) as i:
                self._finish(strip, i)

    def _tile(self, strip: GemmStrip, adds: int, depth: Expr, matrices: tuple[Matrix, Matrix, Matrix]) -> None:
        """Sums of `depth` products each; adds: whether they are added to what is there."""
        (a, a_at, a_step), b, sums = matrices
        with self.builder.on_behalf_of(self.head):
            self.builder.do(
                f"tile_{self.short}", self.tiles.rows, strip.vectors, self.lanes, adds, depth, a, a_at, 1, a_step,
                *b, *sums,
            )  # fmt: skip

    def _sums(self, strip: GemmStrip, row: Expr, held: Expr) -> Matrix:
        """Where the sums of a strip go, from a row on: to the result, or to the block, there to element `held`."""
        if self.is_plain:
            return Matrix(self.out, row * self.columns + strip.column, self.columns)
        return Matrix(self.out, held, expr(strip.vectors * self.lanes))

    def _read(self, strip: GemmStrip) -> Matrix:
        """Where tiles find the strip of y: in place, or in a copy that this makes."""
        width = strip.vectors * self.lanes
        in_place = Matrix(self.b, strip.column, self.columns)
        copied = Matrix(Name("strip"), ZERO, expr(width))
        if self.chooses:
            with self.builder.when("copied"):
                self._copy(strip.column, width)
            choices = zip(("b", "b_at", "b_step"), copied, in_place, strict=True)
            return Matrix(*(self.builder.let(name, ternary("copied", a, b)) for name, a, b in choices))
        if self.tiles.copied:
            self._copy(strip.column, width)
            return copied
        return in_place

    def _copy(self, column: Expr, width: int) -> None:
        """The strip of y from a column on as [depth, width]."""
        builder, depth, lanes, strip = self.builder, self.depth, self.lanes, Name("strip")
        with builder.on_behalf_of(self.head):
            if not self.sizes.transposed:
                with builder.loop("k", 0, depth) as k, builder.loop("j", 0, width) as j:
                    builder.store(strip[k * width + j], self.b[k * self.columns + column + j])
                return
            whole = builder.let("whole", depth // lanes * lanes)
            with builder.loop("k", 0, whole, lanes) as k, builder.loop("j", 0, width, lanes) as j:
                at, to = (column + j) * depth + k, k * width + j
                builder.do(f"transpose_{self.short}", lanes, self.b, at, depth, strip, to, width)
            if self.sizes.depth % lanes:
                with builder.loop("k", whole, depth) as k, builder.loop("j", 0, width) as j:
                    builder.store(strip[k * width + j], self.b[(column + j) * depth + k])

    # -- what follows ------------------------------------------------------------------------------

    def _finish(self, strip: GemmStrip, row: Expr) -> None:
        """The group's elements of a tile of sums, whose first row is `row`."""
        width = strip.vectors * self.lanes
        held = row * width if self.blocks > 1 else ZERO  # the block has all rows, or those of a tile
        self.stored.store(self.out, held, (self.tiles.rows, width), row, strip.column)

    def _in_place(self) -> dict[Value, tuple[Value, ...]]:
        """Results that may take an input's memory: not where tiles overlap."""
        if self.is_plain or self.overlaps or self.sizes.columns % self.lanes:
            return {}
        return self.epilogue.in_place((self.sizes.x, self.sizes.y))

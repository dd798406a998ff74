"""Products of few rows: what they take is one pass over the other factor, so that it is read as it lies in memory.

A unit of the kernel's range is a span of columns of one matrix of the batch. Of a matrix [depth, columns] some rows at
a time are read from one end of the span to the other, each as a run that the processor reads ahead, and sums are added
to in the first cache. Of a transposed matrix some rows are read at a time, each as a whole. Where sizes don't fill
tiles, the last tile computes some sums of the one before it again, to the same bits, in a place of its own. Each sum
adds its products in order of depth, or lane by lane, whatever the tiles and threads.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ....base.target import Target, current_target
from ....ir.core import Value
from ....ops.dims import DimLike, same_dim
from ....ops.kernel_expressions import ZERO, Expr, Literal, Name, call, smaller
from ....passes.fusion.custom_gemm import FewRows
from ...kernel.kernel_builder import KernelBuilder
from ...kernel.kernel_call import Kernel
from ...kernel.statements import LoopKind
from ..parameters import Parameters
from ..registry import ContractionGroup
from .epilogue import Epilogue, RowsOfSums


def few_rows_kernel(group: ContractionGroup, sizes: FewRows) -> Kernel:
    """The kernel of such a product, alone or with its epilogue."""
    return (DotWriter if sizes.transposed else RunWriter)(group, sizes).write()


class FewRowsWriter(ABC):
    """What the kernels for both layouts of the matrix share.

    width: columns of a tile. held: columns of a block of sums; a span has one after the other. is_direct: whether sums
    go to the result at once.
    """

    def __init__(self, group: ContractionGroup, sizes: FewRows) -> None:
        self.name, self.head, self.sizes = group.name, group.head, sizes
        self.parameters, self.builder = Parameters(), KernelBuilder()
        self.epilogue = Epilogue(group, self.parameters, self.builder)
        self.is_plain = self.epilogue.is_empty
        self.parameters.leaves_open = self.is_plain  # few texts: it is soon compiled
        self.target = current_target()
        self.short, self.itemsize = self.head.result.dtype.short, self.head.result.dtype.itemsize
        self.lanes = self.target.lanes(self.itemsize)
        self.forms = rows_of_tiles(sizes.rows, self.target)
        self.most_rows = sizes.rows if isinstance(sizes.rows, int) else self.target.gemm.few_rows
        self._take(self.forms[-1])
        self.span, self.most_span = span_of(sizes, self.width, self.itemsize, self.target)
        self.is_direct = self.is_plain and self.adds_at_once()
        self.rows, self.depth, self.columns = (self.size(n) for n in (sizes.rows, sizes.depth, sizes.columns))

    def size(self, number: DimLike) -> Expr:
        """A size, left open in kernels that do nothing but the product."""
        return self.parameters.dim(number)

    def _take(self, tile_rows: int) -> None:
        """Write for tiles of so many rows from here on."""
        self.tile_rows = tile_rows
        self.width = self.width_of_tile()

    @property
    def blocks(self) -> int:
        """Blocks of sums of a span."""
        return -(-self.span // self.held)

    # -- what the layouts say ----------------------------------------------------------------------

    @abstractmethod
    def width_of_tile(self) -> int:
        """Columns of a tile."""

    @property
    @abstractmethod
    def held(self) -> int:
        """Columns of a block of sums."""

    @abstractmethod
    def held_size(self) -> Expr:
        """The same, as the kernel's text has it."""

    @abstractmethod
    def adds_at_once(self) -> bool:
        """Whether a tile computes sums from first to last."""

    @abstractmethod
    def sums(self, a: Expr, b: Expr) -> None:
        """Compute the sums of a span, of the matrices that start at these elements."""

    # -- the kernel --------------------------------------------------------------------------------

    def write(self) -> Kernel:
        """The kernel."""
        sizes, builder = self.sizes, self.builder
        self.a, self.b = self.parameters.pointer(sizes.x), self.parameters.pointer(sizes.y)
        spans = (sizes.columns + self.span - 1) // self.span
        with builder.on_behalf_of(self.head):
            self.locals()
            with builder.loop("u", "lo", "hi", kind=LoopKind.PARALLEL) as unit:
                one = same_dim(sizes.batch, 1)
                matrix = ZERO if one else builder.let("m", unit // self.size(spans))
                number = unit if one else builder.let("s", unit % self.size(spans))
                self.column = builder.let(
                    "c0", smaller(number * self.size(self.span), self.columns - self.size(self.span))
                )
                self.first = ZERO if one else builder.let("r0", matrix * self.rows)
                starts = self.first * self.depth, matrix * (self.depth * self.columns)
                self._unit(self.forms, starts)
        each = sizes.depth // self.target.costs.multiply_adds + self.epilogue.weight
        work = sizes.batch * sizes.rows * sizes.columns * each
        return replace(self.parameters.kernel(self.name, builder, sizes.batch * spans, work), in_place=self._in_place())

    def _unit(self, forms: Sequence[int], starts: tuple[Expr, Expr]) -> None:
        """The sums of a unit, and what is made of them, in tiles of as many rows as there are."""
        if len(forms) > 1:
            with self.builder.when(self.rows < forms[1]):
                self._unit(forms[:1], starts)
            with self.builder.otherwise():
                self._unit(forms[1:], starts)
            return
        self._take(forms[0])
        self.tiles: int | Expr = -(-self.most_rows // self.tile_rows)
        if not isinstance(self.sizes.rows, int):
            self.tiles = self.builder.let("tiles", (self.rows + (self.tile_rows - 1)) // self.tile_rows)
        self.sums(*starts)
        if not self.is_direct:
            self._finish()

    def locals(self) -> None:
        """Memory of a unit: blocks of sums, each in tiles of rows."""
        if self.is_direct:
            return
        most = 0
        for form in self.forms:
            self._take(form)
            columns = self.most_span + self.held if self.is_plain else self.blocks * self.held
            most = max(most, columns * -(-self.most_rows // form) * form)
        self.builder.local("sums", self.short, most)

    def place(self, block: Expr, tile: Expr) -> Expr:
        """Where the sums of a tile's rows start in a block."""
        return (block * self.tiles + tile) * (self.tile_rows * self.held)

    def destination(self, block: Expr, at: Expr, tile: Expr, row: Expr) -> tuple[Expr, Expr, Expr]:
        """Where the sums of a tile go: the pointer, the element, and elements from one row to the next.

        block, at: the block, and the tile's first column in the span.
        """
        if self.is_direct:
            place = (self.first + row) * self.columns + self.column + at
            return self.parameters.pointer(self.head.result, "out"), place, self.columns
        inside = at if self.held > self.width else ZERO
        return Name("sums"), self.place(block, tile) + inside, self.held_size()

    @contextmanager
    def each_tile(self) -> Iterator[tuple[Expr, Expr]]:
        """A loop over tiles of rows: the number of each, and its first row."""
        if isinstance(self.tiles, int) and self.tiles == 1:
            yield ZERO, ZERO
            return
        with self.builder.loop("t", 0, self.tiles) as tile:
            yield tile, self.builder.let("q", smaller(tile * self.tile_rows, self.rows - self.tile_rows))

    def _finish(self) -> None:
        """Store what is made of the sums of a span."""
        builder, held = self.builder, self.held_size()
        rows = RowsOfSums(self.epilogue, self.parameters, builder)
        with builder.loop("b", 0, self.size(self.blocks)) as block:
            column = builder.let("j0", self.column + smaller(block * held, self.size(self.span) - held))
            with self.each_tile() as (tile, row):
                place = builder.let("place", self.place(block, tile))
                rows.store(Name("sums"), place, (self.tile_rows, held), self.first + row, column)

    def _in_place(self) -> dict[Value, tuple[Value, ...]]:
        """Results that may take an input's memory: not where something is computed twice."""
        sizes, fills = self.sizes, self.span % self.held == 0
        if self.is_plain or not fills or sizes.columns % self.span != 0 or self.most_rows % self.tile_rows:
            return {}
        return self.epilogue.in_place((sizes.x, sizes.y))


class RunWriter(FewRowsWriter):
    """x times [depth, columns]: some rows of the matrix at a time, from one end of the span to the other."""

    def width_of_tile(self) -> int:
        return self.vectors * self.lanes

    @property
    def vectors(self) -> int:
        """As many as keep the multipliers busy, and fill the columns with the least waste."""
        most = min(4, sums_of_tile(self.target) // self.tile_rows)
        if not isinstance(self.sizes.columns, int):
            return most
        return min(range(min(most, self.sizes.columns // self.lanes), 0, -1), key=self._waste)

    def _waste(self, vectors: int) -> float:
        """What tiles of so many vectors compute by what is needed, and sums that wait for each other; in tenths, as for
        less no other text has to be compiled.
        """
        columns, width = self.sizes.columns, vectors * self.lanes
        assert isinstance(columns, int)
        filled = -(-columns // width) * width / columns
        return round(filled * max(1.0, self.target.sums_at_once / (vectors * self.tile_rows)), 1)

    @property
    def held(self) -> int:
        return self.width

    def held_size(self) -> Expr:
        return Literal(self.width)

    def adds_at_once(self) -> bool:
        return depth_at_once(self.sizes, self.itemsize, self.target) is None

    def sums(self, a: Expr, b: Expr) -> None:
        builder = self.builder
        block = depth_at_once(self.sizes, self.itemsize, self.target)
        if block is None:
            self._sweep(a, b + self.column, self.depth, 0)
            return
        most = self.size(block)
        count = self.size(self.blocks) * self.tiles * (self.tile_rows * self.width)
        with builder.loop("j", 0, count) as j:
            builder.store(Name("sums")[j], call(self.short, 0.0))
        with builder.loop("k", 0, self.depth, most) as k:
            count = builder.let("nk", smaller(most, self.depth - k))
            self._sweep(a + k, builder.let("line", b + k * self.columns + self.column), count, 1)

    def _sweep(self, a: Expr, line: Expr, count: Expr, adds: int) -> None:
        """Some rows of the matrix from one end of the span to the other; adds: whether to sums that are there."""
        builder = self.builder
        with builder.loop("b", 0, self.size(self.blocks)) as block:
            at = builder.let("j0", smaller(block * self.width, self.size(self.span) - self.width))
            with self.each_tile() as (tile, row):
                builder.do(
                    f"tile_{self.short}", self.tile_rows, self.vectors, self.lanes, adds, count,
                    self.a, a + row * self.depth, 1, self.depth, self.b, line + at, self.columns,
                    *self.destination(block, at, tile, row),
                )  # fmt: skip


class DotWriter(FewRowsWriter):
    """x times the transpose of [columns, depth]: some rows of the matrix at a time, each as a whole."""

    def width_of_tile(self) -> int:
        most = min(8, max(1, sums_of_tile(self.target) // self.tile_rows))
        return min(most, self.sizes.columns) if isinstance(self.sizes.columns, int) else most

    @property
    def held(self) -> int:
        return self.span

    def held_size(self) -> Expr:
        return self.size(self.span)

    def adds_at_once(self) -> bool:
        return True

    def locals(self) -> None:
        super().locals()
        self._take(self.forms[0])
        self.builder.local("lines", "i64", 2 * self.width)
        self.builder.do("pairs_i64", Name("lines"), 0, self.width, 0, 0, 0, self.depth)

    def sums(self, a: Expr, b: Expr) -> None:
        builder, depth = self.builder, self.sizes.depth
        assert isinstance(depth, int)
        rest = depth % self.lanes
        vectors = builder.let("vectors", self.depth // self.lanes)
        with builder.loop("j", 0, self.held_size(), self.width) as j:
            at = builder.let("j0", smaller(j, self.held_size() - self.width))
            line = builder.let("line", b + (self.column + at) * self.depth)
            with self.each_tile() as (tile, row):
                builder.do(
                    f"inner_{self.short}", self.tile_rows, self.width, rest, 0, 1, vectors, Name("lines"), 0,
                    self.a, a + row * self.depth, self.depth, 0, self.b, line, 0,
                    *self.destination(ZERO, at, tile, row),
                )  # fmt: skip


def sums_of_tile(target: Target) -> int:
    """Vectors of sums that leave registers for their factors."""
    return target.core.registers * 3 // 4


def rows_of_tiles(rows: DimLike, target: Target) -> tuple[int, ...]:
    """Rows of a tile: known ones are cut into equal parts; for others there are forms, each from so many rows on."""
    if isinstance(rows, int):
        return (-(-rows // -(-rows // target.gemm_tile[0])),)
    return (2, 4)


def span_of(sizes: FewRows, width: int, itemsize: int, target: Target) -> tuple[int, int]:
    """Columns of a unit, and the most of any product, whose sums stay near. Two units at least share what pays."""
    rows = sizes.rows if isinstance(sizes.rows, int) else target.gemm.few_rows // 2
    longest = target.gemm.far_span_bytes if is_far(sizes, itemsize, target) else target.gemm.span_bytes
    most = min(longest, 2 * target.caches.first // rows) // itemsize
    if not isinstance(sizes.columns, int):
        return target.gemm.open_span, target.gemm.open_span
    depth = sizes.depth if isinstance(sizes.depth, int) else 0
    pays = rows * depth * sizes.columns // target.costs.multiply_adds >= target.threads.pair
    spans = max(-(-sizes.columns // most), 2 if pays and same_dim(sizes.batch, 1) else 1)
    even = -(-sizes.columns // spans)
    return min(-(-even // width) * width, sizes.columns), most + width


def is_far(sizes: FewRows, itemsize: int, target: Target) -> bool:
    """Whether the matrix is known to be so large that it is read from memory in each call."""
    known = [n for n in (sizes.depth, sizes.columns) if isinstance(n, int)]
    return not sizes.transposed and len(known) == 2 and math.prod(known) * itemsize >= target.gemm.far


def depth_at_once(sizes: FewRows, itemsize: int, target: Target) -> int | None:
    """Rows of the matrix that are read side by side: few streams of memory. None: all, where they stay near."""
    depth, columns = sizes.depth, sizes.columns
    if not isinstance(columns, int):
        return target.gemm.streams // 2
    if is_far(sizes, itemsize, target):
        many = isinstance(sizes.rows, int) and sizes.rows > target.gemm_tile[0]
        return target.gemm.far_streams * (2 if many else 1)
    line = columns * itemsize
    if isinstance(depth, int) and depth * line <= target.caches.second:
        return None
    streams = target.gemm.streams // (1 if line % target.caches.clash else 2)
    return max(streams, target.caches.first // 2 // line)

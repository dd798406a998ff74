"""Products of matrices with what follows them element by element: a kernel over tiles of sums, 8 rows by two vectors.

A unit of the kernel's range is a strip of columns (as wide as a tile) of a panel of rows. Where the strip would be read
often, or lies in memory so that its rows fall into the same places of the cache, it is copied first, and
transposed if need be. Where sizes don't fill tiles, the last tile overlaps the one before it: it computes some sums
again, to the same bits, since each sum adds its products in order of depth. For that reason, too, results don't depend
on tiles and threads. Sums go to the result at once, or, in a group, to a block in the first cache, where the group's
elements are computed from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from ....ir.core import Operation, Value
from ....ops.dims import product as size_of
from ....ops.dims import same_shape
from ....ops.lowering import Index
from ....ops.types import Shape
from ....passes.fusion.custom_gemm import MOST_DEPTH, CustomGemm, custom_gemm_of, is_gemv
from ...codegen.target import vector_bytes, vector_registers
from ..axes import Axis, sweep_axes
from ..element import ElementWriter, store_all
from ..folds import weight_of
from ..kernel import Kernel, Parameters, Writer
from .gemv_kernel import gemv_kernel

PANEL = 256  # rows: what a panel reads of x fits the second cache, and a copied strip is used often enough
READ_IN_PLACE = 128  # rows: with as few, copying a strip first takes longer than it saves
CLASH = 4096  # bytes between rows of y: numbers so far apart take the same places of the first cache
DEEP = 512  # longer strips than that don't stay in the first cache beside the tiles
MACS_PER_WORK = 4  # multiply-adds that take as long as a simple operation of other kernels


def product_kernel(name: str, operations: Sequence[Operation], outputs: Sequence[Value], domain: Shape) -> Kernel:
    """The kernel of a group with a product in it, or of a product alone."""
    (head,) = (o for o in operations if o.name == "matmul")
    if is_gemv(head):
        return gemv_kernel(name, head, operations, outputs)
    sizes = custom_gemm_of(head)
    assert sizes is not None, head
    return _Writer(name, head, sizes, operations, outputs, domain).write()


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
    >>> tiles_of(SimpleNamespace(rows=64, depth=1024, columns=256, transposed=False), 4).block
    512
    """
    tile_rows = 8 if vector_registers() >= 32 else 6
    if not isinstance(sizes.rows, int):
        return Tiles(tile_rows, 2, PANEL // tile_rows * tile_rows, sizes.depth, True)
    if sizes.rows <= tile_rows:
        tile_rows = sizes.rows
    elif sizes.rows % tile_rows:
        tile_rows = min(range(tile_rows - 2, tile_rows + 1), key=lambda r: (-(-sizes.rows // r) * r, -r))
    clashes = sizes.columns * itemsize % CLASH == 0 and sizes.rows > 2 * tile_rows
    deep = sizes.depth > DEEP
    overlap = sizes.rows % tile_rows or sizes.columns * itemsize % vector_bytes()  # then sums can't be added to
    copied = sizes.transposed or sizes.rows > READ_IN_PLACE or clashes or (deep and overlap)
    return Tiles(
        tile_rows,
        2,
        min(PANEL // tile_rows * tile_rows, sizes.rows),
        DEEP if deep and not copied else sizes.depth,
        bool(copied),
    )


class _Writer:
    """Writes the kernel; `head` is the product."""

    def __init__(
        self, name: str, head: Operation, sizes: CustomGemm, operations: Sequence[Operation], outputs: Sequence[Value],
        domain: Shape,
    ) -> None:  # fmt: skip
        self.name, self.head, self.sizes = name, head, sizes
        self.operations, self.outputs, self.domain = list(operations), list(outputs), domain
        self.parameters, self.writer = Parameters(), Writer()
        self.short = head.result.dtype.short
        self.lanes = vector_bytes() // head.result.dtype.itemsize
        self.tiles = tiles_of(sizes, head.result.dtype.itemsize)
        self.width = self.tiles.vectors * self.lanes
        self.is_plain = self.outputs == [head.result]
        self.is_open = not isinstance(sizes.rows, int)
        self.overlaps = self.is_open or sizes.rows % self.tiles.rows != 0
        given = self.parameters.open if self.is_plain else str  # few texts: a product alone is soon compiled
        self.rows, self.depth, self.columns = (given(n) for n in (sizes.rows, sizes.depth, sizes.columns))
        self.blocks = -(-sizes.depth // max(self.tiles.block, 1))
        self.index: Index = ["0"] * len(domain)
        self.elements = ElementWriter(self.parameters, self.writer, set(self.operations) - {head}, self._sum)
        self.stored_at: tuple[str, ...] = ()

    @property
    def chooses(self) -> bool:
        """Whether a call chooses how strips are read."""
        return self.is_open and not self.sizes.transposed

    def line(self, text: str) -> None:
        self.writer.line(text)

    def block(self, head: str) -> AbstractContextManager[None]:
        return self.writer.block(head)

    def write(self) -> Kernel:
        sizes, tiles = self.sizes, self.tiles
        strips = -(-sizes.columns // self.width)
        panels = (sizes.rows + tiles.panel - 1) // tiles.panel
        self.a, self.b = self.parameters.pointer(sizes.x), self.parameters.pointer(sizes.y)
        self.out = self.parameters.pointer(self.head.result, "out") if self.is_plain else "sums"
        with self.writer.on_behalf_of(self.head):
            if tiles.copied:
                held = MOST_DEPTH if self.is_plain else sizes.depth
                self.line(f"strip = local_{self.short}({held * self.width})")
            if not self.is_plain:
                held = tiles.panel if self.blocks > 1 else tiles.rows
                self.line(f"sums = local_{self.short}({held * self.width})")
            if self.chooses:
                itemsize = self.head.result.dtype.itemsize
                steady = sizes.depth <= DEEP and sizes.columns * itemsize % CLASH != 0
                self.line(f"copied = {self.rows} > {READ_IN_PLACE if steady else 2 * tiles.rows}")
        with self.block("for u in range(lo, hi)"):
            strip = "u"
            first, last = "0", self.rows
            if self.is_open or panels > 1:
                count = self.parameters.open(strips) if self.is_plain else str(strips)
                self.line(f"i0 = u // {count} * {tiles.panel}")
                self.line(f"u0 = u % {count}")
                strip, first, last = "u0", "i0", f"min(i0 + {tiles.panel}, {self.rows})"
            self._strip(strip, first, last)
        work = (
            sizes.rows
            * sizes.columns
            * (sizes.depth // MACS_PER_WORK + sum(weight_of(o) for o in self.operations if o is not self.head))
        )
        return Kernel(
            self.parameters.source(self.name, self.writer.text()), self.parameters.slots,
            self.parameters.dims, strips * panels, work, self._in_place(), origins=self.writer.origins,
            checks=self.parameters.has_status,
        )  # fmt: skip

    # -- one strip of columns ----------------------------------------------------------------------

    def _strip(self, strip: str, first: str, last: str) -> None:
        """All rows from `first` to `last` of a strip; where half of the last strip is enough, it is a narrow one."""
        narrow, rest = self.width // 2, self.sizes.columns % self.width
        if rest == 0:
            self.line(f"j0 = {strip} * {self.width}")
            self._rows(self.tiles.vectors, first, last)
        elif rest > narrow:
            self.line(f"j0 = min({strip} * {self.width}, {self.columns} - {self.width})")
            self._rows(self.tiles.vectors, first, last)
        else:
            self.line(f"j0 = {strip} * {self.width}")
            with self.block(f"if j0 + {narrow} < {self.columns}"):
                self._rows(self.tiles.vectors, first, last)
            with self.block("else"):
                self.line(f"j0 = {self.columns} - {narrow}")
                self._rows(self.tiles.vectors // 2, first, last)

    def _rows(self, vectors: int, first: str, last: str) -> None:
        tiles, width = self.tiles, vectors * self.lanes
        if self.chooses:
            with self.block("if copied"):
                self._copy(width)
            self.line(f"b = strip if copied else {self.b}")
            self.line(f"b_at, b_step = (0, {width}) if copied else (j0, {self.columns})")
        elif tiles.copied:
            self._copy(width)
        if self.blocks > 1:
            self._blocked_rows(vectors, first, last)
            return
        with self.block(f"for i in range({first}, {last}, {tiles.rows})"):
            row = "i"
            if self.overlaps:
                self.line(f"q = min(i, {self.rows} - {tiles.rows})")
                row = "q"
            target = f"{row} * {self.columns} + j0, {self.columns}" if self.is_plain else f"0, {width}"
            self._tile(vectors, 0, self.depth, row, "0", target)
            if not self.is_plain:
                self._finish(row, "r", width)

    def _blocked_rows(self, vectors: int, first: str, last: str) -> None:
        """A block of the strip at a time, for all rows: sums are added to in memory."""
        tiles, width = self.tiles, vectors * self.lanes
        target, step = (f"i * {self.columns} + j0", self.columns) if self.is_plain else (f"i * {width}", str(width))
        with self.writer.on_behalf_of(self.head):
            with self.block(f"for i in range({first}, {last})"), self.block(f"for j in range({width})"):
                self.line(f"{self.out}[{target} + j] = {self.short}(0.0)")
            with self.block(f"for start in range(0, {self.depth}, {tiles.block})"):
                self.line(f"nk = min({tiles.block}, {self.depth} - start)")
                with self.block(f"for i in range({first}, {last}, {tiles.rows})"):
                    self._tile(vectors, 1, "nk", "i", "start", f"{target}, {step}")
        if not self.is_plain:
            with self.block(f"for i in range({first}, {last}, {tiles.rows})"):
                self._finish("i", "(i + r)", width)

    def _tile(self, vectors: int, adds: int, depth: str, row: str, start: str, target: str) -> None:
        if self.chooses:
            b = "b, b_at, b_step"
        elif self.tiles.copied:
            b = f"strip, 0, {vectors * self.lanes}"
        else:
            b = f"{self.b}, {f'{start} * {self.columns} + ' if start != '0' else ''}j0, {self.columns}"
        a = f"{self.a}, {row} * {self.depth}{f' + {start}' if start != '0' else ''}, 1, {self.depth}"
        with self.writer.on_behalf_of(self.head):
            self.line(
                f"tile_{self.short}({self.tiles.rows}, {vectors}, {self.lanes}, {adds}, {depth}, {a}, {b},"
                f" {self.out}, {target})"
            )

    def _copy(self, width: int) -> None:
        """The strip of y from column j0 on as [depth, width]."""
        depth, columns, lanes = self.depth, self.columns, self.lanes
        with self.writer.on_behalf_of(self.head):
            if not self.sizes.transposed:
                with self.block(f"for k in range({depth})"), self.block(f"for j in range({width})"):
                    self.line(f"strip[k * {width} + j] = {self.b}[k * {columns} + j0 + j]")
                return
            self.line(f"whole = {depth} // {lanes} * {lanes}")
            with self.block(f"for k in range(0, whole, {lanes})"):
                with self.block(f"for j in range(0, {width}, {lanes})"):
                    self.line(
                        f"transpose_{self.short}({lanes}, {self.b}, (j0 + j) * {depth} + k, {depth}, strip,"
                        f" k * {width} + j, {width})"
                    )
            if self.sizes.depth % lanes:
                with self.block(f"for k in range(whole, {depth})"), self.block(f"for j in range({width})"):
                    self.line(f"strip[k * {width} + j] = {self.b}[(j0 + j) * {depth} + k]")

    # -- what follows ------------------------------------------------------------------------------

    def _finish(self, row: str, held: str, width: int) -> None:
        """The group's elements of a tile of sums, whose row r is row `held` of the block."""
        axes = sweep_axes(self.domain, None, [o for o in self.operations if o is not self.head])
        lead = [Axis(a.members, a.size, True) for a in axes if a.members[-1] != len(self.domain) - 1]
        joined = axes[-1].members[:-1]
        if joined:
            lead.append(Axis(joined, size_of(self.domain[k] for k in joined), True))
        with self.block(f"for r in range({self.tiles.rows})"):
            self.elements.push()
            self.line(f"i1 = {row} + r")
            self._decode(lead)
            self.place = f"{held} * {width} + j"
            with self.block(f"for j in range({width})"):
                self.elements.push()
                self.line("c = j0 + j")
                self.index[-1] = "c"
                self.stored_at = tuple(self.index)
                store_all(self.outputs, self.index, self.elements)
                self.elements.pop()
            self.elements.pop()

    def _decode(self, lead: Sequence[Axis]) -> None:
        """The index of row i1, axis by axis."""
        rest = "i1"
        for k in reversed(range(len(lead))):
            name = rest
            if k:
                name, size = f"i1_{k}", self.parameters.dim(lead[k].size)
                self.line(f"{name} = {rest} % {size}")
                self.line(f"r1_{k} = {rest} // {size}")
                rest = f"r1_{k}"
            for member in lead[k].members:
                self.index[member] = "0"
            self.index[lead[k].members[-1]] = name

    def _sum(self, value: Value, index: Index) -> str | None:
        """An element of the product is a sum of the block."""
        return self.elements.bind(f"sums[{self.place}]") if value is self.head.result else None

    def _in_place(self) -> dict[Value, tuple[Value, ...]]:
        """Results that may take an input's memory: not where tiles overlap, nor that of the product's factors."""
        if self.is_plain or self.overlaps or self.sizes.columns % self.lanes:
            return {}
        found = {}
        for value in self.outputs:
            kind = value.tensor_type
            found[value] = tuple(
                i for i, indices in self.elements.reads.items()
                if same_shape(i.tensor_type.shape, kind.shape) and i.dtype is kind.dtype
                and i not in (self.sizes.x, self.sizes.y) and indices == {self.stored_at}
            )  # fmt: skip
        return found

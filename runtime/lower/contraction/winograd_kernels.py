"""Convolutions of transformed tiles: a block of tiles into scratch, sixteen products of matrices, and back to pixels.

All sizes are numbers that the kernel gets at a call, so that the convolutions of a network share a text. Pieces of work
are blocks of tiles (rows of tiles of an image, or several images) and ranges of filters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Generic, TypeVar

from ....base.target import Target, current_target
from ....ir.core import Operation
from ....ops.conv_winograd import NUMBERS, PANEL, panels
from ....ops.dims import DimLike, product
from ....ops.kernel_expressions import ZERO, Expr, Name, all_of, any_of, equal, smaller
from ....ops.types import TensorType
from ...kernel.kernel_call import Kernel
from ..nest import Memory, Nest, pieces_of
from ..registry import ContractionGroup, generates, generates_contraction
from .epilogue import Epilogue, image_index

OPEN_ROWS = 4  # rows of tiles at a time, where only a call knows the size of the image
WIDEST = 3  # vectors of a tile of a product: what is left over is two of two, or one


@generates("conv.winograd_filters")
def winograd_filters(operation: Operation) -> Kernel:
    """[out, in, 3, 3] -> [16, panels, in, PANEL]."""
    nest = Nest(operation)
    (weight,) = operation.operands
    rotated = bool(operation.attrs["transposed"])
    first, second = (int(n) for n in weight.tensor_type.shape[:2])
    made, given = (second, first) if rotated else (first, second)
    lane, channel = (9, 9 * second) if rotated else (9 * second, 9)
    count, depth, lanes, steps = (nest.parameters.open(n) for n in (made, given, lane, channel))
    source, out = nest.parameters.pointer(weight), nest.parameters.pointer(nest.result, "out")
    with nest.range() as r:
        nest.do(
            f"filters_in_{nest.result.dtype.short}", int(rotated), depth, smaller(PANEL, count - r * PANEL), source,
            r * PANEL * lanes, lanes, steps, out, r * depth * PANEL, _panels(count) * depth * PANEL,
        )  # fmt: skip
    return nest.finish(panels(made), made * given * 64)


def _panels(count: Expr) -> Expr:
    """How many panels so many filters take."""
    return (count + (PANEL - 1)) // PANEL


@dataclass(frozen=True)
class Blocks:
    """How the tiles of images go by in blocks: so many rows of tiles of one image, or all rows of so many images, and
    `parts` ranges of filters, for each of which a thread transforms the block, if another one had the range before.
    """

    rows: int
    images: int
    parts: int

    @staticmethod
    def of(tall: int, wide: int, size: int, filters: int, batch: int | None, lanes: int, target: Target) -> Blocks:
        """For images of tall x wide tiles of `size` bytes, with what becomes of them, and so many bytes of filters.

        batch: None if only a call knows.

        >>> from vitrify.base.target import TARGETS
        >>> avx512 = TARGETS["avx512"]
        >>> Blocks.of(28, 28, 8192, 262144, 1, 16, avx512), Blocks.of(4, 4, 65536, 262144, 1, 16, avx512)
        (Blocks(rows=7, images=1, parts=1), Blocks(rows=4, images=1, parts=4))
        >>> Blocks.of(4, 4, 8192, 262144, 32, 16, avx512), Blocks.of(4, 4, 65536, 16777216, 32, 16, avx512)
        (Blocks(rows=4, images=2, parts=1), Blocks(rows=4, images=4, parts=1))
        >>> Blocks.of(3, 3, 32768, 4194304, 4, 16, avx512)
        Blocks(rows=3, images=4, parts=2)
        """
        tiles, threads = tall * wide, target.threads.ranges
        most, large = target.winograd_bytes
        least = (4 if filters > large else 2) * lanes  # for large filters more, as each block reads them anew
        if batch is None or batch >= threads:
            if tiles <= least:
                images = min(-(-least // tiles), batch or least)
                return Blocks(tall, images, 2 if batch is not None and images >= batch else 1)
            return Blocks(-(-tall // min(1 + tiles * size // most, tiles // least)), 1, 1)
        if batch * tiles <= 2 * lanes:
            return Blocks(tall, max(batch, 1), threads)
        even = 2 if batch == 1 else 1  # two threads have as much to do
        count = next(k for k in range(even, tiles * size + even, even) if tiles * size <= k * large)
        return Blocks(-(-tall // count), 1, 1)


@generates_contraction("conv2d_winograd", "conv.conv2d_winograd")
def conv2d_winograd(group: ContractionGroup) -> Kernel:
    """Images [n, c, h, w] with transformed filters."""
    return _Winograd(group).kernel()


_N = TypeVar("_N")


@dataclass(frozen=True)
class _Numbers(Generic[_N]):
    """The sizes that a kernel gets at a call, in this order: as the call gives them, or as the kernel's locals."""

    batch: _N
    channels: _N
    height: _N
    width: _N
    count: _N  # of filters
    high: _N  # size of the result
    wide: _N
    top: _N  # padding
    left: _N
    block: _N  # see Blocks: rows, images, parts
    together: _N
    parts: _N
    tiles: _N  # from one channel to the next
    across: _N  # tiles of an image
    down: _N
    each: _N  # panels of a range of filters
    extent: _N
    pieces: _N

    def named(self, name: Callable[[str, _N], Name]) -> _Numbers[Name]:
        """The same with names, each made from its field's name and number."""
        return _Numbers(**{field.name: name(field.name, getattr(self, field.name)) for field in fields(self)})


def _numbers_of(operation: Operation, blocks: Blocks, tiling: tuple[DimLike, DimLike], lanes: int) -> _Numbers[DimLike]:
    """tiling: tiles down and across an image."""
    (down, across), filters = tiling, int(operation.attrs["count"])
    batch, channels, height, width = operation.operands[0].tensor_type.shape
    high, wide = operation.result.tensor_type.shape[2:]
    vectors = (blocks.rows * across * blocks.images + (lanes - 1)) // lanes
    tiles = (vectors // 2 * 2 + 1) * lanes  # an odd number of vectors, lest channels meet in few cache lines
    row_blocks = (down + (blocks.rows - 1)) // blocks.rows
    extent = (batch + (blocks.images - 1)) // blocks.images * row_blocks * blocks.parts
    (top, _), (left, _) = operation.attrs["padding"]
    return _Numbers(
        batch, channels, height, width, filters, high, wide, top, left, blocks.rows, blocks.images, blocks.parts,
        tiles, across, down, -(-panels(filters) // blocks.parts), extent, pieces_of(extent),
    )  # fmt: skip


@dataclass(frozen=True)
class _Matrices:
    """The sixteen matrices of a piece in scratch, one `step` after the other, with rows of `tiles` elements."""

    at: Memory
    step: Name

    def matrix(self, number: Expr) -> Memory:
        """Where one of them starts."""
        return self.at.plus(number * self.step)


@dataclass(frozen=True)
class _Block:
    """A unit of the kernel's range: `rows` rows of tiles from y0 on, of `images` images from n0 on, `tiles` of each."""

    y0: Name
    n0: Name
    images: Name
    rows: Name
    tiles: Name


class _Winograd(Nest):
    """The kernel: a block of tiles is transformed, multiplied, and transformed back."""

    def __init__(self, group: ContractionGroup) -> None:
        super().__init__(group.head, group.name, leaves_open=True)
        operation = group.head
        self.short, self.item = operation.result.dtype.short, operation.result.dtype.itemsize
        self.target = current_target()
        self.lanes = self.target.lanes(self.item)
        high, wide = operation.result.tensor_type.shape[2:]
        tiling = (high + 1) // 2, (wide + 1) // 2
        self.sizes = _numbers_of(operation, self._choose_blocks(*tiling), tiling, self.lanes)
        self.source, self.filters = (self.parameters.pointer(v) for v in operation.operands[:2])
        self.epilogue = Epilogue(group, self.parameters, self)
        self.is_plain = self.epilogue.is_empty

    def _choose_blocks(self, tall: DimLike, wide: DimLike) -> Blocks:
        batch, channels, _, _ = self.operation.operands[0].tensor_type.shape
        if not isinstance(tall, int) or not isinstance(wide, int) or not isinstance(channels, int):
            return Blocks(OPEN_ROWS, 1, 1)
        count = int(self.operation.attrs["count"])
        size = NUMBERS * self.item * (channels + count)
        filters = NUMBERS * self.item * channels * count
        known = batch if isinstance(batch, int) else None
        found = Blocks.of(tall, wide, size, filters, known, self.lanes, self.target)
        return replace(found, parts=min(found.parts, panels(count)))

    def kernel(self) -> Kernel:
        """The finished kernel."""
        sizes = self.sizes
        pointers = self._scratch(sizes.channels), self._scratch(sizes.each * PANEL)
        if not self.is_plain:
            self.pixels = self.parameters.scratch(TensorType(self.result.dtype, (sizes.pieces * self._pixels_held(),)))
        at = self.at = sizes.named(lambda name, size: self.let(name, self.parameters.open(size)))
        self.remark("Tiles of 2 x 2 pixels by 16 products of transformed numbers.")
        self.panels = self.let("panels", _panels(at.count))
        # From one of the sixteen matrices to the next it is a vector more, lest all of them meet in few cache lines.
        steps = (
            self.let("step", at.channels * at.tiles + self.lanes),
            self.let("line", PANEL * at.each * at.tiles + self.lanes),
        )
        numbers, sums = (
            _Matrices(Memory(pointer, self.let(name, Name("lo") * at.pieces // at.extent * NUMBERS * step)), step)
            for name, pointer, step in zip(("images_at", "sums_at"), pointers, steps, strict=True)
        )
        row_blocks = self.let("row_blocks", (at.down + at.block - 1) // at.block)
        with self.range() as r:
            part = self.let("part", r % at.parts)
            block = self._block(r, row_blocks)
            with self.when(any_of(equal(part, 0), equal(r, "lo"))):  # the pieces of a block share its tiles
                self._tiles_in(block, numbers)
            first = self.let("first", part * at.each)
            own_panels = first, self.let("last", smaller(self.panels, first + at.each))
            self._products(block, own_panels, numbers, sums)
            self._tiles_out(block, own_panels, sums)
        kernel = self.finish(sizes.extent, self._work())
        in_place = {} if self.is_plain else self.epilogue.in_place(self.operation.operands)
        return replace(kernel, parts=pieces_of(sizes.extent), in_place=in_place)

    def _scratch(self, rows: DimLike) -> Expr:
        """Sixteen matrices of so many rows for each piece."""
        size = self.sizes.pieces * (NUMBERS * (rows * self.sizes.tiles + self.lanes))
        return self.parameters.scratch(TensorType(self.result.dtype, (size,)))

    def _pixels_held(self) -> DimLike:
        """Pixels of a channel of a block, for the epilogue."""
        return 2 * self.sizes.block * self.sizes.wide

    def _work(self) -> DimLike:
        sizes = self.sizes
        products = sizes.batch * (NUMBERS * sizes.down * sizes.across * sizes.channels * sizes.count)
        return products + product(self.result.tensor_type.shape) * self.epilogue.weight

    def _block(self, r: Name, row_blocks: Name) -> _Block:
        at = self.at
        y0 = self.let("y0", r // at.parts % row_blocks * at.block)
        n0 = self.let("n0", r // at.parts // row_blocks * at.together)
        images = self.let("images", smaller(at.together, at.batch - n0))
        rows = self.let("rows", smaller(at.block, at.down - y0))
        return _Block(y0, n0, images, rows, self.let("own", rows * at.across))

    def _tiles_in(self, block: _Block, numbers: _Matrices) -> None:
        """The block's tiles, transformed."""
        at = self.at
        with self.loop("n", 0, block.images) as n, self.loop("c", 0, at.channels) as c:
            with self.loop("q", 0, at.across, self.lanes) as q:
                target = numbers.at.plus(c * at.tiles).plus(n * block.tiles).plus(q)
                self.do(
                    f"tiles_in_{self.short}", block.rows, at.height, at.width, self.source,
                    ((block.n0 + n) * at.channels + c) * at.height * at.width, 2 * block.y0 - at.top, 2 * q - at.left,
                    at.across - q, *target, at.across, numbers.step,
                )  # fmt: skip

    def _products(self, block: _Block, own: tuple[Name, Name], numbers: _Matrices, sums: _Matrices) -> None:
        """Tiles of three vectors, the rest as two of two or one of two; one vector only where there is no more."""
        vectors = self.let("vectors", (block.images * block.tiles + (self.lanes - 1)) // self.lanes)
        rest = self.let("rest", vectors % WIDEST)
        threes = self.let("threes", vectors // WIDEST - all_of(equal(rest, 1), vectors > 1))
        with self.loop("f", 0, NUMBERS) as f:
            for size, start, stop in (
                (WIDEST, ZERO, WIDEST * threes),
                (2, WIDEST * threes, vectors - 1),
                (1, vectors - equal(vectors, 1), vectors),
            ):
                with self.loop("q", start, stop, size) as q, self.loop("p", *own) as p:
                    self._product(f, p, p - own[0], size, q * self.lanes, numbers, sums)

    def _product(
        self, f: Name, panel: Name, own_panel: Expr, size: int, tile: Expr, numbers: _Matrices, sums: _Matrices
    ) -> None:
        """Number f of a panel's filters with those of `size` vectors of tiles, added up over all channels."""
        at, depth, rows = self.at, self.at.channels, self.target.winograd_rows
        images = (*numbers.matrix(f).plus(tile), at.tiles)
        for row in range(0, PANEL, rows):
            first = (f * self.panels + panel) * depth * PANEL
            place = own_panel * PANEL * at.tiles
            if row:
                first, place = first + row, place + row * at.tiles
            target = (*sums.matrix(f).plus(place).plus(tile), at.tiles)
            filters = self.filters, first, PANEL, 1
            self.do(f"strided_{self.short}", rows, size, self.lanes, 0, depth, *filters, *images, *target)

    def _tiles_out(self, block: _Block, own: tuple[Name, Name], sums: _Matrices) -> None:
        """The pixels of the block's tiles, to the result, or one channel after the other for the epilogue."""
        at, (first, last) = self.at, own
        if self.is_plain:
            out = self.parameters.pointer(self.result, "out")
        else:
            held = 2 * at.block * at.wide
            target = Memory(self.pixels, self.let("pixels_at", Name("lo") * at.pieces // at.extent * held))
            high = self.let("rows_out", smaller(2 * block.rows, at.high - 2 * block.y0))
        with (
            self.loop("n", 0, block.images) as n,
            self.loop("o", first * PANEL, smaller(at.count, last * PANEL)) as o,
        ):
            with self.loop("q", 0, at.across, self.lanes) as q:
                source = sums.at.plus((o - first * PANEL) * at.tiles).plus(n * block.tiles).plus(q)
                given = (block.rows, at.high, at.wide) if self.is_plain else (block.rows, high, at.wide)
                image = Memory(out, ((block.n0 + n) * at.count + o) * at.high * at.wide) if self.is_plain else target
                top = 2 * block.y0 if self.is_plain else ZERO
                self.do(f"tiles_out_{self.short}", *given, *source, at.across, sums.step, *image, top, 2 * q)
            if not self.is_plain:
                self._finish(block.n0 + n, o, (2 * block.y0 * at.wide, high * at.wide), target)

    def _finish(self, image: Expr, channel: Name, pixels: tuple[Expr, Expr], source: Memory) -> None:
        """The epilogue of a channel's pixels, from the first of them on, so many."""
        with self.epilogue.loop("j", 0, pixels[1]) as j:
            pixel = self.let("pixel", pixels[0] + j)
            index = image_index(self.operation, self.let("image", image), channel, pixel)
            self.epilogue.store(source[j], index)

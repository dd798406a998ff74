"""Convolutions of transformed tiles: a block of tiles into scratch, sixteen products of matrices, and back to pixels.

All sizes are numbers that the kernel gets at a call, so that the convolutions of a network share a text. Pieces of work
are blocks of tiles (rows of tiles of an image, or several images) and ranges of filters.
"""

from __future__ import annotations

from dataclasses import dataclass

from ....ir.core import Operation
from ....ops.conv_winograd import NUMBERS, PANEL, panels
from ....ops.dims import DimLike
from ....ops.types import TensorType
from ...codegen.target import vector_bytes
from ..kernel import Kernel
from ..nest import Nest
from ..registry import generates
from .conv_sizes import PARTS, RELU, RESIDUAL, SCALE, SHIFT

BLOCK_BYTES = 768 * 1024  # what of the second-level cache the transformed tiles and their products may take
LARGE_BYTES = 2 * 1024 * 1024  # what they may take where blocks are few and large, and fewer ones are faster
OPEN_ROWS = 4  # rows of tiles at a time, where only a call knows the size of the image
FEW = 4  # images, or ranges of filters, for as many threads
WIDEST = 3  # vectors of a tile of a product; its PANEL rows of sums stay in registers


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
    valid = f"min({PANEL}, {count} - r * {PANEL})"
    source, out = nest.parameters.pointer(weight), nest.parameters.pointer(nest.result, "out")
    with nest.block("for r in range(lo, hi)"):
        nest.line(
            f"filters_in_{nest.result.dtype.short}({int(rotated)}, {depth}, {valid}, {source},"
            f" r * {PANEL} * {lanes}, {lanes}, {steps}, {out}, r * {depth} * {PANEL},"
            f" (({count} + {PANEL - 1}) // {PANEL}) * {depth} * {PANEL})"
        )
    return nest.finish(panels(made), made * given * 64)


@dataclass(frozen=True)
class Blocks:
    """How the tiles of images go by in blocks: so many rows of tiles of one image, or all rows of so many images, and
    `parts` ranges of filters, for each of which a thread transforms the block, if another one had the range before.
    """

    rows: int
    images: int
    parts: int

    @staticmethod
    def of(tall: int, wide: int, size: int, filters: int, batch: int | None, lanes: int) -> Blocks:
        """For images of tall x wide tiles of `size` bytes, with what becomes of them, and so many bytes of filters.

        batch: None if only a call knows.

        >>> Blocks.of(28, 28, 8192, 262144, 1, 16), Blocks.of(4, 4, 65536, 262144, 1, 16)
        (Blocks(rows=7, images=1, parts=1), Blocks(rows=4, images=1, parts=4))
        >>> Blocks.of(4, 4, 8192, 262144, 32, 16), Blocks.of(4, 4, 65536, 16777216, 32, 16)
        (Blocks(rows=4, images=2, parts=1), Blocks(rows=4, images=4, parts=1))
        """
        tiles = tall * wide
        least = (4 if filters > LARGE_BYTES else 2) * lanes  # for large filters more, as each block reads them anew
        if batch is None or batch >= FEW:
            if tiles <= least:
                return Blocks(tall, min(-(-least // tiles), batch or least), 1)
            return Blocks(-(-tall // min(1 + tiles * size // BLOCK_BYTES, tiles // least)), 1, 1)
        if batch * tiles <= 2 * lanes:
            return Blocks(tall, max(batch, 1), FEW)
        even = 2 if batch == 1 else 1  # two threads have as much to do
        count = next(k for k in range(even, tiles * size + even, even) if tiles * size <= k * LARGE_BYTES)
        return Blocks(-(-tall // count), 1, 1)


@generates("conv.conv2d_winograd")
def conv2d_winograd(operation: Operation) -> Kernel:
    """Images [n, c, h, w] with transformed filters; what follows is done before the pixels are stored."""
    return _Winograd(operation).kernel()


class _Winograd(Nest):
    def __init__(self, operation: Operation) -> None:
        super().__init__(operation)
        image, result = operation.operands[0].tensor_type, operation.result.tensor_type
        self.batch, self.channels, self.height, self.width = image.shape
        self.filters = int(operation.attrs["count"])
        self.out_height, self.out_width = result.shape[2:]
        self.short, self.item = result.dtype.short, result.dtype.itemsize
        self.lanes = vector_bytes() // self.item
        self.tall, self.wide = (self.out_height + 1) // 2, (self.out_width + 1) // 2
        self.blocks = self._choose_blocks()

    def _choose_blocks(self) -> Blocks:
        if not isinstance(self.tall, int) or not isinstance(self.wide, int) or not isinstance(self.channels, int):
            return Blocks(OPEN_ROWS, 1, 1)
        batch = self.batch if isinstance(self.batch, int) else None
        size = NUMBERS * self.item * (self.channels + self.filters)
        filters = NUMBERS * self.item * self.channels * self.filters
        return Blocks.of(self.tall, self.wide, size, filters, batch, self.lanes)

    def kernel(self) -> Kernel:
        """The finished kernel."""
        blocks, lanes = self.blocks, self.lanes
        source, filters, *finish = (self.parameters.pointer(v) for v in self.operation.operands)
        self.finish_operands = (*finish, *[filters] * (3 - len(finish)))
        self.finish_bits = (SCALE | SHIFT if finish else 0) | (RESIDUAL if len(finish) == 3 else 0)
        self.finish_bits |= RELU if self.operation.attrs["relu"] else 0
        out = self.parameters.pointer(self.result, "out")
        vectors = (blocks.rows * self.wide * blocks.images + (lanes - 1)) // lanes
        tiles = (
            vectors // 2 * 2 + 1
        ) * lanes  # from one channel to the next; odd, lest channels meet in few cache lines
        own_panels = -(-panels(self.filters) // blocks.parts)
        numbers = NUMBERS * (self.channels * tiles + lanes)
        sums = NUMBERS * (own_panels * PANEL * tiles + lanes)
        kind = self.result.dtype
        row_blocks = (self.tall + (blocks.rows - 1)) // blocks.rows
        extent = (self.batch + (blocks.images - 1)) // blocks.images * row_blocks * blocks.parts
        pieces = max(1, min(PARTS, extent)) if isinstance(extent, int) else PARTS
        numbers_at = self.parameters.scratch(TensorType(kind, (pieces * numbers,)))
        sums_at = self.parameters.scratch(TensorType(kind, (pieces * sums,)))
        (top, _), (left, _) = self.operation.attrs["padding"]
        for name, value in (
            ("batch", self.batch), ("channels", self.channels), ("height", self.height), ("width", self.width),
            ("count", self.filters), ("high", self.out_height), ("wide", self.out_width), ("top", top), ("left", left),
            ("block", blocks.rows), ("together", blocks.images), ("parts", blocks.parts), ("tiles", tiles),
            ("across", self.wide), ("down", self.tall), ("each", own_panels), ("extent", extent), ("pieces", pieces),
        ):  # fmt: skip
            self.line(f"{name} = {self.parameters.open(value)}")
        self.line("# Tiles of 2 x 2 pixels by 16 products of transformed numbers.")
        self.line(f"panels = (count + {PANEL - 1}) // {PANEL}")
        # From one of the sixteen matrices to the next it is a vector more, lest all of them meet in few cache lines.
        self.line(f"step = channels * tiles + {lanes}")
        self.line(f"line = {PANEL} * each * tiles + {lanes}")
        self.line(f"images_at = (lo * pieces // extent) * {NUMBERS} * step")
        self.line(f"sums_at = (lo * pieces // extent) * {NUMBERS} * line")
        self.line("row_blocks = (down + block - 1) // block")
        with self.block("for r in range(lo, hi)"):
            self.line("part = r % parts")
            self.line("y0 = r // parts % row_blocks * block")
            self.line("n0 = r // parts // row_blocks * together")
            self.line("images = min(together, batch - n0)")
            self.line("rows = min(block, down - y0)")
            self.line("own = rows * across")
            with self.block("if part == 0 or r == lo"):  # the pieces of a block follow each other and share its tiles
                self._tiles_in(source, numbers_at)
            self.line("first = part * each")
            self.line("last = min(panels, first + each)")
            self.line(f"vectors = (images * own + {lanes - 1}) // {lanes}")
            self._products(filters, numbers_at, sums_at)
            self._tiles_out(sums_at, out)
        kernel = self.finish(extent, self._work())
        kernel.parts = pieces
        if self.finish_bits & RESIDUAL and len(set(self.operation.operands)) == 5:
            kernel.in_place = {self.result: (self.operation.operands[4],)}
        return kernel

    def _work(self) -> DimLike:
        return self.batch * (NUMBERS * self.tall * self.wide * self.channels * self.filters)

    def _tiles_in(self, source: str, numbers: str) -> None:
        with self.block("for n in range(images)"), self.block("for c in range(channels)"):
            with self.block(f"for q in range(0, across, {self.lanes})"):
                self.line(
                    f"tiles_in_{self.short}(rows, height, width, {source}, ((n0 + n) * channels + c) * height * width,"
                    f" 2 * y0 - top, 2 * q - left, across - q, {numbers}, images_at + c * tiles + n * own + q, across,"
                    f" step)"
                )

    def _products(self, filters: str, numbers: str, sums: str) -> None:
        """Tiles of WIDEST vectors, the rest as two of two or one of two; one vector only where there is no more."""
        self.line("rest = vectors % 3")
        self.line("threes = vectors // 3 - (rest == 1 and vectors > 1)")
        with self.block(f"for f in range({NUMBERS})"):
            for size, start, stop in (
                (3, "0", "3 * threes"), (2, "3 * threes", "vectors - 1"), (1, "vectors - (vectors == 1)", "vectors"),
            ):  # fmt: skip
                with self.block(f"for q in range({start}, {stop}, {size})"):
                    with self.block("for p in range(first, last)"):
                        self.line(
                            f"strided_{self.short}({PANEL}, {size}, {self.lanes}, 0, channels, {filters},"
                            f" (f * panels + p) * channels * {PANEL}, {PANEL}, 1, {numbers},"
                            f" images_at + f * step + q * {self.lanes}, tiles, {sums},"
                            f" sums_at + f * line + (p - first) * {PANEL} * tiles + q * {self.lanes}, tiles)"
                        )

    def _tiles_out(self, sums: str, out: str) -> None:
        scale, shift, other = self.finish_operands
        with self.block("for n in range(images)"):
            with self.block(f"for o in range(first * {PANEL}, min(count, last * {PANEL}))"):
                with self.block(f"for q in range(0, across, {self.lanes})"):
                    self.line(
                        f"tiles_out_{self.short}({self.finish_bits}, rows, high, wide, {sums},"
                        f" sums_at + (o - first * {PANEL}) * tiles + n * own + q, across, line, {out},"
                        f" ((n0 + n) * count + o) * high * wide, 2 * y0, 2 * q, {scale}, {shift}, {other}, o)"
                    )

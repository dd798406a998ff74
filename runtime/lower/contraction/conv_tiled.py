"""Convolutions as products of matrices that are never made: tiles of vectors over panels of shifted image rows.

Forward and the gradient of the images are sums of filter elements times vectors of pixels (`outer_*` of tiles.py);
the gradient of the filters is in conv_filters.py. The filters are read where they lie, in any order of taps:
with strides, the gradient of the images is one convolution for each phase of the stride. Images whose height or width
is known only at a call take the direct loops of conv_direct.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ....base import dtype as dt
from ....ir.core import Operation
from ....ops.dims import DimLike
from ....ops.types import TensorType
from ...codegen.target import vector_bytes, vector_registers
from ..kernel import Kernel
from ..nest import Nest
from ..registry import generates
from . import conv_direct
from .conv_sizes import PANEL_BYTES, PARTS, RELU, RESIDUAL, SCALE, SHIFT, Sizes, sizes_of
from .panel import Tap, Windows, table_lines
from .tiling import Tiling, outer_tiling

FILTER_BYTES = 256 * 1024  # filters of this size stay in the cache while the pixels go by
SPLIT_WORK = 2_000_000
MOST_SPLIT = 4  # ranges of channels, where there are fewer blocks of rows
PHASE_WORDS = 4  # start in the table, depth, row and column of the phase


# -- forward, and the gradient of the images ------------------------------------------------------------------------


@generates("conv.conv2d_affine")
@generates("conv.conv2d")
def conv2d(operation: Operation) -> Kernel:
    """Images [n, c, h, w] with filters; what follows is done before the sums are stored."""
    x, weight = operation.operands[:2]
    sizes = sizes_of(operation, x.tensor_type, operation.result.tensor_type, weight.tensor_type.shape[2:])
    if sizes is None:
        return conv_direct.conv2d(operation)
    return _forward(operation, sizes).kernel()


def _forward(operation: Operation, sizes: Sizes) -> _Outer:
    phases = [sizes.forward_taps()]
    windows = Windows(*sizes.image, *sizes.result, sizes.stride, phases[0])
    filters = _Filters(sizes.taps, sizes.channels * sizes.taps, sizes.filters * sizes.channels * sizes.taps)
    return _Outer(operation, sizes, windows, phases, filters, sizes.channels, sizes.filters, (1, 1))


@generates("conv.conv2d_input_grad")
def conv2d_input_grad(operation: Operation) -> Kernel:
    """Gradients [n, o, oh, ow] back through the filters."""
    g, weight = operation.operands
    sizes = sizes_of(operation, operation.result.tensor_type, g.tensor_type, weight.tensor_type.shape[2:])
    if sizes is None:
        return conv_direct.conv2d_input_grad(operation)
    phases, (sh, sw), (h, w) = sizes.phases(), sizes.stride, sizes.image
    taps = tuple(dict.fromkeys(tap for phase in phases for tap in phase))
    windows = Windows(*sizes.result, -(-h // sh), -(-w // sw), (1, 1), taps)
    filters = _Filters(sizes.channels * sizes.taps, sizes.taps, sizes.filters * sizes.channels * sizes.taps)
    return _Outer(operation, sizes, windows, phases, filters, sizes.filters, sizes.channels, sizes.stride).kernel()


@dataclass(frozen=True)
class _Filters:
    """How far apart filter elements are: from one source channel, result channel, group to the next."""

    channel: int
    row: int
    group: int


class _Outer(Nest):
    """The kernel of a convolution as sums over (channel, tap) of numbers times vectors of pixels."""

    def __init__(
        self, operation: Operation, sizes: Sizes, windows: Windows, phases: list[tuple[Tap, ...]], filters: _Filters,
        channels: int, rows: int, spread: tuple[int, int],
    ) -> None:  # fmt: skip
        super().__init__(operation)
        self.sizes, self.windows, self.phases, self.filters = sizes, windows, phases, filters
        self.channels, self.out_channels, self.spread = channels, rows, spread
        self.short = operation.result.dtype.short
        self.item = operation.result.dtype.itemsize
        self.lanes = vector_bytes() // self.item
        self.depth = channels * max(len(phase) for phase in phases)
        self.span_rows = self._choose_block()
        self.pixels = self.span_rows * windows.columns
        self.tiling = self._tiling(self.span_rows)
        self.row_blocks = -(-windows.rows // self.span_rows)
        self.row_split = self._choose_row_split()
        self.rest = self._rest(self.span_rows)

    # -- choices -----------------------------------------------------------------------------------

    def _rest(self, block: int) -> int:
        """Pixels that are summed one by one: fewer than would pay for a vector of their own, where sums are long.

        0 where blocks overlap: the next block has the same pixels in vectors, which round otherwise, and whichever
        thread came last would decide.
        """
        if self.windows.rows % block:
            return 0
        pixels = block * self.windows.columns
        is_forward = self.filters.channel == self.sizes.taps  # then a filter's elements lie in the order of the taps
        rest = pixels % self.lanes
        pays = 4 * rest <= self.lanes < pixels and self.depth >= 16 * self.lanes
        return rest if pays and is_forward and len(self.phases) == 1 else 0

    def _tiling(self, block: int) -> Tiling:
        pixels = block * self.windows.columns
        vectors = pixels // self.lanes if self._rest(block) else -(-pixels // self.lanes)
        return outer_tiling(self.out_channels, vectors, self.depth, vector_registers())

    def _choose_block(self) -> int:
        """How many rows of windows share a panel: the cheapest number whose panel fits."""
        windows = self.windows
        counts = {-(-windows.rows // parts) for parts in (1, 2, 3, 4, 6, 7, 8, 12, 14, 16, 28, 32, 56, windows.rows)}

        def fits(block: int) -> bool:
            return windows.is_direct or self.channels * windows.channel_size(block) * self.item <= PANEL_BYTES

        def cost(block: int) -> float:
            filling = 0 if windows.is_direct else 2 * self.channels * windows.channel_size(block) / self.lanes
            single = self._rest(block) * self.depth * (1 + self.out_channels / self.lanes)
            blocks = -(-windows.rows // block)
            uneven = blocks % 2 / blocks if self.sizes.batch == 1 and blocks > MOST_SPLIT else 0.0  # on two threads
            return float(blocks * (self._tiling(block).cost + filling + single) * (1 + uneven / 2))

        return min((b for b in counts if fits(b)), key=cost, default=1)

    def _choose_row_split(self) -> int:
        """Into how many ranges of channels the result is split, so that a single image keeps several threads busy."""
        batch = self.sizes.batch
        known = batch * self.sizes.groups * self.row_blocks if isinstance(batch, int) else PARTS
        full = self.out_channels // self.tiling.rows
        if known >= MOST_SPLIT or self.out_channels % self.tiling.rows or not isinstance(batch, int):
            return 1
        if self.sizes.work < SPLIT_WORK:
            return 1
        return next((parts for parts in (MOST_SPLIT, 2, 3) if full % parts == 0), 1)

    # -- text --------------------------------------------------------------------------------------

    def kernel(self) -> Kernel:
        """The finished kernel."""
        sizes, windows, tiling = self.sizes, self.windows, self.tiling
        source, weight, *finish = (self.parameters.pointer(v) for v in self.operation.operands)
        self.finish_operands = (*finish, *[weight] * (3 - len(finish)))
        self.finish_bits = (SCALE | SHIFT if finish else 0) | (RESIDUAL if len(finish) == 3 else 0)
        self.finish_bits |= RELU if self.operation.attrs.get("relu") else 0
        self.out_pointer = self.parameters.pointer(self.result, "out")
        self.weight = weight
        extent = sizes.batch * (sizes.groups * self.row_blocks * self.row_split)
        layout = "the image as it is" if windows.is_direct else f"{len(windows.shifts)} shifted copies of its rows"
        self.line(f"# Tiles of {tiling.rows} channels x {tiling.columns * self.lanes} pixels over {layout}.")
        self._begin(extent)
        with self.rows([sizes.batch, sizes.groups, self.row_blocks, self.row_split]) as (n, g, block, part):
            self.line(f"y0 = min({block} * {self.span_rows}, {windows.rows - self.span_rows})")
            start = f"({n} * {sizes.groups} + {g}) * {self.channels * windows.height * windows.width}"
            if windows.is_direct:
                self.panel, self.panel_at = source, f"{start} + y0 * {windows.width}"
            else:
                self._fill_panel(source, start, part)
            self.line(f"b_at = {self.panel_at}")
            with self._each_phase():
                self._tiles(f"({n} * {sizes.groups} + {g}) * {self.out_channels}", g, part)
        kernel = self.finish(extent, sizes.work)
        kernel.parts = PARTS
        if (
            self.finish_bits & RESIDUAL
            and windows.rows % self.span_rows == 0
            and len(set(self.operation.operands)) == 5
        ):
            kernel.in_place = {self.result: (self.operation.operands[4],)}  # no element is computed twice
        return kernel

    def _begin(self, extent: DimLike) -> None:
        """The table of taps, and this piece's panel."""
        windows = self.windows
        words = PHASE_WORDS * len(self.phases) + 2 * self.channels * sum(map(len, self.phases))
        self.rest_table, words = words, words + 2 * self.rest
        self.table = self.parameters.scratch(TensorType(dt.int64, (words,)))
        offsets = [[(tap[2], windows.offset(tap, self.span_rows)) for tap in phase] for phase in self.phases]
        starts = table_lines(
            self, self.table, PHASE_WORDS * len(self.phases), offsets, self.channels, self.filters.channel,
            windows.channel_size(self.span_rows),
        )  # fmt: skip
        for k, (start, phase) in enumerate(zip(starts, self.phases, strict=True)):
            words_of_phase = (start, self.channels * len(phase), *divmod(k, self.spread[1]))
            for word, value in enumerate(words_of_phase):
                self.line(f"{self.table}[{k * PHASE_WORDS + word}] = {value}")
        kind = self.result.dtype
        if self.rest:
            size = self.rest * self.depth
            self.single = self.parameters.scratch(TensorType(kind, (PARTS * size,)))
            self.line(f"single_at = (lo * {PARTS} // {self._wrapped(extent)}) * {size}")
            with self.block(f"for j in range({self.rest})"):
                self.line(f"{self.table}[{self.rest_table} + 2 * j + 1] = j * {self.depth}")
        if not windows.is_direct:
            size = self.channels * windows.channel_size(self.span_rows)
            self.panel = self.parameters.scratch(TensorType(kind, (PARTS * size,)))
            self.line(f"panel_at = (lo * {PARTS} // {self._wrapped(extent)}) * {size}")
            self.panel_at = "panel_at"
        if len(self.phases) > 1:
            size = self.out_channels * self.pixels
            self.spare = self.parameters.scratch(TensorType(kind, (PARTS * size,)))
            self.line(f"spare_at = (lo * {PARTS} // {self._wrapped(extent)}) * {size}")

    def _wrapped(self, size: DimLike) -> str:
        return f"({self.dim(size)})"

    def _fill_panel(self, source: str, start: str, part: str) -> None:
        if self.row_split > 1:  # the pieces of a block follow each other and share its panel
            with self.block(f"if {part} == 0 or r == lo"):
                self.windows.fill(self, self.panel, self.panel_at, source, start, str(self.channels), self.span_rows)
        else:
            self.windows.fill(self, self.panel, self.panel_at, source, start, str(self.channels), self.span_rows)

    @contextmanager
    def _each_phase(self) -> Iterator[None]:
        if len(self.phases) == 1:
            self.line(f"start = {PHASE_WORDS}")
            self.line(f"depth = {self.channels * len(self.phases[0])}")
            yield
            return
        with self.block(f"for phase in range({len(self.phases)})"):
            for word, name in enumerate(("start", "depth", "py", "px")):
                self.line(f"{name} = {self.table}[phase * {PHASE_WORDS} + {word}]")
            yield

    def _tiles(self, first_row: str, group: str, part: str) -> None:
        """All tiles of a block of rows."""
        windows, sizes = self.windows, self.sizes
        plane = self._plane()
        if len(self.phases) == 1:
            self.target, self.target_row = self.out_pointer, plane
            self.line(f"out_at = ({first_row}) * {plane} + y0 * {windows.columns}")
        else:
            self.target, self.target_row = self.spare, self.pixels
            self.line("out_at = spare_at")
        self.line(f"a_at = {group} * {self.filters.group}")
        self.line(f"row_at = {group} * {self.out_channels}")
        span = self.out_channels // self.row_split
        self.line(f"first = {part} * {span}" if self.row_split > 1 else "first = 0")
        if self.rest:
            with self.block(f"for k in range({self.depth})"), self.block(f"for j in range({self.rest})"):
                self.line(
                    f"{self.single}[single_at + j * {self.depth} + k] ="
                    f" {self.panel}[b_at + {self.pixels - self.rest} + j + {self.table}[start + 2 * k + 1]]"
                )
        weights = self.out_channels * self.depth * self.item
        if weights <= FILTER_BYTES:
            for column, vectors, last in self._column_parts():
                with self._column_loop(column, vectors, last):
                    for row, size, count in self._row_parts(span):
                        with self._row_loop(row, size, count):
                            self._tile(size, vectors, last)
        else:
            for row, size, count in self._row_parts(span):
                with self._row_loop(row, size, count):
                    for column, vectors, last in self._column_parts():
                        with self._column_loop(column, vectors, last):
                            self._tile(size, vectors, last)
        if len(self.phases) > 1:
            self._scatter(first_row, sizes)

    def _plane(self) -> int:
        _, _, height, width = self.result.tensor_type.shape
        return int(height) * int(width)

    def _row_parts(self, span: int) -> list[tuple[int, int, int]]:
        return [(start, size, count // self.row_split) for start, size, count in self.tiling.row_parts]

    def _column_parts(self) -> list[tuple[tuple[int, int], int, int]]:
        """(first vector, tiles), vectors per tile, elements of the last vector; 0 vectors: that many single pixels."""
        rest = self.lanes if self.rest else self.pixels % self.lanes or self.lanes
        parts = []
        for start, size, count in self.tiling.column_parts:
            is_last = start + size * count == self.tiling.column_count
            if not is_last or rest == self.lanes:
                parts.append(((start, count), size, self.lanes))
                continue
            if count > 1:
                parts.append(((start, count - 1), size, self.lanes))
            parts.append(((start + size * (count - 1), 1), size, rest))
        if self.rest:
            parts.append(((self.pixels // self.lanes, 1), 0, self.rest))
        return parts

    @contextmanager
    def _column_loop(self, column: tuple[int, int], vectors: int, last: int) -> Iterator[None]:
        start, count = column
        if count == 1:
            self.line(f"q = {start * self.lanes}")
            yield
            return
        begin, step = start * self.lanes, vectors * self.lanes
        with self.block(f"for q in range({begin}, {begin + count * step}, {step})"):
            yield

    @contextmanager
    def _row_loop(self, row: int, size: int, count: int) -> Iterator[None]:
        if count == 1:
            self.line(f"o = first + {row}")
            yield
            return
        with self.block(f"for o in range(first + {row}, first + {row + count * size}, {size})"):
            yield

    def _tile(self, rows: int, vectors: int, last: int) -> None:
        scale, shift, other = self.finish_operands
        if not vectors:
            whole, odd = divmod(self.depth, self.lanes)
            self.line(
                f"inner_{self.short}({rows}, {last}, {odd}, {self.finish_bits}, 1, {whole}, {self.table},"
                f" {self.rest_table}, {self.weight}, a_at + o * {self.filters.row}, {self.filters.row}, 0,"
                f" {self.single}, single_at, 0, {self.target}, out_at + o * {self.target_row} + q, {self.target_row},"
                f" {scale}, {shift}, {other}, row_at + o)"
            )
            return
        self.line(
            f"outer_{self.short}({rows}, {vectors}, {last}, {self.finish_bits}, {self.table}, start, depth,"
            f" {self.weight}, a_at + o * {self.filters.row}, {self.filters.row}, {self.panel}, b_at + q, {self.target},"
            f" out_at + o * {self.target_row} + q, {self.target_row}, {scale}, {shift}, {other}, row_at + o)"
        )

    def _scatter(self, first_row: str, sizes: Sizes) -> None:
        """The phase's pixels from where they were computed to their places in the image."""
        (height, width), (sh, sw), columns = sizes.image, self.spread, self.windows.columns
        span = self.out_channels // self.row_split
        self.line(f"high = min({columns}, ({width} - px + {sw - 1}) // {sw})")
        with self.block(f"for o in range(first, first + {span})"):
            with self.block(f"for i in range({self.span_rows})"):
                self.line(f"h = (y0 + i) * {sh} + py")
                with self.block(f"if h < {height}"):
                    self.line(f"line = (({first_row}) + o) * {height * width} + h * {width} + px")
                    self.line(f"from_ = spare_at + o * {self.pixels} + i * {columns}")
                    with self.block("for j in range(high)"):
                        self.line(f"{self.out_pointer}[line + j * {sw}] = {self.spare}[from_ + j]")

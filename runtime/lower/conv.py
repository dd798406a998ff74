"""Convolutions as products of matrices that are never made: tiles of vectors over panels of shifted image rows.

Forward and the gradient of the images are sums of filter elements times vectors of pixels (`outer_*` of tiles.py);
the gradient of the filters is a sum over pixels (`inner_*`). The filters are read where they lie, in any order of taps:
with strides, the gradient of the images is one convolution for each phase of the stride. Images whose height or width
is known only at a call take the direct loops of conv_direct.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ...base import dtype as dt
from ...ir.core import Operation
from ...ops.dims import DimLike
from ...ops.types import TensorType
from ..target import vector_bytes, vector_registers
from . import conv_direct
from .kernel import Kernel
from .nest import Nest
from .panel import Tap, Windows, table_lines
from .registry import generates
from .tiling import Tiling, inner_tiling, outer_tiling

PARTS = 8  # pieces that work is split into at most: each has a panel of its own
PANEL_BYTES = 384 * 1024  # what of the second-level cache a panel may take
FILTER_BYTES = 256 * 1024  # filters of this size stay in the cache while the pixels go by
MAX_TAPS = 128
SHORT_SUM, LONG_SUM = 256, 1024  # elements: shorter sums cost more to finish than to add up; longer ones gain nothing
SPLIT_WORK = 2_000_000
PHASE_WORDS = 4  # start in the table, depth, row and column of the phase


@dataclass(frozen=True)
class Sizes:
    """Fixed sizes of a convolution [n, channels, …] -> [n, filters, …], both counted per group, and its attributes."""

    batch: DimLike
    groups: int
    channels: int
    filters: int
    image: tuple[int, int]
    result: tuple[int, int]
    kernel: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    top: int
    left: int

    @property
    def taps(self) -> int:
        return self.kernel[0] * self.kernel[1]

    @property
    def work(self) -> DimLike:
        """Multiplications in all."""
        pixels = self.result[0] * self.result[1]
        return self.batch * (self.groups * self.channels * self.filters * pixels * self.taps)

    def forward_taps(self) -> tuple[Tap, ...]:
        """The taps of a window over the images."""
        (kh, kw), (dh, dw) = self.kernel, self.dilation
        return tuple((y * dh - self.top, x * dw - self.left, y * kw + x) for y in range(kh) for x in range(kw))

    def phases(self) -> list[tuple[Tap, ...]]:
        """For each place of an image element within the stride: which results saw it, through which taps."""
        (kh, kw), (dh, dw), (sh, sw) = self.kernel, self.dilation, self.stride
        rows = [[(y, divmod(p + self.top - y * dh, sh)) for y in range(kh)] for p in range(sh)]
        columns = [[(x, divmod(p + self.left - x * dw, sw)) for x in range(kw)] for p in range(sw)]
        return [
            tuple((i, j, y * kw + x) for y, (i, a) in row if not a for x, (j, b) in column if not b)
            for row in rows
            for column in columns
        ]


def sizes_of(operation: Operation, image: TensorType, result: TensorType, kernel: tuple[DimLike, ...]) -> Sizes | None:
    """The sizes of one of the three convolutions; None when more than the batch is known only at a call."""
    attrs = operation.attrs
    numbers = (*image.shape[1:], *result.shape[1:], *kernel)
    if not all(isinstance(n, int) and n > 0 for n in numbers) or image.dtype.short not in ("f32", "f64"):
        return None
    c, h, w, o, oh, ow, kh, kw = (int(n) for n in numbers)  # type: ignore[arg-type]
    groups = attrs["groups"]
    (top, _), (left, _) = attrs["padding"]
    if kh * kw > MAX_TAPS:
        return None
    return Sizes(
        image.shape[0], groups, c // groups, o // groups, (h, w), (oh, ow), (kh, kw), attrs["stride"],
        attrs["dilation"], top, left,
    )  # fmt: skip


# -- forward, and the gradient of the images ------------------------------------------------------------------------


@generates("conv.conv2d")
def conv2d(operation: Operation) -> Kernel:
    """Images [n, c, h, w] with filters."""
    x, weight = operation.operands
    sizes = sizes_of(operation, x.tensor_type, operation.result.tensor_type, weight.tensor_type.shape[2:])
    if sizes is None:
        return conv_direct.conv2d(operation)
    phases = [sizes.forward_taps()]
    windows = Windows(*sizes.image, *sizes.result, sizes.stride, phases[0])
    filters = _Filters(sizes.taps, sizes.channels * sizes.taps, sizes.filters * sizes.channels * sizes.taps)
    return _Outer(operation, sizes, windows, phases, filters, sizes.channels, sizes.filters, (1, 1)).kernel()


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

    # -- choices -----------------------------------------------------------------------------------

    def _tiling(self, block: int) -> Tiling:
        vectors = -(-block * self.windows.columns // self.lanes)
        return outer_tiling(self.out_channels, vectors, self.depth, vector_registers())

    def _choose_block(self) -> int:
        """How many rows of windows share a panel: the cheapest number whose panel fits."""
        windows = self.windows
        counts = {-(-windows.rows // parts) for parts in (1, 2, 3, 4, 6, 7, 8, 12, 14, 16, 28, 32, 56, windows.rows)}

        def fits(block: int) -> bool:
            return windows.is_direct or self.channels * windows.channel_size(block) * self.item <= PANEL_BYTES

        def cost(block: int) -> float:
            filling = 0 if windows.is_direct else 2 * self.channels * windows.channel_size(block) / self.lanes
            return float(-(-windows.rows // block) * (self._tiling(block).cost + filling))

        return min((b for b in counts if fits(b)), key=cost, default=1)

    def _choose_row_split(self) -> int:
        """Into how many ranges of channels the result is split, so that a single image keeps several threads busy."""
        batch = self.sizes.batch
        known = batch * self.sizes.groups * self.row_blocks if isinstance(batch, int) else PARTS
        full = self.out_channels // self.tiling.rows
        if known >= 4 or self.out_channels % self.tiling.rows or not isinstance(batch, int):
            return 1
        if self.sizes.work < SPLIT_WORK:
            return 1
        return next((parts for parts in (4, 2, 3) if full % parts == 0), 1)

    # -- text --------------------------------------------------------------------------------------

    def kernel(self) -> Kernel:
        """The finished kernel."""
        sizes, windows, tiling = self.sizes, self.windows, self.tiling
        source, weight = (self.parameters.pointer(v) for v in self.operation.operands)
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
        return kernel

    def _begin(self, extent: DimLike) -> None:
        """The table of taps, and this piece's panel."""
        windows = self.windows
        words = PHASE_WORDS * len(self.phases) + 2 * self.channels * sum(map(len, self.phases))
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
        span = self.out_channels // self.row_split
        self.line(f"first = {part} * {span}" if self.row_split > 1 else "first = 0")
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
        return int(height) * int(width)  # type: ignore[arg-type]

    def _row_parts(self, span: int) -> list[tuple[int, int, int]]:
        return [(start, size, count // self.row_split) for start, size, count in self.tiling.row_parts]

    def _column_parts(self) -> list[tuple[tuple[int, int], int, int]]:
        """(first vector, tiles), vectors per tile, elements of the last vector: full tiles, then the last one."""
        rest = self.pixels % self.lanes or self.lanes
        parts = []
        for start, size, count in self.tiling.column_parts:
            is_last = start + size * count == self.tiling.column_count
            if not is_last or rest == self.lanes:
                parts.append(((start, count), size, self.lanes))
                continue
            if count > 1:
                parts.append(((start, count - 1), size, self.lanes))
            parts.append(((start + size * (count - 1), 1), size, rest))
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
        a, out = self.weight, self.target
        self.line(
            f"outer_{self.short}({rows}, {vectors}, {last}, 0, {self.table}, start, depth, {a},"
            f" a_at + o * {self.filters.row}, {self.filters.row}, {self.panel}, b_at + q, {out},"
            f" out_at + o * {self.target_row} + q, {self.target_row}, {a}, {a}, {a}, 0)"
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


# -- the gradient of the filters ------------------------------------------------------------------------------------


@generates("conv.conv2d_weight_grad")
def conv2d_weight_grad(operation: Operation) -> Kernel:
    """The sum over all pixels of the gradient [n, o, oh, ow] times what each filter element saw."""
    x, g = operation.operands
    weight = operation.result.tensor_type.shape
    sizes = sizes_of(operation, x.tensor_type, g.tensor_type, weight[2:])
    if sizes is None:
        return conv_direct.conv2d_weight_grad(operation)
    return _Inner(operation, sizes).kernel()


class _Inner(Nest):
    """The kernel of the filters' gradient: for some channels of a group at a time, sums over images and rows."""

    def __init__(self, operation: Operation, sizes: Sizes) -> None:
        super().__init__(operation)
        self.sizes = sizes
        self.windows = Windows(*sizes.image, *sizes.result, sizes.stride, sizes.forward_taps())
        self.short = operation.result.dtype.short
        self.item = operation.result.dtype.itemsize
        self.lanes = vector_bytes() // self.item
        self.span_rows = self._choose_block()
        self.channels = self._choose_channels()
        self.pixels = self.span_rows * self.windows.columns
        self.images = self._choose_images()
        depth = max(1, self.pixels * self.images // self.lanes)
        self.tiling = inner_tiling(sizes.filters, self.channels * sizes.taps, depth, vector_registers())

    def _choose_block(self) -> int:
        """Rows at a time: the most that divide the image and leave the gradients of all filters in the cache."""
        windows = self.windows
        row_bytes = self.sizes.filters * windows.columns * self.item
        divisors = [b for b in range(windows.rows, 0, -1) if windows.rows % b == 0]
        fitting = [b for b in divisors if windows.is_direct or windows.channel_size(b) * self.item <= PANEL_BYTES]
        long = [b for b in fitting if b * windows.columns >= SHORT_SUM] or fitting[:1] or [1]
        return next((b for b in long if b * row_bytes <= PANEL_BYTES), long[-1])

    def _choose_channels(self) -> int:
        """Channels per panel: as many as fit, but at least four panels where there are so many channels."""
        channels, size = self.sizes.channels, self.windows.channel_size(self.span_rows) * self.item
        most = max(1, channels // 4)
        fitting = [c for c in range(1, most + 1) if channels % c == 0]
        if self.windows.is_direct:
            return fitting[-1]
        return max((c for c in fitting if c * size <= PANEL_BYTES), default=1)

    def _choose_images(self) -> int:
        """Images at a time, so that the sums of small images are long."""
        elements = self.sizes.filters * self.pixels
        if not self.windows.is_direct:
            elements = max(elements, self.channels * self.windows.channel_size(self.span_rows))
        return max(1, min(PANEL_BYTES // (elements * self.item), LONG_SUM // self.pixels))

    def kernel(self) -> Kernel:
        """The finished kernel."""
        sizes, windows = self.sizes, self.windows
        self.x, self.g = (self.parameters.pointer(v) for v in self.operation.operands)
        self.out_pointer = self.parameters.pointer(self.result, "out")
        extent = sizes.groups * (sizes.channels // self.channels)
        tiling = self.tiling
        layout = "the images as they are" if windows.is_direct else f"{len(windows.shifts)} shifted copies of rows"
        self.line(f"# Tiles of {tiling.rows} filters x {tiling.columns} elements, summed over {layout}.")
        self._begin(extent)
        depth = sizes.channels * sizes.taps
        with self.rows([sizes.groups, sizes.channels // self.channels]) as (group, part):
            self.line(f"out_at = {group} * {sizes.filters * depth} + {part} * {self.channels * sizes.taps}")
            with self.block(f"for o in range({sizes.filters})"):
                with self.block(f"for k in range({self.channels * sizes.taps})"):
                    self.line(f"{self.out_pointer}[out_at + o * {depth} + k] = {self.short}(0.0)")
            self._sum(group, part, depth)
        kernel = self.finish(extent, sizes.work)
        kernel.parts = PARTS
        return kernel

    def _begin(self, extent: int) -> None:
        sizes, windows = self.sizes, self.windows
        self.table = self.parameters.scratch(TensorType(dt.int64, (2 * self.channels * sizes.taps,)))
        size = windows.channel_size(self.span_rows)
        offsets = [[(0, windows.offset(tap, self.span_rows)) for tap in windows.taps]]
        table_lines(self, self.table, 0, offsets, self.channels, 0, size)
        if not windows.is_direct:
            total = self.images * self.channels * size
            self.panel = self.parameters.scratch(TensorType(self.result.dtype, (PARTS * total,)))
            self.line(f"panel_at = (lo * {PARTS} // {extent}) * {total}")

    def _sum(self, group: str, part: str, depth: int) -> None:
        sizes, windows = self.sizes, self.windows
        plane, rows = windows.height * windows.width, windows.rows * windows.columns
        x_image, g_image = sizes.groups * sizes.channels * plane, sizes.groups * sizes.filters * rows
        x_start = f"{group} * {sizes.channels * plane} + {part} * {self.channels * plane}"
        g_start = f"{group} * {sizes.filters * rows}"
        size = x_image if windows.is_direct else self.channels * windows.channel_size(self.span_rows)
        with self.block(f"for n0 in range(0, {self.dim(sizes.batch)}, {self.images})"):
            self.line(f"count = min({self.images}, {self.dim(sizes.batch)} - n0)")
            with self.block(f"for y0 in range(0, {windows.rows}, {self.span_rows})"):
                self.line(f"a_at = n0 * {g_image} + {g_start} + y0 * {windows.columns}")
                if windows.is_direct:
                    self.line(f"b_at = n0 * {x_image} + {x_start} + y0 * {windows.width}")
                    self._tiles(self.x, g_image, size, depth)
                else:
                    with self.block("for n in range(count)"):
                        windows.fill(
                            self, self.panel, f"panel_at + n * {size}", self.x, f"(n0 + n) * {x_image} + {x_start}",
                            str(self.channels), self.span_rows,
                        )  # fmt: skip
                    self.line("b_at = panel_at")
                    self._tiles(self.panel, g_image, size, depth)

    def _tiles(self, panel: str, g_image: int, b_image: int, depth: int) -> None:
        rows = self.windows.rows * self.windows.columns
        vectors, last = divmod(self.pixels, self.lanes)
        for column, columns, column_count in self.tiling.column_parts:
            with self.block(f"for k in range({column}, {column + columns * column_count}, {columns})"):
                for row, size, row_count in self.tiling.row_parts:
                    with self.block(f"for o in range({row}, {row + size * row_count}, {size})"):
                        self.line(
                            f"inner_{self.short}({size}, {columns}, {last}, count, {vectors}, {self.table}, 2 * k,"
                            f" {self.g}, a_at + o * {rows}, {rows}, {g_image}, {panel}, b_at, {b_image},"
                            f" {self.out_pointer}, out_at + o * {depth} + k, {depth})"
                        )

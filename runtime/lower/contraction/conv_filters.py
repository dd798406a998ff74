"""The gradient of a convolution's filters: sums over images and pixels, for a tile of filters and elements at a time.

The images are panels of shifted rows, as in conv_tiled.py; both factors of a sum then lie along runs of memory.
"""

from __future__ import annotations

from dataclasses import replace

from ....base import dtype as dt
from ....base.target import current_target
from ....ir.core import Operation
from ....ops.kernel_expressions import Expr, Name, smaller
from ....ops.types import TensorType
from ...kernel.kernel_call import Kernel
from ..element import literal
from ..nest import Nest
from ..registry import generates
from . import conv_direct
from .conv_sizes import Sizes, scratch_of_piece, sizes_of
from .panel import Memory, Windows, fill_table
from .tiling import inner_tiling


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
        self.target = current_target()
        self.lanes = self.target.lanes(self.item)
        self.span_rows = self._choose_block()
        self.channels = self._choose_channels()
        self.pixels = self.span_rows * self.windows.columns
        self.images = self._choose_images()
        vectors = max(1, self.pixels * self.images // self.lanes)
        self.tiling = inner_tiling(sizes.filters, self.channels * sizes.taps, vectors, self.target.core)
        self.depth = sizes.channels * sizes.taps
        self.x, self.g = (self.parameters.pointer(v) for v in operation.operands)
        self.out_pointer = self.parameters.pointer(self.result, "out")
        self.table = self.parameters.scratch(TensorType(dt.int64, (2 * self.channels * sizes.taps,)))

    def _choose_block(self) -> int:
        """Rows at a time: the most that divide the image and leave the gradients of all filters in the cache."""
        windows, most = self.windows, self.target.panel_bytes
        row_bytes = self.sizes.filters * windows.columns * self.item
        divisors = [b for b in range(windows.rows, 0, -1) if windows.rows % b == 0]
        fitting = [b for b in divisors if windows.is_direct or windows.channel_size(b) * self.item <= most]
        long = [b for b in fitting if b * windows.columns >= self.target.filter_sums[0]] or fitting[:1] or [1]
        return next((b for b in long if b * row_bytes <= most), long[-1])

    def _choose_channels(self) -> int:
        """Channels per panel: as many as fit, but at least four panels where there are so many channels."""
        channels, size = self.sizes.channels, self.windows.channel_size(self.span_rows) * self.item
        most = max(1, channels // 4)
        fitting = [c for c in range(1, most + 1) if channels % c == 0]
        if self.windows.is_direct:
            return fitting[-1]
        return max((c for c in fitting if c * size <= self.target.panel_bytes), default=1)

    def _choose_images(self) -> int:
        """Images at a time, so that the sums of small images are long."""
        elements = self.sizes.filters * self.pixels
        if not self.windows.is_direct:
            elements = max(elements, self.channels * self.windows.channel_size(self.span_rows))
        return max(1, min(self.target.panel_bytes // (elements * self.item), self.target.filter_sums[1] // self.pixels))

    # -- statements --------------------------------------------------------------------------------

    def kernel(self) -> Kernel:
        """The finished kernel."""
        sizes, windows, tiling = self.sizes, self.windows, self.tiling
        parts, elements = sizes.channels // self.channels, self.channels * sizes.taps
        layout = (
            "the images as they are"
            if windows.is_direct
            else f"{len(windows.copies(self.span_rows))} shifted copies of rows"
        )
        self.builder.remark(f"Tiles of {tiling.rows} filters x {tiling.columns} elements, summed over {layout}.")
        self._fill_table()
        panel = None
        if not windows.is_direct:
            size = self.images * self.channels * windows.channel_size(self.span_rows)
            panel = scratch_of_piece(self, "panel_at", size, sizes.groups * parts)
        with self.rows([sizes.groups, parts]) as (group, part):
            out_at = self.let("out_at", group * (sizes.filters * self.depth) + part * elements)
            with self.loop("o", 0, sizes.filters) as o, self.loop("k", 0, elements) as k:
                self.store(self.out_pointer[out_at + o * self.depth + k], literal(0.0, self.result.dtype))
            self._sum(group, part, panel, Memory(self.out_pointer, out_at))
        return replace(self.finish(sizes.groups * parts, sizes.work), parts=self.target.threads.pieces)

    def _fill_table(self) -> None:
        """The offsets of all taps of the channels of a panel."""
        windows = self.windows
        offsets = [[(0, windows.offset(tap, self.span_rows)) for tap in windows.taps]]
        fill_table(self, self.table, 0, offsets, self.channels, 0, windows.channel_size(self.span_rows))

    def _sum(self, group: Expr, part: Expr, panel: Memory | None, out: Memory) -> None:
        """Add up all images, some of them and some of their rows at a time."""
        sizes, windows = self.sizes, self.windows
        plane, pixels = windows.height * windows.width, windows.rows * windows.columns
        x_image, g_image = sizes.groups * sizes.channels * plane, sizes.groups * sizes.filters * pixels

        def channels_of(image: Expr) -> Expr:
            return image * x_image + group * (sizes.channels * plane) + part * (self.channels * plane)

        with self.loop("n0", 0, self.dim(sizes.batch), self.images) as n0:
            count = self.let("count", smaller(self.images, self.dim(sizes.batch) - n0))
            with self.loop("y0", 0, windows.rows, self.span_rows) as y0:
                gradients = n0 * g_image + group * (sizes.filters * pixels) + y0 * windows.columns
                a = Memory(self.g, self.let("a_at", gradients))
                if panel is None:
                    size = x_image
                    b = Memory(self.x, self.let("b_at", channels_of(n0) + y0 * windows.width))
                else:
                    size = self.channels * windows.channel_size(self.span_rows)
                    with self.loop("n", 0, count) as n:
                        image = Memory(self.x, channels_of(n0 + n))
                        windows.fill(self, panel.plus(n * size), image, y0, self.channels, self.span_rows)
                    b = Memory(panel.pointer, self.let("b_at", panel.start))
                self._tiles(count, (a, g_image), (b, size), out)

    def _tiles(self, count: Name, a: tuple[Memory, int], b: tuple[Memory, int], out: Memory) -> None:
        """Sums over `count` images of gradients `a` times pixels `b`, each with the distance to the next image."""
        (gradients, g_image), (pixels, b_image) = a, b
        rows = self.windows.rows * self.windows.columns
        vectors, last = divmod(self.pixels, self.lanes)
        for column, columns, column_count in self.tiling.column_parts:
            with self.loop("k", column, column + columns * column_count, columns) as k:
                for row, size, row_count in self.tiling.row_parts:
                    with self.loop("o", row, row + size * row_count, size) as o:
                        self.do(
                            f"inner_{self.short}", size, columns, last, 1, count, vectors, self.table, 2 * k,
                            *gradients.plus(o * rows), rows, g_image, *pixels, b_image,
                            *out.plus(o * self.depth).plus(k), self.depth,
                        )  # fmt: skip

"""The gradient of a convolution's filters: sums over images and pixels, for a tile of filters and elements at a time.

The images are panels of shifted rows, as in conv_tiled.py; both factors of a sum then lie along runs of memory.
"""

from __future__ import annotations

from ....base import dtype as dt
from ....ir.core import Operation
from ....ops.types import TensorType
from ...codegen.target import vector_bytes, vector_registers
from ..kernel import Kernel
from ..nest import Nest
from ..registry import generates
from . import conv_direct
from .conv_sizes import ACCUMULATE, PANEL_BYTES, PARTS, Sizes, sizes_of
from .panel import Windows, table_lines
from .tiling import inner_tiling

SHORT_SUM, LONG_SUM = 256, 1024  # elements: shorter sums cost more to finish than to add up; longer ones gain nothing


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
                            f"inner_{self.short}({size}, {columns}, {last}, {ACCUMULATE}, count, {vectors},"
                            f" {self.table}, 2 * k, {self.g}, a_at + o * {rows}, {rows}, {g_image}, {panel}, b_at,"
                            f" {b_image}, {self.out_pointer}, out_at + o * {depth} + k, {depth}, {self.g}, {self.g},"
                            f" {self.g}, 0)"
                        )

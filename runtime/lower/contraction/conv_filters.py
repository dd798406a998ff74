"""The gradient of a convolution's filters: sums over images and pixels, for a tile of filters and elements at a time.

The images are panels of shifted rows, as in conv_tiled.py, so that what an element of the filters sees lies along a
run of memory, as the gradients do. Where sums are short, adding up the lanes of vectors of pixels would take as long as
the products: then the panel is transposed, and a tile is one of numbers times vectors of elements.
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
from ..nest import Memory, Nest
from ..registry import generates
from . import conv_direct
from .conv_filter_plan import FilterPlan
from .conv_sizes import sizes_of
from .panel import fill_table


@generates("conv.conv2d_weight_grad")
def conv2d_weight_grad(operation: Operation) -> Kernel:
    """The sum over all pixels of the gradient [n, o, oh, ow] times what each filter element saw."""
    x, g = operation.operands
    weight = operation.result.tensor_type.shape
    sizes = sizes_of(operation, x.tensor_type, g.tensor_type, weight[2:])
    if sizes is None:
        return conv_direct.conv2d_weight_grad(operation)
    return _Gradient(operation, FilterPlan.cheapest(sizes, operation.result.dtype.itemsize)).kernel()


class _Gradient(Nest):
    """The kernel of the filters' gradient: for some channels of a group at a time, sums over images and rows."""

    panel: Memory | None = None
    strips: Memory | None = None

    def __init__(self, operation: Operation, plan: FilterPlan) -> None:
        super().__init__(operation)
        self.plan = plan
        self.short = operation.result.dtype.short
        self.depth = plan.sizes.channels * plan.sizes.taps
        self.x, self.g = (self.parameters.pointer(v) for v in operation.operands)
        self.out_pointer = self.parameters.pointer(self.result, "out")
        self.table = self.parameters.scratch(TensorType(dt.int64, (2 * plan.padded,)))

    def kernel(self) -> Kernel:
        """The finished kernel."""
        plan, sizes = self.plan, self.plan.sizes
        extent = plan.units
        self.remark(self._remark())
        self._fill_table()
        if not plan.windows.is_direct:
            size = plan.images * plan.channels * plan.windows.channel_size(plan.span_rows)
            self.panel = self.area("panel_at", size, extent)
        if plan.by_columns:
            self.strips = self.area("strips_at", plan.strip_elements, extent)
        with self.rows([sizes.groups, plan.parts, plan.filter_parts]) as (group, part, filters):
            first = self.let("first", group * sizes.filters + filters * plan.filters)
            channel = self.let("channel", group * sizes.channels + part * plan.channels)
            out_at = self.let("out_at", first * self.depth + part * plan.elements)
            with self.loop("o", 0, plan.filters) as o, self.loop("k", 0, plan.elements) as k:
                self.store(self.out_pointer[out_at + o * self.depth + k], literal(0.0, self.result.dtype))
            self._sum(channel, first, Memory(self.out_pointer, out_at))
        return replace(self.finish(extent, sizes.work), parts=current_target().threads.pieces)

    def _remark(self) -> str:
        plan, windows = self.plan, self.plan.windows
        layout = (
            "the images as they are"
            if windows.is_direct
            else f"{len(windows.copies(plan.span_rows))} shifted copies of rows"
        )
        tile = (
            f"Tiles of {plan.tiling.rows} filters x {plan.strip if plan.by_columns else plan.tiling.columns} elements"
        )
        return f"{tile}, summed over {layout}{', transposed' if plan.by_columns else ''}."

    def _fill_table(self) -> None:
        """The offsets of all taps of the channels of a panel; of what only fills a vector, any."""
        plan, windows = self.plan, self.plan.windows
        offsets = [[(0, windows.offset(tap, plan.span_rows)) for tap in windows.taps]]
        fill_table(self, self.table, 0, offsets, plan.channels, 0, windows.channel_size(plan.span_rows))
        if plan.padded > plan.elements:
            with self.loop("k", plan.elements, plan.padded) as k:
                self.store(self.table[2 * k + 1], 0)

    def _sum(self, channel: Expr, filter_: Expr, out: Memory) -> None:
        """Add up all images, some of them and some of their rows at a time, from a channel and a filter on."""
        panel, plan, sizes, windows = self.panel, self.plan, self.plan.sizes, self.plan.windows
        plane, pixels = windows.height * windows.width, windows.rows * windows.columns
        x_image, g_image = sizes.groups * sizes.channels * plane, sizes.groups * sizes.filters * pixels

        def channels_of(image: Expr) -> Expr:
            return image * x_image + channel * plane

        with self.loop("n0", 0, self.dim(sizes.batch), plan.images) as n0:
            count = self.let("count", smaller(plan.images, self.dim(sizes.batch) - n0))
            with self.loop("y0", 0, windows.rows, plan.span_rows) as y0:
                gradients = n0 * g_image + filter_ * pixels + y0 * windows.columns
                a = Memory(self.g, self.let("a_at", gradients))
                if panel is None:
                    size = x_image
                    b = Memory(self.x, self.let("b_at", channels_of(n0) + y0 * windows.width))
                else:
                    size = plan.channels * windows.channel_size(plan.span_rows)
                    with self.loop("n", 0, count) as n:
                        image = Memory(self.x, channels_of(n0 + n))
                        windows.fill(self, panel.plus(n * size), image, y0, plan.channels, plan.span_rows)
                    b = Memory(panel.pointer, self.let("b_at", panel.start))
                if self.strips is None:
                    self._tiles(count, (a, g_image), (b, size), out)
                else:
                    self._transpose(b, self.strips)
                    self._products(a, self.strips, out)

    def _tiles(self, count: Name, a: tuple[Memory, int], b: tuple[Memory, int], out: Memory) -> None:
        """Sums over `count` images of gradients `a` times pixels `b`, each with the distance to the next image."""
        (gradients, g_image), (pixels, b_image), tiling = a, b, self.plan.tiling
        rows = self.plan.windows.rows * self.plan.windows.columns
        vectors, last = divmod(self.plan.pixels, self.plan.lanes)
        for column, columns, column_count in tiling.column_parts:
            with self.loop("k", column, column + columns * column_count, columns) as k:
                for row, size, row_count in tiling.row_parts:
                    with self.loop("o", row, row + size * row_count, size) as o:
                        self.do(
                            f"inner_{self.short}", size, columns, last, 1, count, vectors, self.table, 2 * k,
                            *gradients.plus(o * rows), rows, g_image, *pixels, b_image,
                            *out.plus(o * self.depth).plus(k), self.depth,
                        )  # fmt: skip

    def _transpose(self, pixels: Memory, strips: Memory) -> None:
        """What each element sees, pixel by pixel: strips of some elements, each with all pixels one after the other."""
        plan, width = self.plan, self.plan.strip
        blocks, last = divmod(plan.pixels, plan.lanes)
        with self.loop("k", 0, plan.padded, plan.lanes) as k:
            column = self.let("column", k % width)
            to = self.let("to", strips.start + (k - column) * plan.pixels + column)
            self.do(f"columns_{self.short}", last, blocks, self.table, 2 * k, *pixels, strips.pointer, to, width)

    def _products(self, gradients: Memory, strips: Memory, out: Memory) -> None:
        """Sums over the pixels of an image of gradients times strips."""
        plan, rows = self.plan, self.plan.windows.rows * self.plan.windows.columns
        for strip in plan.column_strips:
            with self.loop("v", strip.first, strip.first + strip.step * strip.count, strip.step) as v:
                at = self.let("strip_at", strips.start + v * (plan.pixels * plan.lanes))
                for row, size, row_count in plan.tiling.row_parts:
                    with self.loop("o", row, row + size * row_count, size) as o:
                        self.do(
                            f"tile_{self.short}", size, strip.size, strip.last, 1, plan.pixels,
                            *gradients.plus(o * rows), 1, rows, strips.pointer, at, plan.strip,
                            *out.plus(o * self.depth).plus(v * plan.lanes), self.depth,
                        )  # fmt: skip

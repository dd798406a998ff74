"""Convolutions as products of matrices that are never made: tiles of vectors over panels of shifted image rows.

Forward and the gradient of the images are sums of filter elements times vectors of pixels (`outer_*` of tiles.py);
the gradient of the filters is in conv_filters.py. The filters are read where they lie, in any order of taps:
with strides, the gradient of the images is one convolution for each phase of the stride. Images whose height or width
is known only at a call take the direct loops of conv_direct.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ....base import dtype as dt
from ....base.target import current_target
from ....ir.core import Operation
from ....ops.kernel_expressions import ZERO, Expr, Name, any_of, equal, smaller
from ....ops.types import TensorType
from ..kernel import Kernel
from ..nest import Nest
from ..registry import generates
from . import conv_direct
from .conv_plan import ConvPlan, Strip
from .conv_sizes import Epilogue, scratch_of_piece, sizes_of
from .panel import Memory, fill_table

PHASE_WORDS = 4  # start in the table, depth, row and column of the phase


@generates("conv.conv2d_affine")
@generates("conv.conv2d")
def conv2d(operation: Operation) -> Kernel:
    """Images [n, c, h, w] with filters; what follows is done before the sums are stored."""
    x, weight = operation.operands[:2]
    sizes = sizes_of(operation, x.tensor_type, operation.result.tensor_type, weight.tensor_type.shape[2:])
    if sizes is None:
        return conv_direct.conv2d(operation)
    return _Outer(operation, ConvPlan.forward(sizes, operation.result.dtype.itemsize)).kernel()


@generates("conv.conv2d_input_grad")
def conv2d_input_grad(operation: Operation) -> Kernel:
    """Gradients [n, o, oh, ow] back through the filters."""
    g, weight = operation.operands
    sizes = sizes_of(operation, operation.result.tensor_type, g.tensor_type, weight.tensor_type.shape[2:])
    if sizes is None:
        return conv_direct.conv2d_input_grad(operation)
    return _Outer(operation, ConvPlan.backward(sizes, operation.result.dtype.itemsize)).kernel()


@dataclass(frozen=True)
class _Scratch:
    """A piece's memory, where it needs some: its panel, pixels that are summed one by one, and results of a phase."""

    panel: Memory | None
    single: Memory | None
    phase: Memory | None


@dataclass(frozen=True)
class _Block:
    """A unit of the kernel's range: rows of windows from y0 on, of a group of an image, for a range of channels."""

    image: Expr  # number of the image's group among all groups of all images
    group: Expr
    part: Expr
    y0: Name


@dataclass(frozen=True)
class _Phase:
    """Where the taps of a phase start in the table, how many they are with all channels, and the phase's place."""

    start: Name
    depth: Name
    row: Expr = ZERO
    column: Expr = ZERO


@dataclass(frozen=True)
class _Factors:
    """What all tiles of a block and a phase read, and where their sums go, one channel `target_step` from the next."""

    phase: _Phase
    weights: Memory
    pixels: Memory
    target: Memory
    target_step: int
    channel: Name  # the group's first, for the epilogue
    single: Memory | None  # pixels that are summed one by one


class _Outer(Nest):
    """The kernel of a convolution as sums over (channel, tap) of numbers times vectors of pixels."""

    def __init__(self, operation: Operation, plan: ConvPlan) -> None:
        super().__init__(operation)
        self.plan = plan
        self.short = operation.result.dtype.short
        self.source, self.weight = (self.parameters.pointer(v) for v in operation.operands[:2])
        self.epilogue = Epilogue.of(operation, self.parameters)
        self.out_pointer = self.parameters.pointer(self.result, "out")
        self.taps_at = PHASE_WORDS * len(plan.phases)
        self.rest_at = self.taps_at + 2 * plan.channels * sum(map(len, plan.phases))
        self.table = self.parameters.scratch(TensorType(dt.int64, (self.rest_at + 2 * plan.rest,)))

    def kernel(self) -> Kernel:
        """The finished kernel."""
        plan, sizes, windows = self.plan, self.plan.sizes, self.plan.windows
        layout = "the image as it is" if windows.is_direct else f"{len(windows.shifts)} shifted copies of its rows"
        tile = f"{plan.tiling.rows} channels x {plan.tiling.columns * plan.lanes} pixels"
        self.builder.remark(f"Tiles of {tile} over {layout}.")
        self._fill_table()
        scratch = self._scratch()
        with self.rows([sizes.batch, sizes.groups, plan.row_blocks, plan.row_split]) as (n, group, number, part):
            y0 = self.let("y0", smaller(number * plan.span_rows, windows.rows - plan.span_rows))
            block = _Block(n * sizes.groups + group, group, part, y0)
            pixels = self._pixels(block, scratch.panel)
            with self._each_phase() as phase:
                self._tiles(block, phase, pixels, scratch)
        overlaps = windows.rows % plan.span_rows != 0  # then some elements are computed twice
        in_place = {} if overlaps else self.epilogue.in_place(self.operation)
        return replace(self.finish(plan.extent, sizes.work), parts=current_target().threads.pieces, in_place=in_place)

    # -- before the loop ---------------------------------------------------------------------------

    def _fill_table(self) -> None:
        """The offsets of all taps of all channels, phase by phase, and before them what there is to know of phases."""
        plan, phases = self.plan, self.plan.phases
        offsets = [[(tap[2], plan.windows.offset(tap, plan.span_rows)) for tap in phase] for phase in phases]
        size = plan.windows.channel_size(plan.span_rows)
        starts = fill_table(self, self.table, self.taps_at, offsets, plan.channels, plan.filters.channel, size)
        for k, (start, phase) in enumerate(zip(starts, phases, strict=True)):
            words = (start, plan.channels * len(phase), *divmod(k, plan.spread[1]))
            for word, value in enumerate(words):
                self.store(self.table[k * PHASE_WORDS + word], value)

    def _scratch(self) -> _Scratch:
        plan, panel, single, phase = self.plan, None, None, None
        if plan.rest:
            single = scratch_of_piece(self, "single_at", plan.rest * plan.depth, plan.extent)
            with self.loop("j", 0, plan.rest) as j:
                self.store(self.table[self.rest_at + 2 * j + 1], j * plan.depth)
        if not plan.windows.is_direct:
            size = plan.channels * plan.windows.channel_size(plan.span_rows)
            panel = scratch_of_piece(self, "panel_at", size, plan.extent)
        if len(plan.phases) > 1:
            phase = scratch_of_piece(self, "spare_at", plan.out_channels * plan.pixels, plan.extent)
        return _Scratch(panel, single, phase)

    # -- a block of rows ---------------------------------------------------------------------------

    def _pixels(self, block: _Block, panel: Memory | None) -> Memory:
        """Where the block's windows lie: in the image, or in a panel, which is filled first."""
        plan, windows = self.plan, self.plan.windows
        start = block.image * (plan.channels * windows.height * windows.width)
        if panel is None:
            return Memory(self.source, self.let("b_at", start + block.y0 * windows.width))
        image = Memory(self.source, start)
        if plan.row_split > 1:  # the pieces of a block follow each other and share its panel
            with self.when(any_of(equal(block.part, 0), equal("r", "lo"))):
                windows.fill(self, panel, image, block.y0, plan.channels, plan.span_rows)
        else:
            windows.fill(self, panel, image, block.y0, plan.channels, plan.span_rows)
        return Memory(panel.pointer, self.let("b_at", panel.start))

    @contextmanager
    def _each_phase(self) -> Iterator[_Phase]:
        phases = self.plan.phases
        if len(phases) == 1:
            yield _Phase(self.let("start", self.taps_at), self.let("depth", self.plan.depth))
            return
        with self.loop("phase", 0, len(phases)) as phase:
            words = ("start", "depth", "py", "px")
            yield _Phase(*(self.let(word, self.table[phase * PHASE_WORDS + k]) for k, word in enumerate(words)))

    def _tiles(self, block: _Block, phase: _Phase, pixels: Memory, scratch: _Scratch) -> None:
        """All tiles of a block of rows."""
        plan, channels = self.plan, self.plan.out_channels
        if scratch.phase is None:
            step = self._plane()
            out_at = self.let("out_at", block.image * channels * step + block.y0 * plan.windows.columns)
            target = Memory(self.out_pointer, out_at)
        else:
            step = plan.pixels
            target = Memory(scratch.phase.pointer, self.let("out_at", scratch.phase.start))
        weights = Memory(self.weight, self.let("a_at", block.group * plan.filters.group))
        channel = self.let("row_at", block.group * channels)
        first = self.let("first", block.part * (channels // plan.row_split) if plan.row_split > 1 else 0)
        if scratch.single is not None:
            self._copy_single(phase, pixels, scratch.single)
        self._sweep(_Factors(phase, weights, pixels, target, step, channel, scratch.single), first)
        if scratch.phase is not None:
            self._scatter(block, phase, first, scratch.phase)

    def _plane(self) -> int:
        _, _, height, width = self.result.tensor_type.shape
        return int(height) * int(width)

    def _copy_single(self, phase: _Phase, pixels: Memory, single: Memory) -> None:
        """What is under the windows of the last pixels, one pixel after the other."""
        plan = self.plan
        with self.loop("k", 0, plan.depth) as k, self.loop("j", 0, plan.rest) as j:
            offset = self.table[phase.start + 2 * k + 1]
            pixel = pixels.plus(plan.pixels - plan.rest).plus(j).element(offset)
            self.store(single.plus(j * plan.depth).element(k), pixel)

    # -- tiles -------------------------------------------------------------------------------------

    def _sweep(self, factors: _Factors, first: Name) -> None:
        """All tiles: column by column while the filters stay in the cache, else row by row."""
        rows, columns = self.plan.row_strips, self.plan.column_strips
        if self.plan.keeps_filters:
            for column in columns:
                with self._each("q", column) as q:
                    for row in rows:
                        with self._each("o", row, first) as o:
                            self._tile(factors, row, column, o, q)
        else:
            for row in rows:
                with self._each("o", row, first) as o:
                    for column in columns:
                        with self._each("q", column) as q:
                            self._tile(factors, row, column, o, q)

    @contextmanager
    def _each(self, name: str, strip: Strip, base: Name | None = None) -> Iterator[Name]:
        """The places of a strip's tiles, from `base` on."""
        ends = strip.first, strip.first + strip.count * strip.step
        start, stop = (end if base is None else base + end for end in ends)
        if strip.count == 1:
            yield self.let(name, start)
            return
        with self.loop(name, start, stop, strip.step) as place:
            yield place

    def _tile(self, factors: _Factors, row: Strip, column: Strip, o: Name, q: Name) -> None:
        """The sums of a tile from channel o and pixel q on, with the epilogue."""
        plan, step = self.plan, self.plan.filters.row
        weights = (*factors.weights.plus(o * step), step)
        target = (*factors.target.plus(o * factors.target_step).plus(q), factors.target_step)
        epilogue = (*self.epilogue.operands, factors.channel + o)
        if column.size:
            self.do(
                f"outer_{self.short}", row.size, column.size, column.last, self.epilogue.bits, self.table,
                factors.phase.start, factors.phase.depth, *weights, *factors.pixels.plus(q), *target, *epilogue,
            )  # fmt: skip
            return
        assert factors.single is not None, column
        vectors, odd = divmod(plan.depth, plan.lanes)
        self.do(
            f"inner_{self.short}", row.size, column.last, odd, self.epilogue.bits, 1, vectors, self.table,
            self.rest_at, *weights, 0, *factors.single, 0, *target, *epilogue,
        )  # fmt: skip

    def _scatter(self, block: _Block, phase: _Phase, first: Name, source: Memory) -> None:
        """The phase's pixels from where they were computed to their places in the image."""
        plan, columns = self.plan, self.plan.windows.columns
        (height, width), (sh, sw) = plan.sizes.image, plan.spread
        high = self.let("high", smaller(columns, (width - phase.column + (sw - 1)) // sw))
        with self.loop("o", first, first + plan.out_channels // plan.row_split) as o:
            with self.loop("i", 0, plan.span_rows) as i:
                h = self.let("h", (block.y0 + i) * sh + phase.row)
                with self.when(h < height):
                    channel = block.image * plan.out_channels + o
                    line = self.let("line", channel * (height * width) + h * width + phase.column)
                    from_ = self.let("from_", source.start + o * plan.pixels + i * columns)
                    with self.loop("j", 0, high) as j:
                        self.store(self.out_pointer[line + j * sw], source.pointer[from_ + j])

"""Convolutions as products of matrices that are never made: tiles of vectors over panels of shifted image rows.

Forward and the gradient of the images are sums of filter elements times vectors of pixels (`outer_*` of tiles.py);
the gradient of the filters is in conv_filters.py. The filters are read where they lie, in any order of taps:
with strides, the gradient of the images is one convolution for each phase of the stride. Images whose height or width
is known only at a call take the direct loops of conv_direct.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from ....base import dtype as dt
from ....base.target import current_target
from ....ops.dims import product
from ....ops.kernel_expressions import ZERO, Expr, Name, any_of, equal, expr, smaller
from ....ops.types import TensorType
from ...kernel.kernel_call import Kernel
from ..kernel_abstraction import open_sizes
from ..nest import Nest
from ..registry import ContractionGroup, generates_contraction
from . import conv_direct
from .conv_depthwise import Depthwise, DepthwisePlan
from .conv_plan import ConvPlan, Strip
from .conv_sizes import scratch_of_piece, sizes_of
from .epilogue import Epilogue, image_index
from .panel import Memory, fill_table

PHASE_WORDS = 4  # start in the table, depth, row and column of the phase


@generates_contraction("conv2d", "conv.conv2d")
def conv2d(group: ContractionGroup) -> Kernel:
    """Images [n, c, h, w] with filters."""
    x, weight = group.head.operands
    result = group.head.result
    sizes = sizes_of(group.head, x.tensor_type, result.tensor_type, weight.tensor_type.shape[2:])
    if sizes is None:
        return conv_direct.conv2d(group.head)
    single = DepthwisePlan.forward(sizes, result.dtype.itemsize)
    if single is not None:
        return Depthwise(group, single).kernel()
    return _Outer(group, ConvPlan.forward(sizes, result.dtype.itemsize)).kernel()


@generates_contraction("conv2d_input_grad", "conv.conv2d_input_grad")
def conv2d_input_grad(group: ContractionGroup) -> Kernel:
    """Gradients [n, o, oh, ow] back through the filters."""
    g, weight = group.head.operands
    result = group.head.result
    sizes = sizes_of(group.head, result.tensor_type, g.tensor_type, weight.tensor_type.shape[2:])
    if sizes is None:
        return conv_direct.conv2d_input_grad(group.head)
    single = DepthwisePlan.backward(sizes, result.dtype.itemsize)
    if single is not None:
        return Depthwise(group, single).kernel()
    return _Outer(group, ConvPlan.backward(sizes, result.dtype.itemsize)).kernel()


@dataclass(frozen=True)
class _Scratch:
    """A piece's memory, where it needs some: its panel, pixels that are summed one by one, results of a phase, and sums
    for the epilogue.
    """

    panel: Memory | None
    single: Memory | None
    phase: Memory | None
    sums: Memory | None


@dataclass(frozen=True)
class _Block:
    """A unit of the kernel's range: rows of windows from y0 on, of a group of an image, for a range of channels."""

    batch: Expr  # number of the image
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
    """What all tiles of a block and a phase read, and where their sums go, one channel `target_step` from the next.

    sums: the target is memory for one tile after the other, which the epilogue reads.
    """

    phase: _Phase
    weights: Memory
    pixels: Memory
    target: Memory
    target_step: int
    single: Memory | None  # pixels that are summed one by one
    sums: bool


@dataclass(frozen=True)
class _Place:
    """Where a tile starts along an axis, and which of the strips it belongs to; kind: None where there is one strip."""

    place: Name
    strips: Sequence[Strip]
    kind: Name | None

    def each(self, nest: Nest) -> Iterator[Strip]:
        """The strips one after the other; what is written for each is done for its tiles only."""
        for k, strip in enumerate(self.strips):
            if self.kind is None:
                yield strip
            else:
                with nest.when(equal(self.kind, k)):
                    yield strip


class _Outer(Nest):
    """The kernel of a convolution as sums over (channel, tap) of numbers times vectors of pixels."""

    def __init__(self, group: ContractionGroup, plan: ConvPlan) -> None:
        super().__init__(group.head, group.name)
        self.plan = plan
        self.short = self.result.dtype.short
        self.source, self.weight = (self.parameters.pointer(v) for v in group.head.operands)
        self.epilogue = Epilogue(group, self.parameters, self.builder)
        self.is_plain = self.epilogue.is_empty
        self.opens = plan.windows.is_direct and plan.tiling.rows <= current_target().addressed_rows
        self.taps_at = PHASE_WORDS * len(plan.phases)
        self.rest_at = self.taps_at + 2 * plan.channels * sum(map(len, plan.phases))
        self.table = self.parameters.scratch(TensorType(dt.int64, (self.rest_at + 2 * plan.rest,)))

    def kernel(self) -> Kernel:
        """The finished kernel."""
        plan, sizes, windows = self.plan, self.plan.sizes, self.plan.windows
        layout = (
            "the image as it is"
            if windows.is_direct
            else f"{len(windows.copies(plan.span_rows))} shifted copies of its rows"
        )
        tile = f"{plan.tiling.rows} channels x {plan.tiling.columns * plan.lanes} pixels"
        self.builder.remark(f"Tiles of {tile} over {layout}.")
        self._fill_table()
        scratch = self._scratch()
        with self.rows([sizes.batch, sizes.groups, plan.row_blocks, plan.row_split]) as (n, group, number, part):
            y0 = self.let("y0", smaller(number * plan.span_rows, windows.rows - plan.span_rows))
            block = _Block(n, n * sizes.groups + group, group, part, y0)
            pixels = self._pixels(block, scratch.panel)
            with self._each_phase() as phase:
                self._tiles(block, phase, pixels, scratch)
        overlaps = windows.rows % plan.span_rows != 0  # then some elements are computed twice
        in_place = {} if overlaps or self.is_plain else self.epilogue.in_place(self.operation.operands)
        work = sizes.work + product(self.result.tensor_type.shape) * self.epilogue.weight
        kernel = self.finish(plan.extent, work)
        return replace(
            open_sizes(kernel) if self.opens else kernel, parts=current_target().threads.pieces, in_place=in_place
        )

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
        plan, panel, single, phase, sums = self.plan, None, None, None, None
        if plan.rest:
            single = scratch_of_piece(self, "single_at", plan.rest * plan.depth, plan.extent)
            with self.loop("j", 0, plan.rest) as j:
                self.store(self.table[self.rest_at + 2 * j + 1], j * plan.depth)
        if not plan.windows.is_direct:
            size = plan.channels * plan.windows.channel_size(plan.span_rows)
            panel = scratch_of_piece(self, "panel_at", size, plan.extent)
        if len(plan.phases) > 1:
            phase = scratch_of_piece(self, "spare_at", plan.out_channels * plan.pixels, plan.extent)
        elif not self.is_plain:
            sums = scratch_of_piece(self, "sums_at", plan.tile_rows * plan.tile_columns, plan.extent)
        return _Scratch(panel, single, phase, sums)

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
        if scratch.sums is not None:
            step, target = plan.tile_columns, scratch.sums
        elif scratch.phase is not None:
            step, target = plan.pixels, scratch.phase
        else:
            step = self._plane()
            out_at = self.let("out_at", block.image * channels * step + block.y0 * plan.windows.columns)
            target = Memory(self.parameters.pointer(self.result, "out"), out_at)
        weights = Memory(self.weight, self.let("a_at", block.group * plan.filters.group))
        first = self.let("first", block.part * (channels // plan.row_split) if plan.row_split > 1 else 0)
        if scratch.single is not None:
            self._copy_single(phase, pixels, scratch.single)
        factors = _Factors(phase, weights, pixels, target, step, scratch.single, scratch.sums is not None)
        self._sweep(block, factors, first)
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

    def _sweep(self, block: _Block, factors: _Factors, first: Name) -> None:
        """All tiles: column by column while the filters stay in the cache, else row by row."""
        along = [("o", self.plan.row_strips, first), ("q", self.plan.column_strips, ZERO)]
        if self.plan.keeps_filters:
            along.reverse()
        with self._tiles_along(*along[0]) as outer, self._tiles_along(*along[1]) as inner:
            row, column = (inner, outer) if self.plan.keeps_filters else (outer, inner)
            height: Expr = ZERO
            for strip in column.each(self):
                height = self._tile(factors, row, (strip, column.place))
            if factors.sums:
                self._finish(block, factors.target, (row.place, height), column)

    @contextmanager
    def _tiles_along(self, name: str, strips: Sequence[Strip], base: Expr) -> Iterator[_Place]:
        """All tiles along an axis, one strip after the other, from `base` on."""
        count = sum(strip.count for strip in strips)
        with ExitStack() as opened:
            number = opened.enter_context(self.loop(f"{name}_tile", 0, count)) if count > 1 else ZERO
            place = self.let(name, base + (strips[0].first + number * strips[0].step))
            if len(strips) == 1:
                yield _Place(place, strips, None)
                return
            kind = self.let(f"{name}_kind", 0)
            before = 0
            for k, (strip, previous) in enumerate(zip(strips[1:], strips, strict=False), 1):
                before += previous.count
                with self.when(number >= before):
                    self.let(kind, k)
                    self.let(place, base + (strip.first + (number - before) * strip.step))
            yield _Place(place, strips, kind)

    def _tile(self, factors: _Factors, row: _Place, column: tuple[Strip, Name]) -> Expr:
        """The sums of a tile; gives the number of its channels."""
        height: Expr = expr(row.strips[0].size) if row.kind is None else self.let("height", 0)
        for strip in row.each(self):
            if row.kind is not None:
                self.let("height", strip.size)
            self._sums(factors, (strip, row.place), column)
        return height

    def _sums(self, factors: _Factors, row: tuple[Strip, Name], column: tuple[Strip, Name]) -> None:
        """The call that adds up the products of a tile, from its channel and pixel on."""
        (tile_row, o), (tile_column, q), plan, size = (
            row,
            column,
            self.plan,
            self.parameters.size if self.opens else expr,
        )
        weights = (*factors.weights.plus(o * plan.filters.row), size(plan.filters.row))
        target = factors.target if factors.sums else factors.target.plus(o * factors.target_step).plus(q)
        out = (*target, factors.target_step if factors.sums else size(factors.target_step))
        if tile_column.size:
            self.do(
                f"outer_{self.short}", tile_row.size, tile_column.size, tile_column.last, self.table,
                factors.phase.start, factors.phase.depth, *weights, *factors.pixels.plus(q), *out,
            )  # fmt: skip
            return
        assert factors.single is not None, column
        vectors, odd = divmod(plan.depth, plan.lanes)
        self.do(
            f"inner_{self.short}", tile_row.size, tile_column.last, odd, 0, 1, size(vectors), self.table,
            size(self.rest_at), *weights, 0, *factors.single, 0, *out,
        )  # fmt: skip

    # -- what follows ------------------------------------------------------------------------------

    def _finish(self, block: _Block, sums: Memory, rows: tuple[Name, Expr], column: _Place) -> None:
        """The epilogue of a tile of sums: from a channel on, so many, and from a pixel of the block on.

        It is written once for tiles of all widths: their whole vectors one by one, then what is left of each.
        """
        (o, height), lanes = rows, self.plan.lanes
        whole: Expr = expr(column.strips[0].extent(lanes) // lanes * lanes)
        if column.kind is not None:
            whole = self.let("whole", whole)
            for k, strip in enumerate(column.strips[1:], 1):
                with self.when(equal(column.kind, k)):
                    self.let("whole", strip.extent(lanes) // lanes * lanes)
        with self.epilogue.loop("e", 0, height) as e:
            channel = self.let("channel", block.group * self.plan.out_channels + o + e)

            def element(place: Expr) -> None:
                pixel = self.let("pixel", block.y0 * self.plan.windows.columns + column.place + place)
                index = image_index(self.operation, block.batch, channel, pixel)
                self.epilogue.store(sums.element(e * self.plan.tile_columns + place), index)

            with self.loop("v", 0, whole, lanes) as v, self.epilogue.loop("j", 0, lanes) as j:
                element(v + j)
            for k, strip in enumerate(column.strips):
                last = strip.extent(lanes) % lanes
                if last:
                    with ExitStack() as opened:
                        if column.kind is not None:
                            opened.enter_context(self.when(equal(column.kind, k)))
                        j = opened.enter_context(self.epilogue.loop("j", 0, last))
                        element(strip.extent(lanes) // lanes * lanes + j)

    def _scatter(self, block: _Block, phase: _Phase, first: Name, source: Memory) -> None:
        """The epilogue of a phase's pixels, each of which has its place in the image."""
        plan, columns = self.plan, self.plan.windows.columns
        (height, width), (sh, sw) = plan.sizes.image, plan.spread
        high = self.let("high", smaller(columns, (width - phase.column + (sw - 1)) // sw))
        with self.epilogue.loop("o", first, first + plan.out_channels // plan.row_split) as o:
            channel = self.let("channel", block.group * plan.out_channels + o)
            with self.epilogue.loop("i", 0, plan.span_rows) as i:
                h = self.let("h", (block.y0 + i) * sh + phase.row)
                with self.when(h < height):
                    line = source.plus(o * plan.pixels).plus(i * columns)
                    with self.epilogue.loop("j", 0, high) as j:
                        w = self.let("w", phase.column + j * sw)
                        self.epilogue.store(line.element(j), [block.batch, channel, h, w])

"""Convolutions as products of matrices that are never made: tiles of vectors over panels of shifted image rows.

Forward and the gradient of the images are sums of filter elements times vectors of pixels (`outer_*` of tiles.py);
the gradient of the filters is in conv_filters.py. The filters are read where they lie, in any order of taps:
with strides, the gradient of the images is one convolution for each phase of the stride. Images whose height or width
is known only at a call take the direct loops of conv_direct.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from ....base import dtype as dt
from ....base.target import current_target
from ....ops.dims import product
from ....ops.kernel_expressions import ZERO, Expr, Name, Operand, all_of, any_of, equal, expr, smaller
from ....ops.types import TensorType
from ...kernel.kernel_call import Kernel
from ..element import literal
from ..nest import Memory, Nest
from ..registry import ContractionGroup, generates_contraction
from . import conv_direct
from .conv_depthwise import Depthwise, DepthwisePlan
from .conv_plan import ConvPlan
from .conv_sizes import sizes_of
from .epilogue import Epilogue, image_index
from .panel import fill_table
from .tiling import Strip

PHASE_WORDS = 5  # start in the table, depth, row and column of the phase, start of its packed filters


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
class _Block:
    """A unit of the kernel's range: rows of windows from y0 on, of a group of an image, for a range of channels.

    Of several images side by side, the first one is what is told here; count: how many they are.
    """

    batch: Expr  # number of the image
    count: Operand
    image: Expr  # number of the image's group among all groups of all images
    group: Expr
    part: Expr
    y0: Name


@dataclass(frozen=True)
class _Phase:
    """Where the taps of a phase start in the table, how many they are with all channels, the phase's place, and where
    its packed filters start.
    """

    start: Name
    depth: Name
    row: Expr = ZERO
    column: Expr = ZERO
    packed: Expr = ZERO


@dataclass(frozen=True)
class _Factors:
    """What all tiles of a block and a phase read, and where their sums go, one channel `target_step` from the next.

    first: channel of the range.
    """

    phase: _Phase
    first: Name
    weights: Memory
    pixels: Memory
    target: Memory
    target_step: int


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
    """The kernel of a convolution as sums over (channel, tap) of numbers times vectors of pixels.

    A piece's memory, where it needs some: its panel, pixels that are summed one by one (`single`), results that are
    scattered (`spare`), the sums of one tile after the other, for the epilogue, and packed filters.
    """

    panel: Memory | None = None
    single: Memory | None = None
    spare: Memory | None = None
    sums: Memory | None = None
    packed: Memory | None = None

    def __init__(self, group: ContractionGroup, plan: ConvPlan) -> None:
        super().__init__(group.head, group.name)
        assert not (plan.rest and plan.packed_parts), "single pixels read filters where they lie, not packed ones"
        self.plan = plan
        self.short = self.result.dtype.short
        self.source, self.weight = (self.parameters.pointer(v) for v in group.head.operands)
        self.epilogue = Epilogue(group, self.parameters, self)
        self.is_plain = self.epilogue.is_empty
        opens = plan.windows.is_direct and plan.tiling.rows <= current_target().addressed_rows
        self.size: Callable[[int], Expr] = self.parameters.size if opens else expr  # in which layers of a kind differ
        self.taps_at = PHASE_WORDS * len(plan.phases)
        self.rest_at = self.taps_at + 2 * plan.channels_at_once * sum(map(len, plan.phases))
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
        self.remark(f"Tiles of {tile} over {layout}.")
        self._fill_table()
        self._find_memory()
        with self._each_block() as block:
            first = self.let("first", block.part * (plan.out_channels // plan.row_split) if plan.row_split > 1 else 0)
            if self.packed is not None:
                self._pack(block, first, self.packed)
            self._block(block, first)
        overlaps = windows.rows % plan.span_rows != 0  # then some elements are computed twice
        in_place = {} if overlaps or self.is_plain else self.epilogue.in_place(self.operation.operands)
        work = sizes.work + product(self.result.tensor_type.shape) * self.epilogue.weight
        return replace(self.finish(plan.extent, work), parts=current_target().threads.pieces, in_place=in_place)

    @contextmanager
    def _each_block(self) -> Iterator[_Block]:
        """The loop over the kernel's range. Where ranges of channels pack their filters, all images of one follow."""
        plan, sizes, windows = self.plan, self.plan.sizes, self.plan.windows
        counts = {"n": plan.image_blocks, "group": sizes.groups, "row": plan.row_blocks, "part": plan.row_split}
        order = ("group", "part", "n", "row") if plan.packed_parts else ("n", "group", "row", "part")
        with self.rows([counts[name] for name in order]) as numbers:
            place = dict(zip(order, numbers, strict=True))
            y0 = self.let("y0", smaller(place["row"] * plan.span_rows, windows.rows - plan.span_rows))
            n, count = place["n"], expr(1)
            if plan.images > 1:
                n = self.let("n", n * plan.images)
                count = self.let("images", smaller(plan.images, self.dim(sizes.batch) - n))
            yield _Block(n, count, n * sizes.groups + place["group"], place["group"], place["part"], y0)

    # -- before the loop ---------------------------------------------------------------------------

    def _fill_table(self) -> None:
        """The offsets of all taps of all channels, phase by phase, and before them what there is to know of phases."""
        plan, phases = self.plan, self.plan.phases
        size = plan.windows.channel_size(plan.span_rows)
        starts: list[int] = []
        start = self.taps_at
        for phase in phases:
            places, step = [tap[2] for tap in phase], plan.filters.channel
            if plan.packed_parts:
                places, step = [k * plan.tiling.rows for k in range(len(phase))], len(phase) * plan.tiling.rows
            pairs = [(a, plan.windows.offset(tap, plan.span_rows)) for a, tap in zip(places, phase, strict=True)]
            starts += fill_table(self, self.table, start, [pairs], plan.channels_at_once, step, size)
            start += 2 * plan.channels_at_once * len(phase)
        for k, (start, phase) in enumerate(zip(starts, phases, strict=True)):
            words = (start, plan.channels * len(phase), *divmod(k, plan.spread[1]), plan.packed_starts[k])
            for word, value in enumerate(words):
                self.store(self.table[k * PHASE_WORDS + word], value)

    def _find_memory(self) -> None:
        plan = self.plan
        if plan.rest:
            self.single = self.area("single_at", plan.rest * plan.depth_at_once, plan.extent)
            with self.loop("j", 0, plan.rest) as j:
                self.store(self.table[self.size(self.rest_at) + 2 * j + 1], j * self.size(plan.depth_at_once))
        if not plan.windows.is_direct:
            size = plan.channels_at_once * plan.windows.channel_size(plan.span_rows)
            self.panel = self.area("panel_at", size, plan.extent)
        if plan.scatters:
            self.spare = self.area("spare_at", plan.out_channels * plan.pixels, plan.extent)
        elif not self.is_plain:
            self.sums = self.area("sums_at", plan.tile_rows * plan.tile_columns, plan.extent)
        if plan.packed_parts:
            self.packed = self.area("packed_at", plan.packed_starts[-1], plan.extent)

    # -- a block of rows ---------------------------------------------------------------------------

    def _block(self, block: _Block, first: Name) -> None:
        """All of a block, from the first channel of the range on."""
        plan, spare = self.plan, self.spare
        if plan.channel_parts == 1:
            pixels = self._pixels(block, ZERO)
            with self._each_phase() as phase:
                self._tiles(block, first, phase, pixels, ZERO)
                if spare is not None:
                    self._scatter(block, phase, first, spare)
            return
        assert spare is not None, plan
        with self._each_phase() as phase:
            start = self.let("start_of_sums", first * plan.pixels)
            with self.loop("j", 0, plan.out_channels // plan.row_split * plan.pixels) as j:
                self.store(spare.plus(start)[j], literal(0.0, self.result.dtype))
            with self.loop("channels", 0, plan.channel_parts) as part:
                channel = self.let("channel_at", part * plan.channels_at_once)
                self._tiles(block, first, phase, self._pixels(block, channel), channel)
            self._scatter(block, phase, first, spare)

    def _pixels(self, block: _Block, channel: Expr) -> Memory:
        """Where the block's windows lie: in the image, or in a panel, which is filled first from a channel on."""
        plan, windows = self.plan, self.plan.windows
        plane = windows.height * windows.width
        start = block.image * (plan.channels * plane)
        if self.panel is None:
            return Memory(self.source, self.let("b_at", start + block.y0 * windows.width))
        if plan.channel_parts > 1:
            start = start + channel * plane
        with ExitStack() as opened:
            shares = plan.row_split > 1 and not plan.packed_parts and plan.channel_parts == 1
            if shares:  # the pieces of a block follow each other and share its panel
                opened.enter_context(self.when(any_of(equal(block.part, 0), equal("r", "lo"))))
            images = (block.count, plan.sizes.groups * plan.channels * plane)
            image, channels = Memory(self.source, start), plan.channels_at_once
            windows.fill(self, self.panel, image, block.y0, channels, plan.span_rows, images)
        return Memory(self.panel.pointer, self.let("b_at", self.panel.start))

    def _pack(self, block: _Block, first: Name, packed: Memory) -> None:
        """Copy a range's filters, before its first block: phase by phase, tile by tile, in each what a product of a
        number and vectors takes next to what the one before took. Where filters end amid a tile, it has any numbers.
        """
        plan = self.plan
        source = Memory(self.weight, block.group * plan.filters.group + first * plan.filters.row)
        rows = plan.tiling.rows
        with (
            self.when(any_of(equal("r", "lo"), all_of(equal(block.batch, 0), equal(block.y0, 0)))),
            self.loop("c", 0, plan.channels) as c,
        ):
            for strip in plan.row_strips:
                with (
                    self.loop("o", strip.first, strip.first + strip.size * strip.count, rows) as o,
                    self.loop("e", 0, strip.size) as e,
                ):
                    line = self.let("line", source.start + c * plan.filters.channel + (o + e) * plan.filters.row)
                    for start, phase in zip(plan.packed_starts, plan.phases, strict=False):
                        step = plan.channels * len(phase) + plan.packed_gap
                        for k, tap in enumerate(phase):
                            to = packed.start + (o * step + c * (len(phase) * rows) + (start + k * rows)) + e
                            self.store(packed.pointer[to], self.weight[line + tap[2]])

    @contextmanager
    def _each_phase(self) -> Iterator[_Phase]:
        phases = self.plan.phases
        if len(phases) == 1:
            yield _Phase(self.let("start", self.taps_at), self.let("depth", self.plan.depth))
            return
        with self.loop("phase", 0, len(phases)) as phase:
            words = ("start", "depth", "py", "px", "packed")[: PHASE_WORDS if self.plan.packed_parts else -1]
            yield _Phase(*(self.let(word, self.table[phase * PHASE_WORDS + k]) for k, word in enumerate(words)))

    def _tiles(self, block: _Block, first: Name, phase: _Phase, pixels: Memory, channel: Expr) -> None:
        """All tiles of a block of rows, of products of the channels from `channel` on."""
        plan, channels = self.plan, self.plan.out_channels
        if self.sums is not None:
            step, target = plan.tile_columns, self.sums
        elif self.spare is not None:
            step, target = plan.pixels, self.spare
        else:
            step = int(product(self.result.tensor_type.shape[2:]))
            out_at = self.let("out_at", block.image * channels * step + block.y0 * plan.windows.columns)
            target = Memory(self.parameters.pointer(self.result, "out"), out_at)
        weights = Memory(self.weight, block.group * plan.filters.group)
        step_of_channels: Expr = expr(plan.filters.channel)
        if self.packed is not None:
            weights = self.packed.plus(phase.packed)
            step_of_channels = phase.depth // plan.channels * plan.tiling.rows
        if plan.channel_parts > 1:
            weights = weights.plus(channel * step_of_channels)
        weights = Memory(weights.pointer, self.let("a_at", weights.start))
        if self.single is not None:
            self._copy_single(phase, pixels, self.single)
        self._sweep(block, _Factors(phase, first, weights, pixels, target, step))

    def _copy_single(self, phase: _Phase, pixels: Memory, single: Memory) -> None:
        """What is under the windows of the last pixels, one pixel after the other."""
        plan = self.plan
        with self.loop("k", 0, plan.depth_at_once) as k, self.loop("j", 0, plan.rest) as j:
            offset = self.table[phase.start + 2 * k + 1]
            pixel = pixels.plus(plan.pixels - plan.rest).plus(j)[offset]
            self.store(single.plus(j * self.size(plan.depth_at_once))[k], pixel)

    # -- tiles -------------------------------------------------------------------------------------

    def _sweep(self, block: _Block, factors: _Factors) -> None:
        """All tiles: column by column while the filters stay in the cache, else row by row."""
        along = [("o", self.plan.row_strips, factors.first), ("q", self.plan.column_strips, ZERO)]
        if self.plan.keeps_filters:
            along.reverse()
        with self._tiles_along(*along[0]) as outer, self._tiles_along(*along[1]) as inner:
            row, column = (inner, outer) if self.plan.keeps_filters else (outer, inner)
            height: Expr = ZERO
            for strip in column.each(self):
                height = self._tile(factors, row, (strip, column.place))
            if self.sums is not None:
                self._finish(block, self.sums, (row.place, height), column)

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
        (tile_row, o), (tile_column, q), plan, sums = row, column, self.plan, self.sums
        size = self.size
        weights: tuple[Operand, ...] = (*factors.weights.plus(o * plan.filters.row), size(plan.filters.row))
        if plan.packed_parts:
            weights = (*factors.weights.plus((o - factors.first) * (factors.phase.depth + plan.packed_gap)), 1)
        if sums is not None:
            out: tuple[Operand, ...] = (*sums, factors.target_step)
        else:
            out = (*factors.target.plus(o * factors.target_step).plus(q), size(factors.target_step))
        adds = int(plan.channel_parts > 1)
        if tile_column.size:
            depth = factors.phase.depth // plan.channel_parts if adds else factors.phase.depth
            self.do(
                f"outer_{self.short}", tile_row.size, tile_column.size, tile_column.last, adds, self.table,
                factors.phase.start, depth, *weights, *factors.pixels.plus(q), *out,
            )  # fmt: skip
            return
        assert self.single is not None, column
        vectors, odd = divmod(plan.depth_at_once, plan.lanes)
        self.do(
            f"inner_{self.short}", tile_row.size, tile_column.last, odd, adds, 1, size(vectors), self.table,
            size(self.rest_at), *weights, 0, *self.single, 0, *out,
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
                self.epilogue.store(sums[e * self.plan.tile_columns + place], index)

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
        (height, width), (sh, sw) = (int(n) for n in self.result.tensor_type.shape[2:]), plan.spread
        high = self.let("high", smaller(columns, (width - phase.column + (sw - 1)) // sw))
        with self.epilogue.loop("o", first, first + plan.out_channels // plan.row_split) as o:
            channel = self.let("channel", block.group * plan.out_channels + o)
            if plan.images == 1 and len(plan.phases) == 1:  # then neighbours are neighbours in the result, too
                with self.epilogue.loop("j", 0, plan.pixels) as j:
                    pixel = self.let("pixel", block.y0 * columns + j)
                    index = image_index(self.operation, block.batch, channel, pixel)
                    self.epilogue.store(source.plus(o * plan.pixels)[j], index)
                return
            with self.epilogue.loop("i", 0, plan.span_rows) as i:
                h = self.let("h", (block.y0 + i) * sh + phase.row)
                with self.when(h < height), ExitStack() as opened:
                    n: Expr = block.batch
                    row: Expr = i
                    if plan.images > 1:
                        m = opened.enter_context(self.epilogue.loop("m", 0, block.count))
                        n, row = self.let("image", n + m), i * plan.images + m
                    line = source.plus(o * plan.pixels).plus(row * columns)
                    with self.epilogue.loop("j", 0, high) as j:
                        w = self.let("w", phase.column + j * sw)
                        self.epilogue.store(line[j], [n, channel, h, w])

"""How a convolution is cut into blocks of rows and tiles, where its size is known: the choices of conv_tiled.py."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from ....base.target import current_target
from ....ops.dims import DimLike
from .conv_sizes import Sizes
from .panel import Tap, Windows
from .tiling import Strip, Tiling, column_strips, outer_tiling


@dataclass(frozen=True)
class FilterSteps:
    """How far apart filter elements are: from one source channel, result channel, group to the next."""

    channel: int
    row: int
    group: int


@dataclass(frozen=True)
class ConvPlan:
    """Sums over (channel, tap) of filter elements times vectors of pixels.

    phases: the taps of each; with strides, the gradient of the images is one convolution per phase of the stride.
    channels, out_channels: of a group. spread: how far apart a phase's results are in the image. channel_parts: of the
    channels, that follow each other in a panel, so that it has room for whole images.
    """

    sizes: Sizes
    windows: Windows
    phases: tuple[tuple[Tap, ...], ...]
    filters: FilterSteps
    channels: int
    out_channels: int
    spread: tuple[int, int]
    itemsize: int
    channel_parts: int = 1

    def __post_init__(self) -> None:
        assert self.channel_parts == 1 or not self.windows.is_direct, "parts of the channels are copied into a panel"

    @staticmethod
    def forward(sizes: Sizes, itemsize: int) -> ConvPlan:
        """Of the convolution of images with filters."""
        taps = sizes.forward_taps()
        windows = Windows(*sizes.image, *sizes.result, sizes.stride, taps)
        filters = FilterSteps(sizes.taps, sizes.channels * sizes.taps, sizes.filters * sizes.channels * sizes.taps)
        plan = ConvPlan(sizes, windows, (taps,), filters, sizes.channels, sizes.filters, (1, 1), itemsize)
        return plan._cheapest()

    @staticmethod
    def backward(sizes: Sizes, itemsize: int) -> ConvPlan:
        """Of gradients back through the filters to the images."""
        phases, (sh, sw), (h, w) = tuple(sizes.phases()), sizes.stride, sizes.image
        taps = tuple(dict.fromkeys(tap for phase in phases for tap in phase))
        windows = Windows(*sizes.result, -(-h // sh), -(-w // sw), (1, 1), taps)
        filters = FilterSteps(sizes.channels * sizes.taps, sizes.taps, sizes.filters * sizes.channels * sizes.taps)
        plan = ConvPlan(sizes, windows, phases, filters, sizes.filters, sizes.channels, sizes.stride, itemsize)
        return plan._cheapest()

    def _cheapest(self) -> ConvPlan:
        """The cheapest plan: with panels of some rows, or of whole images of some channels. Small images, which alone
        don't fill vectors, may lie side by side.
        """
        batch, windows, plans, limits = self.sizes.batch, self.windows, [self], current_target().panel
        is_small = windows.rows * windows.columns <= limits.vectors * self.lanes
        most = min(batch, limits.images) if isinstance(batch, int) and is_small else 1
        parts = range(1, limits.channel_parts + 1)
        for images in range(1, most + 1):
            for count in (n for n in parts if self.channels % n == 0):
                plan = replace(self, windows=replace(windows, images=images), channel_parts=count)
                if plan._fits(windows.rows):
                    plans += [plan] if plan.has_whole_images else []
                    break
        costs = [plan._cost_of(batch if isinstance(batch, int) else 1) for plan in plans]
        costs[0] *= limits.direct if windows.is_direct else 1.0
        return plans[costs.index(min(costs))]

    def _cost_of(self, batch: int) -> float:
        """Estimated cycles for all images."""
        stored = self.out_channels * self.windows.rows * self.windows.columns if self.scatters else 0
        return -(-batch // self.images) * self._cost(self.span_rows) + 2 * batch * stored

    @cached_property
    def lanes(self) -> int:
        """Elements of a vector."""
        return current_target().lanes(self.itemsize)

    @property
    def images(self) -> int:
        """Images that share a panel."""
        return self.windows.images

    @property
    def image_blocks(self) -> DimLike:
        """Blocks of images; the last one may have fewer."""
        batch, images = self.sizes.batch, self.images
        return -(-batch // images) if isinstance(batch, int) else batch

    @property
    def has_whole_images(self) -> bool:
        """Whether a panel has all rows of images by its nature."""
        return self.images > 1 or self.channel_parts > 1

    @property
    def scatters(self) -> bool:
        """Whether the sums of a block lie in memory of their own first."""
        return len(self.phases) > 1 or self.has_whole_images

    @property
    def channels_at_once(self) -> int:
        """Channels that share a panel."""
        return self.channels // self.channel_parts

    @property
    def depth_at_once(self) -> int:
        """Products that a tile adds to a sum, in the phase with the most taps."""
        return self.depth // self.channel_parts

    @cached_property
    def packed_parts(self) -> int:
        """How many ranges of channels copy their filters into the order in which tiles read them; 0: none does.

        Gradients read filters across, one channel far from the next: where they don't stay in the cache, and a tile
        takes less of each than a line of it, they would come from memory several times for each block of images.
        """
        target, least = current_target(), current_target().addressed_rows
        is_across = self.filters.row < self.filters.channel
        is_short = self.filters.row * least * self.itemsize <= target.caches.line
        size = self.out_channels * self.all_depth * self.itemsize
        if (
            not is_across
            or not is_short
            or self.keeps_filters
            or size > target.panel.packed_bytes
            or self.image_blocks == 1
        ):
            return 0
        parts = (target.threads.pieces, target.threads.ranges)
        return next((p for p in parts if self.out_channels % p == 0 and self.out_channels // p >= least), 0)

    @cached_property
    def all_depth(self) -> int:
        """Filter elements of a result channel."""
        return self.channels * sum(map(len, self.phases))

    @property
    def packed_gap(self) -> int:
        """Elements behind the packed filter of a channel."""
        return current_target().panel.packed_gap

    @cached_property
    def packed_starts(self) -> tuple[int, ...]:
        """Where the packed filters of each phase start, and end: those of whole tiles of channels."""
        count, rows = self.out_channels // self.row_split, self.tiling.rows
        sizes = [-(-count // rows) * rows * (self.channels * len(phase) + self.packed_gap) for phase in self.phases]
        return (0, *accumulate(sizes))

    @cached_property
    def depth(self) -> int:
        """Products that a sum adds up, in the phase with the most taps."""
        return self.channels * max(len(phase) for phase in self.phases)

    # -- blocks of rows ----------------------------------------------------------------------------

    @cached_property
    def span_rows(self) -> int:
        """How many rows of windows share a panel: the cheapest number whose panel fits."""
        if self.has_whole_images:
            return self.windows.rows
        rows = self.windows.rows
        counts = {-(-rows // parts) for parts in (1, 2, 3, 4, 6, 7, 8, 12, 14, 16, 28, 32, 56, rows)}
        return min((count for count in counts if self._fits(count)), key=self._cost, default=1)

    def _fits(self, block: int) -> bool:
        windows, most = self.windows, current_target().panel_bytes
        return windows.is_direct or self.channels_at_once * windows.channel_size(block) * self.itemsize <= most

    def _cost(self, block: int) -> float:
        windows = self.windows
        filling = 0 if windows.is_direct else 2 * self.channels * windows.channel_size(block) / self.lanes
        single = self._rest(block) * self.depth * (1 + self.out_channels / self.lanes)
        blocks = -(-windows.rows // block)
        is_uneven = self.sizes.batch == 1 and blocks > current_target().threads.ranges
        uneven = blocks % 2 / blocks if is_uneven else 0.0  # on two threads
        tiles = self.channel_parts * self._tiling(block).cost
        return float(blocks * (max(1, self.packed_parts) * (tiles + filling) + single) * (1 + uneven / 2))

    def _rest(self, block: int) -> int:
        """Pixels of a block that are summed one by one: see `rest`.

        0 where blocks overlap: the next block has the same pixels in vectors, which round otherwise, and whichever
        thread came last would decide.
        """
        if self.windows.rows % block:
            return 0
        pixels = block * self.windows.columns * self.images
        is_forward = self.filters.channel == self.sizes.taps  # then a filter's elements lie in the order of the taps
        rest = pixels % self.lanes
        pays = 4 * rest <= self.lanes < pixels and self.depth >= 16 * self.lanes
        return rest if pays and is_forward and len(self.phases) == 1 else 0

    def _tiling(self, block: int, parts: int = 1) -> Tiling:
        """Tiles of a block's pixels by one of so many equal ranges of channels."""
        pixels = block * self.windows.columns * self.images
        vectors = pixels // self.lanes if self._rest(block) else -(-pixels // self.lanes)
        target, count = current_target(), self.out_channels // max(parts, self.packed_parts)
        most_rows = target.caches.rows_apart(self.filters.row * self.itemsize) if not self.packed_parts else count
        return outer_tiling(count, vectors, self.depth_at_once, target.core, most_rows)

    @cached_property
    def row_blocks(self) -> int:
        """Blocks of rows of windows; the last one overlaps the one before where they don't divide the rows."""
        return -(-self.windows.rows // self.span_rows)

    @cached_property
    def row_split(self) -> int:
        """Into how many ranges of channels the result is split, so that a single image keeps several threads busy."""
        if self.packed_parts:
            return self.packed_parts
        batch, threads = self.image_blocks, current_target().threads
        known = batch * self.sizes.groups * self.row_blocks if isinstance(batch, int) else threads.pieces
        if known >= threads.ranges or not isinstance(batch, int) or self.sizes.work < threads.convolution:
            return 1
        most = current_target().panel.shared * self._tiling(self.span_rows).cost
        fitting = (parts for parts in (threads.ranges, 2, 3) if self.out_channels % parts == 0)
        return next((p for p in fitting if p * self._tiling(self.span_rows, p).cost <= most), 1)

    @property
    def extent(self) -> DimLike:
        """Units of work: blocks of rows of all groups of all images, and ranges of channels of each."""
        return self.image_blocks * (self.sizes.groups * self.row_blocks * self.row_split)

    # -- tiles of a block --------------------------------------------------------------------------

    @property
    def pixels(self) -> int:
        """Pixels of a block."""
        return self.span_rows * self.windows.columns * self.images

    @property
    def rest(self) -> int:
        """Pixels that are summed one by one: fewer than would pay for a vector of their own, where sums are long."""
        return self._rest(self.span_rows)

    @property
    def tiling(self) -> Tiling:
        """Tiles of a range of result channels by vectors of pixels."""
        return self._tiling(self.span_rows, self.row_split)

    @property
    def keeps_filters(self) -> bool:
        """Whether the filters stay in the cache, so that all of them can go by at each column of tiles."""
        return self.out_channels * self.depth * self.itemsize <= current_target().filter_bytes

    @property
    def tile_rows(self) -> int:
        """Channels of the largest tile."""
        return max(strip.size for strip in self.row_strips)

    @property
    def tile_columns(self) -> int:
        """Pixels of the largest tile."""
        return max(strip.extent(self.lanes) for strip in self.column_strips)

    @property
    def row_strips(self) -> list[Strip]:
        """Tiles along the result channels of a range."""
        return [Strip(start, size, count, size) for start, size, count in self.tiling.row_parts]

    @property
    def column_strips(self) -> list[Strip]:
        """Tiles along the pixels of a block; those with a shorter last vector, and those without vectors, are last."""
        last = self.lanes if self.rest else self.pixels % self.lanes or self.lanes
        single = [Strip(self.pixels - self.rest, self.lanes, 1, 0, self.rest)] if self.rest else []
        return column_strips(self.tiling, self.lanes, last, self.lanes) + single

"""How the gradient of a convolution's filters is cut into panels and tiles: the choices of conv_filters.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ....base.target import Core, current_target
from .conv_sizes import Sizes
from .panel import Windows
from .tiling import Strip, Tiling, column_strips, inner_tiling, outer_tiling

OPEN_BATCH = 8  # images, where only a call knows how many


@dataclass(frozen=True)
class FilterPlan:
    """Sums over pixels of gradients times what the windows have there, for some channels' elements at a time.

    channels: of a group, that share a panel. span_rows, images: rows of windows and images at a time. filter_parts:
    into which filters are divided.
    by_columns: the windows' elements are transposed, so that a sum has a lane of its own: numbers of the gradients
    times vectors of elements. Else both factors are vectors of pixels, whose lanes are added at the end.
    """

    sizes: Sizes
    windows: Windows
    itemsize: int
    channels: int
    span_rows: int
    images: int
    by_columns: bool
    filter_parts: int = 1

    @staticmethod
    def cheapest(sizes: Sizes, itemsize: int) -> FilterPlan:
        """The plan that takes the fewest cycles, as far as is estimated."""
        windows = Windows(*sizes.image, *sizes.result, sizes.stride, sizes.forward_taps())
        plans = [*_by_pixels(sizes, windows, itemsize), *_by_columns(sizes, windows, itemsize)]
        return min(plans, key=lambda p: p.cost * p.idle)

    @property
    def parts(self) -> int:
        """Of a group's channels."""
        return self.sizes.channels // self.channels

    @property
    def units(self) -> int:
        """Parts of the work that threads may share."""
        return self.sizes.groups * self.parts * self.filter_parts

    @property
    def idle(self) -> float:
        """What the cost counts for, as units that are too few leave threads without work."""
        panel, threads, sizes = current_target().panel, current_target().threads, self.sizes
        few = panel.shared if self.units < min(threads.ranges, sizes.groups * sizes.channels) else 1.0
        if isinstance(sizes.work, int) and sizes.work < threads.convolution:
            return few
        return few * (1 + panel.uneven * (self.units % 2) / self.units)

    @property
    def filters(self) -> int:
        """Of a part."""
        return self.sizes.filters // self.filter_parts

    @property
    def elements(self) -> int:
        """Of a filter, for which a panel has what the windows see."""
        return self.channels * self.sizes.taps

    @property
    def pixels(self) -> int:
        """Of an image, at a time."""
        return self.span_rows * self.windows.columns

    @cached_property
    def lanes(self) -> int:
        """Elements of a vector."""
        return current_target().lanes(self.itemsize)

    @property
    def padded(self) -> int:
        """Elements, of whole vectors where they are transposed."""
        return -(-self.elements // self.lanes) * self.lanes if self.by_columns else self.elements

    @property
    def strip(self) -> int:
        """Transposed elements that lie side by side: as wide as a tile."""
        return self.tiling.columns * self.lanes

    @property
    def strip_elements(self) -> int:
        """Memory for all strips."""
        return -(-self.padded // self.strip) * self.strip * self.pixels

    @cached_property
    def tiling(self) -> Tiling:
        """Tiles of filters by elements, or by vectors of them."""
        return self._tiling(current_target().core)

    def _tiling(self, core: Core) -> Tiling:
        target = current_target()
        if not self.by_columns:
            return inner_tiling(self.filters, self.elements, max(1, self.pixels * self.images // self.lanes), core)
        most_rows = max(1, target.caches.rows_apart(self.windows.rows * self.windows.columns * self.itemsize) // 2)
        return outer_tiling(self.filters, self.padded // self.lanes, self.pixels, core, most_rows)

    @cached_property
    def cost(self) -> float:
        """Cycles for an image's share, but for filling panels."""
        target = current_target()
        core = replace(target.core, multiply_adds=max(1, target.core.multiply_adds // target.core.passes))
        times = self.units * (self.windows.rows / self.span_rows)
        if self.by_columns:
            tiles = self._tiling(core).cost + target.panel.transposed * self.padded * self.pixels
        else:
            vectors = self.images * -(-self.pixels // self.lanes)
            tiles = inner_tiling(self.filters, self.elements, vectors, core).cost / self.images
        return times * tiles + self._reading()

    def _reading(self) -> float:
        """Cycles to read an image and its gradients from where they lie, once for each part of the other."""
        sizes, target = self.sizes, current_target()
        batch = sizes.batch if isinstance(sizes.batch, int) else OPEN_BATCH
        seen = sizes.groups * sizes.channels * self.windows.height * self.windows.width * self.itemsize
        gradients = sizes.groups * sizes.filters * self.windows.rows * self.windows.columns * self.itemsize
        is_far = (seen + gradients) * batch > target.caches.second
        each = target.panel.read_far if is_far else target.panel.read
        return each * (seen * self.filter_parts + gradients * self.parts)

    @property
    def column_strips(self) -> list[Strip]:
        """Tiles along the vectors of elements, counted in vectors; the one with a shorter last vector is last."""
        return column_strips(self.tiling, self.lanes, self.elements % self.lanes or self.lanes)


def _divided(plan: FilterPlan) -> Iterator[FilterPlan]:
    """A plan, and, where its units are few, those with its filters in parts."""
    yield plan
    ranges = current_target().threads.ranges
    for parts in (2, ranges):
        if plan.sizes.filters % parts == 0 and plan.units < ranges:
            yield replace(plan, filter_parts=parts)


def _by_pixels(sizes: Sizes, windows: Windows, itemsize: int) -> Iterator[FilterPlan]:
    most, (shortest, longest) = current_target().panel_bytes, current_target().filter_sums
    row_bytes = sizes.filters * windows.columns * itemsize
    # Rows at a time: the most that divide the image and leave the gradients of all filters in the cache.
    divisors = [b for b in range(windows.rows, 0, -1) if windows.rows % b == 0]
    fitting = [b for b in divisors if windows.is_direct or windows.channel_size(b) * itemsize <= most]
    long = [b for b in fitting if b * windows.columns >= shortest] or fitting[:1] or [1]
    rows = next((b for b in long if b * row_bytes <= most), long[-1])
    # Channels: as many as fit, but at least four panels where there are so many channels.
    size, elements = windows.channel_size(rows), sizes.filters * rows * windows.columns
    fourths = [c for c in range(1, max(1, sizes.channels // 4) + 1) if sizes.channels % c == 0]
    channels = fourths[-1]
    if not windows.is_direct:
        channels = max((c for c in fourths if c * size * itemsize <= most), default=1)
        elements = max(elements, channels * size)
    # Images at a time, so that the sums of small images are long.
    images = max(1, min(most // (elements * itemsize), longest // (rows * windows.columns)))
    yield from _divided(FilterPlan(sizes, windows, itemsize, channels, rows, images, False))


def _by_columns(sizes: Sizes, windows: Windows, itemsize: int) -> Iterator[FilterPlan]:
    """For each number of channels the plan with as many rows as leave its panel and its strips in the cache."""
    most, longest = current_target().panel_bytes, current_target().filter_sums[1]
    divisors = [b for b in range(windows.rows, 0, -1) if windows.rows % b == 0]
    for channels in (c for c in range(1, sizes.channels + 1) if sizes.channels % c == 0):
        for rows in divisors:
            plan = FilterPlan(sizes, windows, itemsize, channels, rows, 1, True)
            panel = 0 if windows.is_direct else channels * windows.channel_size(rows)
            is_long = plan.pixels > longest and rows > 1
            if not is_long and max(panel, plan.padded * plan.pixels) * itemsize <= most:
                yield from _divided(plan)
                break

"""The elements under the windows of an image, laid out so that the same place of all windows is one run of memory.

For each shift along the width that the windows make, a panel holds a copy of the image's rows, shifted, with zeros
where the window leaves the image: `panel[channel][shift][row][column of the result]`. A shift along the height is then
only an offset, so a panel has as many copies of an image as a filter is wide, not as it has elements. Where a panel
holds one row of windows, a shift along the width is only an offset, too, and there are as many copies as the windows'
step has remainders: of a longer row each.
Source: Cho, Brand, MEC: Memory-efficient Convolution for Deep Neural Network, 2017.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby, pairwise
from math import gcd

from ....ops.kernel_expressions import Expr, Operand, any_of, expr, larger, smaller
from ..element import literal
from ..nest import Memory, Nest

MOST_SHIFTS = 8  # for each of which a panel's rows are filled by a call of its own
MOST_STEP = 4  # along rows, of which `shifted_*` takes the elements
Rows = tuple[Expr, Expr, Operand]  # of a band: the first one in the image, that behind the last, and how many there are
Tap = tuple[int, int, int]  # row shift, column shift, offset of its number in the filter


@dataclass(frozen=True)
class Windows:
    """Windows over images of `height` x `width`: the one at (y, x) of `rows` x `columns` has, for each of its taps,
    the element at (y * step[0] + row shift, x * step[1] + column shift).

    images: of so many, which are small, a panel's rows have the windows side by side.
    """

    height: int
    width: int
    rows: int
    columns: int
    step: tuple[int, int]
    taps: tuple[Tap, ...]
    images: int = 1

    @cached_property
    def shifts(self) -> range:
        """The column shifts, at equal distances; some may be used by no tap."""
        found = sorted({column for _, column, _ in self.taps})
        gap = gcd(*(b - a for a, b in pairwise(found)))
        return range(found[0], found[-1] + 1, gap or 1)

    @cached_property
    def is_direct(self) -> bool:
        """Whether the image itself is such a panel: no shifts along the width, no window that leaves the image."""
        rows = [row for row, _, _ in self.taps]
        return (
            self.images == 1
            and self.shifts == range(1)
            and self.step == (1, 1)
            and self.columns == self.width
            and min(rows) >= 0
            and self.rows - 1 + max(rows) < self.height
        )

    def _quotients(self, axis: int) -> dict[int, tuple[int, int]]:
        """Shifts along an axis by their remainder to the step: the least and the greatest quotient."""
        found: dict[int, tuple[int, int]] = {}
        for tap in self.taps:
            quotient, rest = divmod(tap[axis], self.step[axis])
            low, high = found.get(rest, (quotient, quotient))
            found[rest] = min(low, quotient), max(high, quotient)
        return found

    @cached_property
    def _spans(self) -> list[tuple[int, int, int]]:
        """Of each band of a panel's rows the remainder, the least quotient, and rows beyond those of the windows."""
        return [(rest, low, high - low) for rest, (low, high) in self._quotients(0).items()]

    def _bands(self, block: int) -> list[tuple[int, int, int, int]]:
        """Of each band the remainder, the least quotient, the number of rows, and where they start in a panel."""
        starts = accumulate((block + more for *_, more in self._spans), initial=0)
        return [(rest, low, block + more, at) for (rest, low, more), at in zip(self._spans, starts, strict=False)]

    def stored_rows(self, block: int) -> int:
        """Rows that a panel of `block` rows of windows holds of each channel and shift."""
        return sum(block + more for *_, more in self._spans)

    @cached_property
    def _runs(self) -> dict[int, tuple[int, int]]:
        """The same of column shifts, the first shift first."""
        return dict(sorted(self._quotients(1).items(), key=lambda run: run[1][0] * self.step[1] + run[0]))

    def _has_all_shifts(self, block: int) -> bool:
        """Whether a panel has a copy of its rows for each shift."""
        return block > 1 or self.images > 1

    def copies(self, block: int) -> Sequence[int]:
        """The columns of the image at which the rows of a panel's copies start; a range where they are equally far."""
        if self._has_all_shifts(block):
            return self.shifts
        starts = [low * self.step[1] + rest for rest, (low, _) in self._runs.items()]
        gap = starts[1] - starts[0] if len(starts) > 1 else 1
        equal = range(starts[0], starts[-1] + 1, gap)
        return equal if list(equal) == starts else starts

    def row_size(self, block: int) -> int:
        """Elements of a row of a copy."""
        return self.images * self._image_size(block)

    def _image_size(self, block: int) -> int:
        """Elements of an image in a row of a copy."""
        if self._has_all_shifts(block):
            return self.columns
        return self.columns + max(high - low for low, high in self._runs.values())

    def channel_size(self, block: int) -> int:
        """Elements of a panel per channel."""
        if self.is_direct:
            return self.height * self.width
        return len(self.copies(block)) * self.stored_rows(block) * self.row_size(block)

    def offset(self, tap: Tap, block: int) -> int:
        """Where the tap of the panel's first window lies, relative to the channel."""
        row, column, _ = tap
        if self.is_direct:
            return row * self.width
        quotient, rest = divmod(row, self.step[0])
        (line,) = (start + quotient - low for other, low, _, start in self._bands(block) if other == rest)
        if self._has_all_shifts(block):
            copy, further = self.shifts.index(column), 0
        else:
            shift, remainder = divmod(column, self.step[1])
            copy, further = list(self._runs).index(remainder), shift - self._runs[remainder][0]
        return (copy * self.stored_rows(block) + line) * self.row_size(block) + further

    def fill(
        self, nest: Nest, panel: Memory, source: Memory, first_row: Expr, channels: Operand, block: int,
        images: tuple[Operand, int] = (1, 0),
    ) -> None:  # fmt: skip
        """Fill a panel with the windows from row `first_row` on: so many channels of `source`, `block` rows of each.

        images: how many of those that lie side by side there are, and how far apart they are in the source.
        """
        count_of_images, distance = images
        with nest.loop("c", 0, channels) as c:
            for rest, low, count, stored in self._each_band(nest, block):
                h = nest.let("h", first_row + low)  # of the band's first row, in steps
                top = nest.let("top", larger(0, smaller(count, 0 - h)))
                rows = (expr(self.height - 1) - rest) // self.step[0] + 1  # of the image that such a band has
                bottom = nest.let("bottom", larger(top, smaller(count, rows - h)))
                line = nest.let("line", source.start + (c * self.height + h * self.step[0] + rest) * self.width)
                first = nest.let("to", panel.start + c * self.channel_size(block) + stored * self.row_size(block))
                band, image = Memory(panel.pointer, first), Memory(source.pointer, line)
                if self.images == 1:
                    self._fill_rows(nest, band, image, (top, bottom, count), block)
                    continue
                with nest.loop("m", 0, count_of_images) as m:
                    place = Memory(source.pointer, nest.let("image_at", line + m * distance))
                    self._fill_rows(nest, band.plus(m * self.columns), place, (top, bottom, count), block)

    def _each_band(self, nest: Nest, block: int) -> Iterator[tuple[Operand, ...]]:
        """What `_bands` has. Bands whose numbers change by equal steps, as those of any two do, are one, in a loop."""
        names = ("band_shift", "band_low", "band_rows", "band_start")
        for first, step, count in _progressions(self._bands(block)):
            if count == 1:
                yield first
                continue
            with nest.loop("band", 0, count) as band:
                yield tuple(nest.let(n, a + band * b) for n, a, b in zip(names, first, step, strict=True))

    def _fill_rows(self, nest: Nest, band: Memory, image: Memory, rows: Rows, block: int) -> None:
        """Fill the rows of a band, of each shift's copy: a call for each shift, with bounds that are known, as long as
        shifts are few and steps short.
        """
        starts, between = self.copies(block), self.stored_rows(block) * self.row_size(block)
        if not isinstance(starts, range) or (len(starts) <= MOST_SHIFTS and self.step[1] <= MOST_STEP):
            for k, number in enumerate(starts):
                self._fill_copy(nest, band.plus(k * between), image, number, rows, block)
            return
        with nest.loop("k", 0, len(starts)) as copy:
            shift = nest.let("shift", starts.start + copy * starts.step)
            self._fill_copy(nest, band.plus(copy * between), image, shift, rows, block)

    def _fill_copy(self, nest: Nest, band: Memory, image: Memory, shift: int | Expr, rows: Rows, block: int) -> None:
        """Fill such rows of a copy, from the image's rows that lie from `image` on."""
        step, (top, bottom, count), distance = self.step[1], rows, self.step[0] * self.width
        columns, pitch = self._image_size(block), self.row_size(block)
        if isinstance(shift, int) and step <= MOST_STEP:
            low = max(0, min(columns, (step - 1 - shift) // step))
            high = max(low, min(columns, (self.width - 1 - shift) // step + 1))
            nest.do(
                f"shifted_{nest.result.dtype.short}", columns, low, high, step, top, bottom - top, count - bottom,
                *image.plus(top * distance).plus(shift), distance, *band, pitch,
            )  # fmt: skip
            return
        first = nest.let("low", larger(0, smaller(columns, (step - 1 - shift) // step)))
        end = nest.let("high", larger(first, smaller(columns, (self.width - 1 - shift) // step + 1)))
        with nest.loop("i", 0, count) as i:
            target, line = band.plus(nest.let("row", i * pitch)), image.plus(nest.let("line_at", i * distance + shift))
            with nest.when(any_of(i < top, i >= bottom)):
                self._clear(nest, target, 0, columns)
            with nest.otherwise():
                self._clear(nest, target, 0, first)
                with nest.loop("j", first, end) as j:
                    nest.store(target[j], line[j if step == 1 else j * step])
                self._clear(nest, target, end, columns)

    def _clear(self, nest: Nest, target: Memory, start: Operand, stop: Operand) -> None:
        """Zeros at some elements of a row."""
        if start is not stop and start != stop:
            with nest.loop("j", start, stop) as j:
                nest.store(target[j], literal(0.0, nest.result.dtype))


Numbers = tuple[int, ...]


def fill_table(
    nest: Nest, table: Expr, start: int, phases: Sequence[Sequence[Numbers]], channels: int, a: int, b: int
) -> list[int]:
    """Fill a table, phase by phase, with the two offsets of each tap of each channel; gives where each phase starts.

    phases: offsets (in a, in b) of the taps. a, b: how far apart the channels are in them.
    """
    starts = []
    for taps in phases:
        starts.append(start)
        if len(taps) == 1:
            nest.do("pairs_i64", table, start, channels, taps[0][0], a, taps[0][1], b)
        elif taps:
            with nest.loop("c", 0, channels) as c:
                at = nest.let("at", start + c * (2 * len(taps)))
                for first, outer, count, inner, length in _regular(taps):
                    with nest.loop("y", 0, count) as y:
                        of_a, of_b = (c * stride + first[k] + y * outer[k] for k, stride in enumerate((a, b)))
                        nest.do("pairs_i64", table, at, length, of_a, inner[0], of_b, inner[1])
                        nest.let(at, at + 2 * length)
        start += 2 * channels * len(taps)
    return starts


def _regular(pairs: Sequence[Numbers]) -> list[tuple[Numbers, Numbers, int, Numbers, int]]:
    """The pairs in order as (first, step, count, inner step, length): rows of equal steps, and rows of such rows.

    >>> _regular([(0, 0), (1, 8), (2, 4), (3, 12)])
    [((0, 0), (2, 4), 2, (1, 8), 2)]
    """
    rows = [(first, step, count) for first, step, count in _progressions(pairs)]
    found: list[tuple[Numbers, Numbers, int, Numbers, int]] = []
    for (step, length), group in groupby(rows, key=lambda row: row[1:]):
        starts = [first for first, _, _ in group]
        found += [(first, outer, count, step, length) for first, outer, count in _progressions(starts)]
    return found


def _progressions(items: Sequence[Numbers]) -> list[tuple[Numbers, Numbers, int]]:
    """Tuples of numbers as (first, step, count), cut where the step changes."""
    found: list[tuple[Numbers, Numbers, int]] = []
    for item in items:
        if found:
            first, step, count = found[-1]
            gap = tuple(n - a - b * (count - 1) for n, a, b in zip(item, first, step, strict=True))
            if count == 1 or gap == step:
                found[-1] = first, gap, count + 1
                continue
        found.append((item, (0,) * len(item), 1))
    return found

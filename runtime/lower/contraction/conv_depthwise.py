"""Convolutions in which each channel has one filter of its own (depthwise): sums that stay in registers.

A plane of a channel lies in memory with its margins, so that a filter element is an offset; with steps along the width
there is a plane for each remainder of the columns. For the gradient of the images zeros lie between the columns of a
plane instead, and a row of results has those taps that meet rows of the plane. Several rows of results are summed at
once: an element of the plane is read once for all rows whose windows hold it. Each sum adds its products in the order
of the filter.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product as pairs

from ....base.target import current_target
from ....ops.dims import DimLike, product
from ....ops.kernel_expressions import ZERO, Expr, Name, Operand, call, expr, larger, smaller
from ...kernel.kernel_call import Kernel
from ...kernel.statements import LoopKind
from ..element import literal
from ..groups.axes import kind_of
from ..nest import Memory, Nest
from ..registry import ContractionGroup
from .conv_sizes import Sizes
from .epilogue import Epilogue, image_index
from .panel import MOST_STEP, Tap

_MOST_STATEMENTS = 200  # products in the text of a kernel
_ROWS_AT_ONCE = (7, 6, 5, 4, 3, 2, 1)


def _are_single(sizes: Sizes, columns: int) -> bool:
    """Whether channels are filtered one by one, to rows of enough elements."""
    single = sizes.groups > 1 and sizes.channels == sizes.filters == 1
    return single and columns >= current_target().depthwise.columns


@dataclass(frozen=True)
class DepthwisePlan:
    """Result[y, x] = the sum over taps of filter[tap] * source[(y * step + row of the tap) / spread, …], x alike.

    Where these aren't whole numbers there is no source. One of step and spread is (1, 1).
    """

    batch: DimLike
    channels: int
    source: tuple[int, int]
    result: tuple[int, int]
    step: tuple[int, int]
    taps: tuple[Tap, ...]
    itemsize: int
    spread: tuple[int, int] = (1, 1)

    @staticmethod
    def forward(sizes: Sizes, itemsize: int) -> DepthwisePlan | None:
        """Of the convolution of images with filters; None where its channels are not filtered one by one."""
        if not _are_single(sizes, sizes.result[1]):
            return None
        return DepthwisePlan(
            sizes.batch, sizes.groups, sizes.image, sizes.result, sizes.stride, sizes.forward_taps(), itemsize
        )

    @staticmethod
    def backward(sizes: Sizes, itemsize: int) -> DepthwisePlan | None:
        """Of gradients back to the images, whose rows the filters' steps divide; as many are summed at once."""
        step = sizes.stride[0]
        if not _are_single(sizes, sizes.image[1]) or sizes.image[0] % step or step > current_target().depthwise.sums:
            return None
        (taps,) = replace(sizes, stride=(1, 1)).phases()
        return DepthwisePlan(sizes.batch, sizes.groups, sizes.result, sizes.image, (1, 1), taps, itemsize, sizes.stride)

    def line(self, row: int, tap: Tap) -> int | None:
        """The row of the source that a row of results meets with a tap, from the first one of a tile on."""
        line, between = divmod(row * self.step[0] + tap[0], self.spread[0])
        return None if between else line

    # -- sums at once ------------------------------------------------------------------------------

    @cached_property
    def tile(self) -> tuple[int, int]:
        """Rows and columns of results that are summed at once."""
        lanes, columns = current_target().lanes(self.itemsize), self.result[1]
        widths = [lanes // 2 if columns <= lanes // 2 else lanes]
        widths += [lanes * count for count in (2, 4) if lanes * count <= columns]
        spread = self.spread[0]
        heights = [h for h in _ROWS_AT_ONCE if h <= self.span and h * len(self.taps) <= _MOST_STATEMENTS * spread]
        heights = [h for h in heights if h % spread == 0] or [spread]
        fitting = [t for t in pairs(heights, widths) if t[0] * t[1] <= current_target().depthwise.sums * lanes]
        return min(fitting, key=lambda tile: self._cost(*tile))

    def _cost(self, height: int, width: int) -> float:
        lines = [line for y in range(height) for tap in self.taps if (line := self.line(y, tap)) is not None]
        reads = len(set(lines)) * len({column for _, column, _ in self.taps})
        blocks = -(-self.span // height) * -(-self.result[1] // width)
        limits = current_target().depthwise
        each = len(lines) + limits.read * reads
        return blocks * (each * width / current_target().lanes(self.itemsize) + limits.start)

    # -- the plane ---------------------------------------------------------------------------------

    @cached_property
    def span(self) -> int:
        """Rows of results that share a plane: all, if it stays in the nearest cache."""
        spread, most = self.spread[0], 2 * current_target().stash_elements * 4 // self.itemsize
        rows = self.result[0] // spread
        spans = (-(-rows // n) * spread for n in range(1, rows))
        return next((span for span in spans if self.plane_size(span) <= most), spread)

    @cached_property
    def first_row(self) -> int:
        return min(self._lines(range(self.spread[0])))

    def _lines(self, rows: range) -> list[int]:
        """The rows of the source that these rows of results meet."""
        return [line for row in rows for tap in self.taps if (line := self.line(row, tap)) is not None] or [0]

    @cached_property
    def remainders(self) -> list[int]:
        """Which remainders of the columns, to the step, the taps read."""
        return sorted({column % self.step[1] for _, column, _ in self.taps})

    @cached_property
    def first_shift(self) -> int:
        return min(column // self.step[1] for _, column, _ in self.taps)

    @cached_property
    def pitch(self) -> int:
        """Elements from one row of a plane to the next."""
        return self.result[1] + max(column // self.step[1] for _, column, _ in self.taps) - self.first_shift

    def stored_rows(self, span: int) -> int:
        """Rows of a plane."""
        return max(self._lines(range(span - self.spread[0], span))) - self.first_row + 1

    def plane_size(self, span: int) -> int:
        """Elements of the planes of all remainders, with what a last vector reads beyond them."""
        return len(self.remainders) * self.stored_rows(span) * self.pitch + current_target().lanes(self.itemsize)

    def columns_inside(self, number: int) -> tuple[int, int, int]:
        """Of the plane of a remainder: the source's column of a row's first element, and which columns of the plane,
        from the first one to that behind the last, lie in the source.
        """
        step, width = self.step[1], self.source[1]
        start = self.first_shift * step + self.remainders[number]
        low = max(0, min(self.pitch, -(start // step)))
        return start, low, max(low, min(self.pitch, (width - 1 - start) // step + 1))

    def offset(self, line: int, column: int) -> int:
        """Where the element under a window's tap lies in the planes, relative to where the window starts."""
        shift, remainder = divmod(column, self.step[1])
        line += self.remainders.index(remainder) * self.stored_rows(self.span) - self.first_row
        return line * self.pitch + shift - self.first_shift


class Depthwise(Nest):
    """The kernel of a convolution of single channels."""

    def __init__(self, group: ContractionGroup, plan: DepthwisePlan) -> None:
        super().__init__(group.head, group.name)
        self.plan = plan
        self.source, self.weight = (self.parameters.pointer(v) for v in group.head.operands)
        self.epilogue = Epilogue(group, self.parameters, self)
        self.zero = literal(0.0, self.result.dtype)
        self.blocks = -(-plan.result[0] // plan.span)
        self.height, self.width = plan.tile
        self.step = max(plan.result[1], self.width)  # from one row of sums to the next

    def kernel(self) -> Kernel:
        """The finished kernel."""
        plan = self.plan
        (height, width), taps = plan.result, len(plan.taps)
        extent = plan.batch * (plan.channels * self.blocks)
        self.remark(f"{self.height} x {self.width} sums at once over a plane with its margins.")
        plane = self.area("plane_at", plan.plane_size(plan.span), extent)
        sums = self.area("sums_at", plan.span * self.step, extent)
        dense = sums
        if self.step != width:
            dense = self.area("dense_at", plan.span * width + self.width, extent)
        with self.loop("j", 0, plan.plane_size(plan.span)) as j:
            self.store(plane[j], self.zero)
        with self.rows([plan.batch, plan.channels, self.blocks]) as (n, channel, number):
            y0 = self.let("y0", smaller(number * plan.span, height - plan.span))
            self._fill(plane, n * plan.channels + channel, y0)
            self._sum(plane, sums, channel)
            if dense is not sums:
                with self.loop("y", 0, plan.span) as y, self._vectors() as j:
                    self.store(dense.plus(y * width)[j], sums.plus(y * self.step)[j])
            with self.epilogue.loop("j", 0, plan.span * width) as j:
                pixel = self.let("pixel", y0 * width + j)
                self.epilogue.store(dense[j], image_index(self.operation, n, channel, pixel))
        overlaps = height % plan.span != 0  # then some elements are computed twice
        work = extent * (plan.span * width * (taps + self.epilogue.weight))
        in_place = {} if overlaps else self.epilogue.in_place(self.operation.operands)
        made = self.finish(extent, work if self.blocks == 1 else product((extent, plan.span * width * taps)))
        return replace(made, parts=current_target().threads.pieces, in_place=in_place)

    def _vectors(self) -> AbstractContextManager[Name]:
        """The loop over the columns of a tile."""
        return self.loop("j", 0, self.width, kind=LoopKind.BLOCK)

    # -- the plane ---------------------------------------------------------------------------------

    def _fill(self, plane: Memory, image: Expr, y0: Name) -> None:
        """Copy the rows that the windows see; margins are zeros since the start, and rows outside become zeros."""
        plan = self.plan
        height, width, stored = *plan.source, plan.stored_rows(plan.span)
        top, bottom = self._rows_inside(y0)
        line = self.let("line", (image * height + self._line(y0) + plan.first_row) * width)
        before, behind = (top, stored - bottom) if self.blocks > 1 else (expr(0), expr(0))
        if plan.spread[1] > 1 or plan.step[1] > MOST_STEP:
            self._clear_rows(plane, before, behind)
            with self.loop("i", top, bottom) as i:
                self._fill_row(plane, i, self.let("from_row", line + i * width))
            return
        for number in range(len(plan.remainders)):
            start, low, high = plan.columns_inside(number)
            target = plane.plus((top - before + number * stored) * plan.pitch + low)
            if low < high:
                self.do(
                    f"shifted_{self.result.dtype.short}", high - low, 0, high - low, plan.step[1], before, bottom - top,
                    behind, self.source, line + (top * width + start + low * plan.step[1]), width, *target, plan.pitch,
                )  # fmt: skip

    def _clear_rows(self, plane: Memory, before: Expr, behind: Expr) -> None:
        """Zeros in the first and last rows of each plane."""
        pitch, stored = self.plan.pitch, self.plan.stored_rows(self.plan.span)
        with self.loop("k", 0, len(self.plan.remainders)) as k:
            rows = plane.plus(k * (stored * pitch))
            for first, count in ((expr(0), before), (stored - behind, behind)):
                with self.loop("j", 0, count * pitch) as j:
                    self.store(rows.plus(first * pitch)[j], self.zero)

    def _rows_inside(self, y0: Name) -> tuple[Expr, Expr]:
        """The first row of a plane that lies in the source, and the one behind the last."""
        height, stored = self.plan.source[0], self.plan.stored_rows(self.plan.span)
        if self.blocks == 1:
            first = max(0, min(stored, -self.plan.first_row))
            return expr(first), expr(max(first, min(stored, height - self.plan.first_row)))
        h = self.let("h", self._line(y0) + self.plan.first_row)
        top = self.let("top", larger(0, smaller(stored, 0 - h)))
        return top, self.let("bottom", larger(top, smaller(stored, height - h)))

    def _line(self, row: Expr) -> Expr:
        """The row of the source where the window of a row of results starts."""
        step, spread = self.plan.step[0], self.plan.spread[0]
        return row // spread if spread > 1 else row * step

    def _fill_row(self, plane: Memory, row: Expr, line: Expr) -> None:
        """Fill a row of each plane from where the source's row starts; zeros lie between and beside since the start."""
        plan = self.plan
        step, spread, width = plan.step[1], plan.spread[1], plan.source[1]
        if spread > 1:
            start = -plan.first_shift  # of the source's first column
            low, high = max(0, -(start // spread)), min(width, (plan.pitch - 1 - start) // spread + 1)
            with self._along(low, high) as j:
                self.store(plane.plus(row * plan.pitch).plus(j * spread)[start], self.source[line + j])
            return
        for number in range(len(plan.remainders)):
            start, low, high = plan.columns_inside(number)
            target = plane.plus((row + number * plan.stored_rows(plan.span)) * plan.pitch)
            with self._along(low, high) as j:
                column = line + j * step
                self.store(target[j], self.source[column + start if start >= 0 else column - -start])

    def _along(self, low: int, high: int) -> AbstractContextManager[Name]:
        """The loop over some columns of a row."""
        return self.loop("j", low, high, kind=kind_of(high - low, current_target().depthwise.columns))

    # -- sums --------------------------------------------------------------------------------------

    def _sum(self, plane: Memory, sums: Memory, channel: Expr) -> None:
        """All sums of a block of rows."""
        plan = self.plan
        filters = [self.let(f"f{k}", self.weight[channel * len(plan.taps) + tap[2]]) for k, tap in enumerate(plan.taps)]
        with self._starts("y", plan.span, self.height) as y, self._starts("x", plan.result[1], self.width) as x:
            at = self.let("at", plane.start + self._line(y) * plan.pitch + x)
            to = self.let("to", sums.start + y * self.step + x)
            with self._vectors() as j:
                totals: dict[int, Name] = {}
                for offset, users in self._reads():
                    value = self.let("v", plane.pointer[at + offset + j])
                    for row, tap in users:
                        start: Operand = totals.get(row, self.zero)
                        totals[row] = self.let(f"s{row}", call("fast_multiply_add", start, filters[tap], value))
                for row in range(self.height):
                    self.store(sums.pointer[to + row * self.step + j], totals.get(row, self.zero))

    def _reads(self) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """What is read for the sums of a tile, by its offset in the planes: for which rows, under which taps."""
        found: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for row in range(self.height):
            for number, tap in enumerate(self.plan.taps):
                line = self.plan.line(row, tap)
                if line is not None:
                    found.setdefault((line, tap[1]), []).append((row, number))
        for line, column in sorted(found):
            yield self.plan.offset(line, column), found[line, column]

    @contextmanager
    def _starts(self, name: str, size: int, each: int) -> Iterator[Expr]:
        """Where the tiles along an axis start; the last one overlaps the one before where they don't divide it."""
        count = -(-size // each)
        if count <= 1:
            yield ZERO
            return
        with self.loop(f"{name}_tile", 0, count) as tile:
            yield self.let(name, smaller(tile * each, size - each))

"""Pooling over windows of images [n, c, h, w] and its gradients; one plane or row per outermost iteration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ...ir.core import Operation, Value
from ...ops.dims import DimLike, product
from ...ops.kernel_expressions import (
    TRUE,
    Expr,
    Literal,
    Load,
    Name,
    all_of,
    any_of,
    call,
    differ,
    equal,
    invert,
    larger,
    smaller,
    ternary,
)
from ..kernel.kernel_call import Kernel
from .element import extreme
from .nest import Nest, size_of
from .registry import generates


class _Window(Nest):
    """What the pooling kernels share. `image` [n, c, h, w], `pooled` [n, c, oh, ow]."""

    def __init__(self, operation: Operation, image: tuple[DimLike, ...], pooled: tuple[DimLike, ...]) -> None:
        super().__init__(operation)
        attrs = operation.attrs
        kernel: tuple[int, int] = attrs["kernel"]
        stride: tuple[int, int] = attrs["stride"]
        padding: tuple[tuple[int, int], tuple[int, int]] = attrs["padding"]
        (self.kh, self.kw), (self.sh, self.sw) = kernel, stride
        (self.top, self.bottom), (self.left, self.right) = padding
        self.image, self.pooled = image, pooled
        self.short = operation.result.dtype.short

    # -- windows that may leave the image ----------------------------------------------------------

    def row_bounds(self, row: Expr, height: Expr) -> None:
        """h0, h1: the rows of the image under a window."""
        first = row * self.sh - self.top
        self.let("h0", larger(0, first))
        self.let("h1", smaller(height, first + self.kh))

    def column_bounds(self, column: Expr, width: Expr) -> None:
        """w0, w1: the columns of the image under a window."""
        first = column * self.sw - self.left
        self.let("w0", larger(0, first))
        self.let("w1", smaller(width, first + self.kw))

    def bounds(self, row: Expr, column: Expr) -> None:
        """h0, h1, w0, w1: the part of the window inside the image."""
        height, width = self.dim(self.image[2]), self.dim(self.image[3])
        self.row_bounds(row, height)
        self.column_bounds(column, width)

    @contextmanager
    def inside(self) -> Iterator[tuple[Name, Name]]:
        """The loops over the elements between the bounds; gives their row and column."""
        with self.loop("h", "h0", "h1") as h, self.loop("w", "w0", "w1") as w:
            yield h, w

    def argmax(self, operand: int, lead: Sequence[Expr]) -> tuple[Name, Name]:
        """The first maximum (a NaN wins) between the bounds, and its place in the plane."""
        floating = self.operation.operands[operand].dtype.is_floating
        width = self.dim(self.image[3])
        place = self.let("place", Name("h0") * width + "w0")
        best = self.let("best", self.load(operand, [*lead, "h0", "w0"]))
        with self.inside() as (h, w):
            x = self.let("x", self.load(operand, [*lead, h, w]))
            is_nan = [all_of(differ(x, x), equal(best, best))] if floating else []
            with self.when(any_of(x > best, *is_nan)):
                self.let(best, x)
                self.let(place, h * width + w)
        return best, place

    def count(self, row: Expr, column: Expr | None) -> Expr:
        """How many elements the window averages (after `bounds`). column None: its columns are all inside the image."""
        attrs = self.operation.attrs
        if attrs["divisor"]:
            return Literal(attrs["divisor"])
        if attrs["exclusive"]:
            rows = Name("h1") - "h0"
            return rows * (self.kw if column is None else Name("w1") - "w0")
        height, width = self.dim(self.image[2]), self.dim(self.image[3])
        y = row * self.sh - self.top
        rows = smaller(height + self.bottom, y + self.kh) - y
        if column is None:
            return rows * self.kw
        x = column * self.sw - self.left
        return rows * (smaller(width + self.right, x + self.kw) - x)

    def each_end(self, low: Expr, high: Expr, body: Callable[[], None]) -> None:
        """A body for each window of a row that leaves the image left or right: with j, w0 and w1."""
        columns = self.dim(self.pooled[3])
        ends: tuple[tuple[Expr | None, Expr], ...] = ((None, low), (high, columns - high))
        for end, count in ends:
            with self.loop("k", 0, count) as k:
                j = self.let("j", k if end is None else end + k)
                self.column_bounds(j, self.dim(self.image[3]))
                body()

    # -- windows inside the image ------------------------------------------------------------------

    def fits(self) -> bool:
        """Whether every window lies inside the image, so that it can be unrolled without bounds."""
        if self.top or self.left or self.kh * self.kw > 16:
            return False
        pairs = zip(self.image[2:], self.pooled[2:], (self.kh, self.kw), (self.sh, self.sw), strict=True)
        return all(isinstance(n, int) and isinstance(o, int) and (o - 1) * s + k <= n for n, o, k, s in pairs)

    def taps(self) -> list[tuple[int, int]]:
        """The places in a window, row by row."""
        return [(y, x) for y in range(self.kh) for x in range(self.kw)]

    def shifted(self, image: Value, index: Sequence[Expr], shift: int) -> Load:
        """The element of an image so many columns behind an index."""
        pointer = self.parameters.pointer(image, "out" if image is self.result else "in")
        return pointer[self.parameters.at(image, index) + shift]

    def under(self, image: Value, lead: Sequence[Expr], window: tuple[Expr, Expr], tap: tuple[int, int]) -> Load:
        """The element of an image under a tap of a window."""
        (row, column), (y, x) = window, tap
        return self.shifted(image, [*lead, row * self.sh + y, column * self.sw], x)

    def work(self) -> DimLike:
        """Elements under all windows."""
        return product(self.pooled) * (self.kh * self.kw)


@generates("window.max_pool2d")
def max_pool2d(operation: Operation) -> Kernel:
    """One output row per iteration."""
    (image,) = operation.operands
    nest = _Window(operation, image.tensor_type.shape, operation.result.tensor_type.shape)
    lowest = extreme(nest.short, -1)

    def fold(a: Expr, b: Expr) -> Expr:
        return call(f"largest_{nest.short}", a, b)

    with nest.rows(nest.pooled[:3]) as (n, c, row):
        if not nest.fits():
            _fold_rows(nest, (n, c, row), lowest, fold)
        else:
            with nest.loop("j", 0, nest.dim(nest.pooled[3])) as j:
                a = nest.let("a", lowest)
                for tap in nest.taps():
                    nest.let(a, fold(a, nest.under(image, (n, c), (row, j), tap)))
                nest.store(nest.out([n, c, row, j]), a)
    return nest.finish(product(nest.pooled[:3]), nest.work())


Fold = Callable[[Expr, Expr], Expr]


def _fold_rows(nest: _Window, place: tuple[Expr, Expr, Expr], start: Expr, fold: Fold) -> tuple[Expr, Expr]:
    """One output row: each row of the windows is folded into it, so that the loops run over columns and vectorise.

    Gives the columns between which windows are inside the image.
    """
    (image,), (n, c, row), j = nest.operation.operands, place, Name("j")
    width, columns = nest.dim(nest.image[3]), nest.dim(nest.pooled[3])
    out = nest.out([n, c, row, j])
    low = nest.let("low", smaller(-(-nest.left // nest.sw), columns))
    high = nest.let("high", larger(low, smaller(columns, (width + (nest.left - nest.kw)) // nest.sw + 1)))
    with nest.loop("j", 0, columns):
        nest.store(out, start)
    nest.row_bounds(row, nest.dim(nest.image[2]))
    with nest.loop("h", "h0", "h1") as h:
        with nest.loop("j", low, high):
            a = nest.let("a", out)
            for x in range(nest.kw):
                nest.let(a, fold(a, nest.shifted(image, [n, c, h, j * nest.sw], x - nest.left)))
            nest.store(out, a)

        def fold_end() -> None:
            with nest.loop("w", "w0", "w1") as w:
                nest.store(out, fold(out, nest.load(0, [n, c, h, w])))

        nest.each_end(low, high, fold_end)
    return low, high


@generates("window.max_pool2d_index")
def max_pool2d_index(operation: Operation) -> Kernel:
    """One output row per iteration."""
    nest = _Window(operation, operation.operands[0].tensor_type.shape, operation.result.tensor_type.shape)
    with nest.rows(nest.pooled[:3]) as (n, c, row), nest.loop("j", 0, nest.dim(nest.pooled[3])) as j:
        nest.bounds(row, j)
        _, place = nest.argmax(0, (n, c))
        nest.store(nest.out([n, c, row, j]), place)
    return nest.finish(product(nest.pooled[:3]), nest.work())


@generates("window.max_pool2d_grad")
def max_pool2d_grad(operation: Operation) -> Kernel:
    """One image plane per iteration: each window's gradient goes to its first maximum."""
    g, x = operation.operands
    nest = _Window(operation, x.tensor_type.shape, g.tensor_type.shape)
    size = nest.dim(product(nest.image[2:]))
    out = nest.parameters.pointer(nest.result, "out")
    with nest.rows(nest.image[:2]) as (n, c):
        if nest.fits() and (nest.kh, nest.kw) == (nest.sh, nest.sw):
            _spread(nest, (n, c))
        else:
            plane = Name("r") * size
            with nest.loop("k", 0, size) as k:
                nest.store(out[plane + k], call(nest.short, 0.0))
            with nest.loops(nest.pooled[2:], "o") as (row, column):
                nest.bounds(row, column)
                _, place = nest.argmax(1, (n, c))
                nest.store(out[plane + place], out[plane + place] + nest.load(0, [n, c, row, column]))
    return nest.finish(product(nest.image[:2]), size_of(x) + nest.work())


def _spread(nest: _Window, lead: tuple[Expr, Expr]) -> None:
    """Windows that neither overlap nor leave gaps: each element of an image plane is written once, without branches."""
    zero = call(nest.short, 0)
    height, width = nest.dim(nest.image[2]), nest.dim(nest.image[3])
    rows, columns = nest.dim(nest.pooled[2]), nest.dim(nest.pooled[3])
    with nest.loop("i", 0, rows) as i:
        with nest.loop("j", 0, columns) as j:
            _spread_window(nest, lead, (i, j))
        with nest.loop("h", i * nest.sh, (i + 1) * nest.sh) as h, nest.loop("w", columns * nest.sw, width) as w:
            nest.store(nest.out([*lead, h, w]), zero)
    with nest.loop("h", rows * nest.sh, height) as h, nest.loop("w", 0, width) as w:
        nest.store(nest.out([*lead, h, w]), zero)


def _spread_window(nest: _Window, lead: tuple[Expr, Expr], window: tuple[Expr, Expr]) -> None:
    """One window: its gradient goes to the first maximum, 0 to the other elements."""
    image = nest.operation.operands[1]
    elements = [nest.let(f"x{k}", nest.under(image, lead, window, tap)) for k, tap in enumerate(nest.taps())]
    best = nest.let("best", elements[0])
    for x in elements[1:]:
        nest.let(best, call(f"largest_{nest.short}", best, x))
    share = nest.let("share", nest.load(0, [*lead, *window]))
    free = nest.let("free", TRUE)
    for x, tap in zip(elements, nest.taps(), strict=True):
        is_best = equal(x, best)
        # If an element is NaN, the best is one, too.
        wins = nest.let("wins", free & (is_best | differ(x, x) if image.dtype.is_floating else is_best))
        nest.let(free, free & invert(wins))
        nest.store(nest.under(nest.result, lead, window, tap), ternary(wins, share, call(nest.short, 0)))


@generates("window.avg_pool2d")
def avg_pool2d(operation: Operation) -> Kernel:
    """One output row per iteration; every window is added up row by row, in order."""
    (image,) = operation.operands
    nest = _Window(operation, image.tensor_type.shape, operation.result.tensor_type.shape)
    zero = call(nest.short, 0.0)
    with nest.rows(nest.pooled[:3]) as (n, c, row):
        if not nest.fits():
            _average_rows(nest, (n, c, nest.let("i2", row)))
        else:
            with nest.loop("j", 0, nest.dim(nest.pooled[3])) as j:
                a = nest.let("a", zero)
                for tap in nest.taps():
                    nest.let(a, a + nest.under(image, (n, c), (row, j), tap))
                count = operation.attrs["divisor"] or nest.kh * nest.kw
                nest.store(nest.out([n, c, row, j]), a / call(nest.short, count))
    return nest.finish(product(nest.pooled[:3]), nest.work())


MOST_TAPS = 64  # of a row of a window, that are added one by one
MOST_STRIDED_TAPS = 8  # the same where a loop reads every second element, or fewer


def _average_rows(nest: _Window, place: tuple[Expr, Expr, Expr]) -> None:
    """One output row of averages of windows that may leave the image."""
    (n, c, i), zero, columns = place, call(nest.short, 0.0), nest.pooled[3]
    most = MOST_TAPS if nest.sw == 1 else MOST_STRIDED_TAPS
    if nest.kw <= most and not (isinstance(columns, int) and columns < 4):
        low, high = _fold_rows(nest, place, zero, lambda a, b: a + b)
        out = nest.out([n, c, i, Name("j")])

        def divide_end() -> None:
            nest.store(out, out / call(nest.short, nest.count(i, Name("j"))))

        divisor = nest.let("divisor", call(nest.short, nest.count(i, None)))
        with nest.loop("j", low, high):
            nest.store(out, out / divisor)
        nest.each_end(low, high, divide_end)
        return
    with nest.loop("j", 0, nest.dim(columns)) as j:
        nest.bounds(i, j)
        a = nest.let("a", zero)
        with nest.inside() as (h, w):
            nest.let(a, a + nest.load(0, [n, c, h, w]))
        nest.store(nest.out([n, c, i, j]), a / call(nest.short, nest.count(i, j)))


@generates("window.avg_pool2d_grad")
def avg_pool2d_grad(operation: Operation) -> Kernel:
    """One image plane per iteration: cleared, then each window's share is added to its elements."""
    g = operation.operands[0]
    nest = _Window(operation, operation.result.tensor_type.shape, g.tensor_type.shape)
    with nest.rows(nest.image[:2]) as (n, c):
        with nest.loops(nest.image[2:], "q") as (y, x):
            nest.store(nest.out([n, c, y, x]), call(nest.short, 0.0))
        with nest.loop("i2", 0, nest.dim(nest.pooled[2])) as i, nest.loop("j", 0, nest.dim(nest.pooled[3])) as j:
            nest.bounds(i, j)
            share = nest.let("share", nest.load(0, [n, c, i, j]) / call(nest.short, nest.count(i, j)))
            with nest.inside() as (h, w):
                target = nest.out([n, c, h, w])
                nest.store(target, target + share)
    return nest.finish(product(nest.image[:2]), size_of(operation.result) + nest.work())

"""Direct convolution of images of any size, row by row, and its two gradients. Layout NCHW / OIHW.

Each filter tap adds a scaled row of the input to a row of the output, so the innermost loop runs over the width and
vectorises; padding only narrows its range. The taps of a filter's row are unrolled where they are few.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from ....ir.core import Operation
from ....ops.dims import DimLike, product
from ....ops.kernel_expressions import Expr, Load, Name, Operand, all_of, call, larger, smaller
from ...kernel.kernel_call import Kernel
from ..element import literal
from ..nest import Nest, size_of
from .panel import MOST_SHIFTS

Tap: TypeAlias = tuple[Operand, Operand]


class _Conv(Nest):
    """Names of sizes shared by the three kernels. x [n, c, h, w], g [n, o, oh, ow], weight [o, c / groups, kh, kw]."""

    def __init__(
        self, operation: Operation, x: tuple[DimLike, ...], g: tuple[DimLike, ...], kernel: tuple[int, int]
    ) -> None:
        super().__init__(operation)
        attrs = operation.attrs
        self.x, self.g, self.kernel = x, g, kernel
        (self.sh, self.sw), (self.dh, self.dw) = attrs["stride"], attrs["dilation"]
        (self.top, _), (self.left, _) = attrs["padding"]
        self.groups: int = attrs["groups"]
        self.in_group: DimLike = x[1] // self.groups
        self.out_group: DimLike = g[1] // self.groups
        self.short = operation.result.dtype.short
        self.zero = literal(0.0, operation.result.dtype)

    def taps(self) -> Iterator[Tap]:
        """(tap, shift) along the width: input column = output column * stride + shift. What is written for each is
        written once, in a loop, where they are many.
        """
        for together in self.taps_together():
            yield from together

    def taps_together(self) -> Iterator[list[Tap]]:
        """The taps of a row, all at once where they are few, else one in a loop."""
        count = self.kernel[1]
        if count <= MOST_SHIFTS:
            yield [(k, k * self.dw - self.left) for k in range(count)]
            return
        with self.loop("tap", 0, count) as tap:
            yield [(tap, self.let("shift", tap * self.dw - self.left))]

    @contextmanager
    def columns(self, shift: Operand) -> Iterator[tuple[Name, Expr]]:
        """The loop over output columns whose input column lies inside the image; gives both columns."""
        with self.loop("j", *self._column_range(shift)) as j:
            scaled = j if self.sw == 1 else j * self.sw
            yield j, scaled - -shift if isinstance(shift, int) and shift < 0 else scaled + shift

    def _column_range(self, shift: Operand) -> tuple[Operand, Operand]:
        width, out = self.x[3], self.g[3]
        if not isinstance(shift, int):
            ends = [self._column_range(k * self.dw - self.left) for k in (0, self.kernel[1] - 1)]
            if ends[0] == ends[1] and all(isinstance(end, int) for end in ends[0]):
                return ends[0]
            first = self.let("low", larger(0, (self.sw - 1 - shift) // self.sw))
            high = smaller(self.dim(out), (self.dim(width) - 1 - shift) // self.sw + 1)
            return first, self.let("high", larger(first, high))
        low = max(0, -(shift // self.sw)) if shift < 0 else 0
        if isinstance(width, int) and isinstance(out, int):
            return low, max(low, min(out, (width - 1 - shift) // self.sw + 1))
        columns = self.dim(out)
        return low, larger(low, smaller(columns, (self.dim(width) - 1 - shift) // self.sw + 1))

    @contextmanager
    def image_row(self, out_row: Expr, tap: Expr) -> Iterator[Name]:
        """Gives the input row of output row `out_row` under filter row `tap`; inside, it lies inside the image."""
        h = self.let("h", out_row * self.sh - self.top + tap * self.dh)
        with self.when(all_of(h >= 0, h < self.dim(self.x[2]))):
            yield h

    def add_product(self, target: Load, a: Expr, b: Expr) -> None:
        """`target += a * b`."""
        self.store(target, _multiply_add(target, a, b))

    def group_start(self, channel: Expr, size: DimLike, other_size: DimLike) -> Expr:
        """The first of the channels on the other side, of groups of `other_size`, that `channel` is connected with."""
        return channel // self.dim(size) * self.dim(other_size)


def _multiply_add(total: Expr, a: Expr, b: Expr) -> Expr:
    """`total + a * b`, rounded once where the processor can."""
    return call("fast_multiply_add", total, a, b)


def _kernel_of(shape: tuple[DimLike, ...]) -> tuple[int, int]:
    kh, kw = shape
    assert isinstance(kh, int) and isinstance(kw, int), "filters have static sizes"
    return kh, kw


def conv2d(operation: Operation) -> Kernel:
    """One output row per iteration of the outermost loop."""
    x, weight = operation.operands[:2]
    out = operation.result.tensor_type.shape
    nest = _Conv(operation, x.tensor_type.shape, out, _kernel_of(weight.tensor_type.shape[2:]))
    with nest.rows(out[:3]) as (n, o, row):
        with nest.loop("j", 0, nest.dim(out[3])) as j:
            nest.store(nest.out([n, o, row, j]), nest.zero)
        first = nest.let("first", nest.group_start(o, nest.out_group, nest.in_group))
        with (
            nest.loop("c", 0, nest.dim(nest.in_group)) as c,
            nest.loop("kh", 0, nest.kernel[0]) as kh,
            nest.image_row(row, kh) as h,
        ):
            for tap, shift in nest.taps():
                w = nest.let("w", nest.load(1, [o, c, kh, tap]))
                with nest.columns(shift) as (j, column):
                    target = nest.out([n, o, row, j])
                    nest.add_product(target, w, nest.load(0, [n, first + c, h, column]))
    return nest.finish(product(out[:3]), _work(nest, size_of(operation.result)))


def conv2d_input_grad(operation: Operation) -> Kernel:
    """One image plane per iteration of the outermost loop: rows of the gradient are added where they came from."""
    g, weight = operation.operands
    image = operation.result.tensor_type.shape
    nest = _Conv(operation, image, g.tensor_type.shape, _kernel_of(weight.tensor_type.shape[2:]))
    with nest.rows(image[:2]) as (n, c):
        with nest.loop("h", 0, nest.dim(image[2])) as h, nest.loop("j", 0, nest.dim(image[3])) as j:
            nest.store(nest.out([n, c, h, j]), nest.zero)
        first = nest.let("first", nest.group_start(c, nest.in_group, nest.out_group))
        inner = nest.let("inner", c % nest.dim(nest.in_group))
        with (
            nest.loop("o", 0, nest.dim(nest.out_group)) as o,
            nest.loop("row", 0, nest.dim(nest.g[2])) as row,
            nest.loop("kh", 0, nest.kernel[0]) as kh,
            nest.image_row(row, kh) as h,
        ):
            for tap, shift in nest.taps():
                w = nest.let("w", nest.load(1, [first + o, inner, kh, tap]))
                with nest.columns(shift) as (j, column):
                    target = nest.out([n, c, h, column])
                    nest.add_product(target, w, nest.load(0, [n, first + o, row, j]))
    return nest.finish(product(image[:2]), _work(nest, size_of(operation.operands[0])))


def conv2d_weight_grad(operation: Operation) -> Kernel:
    """One filter plane per iteration of the outermost loop; each tap is a dot product of two sets of rows."""
    x, g = operation.operands
    weight = operation.result.tensor_type.shape
    nest = _Conv(operation, x.tensor_type.shape, g.tensor_type.shape, _kernel_of(weight[2:]))
    with nest.rows(weight[:2]) as (o, c):
        channel = nest.let("channel", nest.group_start(o, nest.out_group, nest.in_group) + c)
        with nest.loop("kh", 0, nest.kernel[0]) as kh:
            for taps in nest.taps_together():
                sums = [nest.let(f"a{k}", nest.zero) for k in range(len(taps))]
                with (
                    nest.loop("n", 0, nest.dim(nest.x[0])) as n,
                    nest.loop("row", 0, nest.dim(nest.g[2])) as row,
                    nest.image_row(row, kh) as h,
                ):
                    for total, (_, shift) in zip(sums, taps, strict=True):
                        with nest.columns(shift) as (j, column):
                            pixel = nest.load(0, [n, channel, h, column])
                            slope = nest.load(1, [n, o, row, j])
                            nest.let(total, _multiply_add(total, pixel, slope))
                for total, (tap, _) in zip(sums, taps, strict=True):
                    nest.store(nest.out([o, c, kh, tap]), total)
    return nest.finish(product(weight[:2]), _work(nest, size_of(operation.operands[1])))


def _work(nest: _Conv, outputs: DimLike) -> DimLike:
    taps: int = nest.kernel[0] * nest.kernel[1]
    return outputs * nest.in_group * taps

"""Direct convolution of images of any size, row by row, and its two gradients. Layout NCHW / OIHW.

Each filter tap adds a scaled row of the input to a row of the output, so the innermost loop runs over the width and
vectorises; taps are unrolled, and padding only narrows their ranges.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ....ir.core import Operation
from ....ops.dims import DimLike, product
from ..kernel import Kernel
from ..nest import Nest, size_of


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

    def taps(self) -> Iterator[tuple[int, int]]:
        """(tap, shift) along the width: input column = output column * stride + shift."""
        return ((k, k * self.dw - self.left) for k in range(self.kernel[1]))

    def columns(self, shift: int) -> tuple[str, str]:
        """Range of output columns whose input column lies inside the image."""
        low = max(0, -(shift // self.sw)) if shift < 0 else 0
        width, out = self.x[3], self.g[3]
        if isinstance(width, int) and isinstance(out, int):
            return str(low), str(max(low, min(out, (width - 1 - shift) // self.sw + 1)))
        return str(low), f"max({low}, min({self.dim(out)}, ({self.dim(width)} - 1 - {shift}) // {self.sw} + 1))"

    def column(self, shift: int) -> str:
        """The input column of output column j."""
        scaled = "j" if self.sw == 1 else f"j * {self.sw}"
        return f"{scaled} + {shift}" if shift >= 0 else f"{scaled} - {-shift}"

    @contextmanager
    def image_row(self, out_row: str) -> Iterator[None]:
        """Inside: `h` is the input row of output row `out_row` under filter row `kh`, and it is inside the image."""
        self.line(f"h = {out_row} * {self.sh} - {self.top} + kh * {self.dh}")
        with self.block(f"if h >= 0 and h < {self.dim(self.x[2])}"):
            yield


def _kernel_of(shape: tuple[DimLike, ...]) -> tuple[int, int]:
    kh, kw = shape
    assert isinstance(kh, int) and isinstance(kw, int), "filters have static sizes"
    return kh, kw


def conv2d(operation: Operation) -> Kernel:
    """One output row per iteration of the outermost loop."""
    x, weight = operation.operands[:2]
    out = operation.result.tensor_type.shape
    nest = _Conv(operation, x.tensor_type.shape, out, _kernel_of(weight.tensor_type.shape[2:]))
    with nest.rows([out[0], out[1], out[2]]) as (n, o, row):
        with nest.block(f"for j in range({nest.dim(out[3])})"):
            nest.line(f"{nest.out([n, o, row, 'j'])} = {operation.result.dtype.short}(0.0)")
        nest.line(f"first = ({o} // {nest.dim(nest.out_group)}) * {nest.dim(nest.in_group)}")
        with nest.block(f"for c in range({nest.dim(nest.in_group)})"), nest.block(f"for kh in range({nest.kernel[0]})"):
            with nest.image_row(row):
                for tap, shift in nest.taps():
                    nest.line(f"w = {nest.load(1, [o, 'c', 'kh', str(tap)])}")
                    low, high = nest.columns(shift)
                    with nest.block(f"for j in range({low}, {high})"):
                        target = nest.out([n, o, row, "j"])
                        pixel = nest.load(0, [n, "(first + c)", "h", nest.column(shift)])
                        nest.line(f"{target} = fast_multiply_add({target}, w, {pixel})")
        if len(operation.operands) > 2:
            _finish_row(nest, [n, o, row, "j"])
    return nest.finish(product(out[:3]), _work(nest, size_of(operation.result)))


def _finish_row(nest: _Conv, index: list[str]) -> None:
    """A row of sums times scale plus shift, plus another image's row, at least 0 where the operation says so."""
    target, short = nest.out(index), nest.operation.result.dtype.short
    with nest.block(f"for j in range({nest.dim(nest.g[3])})"):
        nest.line(f"a = {target} * {nest.load(2, [index[1]])} + {nest.load(3, [index[1]])}")
        if len(nest.operation.operands) > 4:
            nest.line(f"a = a + {nest.load(4, index)}")
        if nest.operation.attrs["relu"]:
            nest.line(f"a = at_least_{short}(a, {short}(0.0))")
        nest.line(f"{target} = a")


def conv2d_input_grad(operation: Operation) -> Kernel:
    """One image plane per iteration of the outermost loop: rows of the gradient are added where they came from."""
    g, weight = operation.operands
    image = operation.result.tensor_type.shape
    nest = _Conv(operation, image, g.tensor_type.shape, _kernel_of(weight.tensor_type.shape[2:]))
    with nest.rows([image[0], image[1]]) as (n, c):
        with nest.block(f"for h in range({nest.dim(image[2])})"), nest.block(f"for j in range({nest.dim(image[3])})"):
            nest.line(f"{nest.out([n, c, 'h', 'j'])} = {operation.result.dtype.short}(0.0)")
        nest.line(f"first = ({c} // {nest.dim(nest.in_group)}) * {nest.dim(nest.out_group)}")
        nest.line(f"inner = {c} % {nest.dim(nest.in_group)}")
        loops = (
            nest.block(f"for o in range({nest.dim(nest.out_group)})"),
            nest.block(f"for row in range({nest.dim(nest.g[2])})"),
            nest.block(f"for kh in range({nest.kernel[0]})"),
        )
        with loops[0], loops[1], loops[2], nest.image_row("row"):
            for tap, shift in nest.taps():
                nest.line(f"w = {nest.load(1, ['(first + o)', 'inner', 'kh', str(tap)])}")
                low, high = nest.columns(shift)
                with nest.block(f"for j in range({low}, {high})"):
                    target = nest.out([n, c, "h", f"({nest.column(shift)})"])
                    slope = nest.load(0, [n, "(first + o)", "row", "j"])
                    nest.line(f"{target} = fast_multiply_add({target}, w, {slope})")
    return nest.finish(product(image[:2]), _work(nest, size_of(operation.operands[0])))


def conv2d_weight_grad(operation: Operation) -> Kernel:
    """One filter plane per iteration of the outermost loop; each tap is a dot product of two sets of rows."""
    x, g = operation.operands
    weight = operation.result.tensor_type.shape
    nest = _Conv(operation, x.tensor_type.shape, g.tensor_type.shape, _kernel_of(weight[2:]))
    short = operation.result.dtype.short
    with nest.rows([weight[0], weight[1]]) as (o, c):
        nest.line(f"channel = ({o} // {nest.dim(nest.out_group)}) * {nest.dim(nest.in_group)} + {c}")
        with nest.block(f"for kh in range({nest.kernel[0]})"):
            for tap, _ in nest.taps():
                nest.line(f"a{tap} = {short}(0.0)")
            with (
                nest.block(f"for n in range({nest.dim(nest.x[0])})"),
                nest.block(f"for row in range({nest.dim(nest.g[2])})"),
            ):
                with nest.image_row("row"):
                    for tap, shift in nest.taps():
                        low, high = nest.columns(shift)
                        with nest.block(f"for j in range({low}, {high})"):
                            pixel = nest.load(0, ["n", "channel", "h", nest.column(shift)])
                            slope = nest.load(1, ["n", o, "row", "j"])
                            nest.line(f"a{tap} = fast_multiply_add(a{tap}, {pixel}, {slope})")
            for tap, _ in nest.taps():
                nest.line(f"{nest.out([o, c, 'kh', str(tap)])} = a{tap}")
    return nest.finish(product(weight[:2]), _work(nest, size_of(operation.operands[1])))


def _work(nest: _Conv, outputs: DimLike) -> DimLike:
    taps: int = nest.kernel[0] * nest.kernel[1]
    return outputs * nest.in_group * taps

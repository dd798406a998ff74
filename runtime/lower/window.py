"""Pooling over windows of images [n, c, h, w] and its gradients; one plane or row per turn of the outermost loop."""

from __future__ import annotations

from ...ir.core import Operation
from ...ops.dims import DimLike, product
from .element import extreme
from .kernel import Kernel
from .nest import Nest, size_of
from .registry import generates


class _Window(Nest):
    """Names shared by the pooling kernels. `image` [n, c, h, w], `pooled` [n, c, oh, ow]."""

    def __init__(self, operation: Operation, image: tuple[DimLike, ...], pooled: tuple[DimLike, ...]) -> None:
        super().__init__(operation)
        attrs = operation.attrs
        (self.kh, self.kw), (self.sh, self.sw) = attrs["kernel"], attrs["stride"]
        (self.top, self.bottom), (self.left, self.right) = attrs["padding"]
        self.image, self.pooled = image, pooled

    def bounds(self, row: str, column: str) -> None:
        """h0, h1, w0, w1: the part of the window inside the image."""
        height, width = self.dim(self.image[2]), self.dim(self.image[3])
        self.line(f"h0 = max(0, {row} * {self.sh} - {self.top})")
        self.line(f"h1 = min({height}, {row} * {self.sh} - {self.top} + {self.kh})")
        self.line(f"w0 = max(0, {column} * {self.sw} - {self.left})")
        self.line(f"w1 = min({width}, {column} * {self.sw} - {self.left} + {self.kw})")

    def argmax(self, operand: int, n: str, c: str) -> None:
        """best, place: the first maximum (a NaN wins) between the bounds."""
        floating = self.operation.operands[operand].dtype.is_floating
        self.line(f"place = h0 * {self.dim(self.image[3])} + w0")
        self.line(f"best = {self.load(operand, [n, c, 'h0', 'w0'])}")
        with self.block("for h in range(h0, h1)"), self.block("for w in range(w0, w1)"):
            self.line(f"x = {self.load(operand, [n, c, 'h', 'w'])}")
            nan = " or (x != x and best == best)" if floating else ""
            with self.block(f"if x > best{nan}"):
                self.line("best = x")
                self.line(f"place = h * {self.dim(self.image[3])} + w")

    def count(self) -> str:
        """How many elements the window averages, as an expression (after `bounds`)."""
        attrs = self.operation.attrs
        if attrs["divisor"]:
            return str(attrs["divisor"])
        if attrs["exclusive"]:
            return "((h1 - h0) * (w1 - w0))"
        height, width = self.dim(self.image[2]), self.dim(self.image[3])
        rows = (
            f"(min({height} + {self.bottom}, i2 * {self.sh} - {self.top} + {self.kh}) - (i2 * {self.sh} - {self.top}))"
        )
        columns = (
            f"(min({width} + {self.right}, j * {self.sw} - {self.left} + {self.kw}) - (j * {self.sw} - {self.left}))"
        )
        return f"({rows} * {columns})"


def _window_work(nest: _Window) -> DimLike:
    taps: int = nest.kh * nest.kw
    return product(nest.pooled) * taps


@generates("window.max_pool2d")
def max_pool2d(operation: Operation) -> Kernel:
    """One output row per turn."""
    nest = _Window(operation, operation.operands[0].tensor_type.shape, operation.result.tensor_type.shape)
    short = operation.result.dtype.short
    with nest.rows(nest.pooled[:3]) as (n, c, row), nest.block(f"for j in range({nest.dim(nest.pooled[3])})"):
        if _fits(nest):
            nest.line(f"a = {extreme(short, -1)}")
            for y in range(nest.kh):
                for x in range(nest.kw):
                    element = nest.load(0, [n, c, f"({row} * {nest.sh} + {y})", f"j * {nest.sw} + {x}"])
                    nest.line(f"a = maximum_{short}(a, {element})")
        else:
            nest.bounds(row, "j")
            nest.line(f"a = {extreme(short, -1)}")
            with nest.block("for h in range(h0, h1)"), nest.block("for w in range(w0, w1)"):
                nest.line(f"a = maximum_{short}(a, {nest.load(0, [n, c, 'h', 'w'])})")
        nest.line(f"{nest.out([n, c, row, 'j'])} = a")
    return nest.finish(product(nest.pooled[:3]), _window_work(nest))


def _fits(nest: _Window) -> bool:
    """Whether every window lies inside the image, so that it can be unrolled without bounds."""
    if nest.top or nest.left or nest.kh * nest.kw > 16:
        return False
    pairs = zip(nest.image[2:], nest.pooled[2:], (nest.kh, nest.kw), (nest.sh, nest.sw), strict=True)
    return all(isinstance(n, int) and isinstance(o, int) and (o - 1) * s + k <= n for n, o, k, s in pairs)


@generates("window.max_pool2d_index")
def max_pool2d_index(operation: Operation) -> Kernel:
    """One output row per turn."""
    nest = _Window(operation, operation.operands[0].tensor_type.shape, operation.result.tensor_type.shape)
    with nest.rows(nest.pooled[:3]) as (n, c, row), nest.block(f"for j in range({nest.dim(nest.pooled[3])})"):
        nest.bounds(row, "j")
        nest.argmax(0, n, c)
        nest.line(f"{nest.out([n, c, row, 'j'])} = place")
    return nest.finish(product(nest.pooled[:3]), _window_work(nest))


@generates("window.max_pool2d_grad")
def max_pool2d_grad(operation: Operation) -> Kernel:
    """One image plane per turn: cleared, then each window's gradient is added at its first maximum."""
    g, x = operation.operands
    nest = _Window(operation, x.tensor_type.shape, g.tensor_type.shape)
    plane = nest.dim(product(nest.image[2:]))
    out = nest.parameters.pointer(nest.result, "out")
    with nest.rows(nest.image[:2]) as (n, c):
        with nest.block(f"for k in range({plane})"):
            nest.line(f"{out}[r * {plane} + k] = {operation.result.dtype.short}(0.0)")
        with nest.loops(nest.pooled[2:], "o") as (row, column):
            nest.bounds(row, column)
            nest.argmax(1, n, c)
            nest.line(f"{out}[r * {plane} + place] = {out}[r * {plane} + place] + {nest.load(0, [n, c, row, column])}")
    return nest.finish(product(nest.image[:2]), size_of(x) + _window_work(nest))


@generates("window.avg_pool2d")
def avg_pool2d(operation: Operation) -> Kernel:
    """One output row per turn."""
    nest = _Window(operation, operation.operands[0].tensor_type.shape, operation.result.tensor_type.shape)
    short = operation.result.dtype.short
    with nest.rows(nest.pooled[:3]) as (n, c, row), nest.block(f"for j in range({nest.dim(nest.pooled[3])})"):
        nest.line(f"i2 = {row}")
        nest.bounds("i2", "j")
        nest.line(f"a = {short}(0.0)")
        with nest.block("for h in range(h0, h1)"), nest.block("for w in range(w0, w1)"):
            nest.line(f"a = a + {nest.load(0, [n, c, 'h', 'w'])}")
        nest.line(f"{nest.out([n, c, row, 'j'])} = a / {short}({nest.count()})")
    return nest.finish(product(nest.pooled[:3]), _window_work(nest))


@generates("window.avg_pool2d_grad")
def avg_pool2d_grad(operation: Operation) -> Kernel:
    """One image plane per turn: cleared, then each window's share is added to its elements."""
    g = operation.operands[0]
    nest = _Window(operation, operation.result.tensor_type.shape, g.tensor_type.shape)
    short = operation.result.dtype.short
    with nest.rows(nest.image[:2]) as (n, c):
        with nest.loops(nest.image[2:], "q") as (y, x):
            nest.line(f"{nest.out([n, c, y, x])} = {short}(0.0)")
        with (
            nest.block(f"for i2 in range({nest.dim(nest.pooled[2])})"),
            nest.block(f"for j in range({nest.dim(nest.pooled[3])})"),
        ):
            nest.bounds("i2", "j")
            nest.line(f"share = {nest.load(0, [n, c, 'i2', 'j'])} / {short}({nest.count()})")
            with nest.block("for h in range(h0, h1)"), nest.block("for w in range(w0, w1)"):
                target = nest.out([n, c, "h", "w"])
                nest.line(f"{target} = {target} + share")
    return nest.finish(product(nest.image[:2]), size_of(operation.result) + _window_work(nest))

"""Pooling over windows of images [n, c, h, w] and its gradients; one plane or row per outermost iteration."""

from __future__ import annotations

from collections.abc import Callable

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
    """One output row per iteration."""
    nest = _Window(operation, operation.operands[0].tensor_type.shape, operation.result.tensor_type.shape)
    short = operation.result.dtype.short
    with nest.rows(nest.pooled[:3]) as (n, c, row):
        if _fits(nest):
            with nest.block(f"for j in range({nest.dim(nest.pooled[3])})"):
                nest.line(f"a = {extreme(short, -1)}")
                for y in range(nest.kh):
                    for x in range(nest.kw):
                        element = nest.load(0, [n, c, f"({row} * {nest.sh} + {y})", f"j * {nest.sw} + {x}"])
                        nest.line(f"a = largest_{short}(a, {element})")
                nest.line(f"{nest.out([n, c, row, 'j'])} = a")
        else:
            _fold_rows(nest, n, c, row, extreme(short, -1), lambda a, b: f"largest_{short}({a}, {b})")
    return nest.finish(product(nest.pooled[:3]), _window_work(nest))


def _fold_rows(nest: _Window, n: str, c: str, row: str, start: str, fold: Callable[[str, str], str]) -> None:
    """One output row: each row of the windows is folded into it, so that the loops run over columns and vectorise."""
    width, columns = nest.dim(nest.image[3]), nest.dim(nest.pooled[3])
    out = nest.out([n, c, row, "j"])
    nest.line(f"low = min({-(-nest.left // nest.sw)}, {columns})")
    nest.line(f"high = max(low, min({columns}, ({width} + {nest.left - nest.kw}) // {nest.sw} + 1))")
    with nest.block(f"for j in range({columns})"):
        nest.line(f"{out} = {start}")
    nest.line(f"h0 = max(0, {row} * {nest.sh} - {nest.top})")
    nest.line(f"h1 = min({nest.dim(nest.image[2])}, {row} * {nest.sh} - {nest.top} + {nest.kh})")
    with nest.block("for h in range(h0, h1)"):
        with nest.block("for j in range(low, high)"):
            nest.line(f"a = {out}")
            for x in range(nest.kw):
                nest.line(f"a = {fold('a', nest.load(0, [n, c, 'h', f'j * {nest.sw} + {x - nest.left}']))}")
            nest.line(f"{out} = a")
        for ends in ("low", f"{columns} - high"):  # windows that leave the image on the left or the right
            with nest.block(f"for k in range({ends})"):
                nest.line("j = k" if ends == "low" else "j = high + k")
                nest.line(f"w0 = max(0, j * {nest.sw} - {nest.left})")
                nest.line(f"w1 = min({width}, j * {nest.sw} - {nest.left} + {nest.kw})")
                with nest.block("for w in range(w0, w1)"):
                    nest.line(f"{out} = {fold(out, nest.load(0, [n, c, 'h', 'w']))}")


def _fits(nest: _Window) -> bool:
    """Whether every window lies inside the image, so that it can be unrolled without bounds."""
    if nest.top or nest.left or nest.kh * nest.kw > 16:
        return False
    pairs = zip(nest.image[2:], nest.pooled[2:], (nest.kh, nest.kw), (nest.sh, nest.sw), strict=True)
    return all(isinstance(n, int) and isinstance(o, int) and (o - 1) * s + k <= n for n, o, k, s in pairs)


@generates("window.max_pool2d_index")
def max_pool2d_index(operation: Operation) -> Kernel:
    """One output row per iteration."""
    nest = _Window(operation, operation.operands[0].tensor_type.shape, operation.result.tensor_type.shape)
    with nest.rows(nest.pooled[:3]) as (n, c, row), nest.block(f"for j in range({nest.dim(nest.pooled[3])})"):
        nest.bounds(row, "j")
        nest.argmax(0, n, c)
        nest.line(f"{nest.out([n, c, row, 'j'])} = place")
    return nest.finish(product(nest.pooled[:3]), _window_work(nest))


@generates("window.max_pool2d_grad")
def max_pool2d_grad(operation: Operation) -> Kernel:
    """One image plane per iteration: each window's gradient goes to its first maximum."""
    g, x = operation.operands
    nest = _Window(operation, x.tensor_type.shape, g.tensor_type.shape)
    plane = nest.dim(product(nest.image[2:]))
    out = nest.parameters.pointer(nest.result, "out")
    with nest.rows(nest.image[:2]) as (n, c):
        if _fits(nest) and (nest.kh, nest.kw) == (nest.sh, nest.sw):
            _spread(nest, n, c)
        else:
            with nest.block(f"for k in range({plane})"):
                nest.line(f"{out}[r * {plane} + k] = {operation.result.dtype.short}(0.0)")
            with nest.loops(nest.pooled[2:], "o") as (row, column):
                nest.bounds(row, column)
                nest.argmax(1, n, c)
                nest.line(
                    f"{out}[r * {plane} + place] = {out}[r * {plane} + place] + {nest.load(0, [n, c, row, column])}"
                )
    return nest.finish(product(nest.image[:2]), size_of(x) + _window_work(nest))


def _spread(nest: _Window, n: str, c: str) -> None:
    """Windows that neither overlap nor leave gaps: each element of an image plane is written once, without branches."""
    short = nest.operation.result.dtype.short
    height, width = nest.dim(nest.image[2]), nest.dim(nest.image[3])
    rows, columns = nest.dim(nest.pooled[2]), nest.dim(nest.pooled[3])
    taps = [(y, x) for y in range(nest.kh) for x in range(nest.kw)]
    with nest.block(f"for i in range({rows})"):
        with nest.block(f"for j in range({columns})"):
            for k, (y, x) in enumerate(taps):
                nest.line(f"x{k} = {nest.load(1, [n, c, f'(i * {nest.sh} + {y})', f'j * {nest.sw} + {x}'])}")
            nest.line("best = x0")
            for k in range(1, len(taps)):
                nest.line(f"best = largest_{short}(best, x{k})")
            nest.line(f"share = {nest.load(0, [n, c, 'i', 'j'])}")
            nest.line("free = True")
            for k, (y, x) in enumerate(taps):
                nan = f" | (x{k} != x{k})" if short[0] == "f" else ""  # then the best is one, too
                nest.line(f"wins = free & ((x{k} == best){nan})")
                nest.line("free = free & (not wins)")
                target = nest.out([n, c, f"(i * {nest.sh} + {y})", f"j * {nest.sw} + {x}"])
                nest.line(f"{target} = share if wins else {short}(0)")
        with nest.block(f"for h in range(i * {nest.sh}, (i + 1) * {nest.sh})"):
            with nest.block(f"for w in range({columns} * {nest.sw}, {width})"):
                nest.line(f"{nest.out([n, c, 'h', 'w'])} = {short}(0)")
    with nest.block(f"for h in range({rows} * {nest.sh}, {height})"), nest.block(f"for w in range({width})"):
        nest.line(f"{nest.out([n, c, 'h', 'w'])} = {short}(0)")


@generates("window.avg_pool2d")
def avg_pool2d(operation: Operation) -> Kernel:
    """One output row per iteration."""
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
    """One image plane per iteration: cleared, then each window's share is added to its elements."""
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

"""The kernel of argsort for lines of some length: runs merged from both ends at once; and what kernels of orders share.

A line is filled up to a power of two by elements that stand last, so that all runs of a level have one length. Then the
first half of what two runs make needs no look at their ends, nor does the second, and the two halves wait for nothing
of each other. Source: van den Hoven, Quadsort, 2022 (parity merges).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....base.dtype import int64
from ....base.target import current_target
from ....ir.core import Operation
from ....ops.dims import product
from ....ops.kernel_expressions import Expr, Name, Operand, call, differ, equal, select
from ....ops.types import TensorType
from ...kernel.kernel_call import Kernel
from ..element import extreme
from ..nest import Nest, size_of
from ..parameters import stored_as


class Order:
    """Which of two elements stands first; NaN is the largest."""

    def __init__(self, kind: TensorType, *, falling: bool) -> None:
        self.short, self.floating, self.falling = kind.dtype.short, kind.dtype.is_floating, falling

    def before(self, a: Expr, b: Expr) -> Expr:
        """Whether `a` stands before `b`, whatever their places."""
        plain = a > b if self.falling else a < b
        if not self.floating:
            return plain
        odd, even = (a, b) if self.falling else (b, a)
        return plain | (differ(odd, odd) & equal(even, even))


def keep_zeros(
    nest: Nest, order: Order, size: Operand, element: Callable[[Expr], Expr], target: Callable[[Expr], Expr]
) -> None:
    """Let the zeros of a sorted line, which are of one sign by now, stand in the order in which they came.

    element: of the operand, at a place. target: the place in the result.
    """
    none, at = call(order.short, 0), nest.let("at", call("i64", 0))
    with nest.loop("j", 0, size) as j:
        nest.let(at, at + call("i64", order.before(nest.let("x", element(j)), none)))
    with nest.loop("j", 0, size) as j:
        x = nest.let("x", element(j))
        with nest.when(equal(x, none)):
            nest.store(target(at), x)
            nest.let(at, at + 1)


class Line:
    """One line of an operand along the operation's axis."""

    def __init__(self, nest: Nest) -> None:
        self.nest, self.axis, self.source = nest, nest.operation.attrs["axis"], nest.operation.operands[0]
        self.kind = self.source.tensor_type
        self.memory = nest.parameters.pointer(self.source)
        self.others = [d for k, d in enumerate(self.kind.shape) if k != self.axis]
        self.length = self.kind.shape[self.axis]
        self.size = nest.dim(self.length)
        self.index: Sequence[Expr] = []

    def along(self, place: Operand) -> list[Operand]:
        """The index of a place in this line."""
        return [*self.index[: self.axis], place, *self.index[self.axis :]]

    def element(self, place: Operand) -> Expr:
        """An element of the operand, as it lies in memory."""
        return self.memory[self.nest.parameters.at(self.source, self.along(place))]

    def out(self, place: Operand) -> Expr:
        """An element of the result, to be stored."""
        return self.nest.out(self.along(place))


def is_merged(operation: Operation) -> bool:
    """Whether a line is short enough for arrays on the stack, and of a known length."""
    kind = operation.operands[0].tensor_type
    line = kind.shape[operation.attrs["axis"]]
    return (
        isinstance(line, int)
        and 1 < line <= current_target().costs.merged
        and kind.dtype.short not in ("f16", "bf16", "c64", "c128")
    )


def _last(kind: TensorType, falling: bool) -> Expr:
    """An element that stands behind all others, as the later of equal ones."""
    if kind.dtype.is_bool:
        return call("u8", int(not falling))
    return extreme(kind.dtype.short, -1 if falling else 1)


def merge_kernel(operation: Operation) -> Kernel:
    """The places of a line's elements in order."""
    nest, falling = Nest(operation), operation.attrs["descending"]
    line = Line(nest)
    kind = line.kind
    ranked = kind.dtype.short in ("f32", "f64")  # integers in the order of floats are compared at once
    order = Order(TensorType(int64, ()) if ranked else kind, falling=falling)
    size = line.length
    assert isinstance(size, int)
    levels = (size - 1).bit_length()
    full, short = 1 << levels, "i64" if ranked else stored_as(kind.dtype.short)
    arrays = [(nest.local(f"values{k}", short, full), nest.local(f"places{k}", "i64", full)) for k in (0, 1)]
    with nest.rows(line.others) as line.index:
        with nest.loop("j", 0, size) as j:
            x = line.element(j)
            if ranked:
                x = call(f"rank_{kind.dtype.short}", x + call(kind.dtype.short, 0))  # both zeros are the same
            nest.store(arrays[0][0][j], x)
            nest.store(arrays[0][1][j], j)
        if size < full:
            with nest.loop("j", size, full) as j:
                nest.store(arrays[0][0][j], extreme("i64", -1 if falling else 1) if ranked else _last(kind, falling))
                nest.store(arrays[0][1][j], j)
        for level in range(levels):
            _merge(nest, order, arrays[level % 2], arrays[1 - level % 2], 1 << level, full)
        with nest.loop("j", 0, size) as j:
            nest.store(line.out(j), arrays[levels % 2][1][j])
    return nest.finish(product(line.others), size_of(operation.operands[0]) * levels * 4)


def _merge(nest: Nest, order: Order, source: tuple[Name, Name], target: tuple[Name, Name], run: int, full: int) -> None:
    """Each two neighbouring runs become one: the first half from the front, the second from the back."""
    values, _ = source
    with nest.loop("start", 0, full, 2 * run) as start:
        i, j = nest.let("i", start), nest.let("j", start + run)
        p, q = nest.let("p", start + (run - 1)), nest.let("q", start + (2 * run - 1))
        with nest.loop("k", 0, run) as k:
            later = nest.let("later", order.before(values[j], values[i]))
            _copy(nest, source, nest.let("front", select(later, j, i)), target, start + k)
            step = nest.let("step", call("i64", later))
            nest.let(j, j + step)
            nest.let(i, i + 1 - step)
            earlier = nest.let("earlier", order.before(values[q], values[p]))
            _copy(nest, source, nest.let("back", select(earlier, p, q)), target, start + (2 * run - 1) - k)
            taken = nest.let("taken", call("i64", earlier))
            nest.let(p, p - taken)
            nest.let(q, q - 1 + taken)


def _copy(nest: Nest, source: tuple[Name, Name], at: Expr, target: tuple[Name, Name], to: Expr) -> None:
    for a, b in zip(source, target, strict=True):
        nest.store(b[to], a[at])

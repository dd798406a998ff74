"""Lines along an axis, walked in step: elements side by side in memory are taken together, as vectors.

Along the last axis a line is on its own. Along another one, neighbouring lines lie side by side: a block of them is
walked at once, and what each has found so far stands in an array on the stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeAlias

from ....ops.dims import DimLike, floordiv, product
from ....ops.kernel_expressions import ZERO, Expr, Literal, Name, Operand, smaller
from ....ops.types import Shape
from ...kernel.kernel_call import Kernel
from ..nest import Nest, size_of

Start: TypeAlias = Callable[[Expr], None]  # sets what a line has found, by its first element
Step: TypeAlias = Callable[[Expr, Expr], Expr]  # of a place and its element what is stored there
ABREAST = 16  # lines one behind another in memory that are walked at once where a step waits for the one before
WIDTH = 256  # lines of a block, and the length of the arrays in which their numbers stand


class LineNumber:
    """A number that each line has: a local name, or an element of an array on the stack."""

    def __init__(self, nest: Nest, name: Name, lane: Name | None) -> None:
        self.nest, self.name, self.lane = nest, name, lane

    @property
    def value(self) -> Expr:
        """What this line has."""
        return self.name if self.lane is None else self.name[self.lane]

    def set(self, value: Operand) -> None:
        """Change it."""
        if self.lane is None:
            self.nest.let(self.name, value)
        else:
            self.nest.store(self.name[self.lane], value)


class AxisLines:
    """The lines of an array of `shape` along `axis`: `abreast` of those that lie one behind another are taken at once,
    `width` of those side by side. fixed: whether loops over blocks of lines say their length where all have one.
    """

    def __init__(
        self, nest: Nest, shape: Shape, axis: int, *, abreast: int = 1, width: int = WIDTH, fixed: bool = False
    ) -> None:
        self.nest, self.axis, self.length = nest, axis, shape[axis]
        self.size, self.fixed = nest.dim(self.length), fixed
        self.outer, self.inner = product(shape[:axis]), product(shape[axis + 1 :])
        self.alone = isinstance(self.inner, int) and self.inner == 1
        self.abreast = self.alone and abreast > 1 and not (isinstance(self.outer, int) and self.outer == 1)
        self.lanes = abreast if self.abreast else 1 if self.alone else width
        self.lane = None if self.lanes == 1 else Name("c")
        self.line: Expr = ZERO  # the number of the first line among those before the axis
        self.first: Expr = ZERO  # that of the block's first line among those behind it
        self.width: Expr = ZERO

    @property
    def extent(self) -> DimLike:
        """How long the kernel's range is."""
        return self._blocks if self.abreast else self.outer * self._blocks

    @property
    def _blocks(self) -> DimLike:
        side = self.outer if self.abreast else self.inner
        if not self.abreast and isinstance(side, int) and 0 < side <= self.lanes:
            return 1
        return floordiv(side + (self.lanes - 1), self.lanes)

    def found(self, name: str, element: str) -> LineNumber:
        """A number of each line; to be made before the lines are walked."""
        made = Name(name)
        if self.lane is not None:
            self.nest.local(name, element, WIDTH)
        return LineNumber(self.nest, made, self.lane)

    @contextmanager
    def lines(self) -> Iterator[None]:
        """The loop over the kernel's range: over lines, or blocks of them."""
        with self.nest.range() as r:
            self.line = r
            if self.abreast:
                self.first = self.nest.let("first", r * self.lanes)
                self.width = self._width(self.outer)
            elif not self.alone:
                inner = self.nest.dim(self.inner)
                blocks = self._blocks
                if isinstance(blocks, int) and blocks == 1:
                    self.width = inner
                else:
                    count = self.nest.dim(blocks)
                    self.first = self.nest.let("first", r % count * self.lanes)
                    self.line = self.nest.let("line", r // count)
                    self.width = self._width(self.inner)
            yield

    def _width(self, side: DimLike) -> Expr:
        """How many lines the block at hand has, of so many in all."""
        if self.fixed and isinstance(side, int) and side % self.lanes == 0:
            return Literal(self.lanes)
        return self.nest.let("width", smaller(self.nest.dim(side) - self.first, self.lanes))

    def each(self) -> AbstractContextManager[object]:
        """The loop over the lines of a block."""
        if self.lane is None:
            return nullcontext()
        return self.nest.loop(self.lane.name, 0, self.width)

    def at(self, place: Operand, size: Expr | None = None) -> Expr:
        """The number of the element at a place of this line; `size`: of the axis, where it isn't the lines' own."""
        size = self.size if size is None else size
        if self.abreast:
            assert self.lane is not None
            return (self.first + self.lane) * size + place
        row = self.line * size + place
        if self.alone:
            return row
        at = row * self.nest.dim(self.inner) + self.first
        return at if self.lane is None else at + self.lane

    def walk(self, start: Start, step: Step, *, reverse: bool = False) -> Kernel:
        """The kernel that goes along each line of the operand."""
        nest, first = self.nest, self.size - 1 if reverse else ZERO
        source, out = nest.parameters.pointer(nest.operation.operands[0]), nest.parameters.pointer(nest.result, "out")
        is_some = isinstance(self.length, int) and self.length > 0
        with self.lines():
            with nullcontext() if is_some else nest.when(self.size > 0), self.each():
                start(source[self.at(first)])
            with nest.loop("j", 0, self.size) as j:
                place = nest.let("k", self.size - 1 - j) if reverse else j
                with self.each():
                    nest.store(out[self.at(place)], step(place, source[self.at(place)]))
        return nest.finish(self.extent, size_of(nest.result))

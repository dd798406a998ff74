"""Scans along the last axis of many lines: one element of each line is a vector, and what the lines have found another.

Lines lie one behind another, so that elements of the same place are far apart. Squares of elements are transposed in
registers, walked, and what was made of them is transposed back.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property

from ....base.target import current_target
from ....ops.dims import DimLike, floordiv, product
from ....ops.kernel_expressions import Name, smaller
from ....ops.types import Shape
from ...kernel.kernel_call import Kernel
from ...kernel.statements import LoopKind
from ..nest import Nest, size_of
from .lanes import LineNumber, Start, Step

_SHORTEST = 16  # elements of a line


@dataclass(frozen=True)
class SquareScan:
    """A scan of [lines, size]. given, made: how elements of the operand and of the result lie in memory."""

    nest: Nest
    given: str
    made: str

    @cached_property
    def side(self) -> int:
        """How many lines are walked at once."""
        return _side(self.nest)

    @property
    def _shape(self) -> Shape:
        return self.nest.result.tensor_type.shape

    def found(self, name: str, element: str) -> LineNumber:
        """A number of each line; to be made before the kernel is written."""
        return LineNumber(self.nest, self.nest.local(name, element, self.side), Name("c"))

    def walk(self, start: Start, step: Step, *, reverse: bool = False) -> Kernel:
        """The kernel."""
        nest, side, size = self.nest, self.side, self.nest.dim(self._shape[-1])
        lines = product(self._shape[:-1])
        source = nest.parameters.pointer(nest.operation.operands[0])
        out = nest.parameters.pointer(nest.result, "out")
        square, made = (
            nest.local(name, kind, side * side) for name, kind in (("square", self.given), ("made", self.made))
        )
        with nest.range() as r:
            base = nest.let("base", smaller(r * side, nest.dim(lines) - side) * size)
            whole = nest.let("whole", size // side * side)
            guard = nullcontext() if isinstance(self._shape[-1], int) else nest.when(size > 0)
            with guard, self._lines() as c:
                start(source[base + c * size + (size - 1 if reverse else 0)])

            def rest() -> None:
                with nest.loop("j", whole, size) as j:
                    at = nest.let("k", size - 1 - (j - whole) if reverse else j)
                    with self._lines() as c:
                        nest.store(out[base + c * size + at], step(at, source[base + c * size + at]))

            if reverse:
                rest()
            with nest.loop("part", 0, whole, side) as part:
                first = nest.let("first", whole - side - part if reverse else part)
                nest.do(f"transpose_{self.given}", side, source, base + first, size, square, 0, side)
                with nest.loop("i", 0, side) as i:
                    row = nest.let("row", side - 1 - i if reverse else i)
                    with self._lines() as c:
                        nest.store(made[row * side + c], step(first + row, square[row * side + c]))
                nest.do(f"transpose_{self.made}", side, made, 0, side, out, base + first, size)
            if not reverse:
                rest()
        return nest.finish(self._groups(lines), size_of(nest.result))

    def _lines(self) -> AbstractContextManager[Name]:
        return self.nest.loop("c", 0, self.side, kind=LoopKind.BLOCK)

    def _groups(self, lines: DimLike) -> DimLike:
        return floordiv(lines + (self.side - 1), self.side)


def _side(nest: Nest) -> int:
    return current_target().transpose_side(max(v.dtype.itemsize for v in (nest.operation.operands[0], nest.result)))


def are_squares(nest: Nest) -> bool:
    """Whether an operation's lines lie along the last axis, and are enough for a square."""
    shape = nest.result.tensor_type.shape
    lines, size = product(shape[:-1]), shape[-1]
    if nest.operation.attrs["axis"] != len(shape) - 1 or not isinstance(lines, int) or not 4 <= _side(nest) <= 16:
        return False
    return lines >= _side(nest) and not (isinstance(size, int) and size < _SHORTEST)

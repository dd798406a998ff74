"""Kernels that go through the matrices of a stack, one after another: what all of them share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ....ir.core import Operation, Value
from ....ops.dims import DimLike, product
from ....ops.kernel_expressions import Expr, Name, Operand, call
from ...kernel.kernel_call import Kernel
from ..element import broadcast_index
from ..nest import Memory, Nest

SINGULAR = "Singular matrix"
INDEFINITE = "Matrix is not positive definite"
HELP = "\n  help: check the input for singular matrices and NaN"


class MatrixStack:
    """A kernel in the making: a loop over the matrices of a stack.

    lead: the leading axes. index: of the matrix at hand. short: the dtype to compute in, that of the result unless it
    says otherwise.
    """

    def __init__(
        self, operation: Operation, lead: Sequence[DimLike], short: str = "", nest: Nest | None = None
    ) -> None:
        self.operation, self.lead = operation, lead
        self.nest = nest or Nest(operation)
        self.short = short or self.nest.result.dtype.short
        self.index: Sequence[Expr] = []

    @contextmanager
    def each(self) -> Iterator[None]:
        """The loop over the matrices."""
        with self.nest.rows(self.lead) as self.index:
            yield

    def number(self, value: Operand) -> Expr:
        """A constant."""
        return call(self.short, value)

    def element(self, operand: int, i: Operand, j: Operand) -> Expr:
        """An element of an operand's matrix; the leading axes broadcast."""
        value = self.operation.operands[operand]
        made = self.nest.load(operand, [*self.front(value, 2), i, j])
        return made if value.dtype.short == self.short else self.number(made)

    def front(self, value: Value, axes: int) -> list[Expr]:
        """The index, along the leading axes, of what has so many axes itself: one of a stack that may be broadcast."""
        kind = value.tensor_type
        return broadcast_index(replace(kind, shape=kind.shape[:-axes]), list(self.index))

    def load(self, a: Name | Memory, rows: Operand, columns: Operand) -> None:
        """The first operand's matrix, row by row, into an array."""
        with self.nest.loop("i", 0, rows) as i, self.nest.loop("j", 0, columns) as j:
            self.nest.store(a[i * columns + j], self.element(0, i, j))

    def put(self, result: Value, index: Sequence[Operand], element: Operand) -> None:
        """Store an element of a result, in its dtype."""
        short = result.dtype.short
        target = self.nest.out([*self.index, *index], result)
        self.nest.store(target, element if short == self.short else call(short, element))

    def finish(self, work: DimLike, message: str = "", name: str = "") -> Kernel:
        """The finished kernel. work: for each matrix. message: of the ArgumentError that `fail` stands for, if any.
        name: of what failed, if not the operation.
        """
        lead = product(self.lead)
        made = self.nest.finish(lead, lead * work)
        failed = name or self.operation.name
        return replace(made, failure=("ArgumentError", f"{failed}: {message}{HELP}")) if message else made

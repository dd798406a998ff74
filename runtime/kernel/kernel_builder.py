"""Builds the statements of a kernel: what is emitted stands in the innermost block that is open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...ir.core import Operation
from ...ops.kernel_expressions import Expr, Load, Name, Operand, call, expr
from .statements import Do, Exit, For, If, Leave, Let, Local, LoopKind, Remark, Statement, Store, WhileLoop


class KernelBuilder:
    """Gathers statements; each belongs to the operation that `on_behalf_of` names."""

    def __init__(self) -> None:
        self.origin: Operation | None = None
        self._head: list[Statement] = []  # what stands before all loops
        self._body: list[Statement] = []
        self._tail: list[Statement] = []  # what stands behind them
        self._open = self._body

    @property
    def body(self) -> list[Statement]:
        """All statements."""
        return [*self._head, *self._body, *self._tail]

    @property
    def innermost(self) -> list[Statement]:
        """The block that is open."""
        return self._open

    def add(self, statement: Statement) -> None:
        """A statement as it is."""
        self._open.append(statement)

    # -- statements --------------------------------------------------------------------------------

    def let(self, name: str | Name, value: Operand) -> Name:
        """`name = value`; gives the name."""
        made = name if isinstance(name, Name) else Name(name)
        self.add(Let(made, expr(value), self.origin))
        return made

    def store(self, target: Expr, value: Operand) -> None:
        """`target = value`, where the target is an element of a buffer or a local array."""
        assert isinstance(target, Load), target
        self.add(Store(target, expr(value), self.origin))

    def local(self, name: str, element: str, size: int) -> Name:
        """An array on the stack."""
        made = Name(name)
        self.add(Local(made, element, size, self.origin))
        return made

    def do(self, function: str, *arguments: Operand) -> None:
        """A call for what it does to memory."""
        self.add(Do(call(function, *arguments), self.origin))

    def leave(self, where: Exit) -> None:
        """`break`, `continue` or `return`."""
        self.add(Leave(where, self.origin))

    def remark(self, text: str) -> None:
        """A comment."""
        self.add(Remark(text, self.origin))

    # -- blocks ------------------------------------------------------------------------------------

    @contextmanager
    def loop(
        self, variable: str | Name, start: Operand, stop: Operand, step: Operand = 1, kind: LoopKind = LoopKind.SERIAL
    ) -> Iterator[Name]:
        """A loop `for variable in range(start, stop, step)`; gives its variable."""
        name = variable if isinstance(variable, Name) else Name(variable)
        made = For(name, expr(start), expr(stop), expr(step), [], kind, self.origin)
        self.add(made)
        before, self._open = self._open, made.body
        yield name
        self._open = before

    @contextmanager
    def repeat(self, test: Operand) -> Iterator[None]:
        """A loop `while test`."""
        made = WhileLoop(expr(test), [], self.origin)
        self.add(made)
        with self._inside(made.body):
            yield

    @contextmanager
    def when(self, test: Operand) -> Iterator[None]:
        """A block `if test`."""
        made = If(expr(test), [], [], self.origin)
        self.add(made)
        with self._inside(made.body):
            yield

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """What is done where the last block's test does not hold."""
        last = self._open[-1]
        assert isinstance(last, If) and not last.otherwise, last
        with self._inside(last.otherwise):
            yield

    @contextmanager
    def _inside(self, block: list[Statement]) -> Iterator[None]:
        before, self._open = self._open, block
        yield
        self._open = before

    @contextmanager
    def at_start(self) -> Iterator[None]:
        """Statements inside stand before all loops, after those that do so already."""
        made: list[Statement] = []
        with self._inside(made):
            yield
        self._head += made

    @contextmanager
    def at_end(self) -> Iterator[None]:
        """Statements inside stand behind all loops, before those that do so already."""
        made: list[Statement] = []
        with self._inside(made):
            yield
        self._tail[:0] = made

    @contextmanager
    def on_behalf_of(self, operation: Operation | None) -> Iterator[None]:
        """Statements inside belong to `operation`."""
        before, self.origin = self.origin, operation
        try:
            yield
        finally:
            self.origin = before

"""Loop nests written by hand: what the generators of conv, window, index and scan share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from ...ir.core import Operation, Value
from ...ops.dims import DimLike, product
from ...passes.loops.loop_indices import index_range_of
from .kernel import Kernel, Parameters, Writer


class Nest:
    """A kernel in the making for one operation with one result."""

    def __init__(self, operation: Operation) -> None:
        self.operation = operation
        self.parameters = Parameters()
        self.writer = Writer()
        self.result = operation.results[0]
        self.checks = 0

    def line(self, text: str) -> None:
        """One line at the current depth."""
        self.writer.line(text)

    def dim(self, size: DimLike) -> str:
        """A size as an expression."""
        return self.parameters.dim(size)

    def block(self, head: str) -> AbstractContextManager[None]:
        """An indented block under `head:`."""
        return self.writer.block(head)

    @contextmanager
    def loops(self, sizes: Sequence[DimLike], prefix: str) -> Iterator[list[str]]:
        """Nested loops over sizes; gives the loop variables (a size of 1 needs none and gives "0")."""
        names, depth = [], self.writer.depth
        for k, size in enumerate(sizes):
            if isinstance(size, int) and size == 1:
                names.append("0")
                continue
            names.append(f"{prefix}{k}")
            self.line(f"for {names[-1]} in range({self.dim(size)}):")
            self.writer.depth += 1
        if self.writer.depth == depth:
            self.line("if True:")
            self.writer.depth += 1
        yield names
        self.writer.depth = depth

    @contextmanager
    def rows(self, sizes: Sequence[DimLike], prefix: str = "i") -> Iterator[list[str]]:
        """The outermost loop over lo:hi, decoded into one index per size."""
        self.line("for r in range(lo, hi):")
        self.writer.depth += 1
        names, rest = ["0"] * len(sizes), "r"
        wide = [k for k, s in enumerate(sizes) if not (isinstance(s, int) and s == 1)]
        for k in reversed(wide[1:]):
            names[k] = f"{prefix}{k}"
            self.line(f"{names[k]} = {rest} % {self.dim(sizes[k])}")
            self.line(f"{prefix}r{k} = {rest} // {self.dim(sizes[k])}")
            rest = f"{prefix}r{k}"
        if wide:
            names[wide[0]] = rest
        yield names
        self.writer.depth -= 1

    def load(self, operand: int, index: list[str]) -> str:
        """One element of an operand."""
        return self.parameters.load(self.operation.operands[operand], index)

    def out(self, index: list[str]) -> str:
        """One element of the result, to be assigned."""
        pointer = self.parameters.pointer(self.result, "out")
        return f"{pointer}[{self.parameters.at(self.result, index)}]"

    def index(self, operand: int, size: DimLike) -> str:
        """An operand without axes as an index, made safe unless the iterations of a loop keep it within bounds."""
        place, text = index_range_of(self.operation.operands[operand]), self.load(operand, [])
        return f"i64({text})" if place is not None and place.lies_in(size) else self.checked(text, size)

    def checked(self, expression: str, size: DimLike) -> str:
        """A run-time index made safe (negative wraps); out of range clears the status byte."""
        name, bound = f"k{self.checks}", self.dim(size)
        self.checks += 1
        self.line(f"{name} = i64({expression})")
        with self.block(f"if {name} < 0"):
            self.line(f"{name} = {name} + {bound}")
        with self.block(f"if {name} < 0 or {name} >= {bound}"):
            self.line(f"{self.parameters.status()}[0] = u8(0)")
            self.line(f"{name} = 0")
        return name

    def finish(self, extent: DimLike, work: DimLike, *, splittable: bool = True, base: Value | None = None) -> Kernel:
        """The finished kernel."""
        source = self.parameters.source(self.operation.name, self.writer.text())
        return Kernel(
            source, self.parameters.slots, self.parameters.dims, extent, work, {}, splittable,
            self.parameters.has_status, {} if base is None else {self.result: base},
        )  # fmt: skip


def size_of(value: Value) -> DimLike:
    """Number of elements of a value."""
    return product(value.tensor_type.shape)

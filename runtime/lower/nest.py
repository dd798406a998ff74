"""Loop nests written by hand: what the generators of conv, window, index and scan share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace

from ...base.dtype import DType
from ...base.target import current_target
from ...ir.core import Operation, Value
from ...ops.dims import DimLike, product
from ...ops.kernel_expressions import ZERO, Expr, Load, Name, Operand, any_of, call, expr
from ...ops.types import TensorType
from ...passes.loops.loop_indices import stays_in
from ..kernel.kernel_builder import KernelBuilder
from ..kernel.kernel_call import Kernel
from ..kernel.statements import LoopKind
from .parameters import Parameters


@dataclass(frozen=True)
class Memory:
    """Memory from an element on: a pointer, and the number of that element. Calls take the two as arguments."""

    pointer: Expr
    start: Expr

    def __iter__(self) -> Iterator[Expr]:
        return iter((self.pointer, self.start))

    def __getitem__(self, number: Operand) -> Load:
        """The element so many elements on."""
        return self.pointer[self.start + number]

    def plus(self, number: Operand) -> Memory:
        """The same so many elements on."""
        return Memory(self.pointer, self.start + number)


class Nest(KernelBuilder):
    """A kernel in the making for one operation: its statements, pointers and sizes. result: the first one, or the only
    one.
    """

    def __init__(self, operation: Operation, name: str = "", *, leaves_open: bool = False) -> None:
        super().__init__()
        self.operation = operation
        self.name = name or operation.name
        self.parameters = Parameters(leaves_open=leaves_open)
        self.result = operation.results[0]
        self.checks = 0

    # -- loops, sizes and elements -----------------------------------------------------------------

    def range(self, variable: str = "r") -> AbstractContextManager[Name]:
        """The loop over the kernel's range, which threads may share."""
        return self.loop(variable, "lo", "hi", kind=LoopKind.PARALLEL)

    def dim(self, size: DimLike) -> Expr:
        """A size as an expression."""
        return self.parameters.dim(size)

    @contextmanager
    def loops(self, sizes: Sequence[DimLike], prefix: str) -> Iterator[list[Expr]]:
        """Nested loops over sizes; gives the loop variables (a size of 1 needs none and gives 0)."""
        with ExitStack() as opened:
            names: list[Expr] = []
            for k, size in enumerate(sizes):
                if isinstance(size, int) and size == 1:
                    names.append(ZERO)
                else:
                    names.append(opened.enter_context(self.loop(f"{prefix}{k}", 0, self.dim(size))))
            yield names

    @contextmanager
    def rows(self, sizes: Sequence[DimLike], prefix: str = "i") -> Iterator[list[Expr]]:
        """The loop over the kernel's range, decoded into one index per size."""
        with self.range() as r:
            names: list[Expr] = [ZERO] * len(sizes)
            rest = r
            wide = [k for k, s in enumerate(sizes) if not (isinstance(s, int) and s == 1)]
            for k in reversed(wide[1:]):
                names[k] = self.let(f"{prefix}{k}", rest % self.dim(sizes[k]))
                rest = self.let(f"{prefix}r{k}", rest // self.dim(sizes[k]))
            if wide:
                names[wide[0]] = rest
            yield names

    def load(self, operand: int, index: Sequence[Operand]) -> Expr:
        """One element of an operand."""
        return self.parameters.load(self.operation.operands[operand], index)

    def out(self, index: Sequence[Operand], result: Value | None = None) -> Load:
        """One element of a result, the only one if none is named, to be stored."""
        return self.parameters.out(self.result if result is None else result, index)

    def area(
        self, name: str, size: DimLike, extent: DimLike, kind: DType | None = None, *, parts: int | None = None
    ) -> Memory:
        """Memory of `size` elements for each piece of the kernel's range; the local `name` says where it starts.

        parts: how many pieces there may be; as many as any kernel has that divides memory, unless it is given.
        """
        parts = current_target().threads.pieces if parts is None else parts
        pointer = self.parameters.scratch(TensorType(kind or self.result.dtype, (parts * size,)), parts)
        if parts == 1:
            return Memory(pointer, ZERO)
        return Memory(pointer, self.let(name, Name("lo") * parts // self.dim(extent) * self.dim(size)))

    def index(self, operand: int, size: DimLike) -> Expr:
        """An operand without axes as an index, made safe unless the iterations of a loop keep it within bounds."""
        number = self.load(operand, [])
        is_safe = stays_in(self.operation.operands[operand], size)
        return call("i64", number) if is_safe else self.checked(number, size)

    def checked(self, expression: Operand, size: DimLike) -> Name:
        """A run-time index made safe (negative wraps); out of range clears the status byte."""
        bound = self.dim(size)
        name = self.let(f"k{self.checks}", call("i64", expr(expression)))
        self.checks += 1
        with self.when(name < 0):
            self.let(name, name + bound)
        with self.when(any_of(name < 0, name >= bound)):
            self.fail()
            self.let(name, 0)
        return name

    def fail(self) -> None:
        """Clear the status byte: an error is raised behind the kernel."""
        self.store(self.parameters.status()[0], call("u8", 0))

    def finish(self, extent: DimLike, work: DimLike, *, splittable: bool = True, base: Value | None = None) -> Kernel:
        """The finished kernel."""
        kernel = self.parameters.kernel(self.name, self, extent, work)
        return replace(kernel, splittable=splittable, bases={} if base is None else {self.result: base})


def pieces_of(extent: DimLike) -> int:
    """Into how many pieces a kernel's range may be divided of which each has memory of its own."""
    most = current_target().threads.pieces
    return max(1, min(extent, most)) if isinstance(extent, int) else most


def size_of(value: Value) -> DimLike:
    """Number of elements of a value."""
    return product(value.tensor_type.shape)

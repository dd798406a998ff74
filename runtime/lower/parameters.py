"""A kernel's pointers and sizes while it is written, and what many kernels ask of their operands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from ...ir.core import Value
from ...ops.dims import Dim, DimLike, same_dim
from ...ops.kernel_expressions import ONE, ZERO, Expr, Literal, Load, Operand, Pointer, SizeSymbol, differ, expr
from ...ops.types import TensorType
from ..kernel.kernel_builder import KernelBuilder
from ..kernel.kernel_call import MOST_PARTS, STATUS, Kernel, KernelSlot
from ..kernel.statements import Body, nodes, rewritten

# By the texts of `r // n` and `r % n`, as variables: n's text and r.
Joined: TypeAlias = "dict[tuple[str, str], tuple[str, Expr]]"


class Parameters:
    """A kernel's pointers and sizes, numbered in order of first use, so that equal structure gives equal text.

    leaves_open: whether known sizes are left open, too, so that kernels which differ in sizes alone have one text.
    """

    def __init__(self, *, leaves_open: bool = False) -> None:
        self.leaves_open = leaves_open
        self.slots: list[KernelSlot] = []
        self.dims: list[DimLike] = []
        self._left_open: dict[int, SizeSymbol] = {}
        self._names: dict[Value, Pointer] = {}
        self._status: Pointer | None = None
        self._parts = MOST_PARTS
        self.joined: Joined = {}

    def pointer(self, value: Value, role: str = "in") -> Pointer:
        """The pointer to a value."""
        if value not in self._names:
            self._names[value] = self.add(KernelSlot(role, value, None, value.tensor_type.dtype.short))
        return self._names[value]

    def add(self, slot: KernelSlot) -> Pointer:
        """A pointer for any slot."""
        self.slots.append(slot)
        return Pointer(len(self.slots) - 1)

    def load(self, value: Value, index: Sequence[Operand]) -> Expr:
        """One element of an input at an index."""
        return as_number(self.pointer(value)[self.at(value, index)], value)

    def out(self, value: Value, index: Sequence[Operand]) -> Load:
        """One element of a result at an index, to be stored."""
        return self.pointer(value, "out")[self.at(value, index)]

    def at(self, value: Value, index: Sequence[Operand]) -> Expr:
        """The element number of an index into a value."""
        return linear(index, [self.dim(d) for d in value.tensor_type.shape], self.joined)

    def scratch(self, kind: TensorType, parts: int = MOST_PARTS) -> Pointer:
        """A pointer to memory of this kernel alone. parts: how many pieces of its range have a part of it each."""
        self._parts = min(self._parts, parts)
        return self.add(KernelSlot("scratch", None, kind, kind.dtype.short))

    def status(self) -> Pointer:
        """The byte that a kernel clears to 0 when it met an index out of range."""
        if self._status is None:
            self._status = self.add(KernelSlot(STATUS, element="u8"))
        return self._status

    @property
    def has_status(self) -> bool:
        return self._status is not None

    def dim(self, size: DimLike) -> Expr:
        """A size as an int64 expression."""
        if isinstance(size, int):
            return self.size(size) if self.leaves_open else Literal(size)
        for k, known in enumerate(self.dims):
            if isinstance(known, Dim) and same_dim(known, size):
                return SizeSymbol(k)
        self.dims.append(size)
        return SizeSymbol(len(self.dims) - 1)

    def open(self, size: DimLike) -> SizeSymbol:
        """A size that the text leaves open even where it is known, so that kernels for other sizes have that text."""
        self.dims.append(size)
        return SizeSymbol(len(self.dims) - 1)

    def size(self, size: int) -> Expr:
        """A known size that the text leaves open, the same argument wherever it is named; 0 and 1 stay numbers."""
        if size <= 1:
            return Literal(size)
        if size not in self._left_open:
            self._left_open[size] = self.open(size)
        return self._left_open[size]

    def kernel(self, name: str, builder: KernelBuilder, extent: DimLike, work: DimLike) -> Kernel:
        """The finished kernel. Sizes that it doesn't name are dropped: kernels that differ in those are the same."""
        body = builder.body
        used = sorted({part.number for part in nodes(body) if isinstance(part, SizeSymbol)}) if self.dims else []
        dims = [self.dims[number] for number in used]
        if used != list(range(len(used))):
            places = {old: SizeSymbol(new) for new, old in enumerate(used)}
            body = rewritten(body, lambda part: places[part.number] if isinstance(part, SizeSymbol) else None)
        self.dims = dims
        return Kernel(name, body, self.slots, dims, extent, work, checks=self.has_status, parts=self._parts)


def share_pointers(kernel: Kernel, places: Sequence[int]) -> Kernel:
    """The kernel with one pointer for slots of equal `places`: LLVM is told that different pointers don't alias."""
    kept = [k for k, place in enumerate(places) if places.index(place) == k]
    slots = [
        replace(kernel.slots[k], role="inout" if places.count(places[k]) > 1 else kernel.slots[k].role) for k in kept
    ]
    shared = [Pointer(kept.index(places.index(place))) for place in places]

    def shared_pointer(part: Expr) -> Expr | None:
        return shared[part.number] if isinstance(part, Pointer) else None

    statements = kernel.statements
    body = statements.fact((share_pointers, tuple(places)), lambda: Body(rewritten(statements, shared_pointer)))
    return replace(kernel, body=body, slots=slots)


def stored_as(short: str) -> str:
    """The dtype of elements in memory: bools are bytes."""
    return "u8" if short == "bool" else short


def as_number(element: Expr, value: Value) -> Expr:
    """An element of memory as a number or truth value: bools are stored as bytes."""
    return differ(element, 0) if value.dtype.is_bool else element


def linear(index: Sequence[Operand], shape: Sequence[Expr], joined: Joined | None = None) -> Expr:
    """Row-major element number from an index and a shape; `joined`: variables that are the parts of another one."""
    out: Expr = ZERO
    for i, n in zip(map(expr, index), shape, strict=True):
        whole = joined.get((str(out), str(i))) if joined else None
        if whole is not None and whole[0] == str(n):
            out = whole[1]
        elif out == ZERO:
            out = i
        elif n != ONE:
            out = out * n if i == ZERO else out * n + i
    return out

"""What a generator hands to the compiler: a kernel's statements, which buffers it takes, and over what it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ...base.flags import flags
from ...ir.core import Operation, Value
from ...ops.dims import Dim, DimLike
from ...ops.kernel_expressions import ONE, ZERO, Expr, Literal, Operand, Pointer, Size, differ, expr
from ...ops.types import TensorType
from ..kernel.call_facts import unroll_of
from ..kernel.kernel_builder import KernelBuilder
from ..kernel.kernel_printer import print_kernel
from ..kernel.kernel_verifier import verify_kernel
from ..kernel.statements import Statement, nodes, rewritten
from ..kernel_cache import KernelSource

STATUS = "status"
MOST_PARTS = 64
BAD_INDEX = ("IndexError", "an index is out of range")


@dataclass(slots=True)
class KernelSlot:
    """One buffer of a kernel: a value read ("in"), a result ("out"), both ("inout"), scratch, or the status byte."""

    role: str
    value: Value | None = None
    scratch: TensorType | None = None
    element: str = "f32"


@dataclass(slots=True)
class Kernel:
    """One kernel call of a program, or a batched launch of equal ones (batched_launches.py).

    body: its statements; they are not changed any more.
    extent: length of the outermost range. work: simple operations in all, for the decision to split.
    in_place: results that may take the memory of these inputs (read only at the element being written).
    splittable: whether the range may be divided among threads. checks: has a status byte.
    parts: into how many pieces the range may be divided at most.
    bases: results that start with an input's contents, of which the kernel only changes some elements: that input.
    failure: the error, by name, and its message where the status byte was cleared.
    fast: see KernelSource. rows: of a batched launch, whose slots and dims are those of its rows (see KernelSource).
    """

    name: str
    body: Sequence[Statement]
    slots: list[KernelSlot]
    dims: Sequence[DimLike]
    extent: DimLike
    work: DimLike
    in_place: dict[Value, tuple[Value, ...]] = field(default_factory=dict)
    splittable: bool = True
    checks: bool = False
    bases: dict[Value, Value] = field(default_factory=dict)
    parts: int = MOST_PARTS
    failure: tuple[str, str] = BAD_INDEX
    fast: bool = False
    rows: int = 0
    _verified: bool = field(default=False, init=False, repr=False)
    _printed: tuple[KernelSource, tuple[Operation | None, ...]] | None = field(default=None, init=False, repr=False)

    @property
    def source(self) -> KernelSource:
        """The text, as the kernel cache takes it."""
        return self._print()[0]

    @property
    def origins(self) -> tuple[Operation | None, ...]:
        """The operation behind each line of the text, for who reads it."""
        return self._print()[1]

    def verify(self) -> None:
        """Check the statements, once. Errors: KernelError."""
        if not self._verified:
            verify_kernel(self.body, *self._arguments())
            self._verified = True

    def _arguments(self) -> tuple[int, int]:
        """How many pointers and sizes the text has: those of one row."""
        slots, sizes = len(self.slots), len(self.dims)
        return (slots // self.rows, (sizes - 1) // self.rows - 1) if self.rows else (slots, sizes)

    def _print(self) -> tuple[KernelSource, tuple[Operation | None, ...]]:
        if self._printed is None:
            slots, sizes = self._arguments()
            if flags.verify:
                self.verify()
            text, origins = print_kernel(self.body, slots, sizes)
            elements = tuple(slot.element for slot in self.slots[:slots])
            source = KernelSource(self.name, text, elements, sizes, self.fast, self.rows > 0, unroll_of(self.body))
            self._printed = source, origins
        return self._printed


class Parameters:
    """A kernel's pointers and sizes, numbered in order of first use, so that equal structure gives equal text.

    leaves_open: whether known sizes are left open, too, so that kernels which differ in sizes alone have one text.
    """

    def __init__(self, *, leaves_open: bool = False) -> None:
        self.leaves_open = leaves_open
        self.slots: list[KernelSlot] = []
        self.dims: list[DimLike] = []
        self._left_open: dict[int, Size] = {}
        self._names: dict[Value, Pointer] = {}
        self._status: Pointer | None = None

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

    def at(self, value: Value, index: Sequence[Operand]) -> Expr:
        """The element number of an index into a value."""
        return linear(index, [self.dim(d) for d in value.tensor_type.shape])

    def scratch(self, kind: TensorType) -> Pointer:
        """A pointer to memory that only this kernel uses."""
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
            if size <= 1 or not self.leaves_open:
                return Literal(size)
            if size not in self._left_open:
                self._left_open[size] = self.open(size)
            return self._left_open[size]
        for k, known in enumerate(self.dims):
            if isinstance(known, Dim) and known.terms == size.terms:
                return Size(k)
        self.dims.append(size)
        return Size(len(self.dims) - 1)

    def open(self, size: DimLike) -> Size:
        """A size that the text leaves open even where it is known, so that kernels for other sizes have that text."""
        self.dims.append(size)
        return Size(len(self.dims) - 1)

    def kernel(self, name: str, builder: KernelBuilder, extent: DimLike, work: DimLike) -> Kernel:
        """The finished kernel. Sizes that it doesn't name are dropped: kernels that differ in those are the same."""
        body = builder.body
        used = sorted({part.number for part in nodes(body) if isinstance(part, Size)})
        dims = [self.dims[number] for number in used]
        if used != list(range(len(used))):
            places = {old: Size(new) for new, old in enumerate(used)}
            body = rewritten(body, lambda part: places[part.number] if isinstance(part, Size) else None)
        self.dims = dims
        return Kernel(name, body, self.slots, dims, extent, work, checks=self.has_status)


def share_pointers(kernel: Kernel, places: Sequence[int]) -> Kernel:
    """The kernel with one pointer for slots of equal `places`: LLVM is told that different pointers don't alias."""
    kept = [k for k, place in enumerate(places) if places.index(place) == k]
    slots = [
        replace(kernel.slots[k], role="inout" if places.count(places[k]) > 1 else kernel.slots[k].role) for k in kept
    ]
    shared = [Pointer(kept.index(places.index(place))) for place in places]
    body = rewritten(kernel.body, lambda part: shared[part.number] if isinstance(part, Pointer) else None)
    return replace(kernel, body=body, slots=slots)


def as_number(element: Expr, value: Value) -> Expr:
    """An element of memory as a number or truth value: bools are stored as bytes."""
    return differ(element, 0) if value.dtype.is_bool else element


def linear(index: Sequence[Operand], shape: Sequence[Expr]) -> Expr:
    """Row-major element number from an index and a shape."""
    out: Expr = ZERO
    for i, n in zip(map(expr, index), shape, strict=True):
        if out == ZERO:
            out = i
        elif n != ONE:
            out = out * n if i == ZERO else out * n + i
    return out

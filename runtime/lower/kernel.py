"""What a generator hands to the compiler: a kernel's text, which buffers it takes, and over what it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ...ir.core import Operation, Value
from ...ops.dims import Dim, DimLike
from ...ops.types import TensorType
from ..kernel_cache import KernelSource

STATUS = "status"
MOST_PARTS = 64
_DIM = re.compile(r"\bd(\d+)\b")
_POINTER = re.compile(r"\bp(\d+)\b")


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

    extent: length of the outermost range. work: simple operations in all, for the decision to split.
    in_place: results that may take the memory of these inputs (read only at the element being written).
    splittable: whether the range may be divided among threads. checks: has a status byte.
    parts: into how many pieces the range may be divided at most.
    bases: results that start with an input's contents, of which the kernel only changes some elements: that input.
    origins: the operation behind each line of the text, for who reads it; empty where all lines have the same one.
    """

    source: KernelSource
    slots: list[KernelSlot]
    dims: Sequence[DimLike]
    extent: DimLike
    work: DimLike
    in_place: dict[Value, tuple[Value, ...]] = field(default_factory=dict)
    splittable: bool = True
    checks: bool = False
    bases: dict[Value, Value] = field(default_factory=dict)
    parts: int = MOST_PARTS
    origins: tuple[Operation | None, ...] = ()


class Writer:
    """Indented source lines, each with the operation that it belongs to."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 1
        self.origin: Operation | None = None
        self._origins: dict[int, Operation | None] = {}
        self._head: list[tuple[str, Operation | None]] = []  # what stands before all loops

    def line(self, text: str) -> None:
        self._origins[len(self.lines)] = self.origin
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """An indented block under `head:`."""
        self.line(f"{head}:")
        self.depth += 1
        yield
        self.depth -= 1

    @contextmanager
    def at_start(self) -> Iterator[None]:
        """Lines written inside stand before all loops, after those that do so already."""
        kept = self.lines, self._origins, self.depth
        self.lines, self._origins, self.depth = [], {}, 1
        try:
            yield
            self._head += [(text, self._origins[k]) for k, text in enumerate(self.lines)]
        finally:
            self.lines, self._origins, self.depth = kept

    @contextmanager
    def on_behalf_of(self, operation: Operation | None) -> Iterator[None]:
        """Lines written inside belong to `operation`."""
        before, self.origin = self.origin, operation
        try:
            yield
        finally:
            self.origin = before

    @property
    def origins(self) -> tuple[Operation | None, ...]:
        """The operation of each line of the finished kernel: its first line, the `def`, has none."""
        return (None, *(origin for _, origin in self._head), *(self._origins[k] for k in range(len(self.lines))))

    def text(self) -> str:
        return "\n".join([*(text for text, _ in self._head), *self.lines]) + "\n"


class Parameters:
    """Names of a kernel's pointers and dims, given in order of first use, so that equal structure gives equal text."""

    def __init__(self) -> None:
        self.slots: list[KernelSlot] = []
        self.dims: list[DimLike] = []
        self._names: dict[Value, str] = {}
        self._status: str | None = None

    def pointer(self, value: Value, role: str = "in") -> str:
        """The name of a value's pointer."""
        if value not in self._names:
            self._names[value] = self.add(KernelSlot(role, value, None, value.tensor_type.dtype.short))
        return self._names[value]

    def add(self, slot: KernelSlot) -> str:
        """A pointer for any slot."""
        self.slots.append(slot)
        return f"p{len(self.slots) - 1}"

    def load(self, value: Value, index: list[str]) -> str:
        """One element of an input at an index, as an expression."""
        text = f"{self.pointer(value)}[{self.at(value, index)}]"
        return f"({text} != 0)" if value.dtype.is_bool else text

    def at(self, value: Value, index: list[str]) -> str:
        """The element number of an index into a value."""
        return linear(index, [self.dim(d) for d in value.tensor_type.shape])

    def scratch(self, kind: TensorType) -> str:
        """A pointer to memory that only this kernel uses."""
        return self.add(KernelSlot("scratch", None, kind, kind.dtype.short))

    def status(self) -> str:
        """The byte that a kernel clears to 0 when it met an index out of range."""
        if self._status is None:
            self._status = self.add(KernelSlot(STATUS, element="u8"))
        return self._status

    @property
    def has_status(self) -> bool:
        return self._status is not None

    def dim(self, size: DimLike) -> str:
        """A size as an int64 expression."""
        if isinstance(size, int):
            return str(size)
        for k, known in enumerate(self.dims):
            if isinstance(known, Dim) and known.terms == size.terms:
                return f"d{k}"
        self.dims.append(size)
        return f"d{len(self.dims) - 1}"

    def open(self, size: DimLike) -> str:
        """A size that the text leaves open even where it is known, so that kernels for other sizes have that text."""
        self.dims.append(size)
        return f"d{len(self.dims) - 1}"

    def source(self, name: str, body: str) -> KernelSource:
        """The finished source: `body` holds the lines inside the function. Dims that it doesn't name are dropped."""
        body = self._keep_dims(body)
        return kernel_source(name, body, self.slots, len(self.dims))

    def _keep_dims(self, body: str) -> str:
        """The body with its dims numbered anew: kernels that differ in unused ones only are then the same kernel."""
        used = sorted({int(number) for number in _DIM.findall(body)})
        places = {old: new for new, old in enumerate(used)}
        self.dims = [self.dims[old] for old in used]
        return _DIM.sub(lambda found: f"d{places[int(found[1])]}", body)


def kernel_source(name: str, body: str, slots: Sequence[KernelSlot], dims: int) -> KernelSource:
    """The source whose function has the lines `body`, with pointers for the slots and so many dims."""
    names = [*(f"p{k}" for k in range(len(slots))), *(f"d{k}" for k in range(dims)), "lo", "hi"]
    return KernelSource(name, f"def body({', '.join(names)}):\n{body}", tuple(s.element for s in slots), dims)


def share_pointers(kernel: Kernel, places: Sequence[int]) -> Kernel:
    """The kernel with one pointer for slots of equal `places`: LLVM is told that different pointers don't alias."""
    kept = [k for k, place in enumerate(places) if places.index(place) == k]
    slots = [
        replace(kernel.slots[k], role="inout" if places.count(places[k]) > 1 else kernel.slots[k].role) for k in kept
    ]
    numbers = [kept.index(places.index(place)) for place in places]
    _, _, body = kernel.source.body.partition("\n")
    body = _POINTER.sub(lambda found: f"p{numbers[int(found[1])]}", body)
    return replace(
        kernel,
        source=kernel_source(kernel.source.name, body, slots, len(kernel.dims)),
        slots=slots,
    )


def linear(index: list[str], shape: list[str]) -> str:
    """Row-major element number from an index and a shape, both as expressions."""
    out = ""
    for i, n in zip(index, shape, strict=True):
        if out in ("", "0"):
            out = _wrap(i) if len(index) > 1 else i
        elif n == "1":
            continue
        else:
            out = f"{_wrap(out)} * {n}" + ("" if i == "0" else f" + {i}")
    return out or "0"


def _wrap(text: str) -> str:
    return text if text.isidentifier() or text.isdigit() else f"({text})"

"""What a generator hands to the compiler: a kernel's statements, which buffers it takes, and over what it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...base.flags import flags
from ...ir.core import Operation, Value
from ...ir.walk import walk_together
from ...ops.dims import DimLike
from ...ops.types import TensorType
from ..kernel_cache import KernelSource
from .call_facts import unroll_of
from .kernel_printer import print_kernel
from .kernel_verifier import verify_kernel
from .statements import Body, Statement

STATUS = "status"
MOST_PARTS = 64
BAD_INDEX = ("IndexError", "an index is out of range")


@dataclass(slots=True)
class KernelSlot:
    """One buffer of a kernel: a value read ("in"), a result ("out"), both ("inout"), scratch, or the status byte.

    scratch: the type of memory that holds no value: the kernel's own, or a table that one kernel leaves for the next.
    """

    role: str
    value: Value | None = None
    scratch: TensorType | None = None
    element: str = "f32"


@dataclass(slots=True)
class Kernel:
    """One kernel call of a program, or a batched launch of equal ones (batched_launches.py).

    body: its statements, a `Body` once the kernel is made; they are not changed any more. Of a finished kernel only the
    text is left.
    extent: length of the outermost range. work: simple operations in all, for the decision to split.
    in_place: results that may take the memory of these inputs (read only at the element being written).
    splittable: whether the range may be divided among threads. checks: has a status byte.
    parts: into how many pieces the range may be divided at most.
    bases: results that start with an input's contents, of which the kernel only changes some elements: that input.
    failure: the error, by name, and its message where the status byte was cleared.
    stands_for: the operation whose statements these are, and the equal one that the kernel is for, if that is another.
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
    stands_for: tuple[Operation, Operation] | None = None
    _verified: bool = field(default=False, init=False, repr=False)
    _printed: tuple[KernelSource, tuple[Operation | None, ...]] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.body, Body):
            self.body = Body(self.body)

    @property
    def statements(self) -> Body:
        """The body of a kernel that isn't finished."""
        assert isinstance(self.body, Body)
        return self.body

    @property
    def source(self) -> KernelSource:
        """The text, as the kernel cache takes it."""
        return self._print()[0]

    @property
    def origins(self) -> tuple[Operation | None, ...]:
        """The operation behind each line of the text, for who reads it."""
        lines = self._print()[1]
        if self.stands_for is None:
            return lines
        own = dict(walk_together(*self.stands_for))
        return tuple(operation and own.get(operation, operation) for operation in lines)

    def verify(self) -> None:
        """Check the statements, once. Errors: KernelError."""
        if not self._verified:
            verify_kernel(self.body, *self._arguments())
            self._verified = True

    def finish(self) -> None:
        """Print it, and drop the statements: after the schedule nobody changes them any more."""
        self._print()
        self.body = ()

    def _arguments(self) -> tuple[int, int]:
        """How many pointers and sizes the text has: those of one row."""
        slots, sizes = len(self.slots), len(self.dims)
        return (slots // self.rows, (sizes - 1) // self.rows - 1) if self.rows else (slots, sizes)

    def _print(self) -> tuple[KernelSource, tuple[Operation | None, ...]]:
        if self._printed is None:
            slots, sizes = self._arguments()
            if flags.verify:
                self.verify()
            body = self.statements
            text, origins = body.fact((slots, sizes), lambda: print_kernel(body, slots, sizes))
            elements = tuple(slot.element for slot in self.slots[:slots])
            unroll = body.fact(unroll_of, lambda: unroll_of(body))
            source = KernelSource(self.name, text, elements, sizes, self.fast, self.rows > 0, unroll)
            self._printed = source, origins
        return self._printed

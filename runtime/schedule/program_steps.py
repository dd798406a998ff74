"""A program as straight steps with jumps over buffers: what binding turns into the VM's tables, shape by shape."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base import dtype as dt
from ...ir.core import Operation, Program, Value
from ...ops.dims import Dim, DimLike, same_dim
from ...ops.sizes import any_issued, runtime_names
from ...ops.types import TensorType
from ..kernel.kernel_call import Kernel

if TYPE_CHECKING:
    from ...ir.interpret import RunFacts
    from ..lower.loops.loop_parts import LoopParts

ARENA, STATE, FEED, FETCH, CONSTANT = "arena", "state", "feed", "fetch", "constant"
WORD = TensorType(dt.int64, ())


@dataclass(eq=False, slots=True)
class Buffer:
    """A place in memory. `parent` makes it a piece of another one, `offset` elements (of this dtype) in.

    number: which state entry, feed or fetch. data: the array of a constant. first, last: steps between which an arena
    buffer is in use (set by `measure_lifetimes`). takes_over: it isn't a piece of its parent, but lies in its memory
    from where nothing needs the parent's contents any more.
    """

    kind: TensorType
    role: str = ARENA
    number: int = 0
    data: np.ndarray[Any, Any] | None = None
    parent: Buffer | None = None
    offset: DimLike = 0
    first: int = -1
    last: int = -1
    hint: str = ""
    takes_over: bool = False

    def root(self) -> tuple[Buffer, DimLike]:
        """The buffer that owns the memory, and the offset in bytes."""
        buffer, total = self, 0 * self.offset
        while buffer.parent is not None:
            if not same_dim(buffer.offset, 0):  # a long chain of updates lies in one place
                total = total + buffer.offset * buffer.kind.dtype.itemsize
            buffer = buffer.parent
        return buffer, total

    def owner(self) -> Buffer:
        """The buffer that owns the memory."""
        buffer = self
        while buffer.parent is not None:
            buffer = buffer.parent
        return buffer

    @property
    def bytes(self) -> DimLike:
        return self.kind.size * self.kind.dtype.itemsize

    @property
    def is_run_sized(self) -> bool:
        """Whether it owns memory of which only a run knows how large it is: it lies in a list, not in the arena."""
        return self.role == ARENA and self.parent is None and any_issued() and bool(runtime_names(self.kind.shape))


@dataclass(eq=False, slots=True)
class ProgramStep:
    """One step; `operation` is where it comes from.

    words: the numbers in memory that say what the sizes in it are which only a run knows.
    """

    operation: Operation | None
    words: list[Buffer] = field(default_factory=list, kw_only=True)

    @property
    def operations(self) -> Sequence[Operation]:
        """All operations that it carries out."""
        return () if self.operation is None else (self.operation,)

    def reads(self) -> Sequence[Buffer]:
        return ()

    def writes(self) -> Sequence[Buffer]:
        return ()

    def dims(self) -> Sequence[DimLike]:
        """The sizes that are part of the VM's instruction, but for those of kernels and buffers."""
        return ()


@dataclass(eq=False, slots=True)
class KernelStep(ProgramStep):
    """Call a kernel; one buffer per slot."""

    kernel: Kernel
    buffers: list[Buffer]

    def reads(self) -> Sequence[Buffer]:
        read = [b for b, s in zip(self.buffers, self.kernel.slots, strict=True) if s.role in ("in", "inout")]
        return [*read, *self.words]

    def writes(self) -> Sequence[Buffer]:
        return [b for b, s in zip(self.buffers, self.kernel.slots, strict=True) if s.role != "in"]


@dataclass(eq=False, slots=True)
class BatchedStep(KernelStep):
    """Equal calls of one kernel, made at once (batched_launches.py): their buffers and slots one after another."""

    calls: list[KernelStep]

    @property
    def operations(self) -> Sequence[Operation]:
        """The operation of each call."""
        return [call.operation for call in self.calls if call.operation is not None]

    @property
    def reason(self) -> str:
        """Why the calls are one."""
        return f"{len(self.calls)} equal calls, of which none waits for another"


@dataclass(eq=False, slots=True)
class LoopStep(KernelStep):
    """Call a loop kernel. inner: the steps that it carries out. reason: why they are one kernel."""

    inner: list[ProgramStep]
    reason: str


@dataclass(eq=False, slots=True)
class GemmStep(ProgramStep):
    """out = alpha * op(a) @ op(b) + beta * out, batched as NumPy's matmul."""

    a: Buffer
    b: Buffer
    out: Buffer
    transpose_a: bool = False
    transpose_b: bool = False
    alpha: float = 1.0
    beta: float = 0.0

    def reads(self) -> Sequence[Buffer]:
        return [self.a, self.b, self.out] if self.beta else [self.a, self.b]

    def writes(self) -> Sequence[Buffer]:
        return [self.out]


@dataclass(eq=False, slots=True)
class CustomGemmStep(KernelStep):
    """A matmul by a custom GEMM kernel where `size`, that of its rows as a rule, is `least` to `most` (None: or more).

    In other calls `otherwise`, the BLAS, does it; without one the step behind, from `done[0]` to `done[1]` that before.
    """

    otherwise: GemmStep | None
    size: DimLike
    least: int
    most: int | None = None
    done: tuple[int, int] | None = None

    def way(self, size: int) -> ProgramStep | None:
        """What computes the product where `size` is this: itself, the library, or None, another step."""
        if self.least <= size and (self.most is None or size <= self.most):
            return self
        return None if self.done is not None and self.done[0] <= size <= self.done[1] else self.otherwise


@dataclass(eq=False, slots=True)
class CopyStep(ProgramStep):
    """Copy all bytes of one buffer into another."""

    target: Buffer
    source: Buffer

    def reads(self) -> Sequence[Buffer]:
        return [self.source, *self.words]

    def writes(self) -> Sequence[Buffer]:
        return [self.target]


@dataclass(eq=False, slots=True)
class SetStep(ProgramStep):
    """Write an int64."""

    target: Buffer
    value: DimLike

    def writes(self) -> Sequence[Buffer]:
        return [self.target]

    def dims(self) -> Sequence[DimLike]:
        return [self.value]


@dataclass(eq=False, slots=True)
class HoldStep(ProgramStep):
    """Nothing runs: from here on the memory is kept for what a loop fills row by row."""

    buffer: Buffer

    def writes(self) -> Sequence[Buffer]:
        return [self.buffer]


@dataclass(eq=False, slots=True)
class HandOverStep(ProgramStep):
    """Nothing runs: memory whose size only a run knows holds a result of the program, which takes it from there."""

    buffer: Buffer

    def reads(self) -> Sequence[Buffer]:
        return [self.buffer, *self.words]


@dataclass(eq=False, slots=True)
class AddStep(ProgramStep):
    """Add to an int64 in memory."""

    target: Buffer
    amount: int = 1

    def reads(self) -> Sequence[Buffer]:
        return [self.target]

    writes = reads


@dataclass(eq=False, slots=True)
class Label(ProgramStep):
    """A place to jump to. `closes`: the label at the loop's start, when this one ends a loop."""

    operation: Operation | None = None
    closes: Label | None = None


@dataclass(eq=False, slots=True)
class JumpStep(ProgramStep):
    """Jump always; when `zero` is given, only if that bool is false; when `left` and `right` are, if left >= right."""

    target: Label
    zero: Buffer | None = None
    left: Buffer | None = None
    right: Buffer | None = None

    def reads(self) -> Sequence[Buffer]:
        return [b for b in (self.zero, self.left, self.right) if b is not None]


@dataclass(eq=False, slots=True)
class ListStep(ProgramStep):
    """Clear, push to or pop from list `number`."""

    action: str
    number: int
    buffer: Buffer | None = None

    def reads(self) -> Sequence[Buffer]:
        return [self.buffer] if self.buffer is not None and self.action == "push" else []

    def writes(self) -> Sequence[Buffer]:
        return [self.buffer] if self.buffer is not None and self.action == "pop" else []


@dataclass(eq=False, slots=True)
class RowStep(ProgramStep):
    """Change or read list `number`, which holds an array as its rows (growing/).

    clear. push: `many` rows from `buffer`. extend: by rows of the list `other`, from row `at` on, `count` of them, or
    all. cut: it is the rows of `other` from `at` up to `count`, as Python slices. repeat: append the row in `buffer`
    `count` times. peek: `many` rows from row `at` on into `buffer`. poke: row `at` from `buffer`. trim: keep `count`
    rows. expect: it has `count` rows. length: how many rows, into `buffer`.
    """

    action: str
    number: int
    row: TensorType
    buffer: Buffer | None = None
    other: int = -1
    at: Buffer | None = None
    count: Buffer | None = None
    many: DimLike = 1

    def reads(self) -> Sequence[Buffer]:
        source = self.buffer if self.action in ("push", "repeat", "poke") else None
        return [b for b in (source, self.at, self.count) if b is not None]

    def writes(self) -> Sequence[Buffer]:
        return [self.buffer] if self.buffer is not None and self.action in ("peek", "length") else []


@dataclass(frozen=True, slots=True)
class ListPlace:
    """The list of the VM that holds a value."""

    number: int


@dataclass(eq=False, slots=True)
class HostCallStep(ProgramStep):
    """Return to Python: run a callback, or a row that has no native form."""

    inputs: list[Buffer]
    outputs: list[Buffer]

    def reads(self) -> Sequence[Buffer]:
        return self.inputs

    def writes(self) -> Sequence[Buffer]:
        return self.outputs


@dataclass(eq=False, slots=True)
class InterpretedStep(ProgramStep):
    """Return to Python: the interpreter runs the operation; values without a place are in the call's table.

    sizes: those that the operation asks for, as the VM knows them; told: those that the VM learns from it. facts: what
    a run finds out for the next ones; learned: which axes of the inputs tell which sizes; believed: results that are
    taken to have as many rows as others, and how many that is.
    """

    inputs: list[tuple[Value, Buffer | ListPlace | None]]
    outputs: list[tuple[Value, Buffer | ListPlace | None]]
    reason: str
    sizes: list[tuple[str, Buffer]]
    told: list[tuple[str, Buffer]]
    facts: dict[Operation, RunFacts] = field(default_factory=dict, kw_only=True)
    learned: list[tuple[int, int, str]] | None = field(default=None, kw_only=True)
    believed: list[tuple[int, Buffer]] = field(default_factory=list, kw_only=True)

    def reads(self) -> Sequence[Buffer]:
        found = (*(b for _, b in self.inputs), *(b for _, b in self.sizes), *self.words)
        return [b for b in found if isinstance(b, Buffer)]

    def writes(self) -> Sequence[Buffer]:
        return [b for _, b in (*self.outputs, *self.told) if isinstance(b, Buffer)]


@dataclass(eq=False, slots=True)
class FallbackStep(InterpretedStep):
    """In place of native steps, for sizes that these don't fit: the interpreter says what is wrong with them."""


@dataclass(eq=False, slots=True)
class PieceStep(InterpretedStep):
    """Interpreted steps in a row, `members`, which native code does where their sizes make it worth it (growing/).

    program: what they do together. It takes their inputs (but constants), then an empty array of the length of each
    size in `untold`, and makes `kept`. work: how many elements they read and make.
    """

    members: list[InterpretedStep]
    program: Program
    untold: list[DimLike]
    kept: list[tuple[Value, Buffer | ListPlace | None]]
    work: DimLike

    def reads(self) -> Sequence[Buffer]:
        """What the program reads, and the members where they run one by one: a value may lie in several buffers."""
        return list(dict.fromkeys(b for m in self.members for b in m.reads()))


@dataclass(eq=False, slots=True)
class CheckStep(ProgramStep):
    """Raise at run time unless the byte is non-zero.

    inputs, outputs: what a kernel that may meet a bad index read and wrote, perhaps one in the other's place.
    """

    buffer: Buffer
    error: str
    message: str
    inputs: Sequence[tuple[Value, Buffer]] = ()
    outputs: Sequence[tuple[Value, Buffer]] = ()

    def reads(self) -> Sequence[Buffer]:
        return [self.buffer]


@dataclass(eq=False, slots=True)
class EmittedLoop:
    """A loop as it was emitted, for passes that put other steps in its place.

    entry: the first of its steps. start, end: its labels. carried: the buffers of what it carries, but lists.
    count: of iterations, in a `for`. parts: where it is a loop over elements; else `refusal` says why it isn't, or
    nothing where its arrays are small. outside: for `parts`, the buffers of the arrays, then the numbers, that it
    reads; preparation: the steps that fill those of them that nothing else needs.
    """

    entry: ProgramStep
    start: Label
    end: Label
    carried: list[Buffer]
    count: Buffer | None = None
    parts: LoopParts | None = None
    refusal: str = ""
    outside: list[Buffer] = field(default_factory=list)
    preparation: list[ProgramStep] = field(default_factory=list)


@dataclass(slots=True)
class Steps:
    """A whole program: steps, and the buffers of its arguments and fetches."""

    steps: list[ProgramStep]
    feeds: list[Buffer]
    state: list[Buffer]
    fetches: list[Buffer]
    lists: int
    symbols: list[str]
    constraints: list[tuple[str, Dim]]
    host_feeds: list[tuple[int, Value]] = field(default_factory=list)  # feeds whose sizes only a run knows
    host_fetches: list[tuple[int, Value]] = field(default_factory=list)  # fetches that are not in `fetches`
    listed: dict[Value, int] = field(default_factory=dict)  # the lists of those that are in no table
    told: list[tuple[str, Buffer]] = field(default_factory=list)  # sizes that a call writes down before it begins
    name: str = ""  # the program's
    words: dict[str, Buffer] = field(default_factory=dict)  # the sizes that only a run knows, where it knows them
    handed: list[tuple[int, Buffer]] = field(default_factory=list)  # fetches that `HandOverStep` says
    vm_loops: list[tuple[Operation, str]] = field(default_factory=list)  # not one kernel, and why
    loops: dict[Operation, EmittedLoop] = field(default_factory=dict)
    is_exact: bool = False  # a value computed twice must be the same twice
    labels: dict[Buffer | Label, str] = field(default_factory=dict)  # names in texts: the same at each stage

    @property
    def buffers(self) -> list[Buffer]:
        """All buffers of all steps, roots and pieces, once each."""
        seen: dict[Buffer, None] = {}
        for step in self.steps:
            seen.update(dict.fromkeys(step.reads()))
            seen.update(dict.fromkeys(step.writes()))
        return list(seen)


def finish(program: Steps) -> None:
    """Print all kernels, and drop what only passes read: statements of kernels, and what loops consist of."""
    steps = list(program.steps)
    for step in steps:
        if isinstance(step, BatchedStep):
            steps += step.calls
        elif isinstance(step, LoopStep):
            steps += step.inner
        if isinstance(step, KernelStep):
            step.kernel.finish()
    program.loops.clear()


def clone_steps(program: Steps) -> Steps:
    """A copy with steps, labels and buffers of its own; kernels and operations are shared."""
    known: dict[Any, Any] = {}

    def own(part: Any) -> Any:
        if isinstance(part, (Buffer, ProgramStep, EmittedLoop)):
            if part not in known:
                made = known[part] = copy(part)
                for each in fields(part):
                    setattr(made, each.name, own(getattr(part, each.name)))
            return known[part]
        if type(part) in (list, tuple):
            return type(part)(own(x) for x in part)
        if type(part) is dict:
            return {own(k): own(v) for k, v in part.items()}
        return part

    return Steps(**{each.name: own(getattr(program, each.name)) for each in fields(program)})


def same_place(a: Buffer, b: Buffer) -> bool:
    """Whether two buffers start at the same place in memory."""
    (root_a, offset_a), (root_b, offset_b) = a.root(), b.root()
    return root_a is root_b and same_dim(offset_a, offset_b)

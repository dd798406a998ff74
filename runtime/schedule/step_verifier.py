"""Checks that steps are right: jumps and loops, what kernels take, what is read before it is written, shared memory.

It asks no pass and no analysis of theirs but the memory plan, which it checks by a liveness of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn, cast

from ...base import dtype as dt
from ...base.errors import KernelError, VerifyError
from ...ops.dims import Dim, DimLike, evaluate
from ..kernel.kernel_call import STATUS, KernelSlot
from ..vm.binding import memory_plan
from .growing.run_sizes import numbered_lists
from .lifetimes import measure_lifetimes
from .program_steps import (
    ARENA,
    Buffer,
    GemmStep,
    JumpStep,
    KernelStep,
    Label,
    ListStep,
    LoopStep,
    ProgramStep,
    Steps,
)

LIST_ROOM = 1 << 48  # bytes between the places that stand for those of lists
OPEN_SIZE = 5  # stands for sizes that only a call tells


def verify_steps(program: Steps) -> None:
    """Check the steps of a program. Errors: VerifyError with the number of a step, and what is wrong with it.

    Jumps go to labels among the steps, and loops nest; kernels are right and their buffers fit; no memory is read that
    no step has written; buffers in use at the same time lie apart, unless they were joined.
    """
    _check_control(program.steps)
    for k, step in enumerate(program.steps):
        if isinstance(step, KernelStep):
            _check_kernel(k, step)
        for buffer in (*step.reads(), *step.writes()):
            root, offset = buffer.root()
            excess = offset + buffer.bytes - root.bytes
            if isinstance(excess, int) and excess > 0:  # sizes that only a call tells may turn out to fit
                _wrong(k, step, f"{buffer.kind} is no piece of {root.kind}")
    flow = _Flow(program.steps)
    flow.check_reads()
    flow.check_memory(program)


def _wrong(k: int, step: ProgramStep, reason: str) -> NoReturn:
    what = type(step).__name__ + ("" if step.operation is None else f" of `{step.operation.name}`")
    raise VerifyError(f"step {k}, a {what}, is wrong: {reason}")


def _number(size: DimLike) -> int:
    """A size, with one of our own for each symbol."""
    if not isinstance(size, Dim):
        return int(size)
    return int(cast(int, evaluate(size, dict.fromkeys(size.symbols(), OPEN_SIZE))))


# ---- control flow


def _check_control(steps: Sequence[ProgramStep]) -> None:
    places: dict[Label, int] = {}
    for k, step in enumerate(steps):
        if isinstance(step, Label) and places.setdefault(step, k) != k:
            _wrong(k, step, "the label stands twice")
    for k, step in enumerate(steps):
        if isinstance(step, JumpStep) and step.target not in places:
            _wrong(k, step, "its target is no label of the program")
        if isinstance(step, JumpStep) and (step.left is None) != (step.right is None):
            _wrong(k, step, "it compares one number")
    starts = {step.closes for step in steps if isinstance(step, Label)}
    opened: list[Label] = []
    for k, step in enumerate(steps):
        if isinstance(step, Label) and step in starts:
            opened.append(step)
        if isinstance(step, Label) and step.closes is not None and (not opened or opened.pop() is not step.closes):
            _wrong(k, step, "it ends a loop that isn't the innermost one")
    if opened:
        _wrong(places[opened[0]], opened[0], "its loop has no end")


# ---- kernels


def _check_kernel(k: int, step: KernelStep) -> None:
    kernel = step.kernel
    if len(kernel.slots) != len(step.buffers):
        _wrong(k, step, f"its kernel {kernel.name} takes {len(kernel.slots)} buffers, not {len(step.buffers)}")
    for slot, buffer in zip(kernel.slots, step.buffers, strict=True):
        if not _fits(slot, buffer):
            _wrong(k, step, f"its kernel {kernel.name} takes {_kind(slot)} where {buffer.kind} is given")
    try:
        kernel.verify()
    except KernelError as error:
        raise VerifyError(f"step {k}: {error.message}") from error


def _kind(slot: KernelSlot) -> str:
    kind = slot.value.type if slot.value is not None else slot.scratch
    return slot.element if kind is None else str(kind)


def _fits(slot: KernelSlot, buffer: Buffer) -> bool:
    """Whether a buffer is as long as what the kernel reads or writes there.

    Rows of a concat are written into a piece of the result, all over the result.
    """
    kind = slot.value.tensor_type if slot.value is not None else slot.scratch
    if kind is None:
        width = dt.as_dtype(slot.element).itemsize
        return slot.role == STATUS or _number(buffer.owner().bytes) % width == 0
    place = buffer.owner() if slot.role == "out" else buffer
    return _number(place.bytes) >= _number(kind.size * kind.dtype.itemsize)


# ---- memory


class _Flow:
    """The steps as a graph, and which arena memory each reads and writes: sets of buffers as bit masks."""

    def __init__(self, steps: Sequence[ProgramStep]) -> None:
        self.steps = steps
        self.numbers: dict[Buffer, int] = {}
        self.reads = [self._mask(step.reads()) for step in steps]
        self.needs = [self._mask(_needed(step)) for step in steps]
        self.writes = [self._mask(step.writes()) for step in steps]
        places = {step: k for k, step in enumerate(steps) if isinstance(step, Label)}
        self.after: list[list[int]] = []
        for k, step in enumerate(steps):
            found = [places[step.target]] if isinstance(step, JumpStep) else []
            always = isinstance(step, JumpStep) and step.zero is None and step.left is None
            self.after.append(found if always or k + 1 == len(steps) else [*found, k + 1])
        self.first = self._first_writes()

    def _mask(self, buffers: Sequence[Buffer]) -> int:
        mask = 0
        for buffer in buffers:
            if buffer.owner().role == ARENA:
                mask |= 1 << self.numbers.setdefault(_tenant(buffer), len(self.numbers))
        return mask

    def _first_writes(self) -> list[int]:
        """For each step the memory that it is the first to write, in the order of the steps."""
        known, first = 0, []
        for writes in self.writes:
            first.append(writes & ~known)
            known |= writes
        return first

    def check_reads(self) -> None:
        """VerifyError for a read of memory that no step on a way there writes."""
        before = [0] * len(self.steps)
        todo = list(range(len(self.steps) - 1, -1, -1))
        while todo:
            k = todo.pop()
            made = before[k] | self.writes[k]
            for j in self.after[k]:
                if made & ~before[j]:
                    before[j] |= made
                    todo.append(j)
        for k, step in enumerate(self.steps):
            missing = self.needs[k] & ~before[k]
            if missing:
                _wrong(k, step, f"it reads `{_shown(self._tenants(missing)[0])}`, which no step has written")

    def check_memory(self, program: Steps) -> None:
        """VerifyError where the memory plan has a step overwrite what is read later, or what it reads itself."""
        measure_lifetimes(program)
        roots, plan = memory_plan(program, dict.fromkeys(program.symbols, OPEN_SIZE))
        spans = {r: (o, o + _number(r.bytes)) for r, o in zip(roots, plan.offsets, strict=True)}
        for root, number in numbered_lists(program).items():  # each list is memory of its own, beyond the arena
            spans[root] = (LIST_ROOM * (number + 1), LIST_ROOM * (number + 1) + _number(root.bytes))
        needed = self._needed_after()
        begun = 0
        for k, step in enumerate(self.steps):
            begun |= self.first[k]
            for written in self._tenants(self.writes[k]):
                for other in self._tenants((needed[k] | self.reads[k]) & begun & ~self._mask([written])):
                    (start, end), (first, last) = spans[written.owner()], spans[other.owner()]
                    reads_in_place = other.owner() is written.owner() and not needed[k] & self._mask([other])
                    if start < last and first < end and not reads_in_place:
                        _wrong(k, step, f"it overwrites `{_shown(other)}` by `{_shown(written)}`")

    def _needed_after(self) -> list[int]:
        """For each step the memory that some way from there reads before it is written anew."""
        before, after = [0] * len(self.steps), [0] * len(self.steps)
        made = [self.first[k] | self._mask(_replaced(step)) for k, step in enumerate(self.steps)]
        changed = True
        while changed:
            changed = False
            for k in range(len(self.steps) - 1, -1, -1):
                after[k] = 0
                for j in self.after[k]:
                    after[k] |= before[j]
                found = (after[k] & ~made[k]) | self.reads[k]
                changed, before[k] = changed or found != before[k], found
        return after

    def _tenants(self, mask: int) -> list[Buffer]:
        return [tenant for tenant, k in self.numbers.items() if mask >> k & 1]


def _tenant(buffer: Buffer) -> Buffer:
    """The buffer whose contents one holds: itself, the one that it is a piece of, or what took over its memory."""
    while buffer.parent is not None and not buffer.takes_over:
        buffer = buffer.parent
    return buffer


def _shown(buffer: Buffer) -> str:
    return f"{buffer.hint}, {buffer.kind}" if buffer.hint else str(buffer.kind)


def _needed(step: ProgramStep) -> Sequence[Buffer]:
    """What must have been written before a step.

    Kernels of loops know themselves what they may read: their slots stand for no value. And a call of a function keeps
    arrays that are filled piece by piece, whatever is in them by then.
    """
    if isinstance(step, KernelStep):
        slots = zip(step.kernel.slots, step.buffers, strict=True)
        return [b for s, b in slots if s.role in ("in", "inout") and s.value is not None]
    if isinstance(step, ListStep) and step.operation is not None and step.operation.name == "function":
        return ()
    return step.reads()


def _replaced(step: ProgramStep) -> list[Buffer]:
    """The buffers of which a step leaves nothing as it was."""
    if isinstance(step, LoopStep) or (isinstance(step, GemmStep) and step.beta):
        return []
    if isinstance(step, KernelStep) and step.kernel.bases:
        return []
    return [b for b in step.writes() if str(b.owner().bytes) == str(b.bytes)]

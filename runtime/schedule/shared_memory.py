"""Memory that buffers share: results in the memory of inputs that end there, no copies between them, one pointer."""

from __future__ import annotations

from dataclasses import dataclass

from ...ops.dims import same_dim
from ..lower.parameters import share_pointers
from .lifetimes import measure_lifetimes
from .program_steps import ARENA, Buffer, CopyStep, KernelStep, ProgramStep, Steps
from .schedule_pass import SchedulePass


@dataclass(frozen=True)
class ReuseInPlace(SchedulePass):
    """Let a kernel's result take the memory of an input that ends there, if the kernel allows it."""

    name = "reuse_in_place"

    def run(self, program: Steps) -> bool:
        measure_lifetimes(program)
        joined = [_reuse(step, k) for k, step in enumerate(program.steps) if isinstance(step, KernelStep)]
        return any(joined)


@dataclass(frozen=True)
class RemoveCopies(SchedulePass):
    """Where a copy's source ends as its target starts, the target takes the source's memory instead."""

    name = "remove_copies"

    def run(self, program: Steps) -> bool:
        measure_lifetimes(program)
        kept: list[ProgramStep] = []
        for k, step in enumerate(program.steps):
            if isinstance(step, CopyStep) and _starts_here(step.target, k) and _ends_here(step.source, step.target, k):
                _join(step.target, step.source)
            else:
                kept.append(step)
        changed = len(kept) < len(program.steps)
        program.steps[:] = kept
        return changed


@dataclass(frozen=True)
class SharePointers(SchedulePass):
    """Give a kernel whose result has an input's memory one pointer for both."""

    name = "share_pointers"
    required = "LLVM is told that different pointers of a kernel don't alias"
    after = ("time_tiling", "reuse_in_place", "remove_copies")

    def run(self, program: Steps) -> bool:
        joined = [_share(step) for step in program.steps if isinstance(step, KernelStep)]
        return any(joined)


def _reuse(step: KernelStep, k: int) -> bool:
    """Join results of step `k` with inputs that end there; whether there are some."""
    if not step.kernel.in_place:
        return False
    inputs = {s.value: b for s, b in zip(step.kernel.slots, step.buffers, strict=True) if s.role == "in"}
    roots = [b.owner() for b in step.reads()]
    taken = {root for root in roots if roots.count(root) > 1}  # read through a view as well, at other places
    joined = False
    for slot, buffer in zip(step.kernel.slots, step.buffers, strict=True):
        if slot.role != "out" or slot.value not in step.kernel.in_place or not _starts_here(buffer, k):
            continue
        for candidate in step.kernel.in_place[slot.value]:
            source = inputs.get(candidate)
            if source is not None and source.owner() not in taken and _ends_here(source, buffer, k):
                taken.add(source.owner())
                _join(buffer, source)
                buffer.takes_over = joined = True
                break
    return joined


def _share(step: KernelStep) -> bool:
    if len({b.owner() for b in step.buffers}) == len(step.buffers):
        return False
    roots = [b.root() for b in step.buffers]
    written = {root for (root, _), slot in zip(roots, step.kernel.slots, strict=True) if slot.role != "in"}
    places = list(range(len(roots)))
    for k, (root, offset) in enumerate(roots):
        same = [j for j in range(k) if root in written and roots[j][0] is root and same_dim(roots[j][1], offset)]
        places[k] = same[0] if same else k
    if places == list(range(len(roots))):
        return False
    kept = [k for k, place in enumerate(places) if place == k]
    for buffer in step.buffers:
        buffer.takes_over = False  # one pointer reads the one and writes the other
    step.kernel = share_pointers(step.kernel, places)
    step.buffers = [step.buffers[k] for k in kept]
    return True


def _starts_here(buffer: Buffer, k: int) -> bool:
    return buffer.parent is None and buffer.role == ARENA and buffer.first == k


def _ends_here(source: Buffer, target: Buffer, k: int) -> bool:
    """Whether the whole memory of `source` is of the right size and free after this step."""
    root, offset = source.root()
    return (
        root.role == ARENA
        and root.last == k
        and root is not target
        and same_dim(offset, 0)
        and same_dim(root.bytes, target.bytes)
    )


def _join(buffer: Buffer, source: Buffer) -> None:
    """Put a buffer where `source` lies, which is at the start of its memory."""
    root = source.owner()
    buffer.parent, buffer.offset = source, 0
    root.last = max(root.last, buffer.last)

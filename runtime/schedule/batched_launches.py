"""Batched launches: equal, independent kernel calls become one call over a table of their buffers and sizes.

An optimiser's update is the same kernel for every parameter; so are the norms of gradients, and casts of all weights.
Steps of one height (the longest way to a step that nothing waits for) can't depend on each other: those of one kernel
become one step, in place of the last. Memory is as it was: each call keeps its buffers, state in place included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ...base.ordering import in_order
from ...base.target import current_target
from ...ops.dims import DimLike, evaluate, same_dim
from ...ops.sizes import size_names
from ..kernel.kernel_call import MOST_PARTS, Kernel
from ..lower.kernel_abstraction import abstracted, skeleton
from ..vm.binding import memory_plan
from .lifetimes import measure_lifetimes
from .program_steps import (
    ARENA,
    AddStep,
    BatchedStep,
    Buffer,
    CopyStep,
    CustomGemmStep,
    GemmStep,
    KernelStep,
    ProgramStep,
    SetStep,
    Steps,
)
from .schedule_pass import SchedulePass

NUMBER = 64  # bytes of the plan that a number takes; the plan may grow by so much for each number of a batched launch
OPEN_SIZE = 64  # stands for sizes that only a call tells, where the plan is compared
_STRAIGHT = (KernelStep, GemmStep, CopyStep, SetStep, AddStep)


@dataclass(frozen=True)
class BatchedLaunches(SchedulePass):
    """Make batched launches of equal independent calls, where the memory plan stays about as small."""

    name = "batched_launches"
    after = ("share_pointers", "loop_kernels")

    def run(self, program: Steps) -> bool:
        batched = batch_launches(program.steps)
        if len(batched) == len(program.steps):
            return False
        measure_lifetimes(program)
        single, before = program.steps[:], peak_of(program)
        program.steps[:] = batched
        measure_lifetimes(program)
        if _plan_allows(program, before):
            return True
        program.steps[:] = single
        return False


def batch_launches(steps: Sequence[ProgramStep]) -> list[ProgramStep]:
    """The steps with equal independent kernel calls as batched launches."""
    made: list[ProgramStep] = []
    for straight, part in _parts(steps):
        made += _LaunchBatcher(part).run() if straight and len(part) > 1 else part
    return made


def _plan_allows(program: Steps, before: int) -> bool:
    """Whether the plan with batched launches stays about as small as it was."""
    tables = [step for step in program.steps if isinstance(step, BatchedStep)]
    touched = {b.owner() for table in tables for b in table.buffers}
    numbers = sum(1 for root in touched if root.role == ARENA and same_dim(root.kind.size, 1))
    return peak_of(program) <= before + before // 50 + NUMBER * numbers


def peak_of(program: Steps) -> int:
    """What the plan takes, with a size of our own for each that only a call tells."""
    return memory_plan(program, dict.fromkeys(program.symbols, OPEN_SIZE))[1].peak


def _parts(steps: Sequence[ProgramStep]) -> Iterator[tuple[bool, list[ProgramStep]]]:
    """Stretches of steps without jumps, host calls and checks between them; what is between comes alone."""
    part: list[ProgramStep] = []
    for step in steps:
        if isinstance(step, _STRAIGHT):
            part.append(step)
            continue
        yield True, part
        yield False, [step]
        part = []
    yield True, part


class _LaunchBatcher:
    """Gathers the calls of one straight stretch."""

    def __init__(self, steps: list[ProgramStep]) -> None:
        self.steps = steps
        self.reads = [{b.owner() for b in step.reads()} for step in steps]
        self.writes = [{b.owner() for b in step.writes()} for step in steps]
        self.is_small = [_bytes(step) <= current_target().batched_bytes for step in steps]

    def run(self) -> list[ProgramStep]:
        self.heights = self._heights()
        alike: dict[tuple[object, ...], list[tuple[int, Kernel]]] = {}  # by what is known at once
        for k, step in enumerate(self.steps):
            if isinstance(step, KernelStep) and _can_join(step):
                kernel = step.kernel
                elements = tuple(slot.element for slot in kernel.slots)
                key = (self.heights[k], len(kernel.body), elements, len(kernel.dims), kernel.splittable)
                alike.setdefault(key, []).append((k, kernel))
        classes: dict[tuple[object, ...], list[int]] = {}
        for number, members in enumerate(members for members in alike.values() if len(members) > 1):
            for k, kernel in members:
                classes.setdefault((number, skeleton(kernel)[0]), []).append(k)
        groups = [group for members in classes.values() for group in self._near(members) if len(group) > 1]
        return self._ordered(groups) if groups else self.steps

    def _heights(self) -> list[int]:
        """For each step the longest way to one that nothing waits for; shared memory that is written makes wait."""
        heights = [0] * len(self.steps)
        read: dict[Buffer, int] = {}
        written: dict[Buffer, int] = {}
        for k in reversed(range(len(self.steps))):
            later = [written.get(root, -1) for root in self.reads[k] | self.writes[k]]
            later += [read.get(root, -1) for root in self.writes[k]]
            heights[k] = 1 + max(later, default=-1)
            for roots, known in ((self.reads[k], read), (self.writes[k], written)):
                for root in roots:
                    known[root] = max(known.get(root, -1), heights[k])
        return heights

    def _near(self, members: list[int]) -> Iterator[list[int]]:
        """Members that may come together: a large one doesn't move past a large step of another height."""
        group = members[:1]
        for k in members[1:]:
            between = range(group[-1] + 1, k)
            stays = all(self.is_small[j] or self.heights[j] == self.heights[k] for j in between)
            if not stays and not (self.is_small[k] and all(self.is_small[j] for j in group)):
                yield group
                group = []
            group.append(k)
        yield group

    def _ordered(self, groups: list[list[int]]) -> list[ProgramStep]:
        """The steps in an order that keeps to what depends on what, batched launches in place of their last members."""
        head = {k: group[-1] for group in groups for k in group}
        members = {group[-1]: group for group in groups}
        needs: dict[int, dict[int, None]] = {}
        for k, earlier in enumerate(self._needs()):
            mine = needs.setdefault(head.get(k, k), {})
            mine.update(dict.fromkeys(head.get(j, j) for j in sorted(earlier)))
        order = in_order(sorted(needs), needs.__getitem__)
        return [self._batched(members[k]) if k in members else self.steps[k] for k in order]

    def _needs(self) -> Iterator[set[int]]:
        """For each step the earlier ones that it must wait for."""
        writer: dict[Buffer, int] = {}
        readers: dict[Buffer, set[int]] = {}
        for k in range(len(self.steps)):
            found = {writer[root] for root in self.reads[k] | self.writes[k] if root in writer}
            for root in self.writes[k]:
                found |= readers.pop(root, set())
                writer[root] = k
            for root in self.reads[k]:
                readers.setdefault(root, set()).add(k)
            yield found - {k}

    def _batched(self, members: list[int]) -> BatchedStep:
        calls = [step for k in members if isinstance(step := self.steps[k], KernelStep)]
        alike = [call.kernel for call in calls]
        kernels = abstracted(alike, [skeleton(kernel)[1] for kernel in alike])
        first = kernels[0]
        dims: list[DimLike] = [len(kernels)]
        extent: DimLike = 0
        work: DimLike = 0
        for kernel in kernels:
            extent, work = extent + kernel.extent, work + kernel.work
            dims += [extent, *kernel.dims]
        slots = [slot for kernel in kernels for slot in kernel.slots]
        kernel = replace(first, rows=len(kernels), slots=slots, dims=dims, extent=extent, work=work, in_place={})
        return BatchedStep(calls[0].operation, kernel, [b for call in calls for b in call.buffers], calls)


def _can_join(step: KernelStep) -> bool:
    """Whether a call is nothing but a loop over its range: no memory of its own, no status, no pieces to keep to.

    And all its sizes must be known before a run.
    """
    kernel = step.kernel
    if isinstance(step, CustomGemmStep) or step.words:
        return False
    plain = all(slot.role in ("in", "out", "inout") for slot in kernel.slots)
    return plain and not kernel.bases and not kernel.checks and kernel.parts == MOST_PARTS


def _bytes(step: ProgramStep) -> int:
    """Bytes that a step touches, about."""
    sizes = [b.bytes for b in {*step.reads(), *step.writes()}]
    known = dict.fromkeys(size_names(sizes), OPEN_SIZE)
    return sum(int(cast(int, evaluate(size, known))) for size in sizes)

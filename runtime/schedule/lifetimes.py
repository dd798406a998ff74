"""When each buffer is in use: from first to last step, loops included; and reuse of an input's memory in place."""

from __future__ import annotations

from ...ops.dims import same_dim
from ..lower.kernel import share_pointers
from .batched_launches import batch_launches, peak_of, plan_allows
from .loop_kernels import join_loops
from .program_steps import ARENA, Buffer, CopyStep, KernelStep, Label, ProgramStep, Steps


def set_lifetimes(program: Steps) -> None:
    """Fill in `first` and `last` of all arena buffers, then let results take the memory of inputs that end there."""
    _measure(program.steps)
    _reuse_in_place(program.steps)
    program.steps[:] = _without_needless_copies(program.steps)
    _share_pointers(program.steps)
    if join_loops(program):
        _measure_again(program)
    _batch_launches(program)


def _batch_launches(program: Steps) -> None:
    """Make batched launches of equal calls (batched_launches.py), where the plan stays about as small."""
    batched = batch_launches(program.steps)
    if len(batched) == len(program.steps):
        return
    single, before = program.steps[:], peak_of(program)
    program.steps[:] = batched
    _measure_again(program)
    if not plan_allows(program, before):
        program.steps[:] = single
        _measure_again(program)


def _measure_again(program: Steps) -> None:
    for buffer in program.buffers:
        root = buffer.root()[0]
        root.first = root.last = -1
    _measure(program.steps)


def _measure(steps: list[ProgramStep]) -> None:
    loops = _loops(steps)
    for k, step in enumerate(steps):
        for buffer in (*step.reads(), *step.writes()):
            root = buffer.root()[0]
            if root.first < 0:
                root.first = k
            root.last = max(root.last, k)
    for start, end in sorted(loops, key=lambda loop: loop[1] - loop[0]):  # inner loops first
        for k in range(start, end + 1):
            for buffer in (*steps[k].reads(), *steps[k].writes()):
                root = buffer.root()[0]
                if root.first < start and root.last < end:
                    root.last = end  # the next iteration needs it again


def _loops(steps: list[ProgramStep]) -> list[tuple[int, int]]:
    places = {step: k for k, step in enumerate(steps) if isinstance(step, Label)}
    return [(places[s.closes], k) for s, k in places.items() if s.closes is not None]


def _reuse_in_place(steps: list[ProgramStep]) -> None:
    for k, step in enumerate(steps):
        if not isinstance(step, KernelStep) or step.kernel is None or not step.kernel.in_place:
            continue
        inputs = {s.value: b for s, b in zip(step.kernel.slots, step.buffers, strict=True) if s.role == "in"}
        roots = [b.root()[0] for b in step.reads()]
        taken = {root for root in roots if roots.count(root) > 1}  # read through a view as well, at other places
        for slot, buffer in zip(step.kernel.slots, step.buffers, strict=True):
            if slot.role != "out" or slot.value not in step.kernel.in_place or not _starts_here(buffer, k):
                continue
            for candidate in step.kernel.in_place[slot.value]:
                source = inputs.get(candidate)
                if source is not None and source.root()[0] not in taken and _ends_here(source, buffer, k):
                    taken.add(source.root()[0])
                    _join(buffer, source.root()[0])
                    break


def _without_needless_copies(steps: list[ProgramStep]) -> list[ProgramStep]:
    """Where a copy's source ends as its target starts, the target takes the source's memory instead."""
    kept = []
    for k, step in enumerate(steps):
        if isinstance(step, CopyStep) and step.target is not None and step.source is not None:
            if _starts_here(step.target, k) and _ends_here(step.source, step.target, k):
                _join(step.target, step.source.root()[0])
                continue
        kept.append(step)
    return kept


def _share_pointers(steps: list[ProgramStep]) -> None:
    """A kernel whose result has an input's memory gets one pointer for both."""
    for step in steps:
        if not isinstance(step, KernelStep) or step.kernel is None:
            continue
        roots = [b.root() for b in step.buffers]
        written = {root for (root, _), slot in zip(roots, step.kernel.slots, strict=True) if slot.role != "in"}
        places = list(range(len(roots)))
        for k, (root, offset) in enumerate(roots):
            same = [j for j in range(k) if root in written and roots[j][0] is root and same_dim(roots[j][1], offset)]
            places[k] = same[0] if same else k
        if places != list(range(len(roots))):
            kept = [k for k, place in enumerate(places) if place == k]
            step.kernel = share_pointers(step.kernel, places)
            step.buffers = [step.buffers[k] for k in kept]


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


def _join(buffer: Buffer, root: Buffer) -> None:
    buffer.parent, buffer.offset = root, 0
    root.last = max(root.last, buffer.last)

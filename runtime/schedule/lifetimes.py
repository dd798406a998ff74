"""Which memory is in use when: lifetimes of buffers, and what a step, or one that comes after it, may still read.

Both are analyses: passes ask for them, and steps that change make them anew. Lifetimes are intervals of steps, loops
included, for the memory plan. Liveness is the classic one, backwards over the steps to a fixed point: a step that may
write only a part of a buffer doesn't end what was in it, and a set of buffers is a bit mask.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .program_steps import Buffer, HoldStep, JumpStep, KernelStep, Label, ProgramStep, Steps


def measure_lifetimes(program: Steps) -> None:
    """Set `first` and `last` of all buffers that own memory, for the steps as they are now."""
    steps = program.steps
    touched = [[b.owner() for b in (*step.reads(), *step.writes())] for step in steps]
    for roots in touched:
        for root in roots:
            root.first = root.last = -1
    for k, roots in enumerate(touched):
        for root in roots:
            if root.first < 0:
                root.first = k
            root.last = k
    for start, end in sorted(loops_of(steps), key=lambda loop: loop[1] - loop[0]):  # inner loops first
        for roots in touched[start : end + 1]:
            for root in roots:
                if root.first < start and root.last < end:
                    root.last = end  # the next iteration needs it again


def loops_of(steps: Sequence[ProgramStep]) -> Iterator[tuple[int, int]]:
    """Where loops start and end: the numbers of their labels."""
    places = {step: k for k, step in enumerate(steps) if isinstance(step, Label)}
    return ((places[s.closes], k) for s, k in places.items() if s.closes is not None)


class Liveness:
    """What is live before each of `steps`.

    goes_to: where a jump goes on, if that isn't where it jumps to, or a label, if not only behind itself. reads: what a
    step reads that its own list doesn't have. finally_read: what is read where the steps end.
    """

    def __init__(
        self, steps: Sequence[ProgramStep], goes_to: Mapping[ProgramStep, Label],
        reads: Mapping[ProgramStep, Sequence[Buffer]], finally_read: Sequence[Buffer],
    ) -> None:  # fmt: skip
        self._bits: dict[Buffer, int] = {}
        self._places = {step: k for k, step in enumerate(steps) if isinstance(step, Label)}
        used = [self._mask([*step.reads(), *reads.get(step, ())]) for step in steps]
        ended = [self._mask(_overwritten(step)) for step in steps]
        after = [self._after(step, k, goes_to) for k, step in enumerate(steps)]
        self._live = [0] * len(steps) + [self._mask(finally_read)]
        changed = True
        while changed:
            changed = False
            for k in range(len(steps) - 1, -1, -1):
                found = 0
                for following in after[k]:
                    found |= self._live[following]
                found = (found & ~ended[k]) | used[k]
                changed = changed or found != self._live[k]
                self._live[k] = found

    def at(self, label: Label, buffer: Buffer) -> bool:
        """Whether a buffer may be read at a label or later, before something overwrites it."""
        return bool(self._live[self._places[label]] & self._mask([buffer]))

    def _mask(self, buffers: Sequence[Buffer]) -> int:
        mask = 0
        for buffer in buffers:
            mask |= 1 << self._bits.setdefault(buffer.owner(), len(self._bits))
        return mask

    def _after(self, step: ProgramStep, k: int, goes_to: Mapping[ProgramStep, Label]) -> list[int]:
        """The steps that may be next. A label outside of the steps ends the way."""
        target = goes_to.get(step, step.target if isinstance(step, JumpStep) else None)
        found = [self._places[target]] if target is not None and target in self._places else []
        always = isinstance(step, JumpStep) and step.zero is None and step.left is None
        return found if always else [*found, k + 1]


def _overwritten(step: ProgramStep) -> list[Buffer]:
    """The buffers that a step writes whole, without a look at what was in them."""
    if isinstance(step, HoldStep) or (isinstance(step, KernelStep) and step.kernel.bases):
        return []
    read = {b.owner() for b in step.reads()}
    return [b for b in step.writes() if b.parent is None and b not in read]

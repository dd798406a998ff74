"""Which memory a step, or a step that comes after it, may still read: classic liveness, backwards over the steps to a
fixed point.

A step that may write only a part of a buffer doesn't end what was in it. What a set of buffers is here is a bit mask.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .program_steps import Buffer, HoldStep, JumpStep, KernelStep, Label, ProgramStep


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
            mask |= 1 << self._bits.setdefault(buffer.root()[0], len(self._bits))
        return mask

    def _after(self, step: ProgramStep, k: int, goes_to: Mapping[ProgramStep, Label]) -> list[int]:
        """The steps that may be next. A label outside of the steps ends the way."""
        target = goes_to.get(step, step.target if isinstance(step, JumpStep) else None)
        found = [self._places[target]] if target is not None and target in self._places else []
        always = isinstance(step, JumpStep) and step.zero is None and step.left is None
        return found if always else [*found, k + 1]


def _overwritten(step: ProgramStep) -> list[Buffer]:
    """The buffers that a step writes whole, without a look at what was in them."""
    if isinstance(step, HoldStep) or (isinstance(step, KernelStep) and step.kernel is not None and step.kernel.bases):
        return []
    read = {b.root()[0] for b in step.reads()}
    return [b for b in step.writes() if b.parent is None and b not in read]

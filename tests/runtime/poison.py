"""What a call of a function doesn't keep is overwritten after it: a value that something still reads is wrong then."""

from __future__ import annotations

import numpy as np
import pytest

from vitrify.ops.dims import concrete
from vitrify.runtime import program_cache
from vitrify.runtime.schedule.function_calls import Calls
from vitrify.runtime.schedule.program_steps import ARENA, CONSTANT, Buffer, CopyStep, Label, ListStep


class Poison:
    """counts of buffers of all calls that were compiled: those that a call keeps, and those that it leaves."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.kept = self.left = 0
        save, poison = Calls._save, self

        def saved(self: Calls, made, first: int, last: int) -> None:  # type: ignore[no-untyped-def]
            written = {b.root()[0]: None for step in self.steps[first:last] for b in step.writes()}
            around = [b for f in self.functions.values() if f is not made for b in (*f.args, f.site)]
            save(self, made, first, last)
            lost = [b for b in written if b.role == ARENA and b not in {*made.results, self.depth, *around}]
            for site in made.sites:
                poison.after(self, site.back, lost)

        patch.setattr(Calls, "_save", saved)
        patch.setattr(program_cache, "LEAST", 1 << 30)  # programs are compiled here, and none with this is kept

    def after(self, calls: Calls, back: Label, lost: list[Buffer]) -> None:
        """Overwrite those of the buffers that a call doesn't take off the stack."""
        start = end = calls.steps.index(back) + 1
        while isinstance(calls.steps[end], ListStep):
            end += 1
        kept = {b for step in calls.steps[start:end] for b in step.writes()}
        left = [b for b in lost if b not in kept]
        calls.steps[end:end] = [CopyStep(None, b, _other_values(b)) for b in left]
        self.kept, self.left = self.kept + len(kept), self.left + len(left)


def _other_values(buffer: Buffer) -> Buffer:
    kind = buffer.kind
    data = np.full(concrete(kind.shape, {}), 12345 if kind.dtype.is_floating else 1, kind.dtype.numpy)
    return Buffer(kind, CONSTANT, data=data, hint="poison")

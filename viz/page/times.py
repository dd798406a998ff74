"""A profile's seconds, per call, for each operation of a part; lines, layers and roles are sums of these.

A kernel's time is split by the work and the bytes of its operations, as profiles do (runtime/observe/profile.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...ir.core import Operation
from ...ops.dims import Dim, DimLike, evaluate
from ...runtime.observe.profile import Profile
from ...runtime.observe.step_work import parts_of_step, unfused_bytes, work
from ...runtime.observe.subject import Part
from ...runtime.schedule.program_steps import ProgramStep
from .stages import Story


@dataclass(frozen=True, slots=True)
class PartTimes:
    """calls: of the part while it was measured; wall: seconds of one call, with what isn't in a step.

    steps: (number, calls, seconds of all calls). operations: seconds in one call of the part.
    """

    calls: int
    wall: float
    steps: tuple[tuple[int, int, float], ...]
    operations: dict[Operation, float]


def part_times(part: Part, story: Story, profile: Profile) -> PartTimes | None:
    """What a profile knows of a part; None where it has none of its steps."""
    ran = part.steps.steps if part.steps is not None else []
    times = profile.steps
    found = tuple((k, times[s][1], times[s][0]) for k, s in enumerate(ran) if s in times)
    if not found:
        return None
    mine = set(ran)
    notes = [p for p in profile.programs if not mine.isdisjoint(p.steps)]
    calls = sum(p.calls for p in notes) or max(calls for _, calls, _ in found)
    assert story.steps is not None
    spent: dict[Operation, float] = {}
    for number, _, seconds in found:
        for operation, share in _shares(story.steps.steps[number], part):
            spent[operation] = spent.get(operation, 0.0) + seconds * share / calls
    measured = sum(seconds for *_, seconds in found)
    wall = max(sum(p.nanoseconds for p in notes) / 1e9, measured)
    return PartTimes(calls, wall / calls, found, spent)


def _shares(step: ProgramStep, part: Part) -> Iterable[tuple[Operation, float]]:
    """The operations of a step with their shares of its time."""
    parts = [o for o in parts_of_step(step) if o.name != "constant"] or list(parts_of_step(step))
    weights = [_number(work(o), part) + _number(unfused_bytes(o), part) / 8 for o in parts]
    total = sum(weights)
    return [(o, w / total if total else 1 / len(parts)) for o, w in zip(parts, weights, strict=True)]


def _number(dim: DimLike | None, part: Part) -> float:
    found = 0 if dim is None else evaluate(dim, part.sizes)
    return 0.0 if isinstance(found, Dim) else float(found)

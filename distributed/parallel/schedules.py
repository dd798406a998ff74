"""In which order a stage of a pipeline runs the parts of a batch forward and backward."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.errors import ArgumentError

FORWARD, BACKWARD = "forward", "backward"
SCHEDULES = ("1F1B", "FThenB")


def order(schedule: str, stage: int, stages: int, parts: int) -> Iterator[tuple[str, int]]:
    """What a stage runs, in order, and with which part of the batch.

    FThenB: all parts forward, then all backward; 1F1B: backward as soon as possible, so that no more than
    `stages - stage` parts are under way. Gradients are added up in the same order by both. Errors: ArgumentError.

    >>> [f"{kind[0]}{part}" for kind, part in order("1F1B", 0, 2, 3)]
    ['f0', 'f1', 'b0', 'f2', 'b1', 'b2']
    """
    if schedule not in SCHEDULES:
        raise ArgumentError(f"pipeline_configs: there is no schedule_mode {schedule!r}",
                            remedy=f"use one of {', '.join(SCHEDULES)}")  # fmt: skip
    ahead = parts if schedule == "FThenB" else min(stages - stage - 1, parts)
    for k in range(ahead):
        yield FORWARD, k
    for k in range(ahead, parts):
        yield FORWARD, k
        yield BACKWARD, k - ahead
    for k in range(parts - ahead, parts):
        yield BACKWARD, k

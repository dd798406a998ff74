"""A program on its way through the compiler: its text after each pass, and the steps it ends as.

The way is the compiler's own (same passes, same lowering), taken once more on a copy; nothing is compiled or run.
Operations and values keep their identity from pass to pass, so that lines of different stages can be linked.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...ir.core import Program
from ...ir.listing import ListingLine, ValueNames, listing
from ...ir.walk import clone_program
from ...passes.manager import Pass
from ...passes.pipelines import default_pipeline
from ...runtime.schedule.linearise import linearise
from ...runtime.schedule.pipeline import ScheduleManager, default_schedule
from ...runtime.schedule.program_steps import KernelStep, Steps
from ...runtime.schedule.step_printer import described_steps
from .layer_graphs import layer_graphs
from .numbers import Numbers
from .pictures import LARGE, MOST, picture


@dataclass(frozen=True, slots=True)
class Stage:
    """The text of a program, or of its steps, after a pass; no rows where the pass changed nothing."""

    name: str
    seconds: float
    rows: tuple[ListingLine, ...] = ()


@dataclass(slots=True)
class Story:
    """All stages of a program, the names of its values, the numbers of its operations, its pictures, its steps."""

    program: Program
    names: ValueNames
    numbers: Numbers
    stages: list[Stage] = field(default_factory=list)
    pictures: dict[str, dict[str, Any]] = field(default_factory=dict)
    layers: dict[str, dict[str, Any]] = field(default_factory=dict)  # pictures as captured, folded by layer
    steps: Steps | None = None
    ready: int = 0  # the number of the last stage of the program; those of its steps come next
    is_other: bool = False  # a memory limit chose other steps than the default way leads to


def follow(program: Program, ran: Steps | None = None, passes: Sequence[Pass] | None = None) -> Story:
    """Take a copy of a program through passes and lowering. `ran`: the steps that run, if they are known."""
    copy, names, numbers = clone_program(program), ValueNames(), Numbers()
    story = Story(copy, names, numbers, [Stage("captured", 0.0, tuple(listing(copy, names)))])
    story.layers = layer_graphs(copy, names.of, numbers)
    _draw(story, "as captured", LARGE)
    shown = [row.text for row in story.stages[0].rows]
    for item in default_pipeline() if passes is None else passes:
        start = time.perf_counter()
        item.run(copy)
        seconds = time.perf_counter() - start
        rows = tuple(listing(copy, names))
        texts = [row.text for row in rows]
        story.stages.append(Stage(item.name, seconds, () if texts == shown else rows))
        shown = texts
    _draw(story, "as compiled", MOST)
    story.ready = len(story.stages) - 1
    story.steps = linearise(copy)
    _follow_steps(story, story.steps)
    if ran is not None and _shape(ran) != _shape(story.steps):
        story.steps, story.is_other = ran, True
    return story


def _follow_steps(story: Story, steps: Steps) -> None:
    """Take the steps through the schedule."""
    rows = _rows(steps)
    story.stages.append(Stage("linearised", 0.0, rows))
    for item in default_schedule():
        scheduler, before = ScheduleManager([item]), [row.text for row in rows]
        scheduler.run(steps)
        rows = _rows(steps)
        changed = before != [row.text for row in rows]
        story.stages.append(Stage(item.name, scheduler.seconds[item.name], rows if changed else ()))


def _rows(steps: Steps) -> tuple[ListingLine, ...]:
    return tuple(
        ListingLine(text, step.operation)
        for step, lines in zip(steps.steps, described_steps(steps), strict=True)
        for text in lines
    )


def _draw(story: Story, title: str, most: int) -> None:
    made = picture(story.program, story.names.of, story.numbers, most)
    if made is not None:
        story.pictures[title] = made


def _shape(steps: Steps) -> list[object]:
    """What two lists of steps have in common if they do the same."""
    return [s.kernel.source if isinstance(s, KernelStep) else type(s) for s in steps.steps]

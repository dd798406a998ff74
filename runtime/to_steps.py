"""A program to steps: its passes, linearisation, the passes of the schedule; as it is, or so that it fits a limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..base.errors import MemoryLimitError
from ..base.events import span
from ..base.memory import shown_bytes
from ..ir.core import Program
from ..ir.walk import clone_program
from ..passes.algebra.dce import DeadCode
from ..passes.fusion.outline import dissolve_groups
from ..passes.manager import PassManager
from ..passes.pipelines import default_pipeline, final_passes, recomputations
from .options import CompileOptions
from .schedule.linearise import linearise
from .schedule.pipeline import ScheduleManager, run_schedule, schedule_of
from .schedule.program_steps import Steps, finish
from .schedule.time_tiling import TimeTiling
from .vm.binding import memory_plan

if TYPE_CHECKING:
    from .compiler import CompileReport


def lowered(
    program: Program, passes: Sequence[Any] | None, keep: bool, options: CompileOptions, report: CompileReport
) -> tuple[Program, Steps]:
    """A copy of the program after its passes, and its steps after theirs."""
    optimised = clone_program(program)
    if optimised.foreign:
        dissolve_groups(optimised.body)  # what a text says of a group's loops isn't checked: they are found anew
    start = time.perf_counter()
    manager = PassManager(default_pipeline() if passes is None else passes, keep=keep)
    manager.run(optimised)
    report.seconds["passes"] = time.perf_counter() - start
    start = time.perf_counter()
    with span("lower"):
        steps = linearise(optimised)
    report.seconds["lower"] = time.perf_counter() - start
    start = time.perf_counter()
    scheduler = ScheduleManager(schedule_of(options.schedule, numerics=options.numerics), keep=keep)
    with span("schedule"):
        scheduler.run(steps)
    report.seconds["schedule"] = time.perf_counter() - start
    report.stages = [*manager.stages, *scheduler.stages]
    report.passes, report.schedule = manager.seconds, scheduler.seconds
    finish(steps)
    return optimised, steps


class Fitting:
    """Chooses, for given sizes, the program as it is or one that recomputes, so that its plan keeps to a limit.

    addresses: gives those of the kernels of steps.
    """

    def __init__(
        self, program: Program, options: CompileOptions, steps: Steps, kernels: Mapping[int, int],
        addresses: Callable[[Steps], Mapping[int, int]],
    ) -> None:  # fmt: skip
        assert options.memory_limit is not None
        self.program = program
        self.options = options
        self.limit = options.memory_limit
        self.plain = steps, kernels
        self.addresses = addresses
        self._made: dict[tuple[tuple[str, int], ...], tuple[Steps, Mapping[int, int]]] = {}

    def __call__(self, sizes: Mapping[str, int]) -> tuple[Steps, Mapping[int, int]]:
        """Steps and kernels for these sizes. MemoryLimitError, naming the least that is possible, where none fit."""
        key = tuple(sorted(sizes.items()))
        peak = memory_plan(self.plain[0], sizes)[1].peak
        if peak <= self.limit:
            return self.plain
        if key not in self._made:
            self._made[key] = self._fitted(peak, key)
        return self._made[key]

    def _fitted(self, peak: int, sizes: tuple[tuple[str, int], ...]) -> tuple[Steps, Mapping[int, int]]:
        tidy = clone_program(self.program)
        PassManager(default_pipeline(fuse=False)).run(tidy)
        chosen = schedule_of(self.options.schedule, numerics=self.options.numerics)
        passes = [item for item in chosen if not isinstance(item, TimeTiling)]  # it takes more memory
        least = peak
        for way in ((), *((way, DeadCode()) for way in recomputations(max(64, peak // 1000), sizes))):
            tried = clone_program(tidy)
            PassManager([*way, *final_passes()]).run(tried)
            steps = run_schedule(linearise(tried), passes)
            least = min(least, reached := memory_plan(steps, dict(sizes))[1].peak)
            if reached <= self.limit:
                return steps, self.addresses(steps)
        shown = ", ".join(f"{name}={size}" for name, size in sizes)
        raise MemoryLimitError(
            f"{self.program.name}{f' with {shown}' if shown else ''} plans {shown_bytes(peak)} of intermediates, "
            f"{shown_bytes(least)} with recomputation; memory_limit is {shown_bytes(self.limit)}",
            remedy=f"use smaller batches, or raise memory_limit to at least {least}",
        )

"""The schedule: which passes steps go through, in which order, and their manager."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...base.errors import ArgumentError, KindError
from ...base.flags import flags
from ...base.suggest import one_of
from ...ir.core import Program
from ...passes.manager import Manager
from .batched_launches import BatchedLaunches
from .kernel_texts import Numerics, SharedKernels
from .lifetimes import measure_lifetimes
from .linearise import linearise
from .loop_kernels import LoopKernels
from .program_steps import Steps, clone_steps
from .schedule_pass import SchedulePass
from .shared_memory import RemoveCopies, ReuseInPlace, SharePointers
from .step_printer import print_steps
from .step_verifier import verify_steps
from .time_tiling import TimeTiling


@dataclass
class ScheduleManager(Manager[Steps]):
    """Runs passes over steps in order, and measures lifetimes for the memory plan."""

    first = "linearised"
    suffix = "steps"
    unit = "steps"

    def run(self, subject: Steps) -> bool:
        """Run all passes; whether any changed the steps."""
        changed = super().run(subject)
        measure_lifetimes(subject)
        return changed

    def title(self, subject: Steps) -> str:
        """The name of the program."""
        return subject.name

    def text(self, subject: Steps) -> str:
        """The steps as text."""
        return print_steps(subject)

    def count(self, subject: Steps) -> int:
        """How many steps there are."""
        return len(subject.steps)

    def clone(self, subject: Steps) -> Steps:
        """A copy of the steps."""
        return clone_steps(subject)

    def verify(self, subject: Steps) -> None:
        """Check the steps. Errors: VerifyError."""
        verify_steps(subject)


_DEFAULT: tuple[SchedulePass, ...] = (
    TimeTiling(), ReuseInPlace(), RemoveCopies(), SharePointers(), LoopKernels(), BatchedLaunches(), Numerics(),
    SharedKernels(),
)  # fmt: skip


def default_schedule() -> tuple[SchedulePass, ...]:
    """What the steps of a program go through before they are bound."""
    return _DEFAULT


def schedule_of(chosen: Sequence[SchedulePass | str] | None, *, numerics: str = "ieee") -> tuple[SchedulePass, ...]:
    """The passes to run. None: the default ones. Names, all with a minus: the default ones without those; other names
    and passes: those, in that order.

    Errors: KindError for what is neither; ArgumentError for names that there aren't, for some with and some without a
    minus, where a pass is missing that must run, and for an order that can't be.
    """
    taken = _left(chosen) if chosen and all(isinstance(c, str) and c.startswith("-") for c in chosen) else chosen
    passes = [_pass(c) for c in taken] if taken is not None else list(_DEFAULT)
    _check(passes)
    return tuple(replace(item, mode=numerics) if isinstance(item, Numerics) else item for item in passes)


def run_schedule(program: Steps, passes: Sequence[SchedulePass] | None = None) -> Steps:
    """The same steps after the schedule."""
    ScheduleManager(default_schedule() if passes is None else passes).run(program)
    return program


def scheduled_stages(program: Program) -> list[tuple[str, str]]:
    """(stage, text) of the steps of a program that has been through its passes, as the flags say."""
    manager = ScheduleManager(schedule_of(flags.schedule, numerics=flags.numerics), keep=True)
    manager.run(linearise(program))
    return manager.stages


def _left(chosen: Sequence[SchedulePass | str]) -> list[SchedulePass]:
    names = [_pass(str(name)[1:]).name for name in chosen]
    return [item for item in _DEFAULT if item.name not in names]


def _pass(chosen: SchedulePass | str) -> SchedulePass:
    if isinstance(chosen, SchedulePass):
        return chosen
    if not isinstance(chosen, str):
        raise KindError(
            f"a pass of the schedule is a SchedulePass or its name, not {type(chosen).__name__}",
            remedy="the names are " + ", ".join(item.name for item in _DEFAULT),
        )
    found = next((item for item in _DEFAULT if item.name == chosen), None)
    if found is None:
        raise ArgumentError(
            f"the schedule has no pass {chosen!r}", remedy=one_of(chosen, [item.name for item in _DEFAULT])
        )
    return found


def _check(passes: Sequence[SchedulePass]) -> None:
    names = [item.name for item in passes]
    for item in _DEFAULT:
        if item.required and item.name not in names:
            raise ArgumentError(f"the schedule needs {item.name}: {item.required}", remedy=f"add {item.name!r}")
    for k, item in enumerate(passes):
        late = [name for name in item.after if name in names[k + 1 :]]
        if late:
            raise ArgumentError(f"in the schedule {late[0]} stands after {item.name}", remedy=f"put {late[0]!r} first")

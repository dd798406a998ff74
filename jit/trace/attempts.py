"""How a function is captured where the usual way led nowhere: each failure may teach the next attempt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import FunctionType

from ...base.errors import CaptureError
from ..convert import PLAIN, Style
from ..converters.generators import is_one_by_one
from ..converters.regions.decisions import has_too_many, is_cut_short
from ..tracebacks import compares
from .arrays.made_arrays import FilledArray
from .assumed.asked_tensors import ReadsReplaced
from .implicit_calls import learn
from .recursive_calls import Key
from .state.escapes import origins_in
from .state.taped_memory import SharedCell
from .traced import Lessons, NotWorthIt
from .tracer import Tracer


@dataclass(slots=True)
class Attempt:
    """What the next attempt does otherwise.

    tries_few: whether the attempt ends early where much is traced more than once: the usual way and that in steps are
    tried in turn, each with little work first.
    """

    lessons: Lessons = field(default_factory=Lessons)
    tries_few: bool = True
    implicit: dict[int, FunctionType] = field(default_factory=dict)  # entered as they were, in an attempt that failed
    may_roll: bool = True
    joins_sizes: bool = False
    parts_containers: bool = False
    late_schedulers: bool = False
    pushes_zips: bool = False
    unrolls: bool = False
    style: Style = PLAIN
    replaced: frozenset[int] = frozenset()  # cells of tensors that the function reads in Python and replaces
    shared: dict[int, SharedCell] = field(default_factory=dict)  # cells of state that have several names
    functions: frozenset[Key] = frozenset()  # that call themselves: functions of the program

    def __post_init__(self) -> None:
        if self.lessons.in_steps:
            self.style, self.tries_few = replace(self.style, in_steps=True), self.lessons.tries_few

    def succeed(self) -> None:
        """Tell the traces that follow for the same call."""
        self.lessons.in_steps, self.lessons.tries_few = self.style.in_steps, self.tries_few

    def prepare(self, tracer: Tracer) -> None:
        """Tell a new tracer."""
        tracer.tries_few = self.tries_few
        tracer.rolling.allowed, tracer.joins_sizes, tracer.style = self.may_roll, self.joins_sizes, self.style
        tracer.recursion.functions = self.functions
        tracer.entrances.forced = tuple(self.implicit.values())
        tracer.parts_containers = self.parts_containers
        tracer.scheduler_reads.late = self.late_schedulers
        tracer.replaced, tracer.arrays.filled = self.replaced, self.lessons.filled
        tracer.pushes_zips, tracer.unrolls = self.pushes_zips, self.unrolls
        tracer.detached.known = self.shared
        tracer.most_work = self.lessons.left()

    def shares_more(self, tracer: Tracer) -> bool:
        """Whether the trace has met state with several names that it didn't know of.

        A parameter that the function makes is another one in each trace.
        """
        made = {id(x._storage) for x, _ in tracer.parameters}
        learned = {key: cell for key, cell in tracer.detached.learned.items() if key not in made}
        self.shared |= learned
        return bool(learned)

    def learn(self, tracer: Tracer, error: Exception) -> bool:
        """Whether there is another way than the one that ended in this error."""
        self.lessons.done += tracer.builder.placed
        if isinstance(error, NotWorthIt):
            return False
        return self._learn(tracer, error) or (origins_in(error) is None and self._begin_anew())

    def _begin_anew(self) -> bool:
        """Without what another call has taught."""
        if not self.lessons.from_before:
            return False
        self.lessons.in_steps, self.lessons.tries_few, self.lessons.from_before = False, True, False
        self.style, self.tries_few = replace(self.style, in_steps=False), True
        return True

    def _learn(self, tracer: Tracer, error: Exception) -> bool:
        if isinstance(error, CaptureError) and learn(error, self.implicit):
            return True
        if isinstance(error, FilledArray) and self._fills(tracer, error):
            return True
        if error in tracer.refusals and not self.style.orders and compares(error):
            self.style = replace(self.style, orders=True)
            return True
        if self.shares_more(tracer):
            return True
        if origins_in(error) is not None:
            return False  # what it needs is known in this call: it is bound
        if isinstance(error, ReadsReplaced):
            self.replaced |= error.cells
            return True
        if is_one_by_one(error) and not self.unrolls:
            self.unrolls = True
            return True
        if tracer.scheduler_reads.missed and not self.late_schedulers:
            self.late_schedulers = True
            return True
        if tracer.pulled_zips and isinstance(error, CaptureError) and not self.pushes_zips:
            self.pushes_zips = True
            return True
        if tracer.joints.wants_apart and not self.parts_containers:
            self.parts_containers = True
            return True
        if has_too_many(tracer):
            if is_cut_short(tracer):
                return self._change_ways()
            if tracer.diverged_sizes and not self.joins_sizes:
                self.joins_sizes = True
                return True
            if not self.style.in_steps:
                self.tries_few = False
                self.style = replace(self.style, in_steps=True)
                return True
        if tracer.recursed and not self.style.tail_calls:
            self.style = replace(self.style, tail_calls=True)
            return True
        if tracer.recursed or tracer.recursion.repeats():  # deep within itself anything may go wrong
            known, self.functions = self.functions, self.functions | tracer.recursion.endless()
            if self.functions != known:
                return True
        if tracer.rolling.used and self.may_roll:
            self.may_roll = False  # what comes after a rolled loop may need the iterations one by one
            return True
        return self.tries_few and self.style.in_steps and isinstance(error, CaptureError) and self._change_ways()

    def _fills(self, tracer: Tracer, error: FilledArray) -> bool:
        """Whether arrays stand for those of a run from now on. One by one, iterations may write to known places."""
        if tracer.rolling.used and self.may_roll:
            self.may_roll = False
            return True
        known, self.lessons.filled = self.lessons.filled, self.lessons.filled | error.places
        self.may_roll = self.may_roll or self.lessons.filled != known
        return self.lessons.filled != known

    def _change_ways(self) -> bool:
        """The other way: in steps, or the usual one with all the copies that it may take."""
        self.tries_few = not self.style.in_steps
        self.style = replace(self.style, in_steps=not self.style.in_steps)
        return True

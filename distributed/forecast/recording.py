"""What a rank did between and in its exchanges: a transport that hands on to another one, and looks at the clock."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median, median_low
from typing import Any

from ...base.location import Loc
from ...ops.exchange import Request, Transport, place
from .network import Parcel

COMPUTE, EXCHANGE, START, FINISH, PROGRESS = "compute", "exchange", "start", "finish", "progress"


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that a rank did. seconds: as measured; start: on its own clock. ticket: of a start and its finish.

    ended: of a finish, when the rank saw that the exchange had ended, if that was before.
    """

    kind: str
    seconds: float
    start: float = 0.0
    parcel: Parcel | None = None
    ticket: int = 0
    place: Loc | None = None
    ended: float | None = None

    @property
    def name(self) -> str:
        """What it did, in a word or two."""
        return self.kind if self.parcel is None else self.parcel.name

    @property
    def form(self) -> tuple[Any, ...]:
        """What is equal in two runs of the same code."""
        return self.kind, self.name, 0 if self.parcel is None else self.parcel.bytes


@dataclass(slots=True)
class Trace:
    """The acts of one rank, in order."""

    rank: int
    acts: list[Act] = field(default_factory=list)


class Recording(Transport):
    """Stands for another transport, and writes down what its rank does. Computing is the time between exchanges."""

    def __init__(self, inner: Transport) -> None:
        self.inner = inner
        self.name, self.rank, self.size = inner.name, inner.rank, inner.size
        self.trace = Trace(inner.rank)
        self._since = time.perf_counter()
        self._open: dict[int, float | None] = {}  # when each started exchange was seen to have ended

    def begin(self) -> Trace:
        """A new trace, from now on."""
        self.trace = Trace(self.rank)
        self._since = time.perf_counter()
        return self.trace

    def end(self) -> Trace:
        """The trace until now."""
        now = time.perf_counter()
        self.trace.acts.append(Act(COMPUTE, now - self._since, self._since))
        self._since = now
        return self.trace

    def exchange(self, request: Request) -> Any:
        return self._timed(EXCHANGE, Parcel.of(request), 0, lambda: self.inner.exchange(request))

    def exchange_object(self, value: Any, group: tuple[int, ...]) -> list[Any]:
        parcel = Parcel("exchange_object", 0, group)
        return list(self._timed(EXCHANGE, parcel, 0, lambda: self.inner.exchange_object(value, group)))

    def start(self, request: Request) -> int:
        """Begin an exchange; its ticket."""
        ticket = int(self._timed(START, Parcel.of(request), 0, lambda: self.inner.start(request)))
        self.trace.acts[-1] = replace(self.trace.acts[-1], ticket=ticket)
        self._open[ticket] = None
        return ticket

    def ready(self, ticket: int) -> bool:
        """Whether an exchange has ended."""
        return self.inner.ready(ticket)

    def first_ready(self, tickets: Sequence[int]) -> int:
        return self.inner.first_ready(tickets)

    def progress(self) -> None:
        self._timed(PROGRESS, None, 0, self.inner.progress)
        for ticket, ended in self._open.items():
            if ended is None and self.inner.ready(ticket):
                self._open[ticket] = self._since

    def finish(self, ticket: int) -> Any:
        """Wait for an exchange; its result."""
        made = self._timed(FINISH, None, ticket, lambda: self.inner.finish(ticket))
        self.trace.acts[-1] = replace(self.trace.acts[-1], ended=self._open.pop(ticket, None))
        return made

    def _timed(self, kind: str, parcel: Parcel | None, ticket: int, run: Any) -> Any:
        start = time.perf_counter()
        acts, where = self.trace.acts, place()
        acts.append(Act(COMPUTE, start - self._since, self._since))
        made = run()
        self._since = time.perf_counter()
        acts.append(Act(kind, self._since - start, start, parcel, ticket, where))
        return made


def typical(traces: Sequence[Trace]) -> Trace:
    """One trace of several runs of the same code: the median of each time. The last one, where they differ in form."""
    last = traces[-1]
    alike = [t for t in traces if [a.form for a in t.acts] == [a.form for a in last.acts]]
    acts = [replace(act, seconds=median(t.acts[k].seconds for t in alike)) for k, act in enumerate(last.acts)]
    return Trace(last.rank, acts)


def places_of(trace: Trace) -> list[str]:
    """For each act a name of where it is: the rank, and what stands before and behind it, as text."""
    words = ["" if a.place is None else f"{a.kind} {a.name} {a.place.short()}" for a in trace.acts]
    before = ["begin", *words[:-1]]
    behind = [*words[1:], "end"]
    return [f"rank {trace.rank}: {b} -> {c}" for b, c in zip(before, behind, strict=True)]


def times_of(traces: Sequence[Trace]) -> dict[str, float]:
    """Seconds of computing by where it is: the median of all times that a rank came there."""
    found: dict[str, list[float]] = {}
    for trace in traces:
        for act, name in zip(trace.acts, places_of(trace), strict=True):
            if act.kind == COMPUTE:
                found.setdefault(name, []).append(act.seconds)
    return {name: median_low(seconds) for name, seconds in found.items()}


def with_times(trace: Trace, times: Mapping[str, float]) -> Trace:
    """The trace with the seconds of computing that a table has for where it is; others stay."""
    acts = [
        replace(act, seconds=times.get(name, act.seconds)) if act.kind == COMPUTE else act
        for act, name in zip(trace.acts, places_of(trace), strict=True)
    ]
    return Trace(trace.rank, acts)

"""A virtual clock: each rank's acts take the time that they are said to take, exchanges that of the network.

An exchange begins when its last rank has come. One that was started goes on behind the rank's computing; those of one
rank follow each other, as they share its network card. The order of events follows from the traces alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...base.errors import ExchangeError
from ...runtime.observe import timeline as lanes
from ...runtime.observe.timeline import Lane, LaneSpan, Timeline
from .network import Network, Parcel, Price
from .recording import COMPUTE, EXCHANGE, FINISH, PROGRESS, START, Act, Trace


@dataclass(slots=True)
class _Meeting:
    """One exchange: who has come when, and when it ends. needed: those of its ranks that have a trace."""

    parcel: Parcel
    needed: frozenset[int]
    came: dict[int, float] = field(default_factory=dict)
    starts: float = 0.0
    ends: float | None = None


@dataclass(slots=True)
class _Walker:
    """One rank on its way through its acts. now: its clock; card: when its network card is free."""

    trace: Trace
    lane: Lane
    now: float = 0.0
    card: float = 0.0
    place: int = 0
    arrived: float = 0.0
    met: Counter[Any] = field(default_factory=Counter)
    tickets: dict[int, tuple[Act, _Meeting]] = field(default_factory=dict)
    waits: _Meeting | None = None
    prices: list[Price] = field(default_factory=list)


class VirtualClock:
    """Walks the traces of ranks. Ranks of an exchange that have none are taken to come with those that have one."""

    def __init__(self, traces: Sequence[Trace], network: Network) -> None:
        self.network = network
        self.walkers = {t.rank: _Walker(t, Lane(f"rank {t.rank}")) for t in traces}
        self._meetings: dict[Any, _Meeting] = {}
        self._prices: dict[tuple[Parcel, int | None], Price] = {}

    def run(self, source: str) -> Timeline:
        """The lanes of all traces. Errors: ExchangeError where the ranks wait for each other without end."""
        going = True
        while going:
            going = False
            for walker in self.walkers.values():
                going |= self._walk(walker)
        stuck = [w for w in self.walkers.values() if w.place < len(w.trace.acts)]
        if stuck:
            said = ", ".join(f"rank {w.trace.rank} in {w.trace.acts[w.place].name}" for w in stuck)
            raise ExchangeError(f"the ranks wait for each other without end: {said}",
                                remedy="the traces have to be of ranks of one run")  # fmt: skip
        return Timeline([w.lane for w in self.walkers.values()], source)

    def prices(self, rank: int) -> Sequence[Price]:
        """What the exchanges of a rank cost, in their order."""
        return self.walkers[rank].prices

    def _walk(self, walker: _Walker) -> bool:
        """Go on as far as that is possible; whether there was a step."""
        first = walker.place
        while walker.place < len(walker.trace.acts):
            act = walker.trace.acts[walker.place]
            if act.kind == COMPUTE:
                self._span(walker, lanes.COMPUTE, act, walker.now, walker.now + act.seconds)
                walker.now += act.seconds
            elif act.kind == PROGRESS:
                pass  # the model's exchanges go on by themselves
            elif act.kind == START:
                walker.tickets[act.ticket] = act, self._arrive(walker, act)
            elif not self._finished(walker, act):
                break
            walker.place += 1
        return walker.place > first

    def _arrive(self, walker: _Walker, act: Act) -> _Meeting:
        parcel, rank = act.parcel, walker.trace.rank
        assert parcel is not None
        key, members = key_of(parcel, rank)
        number = walker.met[key]
        walker.met[key] += 1
        meeting = self._meetings.get((key, number))
        if meeting is None:
            needed = frozenset(k for k in members if k in self.walkers)
            meeting = self._meetings[key, number] = _Meeting(parcel, needed)
        meeting.came[rank] = max(walker.now, walker.card)
        price = self._price(parcel, rank)
        walker.prices.append(price)
        if meeting.came.keys() >= meeting.needed:
            meeting.starts = max(meeting.came.values())
            meeting.ends = meeting.starts + price.seconds
            for k in meeting.needed:
                self.walkers[k].card = meeting.ends
        return meeting

    def _price(self, parcel: Parcel, rank: int) -> Price:
        sender = rank if parcel.peer is not None else None
        found = self._prices.get((parcel, sender))
        if found is None:
            found = self._prices[parcel, sender] = self.network.price(parcel, sender)
        return found

    def _finished(self, walker: _Walker, act: Act) -> bool:
        """Whether an exchange has ended for a rank that waits for it."""
        begun = act
        if act.kind == FINISH:
            begun, meeting = walker.tickets[act.ticket]
        elif walker.waits is None:
            walker.waits, walker.arrived = self._arrive(walker, act), walker.now
            meeting = walker.waits
        else:
            meeting = walker.waits
        if meeting.ends is None:
            return False
        kind = lanes.EXCHANGE if act.kind == EXCHANGE else lanes.BEHIND
        self._span(walker, lanes.WAIT, begun, walker.now, min(meeting.starts, meeting.ends))
        self._span(walker, kind, begun, meeting.starts, meeting.ends)
        if act.kind == FINISH:
            self._span(walker, lanes.WAIT, begun, max(walker.now, meeting.starts), meeting.ends)
        walker.now = max(walker.now, meeting.ends)
        walker.waits = None
        return True

    def _span(self, walker: _Walker, kind: str, act: Act, start: float, end: float) -> None:
        if end > start:
            size = 0 if act.parcel is None else act.parcel.bytes
            walker.lane.spans.append(LaneSpan(kind, act.name, start, end, size, act.place))


def key_of(parcel: Parcel, rank: int) -> tuple[Any, tuple[int, ...]]:
    """What the parts of one exchange have in common, and its ranks."""
    if parcel.peer is None:
        return parcel.group, parcel.group
    other = parcel.group[parcel.peer]
    pair = (rank, other) if parcel.name == "send" else (other, rank)
    return ("pair", pair), pair

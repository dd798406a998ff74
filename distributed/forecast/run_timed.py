"""Lanes of ranks: of a simulated run on a virtual clock, and of a run through MPI as measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any

from ...base.errors import ModeError
from ...base.location import Loc
from ...ops.exchange import transport, with_transport
from ...runtime.observe import timeline as lanes
from ...runtime.observe.timeline import Lane, LaneSpan, Timeline
from ..simulator import run_ranks
from .network import Network, Parcel
from .network import network as chosen_network
from .recording import COMPUTE, FINISH, PROGRESS, START, Act, Recording, Trace, times_of, with_times
from .virtual_clock import VirtualClock, key_of


def run_timed(
    fn: Callable[..., Any], *args: Any, ranks: int, network: Network | str = "10GbE",
    times: Mapping[str, float] | None = None, **kwargs: Any,
) -> Timeline:  # fmt: skip
    """`run_ranks` with a virtual clock: what each rank would do when, if each had a core and a network between them.

    Computing between two exchanges counts with the median of all times that its rank came there; `times` (an earlier
    run's `.times`) are taken instead, and make two runs equal. The result holds a lane for each rank, and `.results`.
    Errors: those of `run_ranks`; ArgumentError for an unknown network.

    >>> from vitrify import to_tensor
    >>> from vitrify.distributed import all_reduce, get_rank
    >>> def total():
    ...     x = to_tensor([1.0 + get_rank()])
    ...     all_reduce(x)
    ...     return x.item()
    >>> found = run_timed(total, ranks=3, network="100GbE")
    >>> found.results, [lane.name for lane in found.lanes]
    ([6.0, 6.0, 6.0], ['rank 0', 'rank 1', 'rank 2'])
    """
    chosen = chosen_network(network)
    traces: dict[int, Trace] = {}

    def live() -> Any:
        recording = Recording(transport())
        with with_transport(recording):
            recording.begin()
            made = fn(*args, **kwargs)
            traces[recording.rank] = recording.end()
        return made

    results = run_ranks(live, ranks=ranks)
    ordered = [traces[k] for k in range(ranks)]
    known = {**times_of(ordered), **(times or {})}
    made = VirtualClock([with_times(t, known) for t in ordered], chosen).run(f"on a virtual clock, {chosen.name}")
    made.results, made.times = results, known
    return made


@contextmanager
def record() -> Iterator[Timeline]:
    """Measure what each rank of a run through MPI does inside the block; all ranks have to come here.

    When the block ends, every rank has the lanes of all: computing, exchanging, and waiting for the last rank to come.
    The clocks of several machines are joined at a barrier, so they differ by its time. Errors: ModeError in
    `run_ranks`, where one rank runs at a time: `run_timed` has their lanes.

    >>> with record() as lanes:
    ...     pass
    >>> len(lanes.lanes)
    1
    """
    now = transport()
    if now.name == "simulator":
        raise ModeError("of simulated ranks one runs at a time, so their times mean nothing",
                        remedy="run_timed(fn, ranks=...) has a virtual clock")  # fmt: skip
    everyone = tuple(range(now.size))
    made = Timeline([], "measured")
    recording = Recording(now)
    now.exchange_object(0, everyone)  # all begin together
    zero = time.perf_counter()
    with with_transport(recording):
        recording.begin()
        yield made
        trace = recording.end()
    found = now.exchange_object([_sent(act, zero) for act in trace.acts], everyone)
    made.lanes = lanes_of([Trace(k, [_received(a) for a in acts]) for k, acts in enumerate(found)])


def _sent(act: Act, zero: float) -> dict[str, Any]:
    """An act as JSON can carry it."""
    place = None if act.place is None else [act.place.file, act.place.line]
    parcel = None if act.parcel is None else asdict(act.parcel)
    return {"kind": act.kind, "seconds": act.seconds, "start": act.start - zero, "parcel": parcel,
            "ticket": act.ticket, "place": place, "ended": None if act.ended is None else act.ended - zero}  # fmt: skip


def _received(act: dict[str, Any]) -> Act:
    parcel = act["parcel"]
    if parcel is not None:
        parcel = Parcel(**{**parcel, "group": tuple(parcel["group"])})
    place = None if act["place"] is None else Loc(*act["place"])
    return Act(act["kind"], act["seconds"], act["start"], parcel, act["ticket"], place, act["ended"])


def lanes_of(traces: Sequence[Trace]) -> list[Lane]:
    """Measured acts as lanes: an exchange begins when its last rank has come, before that the others wait."""
    last: dict[Any, float] = {}
    for key, act in (pair for trace in traces for pair in _keyed(trace)):
        last[key] = max(last.get(key, act.start), act.start)
    return [Lane(f"rank {t.rank}", list(_spans(t, last))) for t in traces]


def _keyed(trace: Trace) -> Iterator[tuple[Any, Act]]:
    """The exchanges of a rank, each with a key that its partners' parts share."""
    seen: dict[Any, int] = {}
    for act in trace.acts:
        if act.parcel is not None:
            key, _ = key_of(act.parcel, trace.rank)
            seen[key] = seen.get(key, 0) + 1
            yield (key, seen[key]), act


def _spans(trace: Trace, last: Mapping[Any, float]) -> Iterator[LaneSpan]:
    began: dict[int, tuple[Act, float]] = {}
    keys = {id(act): key for key, act in _keyed(trace)}
    for act in trace.acts:
        end = act.start + act.seconds
        if act.kind == COMPUTE:
            yield LaneSpan(lanes.COMPUTE, act.kind, act.start, end)
        elif act.kind == FINISH:
            begun, starts = began[act.ticket]
            until = end if act.ended is None else act.ended
            yield _span(lanes.BEHIND, begun, min(starts, until), until)
            yield _span(lanes.WAIT, replace(begun, place=act.place), act.start, end)
        elif act.kind == PROGRESS:
            yield _span(lanes.EXCHANGE, act, act.start, end)
        else:
            starts = min(max(act.start, last[keys[id(act)]]), end)
            if act.kind == START:
                began[act.ticket] = act, max(act.start, last[keys[id(act)]])
                yield _span(lanes.EXCHANGE, act, act.start, end)
            else:
                yield _span(lanes.WAIT, act, act.start, starts)
                yield _span(lanes.EXCHANGE, act, starts, end)


def _span(kind: str, act: Act, start: float, end: float) -> LaneSpan:
    return LaneSpan(kind, act.name, start, end, 0 if act.parcel is None else act.parcel.bytes, act.place)

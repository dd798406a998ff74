"""The virtual clock: traces with given times, and when each rank does what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vitrify import distributed as dist
from vitrify.base.errors import ExchangeError
from vitrify.base.location import Loc
from vitrify.distributed.forecast.network import Parcel
from vitrify.distributed.forecast.recording import COMPUTE, EXCHANGE, FINISH, START, Act, Trace, times_of, with_times
from vitrify.distributed.forecast.virtual_clock import VirtualClock
from vitrify.runtime.observe.timeline import BEHIND, WAIT, Timeline

SECOND = dist.Network(latency=0.0, bandwidth=1e6, overhead=0.0, joining=1e30)  # a message of 1 MB takes a second


def compute(seconds: float) -> Act:
    return Act(COMPUTE, seconds)


def message(name: str, peer: int, kind: str = EXCHANGE, ticket: int = 0) -> Act:
    return Act(kind, 0.0, 0.0, Parcel(name, 1_000_000, (0, 1), peer=peer), ticket)


def together(size: int = 1_000_000, kind: str = EXCHANGE, ticket: int = 0, ranks: int = 2) -> Act:
    return Act(kind, 0.0, 0.0, Parcel("all_reduce", size, tuple(range(ranks))), ticket)


def timeline(*acts: list[Act]) -> Timeline:
    return VirtualClock([Trace(k, a) for k, a in enumerate(acts)], SECOND).run("test")


def test_an_exchange_begins_when_the_last_rank_has_come() -> None:
    found = timeline([compute(1), together(), compute(1)], [compute(4), together(), compute(1)])
    assert found.seconds == pytest.approx(6.0)  # 4, then 1 for half of the bytes twice, then 1
    assert found.lanes[0].seconds(WAIT) == pytest.approx(3.0)
    assert found.lanes[1].seconds(WAIT) == 0.0
    assert found.lanes[0].seconds(COMPUTE) == found.lanes[1].seconds(COMPUTE) - 3 == 2.0


def test_a_started_exchange_goes_on_behind_computing() -> None:
    acts = [compute(1), together(kind=START, ticket=1), compute(3), Act(FINISH, 0.0, ticket=1), compute(1)]
    found = timeline(acts, acts)
    assert found.seconds == pytest.approx(5.0)
    assert found.lanes[0].seconds(BEHIND) == pytest.approx(1.0)
    assert found.hidden == pytest.approx(1.0)


def test_what_computing_does_not_hide_is_waited_for() -> None:
    acts = [together(4_000_000, START, 1), compute(1), Act(FINISH, 0.0, ticket=1)]
    found = timeline(acts, acts)
    assert found.seconds == pytest.approx(4.0)
    assert found.lanes[0].seconds(WAIT) == pytest.approx(3.0)
    assert found.hidden == pytest.approx(0.25)


def test_started_exchanges_of_a_rank_share_its_card() -> None:
    acts = [together(kind=START, ticket=1), together(kind=START, ticket=2), Act(FINISH, 0.0, ticket=2)]
    assert timeline(acts, acts).seconds == pytest.approx(2.0)


def test_a_message_joins_two_ranks() -> None:
    found = timeline([compute(2), message("send", 1), compute(1)], [message("recv", 0), compute(5)])
    assert [lane.end for lane in found.lanes] == pytest.approx([4.0, 8.0])
    assert found.lanes[1].seconds(WAIT) == pytest.approx(2.0)


def test_ranks_without_a_trace_come_with_the_others() -> None:
    assert timeline([compute(1), together(ranks=1000)]).seconds > 1.0


def test_ranks_that_wait_for_each_other_are_named() -> None:
    with pytest.raises(ExchangeError, match="rank 0 in send, rank 1 in send"):
        timeline([message("send", 1)], [message("send", 0)])


def test_times_are_the_same_in_each_run() -> None:
    acts = ([compute(1), together(), compute(1)], [compute(4), together(), compute(1)])
    assert timeline(*acts).to_dict() == timeline(*acts).to_dict()


def test_a_table_of_times_replaces_what_was_measured() -> None:
    reduce = replace(together(), place=Loc("a.py", 3))
    uneven = Trace(0, [compute(9), *[a for s in (1, 3, 8) for a in (reduce, compute(s))], reduce, compute(7)])
    slow = Trace(1, [compute(90), *[a for s in (10, 30, 80) for a in (reduce, compute(s))], reduce, compute(70)])
    times = times_of([uneven, slow])
    assert [a.seconds for a in with_times(uneven, times).acts if a.kind == COMPUTE] == [9, 3, 3, 3, 7]
    assert [a.seconds for a in with_times(slow, times).acts if a.kind == COMPUTE] == [90, 30, 30, 30, 70]

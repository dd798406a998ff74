"""Lanes: of simulated ranks on a virtual clock, and of measured acts."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.base.errors import ExchangeError, ModeError
from vitrify.distributed.forecast.network import Parcel
from vitrify.distributed.forecast.recording import COMPUTE, EXCHANGE, FINISH, START, Act, Trace
from vitrify.distributed.forecast.run_timed import lanes_of


def rounds() -> Any:
    x = vt.to_tensor([1.0 + dist.get_rank()])
    for _ in range(3):
        dist.all_reduce(x, "mean")
    if dist.get_rank() == 0:
        dist.send(x, 1)
    if dist.get_rank() == 1:
        dist.recv(x, 0)
    return x.item()


def test_each_rank_has_a_lane_and_the_results_are_those_of_run_ranks() -> None:
    found = dist.run_timed(rounds, ranks=3, network="100GbE")
    assert found.results == dist.run_ranks(rounds, ranks=3)
    assert [lane.name for lane in found.lanes] == ["rank 0", "rank 1", "rank 2"]
    names = [[s.name for s in lane.spans if s.kind == "exchange"] for lane in found.lanes]
    assert names == [["all_reduce"] * 3 + ["send"], ["all_reduce"] * 3 + ["recv"], ["all_reduce"] * 3]
    reductions = [
        [(s.start, s.end) for s in lane.spans if s.name == "all_reduce" and s.kind == "exchange"]
        for lane in found.lanes
    ]
    assert reductions[0] == reductions[1] == reductions[2]


def test_a_rank_with_more_to_do_is_waited_for() -> None:
    def uneven() -> None:
        for _ in range(3):
            time.sleep(0.02 * dist.get_rank())
            dist.barrier()

    quick, slow = dist.run_timed(uneven, ranks=2, network="infiniband").lanes
    assert quick.seconds("wait") > 0.05
    assert slow.seconds("wait") < 0.01


def test_the_same_times_give_the_same_lanes() -> None:
    first = dist.run_timed(rounds, ranks=4)
    again = dist.run_timed(rounds, ranks=4, times=first.times)
    assert again.to_dict() == first.to_dict()


def test_a_slower_network_takes_longer() -> None:
    first = dist.run_timed(rounds, ranks=2, network="infiniband")
    slow = dist.run_timed(rounds, ranks=2, network=dist.Network(latency=1.0, bandwidth=1e9), times=first.times)
    assert 7.0 < slow.seconds < 7.5  # of three reductions two messages each, and one
    assert first.seconds < 1.0


def test_errors_are_those_of_run_ranks() -> None:
    def differ() -> None:
        dist.all_reduce(vt.ones([1 + dist.get_rank()]))

    with pytest.raises(ExchangeError, match="don't take part in the same exchange"):
        dist.run_timed(differ, ranks=2)


def test_a_trace_for_chrome(tmp_path: Path) -> None:
    found = dist.run_timed(rounds, ranks=2)
    data = json.loads(found.export(tmp_path / "trace.json").read_text())
    events = [e for e in data["traceEvents"] if e["ph"] == "X"]
    assert {e["tid"] for e in events} == {0, 2}
    assert all(e["dur"] >= 0 and e["ts"] >= 0 for e in events)
    assert any("test_run_timed.py:" in e["args"].get("line", "") for e in events)
    assert found._repr_html_().count("<rect") > 6


def test_measured_acts_wait_until_the_last_rank_has_come() -> None:
    parcel = Parcel("all_reduce", 8, (0, 1))
    early = Trace(0, [Act(COMPUTE, 1.0, 0.0), Act(EXCHANGE, 3.0, 1.0, parcel)])
    late = Trace(1, [Act(COMPUTE, 3.0, 0.0), Act(EXCHANGE, 1.0, 3.0, parcel)])
    one, two = lanes_of([early, late])
    assert (one.seconds("wait"), one.seconds("exchange")) == (2.0, 1.0)
    assert (two.seconds("wait"), two.seconds("exchange")) == (0.0, 1.0)


def test_a_measured_exchange_that_was_started_lies_behind() -> None:
    parcel = Parcel("all_reduce", 8, (0,))
    acts = [Act(START, 0.5, 0.0, parcel, 1), Act(COMPUTE, 2.0, 0.5), Act(FINISH, 1.0, 2.5, None, 1)]
    (lane,) = lanes_of([Trace(0, acts)])
    assert (lane.seconds("behind"), lane.seconds("wait"), lane.seconds("compute")) == (3.5, 1.0, 2.0)


def test_simulated_ranks_are_not_measured() -> None:
    def measure() -> None:
        with dist.record():
            pass

    with pytest.raises(ModeError, match="one runs at a time"):
        dist.run_ranks(measure, ranks=2)
    with pytest.raises(ModeError, match="side by side"):
        dist.run_ranks(dist.Network.measured, ranks=2)
    with pytest.raises(ModeError, match="side by side"):
        dist.Network.measured()


def test_one_rank_alone_is_measured() -> None:
    with dist.record() as lanes:
        dist.all_reduce(vt.ones([4]))
    (lane,) = lanes.lanes
    assert [s.name for s in lane.spans if s.kind == "exchange"] == ["all_reduce"]

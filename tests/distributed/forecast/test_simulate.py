"""`simulate`: what it says of steps whose exchanges and memory are known, and that it leaves everything as it was."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.base.errors import ArgumentError, KindError
from vitrify.distributed import fleet, simulate
from vitrify.ops.op import OPS


def training(width: int = 32) -> Any:
    net = vt.DataParallel(vt.nn.Linear(width, width))
    optimizer = vt.optimizer.Adam(0.1, parameters=net.parameters())

    @vt.to_static
    def step(x: Any) -> Any:
        loss = net(x).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step, vt.ones([8, width])


def test_exchanges_and_memory_of_a_data_parallel_step() -> None:
    found = dist.simulate(training, ranks=1024, network="10GbE", calls=1)
    (role,) = found.roles
    parameters = 4 * (32 * 32 + 32)
    assert role.exchanges == 1  # both gradients in one bucket
    assert found.memory.parameters == parameters
    assert found.memory.states >= 2 * parameters  # both moments
    assert found.memory.inputs == 4 * 8 * 32
    assert found.memory.arena is not None
    assert role.lane.seconds("exchange") == pytest.approx(found.network.seconds("all_reduce", parameters, ranks=1024))
    assert found.seconds == pytest.approx(found.computing + role.lane.seconds("exchange"))


def test_most_of_an_encoders_exchange_goes_on_behind_its_backward_pass() -> None:
    def make() -> Any:
        net = vt.DataParallel(vt.nn.TransformerEncoderLayer(256, 4, 1024, 0.0))
        optimizer = vt.optimizer.Adam(0.001, parameters=net.parameters())

        @vt.to_static
        def step(x: Any) -> Any:
            loss = (net(x) ** 2).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        return step, vt.ones([2, 64, 256])

    found = dist.simulate(make, ranks=2, network="100GbE", calls=1)
    lane = found.roles[0].lane
    hidden, seen = lane.seconds("behind"), lane.seconds("exchange")
    assert found.roles[0].exchanges == 4 and hidden > 0.7 * (hidden + seen)


def test_the_bytes_of_a_step_are_those_that_the_simulator_counts() -> None:
    def bytes_of(times: int) -> int:
        def several() -> None:
            step, x = training(128)
            for _ in range(times):
                step(x)

        simulator = dist.simulator.Simulator(2)
        simulator.run(several, (), {})
        return simulator.bytes

    found = dist.simulate(lambda: training(128), ranks=2, calls=1)
    (part,) = [p for p in found.parts if p.name == "all_reduce"]
    assert 2 * part.bytes == bytes_of(2) - bytes_of(1)


def test_a_captured_step_of_one_rank_is_left_as_it_was() -> None:
    net = vt.nn.Linear(16, 16)
    optimizer = vt.optimizer.Adam(0.1, parameters=net.parameters())

    @vt.to_static
    def step(x: Any) -> Any:
        loss = net(x).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    x = vt.ones([4, 16])
    step(x)
    before = [p.numpy().copy() for p in net.parameters()]
    states = {k: v.numpy().copy() for k, v in optimizer.state_dict().items() if hasattr(v, "numpy")}
    found = dist.simulate(step, x, ranks=8, network="100GbE", calls=2)
    assert found.roles[0].exchanges == 1
    assert all((a == p.numpy()).all() for a, p in zip(before, net.parameters(), strict=True))
    after = optimizer.state_dict()
    assert all(np.array_equal(v, after[k].numpy()) for k, v in states.items())
    exchanged = dist.simulator.Simulator(1)
    exchanged.run(lambda: step(x), (), {})
    assert exchanged.exchanges == 0  # no hook stays behind


def test_the_stages_of_a_pipeline_are_walked_each() -> None:
    def make() -> Any:
        rank = dist.get_rank()

        def step(x: Any) -> None:
            if rank > 0:
                dist.recv(x, rank - 1)
            y = x * 2.0
            if rank < dist.get_world_size() - 1:
                dist.send(y, rank + 1)

        return step, vt.ones([1000])

    net = dist.Network(latency=1.0, bandwidth=1e12)
    found = dist.simulate(make, ranks=4, network=net, calls=1)
    assert [role.rank for role in found.roles] == [0, 1, 2, 3]
    assert 3.0 < found.seconds < 3.5  # three messages, one after the other
    assert found.roles[3].lane.seconds("wait") > 1.9


def test_a_long_chain_of_messages_is_refused() -> None:
    def make() -> Any:
        def step() -> None:
            dist.send(vt.ones([1]), (dist.get_rank() + 1) % dist.get_world_size())

        return step

    with pytest.raises(ArgumentError, match="more than 64 ranks send to each other"):
        dist.simulate(make, ranks=1000, calls=1)


def test_the_same_times_give_the_same_prediction() -> None:
    first = dist.simulate(training, ranks=4, calls=1)
    again = dist.simulate(training, ranks=4, calls=1, times=first.timeline.times)
    assert again.to_dict() == first.to_dict()
    twice = dist.simulate(training, ranks=4, calls=1, times=first.timeline.times, speed=2.0)
    assert twice.computing == pytest.approx(first.computing / 2)


def test_a_prediction_for_another_network_runs_nothing() -> None:
    first = dist.simulate(training, ranks=64, network="10GbE", calls=1)
    other = first.on("infiniband")
    assert other.computing == pytest.approx(first.computing)
    assert other.memory == first.memory
    assert other.exchanging < first.exchanging
    assert other.on("10GbE").to_dict() == first.to_dict()


def test_exchanges_that_ranks_run_eagerly_count_too() -> None:
    def make() -> Any:
        def step(x: Any) -> Any:
            return dist.all_gather_of(x), dist.all_reduce_of(x, "max"), dist.reduce_scatter_of(x), dist.all_to_all_of(x)

        return step, vt.ones([6, 2])

    found = dist.simulate(make, ranks=6, calls=1)
    assert found.roles[0].exchanges == 4
    assert found.memory.arena is None


def test_a_started_exchange_goes_on_behind_what_comes_after_it() -> None:
    def make() -> Any:
        @vt.to_static
        def step(x: Any) -> Any:
            ticket = OPS["all_reduce_start"](x, reduction="mean", ranks=4)
            y = x @ x @ x @ x @ x @ x
            return OPS["all_reduce_wait"](ticket, x, reduction="mean", ranks=4) + y

        return step, vt.ones([300, 300])

    quick = dist.simulate(make, ranks=4, network=dist.Network(latency=1e-9, bandwidth=1e12, overhead=0.0, joining=1e12))
    assert quick.timeline.hidden == 1.0
    assert quick.seconds == pytest.approx(quick.computing)
    slow = dist.simulate(make, ranks=4, network=dist.Network(latency=1.0, bandwidth=1e12))
    assert 0.0 < slow.timeline.hidden < 0.1
    assert slow.seconds > 1.0


def test_it_can_be_read() -> None:
    found = dist.simulate(training, ranks=16, calls=1)
    assert "16 rank(s) on 10GbE" in str(found)
    assert "all_reduce" in str(found)
    assert "test_simulate.py:" in str(found)
    assert "<svg" in found._repr_html_()
    assert json.loads(found.to_json())["ranks"] == 16


@pytest.mark.parametrize(
    ("options", "words"),
    [({"ranks": 0}, "ranks"), ({"ranks": 2, "calls": 0}, "calls"), ({"ranks": 2, "speed": 0.0}, "speed")],
)
def test_wrong_numbers_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        dist.simulate(training, **options)


def test_what_is_no_step_is_refused() -> None:
    with pytest.raises(KindError, match="needs a function"):
        dist.simulate(3, ranks=2)  # type: ignore[arg-type]
    with pytest.raises(KindError, match="returned a int"):
        dist.simulate(lambda: 3, ranks=2)
    with pytest.raises(ArgumentError, match="trains no parameter"):
        dist.simulate(vt.to_static(lambda x: x * 2), vt.ones([2]), ranks=2)


def _by_fleet() -> Any:
    net = fleet.distributed_model(vt.nn.Linear(256, 256))
    optimizer = fleet.distributed_optimizer(vt.optimizer.Adam(0.1, parameters=net.parameters()))

    @vt.to_static
    def step(x: Any) -> None:
        net(x).mean().backward()
        optimizer.step()
        optimizer.clear_grad()

    return step, vt.ones([2, 256])


def test_one_function_is_predicted_with_several_strategies() -> None:
    found = {}
    for flag in ("", "sharding", "fp16_allreduce"):
        strategy = fleet.DistributedStrategy()
        if flag:
            setattr(strategy, flag, True)
        found[flag] = simulate(_by_fleet, ranks=8, strategy=strategy, calls=1)
    whole = found[""].memory
    assert found["sharding"].memory.parameters == whole.parameters
    assert found["sharding"].memory.states < whole.states / 6  # each rank has an eighth, and counters
    assert found["fp16_allreduce"].sent < 0.6 * found[""].sent
    assert simulate(_by_fleet, ranks=8, calls=1).sent == found[""].sent  # the strategy isn't in force any more
    assert simulate(_by_fleet, ranks=8, calls=1).memory == whole


def test_layers_spread_over_ranks_by_a_strategy_need_less_of_the_network() -> None:
    strategy = fleet.DistributedStrategy()
    strategy.hybrid_configs = {"dp_degree": 2, "mp_degree": 4}
    assert simulate(_by_fleet, ranks=8, strategy=strategy, calls=1).roles[0].exchanges >= 1
    strategy.hybrid_configs = {"dp_degree": 3, "mp_degree": 4}
    with pytest.raises(ArgumentError, match="degree"):
        simulate(_by_fleet, ranks=8, strategy=strategy, calls=1)


def test_a_strategy_needs_a_function_that_makes_the_model() -> None:
    step, x = _by_fleet()
    with pytest.raises(KindError, match=r"(?s)made already.*distributed_optimizer"):
        simulate(step, x, ranks=8, strategy=fleet.DistributedStrategy())

"""Parameters that are cut into one part for each rank (ZeRO 3), and Paddle's front of sharded training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.distributed import fleet, run_ranks
from vitrify.distributed.sharding import group_sharded_parallel, save_group_sharded_model
from vitrify.distributed.simulator import Simulator
from vitrify.ir.walk import walk

from .training import OPTIMIZERS, distance, dynamic, net_of, none, rows

LEVELS = ("os", "os_g", "p_g_os")


def taught(step: Any, steps: int, first: int = 0) -> None:
    """Some steps with this rank's rows."""
    for k in range(first, first + steps):
        part = rows(k, dist.get_world_size(), dist.get_rank())
        step(vt.to_tensor(part[:, :4]), vt.to_tensor(part[:, 4:]))


def step_of(net: Any, optimizer: Any, captured: bool) -> Any:
    """A training step."""

    def step(x: Any, y: Any) -> Any:
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return vt.to_static(step) if captured else step


def sharded(kind: str, level: str, captured: bool = False, steps: int = 4, merged: int = 0, **settings: Any) -> Any:
    """The model, optimizer and step after some steps of sharded training."""
    vt.seed(7 + dist.get_rank() * (level == "p_g_os"))
    net = net_of()
    optimizer: Any = OPTIMIZERS[kind](parameters=net.parameters())
    net, optimizer, _ = group_sharded_parallel(net, optimizer, level, **{"segment_size": 0, **settings})
    if merged:
        optimizer = dist.GradientMerge(merged).optimizer(optimizer)
    step = step_of(net, optimizer, captured)
    for k in range(steps):
        taught(step, 1, k)
        if kind == "scheduled":
            optimizer._learning_rate.step()
    return net, optimizer, step


def arrays(kind: str, level: str, captured: bool = False, **settings: Any) -> list[Any]:
    """Whole parameters after training."""
    return [x.numpy() for x in sharded(kind, level, captured, **settings)[0].state_dict().values()]


@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize("kind", OPTIMIZERS)
@pytest.mark.parametrize("level", LEVELS)
def test_sharded_training_has_the_results_of_one_rank(level: str, kind: str, captured: bool) -> None:
    (one,) = run_ranks(lambda: dynamic(kind, none, 4, captured)[0], ranks=1)
    found = run_ranks(arrays, kind, level, captured, ranks=3)
    assert all(distance(found[0], other) == 0 for other in found[1:])
    assert distance(found[0], one) < 3e-7


@pytest.mark.parametrize("kind", ["momentum", "adamw"])
def test_sharded_parameters_on_any_number_of_ranks(kind: str) -> None:
    (one,) = run_ranks(lambda: dynamic(kind, none, 4, False)[0], ranks=1)
    for ranks in (1, 2, 3, 4, 8):
        found = run_ranks(arrays, kind, "p_g_os", ranks=ranks)
        assert all(distance(found[0], other) == 0 for other in found[1:])
        assert distance(found[0], one) < 3e-7


@pytest.mark.parametrize("captured", [False, True])
def test_the_bits_are_those_of_data_parallel_training(captured: bool) -> None:
    plain = run_ranks(lambda: dynamic("adam", lambda: [dist.GradAllReduce()], 4, captured)[0], ranks=3)
    assert distance(run_ranks(arrays, "adam", "p_g_os", captured, ranks=3)[0], plain[0]) == 0


@pytest.mark.parametrize("captured", [False, True])
def test_gradients_of_parts_are_merged(captured: bool) -> None:
    plain = lambda: dynamic("adam", lambda: [dist.GradientMerge(2), dist.GradAllReduce()], 5, captured)[0]  # noqa: E731
    found = run_ranks(lambda: arrays("adam", "p_g_os", captured, steps=5, merged=2), ranks=3)
    assert distance(found[0], found[2]) == 0 and distance(found[0], run_ranks(plain, ranks=3)[0]) < 1e-7


@pytest.mark.parametrize("captured", [False, True])
def test_some_parameters_stay_whole(captured: bool) -> None:
    (one,) = run_ranks(lambda: dynamic("adamw", none, 4, captured)[0], ranks=1)

    def run(**settings: Any) -> Any:
        net = sharded("adamw", "p_g_os", captured, **settings)[0]
        return [p.shape for p in net.parameters()], [x.numpy() for x in net.state_dict().values()]

    wanted = {
        "some": ({"segment_size": 10}, [[7], [5], [4], [2]]),
        "all": ({}, [[4, 5], [5], [5, 2], [2]]),
        "none": ({"exclude_layer": []}, [[7], [2], [4], [1]]),
        "layers": ({"exclude_layer": ["Linear"]}, [[4, 5], [5], [5, 2], [2]]),
    }
    for name, (settings, shapes) in wanted.items():
        given = {"segment_size": 2**20} if name == "all" else settings
        found = run_ranks(run, **given, ranks=3)
        assert found[0][0] == shapes, name
        assert distance(found[0][1], found[2][1]) == 0 and distance(found[0][1], one) < 3e-7, name


class Shared(vt.nn.Layer):
    """A layer that is used twice, a frozen one, and one whose parameters belong to two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.frozen, self.last = vt.nn.Linear(4, 4), vt.nn.Linear(4, 4), vt.nn.Linear(4, 2)
        self.again = vt.nn.Linear(4, 4)
        self.again.weight = self.first.weight
        for p in self.frozen.parameters():
            p.stop_gradient = True

    def forward(self, x: Any) -> Any:
        return self.last(vt.tanh(self.first(self.frozen(self.again(vt.tanh(self.first(x)))))))


@pytest.mark.parametrize("captured", [False, True])
def test_shared_and_frozen_parameters(captured: bool) -> None:
    def run(shards: bool) -> Any:
        vt.seed(5)
        net: Any = Shared()
        optimizer: Any = OPTIMIZERS["adam"](parameters=net.parameters())
        if shards:
            net, optimizer, _ = group_sharded_parallel(net, optimizer, "p_g_os", segment_size=0)
        taught(step_of(net, optimizer, captured), 4)
        return [x.numpy() for x in net.state_dict().values()]

    (one,) = run_ranks(run, False, ranks=1)
    found = run_ranks(run, True, ranks=3)
    assert len(one) == 8 and distance(found[0], found[1]) == 0 and distance(found[0], one) < 5e-7


@pytest.mark.parametrize("kind", ["sgd", "momentum", "adam"])
def test_memory_is_what_the_plan_says_to_the_byte(kind: str) -> None:
    def run() -> Any:
        net, optimizer, _ = sharded(kind, "p_g_os", True, 1)
        parameters = net.parameters()
        states = sum(x.numpy().nbytes for table in optimizer._accumulators.values() for x in table.values())
        held = sum(p._storage.payload.nbytes for p in parameters)
        part = rows(0, dist.get_world_size(), dist.get_rank())
        net(vt.to_tensor(part[:, :4])).mean().backward()
        gradients = sum(p.grad.numpy().nbytes for p in parameters)
        return optimizer.stages[0].plan(parameters, optimizer), dist.MemoryPlan(held, gradients, states)

    for ranks in (1, 3, 4):
        whole = net_of().parameters()
        before = dist.memory_plan(whole, OPTIMIZERS[kind](parameters=whole), 3, 3)
        for plan, held in run_ranks(run, ranks=ranks):
            assert plan == held
            assert ranks != 3 or plan == before
            assert plan.parameters == {1: 4 * 37, 3: 4 * (7 + 2 + 4 + 1), 4: 4 * (5 + 2 + 3 + 1)}[ranks]


def test_whole_parameters_are_let_go() -> None:
    def run(again: bool) -> Any:
        vt.seed(0)
        inner = vt.nn.Sequential(vt.nn.Linear(4, 4), vt.nn.Linear(4, 4))
        net = dist.ShardedParameters(inner)
        x = vt.ones([2, 4])
        x.stop_gradient = False
        made = fleet.utils.recompute(net, x) if again else net(x)
        assert all("weight" not in layer.__dict__ for layer in inner)
        made.sum().backward()
        return [p.grad.numpy() for p in inner.parameters()]

    counts = {}
    for again in (False, True):
        one = Simulator(2)
        counts[again] = one.run(run, (again,), {}), one.exchanges
    assert counts[True][1] - counts[False][1] == 4  # gathered again for the backward pass
    assert distance(counts[True][0][0], counts[False][0][0]) == 0


def test_a_captured_step_gathers_and_scatters() -> None:
    def run() -> list[str]:
        step = sharded("sgd", "p_g_os", True, 1)[2]
        return [o.name for o in walk(step.concrete_trace().program.body)]

    names = run_ranks(run, ranks=2)[0]
    assert names.count("all_gather") == names.count("reduce_scatter") == 4 and "all_reduce" not in names


# ---- saved states


def test_states_are_saved_whole_and_go_on_on_any_number_of_ranks(tmp_path: Path) -> None:
    def first() -> Any:
        net, optimizer, _ = sharded("adam", "p_g_os", steps=3)
        save_group_sharded_model(net, str(tmp_path / "saved"), optimizer)
        own = net.state_dict(sharded=True)
        return [x.shape for x in net.state_dict().values()], [x.shape for x in own.values()]

    def second(captured: bool) -> Any:
        net, optimizer, step = sharded("adam", "p_g_os", captured, steps=0)
        assert net.set_state_dict(vt.load(str(tmp_path / "saved" / "model.pdmodel"))) == ([], [])
        optimizer.set_state_dict(vt.load(str(tmp_path / "saved" / "model.pdopt")))
        taught(step, 1, 3)
        return [x.numpy() for x in net.state_dict().values()]

    assert run_ranks(first, ranks=3)[0] == ([[4, 5], [5], [5, 2], [2]], [[7], [2], [4], [1]])
    (one,) = run_ranks(lambda: dynamic("adam", none, 4, False)[0], ranks=1)
    for ranks in (1, 2, 3, 4):
        for captured in (False, True):
            assert distance(run_ranks(second, captured, ranks=ranks)[0], one) < 3e-7


def test_parts_are_set_as_parts() -> None:
    def run() -> Any:
        net = sharded("sgd", "p_g_os", steps=1)[0]
        own = {name: x.numpy() for name, x in net.state_dict(sharded=True).items()}
        before = [x.numpy() for x in net.state_dict().values()]
        net.set_state_dict({name: vt.zeros(x.shape) for name, x in net.state_dict().items()})
        zeros = [x.numpy() for x in net.state_dict().values()]
        net.set_state_dict({name: vt.to_tensor(x) for name, x in own.items()})
        return before, zeros, [x.numpy() for x in net.state_dict().values()]

    before, zeros, after = run_ranks(run, ranks=3)[1]
    assert distance(before, after) == 0 and all((x == 0).all() for x in zeros)


# ---- fronts


@pytest.mark.parametrize("captured", [False, True])
def test_stage_3_of_a_strategy(captured: bool) -> None:
    def run() -> Any:
        strategy = fleet.DistributedStrategy()
        strategy.sharding, strategy.sharding_configs = True, {"stage": 3}
        fleet.init(is_collective=True, strategy=strategy)
        vt.seed(7)
        net = fleet.distributed_model(net_of())
        optimizer = fleet.distributed_optimizer(OPTIMIZERS["adam"](parameters=net.parameters()))
        taught(step_of(net, optimizer, captured), 4)
        return [p.shape for p in net.parameters()], [x.numpy() for x in net.state_dict().values()]

    (one,) = run_ranks(lambda: dynamic("adam", none, 4, captured)[0], ranks=1)
    shapes, found = run_ranks(run, ranks=2)[1]
    assert shapes == [[10], [3], [5], [1]] and distance(found, one) < 3e-7


@pytest.mark.parametrize("level", LEVELS)
def test_a_step_is_left_out_where_any_rank_overflows(level: str) -> None:
    def run() -> Any:
        vt.seed(3)
        net: Any = vt.nn.Linear(4, 1)
        optimizer: Any = vt.optimizer.SGD(0.1, parameters=net.parameters())
        scaler: Any = vt.amp.GradScaler(init_loss_scaling=4.0)
        net, optimizer, scaler = group_sharded_parallel(net, optimizer, level, scaler, segment_size=0)
        found = []
        for k in range(2):
            x = np.full((2, 4), np.inf if k == 0 and dist.get_rank() == 1 else 1.0, np.float32)
            scaler.scale(net(vt.to_tensor(x)).mean()).backward()
            scaler.step(optimizer)
            scaler.update()
            optimizer.clear_grad()
            found.append(net.state_dict()["bias"].numpy())
        return found, float(scaler._scale)

    for found, scale in run_ranks(run, ranks=2):
        np.testing.assert_allclose([x[0] for x in found], [0.0, -0.1], atol=1e-7)
        assert scale == 2.0


@pytest.mark.parametrize("level", LEVELS)
def test_buffers_are_those_of_the_first_rank(level: str) -> None:
    def run() -> Any:
        net: Any = vt.nn.Sequential(vt.nn.Linear(4, 4), vt.nn.BatchNorm1D(4))
        optimizer: Any = vt.optimizer.SGD(0.1, parameters=net.parameters())
        net, optimizer, _ = group_sharded_parallel(net, optimizer, level, sync_buffers=True, segment_size=0)
        net.train()
        taught(net_only(net), 2)
        net.eval()
        net(vt.ones([1, 4]))
        return [net.state_dict()[f"1.{name}"].numpy() for name in ("_mean", "_variance")]

    def net_only(net: Any) -> Any:
        return lambda x, y: net(x)

    found = run_ranks(run, ranks=2)
    assert distance(found[0], found[1]) == 0


def test_what_sharded_parameters_refuse(tmp_path: Path) -> None:
    def made() -> Any:
        net = vt.nn.Linear(2, 2)
        return net, vt.optimizer.SGD(0.1, parameters=net.parameters())

    net, optimizer = made()
    with pytest.raises(ValueError, match="no level 'p_g'"):
        group_sharded_parallel(net, optimizer, "p_g")
    with pytest.raises(RuntimeError, match="nothing can be offloaded"):
        group_sharded_parallel(net, optimizer, "os", offload=True)
    with pytest.raises(RuntimeError, match="dp_group"):
        group_sharded_parallel(net, optimizer, "os", dp_group=dist.new_group([0]))
    with pytest.raises(RuntimeError, match="the optimizer's parameters are whole"):
        dist.ShardedStates(3).optimizer(optimizer)
    with pytest.raises(ValueError, match="isn't sharded"):
        save_group_sharded_model(net, str(tmp_path))
    (tmp_path / "file").write_text("")
    parts = dist.ShardedParameters(net)
    with pytest.raises(ValueError, match="is a file"):
        save_group_sharded_model(parts, str(tmp_path / "file"))
    with pytest.raises(ValueError, match="sharded already"):
        dist.ShardedParameters(net)
    with pytest.raises(ValueError, match="needs a Layer"):
        dist.ShardedParameters(3)
    with pytest.raises(ValueError, match="isn't sharded"):
        save_group_sharded_model(parts, str(tmp_path), optimizer)
    for level in (1, 2):
        with pytest.raises(RuntimeError, match="parts already"):
            dist.ShardedStates(level).optimizer(optimizer)
    for stage in (dist.GradAllReduce, dist.ShortGradients, dist.TopGradients, dist.LocalSGD):
        with pytest.raises(RuntimeError, match="don't go together: "):
            stage().optimizer(dist.ShardedStates(3).optimizer(optimizer))

    def wrapped() -> None:
        dist.DataParallel(dist.ShardedParameters(vt.nn.Linear(2, 2)))

    with pytest.raises(ValueError, match="needs no DataParallel"):
        run_ranks(wrapped, ranks=2)
    vt.enable_static()
    with pytest.raises(RuntimeError, match="static program stay whole"):
        dist.ShardedStates(3).optimizer(vt.optimizer.SGD(0.1))
    vt.disable_static()

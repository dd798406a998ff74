"""Parameter servers: in step, asynchronous and geo; rows of tables; and the fronts of fleet and the old transpiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify import static
from vitrify.distributed import fleet, run_ranks

from .training import OPTIMIZERS, built, distance, dynamic, net_of, none, rows, static_way

MODES = ("sync", "async", "geo")


def average() -> Any:
    return [dist.GradAllReduce()]


def parts(k: int, trainers: int) -> Any:
    """A trainer's rows of a step."""
    part = rows(k, trainers, dist.get_rank())
    return vt.to_tensor(part[:, :4]), vt.to_tensor(part[:, 4:])


def step_of(net: Any, optimizer: Any, captured: bool) -> Any:
    """A training step."""

    def step(x: Any, y: Any) -> Any:
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return vt.to_static(step) if captured else step


def served(kind: str, mode: str, captured: bool, servers: int, k_steps: int = 1, steps: int = 4) -> Any:
    """A trainer's parameters and last loss, or how many updates a server made and the bytes that it holds."""
    vt.seed(7 + dist.get_rank())
    net = net_of()
    stage = dist.ServedUpdates(servers, mode, k_steps)
    optimizer = stage.optimizer(OPTIMIZERS[kind](parameters=net.parameters()))
    stage.begin(optimizer, net)
    if stage.is_server():
        updates = stage.serve()
        held = [*net.parameters(), *(x for table in optimizer._accumulators.values() for x in table.values())]
        return updates, sum(x.numpy().nbytes for x in held)
    step, losses = step_of(net, optimizer, captured), []
    for k in range(steps):
        losses.append(float(step(*parts(k, stage.trainers))))
        if kind == "scheduled":
            optimizer._learning_rate.step()
    stage.stop()
    assert mode == "geo" or not optimizer._accumulators  # servers have the states
    return [p.numpy() for p in net.parameters()], losses


@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_servers_in_step_have_the_bits_of_data_parallel_training(kind: str, captured: bool) -> None:
    plain = run_ranks(lambda: dynamic(kind, average, 4, captured)[0], ranks=3)[0]
    found = run_ranks(served, kind, "sync", captured, 2, ranks=5)
    assert distance(found[0][0], plain) <= (3e-8 if kind == "adamw" else 0)  # a norm's sum has another order
    assert distance(found[0][0], found[2][0]) == 0 and [updates for updates, _ in found[3:]] == [4, 4]


@pytest.mark.parametrize("trainers", [1, 2, 3, 4, 8])
def test_any_number_of_trainers_and_servers(trainers: int) -> None:
    (one,) = run_ranks(lambda: dynamic("adamw", none, 4, False)[0], ranks=1)
    for servers in (1, 3):
        found = run_ranks(served, "adamw", "sync", False, servers, ranks=trainers + servers)
        assert all(distance(found[0][0], other) == 0 for other, _ in found[1:trainers])
        assert distance(found[0][0], one) < 3e-7


def test_servers_share_parameters_and_states() -> None:
    found = run_ranks(served, "adam", "sync", False, 3, ranks=5)[2:]
    whole = net_of().parameters()
    plan = dist.memory_plan(whole, OPTIMIZERS["adam"](parameters=whole), 3, 3)
    assert {held for _, held in found} == {plan.parameters + plan.states} and plan.parameters == 4 * (7 + 2 + 4 + 1)


@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize("mode", ["async", "geo"])
def test_trainers_out_of_step_are_deterministic_and_converge(mode: str, captured: bool) -> None:
    run = lambda: run_ranks(served, "sgd", mode, captured, 2, 2, 12, ranks=5)  # noqa: E731
    first, second = run(), run()
    assert all(distance(a, b) == 0 for (a, _), (b, _) in zip(first[:3], second[:3], strict=True))
    (one,) = run_ranks(lambda: dynamic("sgd", none, 12, False)[0], ranks=1)
    for found, losses in first[:3]:
        assert losses[-1] < 0.95 * losses[1] and 0 < distance(found, one) < 0.3
    assert [updates for updates, _ in first[3:]] == [36 if mode == "async" else 18] * 2


def test_geo_of_one_trainer_is_plain_training() -> None:
    (one,) = run_ranks(lambda: dynamic("adam", none, 4, False)[0], ranks=1)
    assert distance(run_ranks(served, "adam", "geo", False, 1, 2, ranks=2)[0][0], one) < 3e-7


@pytest.mark.parametrize("captured", [False, True])
def test_gradients_are_merged_before_they_are_pushed(captured: bool) -> None:
    def run() -> Any:
        vt.seed(7)
        net = net_of()
        stage = dist.ServedUpdates(1)
        optimizer = stage.optimizer(dist.GradientMerge(2).optimizer(OPTIMIZERS["adam"](parameters=net.parameters())))
        stage.begin(optimizer, net)
        if stage.is_server():
            return stage.serve()
        step = step_of(net, optimizer, captured)
        for k in range(5):
            step(*parts(k, 2))
        stage.stop()
        return [p.numpy() for p in net.parameters()]

    merged = lambda: [dist.GradientMerge(2), dist.GradAllReduce()]  # noqa: E731
    plain = run_ranks(lambda: dynamic("adam", merged, 5, captured)[0], ranks=2)[0]
    found = run_ranks(run, ranks=3)
    assert distance(found[0], plain) < 1e-7 and found[2] == 2


def test_a_trainer_that_stops_early_is_waited_for_no_more() -> None:
    def run() -> Any:
        vt.seed(7)
        net = net_of()
        stage = dist.ServedUpdates(1)
        optimizer = stage.optimizer(OPTIMIZERS["sgd"](parameters=net.parameters()))
        stage.begin(optimizer, net)
        if stage.is_server():
            return stage.serve()
        step = step_of(net, optimizer, False)
        for k in range(2 + dist.get_rank()):
            step(*parts(k, 2))
        stage.stop()
        return True

    assert run_ranks(run, ranks=3) == [True, True, 3]


# ---- rows of tables


class Words(vt.nn.Layer):
    """Two tables, one of which is read twice, and a layer."""

    def __init__(self, sparse: bool) -> None:
        super().__init__()
        self.table = vt.nn.Embedding(11, 3, sparse=sparse)
        self.small = vt.nn.Embedding(5, 2, sparse=sparse)
        self.last = vt.nn.Linear(8, 2)

    def forward(self, ids: Any) -> Any:
        found = [self.table(ids[:, :1]), self.table(ids[:, 1:]), self.small(ids % 5)]
        return self.last(vt.concat([x.reshape([x.shape[0], -1])[:, :4] for x in found], axis=1)[:, :8])


IDS = np.random.default_rng(0).integers(0, 9, (5, 12, 2))  # rows 9 and 10 are never read
WANTED = np.random.default_rng(1).standard_normal((5, 12, 2)).astype("float32")


def words(kind: str, captured: bool, servers: int, mode: str = "sync") -> Any:
    """Parameters with whole tables after five steps; servers: 0 is data-parallel training."""
    vt.seed(3 + dist.get_rank())
    net = Words(servers > 0)
    optimizer: Any = OPTIMIZERS[kind](parameters=net.parameters())
    trainers = dist.get_world_size() - servers
    if servers:
        stage = dist.ServedUpdates(servers, mode)
        optimizer = stage.optimizer(optimizer)
        stage.begin(optimizer, net)
        if stage.is_server():
            stage.serve()
            return [p.shape for p in net.parameters()]
        assert [p.shape[0] for p in net.parameters()[:2]] == [0, 0]
    else:
        dist.synchronise(net)
        optimizer = dist.GradAllReduce().optimizer(optimizer)
    step = step_of(net, optimizer, captured)
    for ids, y in zip(IDS, WANTED, strict=True):
        part = np.array_split(np.arange(12), trainers)[dist.get_rank()]
        step(vt.to_tensor(ids[part]), vt.to_tensor(y[part]))
    found = [p.numpy() for p in net.parameters()]
    if servers:
        found[:2] = [r.pull(vt.arange(n)).numpy() for r, n in zip(stage.rows.values(), (11, 5), strict=True)]
        stage.stop()
    return found


@pytest.mark.parametrize("captured", [False, True])
def test_rows_are_pulled_and_their_gradients_pushed(captured: bool) -> None:
    plain = run_ranks(words, "sgd", captured, 0, ranks=3)[0]
    for servers in (1, 2):
        found = run_ranks(words, "sgd", captured, servers, ranks=3 + servers)
        assert distance(found[0], plain) < 3e-7 and distance(found[0], found[2]) == 0
    assert [shapes[:2] for shapes in found[3:]] == [[[6, 3], [3, 2]], [[5, 3], [2, 2]]]


def lazily(steps: int) -> Any:
    """Adam of one table's rows: the moments of rows that a step doesn't read stay."""
    gradients = np.random.default_rng(5).standard_normal((steps, 4, 2)).astype("float32")
    table, first, second = np.ones((6, 2)), np.zeros((6, 2)), np.zeros((6, 2))
    for k in range(steps):
        ids = IDS[k, :4, 0] % 6
        for i in np.unique(ids):
            g = gradients[k][ids == i].sum(0)
            first[i], second[i] = 0.9 * first[i] + 0.1 * g, 0.999 * second[i] + 0.001 * g * g
            rate = 0.01 * np.sqrt(1 - 0.999 ** (k + 1)) / (1 - 0.9 ** (k + 1))
            table[i] -= rate * first[i] / (np.sqrt(second[i]) + 1e-8 * np.sqrt(1 - 0.999 ** (k + 1)))
    return gradients, table


@pytest.mark.parametrize("captured", [False, True])
def test_states_of_rows_change_with_the_rows(captured: bool) -> None:
    gradients, wanted = lazily(5)

    def run() -> Any:
        net = vt.nn.Embedding(6, 2, sparse=True, weight_attr=vt.nn.initializer.Constant(1.0))
        stage = dist.ServedUpdates(2)
        optimizer = stage.optimizer(vt.optimizer.Adam(0.01, parameters=net.parameters()))
        stage.begin(optimizer, net)
        if stage.is_server():
            return stage.serve()

        def step(ids: Any, g: Any) -> None:
            (net(ids) * g).sum().backward()
            optimizer.step()
            optimizer.clear_grad()

        run = vt.to_static(step) if captured else step
        for k in range(5):
            run(vt.to_tensor(IDS[k, :4, 0] % 6), vt.to_tensor(gradients[k]))
        found = stage.rows[0].pull(vt.arange(6)).numpy()
        stage.stop()
        return found

    np.testing.assert_allclose(run_ranks(run, ranks=3)[0], wanted, rtol=0, atol=2e-6)


def test_asynchronous_rows_and_a_mode_without_gradients() -> None:
    first, second = (run_ranks(words, "sgd", False, 2, "async", ranks=4)[0] for _ in range(2))
    assert distance(first, second) == 0
    plain = run_ranks(words, "sgd", False, 0, ranks=1)[0]
    assert (first[0][9:] == plain[0][9:]).all() and 0 < distance(first, plain) < 1.0

    def run() -> Any:
        net = vt.nn.Embedding(6, 2, sparse=True)
        stage = dist.ServedUpdates(1)
        optimizer = stage.optimizer(vt.optimizer.SGD(0.1, parameters=net.parameters()))
        stage.begin(optimizer, net)
        if stage.is_server():
            stage.serve()
            return net.weight.numpy()
        with vt.no_grad():
            found = net(vt.to_tensor([[5, 0], [2, 2]])).numpy()
        assert not stage.rows[0].pulled  # nothing will be pushed
        stage.stop()
        return found

    found, table = run_ranks(run, ranks=2)
    assert (found == table[[[5, 0], [2, 2]]]).all()


def test_rows_outside_of_a_table_are_named() -> None:
    def run() -> Any:
        net = vt.nn.Embedding(6, 2, sparse=True)
        stage = dist.ServedUpdates(1)
        optimizer = stage.optimizer(vt.optimizer.SGD(0.1, parameters=net.parameters()))
        stage.begin(optimizer, net)
        return stage.serve() if stage.is_server() else net(vt.to_tensor([1, 6]))

    with pytest.raises(ValueError, match="trainer 0 asks for rows 1 to 6 of a table of 6"):
        run_ranks(run, ranks=2)


# ---- fronts


def in_fleet(body: Callable[[Any], Any], mode: str, servers: int) -> Any:
    """What `body(strategy)` returns on a rank of a run of fleet."""
    strategy = fleet.DistributedStrategy()
    strategy.a_sync = mode != "sync"
    strategy.a_sync_configs = {"k_steps": 2 if mode == "geo" else 0}
    role = fleet.UserDefinedRoleMaker(is_collective=False, server_endpoints=[f"server:{k}" for k in range(servers)])
    fleet.init(role, strategy=strategy)
    trainers = dist.get_world_size() - servers
    assert fleet.worker_num() == trainers and fleet.server_num() == servers
    assert fleet.is_server() == (dist.get_rank() >= trainers) != fleet.is_worker()
    assert fleet.server_index() == max(dist.get_rank() - trainers, -1)
    assert fleet.server_endpoints(to_string=True).count("server:") == servers
    return body(strategy)


@pytest.mark.parametrize("mode", MODES)
def test_fleet_in_dynamic_mode(mode: str) -> None:
    def body(strategy: Any) -> Any:
        vt.seed(7 + dist.get_rank())
        net = fleet.distributed_model(net_of())
        optimizer = fleet.distributed_optimizer(OPTIMIZERS["adam"](parameters=net.parameters()))
        if fleet.is_server():
            fleet.init_server()
            return fleet.run_server()
        fleet.init_worker()
        step = step_of(net, optimizer, True)
        for k in range(4):
            step(*parts(k, 2))
        assert fleet.util.all_reduce(1) == 2
        fleet.barrier_worker()
        fleet.stop_worker()
        return [p.numpy() for p in net.parameters()]

    found = run_ranks(in_fleet, body, mode, 1, ranks=3)
    direct = run_ranks(served, "adam", mode, True, 1, 2, ranks=3)
    assert distance(found[0], direct[0][0]) == 0 and found[2] is None


def static_served(kind: str, mode: str, servers: int, steps: int = 4) -> Any:
    """A trainer's parameters after some runs of what the old front made; a server's text."""
    vt.seed(7)
    start = [p.numpy() for p in net_of().parameters()]
    vt.enable_static()
    rank, trainers = dist.get_rank(), dist.get_world_size() - servers
    main, startup, loss, optimizer = built(kind, none)
    config = dist.DistributeTranspilerConfig()
    config.geo_sgd_mode, config.geo_sgd_need_push_nums = mode == "geo", 2
    names = [f"server:{k}" for k in range(servers)]
    old = dist.DistributeTranspiler(config)
    old.transpile(rank, main, ",".join(names), trainers, sync_mode=mode == "sync", startup_program=startup)
    executor, scope = static.Executor(), static.Scope()
    with static.scope_guard(scope):
        executor.run(old.get_startup_program())
        for p, array in zip(main.all_parameters(), start, strict=True):
            scope.find_var(p.name).get_tensor().set(array)
        if rank >= trainers:
            program = old.get_pserver_program(names[rank - trainers])
            assert executor.run(program) == []
            found: Any = str(program)
        else:
            for k in range(steps):
                part = rows(k, trainers, rank)
                feed = {"x": part[:, :4], "y": part[:, 4:]}
                executor.run(old.get_trainer_program(), feed=feed, fetch_list=[loss])
                if kind == "scheduled":
                    optimizer._learning_rate.step()
            found = [np.array(scope.find_var(p.name).get_tensor()) for p in main.all_parameters()], str(main)
            executor.close()
    vt.disable_static()
    return found


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_the_old_front_in_step(kind: str) -> None:
    plain = run_ranks(static_way, kind, average, 4, ranks=2)[0]
    found = run_ranks(static_served, kind, "sync", 2, ranks=4)
    assert distance(found[0][0], plain) <= (3e-8 if kind == "adamw" else 0)
    assert distance(found[0][0], found[1][0]) == 0
    text = found[0][1]
    assert text.count("send") >= 6 and text.count("recv") == 2 and "moment" not in text
    assert found[2].startswith("parameter server 0 of 2, sync: ") and ": f32[10] of f32[4, 5]" in found[3]


@pytest.mark.parametrize("mode", ["async", "geo"])
def test_the_old_front_out_of_step(mode: str) -> None:
    found = run_ranks(static_served, "adam", mode, 1, ranks=3)
    direct = run_ranks(served, "adam", mode, True, 1, 2, ranks=3)
    assert distance(found[0][0], direct[0][0]) < 1e-6 and distance(found[1][0], direct[1][0]) < 1e-6
    assert ("each trainer's changes of 2 steps" if mode == "geo" else "each trainer's gradients") in found[2]


def test_fleet_in_static_mode() -> None:
    def body(strategy: Any) -> Any:
        vt.enable_static()
        vt.seed(7)
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            x, y = static.data("x", [None, 4]), static.data("y", [None, 2])
            loss = ((static.nn.fc(vt.tanh(static.nn.fc(x, 5)), 2) - y) ** 2).mean()
            fleet.distributed_optimizer(vt.optimizer.SGD(0.1)).minimize(loss, startup)
        executor = static.Executor()
        executor.run(startup)
        if fleet.is_server():
            fleet.init_server()
            fleet.run_server()
            return None
        fleet.init_worker()
        found = []
        for _ in range(6):
            part = rows(0, 2, dist.get_rank())
            found += executor.run(main, feed={"x": part[:, :4], "y": part[:, 4:]}, fetch_list=[loss])
        fleet.stop_worker()
        vt.disable_static()
        return [float(x) for x in found]

    for losses in run_ranks(in_fleet, body, "sync", 1, ranks=3)[:2]:
        assert losses[-1] < losses[0]


# ---- what is refused


def test_what_parameter_servers_refuse() -> None:
    net = vt.nn.Linear(2, 2)
    sgd = vt.optimizer.SGD(0.1, parameters=net.parameters())
    with pytest.raises(ValueError, match="no mode 'half'"):
        dist.ServedUpdates(1, "half")
    with pytest.raises(ValueError, match="at least 1, not 0, 1"):
        dist.ServedUpdates(0)
    with pytest.raises(RuntimeError, match="a run of 1 can't have 1 parameter servers"):
        dist.ServedUpdates(1).optimizer(sgd)
    with pytest.raises(RuntimeError, match="Lamb needs whole parameters"):
        dist.ServedUpdates(1).optimizer(vt.optimizer.Lamb(0.1, parameters=net.parameters()))
    clipped = vt.optimizer.SGD(0.1, parameters=net.parameters(), grad_clip=vt.nn.ClipGradByNorm(1.0))
    with pytest.raises(RuntimeError, match="asynchronous parameter servers have no ClipGradByNorm"):
        dist.ServedUpdates(1, "async").optimizer(clipped)
    for stage in (dist.GradAllReduce, dist.ShortGradients, dist.TopGradients, dist.LocalSGD, dist.ShardedStates):
        with pytest.raises(RuntimeError, match="and parameter_server don't go together: "):
            run_ranks(lambda s=stage: dist.ServedUpdates(1).optimizer(s().optimizer(sgd)), ranks=2)
    with pytest.raises(RuntimeError, match="a_sync needs parameter servers"):
        strategy = fleet.DistributedStrategy()
        strategy.a_sync = True
        strategy.stages()
    with pytest.raises(ValueError, match="a run of 1 can't have 1 parameter servers and a trainer"):
        fleet.init(fleet.PaddleCloudRoleMaker(is_collective=False, server_endpoints=["a:1"]))
    for act in (fleet.init_server, fleet.run_server):
        with pytest.raises(RuntimeError, match="no parameter servers"):
            act()
    with pytest.raises(RuntimeError, match="load nothing"):
        fleet.load_model()


def test_embeddings_whose_rows_cannot_be_served() -> None:
    def run(merged: bool) -> None:
        net = vt.nn.Embedding(4, 2, sparse=True, padding_idx=None if merged else 0)
        optimizer: Any = vt.optimizer.SGD(0.1, parameters=net.parameters())
        if merged:
            optimizer = dist.GradientMerge(2).optimizer(optimizer)
        stage = dist.ServedUpdates(1)
        stage.begin(stage.optimizer(optimizer), net)

    with pytest.raises(RuntimeError, match="no padding_idx"):
        run_ranks(run, False, ranks=2)
    with pytest.raises(RuntimeError, match="rows are pushed in each step"):
        run_ranks(run, True, ranks=2)

"""Grids of ranks: their groups are Paddle's; data, stages and parts of layers together train as one rank does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify import nn
from vitrify.distributed import fleet, run_ranks
from vitrify.distributed.fleet import meta_parallel as mp
from vitrify.errors import ArgumentError, ModeError

from .grids import start

DATA = np.random.default_rng(2).standard_normal((24, 10)).astype("float32")


def test_the_axes_of_a_grid() -> None:
    """What PaddlePaddle 3.3.1 gives."""
    grid = fleet.CommunicateTopology(["data", "pipe", "model"], [2, 2, 2])
    assert grid.world_size() == 8 and grid.get_hybrid_group_names() == ["data", "pipe", "model"]
    assert grid.get_rank(data=1, pipe=0, model=1) == 5
    assert tuple(grid.get_coord(6)) == (1, 1, 0) and grid.get_coord(6).pipe == 1
    assert grid.get_axis_list("pipe", 1) == [2, 3, 6, 7]
    assert grid.get_comm_list("data") == [[0, 4], [1, 5], [2, 6], [3, 7]]
    assert grid.get_comm_list("model") == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert grid.get_fused_ranks(["data", "model"]) == [[0, 1, 4, 5], [2, 3, 6, 7]]
    assert grid.get_rank_from_stage(5, pipe=1) == 7 and grid.get_dim("pipe") == 2
    with pytest.raises(ArgumentError, match="no rank 8"):
        grid.get_coord(8)
    with pytest.raises(ArgumentError, match="each of data, pipe, model"):
        grid.get_rank(data=1)


def test_the_groups_of_a_rank() -> None:
    def run() -> Any:
        start(mp_degree=2, pp_degree=2)
        found = fleet.get_hybrid_communicate_group()
        return (
            found.get_data_parallel_group().ranks, found.get_pipe_parallel_group().ranks,
            found.get_model_parallel_group().ranks, found.get_check_parallel_group().ranks,
            (found.get_data_parallel_rank(), found.get_stage_id(), found.get_model_parallel_rank()),
            found.get_rank_from_stage(1), found.get_parallel_mode() == dist.ParallelMode.PIPELINE_PARALLEL,
        )  # fmt: skip

    found = run_ranks(run, ranks=8)
    assert found[5] == ((1, 5), (5, 7), (4, 5), (4, 5, 6, 7), (1, 0, 1), 7, True)
    assert found[2] == ((2, 6), (0, 2), (2, 3), (0, 1, 2, 3), (0, 1, 0), 2, True)


@pytest.mark.parametrize(
    ("degrees", "said"),
    [({"mp_degree": 3}, "don't make 4 ranks"), ({"dp_degree": 2, "mp_degree": 1}, "dp_degree 2"),
     ({"sep_degree": 2}, "sep_degree"), ({"pp_degree": 8}, "pp_degree 8")],
)  # fmt: skip
def test_degrees_that_do_not_fit_are_named_and_change_nothing(degrees: dict[str, int], said: str) -> None:
    def run() -> None:
        start(mp_degree=2)
        before = fleet.get_hybrid_communicate_group()
        try:
            start(**degrees)
        finally:
            assert fleet.get_hybrid_communicate_group() is before

    with pytest.raises((ArgumentError, ModeError), match=said):
        run_ranks(run, ranks=4)


class Net(nn.Layer):
    """Two spread layers around whole ones."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.up = mp.ColumnParallelLinear(8, 16, has_bias=True, gather_output=False)
        self.down = mp.RowParallelLinear(16, 8, input_is_parallel=True)
        self.last = nn.Linear(8, 2)

    def forward(self, x: Any) -> Any:
        return self.last(x + self.down(nn.functional.gelu(self.up(self.norm(x)))))


CLIPS = {"none": None, "global": nn.ClipGradByGlobalNorm(0.05), "norm": nn.ClipGradByNorm(0.02),
         "value": nn.ClipGradByValue(0.01)}  # fmt: skip


def trained(degrees: dict[str, int], captured: bool, kind: str, level: int = 1) -> list[Any]:
    """The whole parameters after three steps of this rank's rows."""
    strategy = start(**degrees)
    strategy.sharding_configs = {"stage": level}
    vt.seed(3)
    net = Net()
    model = fleet.distributed_model(net)
    optimizer = vt.optimizer.AdamW(0.01, parameters=net.parameters(), grad_clip=CLIPS[kind])
    optimizer = fleet.distributed_optimizer(optimizer)
    grid = fleet.get_hybrid_communicate_group()
    batch = grid.batch_group()
    rows = np.split(DATA, batch.nranks)[batch.rank]

    def step(x: Any, y: Any) -> Any:
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    call = vt.to_static(step) if captured else step
    for _ in range(3):
        call(vt.to_tensor(rows[:, :8]), vt.to_tensor(rows[:, 8:]))
    found, group = [], grid.get_model_parallel_group()
    for p in net.parameters():
        if getattr(p, "is_distributed", False):
            found.append(np.concatenate([part.numpy() for part in dist.all_gather_of(p, group)], p.split_axis))
        else:
            found.append(p.numpy())
    return found


GRIDS: list[dict[str, int]] = [
    {"dp_degree": 2, "mp_degree": 2}, {"dp_degree": 2, "mp_degree": 4}, {"dp_degree": 4, "mp_degree": 2},
    {"sharding_degree": 2, "mp_degree": 2}, {"dp_degree": 2, "sharding_degree": 2},
    {"dp_degree": 2, "sharding_degree": 2, "mp_degree": 2},
]  # fmt: skip

CASES = [(degrees, captured, "global") for degrees in GRIDS[:4] for captured in (False, True)]
CASES += [(GRIDS[0], False, kind) for kind in CLIPS if kind != "global"] + [
    (degrees, True, "none") for degrees in GRIDS[4:]
]


@pytest.mark.parametrize(("degrees", "captured", "kind"), CASES, ids=str)
def test_a_grid_trains_as_one_rank_does(degrees: dict[str, int], captured: bool, kind: str) -> None:
    (wanted,) = run_ranks(trained, {}, False, kind, ranks=1)
    for found in run_ranks(trained, degrees, captured, kind, ranks=int(np.prod(list(degrees.values())))):
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a, b, atol=3e-5)


def test_gradients_may_be_sharded_where_no_other_axis_has_data() -> None:
    (wanted,) = run_ranks(trained, {}, False, "none", ranks=1)
    for found in run_ranks(trained, {"sharding_degree": 2, "mp_degree": 2}, False, "none", 2, ranks=4):
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a, b, atol=3e-5)
    with pytest.raises(ModeError, match="beside an axis of data"):
        run_ranks(trained, {"sharding_degree": 2, "dp_degree": 2}, False, "none", 2, ranks=4)
    with pytest.raises(ModeError, match="can't clip norms"):
        run_ranks(trained, {"sharding_degree": 2, "mp_degree": 2}, False, "global", 2, ranks=4)


@pytest.mark.parametrize(
    "degrees", [{"mp_degree": 2}, {"pp_degree": 2}, {"dp_degree": 2, "sharding_degree": 2}], ids=str
)
@pytest.mark.parametrize("front", ["model", "optimizer"])
def test_parameters_in_parts_beside_other_axes_are_refused(degrees: dict[str, int], front: str) -> None:
    def run() -> None:
        strategy = start(**degrees)
        strategy.sharding, strategy.sharding_configs = True, {"stage": 3}
        net = nn.Linear(2, 2)
        if front == "model":
            fleet.distributed_model(net)
        else:
            fleet.distributed_optimizer(vt.optimizer.SGD(0.1, parameters=net.parameters()), strategy)

    with pytest.raises(ModeError, match="stage 3"):
        run_ranks(run, ranks=4 if "dp_degree" in degrees else 2)


@pytest.mark.parametrize("degrees", [{"sharding_degree": 4}, {"dp_degree": 4}], ids=str)
def test_parameters_in_parts_over_all_ranks(degrees: dict[str, int]) -> None:
    """A degree or the flag asks for it; parts are those of one rank's parameters."""

    def run(degrees: dict[str, int]) -> Any:
        strategy = start(**degrees)
        strategy.sharding, strategy.sharding_configs = "dp_degree" in degrees, {"stage": 3}
        vt.seed(3)
        net = nn.Linear(8, 2)
        model = fleet.distributed_model(net)
        optimizer = fleet.distributed_optimizer(vt.optimizer.Adam(0.01, parameters=net.parameters()))
        rows = DATA[dist.get_rank() :: dist.get_world_size()]
        for _ in range(3):
            ((model(vt.to_tensor(rows[:, :8])) - vt.to_tensor(rows[:, 8:])) ** 2).mean().backward()
            optimizer.step()
            optimizer.clear_grad()
        return net.weight.shape, model.state_dict()["weight"].numpy()

    ((_, wanted),) = run_ranks(run, {}, ranks=1)
    for shape, found in run_ranks(run, degrees, ranks=4):
        assert shape == [4]
        np.testing.assert_allclose(found, wanted, atol=1e-5)


def test_parameter_servers_do_not_go_with_a_grid() -> None:
    def run(degrees: dict[str, int]) -> None:
        strategy = fleet.DistributedStrategy()
        strategy.hybrid_configs = degrees
        try:
            fleet.init(fleet.UserDefinedRoleMaker(server_endpoints=["a:1"]), strategy=strategy)
        finally:
            assert fleet.server_num() == 0

    with pytest.raises(ModeError, match="servers don't go with"):
        run_ranks(run, {"mp_degree": 2}, ranks=2)


@pytest.mark.parametrize("servers", [False, True])
def test_pipelines_with_servers_or_parameters_in_parts_are_refused(servers: bool) -> None:
    def run() -> None:
        strategy = start()
        net = mp.PipelineLayer([nn.Linear(2, 2)], num_stages=1)
        if servers:
            fleet.init(fleet.UserDefinedRoleMaker(server_endpoints=["a:1"]))
        else:
            strategy.sharding, strategy.sharding_configs = True, {"stage": 3}
        fleet.distributed_model(net)

    with pytest.raises(ModeError, match="a pipeline with parameter servers, or sharding of stage 3"):
        run_ranks(run, ranks=2)


class Part(nn.Layer):
    """A block of a stage, with spread layers."""

    def __init__(self) -> None:
        super().__init__()
        self.up = mp.ColumnParallelLinear(8, 16, has_bias=True, gather_output=False)
        self.down = mp.RowParallelLinear(16, 8, input_is_parallel=True)

    def forward(self, x: Any) -> Any:
        return x + self.down(vt.tanh(self.up(x)))


def in_stages(degrees: dict[str, int], kind: str) -> list[float]:
    """Losses of three batches, each rank with its rows."""
    ranks = degrees.get("dp_degree", 1)
    start(**degrees, accumulate_steps=2, micro_batch_size=12 // ranks)
    vt.seed(3)
    layers = mp.PipelineLayer(
        [*[mp.LayerDesc(Part)] * 3, mp.LayerDesc(nn.Linear, 8, 2)], loss_fn=lambda y, t: ((y - t) ** 2).mean()
    )
    model = fleet.distributed_model(layers)
    optimizer = vt.optimizer.Momentum(0.05, parameters=layers.parameters(), grad_clip=CLIPS[kind])
    optimizer = fleet.distributed_optimizer(optimizer)
    group = fleet.get_hybrid_communicate_group().batch_group()
    rows = np.split(DATA, group.nranks)[group.rank]
    data = vt.to_tensor(rows[:, :8]), vt.to_tensor(rows[:, 8:])
    losses = [model.train_batch(data, optimizer) for _ in range(4)]
    return [dist.all_reduce_of(loss, "mean", group).item() for loss in losses]


@pytest.mark.parametrize("kind", ["none", "global"])
@pytest.mark.parametrize("degrees", [
    {"pp_degree": 2, "mp_degree": 2}, {"dp_degree": 2, "pp_degree": 2}, {"dp_degree": 2, "pp_degree": 2, "mp_degree": 2},
], ids=["pp,mp", "dp,pp", "dp,pp,mp"])  # fmt: skip
def test_stages_with_spread_layers_and_parts_of_batches(degrees: dict[str, int], kind: str) -> None:
    (wanted,) = run_ranks(in_stages, {}, kind, ranks=1)
    assert wanted[-1] < wanted[0]
    for found in run_ranks(in_stages, degrees, kind, ranks=int(np.prod(list(degrees.values())))):
        np.testing.assert_allclose(found, wanted, rtol=2e-5)

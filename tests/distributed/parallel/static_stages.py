"""Static programs in stages, for tests in the simulator and over MPI."""

from __future__ import annotations

from typing import Any

import numpy as np

import vitrify as vt
from vitrify import distributed as dist
from vitrify import nn, static
from vitrify.distributed import fleet

PARTS, CLASSES = 4, 3
X = np.random.default_rng(0).standard_normal((8, 6)).astype("float32")
Y = np.random.default_rng(1).integers(0, CLASSES, (8, 1))
State = dict[str, Any]


def build(stages: int, dropout: float = 0.0, norm: bool = False) -> tuple[Any, Any]:
    """Scores and loss of four layers in so many stages; the last layer also reads what the second one makes."""
    x, y = static.data("x", [None, 6]), static.data("y", [None, 1], "int64")
    h, skip = x, None
    for k in range(4):
        with static.device_guard(f"cpu:{k * stages // 4}"):
            h = static.nn.fc(h, 6, activation="tanh", weight_attr=f"w{k}", bias_attr=f"b{k}")
            if dropout:
                h = nn.functional.dropout(h, dropout)
            if norm:
                h = static.nn.batch_norm(h)
            skip = h if k == 1 else skip
            h = h + skip if k == 3 else h
    with static.device_guard(f"cpu:{stages - 1}"):
        scores = static.nn.fc(h, CLASSES, weight_attr="w4", bias_attr="b4")
        return scores, nn.functional.cross_entropy(scores, y).mean()


def values_of(main: static.Program) -> State:
    """The persistable variables of this rank."""
    return {v.name: np.array(static.global_scope().find_var(v.name).get_tensor()) for v in main.persistables()
            if static.global_scope().find_var(v.name) is not None and "learning_rate" not in v.name}  # fmt: skip


def train(
    stages: int, schedule: str = "1F1B", parts: int = PARTS, clip: bool = False, by_fleet: dict[str, int] | None = None,
    **settings: Any,
) -> tuple[list[Any], State]:  # fmt: skip
    """Three steps: the losses, and this rank's state. parts 0: no pipeline."""
    strategy = fleet.DistributedStrategy()
    if by_fleet is not None:
        strategy.pipeline, strategy.hybrid_configs = True, by_fleet
        strategy.pipeline_configs = {"accumulate_steps": parts, "schedule_mode": schedule}
        fleet.init(is_collective=True, strategy=strategy)
    vt.enable_static()
    vt.seed(3)
    main, startup = static.Program(), static.Program()
    startup.random_seed = 5
    with static.program_guard(main, startup):
        _, loss = build(stages, **settings)
        optimizer: Any = vt.optimizer.Adam(0.1, grad_clip=nn.ClipGradByGlobalNorm(0.1) if clip else None)
        if by_fleet is not None:
            optimizer = fleet.distributed_optimizer(optimizer)
        elif parts:
            optimizer = dist.PipelineOptimizer(optimizer, parts, schedule_mode=schedule)
        optimizer.minimize(loss)
    executor = static.Executor()
    executor.run(startup)
    rows = slice(None)
    if by_fleet is not None:
        group = fleet.get_hybrid_communicate_group().get_data_parallel_group()
        rows = slice(group.rank, None, group.nranks)
    losses = [executor.run(main, feed={"x": X[rows], "y": Y[rows]}, fetch_list=[loss])[0] for _ in range(3)]
    state = values_of(main)
    vt.disable_static()
    return losses, state

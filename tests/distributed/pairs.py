"""Transpilers and the pairs of them that go together: what they train, for the simulator and for MPI."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import vitrify as vt
from vitrify import distributed as dist
from vitrify.distributed import run_ranks

from .training import OPTIMIZERS, dynamic, net_of, none, rows

SERVERS = 2
PARTS: dict[str, Callable[[], Any]] = {
    "average": dist.GradAllReduce,
    "float16": dist.ShortGradients,
    "bfloat16": lambda: dist.ShortGradients("bfloat16"),
    "dgc": lambda: dist.TopGradients(0.0),
    "local_sgd": lambda: dist.LocalSGD(1),
    "merge": lambda: dist.GradientMerge(2),
    "servers": lambda: dist.ServedUpdates(SERVERS),
    "sharding 1": lambda: dist.ShardedStates(1),
    "sharding 2": lambda: dist.ShardedStates(2),
    "sharding 3": lambda: dist.ShardedStates(3),
}
TRAVELS = ("average", "float16", "bfloat16", "dgc")
PAIRS = [
    *(("merge", other) for other in PARTS if other not in ("merge", "sharding 1")),
    *(("sharding 1", other) for other in TRAVELS),
    ("sharding 2", "average"),
    ("sharding 2", "float16"),
    ("sharding 2", "bfloat16"),
]
TRIPLES = [("merge", "sharding 1", "average"), ("merge", "sharding 1", "dgc"), ("merge", "sharding 2", "float16")]
ALONE = [(name,) for name in PARTS if name not in ("merge", "sharding 1")]  # these need one that exchanges
BOUNDS = {"float16": 2e-4, "bfloat16": 2e-3}


def trained(names: tuple[str, ...], captured: bool, served: int = SERVERS) -> Any:
    """Parameters after four steps with these stages; None on a server."""
    vt.seed(7)
    net: Any = net_of()
    optimizer: Any = OPTIMIZERS["momentum"](parameters=net.parameters())
    if "sharding 3" in names:
        net = dist.ShardedParameters(net)
    stages = {name: dist.ServedUpdates(served) if name == "servers" else PARTS[name]() for name in names}
    for stage in stages.values():
        optimizer = stage.optimizer(optimizer)
    trainers = dist.get_world_size()
    if "servers" in names:
        servers = stages["servers"]
        servers.begin(optimizer, net)
        trainers = servers.trainers
        if servers.is_server():
            return servers.serve() and None

    def step(x: Any, y: Any) -> None:
        ((net(x) - y) ** 2).mean().backward()
        optimizer.step()
        optimizer.clear_grad()

    run = vt.to_static(step) if captured else step
    for k in range(4):
        part = rows(k, trainers, dist.get_rank())
        run(vt.to_tensor(part[:, :4]), vt.to_tensor(part[:, 4:]))
    if "servers" in names:
        servers.stop()
    return [x.numpy() for x in net.state_dict().values()]


@cache
def by_one(merged: bool) -> Any:
    """Parameters of one rank that has the whole batches."""
    stages = (lambda: [dist.GradientMerge(2)]) if merged else none
    return run_ranks(lambda: dynamic("momentum", stages, 4, False)[0], ranks=1)[0]


def bound_of(names: tuple[str, ...]) -> float:
    """How far parameters may be from those of one rank."""
    return max((BOUNDS[name] for name in names if name in BOUNDS), default=3e-7)

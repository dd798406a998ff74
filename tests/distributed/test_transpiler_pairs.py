"""Every transpiler, and every pair that goes together, on 1, 2, 3, 4 and 8 ranks: what one rank gets of all batches."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import vitrify as vt
from vitrify import distributed as dist
from vitrify.distributed import run_ranks

from .training import OPTIMIZERS, distance, dynamic, net_of, none, rows

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
SIZES = (1, 2, 3, 4, 8)


def trained(names: tuple[str, ...], captured: bool) -> Any:
    """Parameters after four steps with these stages; None on a server."""
    vt.seed(7)
    net: Any = net_of()
    optimizer: Any = OPTIMIZERS["momentum"](parameters=net.parameters())
    if "sharding 3" in names:
        net = dist.ShardedParameters(net)
    stages = {name: PARTS[name]() for name in names}
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


def compared(names: tuple[str, ...], size: int, captured: bool) -> None:
    """All trainers have the same bits, near those of one rank."""
    servers = SERVERS * ("servers" in names)
    found = run_ranks(trained, names, captured, ranks=size + servers)
    assert all(distance(found[0], other) == 0 for other in found[1:size])
    bound = max((BOUNDS[name] for name in names if name in BOUNDS), default=3e-7)
    assert distance(found[0], by_one("merge" in names)) <= bound


@pytest.mark.parametrize("names", [*ALONE, *PAIRS, *TRIPLES], ids=" + ".join)
def test_n_ranks_train_as_one(names: tuple[str, ...]) -> None:
    for size in SIZES:
        compared(names, size, False)


@pytest.mark.parametrize("names", [*ALONE, *PAIRS, *TRIPLES], ids=" + ".join)
def test_captured_steps_of_three_ranks(names: tuple[str, ...]) -> None:
    compared(names, 3, True)


def test_every_other_pair_is_refused_by_name() -> None:
    known = {frozenset(pair) for pair in [*PAIRS, ("merge", "sharding 1")]}

    def both(a: str, b: str) -> Any:
        net: Any = net_of()
        optimizer = OPTIMIZERS["momentum"](parameters=net.parameters())
        if "sharding 3" in (a, b):
            net = dist.ShardedParameters(net)
        for name in (a, b):
            optimizer = PARTS[name]().optimizer(optimizer)
        return optimizer

    for a, b in combinations(PARTS, 2):
        if frozenset((a, b)) in known:
            run_ranks(both, a, b, ranks=4)
            continue
        with pytest.raises(RuntimeError, match=r"don't go together: |parts already"):
            run_ranks(both, a, b, ranks=4)

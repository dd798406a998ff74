"""A training whose ranks are killed at given steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import vitrify as vt
from vitrify import distributed as dist
from vitrify.distributed.sharding import group_sharded_parallel

from .training import net_of, rows


def dying(progress: Any) -> None:
    """Go back after a loss; the last of two ranks is lost meanwhile."""
    if dist.get_world_size() == 2 and dist.get_rank() == 1:
        dist.elastic.kill()
    _GO_BACK(progress)


_GO_BACK = dist.elastic.Progress.go_back


def trained(
    progress: Any, killed: Mapping[int | tuple[int, int], int], start: Any = None, first: int = 0, level: str = ""
) -> Any:
    """Parameters after eight steps. killed: of three ranks, or of a number, at which step. start: states to begin with,
    at `first`. level: of sharding.
    """
    vt.seed(3)
    net: Any = net_of() if level else vt.DataParallel(net_of())
    optimizer: Any = vt.optimizer.Adam(0.01, parameters=net.parameters())
    if level:
        net, optimizer, _ = group_sharded_parallel(net, optimizer, level, segment_size=4)
    if start is not None:
        net.set_state_dict(start[0])
        optimizer.set_state_dict(start[1])
    progress.track(net, optimizer)

    @vt.to_static
    def step(x: Any, y: Any) -> None:
        ((net(x) - y) ** 2).mean().backward()
        optimizer.step()
        optimizer.clear_grad()

    for k in progress.steps(8 - first):
        size, rank = dist.get_world_size(), dist.get_rank()
        if k in (killed.get((size, rank)), killed.get(rank) if size == 3 else None):
            dist.elastic.kill()
        part = rows(k + first, size, rank)
        step(vt.to_tensor(part[:, :4]), vt.to_tensor(part[:, 4:]))
    return [p.numpy().tobytes() for p in net.state_dict().values()]

"""What an optimizer and its stages need in a grid of ranks: norms of whole gradients, and who works together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...base.errors import ModeError
from ...dygraph.optimizer.clip import ClipGradByValue
from ...dygraph.optimizer.for_stages import groups_of
from ..transpile import ShardedStates, Stage
from .spread_models import clip_whole, spreads_models
from .topology import HybridCommunicateGroup, get_hybrid_communicate_group, has_grid


def in_grid(optimizer: Any, stages: list[Stage], sharding: Mapping[str, Any]) -> list[Stage]:
    """Stages that work along the grid's axes of data, and an optimizer that clips by norms of whole gradients.

    Errors: ModeError for what isn't there in a grid.
    """
    if not has_grid():
        return stages
    grid = get_hybrid_communicate_group()
    shards = grid.get_sharding_parallel_group()
    if shards.nranks > 1 and not any(stage.name == "sharding" for stage in stages):
        stages = [*stages, ShardedStates(int(sharding["stage"]), shards)]
    for stage in stages:
        stage.group = shards if stage.name == "sharding" and shards.nranks > 1 else grid.batch_group()
        _check(stage, grid, optimizer)
    if spreads_models(grid):
        clip_whole(optimizer, grid)
    return stages


def shards_parameters(strategy: Any) -> bool:
    """Whether a strategy asks for parameters in parts. Errors: ModeError where the grid has other axes beside them."""
    grid = get_hybrid_communicate_group() if has_grid() else None
    shards = 1 if grid is None else grid.get_sharding_parallel_world_size()
    if int(strategy.sharding_configs["stage"]) != 3 or not (strategy.flag("sharding") or shards > 1):
        return False
    if grid is not None:
        _check_whole_models(grid)
    return True


def _check_whole_models(grid: HybridCommunicateGroup) -> None:
    """Errors: ModeError for a grid in which not all ranks can have parts of the same parameters."""
    beside_data = grid.get_sharding_parallel_world_size() > 1 and grid.get_data_parallel_world_size() > 1
    if spreads_models(grid) or beside_data:
        raise ModeError("sharding of parameters (stage 3) beside an axis of data, stages or layers isn't there",
                        remedy="shard over all ranks, or use stage 1")  # fmt: skip


def _check(stage: Stage, grid: HybridCommunicateGroup, optimizer: Any) -> None:
    """Errors: ModeError for parts of gradients that other ranks would have to be asked for."""
    level = getattr(stage, "level", 1) if stage.name == "sharding" else 1
    if level == 1:
        return
    if level == 3:
        _check_whole_models(grid)
    if grid.get_sharding_parallel_world_size() > 1 and grid.get_data_parallel_world_size() > 1:
        raise ModeError("sharding of gradients (stage 2) beside an axis of data isn't there",
                        remedy="use stage 1, or a dp_degree of 1")  # fmt: skip
    inner = getattr(optimizer, "inner", optimizer)
    if spreads_models(grid) and any(not isinstance(g.clip, (ClipGradByValue, type(None))) for g in groups_of(inner)):
        raise ModeError("sharding of gradients (stage 2) can't clip norms of layers or stages that are spread",
                        remedy="use stage 1")  # fmt: skip

"""Ranks as a grid: which of them share data, stages, shards and parts of layers.

The numbers of the ranks run along the last axis first, so that ranks whose parts of a layer belong together stand
side by side, on one machine where that is possible.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from itertools import product
from typing import Any

from ...base.errors import ArgumentError, ModeError
from ..group import Group, ParallelMode, here, new_group

AXES = ("data", "pipe", "sharding", "sep", "context", "model")
DEGREES = {"data": "dp_degree", "pipe": "pp_degree", "sharding": "sharding_degree", "model": "mp_degree"}


class CommunicateTopology:
    """A grid of ranks: a name and a length for each axis.

    >>> grid = CommunicateTopology(["data", "model"], [2, 3])
    >>> grid.get_rank(data=1, model=0), grid.get_comm_list("model")
    (3, [[0, 1, 2], [3, 4, 5]])
    """

    def __init__(self, hybrid_group_names: Sequence[str] = AXES, dims: Sequence[int] = (1, 1, 1, 1, 1, 1)) -> None:
        if len(hybrid_group_names) != len(dims):
            raise ArgumentError(f"CommunicateTopology: {len(hybrid_group_names)} names and {len(dims)} lengths")
        self._names, self._dims = list(hybrid_group_names), [int(d) for d in dims]
        self.coordinate = _coordinate(self._names)
        self._coords = [self.coordinate(*at) for at in product(*(range(d) for d in self._dims))]
        self._ranks = {at: rank for rank, at in enumerate(self._coords)}

    def get_hybrid_group_names(self) -> list[str]:
        """The names of the axes."""
        return self._names

    def get_dim(self, axis_name: str) -> int:
        """The length of an axis."""
        return self._dims[self._names.index(axis_name)]

    get_dim_size = get_dim

    def world_size(self) -> int:
        """How many ranks there are."""
        return len(self._coords)

    def get_rank(self, **args: int) -> int:
        """The rank at a place: one number for each axis."""
        if set(args) != set(self._names):
            raise ArgumentError(f"get_rank needs a number for each of {', '.join(self._names)}")
        return self._ranks[self.coordinate(**args)]

    def get_coord(self, rank: int) -> Any:
        """The place of a rank, a named tuple."""
        if not 0 <= rank < len(self._coords):
            raise ArgumentError(f"get_coord: there is no rank {rank} in a grid of {len(self._coords)}")
        return self._coords[rank]

    def get_axis_list(self, axis_name: str, index: int) -> list[int]:
        """The ranks whose number on an axis is `index`."""
        at = self._names.index(axis_name)
        return [rank for rank, coord in enumerate(self._coords) if coord[at] == index]

    def get_comm_list(self, axis_name: str) -> list[list[int]]:
        """The groups of ranks that differ on this axis only."""
        return self.get_fused_ranks([axis_name])

    def get_fused_ranks(self, fused_axis: Sequence[str]) -> list[list[int]]:
        """The groups of ranks that differ on these axes only."""
        found: dict[tuple[int, ...], list[int]] = {}
        for rank, coord in enumerate(self._coords):
            rest = tuple([n for name, n in zip(self._names, coord, strict=True) if name not in fused_axis])
            found.setdefault(rest, []).append(rank)
        return list(found.values())

    def get_rank_from_stage(self, global_rank: int, **kwargs: int) -> int:
        """The rank whose place is that of another one but for these axes."""
        place = dict(zip(self._names, self.get_coord(global_rank), strict=True))
        return self.get_rank(**{**place, **kwargs})


def _coordinate(names: list[str]) -> Any:
    """The class of named tuples with a number for each axis."""
    return namedtuple("Coordinate", names)


class HybridCommunicateGroup:
    """The groups of this rank in a grid: for each axis the ranks that differ from it on this axis only."""

    def __init__(self, topology: CommunicateTopology, hybrid_configs: Any = None) -> None:
        rank, size, _ = here()
        if topology.world_size() != size:
            raise ArgumentError(f"a grid of {topology.world_size()} ranks doesn't fit a run of {size}",
                                remedy="let the product of the degrees be the number of ranks")  # fmt: skip
        self._topo, self.global_rank, self.nranks = topology, rank, size
        self._place = topology.get_coord(rank)
        self._groups = {axis: self._group(axis) for axis in topology.get_hybrid_group_names()}
        self.stage_id = self.get_stage_id()
        self.is_first_stage = self.stage_id == 0
        self.is_last_stage = self.stage_id == self.get_pipe_parallel_world_size() - 1

    def _group(self, *axes: str) -> Group:
        for ranks in self._topo.get_fused_ranks(axes):
            if self.global_rank in ranks:
                return new_group(ranks)
        raise AssertionError(axes)

    def topology(self) -> CommunicateTopology:
        """The grid."""
        return self._topo

    def get_global_rank(self) -> int:
        """The number of this rank in the run."""
        return self.global_rank

    def get_parallel_mode(self) -> int:
        """The way of training, one of ParallelMode."""
        if self.get_pipe_parallel_world_size() > 1:
            return ParallelMode.PIPELINE_PARALLEL
        if self.get_model_parallel_world_size() > 1:
            return ParallelMode.TENSOR_PARALLEL
        if self.get_sharding_parallel_world_size() > 1:
            return ParallelMode.SHARDING_PARALLEL
        return ParallelMode.DATA_PARALLEL

    def get_data_parallel_rank(self) -> int:
        """This rank's number along the axis of data."""
        return self._groups["data"].rank

    def get_data_parallel_world_size(self) -> int:
        """How many parts each batch has."""
        return self._groups["data"].nranks

    def get_data_parallel_group(self) -> Group:
        """The ranks with other parts of the batch."""
        return self._groups["data"]

    def get_data_parallel_group_src_rank(self) -> int:
        """The first of them."""
        return self._groups["data"].ranks[0]

    def get_model_parallel_rank(self) -> int:
        """Which part of each layer this rank has."""
        return self._groups["model"].rank

    def get_model_parallel_world_size(self) -> int:
        """Of how many ranks each has a part of a layer."""
        return self._groups["model"].nranks

    def get_model_parallel_group(self) -> Group:
        """The ranks with the other parts of the layers."""
        return self._groups["model"]

    def get_model_parallel_group_src_rank(self) -> int:
        """The first of them."""
        return self._groups["model"].ranks[0]

    def get_stage_id(self) -> int:
        """Which stage of the pipeline this rank is."""
        return self._groups["pipe"].rank

    get_pipe_parallel_rank = get_stage_id

    def get_pipe_parallel_world_size(self) -> int:
        """How many stages the pipeline has."""
        return self._groups["pipe"].nranks

    def get_pipe_parallel_group(self) -> Group:
        """The ranks with the other stages."""
        return self._groups["pipe"]

    def get_sharding_parallel_rank(self) -> int:
        """Which part of the optimizer's states this rank keeps."""
        return self._groups["sharding"].rank

    def get_sharding_parallel_world_size(self) -> int:
        """Over how many ranks the optimizer's states are spread."""
        return self._groups["sharding"].nranks

    def get_sharding_parallel_group(self) -> Group:
        """The ranks with the other parts of the states."""
        return self._groups["sharding"]

    def get_sharding_parallel_group_src_rank(self) -> int:
        """The first of them."""
        return self._groups["sharding"].ranks[0]

    def batch_group(self) -> Group:
        """The ranks with other parts of the batch, along the axes of data and of sharding."""
        return self._group("data", "sharding")

    def get_check_parallel_group(self, sharding: bool = False) -> Group:
        """The ranks that hold one model together."""
        return self._group("pipe", "model")

    get_pp_mp_parallel_group = get_check_parallel_group

    def get_rank_from_stage(self, stage_id: int, **kwargs: int) -> int:
        """The rank of another stage, at this rank's place of the grid."""
        return self._topo.get_rank_from_stage(self.global_rank, pipe=stage_id, **kwargs)


def topology_of(configs: Mapping[str, Any]) -> CommunicateTopology:
    """The grid of a strategy's `hybrid_configs`; a degree of -1 (data, where none is given) takes the ranks left.

    Errors: ArgumentError where the degrees don't fit the number of ranks.
    """
    size = here()[1]
    degrees = {axis: _degree(configs.get(name), -1 if axis == "data" else 1) for axis, name in DEGREES.items()}
    others = math.prod(d for d in degrees.values() if d > 0)
    left = [axis for axis, d in degrees.items() if d < 0]
    for axis in left:
        degrees[axis] = size // others if axis == left[0] else 1
    if math.prod(degrees.values()) != size:
        shown = ", ".join(f"{DEGREES[axis]} {d}" for axis, d in degrees.items())
        raise ArgumentError(f"hybrid_configs: {shown} don't make {size} ranks",
                            remedy="let the product of the degrees be the number of ranks")  # fmt: skip
    return CommunicateTopology(AXES, [degrees.get(axis, 1) for axis in AXES])


def _degree(given: Any, usual: int) -> int:
    return usual if given in (None, 0, -1) else int(given)


_in_force: ContextVar[HybridCommunicateGroup | None] = ContextVar("hybrid group", default=None)


def use_hybrid_group(chosen: HybridCommunicateGroup | None) -> None:
    """Let this rank's layers find their groups here."""
    _in_force.set(chosen)


def has_grid() -> bool:
    """Whether `fleet.init` made a grid for this run."""
    found = _in_force.get()
    return found is not None and (found.global_rank, found.nranks) == here()[:2]


def get_hybrid_communicate_group() -> HybridCommunicateGroup:
    """The groups of this rank, as `fleet.init` made them. Errors: ModeError before it, where there are several ranks.

    >>> get_hybrid_communicate_group().get_model_parallel_world_size()
    1
    """
    found = _in_force.get()
    if found is not None and has_grid():
        return found
    if here()[1] > 1:
        raise ModeError("the ranks have no grid yet",
                        remedy="call fleet.init(strategy=strategy) first, without parameter servers")  # fmt: skip
    return HybridCommunicateGroup(CommunicateTopology())


def model_group(given: Group | None) -> Group:
    """The ranks with the other parts of a layer: those given, or those of the grid."""
    return get_hybrid_communicate_group().get_model_parallel_group() if given is None else given

"""Several ranks that work together: exchanges of tensors, data-parallel training, and who takes part."""

from importlib import import_module as _import_module
from typing import Any as _Any

from ..base.suggest import no_attribute as _no_attribute
from ..base.suggest import public_names as _public_names
from . import elastic
from .checkpoint import load_state_dict, save_state_dict
from .data_parallel import DataParallel, ParallelEnv, average_gradients, spawn, synchronise
from .entries import CountFilterEntry, ProbabilityEntry, ShowClickEntry
from .exchanges import (
    ReduceOp,
    all_gather,
    all_gather_object,
    all_gather_of,
    all_reduce,
    all_reduce_of,
    all_to_all,
    all_to_all_of,
    alltoall,
    barrier,
    broadcast,
    broadcast_object_list,
    broadcast_of,
    gather,
    irecv,
    isend,
    recv,
    reduce,
    reduce_scatter,
    reduce_scatter_of,
    scatter,
    send,
    wait,
)
from .forecast.network import Network
from .forecast.run_timed import record, run_timed
from .forecast.simulate import simulate
from .group import (
    Group,
    ParallelMode,
    get_backend,
    get_group,
    get_rank,
    get_world_size,
    is_initialized,
    new_group,
)
from .parallel.split_layer import split
from .parallel.static_pipeline import PipelineOptimizer
from .placements import (
    Partial,
    Placement,
    ProcessMesh,
    Replicate,
    Shard,
    reshard,
    shard_layer,
    shard_tensor,
    unshard_dtensor,
)
from .process import destroy_process_group, init_parallel_env, is_available
from .simulator import run_ranks
from .slot_datasets import InMemoryDataset, QueueDataset
from .tasks import Task
from .transpile import (
    AdaptiveLocalSGD,
    DistributeTranspiler,
    DistributeTranspilerConfig,
    GradAllReduce,
    GradientMerge,
    LocalSGD,
    MemoryPlan,
    ServedUpdates,
    ShardedParameters,
    ShardedStates,
    ShortGradients,
    TopGradients,
    TranspiledOptimizer,
    memory_plan,
)

_TABLES = (
    "auto_parallel",
    "collective",
    "communication",
    "fleet",
    "io",
    "parallel",
    "sharding",
)  # modules of Paddle's names (compat/tables.py)


def __getattr__(name: str) -> _Any:
    if name in _TABLES:
        return _import_module(f"{__name__}.{name}")
    raise _no_attribute(__name__, name, lambda: _public_names(__name__))


__all__ = [
    "AdaptiveLocalSGD",
    "CountFilterEntry",
    "DataParallel",
    "DistributeTranspiler",
    "DistributeTranspilerConfig",
    "GradAllReduce",
    "GradientMerge",
    "Group",
    "InMemoryDataset",
    "LocalSGD",
    "MemoryPlan",
    "Network",
    "ParallelEnv",
    "ParallelMode",
    "Partial",
    "PipelineOptimizer",
    "Placement",
    "ProbabilityEntry",
    "ProcessMesh",
    "QueueDataset",
    "ReduceOp",
    "Replicate",
    "ServedUpdates",
    "Shard",
    "ShardedParameters",
    "ShardedStates",
    "ShortGradients",
    "ShowClickEntry",
    "Task",
    "TopGradients",
    "TranspiledOptimizer",
    "all_gather",
    "all_gather_object",
    "all_gather_of",
    "all_reduce",
    "all_reduce_of",
    "all_to_all",
    "all_to_all_of",
    "alltoall",
    "average_gradients",
    "barrier",
    "broadcast",
    "broadcast_object_list",
    "broadcast_of",
    "destroy_process_group",
    "elastic",
    "gather",
    "get_backend",
    "get_group",
    "get_rank",
    "get_world_size",
    "init_parallel_env",
    "irecv",
    "is_available",
    "is_initialized",
    "isend",
    "load_state_dict",
    "memory_plan",
    "new_group",
    "record",
    "recv",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_of",
    "reshard",
    "run_ranks",
    "run_timed",
    "save_state_dict",
    "scatter",
    "send",
    "shard_layer",
    "shard_tensor",
    "simulate",
    "spawn",
    "split",
    "synchronise",
    "unshard_dtensor",
    "wait",
]

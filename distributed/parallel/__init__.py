"""Models spread over ranks: parts of layers (tensor parallel), stages (pipelines), and the grid of ranks they form."""

from importlib import import_module as _import_module
from typing import Any as _Any

from ...base.suggest import no_attribute as _no_attribute
from ...base.suggest import public_names as _public_names
from ..group import ParallelMode
from .pipeline import PipelineParallel
from .pipeline_layers import LayerDesc, PipelineLayer, SharedLayerDesc, segments
from .random_states import RNGStatesTracker, get_rng_state_tracker, model_parallel_random_seed
from .split_layer import split
from .spread_models import TensorParallel
from .static_pipeline import PipelineOptimizer
from .tensor_layers import ColumnParallelLinear, ParallelCrossEntropy, RowParallelLinear, VocabParallelEmbedding
from .topology import CommunicateTopology, HybridCommunicateGroup, get_hybrid_communicate_group

_OF_PADDLE = (
    "DataParallel",
    "ParallelEnv",
    "get_rank",
    "get_world_size",
    "init_parallel_env",
)  # in its file parallel.py


def __getattr__(name: str) -> _Any:
    if name == "parallel_helper":  # a module of the table (compat/distributed_table.py)
        return _import_module(f"{__name__}.{name}")
    if name in _OF_PADDLE:
        return getattr(_import_module(__name__.rpartition(".")[0]), name)
    raise _no_attribute(__name__, name, lambda: _public_names(__name__))


__all__ = [
    "ColumnParallelLinear",
    "CommunicateTopology",
    "HybridCommunicateGroup",
    "LayerDesc",
    "ParallelCrossEntropy",
    "ParallelMode",
    "PipelineLayer",
    "PipelineOptimizer",
    "PipelineParallel",
    "RNGStatesTracker",
    "RowParallelLinear",
    "SharedLayerDesc",
    "TensorParallel",
    "VocabParallelEmbedding",
    "get_hybrid_communicate_group",
    "get_rng_state_tracker",
    "model_parallel_random_seed",
    "segments",
    "split",
]

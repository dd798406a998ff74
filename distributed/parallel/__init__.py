"""Models spread over ranks: parts of layers (tensor parallel), stages (pipelines), and the grid of ranks they form."""

from ..group import ParallelMode
from .pipeline import PipelineParallel
from .pipeline_layers import LayerDesc, PipelineLayer, SharedLayerDesc, segments
from .random_states import RNGStatesTracker, get_rng_state_tracker, model_parallel_random_seed
from .split_layer import split
from .spread_models import TensorParallel
from .static_pipeline import PipelineOptimizer
from .tensor_layers import ColumnParallelLinear, ParallelCrossEntropy, RowParallelLinear, VocabParallelEmbedding
from .topology import CommunicateTopology, HybridCommunicateGroup, get_hybrid_communicate_group

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

"""Transpilers: training of one rank becomes training of several, in eager mode, captured steps and static programs."""

from .grad_all_reduce import GradAllReduce
from .gradient_merge import GradientMerge
from .local_sgd import AdaptiveLocalSGD, LocalSGD
from .old_front import DistributeTranspiler, DistributeTranspilerConfig
from .served_updates import ServedUpdates
from .sharded_parameters import ShardedParameters
from .sharded_states import MemoryPlan, ShardedStates, memory_plan
from .short_gradients import ShortGradients
from .stages import Stage, TranspiledOptimizer, staged
from .top_gradients import TopGradients

__all__ = [
    "AdaptiveLocalSGD",
    "DistributeTranspiler",
    "DistributeTranspilerConfig",
    "GradAllReduce",
    "GradientMerge",
    "LocalSGD",
    "MemoryPlan",
    "ServedUpdates",
    "ShardedParameters",
    "ShardedStates",
    "ShortGradients",
    "Stage",
    "TopGradients",
    "TranspiledOptimizer",
    "memory_plan",
    "staged",
]

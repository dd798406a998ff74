"""The names of `paddle.distributed` (see tables.py)."""

from __future__ import annotations

from .named import from_module, renamed

_META_PARALLEL = from_module(
    "distributed.parallel",
    "ColumnParallelLinear RowParallelLinear VocabParallelEmbedding ParallelCrossEntropy LayerDesc SharedLayerDesc "
    "PipelineLayer PipelineParallel TensorParallel RNGStatesTracker get_rng_state_tracker model_parallel_random_seed",
)
_MODEL_PARALLEL = renamed("distributed.parallel.tensor_exchanges", _c_identity="passed_on", _mp_allreduce="added_up",
                           _c_concat="concatenated", _c_split="own_slice")  # fmt: skip
_EXCHANGES = from_module(
    "distributed",
    "ReduceOp ParallelMode is_available get_backend new_group get_group destroy_process_group barrier wait all_reduce "
    "reduce broadcast broadcast_object_list all_gather all_gather_object gather scatter reduce_scatter alltoall "
    "all_to_all send recv isend irecv",
)
_DATASETS = from_module(
    "distributed.slot_datasets", "DatasetBase DatasetFactory FileInstantDataset InMemoryDataset QueueDataset"
)
_GENERATORS = from_module("distributed.multi_slot", "DataGenerator MultiSlotDataGenerator MultiSlotStringDataGenerator")
_PLACEMENTS = from_module(
    "distributed", "ProcessMesh Placement Shard Replicate Partial shard_tensor reshard shard_layer unshard_dtensor"
)
_LAUNCH = from_module(
    "distributed.launch_helpers",
    "Trainer Pod Cluster TrainerProc find_free_ports get_cluster watch_local_trainers terminate_local_procs get_logger",
)

DISTRIBUTED: dict[str, dict[str, str]] = {
    "base.dataset": _DATASETS,
    "incubate.data_generator": _GENERATORS,
    **{
        f"distributed.auto_parallel{part}": _PLACEMENTS
        for part in ("", ".process_mesh", ".placement_type", ".api", ".interface")
    },
    "distributed.parallel": from_module(
        "distributed", "DataParallel ParallelEnv init_parallel_env get_rank get_world_size"
    ),
    "distributed.sharding": from_module(
        "distributed.transpile.group_sharded", "group_sharded_parallel save_group_sharded_model"
    ),
    "distributed.collective": _EXCHANGES | _MODEL_PARALLEL,
    "distributed.fleet.auto": _PLACEMENTS | from_module("compat.auto_engine", "Engine Strategy"),
    "distributed.auto_parallel.strategy": from_module("compat.auto_engine", "Strategy"),
    "distributed.parallel.parallel_helper": renamed("distributed", _is_parallel_ctx_initialized="is_initialized"),
    "distributed.communication": _EXCHANGES,
    "distributed.io": from_module("fluid.io", "save_persistables load_persistables")
    | {"load_inference_model_distributed": "fluid.io:load_inference_model"},
    "distributed.entry_attr": from_module(
        "distributed.entries", "EntryAttr ProbabilityEntry CountFilterEntry ShowClickEntry"
    ),
    "distributed.utils": {},
    "distributed.utils.launch_utils": _LAUNCH,
    "distributed.fleet.launch_utils": _LAUNCH,
    "distributed.utils.log_utils": from_module("distributed.launch_helpers", "get_logger"),
    "distributed.fleet.meta_optimizers": from_module("compat.refused", "DGCMomentumOptimizer RawProgramOptimizer"),
    "distributed.fleet.dataset": _DATASETS,
    "distributed.fleet.data_generator": _GENERATORS,
    "distributed.fleet": _GENERATORS
    | _DATASETS
    | from_module(
        "distributed.strategy",
        "DistributedStrategy PaddleCloudRoleMaker UserDefinedRoleMaker UtilBase util init distributed_model "
        "distributed_optimizer distributed_scaler is_first_worker is_worker is_server worker_index worker_num "
        "worker_endpoints init_worker stop_worker barrier_worker init_server run_server load_model Role server_num "
        "server_index server_endpoints",
    )
    | {"fleet": "distributed.strategy"}
    | from_module("distributed.parallel", "CommunicateTopology HybridCommunicateGroup get_hybrid_communicate_group")
    | renamed("distributed.strategy", rank="worker_index", world_size="worker_num"),
    "distributed.fleet.meta_parallel": _META_PARALLEL,
    "distributed.fleet.meta_parallel.sharding": {},
    "distributed.fleet.meta_parallel.sharding.group_sharded_storage": from_module(
        "compat.refused", "ParamStorage GradStorage"
    ),
    "distributed.fleet.meta_parallel.sharding.group_sharded_utils": from_module("compat.refused", "Type"),
    "distributed.fleet.meta_parallel.sharding.group_sharded_stage2": from_module(
        "compat.refused", "GroupShardedStage2"
    ),
    "distributed.fleet.meta_parallel.sharding.group_sharded_stage3": from_module(
        "compat.refused", "GroupShardedStage3"
    ),
    "distributed.fleet.meta_parallel.sharding.group_sharded_optimizer_stage2": from_module(
        "compat.refused", "GroupShardedOptimizerStage2"
    ),
    "distributed.fleet.layers": {},
    "distributed.fleet.layers.mpu": _META_PARALLEL,
    "distributed.fleet.layers.mpu.mp_ops": _MODEL_PARALLEL
    | renamed("compat.kernel_functions", _c_lookup_table="c_embedding"),
    "distributed.fleet.layers.mpu.mp_layers": _META_PARALLEL,
    "distributed.fleet.layers.mpu.random": _META_PARALLEL,
    "distributed.fleet.base": {},
    "distributed.fleet.base.orthogonal_strategy": from_module("compat.refused", "OrthogonalStrategy"),
    "distributed.fleet.base.strategy_group": from_module(
        "compat.refused", "StrategyGroupBase DPGroup MPGroup PPGroup ShardingGroup"
    ),
    "distributed.fleet.base.topology": from_module(
        "distributed.parallel", "CommunicateTopology HybridCommunicateGroup ParallelMode"
    ),
    "distributed.fleet.base.role_maker": from_module(
        "distributed.strategy", "PaddleCloudRoleMaker UserDefinedRoleMaker Role"
    ),
    "distributed.fleet.base.distributed_strategy": from_module("distributed.strategy", "DistributedStrategy"),
    "distributed.fleet.utils.hybrid_parallel_util": from_module("distributed.strategy", "fused_allreduce_gradients"),
    "distributed.fleet.utils": {
        "recompute": "dygraph.checkpointing:recompute",
        "LocalFS": "distributed.file_systems:LocalFS",
    },
    "distributed.fleet.utils.fs": from_module(
        "distributed.file_systems", "FS LocalFS ExecuteError FSFileExistsError FSFileNotExistsError FSTimeOut"
    ),
    "distributed.fleet.recompute": {"recompute": "dygraph.checkpointing:recompute"},
}

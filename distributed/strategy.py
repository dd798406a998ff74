"""`distributed.fleet`: data-parallel models and optimizers. What else Paddle's fleet can do is refused by name."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, NoReturn

import numpy as np

from ..base.errors import ArgumentError, KindError, ModeError
from ..dygraph.conversions import to_tensor
from ..ops.dispatch import current
from .data_parallel import DataParallel, average_gradients
from .exchanges import all_gather_object, all_reduce_of
from .group import Group, here, world
from .parallel.hybrid_stages import in_grid, shards_parameters
from .parallel.pipeline import PipelineParallel
from .parallel.pipeline_layers import PipelineLayer
from .parallel.spread_models import TensorParallel, agree_on_finite, spreads_models
from .parallel.static_pipeline import PipelineOptimizer
from .parallel.topology import (
    DEGREES,
    HybridCommunicateGroup,
    get_hybrid_communicate_group,
    has_grid,
    topology_of,
    use_hybrid_group,
)
from .process import init_parallel_env
from .server_roles import (  # noqa: F401  some are only names of Paddle's fleet
    Job,
    PaddleCloudRoleMaker,
    Role,
    UserDefinedRoleMaker,
    barrier_worker,
    init_server,
    init_worker,
    is_server,
    is_worker,
    job,
    run_server,
    server_endpoints,
    server_index,
    server_num,
    stop_worker,
    worker_num,
    workers,
)
from .transpile import (
    AdaptiveLocalSGD,
    GradAllReduce,
    GradientMerge,
    LocalSGD,
    ServedUpdates,
    ShardedParameters,
    ShardedStates,
    ShortGradients,
    Stage,
    TopGradients,
)
from .transpile.stages import in_order, staged

_OTHER_STRATEGIES = (
    "recompute", "sharding", "pipeline", "tensor_parallel", "localsgd", "adaptive_localsgd", "gradient_merge", "dgc",
    "lars", "lamb", "a_sync", "auto", "fp16_allreduce",
)  # fmt: skip
_NOT_THERE = ("auto",)
_BY_DEGREE = {"pipeline": "pp_degree", "tensor_parallel": "mp_degree"}  # flags that hybrid_configs say more of
_CONFIGS: dict[str, dict[str, Any]] = {
    "gradient_merge_configs": {"k_steps": 1, "avg": True},
    "localsgd_configs": {"k_steps": 1, "begin_step": 1},
    "adaptive_localsgd_configs": {"init_k_steps": 1, "begin_step": 1},
    "dgc_configs": {"rampup_begin_step": 0, "rampup_step": 1, "sparsity": [0.999]},
    "sharding_configs": {"stage": 1, "sharding_degree": -1},
    "fp16_allreduce_configs": {"dtype": "float16"},
    "a_sync_configs": {"k_steps": -1},
    "amp_configs": {},
    "recompute_configs": {},
    "hybrid_configs": {},
    "pipeline_configs": {"accumulate_steps": 1, "micro_batch_size": 1, "schedule_mode": "1F1B"},
}


class DistributedStrategy:
    """Settings of training on several ranks: flags, and what belongs to them as `<flag>_configs`.

    gradient_merge (k_steps, avg), localsgd (k_steps, begin_step), adaptive_localsgd (init_k_steps, begin_step),
    fp16_allreduce (dtype), dgc (sparsity, rampup_begin_step, rampup_step) and sharding (stage 1, 2 or 3) are stages of
    `fleet.distributed_optimizer`; a_sync (k_steps) says how parameter servers work.

    >>> strategy = DistributedStrategy()
    >>> strategy.gradient_merge = True
    >>> strategy.gradient_merge_configs = {"k_steps": 4}
    >>> [stage.name for stage in strategy.stages()]
    ['gradient_merge', 'grad_all_reduce']
    """

    gradient_merge_configs: dict[str, Any]
    localsgd_configs: dict[str, Any]
    fp16_allreduce_configs: dict[str, Any]
    adaptive_localsgd_configs: dict[str, Any]
    dgc_configs: dict[str, Any]
    sharding_configs: dict[str, Any]
    hybrid_configs: dict[str, Any]
    a_sync_configs: dict[str, Any]
    pipeline_configs: dict[str, Any]

    def __init__(self) -> None:
        self.build_strategy = self.execution_strategy = None
        self.amp = self.find_unused_parameters = self.elastic = False
        for name in _OTHER_STRATEGIES:
            setattr(self, name, False)
        for name, values in _CONFIGS.items():
            self.__dict__[name] = dict(values)

    def __setattr__(self, name: str, value: Any) -> None:
        """Configs that are given replace the usual values; the others stay. Errors: ArgumentError for unknown ones."""
        usual = _CONFIGS.get(name)
        if usual:
            known = {**usual, **_IGNORED.get(name, {})}
            unknown = sorted(set(value) - set(known))
            if unknown:
                raise ArgumentError(f"DistributedStrategy.{name} has no {', '.join(unknown)}",
                                    remedy=f"known are {', '.join(known)}")  # fmt: skip
            value = {**usual, **value}
        object.__setattr__(self, name, value)

    def check(self) -> None:
        """Errors: ModeError for a way of training that isn't there, where there are several ranks."""
        if here()[1] == 1:
            return
        wanted = [name for name in _NOT_THERE if getattr(self, name, False)]
        known = {*DEGREES.values()}
        degrees = {k: v for k, v in self.hybrid_configs.items() if k.endswith("_degree") and k not in known}
        for flag, degree in _BY_DEGREE.items():
            if self.flag(flag) and self.hybrid_configs.get(degree, 1) in (None, 0, 1):
                raise ModeError(f"DistributedStrategy.{flag} says not how many ranks",
                                remedy=f"set hybrid_configs[{degree!r}]")  # fmt: skip
        wanted += [f"hybrid_configs[{k!r}] = {v}" for k, v in degrees.items() if v not in (None, 0, 1, -1)]
        if wanted:
            raise ModeError(f"DistributedStrategy: {', '.join(wanted)} isn't there", remedy="data parallelism is")

    def served(self, servers: int) -> ServedUpdates:
        """The stage of training with parameter servers: in step, unless a_sync is set; geo where it has k_steps."""
        k_steps = int(self.a_sync_configs["k_steps"]) if self.flag("a_sync") else 0
        mode = "geo" if k_steps > 0 else "async" if self.flag("a_sync") else "sync"
        return ServedUpdates(servers, mode, max(k_steps, 1))

    def stages(self) -> list[Stage]:
        """What the flags ask for, in the order in which it acts; empty without flags. Errors: ModeError for flags that
        don't go together, or ask for what has another front.
        """
        made: list[Stage] = []
        run = job.get()
        if run is None and self.flag("a_sync"):
            raise ModeError("a_sync needs parameter servers",
                            remedy="call fleet.init with a role maker that has server_endpoints")  # fmt: skip
        if run is not None:
            run.stage = self.served(len(run.endpoints))
            made.append(run.stage)
        if self.flag("gradient_merge"):
            made.append(GradientMerge(**self.gradient_merge_configs))
        if self.flag("fp16_allreduce"):
            made.append(ShortGradients(**self.fp16_allreduce_configs))
        if self.flag("dgc"):
            made.append(_dgc(self.dgc_configs))
        if self.flag("localsgd"):
            made.append(LocalSGD(**self.localsgd_configs))
        if self.flag("adaptive_localsgd"):
            steps, begin = self.adaptive_localsgd_configs["init_k_steps"], self.adaptive_localsgd_configs["begin_step"]
            made.append(AdaptiveLocalSGD(steps, begin))
        if self.flag("sharding"):
            made.append(ShardedStates(int(self.sharding_configs["stage"])))
        if made and not any(stage.exchanges for stage in made):
            made.append(GradAllReduce())
        return list(in_order(made))

    def flag(self, name: str) -> bool:
        """Whether a flag is set."""
        return bool(getattr(self, name, False))


_IGNORED: dict[str, dict[str, Any]] = {  # of Paddle: how memory and messages are cut, which has no meaning here
    "a_sync_configs": dict.fromkeys(
        ("max_merge_var_num", "send_queue_size", "independent_recv_thread", "min_send_grad_num_before_recv",
         "thread_pool_size", "send_wait_times", "runtime_split_send_recv", "launch_barrier",
         "heter_worker_device_guard", "lr_decay_steps", "use_ps_gpu", "use_gpu_graph"),
    ),
    "sharding_configs": dict.fromkeys(
        ("sharding_segment_strategy", "segment_broadcast_MB", "segment_anchors", "gradient_merge_acc_step",
         "optimize_offload", "dp_degree", "mp_degree", "pp_degree", "hybrid_dp", "pp_allreduce_in_optimize",
         "optimize_cast", "_dp_as_optimizer_sharding", "comm_overlap", "tensor_fusion", "fuse_broadcast_MB"),
    ),
    "pipeline_configs": dict.fromkeys(("p2p_cache_shape", "enable_partial_send_recv")),
}  # fmt: skip


def _dgc(configs: dict[str, Any]) -> Stage:
    return TopGradients(
        configs["sparsity"],
        rampup_begin_step=int(configs["rampup_begin_step"]),
        rampup_step=int(configs["rampup_step"]),
    )


_in_force: ContextVar[DistributedStrategy | None] = ContextVar("strategy", default=None)


class UtilBase:
    """Exchanges of Python objects and small arrays."""

    def all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        """An array or number of all workers joined; a list or tuple is a list again where there is one worker."""
        array = np.asarray(input)
        if isinstance(input, (list, tuple)) and worker_num() == 1:
            return list(input)
        return all_reduce_of(to_tensor(array), mode, workers()).numpy().reshape(array.shape)

    def all_gather(self, input: Any, comm_world: str = "worker") -> list[Any]:
        """The inputs of all workers."""
        found: list[Any] = []
        all_gather_object(found, input, workers())
        return found

    def barrier(self, comm_world: str = "worker") -> None:
        """Wait for all workers."""
        barrier_worker()

    def get_file_shard(self, files: list[str]) -> list[str]:
        """The files that this worker reads: as many as the others, or one more. Errors: KindError for no list."""
        if not isinstance(files, list):
            raise KindError(f"get_file_shard takes a list of files, not a {type(files).__name__}")
        rank, size = here()[0], worker_num()
        each, more = divmod(len(files), size)
        start = rank * each + min(rank, more)
        return list(files[start : start + each + (rank < more)])

    def print_on_rank(self, message: str, rank_id: int) -> None:
        """Print a message if this is rank `rank_id`."""
        if here()[0] == rank_id:
            print(message)


util = UtilBase()


def init(role_maker: Any = None, is_collective: bool = True, strategy: Any = None, log_level: Any = "INFO") -> None:
    """Take part in the run that `vitrify launch` started. role_maker: who the parameter servers are, if there are any.

    Errors: ModeError for a strategy that isn't there; ArgumentError for as many servers as ranks, or degrees that
    don't fit.
    """
    init_parallel_env(elastic=True if getattr(strategy, "elastic", False) else None)
    names = list(getattr(role_maker, "endpoints", ()))
    if names and len(names) >= here()[1]:
        raise ArgumentError(f"fleet.init: a run of {here()[1]} can't have {len(names)} parameter servers and a trainer",
                            remedy=f"start at least {len(names) + 1} ranks")  # fmt: skip
    if strategy is not None:
        strategy.check()
    topology = topology_of({} if strategy is None else strategy.hybrid_configs)
    if names and topology.get_dim("data") != topology.world_size():
        raise ModeError("fleet.init: parameter servers don't go with layers, stages or states that ranks share",
                        remedy="leave the degrees of hybrid_configs out, or the servers")  # fmt: skip
    grid = None if names else HybridCommunicateGroup(topology)
    job.set(Job(names) if names else None)
    _in_force.set(strategy)
    use_hybrid_group(grid)


def distributed_model(model: Any) -> Any:
    """The model for training on the ranks of `init`'s grid; with one rank the model itself.

    DataParallel; ShardedParameters with sharding of stage 3; TensorParallel where ranks share layers; PipelineParallel
    for a PipelineLayer. With parameter servers it is the model itself. Errors: ModeError for what doesn't go together.

    >>> distributed_model("net")
    'net'
    """
    chosen, run = _in_force.get() or DistributedStrategy(), job.get()
    if run is not None or shards_parameters(chosen):
        if isinstance(model, PipelineLayer):
            raise ModeError("a pipeline with parameter servers, or sharding of stage 3, isn't there",
                            remedy="give a model that isn't a PipelineLayer")  # fmt: skip
        if run is None:
            return ShardedParameters(model)
        run.model = model
        return model
    if isinstance(model, PipelineLayer):
        return PipelineParallel(model, get_hybrid_communicate_group(), chosen)
    if here()[1] == 1:
        return model
    if not has_grid():
        return DataParallel(model)
    grid = get_hybrid_communicate_group()
    return TensorParallel(model, grid) if spreads_models(grid) else DataParallel(model, group=grid.batch_group())


def distributed_optimizer(optimizer: Any, strategy: Any = None) -> Any:
    """The optimizer with the stages that the strategy (default: that of `init`) asks for.

    Without such flags it is the optimizer itself, as a model of `distributed_model` averages the gradients; in static
    mode with several ranks one whose `minimize` transpiles the program (`GradAllReduce`, and `PipelineOptimizer` where
    the grid has stages). Errors: ModeError.
    """
    chosen = _in_force.get() if strategy is None else strategy
    stages: list[Stage] = []
    run = job.get()
    if run is not None and chosen is None:
        chosen = DistributedStrategy()
    if chosen is not None:
        chosen.check()
        stages = in_grid(optimizer, chosen.stages(), chosen.sharding_configs)
    if run is not None:
        run.optimizer = staged(optimizer, stages)
        return run.optimizer
    grid = get_hybrid_communicate_group() if has_grid() else None
    if not stages and current().is_static and (grid.batch_group().nranks if grid else here()[1]) > 1:
        stages = [GradAllReduce(grid.batch_group() if grid else None)]
    made = staged(optimizer, stages) if stages else optimizer
    if chosen is None or grid is None or not current().is_static:
        return made
    if grid.get_pipe_parallel_world_size() == 1 and not chosen.flag("pipeline"):
        return made
    configs = chosen.pipeline_configs
    return PipelineOptimizer(made, int(configs["accumulate_steps"]), schedule_mode=configs["schedule_mode"])


def distributed_scaler(scaler: Any) -> Any:
    """The scaler. Averaged gradients are finite on all ranks, or on none; ranks that share a model agree on it."""
    return agree_on_finite(scaler, get_hybrid_communicate_group()) if has_grid() else scaler


def is_first_worker() -> bool:
    """Whether this is worker 0."""
    return here()[0] == 0


def worker_index() -> int:
    """The number of this worker."""
    return here()[0]


def worker_endpoints(to_string: bool = False) -> Any:
    """The addresses of the workers: they need none."""
    return "" if to_string else [""]


def load_model(*_: Any, **__: Any) -> NoReturn:
    """Errors: ModeError: servers load nothing by themselves."""
    raise ModeError("parameter servers load nothing by themselves",
                    remedy="load the model on rank 0 before init_worker, which gives it to all")  # fmt: skip


def fused_allreduce_gradients(parameter_list: Any, hcg: Any = None) -> None:
    """Average the gradients of parameters over all ranks."""
    average_gradients(parameter_list)


def get_unique_endpoints(trainer_endpoints: Any) -> set[str]:
    """One address for each machine, the first of each."""
    found: dict[str, str] = {}
    for endpoint in trainer_endpoints:
        found.setdefault(endpoint.partition(":")[0], endpoint)
    return set(found.values())


def get_group() -> Group:
    """The group of all ranks."""
    return world()

"""`distributed.fleet`: data-parallel models and optimizers. What else Paddle's fleet can do is refused by name."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ..base.errors import ModeError
from ..dygraph.conversions import to_tensor
from ..ops.dispatch import current
from .data_parallel import DataParallel, average_gradients
from .exchanges import all_gather_object, all_reduce_of, barrier
from .group import Group, here, world
from .process import init_parallel_env
from .transpilers import StaticOptimizer

_OTHER_STRATEGIES = (
    "recompute", "sharding", "pipeline", "tensor_parallel", "localsgd", "adaptive_localsgd", "gradient_merge", "dgc",
    "lars", "lamb", "a_sync", "auto", "fp16_allreduce",
)  # fmt: skip
_NOT_THERE = ("sharding", "pipeline", "tensor_parallel", "localsgd", "adaptive_localsgd", "gradient_merge", "dgc",
              "a_sync", "auto", "fp16_allreduce")  # fmt: skip


class DistributedStrategy:
    """Settings of training on several ranks. With one rank they have no effect.

    >>> strategy = DistributedStrategy()
    >>> strategy.amp = True
    >>> strategy.amp
    True
    """

    def __init__(self) -> None:
        self.build_strategy = self.execution_strategy = None
        self.amp = self.find_unused_parameters = False
        for name in _OTHER_STRATEGIES:
            setattr(self, name, False)
        self.hybrid_configs: dict[str, Any] = {}
        self.amp_configs: dict[str, Any] = {}
        self.recompute_configs: dict[str, Any] = {}

    def check(self) -> None:
        """Errors: ModeError for a way of training that isn't there, where there are several ranks."""
        if here()[1] == 1:
            return
        wanted = [name for name in _NOT_THERE if getattr(self, name, False)]
        degrees = {k: v for k, v in self.hybrid_configs.items() if k.endswith("_degree") and k != "dp_degree"}
        wanted += [f"hybrid_configs[{k!r}] = {v}" for k, v in degrees.items() if v not in (None, 0, 1, -1)]
        if wanted:
            raise ModeError(f"DistributedStrategy: {', '.join(wanted)} isn't there", remedy="data parallelism is")


class PaddleCloudRoleMaker:
    """Which part of a job this process has: a worker."""

    def __init__(self, is_collective: bool = True, **_: Any) -> None:
        self.is_collective = is_collective


class UserDefinedRoleMaker(PaddleCloudRoleMaker):
    """Which part of a job this process has: a worker."""


class UtilBase:
    """Exchanges of Python objects and small arrays."""

    def all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        """An array or number of all workers joined."""
        array = np.asarray(input)
        return all_reduce_of(to_tensor(array), mode).numpy().reshape(array.shape)

    def all_gather(self, input: Any, comm_world: str = "worker") -> list[Any]:
        """The inputs of all workers."""
        found: list[Any] = []
        all_gather_object(found, input)
        return found

    def barrier(self, comm_world: str = "worker") -> None:
        """Wait for all workers."""
        barrier()

    def get_file_shard(self, files: list[str]) -> list[str]:
        """The files that this worker reads: as many as the others, or one more."""
        rank, size, _ = here()
        each, more = divmod(len(files), size)
        start = rank * each + min(rank, more)
        return list(files[start : start + each + (rank < more)])

    def print_on_rank(self, message: str, rank_id: int) -> None:
        """Print a message if this is rank `rank_id`."""
        if here()[0] == rank_id:
            print(message)


util = UtilBase()


def init(role_maker: Any = None, is_collective: bool = True, strategy: Any = None, log_level: Any = "INFO") -> None:
    """Take part in the run that `vitrify launch` started. Errors: ModeError for a strategy that isn't there."""
    init_parallel_env()
    if strategy is not None:
        strategy.check()


def distributed_model(model: Any) -> Any:
    """The model for data-parallel training; with one rank the model itself.

    >>> distributed_model("net")
    'net'
    """
    return model if here()[1] == 1 else DataParallel(model)


def distributed_optimizer(optimizer: Any, strategy: Any = None) -> Any:
    """The optimizer itself: a model of `distributed_model` averages the gradients. In static mode one whose `minimize`
    transpiles the program for several ranks.
    """
    if strategy is not None:
        strategy.check()
    return StaticOptimizer(optimizer) if current().is_static and here()[1] > 1 else optimizer


def distributed_scaler(scaler: Any) -> Any:
    """The scaler itself: averaged gradients are finite on all ranks, or on none."""
    return scaler


def is_first_worker() -> bool:
    """Whether this is worker 0."""
    return here()[0] == 0


def is_worker() -> bool:
    """Whether this process trains: yes."""
    return True


def is_server() -> bool:
    """Whether this process is a parameter server: no."""
    return False


def worker_index() -> int:
    """The number of this worker."""
    return here()[0]


def worker_num() -> int:
    """How many workers there are."""
    return here()[1]


def worker_endpoints(to_string: bool = False) -> Any:
    """The addresses of the workers: they need none."""
    return "" if to_string else [""]


def init_worker(*_: Any, **__: Any) -> None:
    """Nothing to set up."""


def stop_worker() -> None:
    """Nothing to end."""


def barrier_worker() -> None:
    """Wait for all workers."""
    barrier()


def init_server(*_: Any, **__: Any) -> NoReturn:
    """Errors: ModeError: there are no parameter servers."""
    raise ModeError("parameter servers aren't supported", remedy="train data-parallel, with fleet.distributed_model")


run_server = load_model = init_server


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

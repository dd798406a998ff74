"""`distributed.fleet` of one process: models and optimizers stay as they are; parameter servers are refused."""

from __future__ import annotations

from typing import Any, NoReturn

from ..base.errors import ModeError
from .collective import Group, all_gather_object, all_reduce, barrier


class DistributedStrategy:
    """Settings of training with several processes: kept, and without effect in one.

    >>> strategy = DistributedStrategy()
    >>> strategy.amp = True
    >>> strategy.amp
    True
    """

    def __init__(self) -> None:
        self.build_strategy = self.execution_strategy = None
        self.amp = self.recompute = self.sharding = self.pipeline = self.find_unused_parameters = False
        self.hybrid_configs: dict[str, Any] = {}
        self.amp_configs: dict[str, Any] = {}
        self.recompute_configs: dict[str, Any] = {}


class PaddleCloudRoleMaker:
    """Which part of a job this process has: the only worker."""

    def __init__(self, is_collective: bool = True, **_: Any) -> None:
        self.is_collective = is_collective


class UserDefinedRoleMaker(PaddleCloudRoleMaker):
    """Which part of a job this process has: the only worker."""


class UtilBase:
    """Exchanges of Python objects and small arrays."""

    def all_reduce(self, input: Any, mode: str = "sum", comm_world: str = "worker") -> Any:
        """The input itself."""
        return input

    def all_gather(self, input: Any, comm_world: str = "worker") -> list[Any]:
        """The inputs of all workers: one."""
        found: list[Any] = []
        all_gather_object(found, input)
        return found

    def barrier(self, comm_world: str = "worker") -> None:
        """Nothing to wait for."""

    def get_file_shard(self, files: list[str]) -> list[str]:
        """The files that this worker reads: all."""
        return list(files)

    def print_on_rank(self, message: str, rank_id: int) -> None:
        """Print a message if this is process `rank_id`."""
        if rank_id == 0:
            print(message)


util = UtilBase()


def init(role_maker: Any = None, is_collective: bool = True, strategy: Any = None, log_level: Any = "INFO") -> None:
    """Nothing to set up for one process."""


def distributed_model(model: Any) -> Any:
    """The model itself.

    >>> distributed_model("net")
    'net'
    """
    return model


def distributed_optimizer(optimizer: Any, strategy: Any = None) -> Any:
    """The optimizer itself."""
    return optimizer


def distributed_scaler(scaler: Any) -> Any:
    """The scaler itself."""
    return scaler


def is_first_worker() -> bool:
    """Whether this is worker 0: yes."""
    return True


def is_worker() -> bool:
    """Whether this process trains: yes."""
    return True


def is_server() -> bool:
    """Whether this process is a parameter server: no."""
    return False


def worker_index() -> int:
    """The number of this worker: 0."""
    return 0


def worker_num() -> int:
    """How many workers there are: 1."""
    return 1


def worker_endpoints(to_string: bool = False) -> Any:
    """The addresses of the workers: none is needed for one."""
    return "" if to_string else [""]


def init_worker(*_: Any, **__: Any) -> None:
    """Nothing to set up for one process."""


def stop_worker() -> None:
    """Nothing to end for one process."""


def barrier_worker() -> None:
    """Wait for all workers: there are no others."""
    barrier()


def init_server(*_: Any, **__: Any) -> NoReturn:
    """Errors: ModeError: there are no parameter servers."""
    raise ModeError("parameter servers aren't supported", remedy="train in one process")


run_server = load_model = init_server


def fused_allreduce_gradients(parameter_list: Any, hcg: Any = None) -> None:
    """Join the gradients of all processes: they stay as they are."""
    for parameter in parameter_list:
        all_reduce(parameter)


def get_unique_endpoints(trainer_endpoints: Any) -> set[str]:
    """One address for each machine, the first of each."""
    found: dict[str, str] = {}
    for endpoint in trainer_endpoints:
        found.setdefault(endpoint.partition(":")[0], endpoint)
    return set(found.values())


def get_group() -> Group:
    """The group of this process."""
    return Group()

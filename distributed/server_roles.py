"""Which part of a run with parameter servers a rank has, and what `fleet` does on servers and trainers."""

from __future__ import annotations

import os
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from ..base.errors import ModeError
from ..ops.dispatch import current
from ..static.scope import global_scope
from .exchanges import barrier
from .group import Group, here
from .transpile.served_program import ServerProgram
from .transpile.served_updates import ServedUpdates

_ENDPOINTS = "PADDLE_PSERVERS_IP_PORT_LIST"


class Role:
    """The parts that a rank can have."""

    WORKER, SERVER = 1, 2


class PaddleCloudRoleMaker:
    """Which part of a run each rank has. Parameter servers are the last ranks, one for each of `server_endpoints`
    (default: those of the environment's PADDLE_PSERVERS_IP_PORT_LIST); the endpoints are names, ranks exchange by MPI.

    >>> PaddleCloudRoleMaker(is_collective=False, server_endpoints=["a:1", "b:1"]).servers
    2
    """

    def __init__(self, is_collective: bool = True, server_endpoints: Any = None, **_: Any) -> None:
        listed = [name for name in os.environ.get(_ENDPOINTS, "").split(",") if name]
        self.endpoints = list(server_endpoints) if server_endpoints else [] if is_collective else listed
        self.is_collective = not self.endpoints

    @property
    def servers(self) -> int:
        """How many parameter servers there are."""
        return len(self.endpoints)


class UserDefinedRoleMaker(PaddleCloudRoleMaker):
    """Which part of a run each rank has, as the arguments say (see PaddleCloudRoleMaker)."""


@dataclass
class Job:
    """A run with parameter servers: who they are, and what this rank trains."""

    endpoints: list[str]
    stage: ServedUpdates | None = None
    optimizer: Any = None
    model: Any = None

    @property
    def trainers(self) -> int:
        """How many ranks train."""
        return here()[1] - len(self.endpoints)


job: ContextVar[Job | None] = ContextVar("parameter_servers", default=None)


def _ready(what: str) -> tuple[Job, ServedUpdates]:
    """The run, with an optimizer. Errors: ModeError without parameter servers, or before there is one."""
    found = job.get()
    if found is None:
        raise ModeError(f"{what}: there are no parameter servers",
                        remedy="call fleet.init with a role maker that has server_endpoints")  # fmt: skip
    if found.stage is None:
        raise ModeError(f"{what}: there is no optimizer yet", remedy="call fleet.distributed_optimizer first")
    return found, found.stage


def workers() -> Group | None:
    """The trainers where there are parameter servers; None: all ranks."""
    found = job.get()
    return None if found is None else Group(range(found.trainers))


def is_server() -> bool:
    """Whether this process is a parameter server."""
    found = job.get()
    return found is not None and here()[0] >= found.trainers


def is_worker() -> bool:
    """Whether this process trains."""
    return not is_server()


def worker_num() -> int:
    """How many workers there are."""
    found = job.get()
    return here()[1] if found is None else found.trainers


def server_num() -> int:
    """How many parameter servers there are."""
    found = job.get()
    return 0 if found is None else len(found.endpoints)


def server_index() -> int:
    """The number of this server; -1 on a worker."""
    return here()[0] - worker_num() if is_server() else -1


def server_endpoints(to_string: bool = False) -> Any:
    """The names of the servers."""
    found = job.get()
    names = [] if found is None else list(found.endpoints)
    return ",".join(names) if to_string else names


def init_worker(*_: Any, **__: Any) -> None:
    """A trainer takes part: all ranks get the first one's parameters. In static mode the startup program did that.

    Without parameter servers there is nothing to set up.
    """
    if job.get() is not None and not current().is_static:
        found, stage = _ready("init_worker")
        stage.begin(found.optimizer, found.model)


def init_server(*_: Any, **__: Any) -> None:
    """A parameter server takes part: it keeps its part of the parameters. Errors: ModeError without servers."""
    found, stage = _ready("init_server")
    if not current().is_static:
        stage.begin(found.optimizer, found.model)


def run_server() -> None:
    """Serve until all trainers have called `stop_worker`. Errors: ModeError without servers."""
    found, stage = _ready("run_server")
    if current().is_static:
        ServerProgram(stage, found.optimizer, server_index()).serve(global_scope())
    else:
        stage.serve()


def stop_worker() -> None:
    """This trainer has ended: servers wait for it no more. Without parameter servers there is nothing to end."""
    if job.get() is not None:
        _ready("stop_worker")[1].stop()


def barrier_worker() -> None:
    """Wait for all workers."""
    barrier(workers())

"""Processes that take part in one run: begun by `vitrify launch` (or mpiexec, or srun), joined through MPI."""

from __future__ import annotations

import atexit
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ..base.errors import ExchangeError, MissingDependencyError
from ..ops.exchange import set_transport, transport
from .data_parallel import ParallelEnv
from .elastic_mpi import ElasticMpi
from .failures_of_ranks import ELASTIC, Failures
from .mpi import MpiTransport, checked_limit

_SIZES = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS")
_RANKS = ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID")


def started_as() -> tuple[int, int]:
    """The rank and the number of ranks that the launcher gave this process; (0, 1) alone."""
    size = next((int(os.environ[name]) for name in _SIZES if os.environ.get(name, "").isdigit()), 1)
    rank = next((int(os.environ[name]) for name in _RANKS if os.environ.get(name, "").isdigit()), 0)
    return rank, size


def is_available() -> bool:
    """Whether several processes can work together here: whether mpi4py is installed."""
    return find_spec("mpi4py") is not None


def init_parallel_env(timeout: float | None = None, elastic: bool | None = None) -> ParallelEnv:
    """Take part in the run of several ranks that this process belongs to; alone it is rank 0 of 1.

    timeout: seconds that an exchange may wait for other ranks; default: VITRIFY_EXCHANGE_TIMEOUT, else half an hour.
    Then those that wait get an ExchangeError that names the ranks that haven't come.
    elastic: whether ranks may be lost (`distributed.elastic`); default: as `vitrify launch --elastic` says.
    Errors: MissingDependencyError where it was started with others and mpi4py isn't installed, or for an elastic run
    Open MPI; ArgumentError for a timeout that isn't above 0.

    >>> init_parallel_env().world_size
    1
    """
    if timeout is not None:
        checked_limit(timeout)
    if started_as()[1] > 1 and transport().name == "one process":
        if not is_available():
            raise missing()
        elastic = os.environ.get(ELASTIC) == "1" if elastic is None else elastic
        if elastic:
            import_module("mpi4py").rc.finalize = False  # `leave` decides
        mpi = import_module("mpi4py.MPI")
        joined = (ElasticMpi if elastic else MpiTransport)(mpi, timeout)
        if joined.size > 1:
            set_transport(joined)
            atexit.register(_leave, joined)
    return ParallelEnv()


def missing() -> MissingDependencyError:
    """The error of a run of several processes without MPI."""
    return MissingDependencyError("several processes exchange through MPI: mpi4py and MPICH or Open MPI",
                                  remedy="pip install 'vitrify[mpi]'")  # fmt: skip


def _leave(joined: MpiTransport) -> None:
    if transport() is joined:
        try:
            joined.end()
        except ExchangeError as error:  # Python would print it, and end with code 0
            failures, text = Failures.of_launch(), f"ExchangeError: {error}"
            print(text, file=sys.stderr, flush=True)
            if failures.folder is not None:
                failures.note(joined.rank, text)
            joined.abort()
    if isinstance(joined, ElasticMpi):
        joined.finalize()


def destroy_process_group(group: Any = None) -> None:
    """Leave the run of several ranks: this process is rank 0 of 1 again. All ranks have to call it."""
    joined = transport()
    if group is None and isinstance(joined, MpiTransport):
        joined.end()
        set_transport(None)

"""`distributed.utils.launch_utils`: free ports, and what older launching programs know of ranks and processes."""

from __future__ import annotations

import logging
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..base.errors import ArgumentError, ExchangeError


@dataclass
class Trainer:
    """One rank: its number, its address, and the numbers of its devices."""

    gpus: list[Any] = field(default_factory=list)
    endpoint: str | None = None
    rank: int | None = None


@dataclass
class Pod:
    """The ranks of one machine."""

    rank: int | None = None
    addr: str | None = None
    trainers: list[Trainer] = field(default_factory=list)


@dataclass
class Cluster:
    """The machines of a run."""

    hdfs: Any = None
    pods: list[Pod] = field(default_factory=list)

    def trainers_nranks(self) -> int:
        """How many ranks there are."""
        return len(self.trainers_endpoints())

    def trainers_endpoints(self) -> list[str]:
        """The addresses of all ranks, in order."""
        return [str(trainer.endpoint) for pod in self.pods for trainer in pod.trainers]

    def pods_endpoints(self) -> list[str]:
        """The addresses of the machines."""
        return [str(pod.addr) for pod in self.pods]


class TrainerProc:
    """A process that runs a rank: `proc`, `rank`, `log_fn` and `cmd` are set by who starts it."""

    def __init__(self) -> None:
        self.proc: Any = None
        self.log_fn: Any = None
        self.log_offset: Any = None
        self.rank: int | None = None
        self.local_rank: int | None = None
        self.cmd: Any = None


def find_free_ports(num: int) -> set[int]:
    """Some ports of this machine that nobody listens at now.

    >>> len(find_free_ports(3))
    3
    """
    held = []
    try:
        for _ in range(num):
            held.append(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
            held[-1].bind(("", 0))
        return {holder.getsockname()[1] for holder in held}
    finally:
        for holder in held:
            holder.close()


def get_cluster(
    node_ips: Sequence[str], node_ip: str, trainer_endpoints: Sequence[Sequence[str]], selected_gpus: Sequence[Any]
) -> tuple[Cluster, Pod]:
    """The machines with their ranks, and this machine among them: one rank for each device, numbered in order.

    Errors: ArgumentError for a machine that isn't in the list, or one with fewer addresses than devices.

    >>> cluster, pod = get_cluster(["10.0.0.1"], "10.0.0.1", [["10.0.0.1:6170", "10.0.0.1:6171"]], [0, 1])
    >>> cluster.trainers_nranks(), [trainer.rank for trainer in pod.trainers]
    (2, [0, 1])
    """
    if node_ip not in node_ips:
        raise ArgumentError(f"the machine {node_ip} isn't among {list(node_ips)}")
    cluster, rank = Cluster(), 0
    for number, (address, endpoints) in enumerate(zip(node_ips, trainer_endpoints, strict=False)):
        if len(endpoints) < len(selected_gpus):
            raise ArgumentError(f"{address} has {len(endpoints)} addresses for {len(selected_gpus)} devices")
        pod = Pod(number, address)
        for device, endpoint in zip(selected_gpus, endpoints, strict=False):
            pod.trainers.append(Trainer([device], endpoint, rank))
            rank += 1
        cluster.pods.append(pod)
    return cluster, cluster.pods[list(node_ips).index(node_ip)]


def watch_local_trainers(procs: Sequence[TrainerProc], nranks: int) -> bool:
    """Whether any process still runs. Errors: ExchangeError for one that failed; the others are ended first."""
    codes = {proc.rank: proc.proc.poll() for proc in procs}
    failed = {rank: code for rank, code in codes.items() if code}
    if failed:
        terminate_local_procs(procs)
        raise ExchangeError(f"of {nranks} ranks some failed, with these exit codes: {failed}")
    return None in codes.values()


def terminate_local_procs(procs: Sequence[TrainerProc]) -> None:
    """End the processes that still run, and wait for them."""
    for proc in procs:
        if proc.proc.poll() is None:
            proc.proc.terminate()
        proc.proc.wait()


def get_logger(name: str, level: int | str = logging.INFO) -> logging.Logger:
    """A logger that writes to the error stream with a level of its own."""
    logger = logging.getLogger(name)
    logger.setLevel(level)
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(levelname)s %(asctime)s %(filename)s:%(lineno)d] %(message)s"))
        logger.addHandler(handler)
        logger.propagate = False
    return logger

"""What older launching programs ask: free ports, ranks and addresses, processes that are watched."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys

import pytest

from vitrify.distributed.utils.launch_utils import TrainerProc, find_free_ports, get_cluster, watch_local_trainers
from vitrify.distributed.utils.log_utils import get_logger


def test_free_ports_can_be_listened_at() -> None:
    ports = find_free_ports(4)
    assert len(ports) == 4
    for port in ports:
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", port))


def test_ranks_are_numbered_over_machines() -> None:
    addresses = [["a:1", "a:2"], ["b:1", "b:2"]]
    cluster, pod = get_cluster(["a", "b"], "b", addresses, [0, 1])
    assert (cluster.trainers_nranks(), cluster.trainers_endpoints()) == (4, ["a:1", "a:2", "b:1", "b:2"])
    assert (pod.rank, [(t.rank, t.endpoint, t.gpus) for t in pod.trainers]) == (1, [(2, "b:1", [0]), (3, "b:2", [1])])
    with pytest.raises(ValueError, match="isn't among"):
        get_cluster(["a"], "c", [["a:1"]], [0])
    with pytest.raises(ValueError, match="1 addresses for 2 devices"):
        get_cluster(["a"], "a", [["a:1"]], [0, 1])


def _started(rank: int, code: str) -> TrainerProc:
    made = TrainerProc()
    made.rank, made.proc = rank, subprocess.Popen([sys.executable, "-c", code])
    return made


def test_processes_are_watched() -> None:
    done = _started(0, "pass")
    waiting = _started(1, "import time; time.sleep(60)")
    done.proc.wait()
    assert watch_local_trainers([done, waiting], 2) is True
    failed = _started(2, "raise SystemExit(3)")
    failed.proc.wait()
    with pytest.raises(RuntimeError, match=r"exit codes: \{2: 3\}"):
        watch_local_trainers([done, waiting, failed], 3)
    assert waiting.proc.poll() is not None
    assert watch_local_trainers([done], 1) is False


def test_a_logger_has_one_handler() -> None:
    first, again = get_logger("vitrify.test_logger", logging.WARNING), get_logger("vitrify.test_logger", "ERROR")
    assert first is again and len(first.handlers) == 1 and first.level == logging.ERROR

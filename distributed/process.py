"""Processes that take part in one run: begun by `vitrify launch`, joined through MPI."""

from __future__ import annotations

from typing import Any

from .data_parallel import ParallelEnv


def is_available() -> bool:
    """Whether several processes can work together."""
    return False


def init_parallel_env() -> ParallelEnv:
    """Take part in the run of several ranks that this process belongs to; alone it is rank 0 of 1."""
    return ParallelEnv()


def destroy_process_group(group: Any = None) -> None:
    """Leave the run of several ranks: this process is rank 0 of 1 again."""

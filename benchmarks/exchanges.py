"""What an all-reduce over MPI costs: mpi4py's own, this package's in eager mode, and inside a compiled function.

    vitrify launch -n 2 benchmarks/exchanges.py

Each process is kept on one core where there are enough of them. The ways are measured in turn; a figure is the median
of the rounds' medians, on rank 0.
"""

import os
import statistics
import time

import numpy as np
from mpi4py import MPI

import vitrify as vt
from vitrify import distributed as dist

ROUNDS = 5
CASES = {"32 B": (8, 400), "16 KB": (4096, 300), "1 MB": (262144, 40)}  # numbers of float32, calls in a round


@vt.to_static
def captured(x):
    """An exchange between two operations."""
    return dist.all_reduce_of(x + 1.0) * 2.0


def median(call, calls):
    """Microseconds of one call, all ranks beginning together."""
    for _ in range(5):
        call()
    dist.barrier()
    times = []
    for _ in range(calls):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def main():
    """Print the table."""
    dist.init_parallel_env()
    rank, size = dist.get_rank(), dist.get_world_size()
    if hasattr(os, "sched_setaffinity") and len(os.sched_getaffinity(0)) >= size:
        os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[rank]})
    world = MPI.COMM_WORLD.Dup()
    if rank == 0:
        print(f"all_reduce of {size} ranks, microseconds\n{'':8}{'mpi4py':>10}{'eager':>10}{'captured':>10}")
    for title, (count, calls) in CASES.items():
        x, given, made = vt.ones([count]), np.ones(count, np.float32), np.empty(count, np.float32)
        ways = [
            lambda given=given, made=made: world.Allreduce(given, made),
            lambda x=x: dist.all_reduce_of(x),
            lambda x=x: captured(x),
        ]
        rounds = [[median(way, calls) for way in ways] for _ in range(ROUNDS)]
        if rank == 0:
            print(f"{title:8}" + "".join(f"{statistics.median(column):10.1f}" for column in zip(*rounds, strict=True)))


if __name__ == "__main__":
    main()

"""CPU time of calls of one workload in one peer, for machines that are busy: waiting for a core isn't counted.

    python benchmarks/cpu_time.py PEER WORKLOAD [CALLS]    # in the peer's environment; one thread

Prints the least, the lower quartile and the median. run.py measures the time on the clock, which is what users see.
"""

import importlib
import os
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "peers")]

import workloads
from peers import PEERS


def measure(peer, name, calls):
    """Milliseconds of CPU time of each call, after two that warm up."""
    build = importlib.import_module(PEERS[peer][0]).load(peer, 1)["build"]
    run, _ = build[name](workloads.W[name].make(np.random.default_rng(0)))
    run()
    run()
    times = []
    for _ in range(calls):
        start = time.process_time()
        run()
        times.append(1e3 * (time.process_time() - start))
    return times


if __name__ == "__main__":
    peer, name = sys.argv[1:3]
    times = np.array(measure(peer, name, int(sys.argv[3]) if len(sys.argv) > 3 else 60))
    quartile = np.quantile(times, 0.25)
    print(f"{peer} {name}: least {times.min():.2f} ms, quartile {quartile:.2f} ms, median {np.median(times):.2f} ms")

#!/usr/bin/env python3
"""What narrower vectors cost: vitrify's workloads with kernels for each target that this machine runs.

python benchmarks/targets.py                          # the workloads of docs/guide/targets.md, one thread
python benchmarks/targets.py -w gelu,mlp_train -t 2   # others

All in one process, round by round in turn; the least time of a call counts, as other users' work only adds to it. Times
of narrower targets are multiples of the host's. The last column is how far first outputs are from the host's, at most:
the largest relative norm over all outputs.
"""

import argparse
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np  # noqa: E402
import workloads  # noqa: E402
from peers import p_vitrify  # noqa: E402

USUAL = (
    "gelu,chain20,softmax,layernorm,mandelbrot,mlp_train,lenet_train,resnet18_infer,resnet20_train,enc_fwd,lstm_b1_fwd"
)
SECONDS = 0.3  # of calls in a round


def distance(found, wanted):
    """Largest relative norm of a difference over the outputs."""
    pairs = ((np.asarray(a, np.float64), np.asarray(b, np.float64)) for a, b in zip(found, wanted, strict=True))
    return max(float(np.linalg.norm((a - b).ravel()) / max(np.linalg.norm(b.ravel()), 1e-30)) for a, b in pairs)


def least(run):
    """Seconds of the fastest call of a round."""
    best, begun = float("inf"), time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def measured(name, targets, using, rounds):
    """Per target the least milliseconds of a call; the largest distance of a first output from the host's."""
    runs, outputs = {}, {}
    for key, target in targets.items():
        with using(target):
            run, result = p_vitrify.B[name](workloads.inputs_of(name))
            outputs[key] = result(run())
        runs[key] = run
    times = dict.fromkeys(runs, float("inf"))
    for number in range(rounds):
        keys = list(runs)
        for key in keys[number % len(keys) :] + keys[: number % len(keys)]:
            times[key] = min(times[key], least(runs[key]))
    return {key: 1e3 * seconds for key, seconds in times.items()}, max(
        distance(made, outputs["host"]) for made in outputs.values()
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-w", "--workloads", default=USUAL)
    parser.add_argument("-t", "--threads", type=int, default=1)
    parser.add_argument("-r", "--rounds", type=int, default=6)
    options = parser.parse_args()
    p_vitrify.load("vitrify", options.threads)
    from vitrify.base.target import TARGETS, host_target, runnable, using_target

    targets = {"host": host_target(), **{name: TARGETS[name] for name in runnable()}}
    print("| workload | " + " | ".join(targets) + " | largest difference |")
    print("|---" * (len(targets) + 2) + "|")
    for name in options.workloads.split(","):
        found, error = measured(name, targets, using_target, options.rounds)
        base = found["host"]
        cells = [f"{base:.3g} ms"] + [f"{found[key] / base:.2f}" for key in targets if key != "host"]
        print(f"| {name} | " + " | ".join(cells) + f" | {error:.1e} |", flush=True)


if __name__ == "__main__":
    main()

"""How long whole networks take to compile: the first call in a fresh process without a cache, in a second one, and of
a second shape of the same function.

    python benchmarks/compile_networks.py                      # all networks, three processes each
    python benchmarks/compile_networks.py --only 'gpt|mlp' --repeat 1

Each first call is measured in a process of its own, with the network made already; wall time and the time of this
process's processors, in seconds. The helpers that compile beside it aren't counted. Prints medians and the goals.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import bytecode

GOALS = {  # seconds: cold, second process
    "mlp_step": (0.5, 0.3), "mobilenet_v3_small": (2.0, 0.3), "mobilenet_v3_small_step": (5.0, 0.3), "resnet50": (1.5, 0.3),
    "densenet121": (3.0, 0.3), "ghostnet_step": (10.0, 0.3), "vit_tiny_step": (2.0, 0.3), "gpt_step": (2.0, 0.3),
}  # fmt: skip
SECOND_SHAPE = 0.1


def main():
    """Run the networks and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="a regular expression of networks' names")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        print(json.dumps(measured(given.worker)), flush=True)
        return
    bytecode.write(sys.executable)
    print(
        f"{'network':26}{'cold':>7}{'goal':>6}{'cpu':>7}{'kernels':>9}{'second':>8}{'goal':>6}{'shape':>7}{'goal':>6}"
    )
    for name, (cold_goal, second_goal) in GOALS.items():
        if re.search(given.only, name):
            rounds = [pair(name) for _ in range(given.repeat)]
            cold, second = (list(column) for column in zip(*rounds, strict=True))
            times = [median(cold, "wall"), median(cold, "cpu"), median(second, "wall"), median(second, "second_shape")]
            print(
                f"{name:26}{times[0]:7.2f}{cold_goal:6.1f}{times[1]:7.2f}{cold[0]['kernels']:9d}{times[2]:8.2f}"
                f"{second_goal:6.1f}{times[3]:7.2f}{SECOND_SHAPE:6.1f}", flush=True,
            )  # fmt: skip


def median(rounds, key):
    return statistics.median(one[key] for one in rounds)


def pair(name):
    """The figures of a process without a cache, and of one after it."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-W", "ignore", __file__, "--worker", name]
        environment = {**os.environ, "VITRIFY_CACHE_DIR": cache}
        return [json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
                for _ in range(2)]  # fmt: skip


# ---- in the process that is measured


def measured(name):
    """The first call of a network's function, and the first one with another batch."""
    import resource

    from compile_functions import NETWORKS, batch

    from vitrify.runtime import kernel_cache

    function, _ = NETWORKS[name]()
    arguments = batch(name, 2)

    def seconds():
        used = resource.getrusage(resource.RUSAGE_SELF)
        return time.perf_counter(), used.ru_utime + used.ru_stime

    before = seconds()
    function(*arguments)
    after = seconds()
    kernels = kernel_cache.stats()
    other = batch(name, 3)
    start = time.perf_counter()
    function(*other)
    return {
        "wall": after[0] - before[0], "cpu": after[1] - before[1], "kernels": kernels.compiled + kernels.disk,
        "second_shape": time.perf_counter() - start,
    }  # fmt: skip


if __name__ == "__main__":
    main()

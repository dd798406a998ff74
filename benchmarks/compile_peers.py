"""How long the networks of compile_networks.py take to compile in vitrify, beside torch.compile and jax.jit.

    python benchmarks/compile_peers.py --peers PYTHON                   # PYTHON has torch and jax; torch needs g++
    python benchmarks/compile_peers.py --peers PYTHON --only 'gpt|mlp' --repeat 1
    python benchmarks/compile_peers.py --peers PYTHON --which jax       # one peer beside vitrify

Each figure is of a fresh process, libraries imported and network made already, from a call until its result is there:
  cold     the first call, with empty caches on disk
  batch    the first call with another batch size, in the same process
  second   the first call of a second process, with the caches that the first one left
  batch 2  the first call with another batch size, in that one
  again    a call that compiles nothing: the work itself, which all the figures above contain
Libraries are measured in turn, round by round; figures are medians, in seconds. All start from the same weights, and
their results are compared: those of the first call and, for training steps, of the one after it. Stars: above the goal.
"""

import argparse
import importlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "peers")]

import bytecode
from compile_inputs import BATCHES, arrays

GOALS = {"torch": 0.3, "jax": 1.0}  # of a peer's time
FIGURES = ("cold", "batch", "second", "batch 2", "again")
KERNEL_CHOICES = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "MKL_DEBUG_CPU_TYPE")  # would measure the override
# Largest difference of the first and the second result. After one step of Adam, which moves each weight by the rate
# whatever the gradient's size, rounding of small gradients shows; dropout draws other numbers in each library.
EXACT, TRAINED, DROPPED = (1e-4, 1e-4), (1e-4, 0.05), (0.05, 0.2)


def main():
    """Measure network by network and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default=sys.executable, help="the interpreter that has torch and jax")
    parser.add_argument("--which", default="torch,jax", help="peers, separated by commas")
    parser.add_argument("--only", default="", help="a regular expression of networks' names")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=1800, help="seconds of one process")
    parser.add_argument("--cpu-time", action="store_true", help="print the processors' time, of helpers too")
    parser.add_argument("--results", default=os.path.join(HERE, "out", "compile-peers.json"), help="all figures")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        print(json.dumps(measured(*given.worker)), flush=True)
        return
    bytecode.write(sys.executable)
    libraries = ["vitrify", *given.which.split(",")]
    found = {}
    for name in BATCHES:
        if re.search(given.only, name):
            found[name] = rounds(name, libraries, given)
            print_network(name, found[name], given.cpu_time)
            save(given.results, found)
    print_means(found, libraries[1:], given.cpu_time)


# ---- the conductor


def rounds(name, libraries, given):
    """Of each library the figures of its rounds, or why there are none."""
    found = {library: [] for library in libraries}
    with tempfile.TemporaryDirectory() as folder:
        weights = os.path.join(folder, "weights.npz")
        for _ in range(given.repeat):
            for library, own in found.items():
                if not (own and "error" in own[-1]):
                    own.append(pair(library, name, weights, given))
                if library != "vitrify" and "error" not in own[-1]:
                    own[-1]["differs"] = differences(name, found["vitrify"][-1], own[-1])
    return found


def pair(library, name, weights, given):
    """The figures of a process without a cache, and of one after it."""
    python = sys.executable if library == "vitrify" else given.peers
    command = [python, "-W", "ignore", os.path.abspath(__file__), "--worker", library, name, weights]
    figures = {"results": []}
    with tempfile.TemporaryDirectory() as cache:
        for first, batch in (("cold", "batch"), ("second", "batch 2")):
            try:
                run = subprocess.run(
                    command, env=environment(cache), capture_output=True, text=True, timeout=given.timeout, check=False
                )
            except subprocess.TimeoutExpired:
                return {"error": f"more than {given.timeout:g} s"}
            if run.returncode:
                return {"error": (run.stderr.strip().splitlines() or [f"exit {run.returncode}"])[-1]}
            read = json.loads(run.stdout.splitlines()[-1])
            figures |= {first: read["first"], batch: read["batch"], "again": read["again"]}
            figures["results"] += read["results"]
    return figures


def environment(cache):
    """This process's environment, with all libraries' caches in a folder and every compilation kept."""
    kept = {key: value for key, value in os.environ.items() if key not in KERNEL_CHOICES}
    return kept | {
        "VITRIFY_CACHE_DIR": os.path.join(cache, "vitrify"),
        "TORCHINDUCTOR_CACHE_DIR": os.path.join(cache, "torch"),
        "TORCHINDUCTOR_FX_GRAPH_CACHE": "1",
        "JAX_COMPILATION_CACHE_DIR": os.path.join(cache, "jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }


def differences(name, ours, theirs):
    """How far a peer's results are from ours, relative to the largest number; more than rounding is an error."""
    if "error" in ours:
        return None
    bounds = DROPPED if name == "mobilenet_v3_small_step" else TRAINED if name.endswith("_step") else EXACT
    found = [0.0, 0.0]
    for k, (own, other) in enumerate(zip(ours["results"], theirs["results"], strict=True)):  # of two calls a process
        gap = max(abs(a - b) for a, b in zip(own, other, strict=True)) / max(map(abs, own))
        found[k % 2] = max(found[k % 2], gap)
    if found[0] > bounds[0] or found[1] > bounds[1]:
        theirs["error"] = f"results differ from vitrify's by {found[0]:.1g} and, in the next call, {found[1]:.1g}"
    return found


# ---- tables


def of(found, figure, cpu):
    """The median of a library's rounds, or None."""
    if any("error" in one for one in found):
        return None
    return statistics.median(one[figure][int(cpu)] for one in found)


def print_network(name, found, cpu):
    peers = [library for library in found if library != "vitrify"]
    print(f"{name:26}{'vitrify':>9}" + "".join(f"{peer:>9}{'ratio':>7} " for peer in peers), flush=True)
    for figure in FIGURES:
        ours = of(found["vitrify"], figure, cpu)
        line = f"  {figure:24}" + ("   failed" if ours is None else f"{ours:9.2f}")
        for peer in peers:
            theirs = of(found[peer], figure, cpu)
            if ours is None or theirs is None:
                line += f"{'failed':>9}{'':8}" if theirs is None else f"{theirs:9.2f}{'':8}"
            else:
                missed = figure != "again" and ours / theirs > GOALS[peer]
                line += f"{theirs:9.2f}{ours / theirs:7.2f}{'*' if missed else ' '}"
        print(line.rstrip(), flush=True)
    for library, own in found.items():
        gaps = [one["differs"] for one in own if one.get("differs")]
        if gaps:
            text = ", ".join(f"{max(gap):.1g}" for gap in zip(*gaps, strict=True))
            print(f"  results of {library} differ from vitrify's by {text}", flush=True)
        for error in {one["error"] for one in own if "error" in one}:
            print(f"  {library}: {error}", flush=True)


def print_means(found, peers, cpu):
    for peer in peers:
        for figure in FIGURES[:4]:
            pairs = [(of(of_all["vitrify"], figure, cpu), of(of_all[peer], figure, cpu)) for of_all in found.values()]
            ratios = [ours / theirs for ours, theirs in pairs if ours is not None and theirs is not None]
            if ratios:
                held = sum(ratio <= GOALS[peer] for ratio in ratios)
                print(f"vitrify / {peer}, {figure}: geometric mean {statistics.geometric_mean(ratios):.2f}, "
                      f"worst {max(ratios):.2f}, goal {GOALS[peer]:g} held by {held} of {len(found)}")  # fmt: skip


def save(file, found):
    os.makedirs(os.path.dirname(os.path.abspath(file)), exist_ok=True)
    with open(file, "w") as out:
        json.dump(found, out, indent=1)


# ---- in the process that is measured


def measured(library, name, weights):
    """A first call, later ones and the first with another batch: time and processors' time. The results of two."""
    import numpy as np

    if library == "vitrify":
        call, tensors = made_by_vitrify(name, weights)
    else:
        with np.load(weights) as file:
            loaded = [file[f"arr_{k}"] for k in range(len(file.files))]
        call, tensors = importlib.import_module(f"compile_{library}").made(name, loaded)
    two, three = (tensors(arrays(name, count)) for count in (2, 3))
    (first, one), (again, other) = timed(call, two), timed(call, two)
    results = [np.ravel(result)[:50].astype(float).tolist() for result in (one, other)]
    assert np.isfinite(results).all(), results
    again = min(again, timed(call, two)[0])
    return {"first": first, "again": again, "batch": timed(call, three)[0], "results": results}


def made_by_vitrify(name, file):
    """A network's function, and what makes its arguments of arrays; writes the weights, unless they are there."""
    import numpy as np
    from compile_functions import NETWORKS

    import vitrify as vt

    vt.seed(0)
    function, net = NETWORKS[name]()
    if not os.path.exists(file):
        np.savez(file, *[p.numpy() for p in net.parameters() if p.trainable])
    return lambda *given: function(*given).numpy(), lambda given: [vt.to_tensor(array) for array in given]


def timed(call, given):
    """What a call takes, on the clock and of processors, and its result."""
    used, start = processor_time(), time.perf_counter()
    result = call(*given)
    wall = time.perf_counter() - start
    return (wall, processor_time() - used), result


def processor_time():
    """Seconds that this process, its descendants and those of them that have ended ran."""
    parents, times = {}, {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):  # it has just ended
            continue
        parents[int(entry)], times[int(entry)] = int(fields[1]), sum(map(int, fields[11:15]))

    def is_ours(process):
        return process == os.getpid() or (process in parents and is_ours(parents[process]))

    return sum(ticks for process, ticks in times.items() if is_ours(process)) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()

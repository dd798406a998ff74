"""The sweep of operations: each against NumPy, torch and jax, compiled, one thread, on several sizes and dtypes.

    python benchmarks/ops.py --peers <interpreter with the peers> --seconds 100     # goes on where the last run stopped
    python benchmarks/ops.py --peers … --only 'sort|topk' --sizes cache,odd         # a choice; measured anew with --again
    python benchmarks/ops.py --read                                                 # the table, worst ratios first

A ratio is vitrify's median over that of the fastest peer. Peers are measured in turn, round by round.
"""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from op_cases import CASES, SHAPES

RESULTS = HERE / "out" / "ops.jsonl"
ROUNDS = 5
ONE_THREAD = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "VITRIFY_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1", "JAX_PLATFORMS": "cpu",
}  # fmt: skip
OVERRIDES = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "MKL_DEBUG_CPU_TYPE")


class Worker:
    """A process that times cases."""

    def __init__(self, python, libraries, core, script=HERE / "op_worker.py"):
        environment = {k: v for k, v in os.environ.items() if k not in OVERRIDES} | ONE_THREAD
        self.libraries = libraries
        self.process = subprocess.Popen(
            [python, "-W", "ignore", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=environment, preexec_fn=lambda: os.sched_setaffinity(0, {core}),
        )  # fmt: skip

    def ask(self, **what):
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def keys(args):
    """All (case, size, dtype, backward) that were asked for."""
    for case in CASES.values():
        if args.only and not re.fullmatch(args.only, case.name) and not re.fullmatch(args.only, case.family):
            continue
        for size in case.shapes:
            for dtype in case.dtypes:
                for backward in (False, True) if case.gradient and dtype != "i64" else (False,):
                    direction = "backward" if backward else "forward"
                    if size in args.sizes and dtype in args.dtypes and direction in args.directions:
                        yield case.name, size, dtype, direction


def measure(workers, key):
    """The record of one key."""
    name, size, dtype, direction = key
    record = {"key": key, "seconds": {}, "errors": {}, "digests": {}}
    places = []
    for worker in workers:
        for library in worker.libraries:
            if CASES[name].text(library) is None:
                continue
            answer = worker.ask(
                do="prepare", case=name, size=size, dtype=dtype, library=library, backward=direction == "backward"
            )
            if "error" in answer:
                record["errors"][library] = answer["error"]
            elif "digest" in answer:
                places.append((worker, library))
                record["digests"][library] = answer["digest"]
    found = {library: [] for _, library in places}
    for k in range(ROUNDS):
        for worker, library in places[k % len(places) :] + places[: k % len(places)] if places else []:
            found[library].append(worker.ask(do="time", library=library)["seconds"])
    record["seconds"] = found
    for worker in workers:
        worker.ask(do="clear")
    return record


def ratio(record):
    """vitrify's median over the fastest peer's, and that peer; None where one of the two is missing."""
    medians = {k: statistics.median(v) for k, v in record["seconds"].items()}
    mine = medians.pop("vt", None)
    if mine is None or not medians:
        return None
    best = min(medians, key=medians.get)
    return mine / medians[best], best, mine, medians[best]


def suspicious(record):
    """Whether the libraries computed different things."""
    values = [v for v in record["digests"].values() if math.isfinite(v)]
    return bool(values) and max(values) - min(values) > 1e-2 * max(1e-9, max(values))


def read(path):
    """The latest record of every key."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {tuple(r["key"]): r for r in map(json.loads, lines)}


def table(records):
    """The table as Markdown, worst ratios first."""
    rows, missing = [], []
    for key, record in records.items():
        made = ratio(record)
        if made is None:
            missing.append((key, record["errors"]))
        else:
            rows.append((made, key, record))
    rows.sort(key=lambda row: -row[0][0])
    yield "| operation | size | dtype | pass | ratio | best peer | vitrify, µs | peer, µs | spread |"
    yield "|---|---|---|---|---:|---|---:|---:|---:|"
    for (value, best, mine, theirs), (name, size, dtype, direction), record in rows:
        times = record["seconds"]["vt"]
        spread = (max(times) - min(times)) / statistics.median(times)
        mark = " (results differ)" if suspicious(record) else ""
        yield f"| {name}{mark} | {size} | {dtype} | {direction} | {value:.2f} | {best} | {mine * 1e6:.1f} | {theirs * 1e6:.1f} | {spread:.0%} |"
    values = [row[0][0] for row in rows]
    if values:
        mean = math.exp(statistics.fmean(map(math.log, values)))
        over = sum(v > 1.3 for v in values)
        yield f"\n{len(values)} cases: median {statistics.median(values):.2f}, geometric mean {mean:.2f}, {over} above 1.3"
    for key, errors in missing:
        yield f"not compared: {' '.join(key)}: {errors}"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default=sys.executable, help="interpreter with NumPy, torch and jax")
    parser.add_argument("--vitrify", default=sys.executable, help="interpreter with vitrify")
    parser.add_argument("--only", default="", help="regular expression of names or families")
    parser.add_argument("--sizes", default=",".join(SHAPES))
    parser.add_argument("--dtypes", default="f32,f64,i64")
    parser.add_argument("--directions", default="forward,backward")
    parser.add_argument("--libraries", default="np,torch,jax")
    parser.add_argument("--seconds", type=float, default=math.inf, help="start no case after so many seconds")
    parser.add_argument("--again", action="store_true", help="measure also what was measured before")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--read", action="store_true", help="print the table of what was measured")
    made = parser.parse_args()
    for name in ("sizes", "dtypes", "directions", "libraries"):
        setattr(made, name, getattr(made, name).split(","))
    return made


def main():
    args = arguments()
    args.results.parent.mkdir(exist_ok=True)
    known = read(args.results)
    if not args.read:
        end = time.monotonic() + args.seconds
        workers = [Worker(args.vitrify, ["vt"], args.core), Worker(args.peers, args.libraries, args.core)]
        with args.results.open("a") as file:
            for key in keys(args):
                if time.monotonic() > end:
                    print("stopped for time; run it again to go on", file=sys.stderr)
                    break
                if key in known and not args.again:
                    continue
                record = known[key] = measure(workers, key)
                file.write(json.dumps(record) + "\n")
                file.flush()
        for worker in workers:
            worker.process.stdin.close()
    wanted = set(keys(args))
    print("\n".join(table({k: r for k, r in known.items() if k in wanted})))


if __name__ == "__main__":
    main()

"""What the sweeps share: a process per interpreter, rounds in turn, results that a later run goes on from, ratios.

The workers' side is sweep_worker.py; ops.py, products.py and fresh.py are the sweeps.
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
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
OVERRIDES = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "MKL_DEBUG_CPU_TYPE")


def environment(threads):
    """The variables of a worker whose libraries use so many threads."""
    found = {k: v for k, v in os.environ.items() if k not in OVERRIDES} | {"JAX_PLATFORMS": "cpu"}
    for pool in ("OMP", "OPENBLAS", "MKL", "VITRIFY"):
        found[f"{pool}_NUM_THREADS"] = str(threads)
    if threads == 1:
        found["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    found |= {  # cases that are measured again aren't compiled again
        "JAX_COMPILATION_CACHE_DIR": str(HERE / "out" / "jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    }
    return found


@dataclass(frozen=True)
class Pace:
    """How long a case is measured: rounds, seconds of each, and by which clock."""

    rounds: int = 5
    seconds: float = 0.008
    clock: str = "perf_counter"

    @classmethod
    def asked(cls, args):
        """The pace that the arguments ask for."""
        clock = "process_time" if args.cpu_time else "perf_counter"
        return cls(3, 0.003, clock) if args.brief else cls(clock=clock)


class Worker:
    """A process that times cases on the last ``threads`` cores that this one may use; started again where it dies."""

    def __init__(self, python, libraries, command, threads=1, stderr=subprocess.DEVNULL):
        self.libraries, self.command, self.threads, self.stderr = (
            libraries,
            [python, "-W", "ignore", *map(str, command)],
            threads,
            stderr,
        )
        self.start()

    def start(self):
        cores = sorted(os.sched_getaffinity(0))[-self.threads :]
        if len(cores) < self.threads:
            sys.exit(f"{self.threads} threads need as many cores, but this process may use only {cores}")
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.stderr, text=True,
            env=environment(self.threads), preexec_fn=lambda: os.sched_setaffinity(0, cores),
        )  # fmt: skip

    def ask(self, **what):
        """Send a question and wait for its answer."""
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
        if line := self.process.stdout.readline():
            return json.loads(line)
        status = self.process.wait()
        self.start()
        return {"error": f"the process ended with status {status}"}

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def in_turn(places, rounds, seconds):
    """Seconds per library of so many rounds; each round begins with the next library."""
    found = {library: [] for library in places}
    order = list(places)
    for k in range(rounds if order else 0):
        for library in order[k % len(order) :] + order[: k % len(order)]:
            found[library].append(seconds(library))
    return found


def measure(workers, key, pace, **case):
    """The record of a key: seconds, errors and digests per library."""
    record = {"key": key, "seconds": {}, "errors": {}, "digests": {}}
    places = {}
    for worker in workers:
        for library in worker.libraries:
            answer = worker.ask(do="prepare", library=library, **case)
            if "error" in answer:
                record["errors"][library] = answer["error"]
            elif "digest" in answer:
                places[library] = worker
                record["digests"][library] = answer["digest"]
    how = {"do": "time", "clock": pace.clock, "lasting": pace.seconds}
    record["seconds"] = in_turn(
        places,
        pace.rounds,
        lambda k: places[k].ask(**how, library=k).get("seconds", math.nan),
    )
    for worker in workers:
        worker.ask(do="clear")
    return record


def ratio(record):
    """vitrify's median over the fastest peer's, and that peer; None where one of the two is missing."""
    medians = {k: statistics.median(v) for k, v in record["seconds"].items() if not any(map(math.isnan, v))}
    mine = medians.pop("vt", None)
    if mine is None or not medians:
        return None
    best = min(medians, key=medians.get)
    return mine / medians[best], best, mine, medians[best]


def ranked(records):
    """(ratio, key, record) of what was compared, the worst first; and (key, errors) of what wasn't."""
    rows, missing = [], []
    for key, record in records.items():
        made = ratio(record)
        if made is None:
            missing.append((key, record["errors"]))
        else:
            rows.append((made, key, record))
    rows.sort(key=lambda row: -row[0][0])
    return rows, missing


def cells(made, record):
    """The cells that every table has: ratio, best peer, both times in microseconds, the spread of ours."""
    value, best, mine, theirs = made
    times = record["seconds"]["vt"]
    spread = (max(times) - min(times)) / statistics.median(times)
    return [f"{value:.2f}", best, f"{mine * 1e6:.1f}", f"{theirs * 1e6:.1f}", f"{spread:.0%}"]


def mark(record):
    """A remark where the libraries computed different things."""
    values = [v for v in record["digests"].values() if math.isfinite(v)]
    differ = values and max(values) - min(values) > 1e-2 * max(1e-9, max(values))
    return " (results differ)" if differ else ""


def mean(values):
    """The geometric mean."""
    return math.exp(statistics.fmean(map(math.log, values)))


def summary(rows, missing, bound):
    """The lines under a table."""
    values = [row[0][0] for row in rows]
    if values:
        over = sum(v > bound for v in values)
        yield f"\n{len(values)} cases: median {statistics.median(values):.2f}, geometric mean {mean(values):.2f}, {over} above {bound}"
    for key, errors in missing:
        yield f"not compared: {' '.join(key)}: {errors}"


def chosen(cases, only):
    """The cases whose name or family is asked for."""
    return [c for c in cases.values() if not only or re.fullmatch(only, c.name) or re.fullmatch(only, c.family)]


def parser(doc, libraries):
    """The arguments that both sweeps have; lists are separated by commas."""
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--peers", default=sys.executable, help=f"interpreter with {libraries}")
    made.add_argument("--vitrify", default=sys.executable, help="interpreter with vitrify")
    made.add_argument("--libraries", type=names, default=names(libraries))
    made.add_argument("--only", default="", help="regular expression of names or families")
    made.add_argument("--threads", type=int, default=1, choices=(1, 2))
    made.add_argument("--seconds", type=float, default=math.inf, help="start no case after so many seconds")
    made.add_argument("--again", action="store_true", help="measure also what was measured before")
    made.add_argument(
        "--above", type=float, help="measure again what was measured with a ratio above this, the worst first"
    )
    made.add_argument("--brief", action="store_true", help="three rounds of 3 ms instead of five of 8")
    made.add_argument("--cpu-time", action="store_true", help="on busy machines, one thread: time of the processor")
    made.add_argument("--part", default="1/1", help="2/8: the second of eight parts, for machines with many cores")
    made.add_argument("--results", type=Path, help="default: benchmarks/out/<sweep>-<threads>.jsonl")
    made.add_argument("--read", action="store_true", help="print the table of what was measured")
    return made


def names(text):
    return text.split(",")


def sweep(args, name, keys, measured, table):
    """Measure the keys that aren't known yet, by ``measured(workers, key, pace)``; then print the table of all that are."""
    first, parts = map(int, args.part.split("/"))
    keys = keys[first - 1 :: parts]
    path = args.results or HERE / "out" / f"{name}-{args.threads}.jsonl"
    path.parent.mkdir(exist_ok=True)
    lines = path.read_text().splitlines() if path.exists() else []
    known = {tuple(r["key"]): r for r in map(json.loads, lines)}
    wanted, again = set(keys), args.again
    if args.above is not None:
        slow, again = ranked({k: r for k, r in known.items() if k in wanted})[0], True
        keys = [key for made, key, _ in slow if made[0] > args.above]
    if not args.read:
        end = time.monotonic() + args.seconds
        script = [HERE / f"{name}_worker.py"]
        workers = [
            Worker(args.vitrify, ["vt"], script, args.threads),
            Worker(args.peers, args.libraries, script, args.threads),
        ]
        with path.open("a") as file:
            for key in keys:
                if time.monotonic() > end:
                    print("stopped for time; run it again to go on", file=sys.stderr)
                    break
                if key in known and not again:
                    continue
                record = known[key] = measured(workers, key, Pace.asked(args))
                file.write(json.dumps(record) + "\n")
                file.flush()
        for worker in workers:
            worker.end()
    print("\n".join(table({k: r for k, r in known.items() if k in wanted})))

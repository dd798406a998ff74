"""The project's speed and memory goals, measured beside the peers and printed as ratios.

    python goals.py                                 the goals of `make bench`: a few minutes
    python goals.py --python PEERS/bin/python       with peers installed in another environment
    python goals.py -w gelu,softmax -t 1            other workloads, other options of run.py
    python goals.py --read results.json             only the table, of an earlier run
    python goals.py --strict                        exit status 1 if a goal is missed

A goal is a ratio to peers of the same run, or, for compile and import times, a number of seconds. A peer that isn't
installed is skipped by name; a goal without any of its peers is "not measured", never "held".
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
OURS = "vitrify"
Results = dict[str, Any]


@dataclass(frozen=True)
class Ratio:
    """`workload` takes at most `most` times what the fastest of `peers` takes."""

    workload: str
    peers: tuple[str, ...]
    most: float


@dataclass(frozen=True)
class Limit:
    """A time in seconds that `key` may take at most; `key` is looked up in the results."""

    title: str
    key: tuple[str, ...]
    most: float


RATIOS = (
    Ratio("dispatch", ("jax", "torch_compile"), 1.0),
    Ratio("mlp_train", ("torch_eager", "torch_compile", "jax"), 1.0),
    Ratio("lstm_b1_fwd", ("torch_eager",), 1 / 8),
    Ratio("lstm_b1_fwd", ("jax",), 1.0),
)
LIMITS = (
    Limit("cold compile of the MLP step", ("compile", "mlp_train", OURS, "cold"), 2.0),
    Limit("the same, second process", ("compile", "mlp_train", OURS, "warm"), 0.5),
    Limit("import vitrify, NumPy included", ("import_whole", OURS), 0.3),
)
WORKLOADS = "dispatch,mlp_train,lstm_b1_fwd"
PEERS = "torch_eager,torch_compile,jax,ort,vitrify"
PARTS = "import,steady,memory,compile"


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    ours: str
    peer: str
    ratio: str
    target: str
    verdict: str


def seconds(t: float) -> str:
    """A time in the unit that reads best."""
    return f"{t * 1e6:.1f} us" if t < 1e-3 else f"{t * 1e3:.2f} ms" if t < 1 else f"{t:.2f} s"


def right(entry: dict[str, Any] | None) -> bool:
    """Whether a peer's measurement counts: it ran, and its first result was right."""
    return bool(entry) and "t" in entry and not entry.get("wrong")


def why_not(entry: dict[str, Any] | None) -> str:
    """Why vitrify's own measurement doesn't count."""
    if not entry:
        return "no vitrify workload"
    return "wrong result" if entry.get("wrong") else f"failed: {entry.get('error', '?')[:60]}"


def fastest(times: dict[str, Any], peers: tuple[str, ...] | None) -> tuple[float, str] | None:
    """The best time among `peers` (None: all) that gave a right result."""
    names = [p for p in times if p != OURS and (peers is None or p in peers) and right(times[p])]
    return min(((times[p]["t"], p) for p in names), default=None)


def ratio_row(results: Results, name: str, threads: str, peers: tuple[str, ...] | None, most: float | None) -> Row:
    """vitrify against the fastest of the peers on one workload."""
    times = results["steady"].get(name, {}).get(threads, {})
    what = f"{name}, {threads} thread{'s' if threads != '1' else ''}"
    target = "" if most is None else f"<= {most:.3g}"
    ours, best = times.get(OURS), fastest(times, peers)
    shown = seconds(ours["t"]) if right(ours) else "-"
    other = f"{best[1]} {seconds(best[0])}" if best else "-"
    if not right(ours):
        reason = "vitrify was skipped" if OURS in results["skipped"] else why_not(ours)
        return Row(what, shown, other, "-", target, f"not measured: {reason}")
    if not best:
        missing = ", ".join(peers or ("any peer",))
        return Row(what, shown, other, "-", target, f"not measured: without {missing}")
    ratio = ours["t"] / best[0]
    verdict = "" if most is None else ("held" if ratio <= most else "missed") + absent(times, peers)
    return Row(what, shown, other, f"{ratio:.3g}", target, verdict)


def absent(times: dict[str, Any], peers: tuple[str, ...] | None) -> str:
    """The goal's peers that were not there: a goal held without them is held against fewer."""
    missing = [p for p in peers or () if not right(times.get(p))]
    return f" (without {', '.join(missing)})" if missing else ""


def limit_row(results: Results, limit: Limit) -> Row:
    """A time of vitrify against a number of seconds."""
    value: Any = results
    for part in limit.key:
        value = value.get(part, {}) if isinstance(value, dict) else {}
    target = f"<= {limit.most} s"
    if not isinstance(value, float):
        return Row(limit.title, "-", "", "", target, "not measured")
    return Row(limit.title, seconds(value), "", "", target, "held" if value <= limit.most else "missed")


def memory_row(results: Results) -> Row | None:
    """Peak memory of one call of the tower workload against the best peer."""
    peaks = {p: entry["delta"] for p, entry in results["memory"].items() if "delta" in entry}
    others = sorted((peak, p) for p, peak in peaks.items() if p != OURS)
    if OURS not in peaks or not others:
        return None
    ours, (best, peer) = peaks[OURS], others[0]
    ratio = f"{ours / best:.3g}" if best else "-"
    return Row("tower, peak of one call", f"{ours / 2**20:.0f} MiB", f"{peer} {best / 2**20:.0f} MiB", ratio, "", "")


def rows(results: Results) -> list[Row]:
    """The whole table: goals first, then workloads without a goal, then times and memory."""
    threads = sorted({t for by_thread in results["steady"].values() for t in by_thread})
    table = [ratio_row(results, g.workload, t, g.peers, g.most) for g in RATIOS for t in threads]
    named = {goal.workload for goal in RATIOS}
    table += [ratio_row(results, n, t, None, None) for n in results["steady"] if n not in named for t in threads]
    table += [limit_row(results, limit) for limit in LIMITS]
    memory = memory_row(results)
    return table + ([memory] if memory else [])


def show(results: Results) -> list[Row]:
    """Print the table; returns its rows."""
    table = rows(results)
    head = Row("workload", OURS, "best peer", "ratio", "target", "")
    cells = [(r.what, r.ours, r.peer, r.ratio, r.target, r.verdict) for r in (head, *table)]
    widths = [max(len(row[k]) for row in cells) for k in range(6)]
    print("\nvitrify / best peer, of one run\n")
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    for peer, error in sorted(results["skipped"].items()):
        print(f"  skipped {peer}: {error[:100]}")
    print("  planned memory against the sum of intermediates: see the end of `make demo`")
    return table


def import_time(python: str, module: str, tries: int = 5) -> float | None:
    """Median seconds that importing a module adds to a fresh interpreter; None if it can't be imported."""

    def once(code: str) -> float:
        start = time.perf_counter()
        subprocess.run([python, "-c", code], check=True, capture_output=True, cwd=tempfile.gettempdir())
        return time.perf_counter() - start

    try:
        once(f"import {module}")
        pairs = [(once(f"import {module}"), once("pass")) for _ in range(tries)]
    except subprocess.CalledProcessError:
        return None
    return statistics.median(whole - bare for whole, bare in pairs)


def measure(args: argparse.Namespace, further: list[str]) -> Results:
    """Run the suite with the goals' defaults; options given by the user come later and win."""
    command = [sys.executable, os.path.join(HERE, "run.py"), "-w", WORKLOADS, "-p", PEERS, "--parts", PARTS]
    command += ["--python", args.python, "--vitrify-python", args.vitrify_python, "--out", args.out, *further]
    os.makedirs(os.path.dirname(os.path.abspath(args.out)), exist_ok=True)
    subprocess.run(command, check=True)
    with open(args.out) as file:
        results: Results = json.load(file)
    results["import_whole"] = {OURS: import_time(args.vitrify_python, "vitrify")}
    with open(args.out, "w") as file:
        json.dump(results, file, indent=1)
    return results


def main() -> int:
    """Measure, print, and say by the exit status whether the goals held if `--strict`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="interpreter of the peers' environment")
    parser.add_argument("--vitrify-python", default=sys.executable, help="interpreter of vitrify's environment")
    parser.add_argument("--out", default=os.path.join(HERE, "out", "goals.json"), help="where the figures go")
    parser.add_argument("--read", metavar="RESULTS", help="print the table of an earlier run")
    parser.add_argument("--strict", action="store_true", help="exit status 1 if a goal is missed or not measured")
    args, further = parser.parse_known_args()
    args.vitrify_python = os.path.abspath(shutil.which(args.vitrify_python) or args.vitrify_python)
    if args.read:
        with open(args.read) as file:
            results = json.load(file)
    else:
        results = measure(args, further)
    table = show(results)
    kept = all(row.verdict.startswith("held") for row in table if row.target)
    return 1 if args.strict and not kept else 0


if __name__ == "__main__":
    sys.exit(main())

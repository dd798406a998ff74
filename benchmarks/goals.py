"""The project's speed and memory goals, measured beside the peers and printed as ratios.

    python goals.py                                 the goals of `make bench`, all workloads: half an hour
    python goals.py --python PEERS/bin/python       with peers installed in another environment
    python goals.py -w gelu,softmax -t 1            other workloads, other options of run.py
    python goals.py --read results.json             only the table, of an earlier run
    python goals.py --strict                        exit status 1 if a goal is missed

A goal is a ratio to the fastest peer of the same run, or, for compile and import times, a number of seconds. A peer
that isn't installed is skipped by name; a goal without any peer is "not measured", never "held".
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
    """`workload` takes at most `most` times what the fastest peer takes."""

    workload: str
    most: float


@dataclass(frozen=True)
class Limit:
    """A time in seconds that `key` may take at most; `key` is looked up in the results."""

    title: str
    key: tuple[str, ...]
    most: float


RATIOS = (  # of the fastest framework's time
    Ratio("dispatch", 1.0),
    Ratio("gelu", 0.8),
    Ratio("chain20", 0.5),
    Ratio("bs_f32", 0.7),
    Ratio("bs_f64", 0.6),
    Ratio("softmax", 0.9),
    Ratio("layernorm", 1.0),
    Ratio("rowred", 0.9),
    Ratio("lse_loss", 0.6),
    Ratio("mlp_train", 0.75),
    Ratio("mlp_train_pycb", 0.6),
    Ratio("mlp_b1", 0.6),
    Ratio("lenet_infer", 0.8),
    Ratio("lenet_train", 0.5),
    Ratio("resnet18_infer", 1.0),
    Ratio("resnet20_train", 0.8),
    Ratio("lstm_b1_fwd", 0.6),
    Ratio("lstm_b1_fb", 0.4),
    Ratio("lstm_b32_fwd", 0.85),
    Ratio("lstm_b32_fb", 0.6),
    Ratio("newton", 0.5),
    Ratio("rk45", 0.9),
    Ratio("mandelbrot", 0.45),
    Ratio("collatz", 0.35),
    Ratio("enc_fwd", 0.9),
    Ratio("enc_train", 0.9),
    Ratio("bert_mini", 0.85),
    Ratio("adam", 0.8),
    Ratio("tower", 0.85),
)
LIMITS = (
    Limit("cold compile of the MLP step", ("compile", "mlp_train", OURS, "cold"), 1.0),
    Limit("cold compile of the LSTM, batch 32", ("compile", "lstm_b32_fwd", OURS, "cold"), 1.5),
    Limit("cold compile of the LeNet step", ("compile", "lenet_train", OURS, "cold"), 3.0),
    Limit("cold compile of the encoder step", ("compile", "enc_train", OURS, "cold"), 3.0),
    Limit("MLP step, second process", ("compile", "mlp_train", OURS, "warm"), 0.3),
    Limit("LSTM, second process", ("compile", "lstm_b32_fwd", OURS, "warm"), 0.3),
    Limit("LeNet step, second process", ("compile", "lenet_train", OURS, "warm"), 0.3),
    Limit("encoder step, second process", ("compile", "enc_train", OURS, "warm"), 0.3),
    Limit("MLP step, first result in the background", ("compile", "mlp_train", OURS, "background"), 0.1),
    Limit("import vitrify, NumPy included", ("import_whole", OURS), 0.3),
)
YARDSTICKS = ("numpy", "numba", "numba_poly")  # written by hand for one workload each: beside, not peers
ONE_THREAD = ("pytensor",)  # whatever they are given: their figure with one thread stands for any number
PEERS = "torch_eager,torch_lib,torch_compile,torch_func,jax,ort,openvino,pytensor,vitrify"
PARTS = "machine,import,steady,memory,compile"


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


def fastest(times: dict[str, Any]) -> tuple[float, str] | None:
    """The best time of a peer that gave a right result."""
    names = [p for p in times if p != OURS and p not in YARDSTICKS and right(times[p])]
    return min(((times[p]["t"], p) for p in names), default=None)


def ratio_row(results: Results, name: str, threads: str, most: float | None) -> Row:
    """vitrify against the fastest of the peers on one workload."""
    by_threads = results["steady"].get(name, {})
    alone = {peer: entry for peer, entry in by_threads.get("1", {}).items() if peer in ONE_THREAD}
    times = alone | by_threads.get(threads, {})
    what = f"{name}, {threads} thread{'s' if threads != '1' else ''}"
    target = "" if most is None else f"<= {most:.3g}"
    ours, best = times.get(OURS), fastest(times)
    shown = seconds(ours["t"]) if right(ours) else "-"
    other = f"{best[1]} {seconds(best[0])}" if best else "-"
    if not right(ours):
        reason = "vitrify was skipped" if OURS in results["skipped"] else why_not(ours)
        return Row(what, shown, other, "-", target, f"not measured: {reason}")
    if not best:
        return Row(what, shown, other, "-", target, "not measured: no peer is here")
    ratio = ours["t"] / best[0]
    verdict = "" if most is None else "held" if ratio <= most else "missed"
    return Row(what, shown, other, f"{ratio:.3g}", target, verdict)


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
    table = [
        ratio_row(results, g.workload, t, g.most) for g in RATIOS for t in threads if g.workload in results["steady"]
    ]
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


MARKS = "<!-- table -->", "<!-- end of table -->"


def limit_of(results: Results, name: str) -> float | None:
    """The least seconds that the machine's measured limits allow on one thread: compulsory bytes, or operations."""
    machine, work = results.get("machine", {}).get("1"), results.get("work", {}).get(name)
    if not machine or not work:
        return None
    bandwidth = machine["triad_48M"] if work["bytes"] > 3e6 else machine["triad_L2_768K"]
    peak = max(machine.get("sgemm_mkl_torch", 0), machine.get("sgemm_openblas_numpy", 0))
    return max(work["bytes"] / bandwidth / 1e9, work["flops"] / peak / 1e9)


def markdown(results: Results) -> str:
    """The table for docs/benchmarks.md: times, ratios, spreads, and the share of what the machine can do."""
    machine = results.get("machine", {}).get("1", {})
    versions = ", ".join(f"{peer} {version}" for peer, version in results["versions"].items() if peer not in YARDSTICKS)
    columns = (
        "workload|vitrify, 1 thread|fastest peer|ratio|goal||of the limit|spread|vitrify, 2 threads|fastest peer|ratio|"
    )
    lines = [f"Run of {results['started']}; {versions}.", "", f"|{columns}|", "|---" * 12 + "|"]
    for goal in RATIOS:
        if goal.workload not in results["steady"]:
            continue
        one, two = (ratio_row(results, goal.workload, t, goal.most) for t in ("1", "2"))
        ours = results["steady"][goal.workload].get("1", {}).get(OURS, {})
        limit = limit_of(results, goal.workload)
        share = f"{limit / ours['t']:.0%}" if limit and right(ours) else "-"
        spread = f"{ours['spread']:.0%}" if "spread" in ours else "-"
        cells = [goal.workload, one.ours, one.peer, one.ratio, one.target.replace("<= ", "≤ "), one.verdict, share]
        cells += [spread, two.ours, two.peer, two.ratio, two.verdict]
        lines.append("| " + " | ".join(cells) + " |")
    if machine:
        product = max(machine.get("sgemm_mkl_torch", 0), machine.get("sgemm_openblas_numpy", 0))
        memory_speed, cache_speed = machine["triad_48M"], machine["triad_L2_768K"]
        text = (
            "The limit is the larger of compulsory bytes over the measured bandwidth "
            f"({memory_speed:.3g} GB/s in memory, {cache_speed:.3g} in the second cache) and operations over the "
            f"measured speed of single-precision products ({product:.3g} GFLOP/s)."
        )
        lines += ["", text]
    times = [limit_row(results, limit) for limit in LIMITS]
    memory = memory_row(results)
    lines += ["", "| time or memory | vitrify | peer | goal | |", "|---|---|---|---|---|"]
    for row in [*times, *([memory] if memory else [])]:
        lines.append(f"| {row.what} | {row.ours} | {row.peer} | {row.target.replace('<= ', '≤ ')} | {row.verdict} |")
    return "\n".join(lines)


def write(results: Results, path: str) -> None:
    """Put the table between its marks in a document."""
    with open(path) as file:
        before, _, rest = file.read().partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    with open(path, "w") as file:
        file.write(f"{before}{MARKS[0]}\n{markdown(results)}\n{MARKS[1]}{after}")


def work_of(python: str) -> dict[str, Any]:
    """Bytes and operations of each workload, by the suite's own account."""
    code = "import json, workloads; print(json.dumps({n: [w.bytes, w.flops] for n, w in workloads.W.items()}))"
    told = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True, cwd=HERE).stdout
    return {name: {"bytes": counted[0], "flops": counted[1]} for name, counted in json.loads(told).items()}


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
    command = [sys.executable, os.path.join(HERE, "run.py"), "-p", PEERS, "--parts", PARTS]
    command += ["--python", args.python, "--vitrify-python", args.vitrify_python, "--out", args.out, *further]
    os.makedirs(os.path.dirname(os.path.abspath(args.out)), exist_ok=True)
    subprocess.run(command, check=True)
    with open(args.out) as file:
        results: Results = json.load(file)
    results["work"] = work_of(args.python)
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
    parser.add_argument("--write", metavar="DOCUMENT", help="put the table into a document, between its marks")
    parser.add_argument("--strict", action="store_true", help="exit status 1 if a goal is missed or not measured")
    args, further = parser.parse_known_args()
    args.vitrify_python = os.path.abspath(shutil.which(args.vitrify_python) or args.vitrify_python)
    if args.read:
        with open(args.read) as file:
            results = json.load(file)
    else:
        results = measure(args, further)
    table = show(results)
    if args.write:
        write(results, args.write)
    kept = all(row.verdict.startswith("held") for row in table if row.target)
    return 1 if args.strict and not kept else 0


if __name__ == "__main__":
    sys.exit(main())

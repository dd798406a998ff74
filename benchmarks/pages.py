"""The page of one whole run: workloads, operations and products, with one thread and two, once and again.

    python benchmarks/pages.py --folder benchmarks/out/whole --write docs/benchmarks-sweeps.md

The folder has, for each of the two runs (`first`, `second`): `workloads-first.json` (run.py's `--out`, as goals.py writes
it), `ops-1-first.jsonl`, `ops-2-first.jsonl`, `products-1-first.jsonl`, `products-2-first.jsonl`. What is missing is left out.
"""

import argparse
import json
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import goals
from ops_cases import CASES
from products_shapes import PRODUCTS
from sweep import mean, ratio

MARKS = "<!-- figures -->", "<!-- end of figures -->"
RUNS = ("first", "second")
SHARES = (0, 5, 10, 25, 50, 75, 90, 95, 99, 100)
BOUNDS = {"ops": 1.3, "products": 1.15}


def ratios(path):
    """Ratio, peer and both times by key; what no peer or only peers measured isn't in it."""
    if not path.exists():
        return {}
    records = (json.loads(line) for line in path.read_text().splitlines())
    made = {tuple(r["key"]): ratio(r) for r in records}
    return {key: one for key, one in made.items() if one is not None}


def table(header, rows, numbers=1):
    """A Markdown table; all columns from the one with this number on are aligned as figures are."""
    yield f"| {' | '.join(header)} |"
    yield "|" + "---|" * numbers + "---:|" * (len(header) - numbers)
    for row in rows:
        yield f"| {' | '.join(row)} |"


# ---- workloads


def workloads(folder):
    """Ratios of the workloads of all runs, and how far they are from the machine's limits."""
    runs = [json.loads(p.read_text()) for k in RUNS if (p := folder / f"workloads-{k}.json").exists()]
    if not runs:
        return
    first = runs[0]
    versions = ", ".join(f"{k} {v}" for k, v in first["versions"].items() if k not in goals.YARDSTICKS)
    yield "## Workloads\n"
    again = f"{len(runs)} runs, the first" if len(runs) > 1 else "A run"
    yield f"{again} of {first['started']}; {versions}.{' *Again* is the second run.' * (len(runs) > 1)}\n"
    names = [g.workload for g in goals.RATIOS if g.workload in first["steady"]]
    measured = {t for by_threads in first["steady"].values() for t in by_threads}
    places = [(t, k) for t, k in (("1", "one thread"), ("2", "two threads")) if t in measured]
    header = ["workload"]
    for _, threads in places:
        header += [threads, "fastest peer", "ratio", *["again"] * (len(runs) - 1)]
    yield from table(header, [_workload(runs, name, [t for t, _ in places]) for name in names])
    yield ""
    for place, threads in places:
        for run, results in zip(RUNS, runs, strict=False):
            values = [v for n in names if (v := number(results, n, place)) is not None]
            won = sum(v < 1 for v in values)
            yield f"* {threads}, {run} run: {won} of {len(values)} faster than the fastest peer, geometric mean {mean(values):.2f}"
    yield ""
    yield from roofline(first, names)


def number(results, name, threads):
    """The ratio of a workload, if it was measured."""
    shown = goals.ratio_row(results, name, threads, None).ratio
    return None if shown == "-" else float(shown)


def _workload(runs, name, places):
    row = [name]
    for threads in places:
        of_runs = [goals.ratio_row(r, name, threads, None) for r in runs]
        row += [of_runs[0].ours, of_runs[0].peer, *(r.ratio for r in of_runs)]
    return row


def roofline(results, names):
    """Work by time beside the machine's limits, one thread."""
    machine, work = results.get("machine", {}).get("1"), results.get("work", {})
    if not machine:
        return
    product = max(machine.get("sgemm_mkl_torch", 0), machine.get("sgemm_openblas_numpy", 0))
    yield "### How far from the machine's limits\n"
    yield (
        "Operations by the workload's own account (an exponential counts as the workload says), bytes that have to move, one thread. "
        "The limit of a workload is the larger of bytes over the measured speed of memory and operations over that of products.\n"
    )
    yield from table(["limit", "measured"], [
        ["memory, GB/s", f"{machine['triad_48M']:.1f}"], ["second cache, GB/s", f"{machine['triad_L2_768K']:.1f}"],
        ["products, GFLOP/s", f"{product:.1f}"],
    ])  # fmt: skip
    yield ""
    rows = []
    for name in names:
        entry, counted = results["steady"][name].get("1", {}).get(goals.OURS), work.get(name)
        if not goals.right(entry) or not counted or not counted["flops"] or not counted["bytes"]:
            continue
        limit = goals.limit_of(results, name)
        intensity, speed = counted["flops"] / counted["bytes"], counted["flops"] / entry["t"] / 1e9
        rows.append([name, f"{intensity:.2f}", f"{speed:.2f}", f"{limit / entry['t']:.0%}"])
    yield from table(["work of", "operations per byte", "GFLOP/s", "of the limit"], rows)


# ---- sweeps


def sweep(folder, kind, title, grouped, single):
    """Tables of a sweep: shares, groups, and what single cases (operations, families) come to."""
    runs = {(t, k): ratios(folder / f"{kind}-{t}-{k}.jsonl") for t in (1, 2) for k in RUNS}
    runs = {k: v for k, v in runs.items() if v}
    if not runs:
        return
    yield f"\n## {title}\n"
    rows = []
    for (threads, run), made in runs.items():
        values = sorted(v[0] for v in made.values())
        over = sum(v > BOUNDS[kind] for v in values)
        rows.append(
            [
                f"{threads}, {run} run",
                f"{len(values):,}",
                f"{statistics.median(values):.2f}",
                f"{mean(values):.2f}",
                f"{over}",
            ]
        )
    yield from table(["threads", "cases", "median", "geometric mean", f"above {BOUNDS[kind]}"], rows)
    yield "\nRatios by share of the cases:\n"
    shares = [[f"{t}, {k} run", *(f"{at(made, s):.3g}" for s in SHARES)] for (t, k), made in runs.items()]
    yield from table([f"share of {kind}, %", *map(str, SHARES)], shares)
    first = {t: runs[t, "first"] for t in (1, 2) if (t, "first") in runs}
    again = {t: runs.get((t, "second"), {}) for t in first}
    yield ""
    yield from groups(first, grouped)
    yield ""
    yield from singles(first, again, single)


def at(made, share):
    """The ratio below which a share (per cent) of the cases lies."""
    values = sorted(v[0] for v in made.values())
    return values[round((len(values) - 1) * share / 100)]


def groups(first, grouped):
    """Medians and means by group, for each number of threads."""
    named = {}  # first all groups of one kind, then those of the next
    for kind in range(len(grouped(next(iter(next(iter(first.values()))))))):
        for threads, made in first.items():
            for key, value in made.items():
                named.setdefault(grouped(key)[kind], {}).setdefault(threads, []).append(value[0])
    header = ["cases"]
    for threads in first:
        header += [f"{threads} thread{'s' if threads > 1 else ''}: cases", "median", "geometric mean", "worst"]
    rows = []
    for group, by_threads in named.items():
        row = [group]
        for threads in first:
            values = by_threads.get(threads, [])
            row += (
                [f"{len(values):,}", f"{statistics.median(values):.2f}", f"{mean(values):.2f}", f"{max(values):.2f}"]
                if values
                else [""] * 4
            )
        rows.append(row)
    yield from table(header, rows)


def singles(first, again, single):
    """What single operations or families come to: the worst of both runs decides the order."""
    found = {}
    for threads, made in first.items():
        for key, value in made.items():
            both = min(value[0], again[threads].get(key, value)[0])
            found.setdefault(single(key), []).append((both, threads, key, value))
    ranked = sorted(found.items(), key=lambda item: -max(item[1])[0])
    rows = []
    for name, cases in ranked:
        worst, threads, key, (_, peer, mine, theirs) = max(cases)
        where = ", ".join(key[1:] if key[0] == name else key)
        rows.append([name, f"{where}, {threads} thread{'s' if threads > 1 else ''}", peer, f"{worst:.2f}", f"{mean([c[0] for c in cases]):.2f}",
                     f"{len(cases)}", f"{mine * 1e6:,.1f}", f"{theirs * 1e6:,.1f}"])  # fmt: skip
    header = [
        "what",
        "worst case",
        "fastest peer there",
        "ratio there",
        "geometric mean",
        "cases",
        "vitrify, µs",
        "peer, µs",
    ]
    yield "Each with its worst case; where it was measured twice, the lower of the two ratios counts, as a disturbance makes one higher.\n"
    yield from table(header, rows, numbers=3)


def of_operation(key):
    """The groups of a case of the sweep of operations."""
    name, size, dtype, what = key
    return f"{dtype}, {what}", f"size {size}", f"family {CASES[name].family}"


def of_product(key):
    """The groups of a case of the sweep of products."""
    return (f"{PRODUCTS[key[0]].family}, {key[1]}",)


def page(folder):
    """All lines between the marks."""
    yield from workloads(folder)
    yield from sweep(folder, "ops", "Operations", of_operation, lambda key: key[0])
    yield from sweep(folder, "products", "Products", of_product, lambda key: PRODUCTS[key[0]].family)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--write", type=Path, help="put the figures into a document, between its marks")
    args = parser.parse_args()
    text = "\n".join(page(args.folder))
    if args.write is None:
        print(text)
        return
    before, _, rest = args.write.read_text().partition(MARKS[0])
    args.write.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{rest.partition(MARKS[1])[2]}")


if __name__ == "__main__":
    main()

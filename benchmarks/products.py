"""The sweep of products: GEMMs and convolutions of real models, forward and both gradients, float32, one thread.

    python benchmarks/products.py --peers <interpreter with the peers> --seconds 100    # goes on where the last run stopped
    python benchmarks/products.py --peers … --only 'conv depthwise.*|conv 1x1' --again   # families or names, measured anew
    python benchmarks/products.py --every 7                                              # each seventh product only
    python benchmarks/products.py --read                                                 # the table, worst ratios first

Beside torch (oneDNN, MKL), OpenVINO (oneDNN; forward, weights constant) and NumPy (OpenBLAS), in turn, round by round.
A ratio is vitrify's median over that of the fastest peer. The shapes are in product_shapes.py.
"""

import argparse
import json
import math
import os
import re
import statistics
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from product_shapes import PRODUCTS

from ops import Worker, ratio, read, suspicious

RESULTS = HERE / "out" / "products.jsonl"
PASSES = ("forward", "left", "right")  # the product, and the gradients of both operands
ROUNDS = 3


def keys(args):
    """All (product, pass) that were asked for."""
    chosen = [
        p for p in PRODUCTS.values()
        if not args.only or re.fullmatch(args.only, p.name) or re.fullmatch(args.only, p.family)
    ]  # fmt: skip
    for product in chosen[:: args.every]:
        for what in args.passes:
            yield product.name, what


def measure(workers, key):
    """The record of one key."""
    name, what = key
    record = {"key": key, "seconds": {}, "errors": {}, "digests": {}}
    places = []
    for worker in workers:
        for library in worker.libraries:
            answer = worker.ask(do="prepare", product=name, library=library, what=what)
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


def table(records):
    """Families, then single products, as Markdown; the worst first."""
    rows, missing = [], []
    for key, record in records.items():
        made = ratio(record)
        if made is None:
            missing.append((key, record["errors"]))
        else:
            rows.append((made, key, record))
    rows.sort(key=lambda row: -row[0][0])
    families = {}
    for (value, *_), (name, what), _ in rows:
        families.setdefault((PRODUCTS[name].family, what), []).append(value)
    yield "| family | pass | products | geometric mean | worst |"
    yield "|---|---|---:|---:|---:|"
    for (family, what), values in sorted(families.items(), key=lambda item: -_mean(item[1])):
        yield f"| {family} | {what} | {len(values)} | {_mean(values):.2f} | {max(values):.2f} |"
    yield "\n| product | pass | ratio | best peer | vitrify, µs | peer, µs | GFLOP/s | spread |"
    yield "|---|---|---:|---|---:|---:|---:|---:|"
    for (value, best, mine, theirs), (name, what), record in rows:
        times = record["seconds"]["vt"]
        spread = (max(times) - min(times)) / statistics.median(times)
        mark = " (results differ)" if suspicious(record) else ""
        speed = 2e-9 * PRODUCTS[name].work / mine
        yield f"| {name}{mark} | {what} | {value:.2f} | {best} | {mine * 1e6:.1f} | {theirs * 1e6:.1f} | {speed:.0f} | {spread:.0%} |"
    values = [row[0][0] for row in rows]
    if values:
        over = sum(v > 1.15 for v in values)
        yield f"\n{len(values)} cases: median {statistics.median(values):.2f}, geometric mean {_mean(values):.2f}, {over} above 1.15"
    for key, errors in missing:
        yield f"not compared: {' '.join(key)}: {errors}"


def _mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default=sys.executable, help="interpreter with NumPy, torch and OpenVINO")
    parser.add_argument("--vitrify", default=sys.executable, help="interpreter with vitrify")
    parser.add_argument("--only", default="", help="regular expression of names or families")
    parser.add_argument("--every", type=int, default=1, help="measure each so many-th product")
    parser.add_argument("--passes", default=",".join(PASSES))
    parser.add_argument("--libraries", default="np,torch,openvino")
    parser.add_argument("--seconds", type=float, default=math.inf, help="start no case after so many seconds")
    parser.add_argument("--again", action="store_true", help="measure also what was measured before")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--read", action="store_true", help="print the table of what was measured")
    made = parser.parse_args()
    for name in ("passes", "libraries"):
        setattr(made, name, getattr(made, name).split(","))
    return made


def main():
    args = arguments()
    args.results.parent.mkdir(exist_ok=True)
    known = read(args.results)
    if not args.read:
        end = time.monotonic() + args.seconds
        script = HERE / "product_worker.py"
        workers = [
            Worker(args.vitrify, ["vt"], args.core, script),
            Worker(args.peers, args.libraries, args.core, script),
        ]
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

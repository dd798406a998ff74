"""The sweep of products: GEMMs and convolutions of real models, forward and both gradients, float32.

    python benchmarks/products.py --peers <interpreter with the peers> --seconds 100    # goes on where the last run stopped
    python benchmarks/products.py --peers … --only 'conv depthwise.*|conv 1x1' --again   # families or names, measured anew
    python benchmarks/products.py --every 7                                              # each seventh product only
    python benchmarks/products.py --read                                                 # the table, worst ratios first

Beside torch (oneDNN, MKL), OpenVINO (oneDNN; forward, weights constant) and NumPy (OpenBLAS), in turn, round by round.
A ratio is vitrify's median over that of the fastest peer. The shapes are in products_shapes.py.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from products_shapes import PRODUCTS
from sweep import cells, chosen, mark, mean, measure, names, parser, ranked, summary, sweep

PASSES = ("forward", "left", "right")  # the product, and the gradients of both operands


def keys(args):
    """All (product, pass) that were asked for."""
    for product in chosen(PRODUCTS, args.only)[:: args.every]:
        for what in args.passes:
            yield product.name, what


def measured(workers, key, pace):
    """The record of one key."""
    name, what = key
    return measure(workers, key, pace, product=name, what=what)


def table(records):
    """Families, then single products, as Markdown; the worst first."""
    rows, missing = ranked(records)
    families = {}
    for (value, *_), (name, what), _ in rows:
        families.setdefault((PRODUCTS[name].family, what), []).append(value)
    yield "| family | pass | products | geometric mean | worst |"
    yield "|---|---|---:|---:|---:|"
    for (family, what), values in sorted(families.items(), key=lambda item: -mean(item[1])):
        yield f"| {family} | {what} | {len(values)} | {mean(values):.2f} | {max(values):.2f} |"
    yield "\n| product | pass | ratio | best peer | vitrify, µs | peer, µs | spread | GFLOP/s |"
    yield "|---|---|---:|---|---:|---:|---:|---:|"
    for made, (name, what), record in rows:
        speed = 2e-9 * PRODUCTS[name].work / made[2]
        yield f"| {name}{mark(record)} | {what} | {' | '.join(cells(made, record))} | {speed:.0f} |"
    yield from summary(rows, missing, bound=1.15)


def main():
    made = parser(__doc__, "np,torch,openvino")
    made.add_argument("--every", type=int, default=1, help="measure each so many-th product")
    made.add_argument("--passes", type=names, default=list(PASSES))
    args = made.parse_args()
    sweep(args, "products", list(keys(args)), measured, table)


if __name__ == "__main__":
    main()

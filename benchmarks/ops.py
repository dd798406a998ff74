"""The sweep of operations: each against NumPy, torch and jax, compiled, on several sizes and dtypes.

    python benchmarks/ops.py --peers <interpreter with the peers> --seconds 100     # goes on where the last run stopped
    python benchmarks/ops.py --peers … --only 'sort|topk' --sizes cache,odd         # a choice; measured anew with --again
    python benchmarks/ops.py --read                                                 # the table, worst ratios first

A ratio is vitrify's median over that of the fastest peer. Peers are measured in turn, round by round.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from ops_cases import CASES, SHAPES
from sweep import cells, chosen, mark, measure, names, parser, ranked, summary, sweep


def keys(args):
    """All (case, size, dtype, backward) that were asked for."""
    for size in SHAPES:
        for case in chosen(CASES, args.only):
            for dtype in case.dtypes:
                for backward in (False, True) if case.gradient and dtype != "i64" else (False,):
                    direction = "backward" if backward else "forward"
                    if (
                        size in case.shapes
                        and size in args.sizes
                        and dtype in args.dtypes
                        and direction in args.directions
                    ):
                        yield case.name, size, dtype, direction


def measured(workers, key, pace):
    """The record of one key."""
    name, size, dtype, direction = key
    return measure(workers, key, pace, case=name, size=size, dtype=dtype, backward=direction == "backward")


def table(records):
    """The table as Markdown, worst ratios first."""
    rows, missing = ranked(records)
    yield "| operation | size | dtype | pass | ratio | best peer | vitrify, µs | peer, µs | spread |"
    yield "|---|---|---|---|---:|---|---:|---:|---:|"
    for made, (name, size, dtype, direction), record in rows:
        yield f"| {name}{mark(record)} | {size} | {dtype} | {direction} | {' | '.join(cells(made, record))} |"
    yield from summary(rows, missing, bound=1.3)


def main():
    made = parser(__doc__, "np,torch,jax")
    made.add_argument("--sizes", type=names, default=list(SHAPES))
    made.add_argument("--dtypes", type=names, default=["f32", "f64", "i64"])
    made.add_argument("--directions", type=names, default=["forward", "backward"])
    args = made.parse_args()
    sweep(args, "ops", list(keys(args)), measured, table)


if __name__ == "__main__":
    main()

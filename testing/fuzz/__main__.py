"""python -m vitrify.testing.fuzz: random cases, run in every way; see the package."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from .run import KINDS, fuzz


def main(arguments: list[str] | None = None) -> int:
    """The command line; 1 where ways of running disagreed."""
    parser = argparse.ArgumentParser(prog="python -m vitrify.testing.fuzz", description=__doc__)
    parser.add_argument("--kind", action="append", choices=sorted(KINDS), help="may be repeated; all, without")
    parser.add_argument("--seconds", type=float, help="stop after this time (a night: 28800)")
    parser.add_argument("--count", type=int, help="cases of each kind; 20 where no time is given either")
    parser.add_argument("--seed", type=int, help="the first seed; without it, one that nobody tried")
    parser.add_argument("--into", type=Path, default=Path("tests/regressions"), help="folder for scripts of failures")
    parser.add_argument("--no-shrink", action="store_true", help="keep failing cases as they are")
    given = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(10**6, 10**9) if given.seed is None else given.seed
    print(f"first seed: {seed}")
    report = fuzz(
        given.kind or list(KINDS), seed=seed, count=given.count, seconds=given.seconds, into=given.into,
        shrink=not given.no_shrink, progress=sys.stderr.isatty(),
    )  # fmt: skip
    print(report)
    return 1 if report.found else 0


if __name__ == "__main__":
    sys.exit(main())

"""`report`: the one page of everything, written to a file."""

from __future__ import annotations

import argparse

from ..runtime.observe.profiler import profile
from ..viz.report import report
from .inputs import given
from .outcome import Outcome
from .target import read

CALLS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `report`."""
    parser.add_argument("--output", "-o", metavar="FILE.html", default="report.html", help="where to (report.html)")
    parser.add_argument("--profile", action="store_true", help=f"measure {CALLS} more calls, and show their times")


def run(options: argparse.Namespace) -> Outcome:
    """Call the function, once or with `--profile` more often, and write its report."""
    target = read(options.target, method=options.method, callbacks=options.callbacks)
    args, kwargs = target.arguments(given(options.input, options.size, options.seed))
    target.function(*args, **kwargs)
    measured = None
    if options.profile:
        with profile() as measured:
            for _ in range(CALLS):
                target.function(*args, **kwargs)
    report(target.subject if target.is_artifact else target.compiled(), options.output, profile=measured)
    return Outcome({"target": target.text, "output": options.output}, f"wrote {options.output}")

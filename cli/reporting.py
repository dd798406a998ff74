"""`report`: the one page of everything, written to a file."""

from __future__ import annotations

import argparse

from ..viz.report import report
from .inputs import given
from .outcome import Outcome
from .target import read


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `report`."""
    parser.add_argument("--output", "-o", metavar="FILE.html", default="report.html", help="where to (report.html)")


def run(options: argparse.Namespace) -> Outcome:
    """Call the function once and write its report."""
    target = read(options.target, method=options.method, callbacks=options.callbacks)
    args, kwargs = target.arguments(given(options.input, options.size, options.seed))
    target.function(*args, **kwargs)
    report(target.subject if target.is_artifact else target.compiled(), options.output)
    return Outcome({"target": target.text, "output": options.output}, f"wrote {options.output}")

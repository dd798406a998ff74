"""`report`: the one page of everything, written to a file."""

from __future__ import annotations

import argparse
import importlib
from typing import Any

from ..base.errors import MissingError
from .inputs import given
from .outcome import Outcome, UsageError
from .target import read


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `report`."""
    parser.add_argument("--output", "-o", metavar="FILE.html", default="report.html", help="where to (report.html)")


def run(options: argparse.Namespace) -> Outcome:
    """Call the function once and write its report."""
    target = read(options.target, method=options.method, callbacks=options.callbacks)
    args, kwargs = target.arguments(given(options.input, options.size, options.seed))
    target.function(*args, **kwargs)
    try:
        _writer()(target.subject if target.is_artifact else target.compiled(), options.output)
    except OSError as error:
        raise UsageError(f"{options.output} can't be written: {error}") from error
    return Outcome({"target": target.text, "output": options.output}, f"wrote {options.output}")


def _writer() -> Any:
    try:
        return importlib.import_module("..viz.report", __package__).report
    except ModuleNotFoundError as error:
        raise MissingError("this version has no report", remedy="use inspect, or vt.draw") from error

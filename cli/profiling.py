"""`profile`: call a target for a while and show where the time goes."""

from __future__ import annotations

import argparse
import time

from ..dygraph.modes import no_grad
from ..runtime.observe.profiler import profile
from .inputs import given
from .outcome import Outcome, UsageError
from .target import read


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `profile`."""
    parser.add_argument("--seconds", type=float, default=1.0, help="how long to call it (default 1)")
    parser.add_argument("--trace", metavar="FILE.json", help="write a trace for Chrome and Perfetto")
    parser.add_argument("--compiling", action="store_true", help="profile the first call, which compiles, as well")
    parser.add_argument("--rows", type=int, default=20, help="of each table (default 20)")


def run(options: argparse.Namespace) -> Outcome:
    """Profile calls of the target."""
    if not options.seconds > 0:
        raise UsageError("--seconds must be more than 0")
    target = read(options.target, method=options.method, callbacks=options.callbacks)
    args, kwargs = target.arguments(given(options.input, options.size, options.seed))
    with no_grad():
        if not options.compiling:
            target.function(*args, **kwargs)
        with profile() as found:
            end = time.perf_counter() + options.seconds
            while True:
                target.function(*args, **kwargs)
                if time.perf_counter() >= end:
                    break
    if options.trace is not None:
        found.export(options.trace)
    return Outcome(found.to_dict(), str(found.table(rows=options.rows)))

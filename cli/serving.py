"""`serve`: an artifact behind HTTP."""

from __future__ import annotations

import argparse

from ..inference.serving import create_app, web_package
from .outcome import Outcome, UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The artifact, where to listen, how to batch."""
    parser.add_argument("model", help="an artifact that jit.save wrote")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen to (default 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8080, help="default 8080")
    parser.add_argument("--window", type=float, default=2.0, metavar="MS", help="milliseconds to wait for a batch (2)")
    parser.add_argument("--most", type=int, default=64, metavar="ROWS", help="rows of a batch (64)")
    parser.add_argument("--name", help="of the model in URLs; by default the file's")


def run(options: argparse.Namespace) -> Outcome:
    """Serve until interrupted. Errors: MissingDependencyError without the extra `serve`."""
    if not 0 <= options.port < 1 << 16:
        raise UsageError(f"--port {options.port} is no port")
    server = web_package("uvicorn")
    app = create_app(options.model, window=options.window / 1000, most=options.most, name=options.name)
    server.run(app, host=options.host, port=options.port, log_level="warning", access_log=False)
    return Outcome({"served": options.model}, "")

"""`build`: a target as a C library."""

from __future__ import annotations

import argparse

from ..native.building import build
from ..native.platforms import PLATFORMS
from .outcome import Outcome, UsageError
from .target import read


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `build`."""
    parser.add_argument(
        "--target", dest="platform", metavar="PLATFORM", default="x86_64-linux", help=", ".join(PLATFORMS)
    )
    parser.add_argument("--output", "-o", metavar="FOLDER", required=True, help="where to; its name begins all C names")
    parser.add_argument("--limit", action="append", default=[], metavar="NAME=N", help="the most of an open size")


def run(options: argparse.Namespace) -> Outcome:
    """Build the library of the target's inputs; functions need an input_spec."""
    target = read(options.target, method=options.method, callbacks=options.callbacks)
    if options.method != "forward":
        raise UsageError("build takes the method forward", remedy="save the other one as an artifact of its own")
    folder = build(target.subject, None, options.output, options.platform, limits=dict(map(_limit, options.limit)))
    files = {file.name: file.stat().st_size for file in sorted(folder.iterdir()) if file.is_file()}
    text = "\n".join(f"{folder / name}  {size:,} bytes" for name, size in files.items())
    return Outcome({"target": options.target, "platform": options.platform, "files": files}, text)


def _limit(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if not name.isidentifier() or not number.isdigit():
        raise UsageError(f"--limit {text} isn't NAME=N")
    return name, int(number)

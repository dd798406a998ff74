"""`completion`: a script that completes the command line in a shell, made by shtab."""

from __future__ import annotations

import argparse
import importlib

from ..base.errors import MissingDependencyError
from .outcome import Outcome

SHELLS = ("bash", "zsh", "tcsh")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `completion`."""
    parser.add_argument("shell", choices=SHELLS)


def run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Outcome:
    """Print the script."""
    try:
        shtab = importlib.import_module("shtab")
    except ImportError as error:
        raise MissingDependencyError(
            "shell completion needs shtab", remedy="pip install shtab (or the extra: pip install vitrify[cli])"
        ) from error
    script = str(shtab.complete(parser, shell=options.shell))
    return Outcome({"shell": options.shell, "script": script}, script)

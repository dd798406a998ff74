"""The command line's arguments, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import argparse
import os
import re
import sys
import traceback
from collections.abc import Callable, Sequence

from ..base.errors import VitrifyError
from ..base.suggest import hint, one_of
from . import (
    building,
    caching,
    checking,
    comparing,
    completion,
    doctor,
    inspection,
    launching,
    profiling,
    reporting,
    running,
    serving,
)
from .outcome import Exit, Outcome, TargetError, exit_of, write, write_error

Command = Callable[[argparse.Namespace], Outcome]
TARGET = "an artifact (file or folder), or MODULE:FUNCTION; MODULE may be a .py file"
ON_ONE = ("inspect", "run", "report", "bench", "profile")  # commands of one target
EXAMPLES = """examples:
  vitrify {command} model.vt                                   an artifact that vt.jit.save wrote
  vitrify {command} train.py:step --input "f32[8,784]"         a function of a file, with example values
  vitrify {command} package.module:net --input x=@image.npy    a layer of a module, with an array from a file"""

_OPTION = re.compile(r"--[a-z][a-z-]*")


def parsers() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """The parser of the whole command line, and that of each command."""
    made = argparse.ArgumentParser(
        prog="vitrify", description="Look at, run, compare and time compiled functions and saved models."
    )
    made.add_argument("--version", action="version", version=f"vitrify {doctor.version('vitrify')}")
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
    common, on_target = _common(), _on_target()
    each: dict[str, argparse.ArgumentParser] = {}

    def add(name: str, help: str, run: Command, fill: Callable[[argparse.ArgumentParser], None]) -> None:
        uses = [common, on_target] if name not in ("doctor", "completion", "check", "launch", "serve") else [common]
        shown = EXAMPLES.format(command=name) if name in ON_ONE else None
        one = commands.add_parser(
            name, help=help, description=help, parents=uses, epilog=shown,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        if name == "cache":
            fill(one)
        if on_target in uses:
            one.add_argument("target", help=TARGET, nargs="?" if name == "cache" else None)
        if name != "cache":
            fill(one)
        one.set_defaults(carry_out=run)
        each[name] = one

    add("inspect", "show what a target holds", inspection.run, inspection.add_arguments)
    add("run", "call a target once", running.run, running.add_run_arguments)
    add("build", "write a target as a C library", building.run, building.add_arguments)
    add("report", "write a report of a target as one HTML page", reporting.run, reporting.add_arguments)
    add("diff", "compare two targets", comparing.run, comparing.add_arguments)
    add("bench", "time calls of a target", running.bench, running.add_bench_arguments)
    add("profile", "call a target and show where the time goes", profiling.run, profiling.add_arguments)
    add("cache", "the kernels kept on disk", caching.run, caching.add_arguments)
    add(
        "check",
        "list a project's PaddlePaddle names: here, different, absent",
        checking.run,
        checking.add_arguments,
    )
    add("launch", "run a program as several processes, through MPI", launching.run, launching.add_arguments)
    add("serve", "answer HTTP requests by a saved model", serving.run, serving.add_arguments)
    add("doctor", "what this installation has, and what is wrong with it", doctor.run, doctor.add_arguments)
    add("completion", "print a shell's completion script", lambda o: completion.run(o, made), completion.add_arguments)
    return made, each


def _common() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(add_help=False)
    made.add_argument("--json", action="store_true", help="print JSON")
    made.add_argument("--traceback", action="store_true", help="show Python's traceback of an error, too")
    return made


def _on_target() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(add_help=False)
    made.add_argument("--method", default="forward", help="which method of an artifact (default forward)")
    made.add_argument("--callbacks", metavar="MODULE", help="where an artifact finds the Python functions it calls")
    made.add_argument(
        "--input", action="append", default=[], metavar="[NAME=]VALUE",
        help="an input: a type to be filled with example values (f32[8,784]), @file.npy, or numbers as JSON",
    )  # fmt: skip
    made.add_argument("--size", action="append", default=[], metavar="NAME=N", help="the size of an open axis")
    made.add_argument("--seed", type=int, default=0, help="of the example values (default 0)")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code (see docs/cli.md). SystemExit 2 for a wrong command line."""
    options = _parsed(sys.argv[1:] if arguments is None else arguments)
    try:
        outcome: Outcome = options.carry_out(options)
        write(outcome, options.json)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.PIPE_CLOSED
    except (VitrifyError, TargetError) as error:
        return _failed(error, options)
    except Exception as error:  # broad: the user's function can fail with anything
        return _failed(error, options)
    return outcome.code


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line as options. An unknown command or option ends the process, with the one that was meant."""
    made, each = parsers()
    command = next((a for a in arguments if not a.startswith("-")), None)
    if command is not None and command not in each:
        made.error(f"invalid choice: {command!r}; {one_of(command, each)}")
    options, unknown = made.parse_known_args(arguments)
    if unknown:
        close = hint(unknown[0].partition("=")[0], _OPTION.findall(each[options.command].format_help()))
        made.error(f"unrecognized arguments: {' '.join(unknown)}" + (f"; {close}" if close else ""))
    return options


def _failed(error: BaseException, options: argparse.Namespace) -> int:
    if options.traceback:
        traceback.print_exception(error)
    write_error(error, options.json)
    return exit_of(error)

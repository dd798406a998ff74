"""One process of `vitrify launch`: runs the program, and leaves its error where the launcher finds it.

python -m vitrify.distributed.worker FOLDER PROGRAM ARGUMENTS...
"""

from __future__ import annotations

import ctypes
import os
import runpy
import signal
import sys
import traceback
from pathlib import Path

from ..ops.exchange import transport
from .failures_of_ranks import FOLDER, Failures
from .mpi import MpiTransport
from .process import started_as

_WITH_PARENT = 1  # prctl's PR_SET_PDEATHSIG


def main() -> int:
    """Run the program of the command line as `__main__`; the exit code."""
    folder, program = Path(sys.argv[1]), sys.argv[2]
    rank, _ = started_as()
    os.environ[FOLDER] = str(folder)
    _end_with_parent()
    if rank:
        _write_to(folder / f"rank-{rank}.log")
    sys.argv = sys.argv[2:]
    sys.path[0] = str(Path(program).resolve().parent)
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as error:
        if error.code in (None, 0):
            return 0
        _failed(folder, rank, f"SystemExit: {error.code}")
        return error.code if isinstance(error.code, int) else 1
    except BaseException as error:  # broad: whatever ends the program is reported, and ends the run
        frames = error.__traceback__
        while frames is not None and frames.tb_frame.f_code.co_filename != program:
            frames = frames.tb_next
        _failed(folder, rank, "".join(traceback.format_exception(type(error), error, frames)))
        return 1
    return 0


def _failed(folder: Path, rank: int, text: str) -> None:
    """Say why, where the launcher and the other ranks find it, and end all ranks."""
    sys.stdout.flush()
    print(text, file=sys.stderr, flush=True)
    Failures(folder).note(rank, text)
    joined = transport()
    if isinstance(joined, MpiTransport):
        joined.abort()


def _write_to(file: Path) -> None:
    """Let everything that this process prints go to a file."""
    target = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(target, 1)
    os.dup2(target, 2)
    os.close(target)


def _end_with_parent() -> None:
    """On Linux: be killed when the process that started this one ends, however that happens."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_WITH_PARENT, signal.SIGKILL)


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.exit(code)

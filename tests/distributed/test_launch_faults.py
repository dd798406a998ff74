"""One of three ranks fails: the others get an error that names it, the run ends within 5 s, and nothing is left."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from vitrify import distributed as dist
from vitrify.distributed.failures_of_ranks import FOLDER, Failures
from vitrify.distributed.mpi import _seconds
from vitrify.errors import ArgumentError, ExchangeError, Loc

from .launches import launch

PROGRAM = Path(__file__).parent / "faulty_program.py"

FAULTS: dict[str, tuple[int, str, str]] = {  # which rank is named as the first, with what; what the others are told
    "killed": (1, "the process of rank 1 was ended by SIGKILL", "rank 1 has failed: the process of rank 1 was ended"),
    "crashed": (1, "the process of rank 1 was ended by SIGSEGV", "rank 1 has failed: the process of rank 1 was ended"),
    "raises": (1, "KeyError: 'lost'", "rank 1 has failed: KeyError: 'lost'"),
    "out of memory": (1, "MemoryLimitError: full makes", "rank 1 has failed: vitrify.errors.MemoryLimitError: full"),
    "ends": (0, "rank 1 has ended", "rank 1 has ended"),
    "hangs": (0, "rank 1 hasn't come", "rank 1 hasn't come"),
    "hangs in a small exchange": (0, "rank 1 hasn't come", "rank 1 hasn't come"),
    "stopped": (0, "rank 1 hasn't come", "rank 1 hasn't come"),
}


def running(folder: Path) -> list[str]:
    """The command lines of processes that still run, or wait to be buried, for these logs."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().decode(errors="replace")
        except OSError:  # it has ended
            continue
        if str(folder) in words and entry.parent.name != str(os.getpid()):
            found.append(words)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("how", FAULTS)
def test_the_others_are_told_and_all_ends(mpi: str, how: str, tmp_path: Path) -> None:
    first, said, told = FAULTS[how]
    notes, logs = tmp_path / "notes", tmp_path / "logs"
    notes.mkdir()
    done = launch(mpi, 3, logs, PROGRAM, how, str(notes))
    took = time.time() - float((notes / "failed").read_text())
    out = done.stdout + done.stderr
    assert done.returncode == 4, out
    assert "failed first" in out and said in out, out
    if first:
        assert f"rank {first} of 3 failed first" in out, out
    for rank in (0, 2):
        text = (notes / f"rank-{rank}").read_text()
        assert text.startswith("ExchangeError: ") and told in text, text
    assert took < 5.0, f"{took:.1f} s"
    for _ in range(20):  # a killed process takes a moment
        if not running(logs):
            break
        time.sleep(0.1)
    assert running(logs) == []


def test_a_failure_of_another_rank_is_an_error(tmp_path: Path) -> None:
    failures, here = Failures(tmp_path), Loc("train.py", 3)
    failures.check(0, here)
    failures.note(0, "ours")
    failures.check(0, here)
    failures.note(2, "Traceback\nKeyError: 'lost'\n  help: look\n")
    failures.note(2, "later")
    with pytest.raises(ExchangeError, match="rank 2 has failed: KeyError: 'lost'"):
        failures.check(0, here)


def test_without_launch_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    assert Failures.of_launch() == Failures(None)
    Failures(None).check(0, Loc("", 0))


def test_the_limit_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArgumentError, match="more than 0"):
        dist.init_parallel_env(timeout=0)
    monkeypatch.setenv("VITRIFY_EXCHANGE_TIMEOUT", "soon")
    with pytest.raises(ArgumentError, match="VITRIFY_EXCHANGE_TIMEOUT is 'soon'"):
        _seconds()
    monkeypatch.setenv("VITRIFY_EXCHANGE_TIMEOUT", "2.5")
    assert _seconds() == 2.5


def test_the_supervisor_hands_the_code_on(tmp_path: Path) -> None:
    from vitrify.distributed import supervisor

    def run(program: str) -> Any:
        command = [sys.executable, "-I", supervisor.__file__, str(tmp_path), sys.executable, "-c", program]
        return subprocess.run(command, env={**os.environ, "PMI_RANK": "3"}, timeout=60, check=False).returncode

    assert run("raise SystemExit(7)") == 7 and run("") == 0 and list(tmp_path.iterdir()) == []
    assert run("import os; os.kill(os.getpid(), 9)") == 1
    said = (tmp_path / "rank-3.error").read_text().splitlines()
    assert float(said[0]) <= time.time() and "rank 3 was ended by SIGKILL: somebody did, or the system" in said[1]

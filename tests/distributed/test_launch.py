"""`vitrify launch`: ranks over MPI compute what simulated ones do; failures are named, and no process is left."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from vitrify.cli import launching
from vitrify.errors import MissingDependencyError

from . import launches

PROGRAM = Path(__file__).parent / "program.py"


def launch(python: str, how: str, logs: Path, ranks: int = 2, *more: str) -> tuple[int, str, str]:
    done = launches.launch(python, ranks, logs, PROGRAM, how, *more)
    return done.returncode, done.stdout, done.stderr


def left_over(logs: Path) -> list[str]:
    """The command lines of processes that still run for these logs."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().decode(errors="replace")
        except OSError:  # it has ended
            continue
        if str(logs) in words and entry.parent.name != str(os.getpid()):
            found.append(words)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [2, 4])
def test_mpi_gives_the_bits_of_the_simulator(mpi: str, ranks: int, tmp_path: Path) -> None:
    code, out, err = launch(mpi, "compare", tmp_path, ranks)
    assert code == 0, out + err
    assert f"rank 0 of {ranks} is done" in out and "rank 1" not in out
    assert f"rank 1 of {ranks} is done" in (tmp_path / "rank-1.log").read_text()


@pytest.mark.slow
def test_a_checkpoint_of_three_processes_is_loaded_by_two(mpi: str, tmp_path: Path) -> None:
    path = tmp_path / "step"
    for how, ranks in (("save", 3), ("load", 2)):
        code, out, err = launch(mpi, how, tmp_path / how, ranks, str(path))
        assert code == 0, out + err
    assert {f.name for f in path.iterdir()} == {"metadata.json", *(f"rank-{k}.safetensors" for k in range(3))}


@pytest.mark.slow
def test_what_nobody_has_waited_for_is_carried_out_at_the_end(mpi: str, tmp_path: Path) -> None:
    code, out, err = launch(mpi, "open", tmp_path)
    assert code == 0 and "Error" not in out + err, out + err


@pytest.mark.slow
def test_a_receive_of_another_shape_fails_on_both_ranks(mpi: str, tmp_path: Path) -> None:
    code, out, err = launch(mpi, "another kind", tmp_path)
    assert code == 0 and "rank 0 of 2 is done" in out, out + err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("fail", ["rank 1 of 2 failed first", 'raise KeyError("lost")', "KeyError: 'lost'"]),
        ("disagree", ["failed first", "rank 0: barrier()", "rank 1: all_reduce(f32[2], sum)", "program.py:"]),
        (
            "disagree in a loop",
            ["failed first", "all_reduce(f32[40], mean)", "all_reduce(f32[41], mean)", "program.py:"],
        ),
        ("a shorter loop", ["failed first", "rank 0: barrier()", "rank 1: all_reduce(f32[40], mean)", "program.py:"]),
        (
            "different programs",
            [
                "the programs of the ranks differ at exchange 2",
                "rank 0, `differs`: all_gather(f32[5])",
                "rank 1, `differs`: all_reduce(f32[5], max)",
                "program.py:",
            ],
        ),
        ("leave", ["rank 0 of 2 failed first", "rank 1: has ended", "dist.barrier()"]),
        ("open send", ["rank 0 of 2 failed first", "its send to rank 1: no recv there", "program.py:"]),
        ("open send before leaving", ["rank 0 of 2 failed first", "its send to rank 1: no recv there", "program.py:"]),
        ("open receive", ["rank 1 of 2 failed first", "its recv from rank 0: no send there", "program.py:"]),
        ("kill", ["rank 1 of 2 failed first", "the process of rank 1 was ended by SIGKILL"]),
    ],
)
def test_a_failure_ends_the_run_and_is_named(mpi: str, how: str, said: list[str], tmp_path: Path) -> None:
    code, out, err = launch(mpi, how, tmp_path)
    assert code == 4, out + err
    for part in said:
        assert part in out, out + err
    for _ in range(50):  # a killed process takes a moment
        if not left_over(tmp_path):
            break
        time.sleep(0.1)
    assert left_over(tmp_path) == []


def test_without_mpi_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(launching, "find_spec", lambda name: None)
    options: Any = argparse.Namespace(ranks=2, elastic=False, logs=str(tmp_path), program=str(PROGRAM), arguments=[])
    with pytest.raises(MissingDependencyError, match=r"vitrify\[mpi\]"):
        launching.run(options)


def test_what_launch_refuses(tmp_path: Path) -> None:
    options: Any = argparse.Namespace(ranks=0, elastic=False, logs=str(tmp_path), program=str(PROGRAM), arguments=[])
    with pytest.raises(ValueError, match="at least one process, not 0"):
        launching.run(options)
    options.ranks, options.program = 2, str(tmp_path / "absent.py")
    with pytest.raises(FileNotFoundError, match="no program"):
        launching.run(options)


def test_the_first_error_is_told(tmp_path: Path) -> None:
    """Of several ranks that failed, the one whose error is the oldest."""
    (tmp_path / "rank-0.error").write_text("20.5\nlater")
    (tmp_path / "rank-3.error").write_text("20.25\nfirst")
    made = launching._outcome(1, tmp_path, 4)
    assert made.text.startswith("rank 3 of 4 failed first:\nfirst\n") and made.code == 4
    assert json.loads(json.dumps(made.data))["failed"] == 3


def test_the_example_trains_simulated_ranks_as_one() -> None:
    example = Path(__file__).parents[2] / "examples" / "data_parallel.py"
    found = []
    for more in ([], ["--simulate", "2"]):
        command = [sys.executable, str(example), "--epochs", "1", *more]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
        found.append(done.stdout.splitlines())
    assert found[1][0] == found[0][0].replace("on 1 rank", "on 2 rank")
    assert found[0][1] == found[1][1] and found[0][1].startswith("accuracy 0.")

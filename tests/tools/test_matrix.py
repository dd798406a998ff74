"""The matrix of interpreters and libraries: what didn't run never counts as passed, and the pins are pyproject's."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def matrix(load_file: Callable[[Path], ModuleType]) -> ModuleType:
    return load_file(ROOT / "tools" / "matrix.py")


PASSED = "numpy 2.0.0 numba 0.61.0\n....\n4 passed, 1 skipped in 2.00s\nnox > Session tests-3.12 was successful.\n"


@pytest.mark.parametrize(
    ("code", "output", "status", "told"),
    [
        (0, PASSED, "passed", "4 passed, 1 skipped"),
        (1, PASSED.replace("4 passed", "1 failed, 3 passed"), "failed", "1 failed, 3 passed, 1 skipped"),
        (1, "nox > Command pip install failed with exit code 1\n", "failed", "no count of tests"),
        (0, "", "failed", "no count of tests"),
        (0, "3 skipped in 0.1s\n", "failed", "3 skipped"),
    ],
)
def test_passed_is_what_says_so(matrix: ModuleType, code: int, output: str, status: str, told: str) -> None:
    outcome = matrix.judged("3.12", "lowest", code, output)
    assert (outcome.status, outcome.told) == (status, told)


def test_absent_interpreters_are_named_and_not_run(
    matrix: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(matrix, "interpreter", lambda version: None)
    assert matrix.main(["tests/ir"]) == 1
    shown = capsys.readouterr().out
    assert shown.count("not run") == 7
    assert "there is no python3.13 here" in shown
    assert "0 passed, 0 failed, 6 not run" in shown


@pytest.mark.parametrize(
    ("statuses", "need_all", "code"),
    [
        (["passed", "not run"], False, 0),
        (["passed", "not run"], True, 1),
        (["passed", "failed"], False, 1),
        (["not run"], False, 1),
    ],
)
def test_the_exit_status(matrix: ModuleType, statuses: list[str], need_all: bool, code: int) -> None:
    outcomes = [matrix.Outcome("3.12", "newest", status) for status in statuses]
    assert matrix.verdict(outcomes, need_all=need_all) == code


def test_this_interpreter_is_found_or_told_absent(matrix: ModuleType) -> None:
    found = matrix.interpreter("{}.{}".format(*sys.version_info))
    assert found is None or found.exists()
    assert matrix.interpreter("2.6") is None


def test_pins_and_interpreters_are_those_of_pyproject(matrix: ModuleType) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    text = (ROOT / "noxfile.py").read_text()
    for requirement in project["dependencies"]:
        name, lowest = requirement.partition(";")[0].split(">=")
        pin = re.search(rf'"{name}": "([\d.]+)"', text)
        assert pin is not None, name
        assert f"{pin[1]}.".startswith(f"{lowest}."), f"{name} is pinned to {pin[1]}, and its range starts at {lowest}"
    listed = [c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r":: 3\.\d+$", c)]
    assert list(matrix.PYTHONS) == listed
    assert all(f'"{version}"' in text for version in listed)
    assert any(r.startswith("nox") for r in project["optional-dependencies"]["matrix"])

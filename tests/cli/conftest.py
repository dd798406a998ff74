"""A module with functions, and artifacts, for the commands to work on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
from vitrify import InputSpec, nn
from vitrify.cli.main import main

MODULE = """
import vitrify as vt
from vitrify import InputSpec, nn


@vt.to_static(input_spec=[InputSpec([None, 4], name="x")])
def described(x):
    return vt.tanh(x) * 2.0


@vt.to_static
def undescribed(x, y):
    return x @ y


def plain(x):
    return x + 1.0


def refused(x):
    return vt.to_tensor(sorted(x, key=object()))


class Held:
    layer = nn.Linear(4, 2)


NUMBER = 3
"""


class Answer:
    """Exit code, stdout and stderr of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """`cli("inspect", path)` runs a command in this process."""

    def run(*arguments: object) -> Answer:
        capsys.readouterr()
        code = main([str(a) for a in arguments])
        found = capsys.readouterr()
        return Answer(int(code), found.out, found.err)

    return run


@pytest.fixture
def module(tmp_path: Path) -> Path:
    """The file of the functions above."""
    file = tmp_path / "functions_of_the_cli_tests.py"
    file.write_text(MODULE)
    return file


@pytest.fixture
def saved() -> Callable[[Path, int], Path]:
    """`saved(path, seed)` writes a network with an open batch size, whose weights depend on the seed."""

    def save(path: Path, seed: int) -> Path:
        vt.seed(seed)
        net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
        vt.jit.save(net, path, [InputSpec([None, 4], name="x")])
        return path

    return save


@pytest.fixture
def artifact(tmp_path: Path, saved: Callable[[Path, int], Path]) -> Path:
    """A saved network."""
    return saved(tmp_path / "net.vt", 1)

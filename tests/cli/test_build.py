"""`vitrify build`: a C library of an artifact or a function; mistakes leave nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt

Cli = Callable[..., Any]


@pytest.mark.needs("ziglang")
def test_a_function_becomes_a_library(cli: Cli, module: Path, tmp_path: Path) -> None:
    answer = cli("build", f"{module}:described", "-o", tmp_path / "m", "--limit", "N=8", "--json")
    assert answer.code == 0, answer.err
    assert answer.json["platform"] == "x86_64-linux"
    assert set(answer.json["files"]) == {"libm.a", "libm.so", "m.h", "m.hpp", "m.py", "main.c", "manifest.json"}
    x = np.ones((3, 4), "float32")
    np.testing.assert_allclose(vt.native.load(tmp_path / "m")(x), np.tanh(x) * 2.0, rtol=1e-6)


@pytest.mark.needs("ziglang")
@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--limit", "N"], 2, "--limit N isn't NAME=N"),
        ([], 4, "the limits name none"),
        (["--limit", "N=8", "--target", "z80"], 4, "there is no platform 'z80'"),
    ],
)
def test_mistakes_leave_nothing(
    cli: Cli, module: Path, tmp_path: Path, options: list[str], code: int, message: str
) -> None:
    answer = cli("build", f"{module}:described", "-o", tmp_path / "m", *options)
    assert answer.code == code
    assert message in answer.err
    assert not (tmp_path / "m").exists()

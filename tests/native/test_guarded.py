"""Libraries touch nothing outside of their arrays and memory: pages around them end a process that does."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from vitrify.base.target import runnable

from .conftest import Built
from .models import CASES, LARGE, compare, expected

pytestmark = [
    pytest.mark.needs("ziglang"),
    pytest.mark.skipif(
        (platform.machine(), sys.platform) != ("x86_64", "linux"), reason="libraries and the pages are Linux's"
    ),
]
LEVELS = {"x86_64-linux": slice(None), "x86_64-linux-v2": slice(0, None, 2), "x86_64-linux-v4": slice(1, None, 2)}


@pytest.mark.parametrize("target", LEVELS)
def test_nothing_is_touched_outside_of_arrays(
    target: str, built: Built, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    if target.endswith("v4") and "avx512" not in runnable():
        pytest.skip("this machine has no AVX-512")
    every = pytestconfig.getoption("--all-platforms")
    names = list(CASES | LARGE) if every else list(CASES)[LEVELS[target]]
    words, wanted = [], {}
    for name in names:
        arrays = (CASES | LARGE)[name].arrays
        folder, model = built(name, target)
        np.savez(tmp_path / f"{name}.npz", *arrays)
        words += [str(folder), name, str(tmp_path / f"{name}.npz")]
        wanted[name] = expected(model, arrays) + expected(model, arrays)
    command = [sys.executable, str(Path(__file__).with_name("guarded.py")), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout, done.stderr)
    for name in names:
        with np.load(tmp_path / f"{name}-results.npz") as found:
            compare([found[key] for key in found.files], wanted[name])

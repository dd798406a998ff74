"""examples/onnx_roundtrip.py runs as a user runs it; what comes back computes the same and learns."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "onnx_roundtrip.py"


def test_the_example_runs() -> None:
    pytest.importorskip("onnx")
    done = subprocess.run([sys.executable, str(EXAMPLE)], capture_output=True, text=True, check=True, timeout=120)
    losses = [float(v) for v in re.findall(r"loss (\S+)", done.stdout)]
    assert losses[2] < losses[1] < losses[0]
    assert float(re.search(r"largest difference: (\S+)", done.stdout)[1]) < 1e-6  # type: ignore[index]
    first, second = re.search(r"turns: (\d+) and (\d+)", done.stdout).groups()  # type: ignore[union-attr]
    assert first == second

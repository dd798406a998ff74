"""examples/static_mnist_py_func.py runs as a user runs it, and learns."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "static_mnist_py_func.py"
pytestmark = pytest.mark.needs("sklearn")


def test_digits_with_a_relu_in_numpy() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    environment.pop("VITRIFY_DATA", None)
    command = [sys.executable, str(EXAMPLE)]  # as somebody runs it who has no MNIST
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    shares = [float(s) for s in re.findall(r"test accuracy (0\.\d+)", done.stdout)]
    assert len(shares) == 5
    assert shares[-1] > 0.9

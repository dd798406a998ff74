"""The long run in short: memory flat, nothing left open. The full one is `python tools/long_run.py`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parents[2] / "tools" / "long_run.py"


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_a_short_run_keeps_its_size() -> None:
    command = [sys.executable, str(FILE), "--calls", "4000", "--programs", "80"]
    limits = ["--call-slope", "500", "--program-slope", "50000"]  # a page here or there, over a short time
    done = subprocess.run([*command, *limits], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^4000 calls in \d+ s: resident", done.stdout, re.MULTILINE)
    assert re.search(r"^80 programs in \d+ s: resident", done.stdout, re.MULTILINE)

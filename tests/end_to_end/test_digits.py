"""The main job, shortened: `make demo` with few steps, on the embedded digits."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "digits.py"


def test_the_demo_trains_exports_and_reloads(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    command = [sys.executable, str(EXAMPLE), "--steps", "25", "--eager-steps", "2", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "eager, compiled and reloaded agree" in done.stdout
    assert "while" in (tmp_path / "step.captured.ir").read_text()
    assert (tmp_path / "step.svg").read_text().startswith("<svg")
    assert (tmp_path / "digits.vt").exists()


def test_a_folder_without_the_files_is_named(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLE), "--data", str(tmp_path), "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode != 0
    assert "train-images-idx3-ubyte" in done.stderr

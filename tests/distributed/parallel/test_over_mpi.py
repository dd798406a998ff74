"""Pipelines and spread layers over MPI: the bits of the simulator."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "spread_program.py"
HAS_MPI = importlib.util.find_spec("mpi4py") is not None and (Path(sys.executable).parent / "mpiexec").exists()


@pytest.mark.skipif(not HAS_MPI, reason="mpi4py and MPICH aren't installed: pip install 'vitrify[mpi]'")
@pytest.mark.slow
def test_two_ranks_over_mpi_have_the_bits_of_the_simulator(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "vitrify", "launch", "-n", "2", "--logs", str(tmp_path), str(PROGRAM)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "rank 0 of 2 is done" in done.stdout

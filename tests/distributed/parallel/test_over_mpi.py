"""Pipelines and spread layers over MPI: the bits of the simulator."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..launches import launch

PROGRAM = Path(__file__).parent / "spread_program.py"


@pytest.mark.slow
def test_two_ranks_over_mpi_have_the_bits_of_the_simulator(mpi: str, tmp_path: Path) -> None:
    done = launch(mpi, 2, tmp_path, PROGRAM)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "rank 0 of 2 is done" in done.stdout

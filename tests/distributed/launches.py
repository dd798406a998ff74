"""Starts programs of several processes for tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}  # containers have no other user


def launch(
    python: str, ranks: int, logs: Path, program: Path, *arguments: str, options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Run `vitrify launch` to its end with this Python, and with the MPI beside it."""
    command = [python, "-m", "vitrify", "launch", "-n", str(ranks), *options, "--logs", str(logs), str(program)]
    return subprocess.run(
        [*command, *arguments], env={**AS_ROOT, **os.environ}, capture_output=True, text=True, timeout=300, check=False
    )

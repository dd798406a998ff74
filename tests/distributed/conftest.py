"""The MPI libraries that tests of several processes run with.

VITRIFY_TEST_MPI: "mpich", "openmpi" or both with a comma; by default the one beside this Python. Open MPI may be beside
another Python, that of .venv-openmpi (`make openmpi-tools`), as both libraries have programs of the same names.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

_SIGNS = {"mpich": "mpichversion", "openmpi": "ompi_info"}  # programs that only one library has
_ROOT = Path(__file__).parents[2]


def interpreters() -> dict[str, str]:
    """The Pythons with an MPI library beside them, by its name."""
    found: dict[str, str] = {}
    for python in (Path(sys.executable), _ROOT / ".venv-openmpi" / "bin" / "python"):
        for name, sign in _SIGNS.items():
            if (python.parent / sign).exists():
                found.setdefault(name, str(python))
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`mpi`: a Python with MPI, one for each chosen library; `each_mpi`: for each that is installed; `open_mpi`."""
    installed = interpreters()
    names = os.environ.get("VITRIFY_TEST_MPI", next(iter(installed), "mpich")).split(",")
    wanted = {"mpi": names, "each_mpi": list(installed) or ["mpich"], "open_mpi": ["openmpi"]}
    for fixture, libraries in wanted.items():
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, [_param(name, installed.get(name)) for name in libraries])


def _param(name: str, python: str | None) -> object:
    remedy = {"mpich": "pip install 'vitrify[mpi]'"}.get(name, "make openmpi-tools")
    return pytest.param(python, id=name, marks=pytest.mark.skipif(python is None, reason=f"no {name}: {remedy}"))

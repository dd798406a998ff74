"""The tests on every supported Python with the oldest and the newest libraries; `make matrix` runs and counts it.

nox                                        # everything, on the interpreters that are there
nox -s "tests-3.12(libraries='lowest')" -- tests/ir
"""

from __future__ import annotations

import nox

nox.options.default_venv_backend = "venv"
PYTHONS = ["3.11", "3.12", "3.13"]
# The lower ends of pyproject's ranges. An interpreter that is younger than one needs the first that has wheels for it.
LOWEST = {
    "gast": "0.7.0",
    "numpy": "2.0.0",
    "llvmlite": "0.45.0",
    "ml_dtypes": "0.4.0",
    "numba": "0.62.0",
    "safetensors": "0.4.3",
    "scipy-openblas32": "0.3.27.63.1",
}
LOWEST_OF = {"3.13": {"numpy": "2.1.0", "ml_dtypes": "0.5.0", "safetensors": "0.4.4"}}


@nox.session(python=PYTHONS)
@nox.parametrize("libraries", ["lowest", "newest"])
def tests(session: nox.Session, libraries: str) -> None:
    """Install vitrify with these libraries and run the tests named after `--` (all, without)."""
    pins = LOWEST | LOWEST_OF.get(str(session.python), {}) if libraries == "lowest" else {}
    session.install("--editable", ".[dev]", *(f"{name}=={version}" for name, version in pins.items()))
    code = "import numpy, numba, llvmlite; print('numpy', numpy.__version__, 'numba', numba.__version__)"
    session.run("python", "-c", code)
    session.run("python", "-m", "pytest", "--quiet", "-p", "no:cacheprovider", *(session.posargs or ["-n", "auto"]))

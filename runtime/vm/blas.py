"""Matrix products by pointer: the addresses of OpenBLAS's C functions, for the VM to call.

OpenBLAS is held to one thread here: the VM splits products among its own team (see team.py).
"""

from __future__ import annotations

import ctypes
import importlib
import os
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# In the order in which the VM's team block holds them.
ROUTINES = ("sgemm", "dgemm", "sgemv", "dgemv")


def available() -> bool:
    """Whether scipy_openblas32 is there and loads."""
    return openblas() is not None


def pointers() -> dict[str, int]:
    """The address of each routine's `cblas_` function; all 0 without OpenBLAS."""
    found = openblas()
    if found is None:
        return dict.fromkeys(ROUTINES, 0)
    return {name: _address(getattr(found, f"scipy_cblas_{name}")) for name in ROUTINES}


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


@lru_cache(maxsize=1)
def openblas() -> Any:
    """OpenBLAS, held to one thread; None where it is missing."""
    try:
        found = _load(_library())
        found.scipy_openblas_set_num_threads(1)
    except (ImportError, OSError, AttributeError):
        return None
    return found


def _library() -> Path:
    """OpenBLAS's file. The package would tell, but takes 10 ms to import, for its own version's sake."""
    spec = find_spec("scipy_openblas32")
    if spec is not None and spec.origin is not None:
        for name in ("libscipy_openblas.so", "libscipy_openblas.dylib"):
            path = Path(spec.origin).with_name("lib") / name
            if path.is_file():
                return path
    package = importlib.import_module("scipy_openblas32")
    return Path(package.get_lib_dir()) / str(package.get_library(fullname=True))


def _load(path: Path) -> Any:
    # The variable keeps OpenBLAS from starting threads while it loads, which a later fork would lose.
    before = os.environ.get("OPENBLAS_NUM_THREADS")
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    try:
        return ctypes.CDLL(str(path))
    finally:
        if before is None:
            del os.environ["OPENBLAS_NUM_THREADS"]
        else:
            os.environ["OPENBLAS_NUM_THREADS"] = before

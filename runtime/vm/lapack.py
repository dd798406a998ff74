"""Which routines of LAPACK kernels call, and how: OpenBLAS has them, under the names of Fortran's.

codegen/lapack_calls.py makes calls of them, kernel/reference_lapack.py says what these mean.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache

from ...base.target import current_target, host_target
from . import blas

# The arguments before `info`: c a letter (its code), n an integer, a an array of the element type, p one of int32.
ROUTINES = {
    "getrf": "nnanp",  # rows, columns, matrix, its leading size, pivots
    "getri": "nanpan",  # order, factors, leading size, pivots, work, its length
    "getrs": "cnnanpan",  # transpose, order, right sides, factors, leading size, pivots, right sides, leading size
    "trtrs": "cccnnanan",  # triangle, transpose, units, order, right sides, matrix, its size, right sides, their size
    "potrf": "cnan",  # triangle, order, matrix, leading size
    "geqrf": "nnanaan",  # rows, columns, matrix, leading size, scales, work, its length
    "orgqr": "nnnanaan",  # rows, columns, reflectors, matrix, leading size, scales, work, its length
    "syevd": "ccnanaanpn",  # vectors, triangle, order, matrix, leading size, values, work, length, work, length
    "gesdd": "cnnanaanananp",  # vectors, rows, columns, matrix, …, values, u, …, vt, …, work, length, work
}
LETTERS = {"f32": "s", "f64": "d"}
PREFIX = "scipy_"


def symbol(routine: str, element: str) -> str:
    """The name of a routine in the library."""
    return f"{PREFIX}{LETTERS[element]}{routine}_"


def address(name: str) -> int | None:
    """Where the library has a routine, by its symbol."""
    function = getattr(blas.openblas(), name, None)
    return None if function is None else ctypes.cast(function, ctypes.c_void_p).value


def serves() -> bool:
    """Whether kernels for the current target can call the routines: this process runs them, and it has OpenBLAS."""
    target = current_target()
    return target.blas and not target.triple and target.architecture == host_target().architecture and _complete()


def symbols() -> list[str]:
    """Those of all routines."""
    return [symbol(routine, element) for routine in ROUTINES for element in LETTERS]


@lru_cache(maxsize=1)
def _complete() -> bool:
    return all(map(address, symbols()))

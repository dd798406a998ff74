"""Functions that kernels call: exp, log, tanh, erf, sin, pow, Philox ..., written as LLVM IR that vectorises.

`namespace()` gives them by name (`exp_f32`, ...) for a kernel's globals; BOUNDS their largest errors. Only the former
needs Numba. They are intrinsics, not jitted functions: Numba infers no types in them and compiles none on first use.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import import_module
from pathlib import Path

# Largest error in units in the last place of the exact result, over all inputs (sin, cos, tan: up to
# trigonometry.LIMIT; mod and floor_div: up to the quotients in their docstrings).
# lgamma is the C library's. digamma and the normals have absolute bounds: see their docstrings.
BOUNDS: dict[str, float] = {
    name + suffix: ulp
    for suffix in ("_f32", "_f64")
    for name, ulp in {
        "exp": 1.1, "exp2": 1.5, "expm1": 2.0, "log": 1.5, "log2": 2.5, "log10": 3.5, "log1p": 2.0,
        "sqrt": 0.5, "rsqrt": 1.5, "pow": 1.5, "tanh": 3.0, "sinh": 3.0, "cosh": 2.0, "sigmoid": 3.0, "softplus": 3.0,
        "sin": 2.5, "cos": 2.5, "tan": 4.0, "asin": 2.0, "acos": 2.0, "atan": 2.5, "atan2": 3.0,
        "asinh": 3.5, "acosh": 3.5, "atanh": 3.5, "erf": 2.5, "erfc": 4.0,
        "floor": 0.0, "ceil": 0.0, "round": 0.0, "trunc": 0.0, "abs": 0.0, "sign": 0.0, "copysign": 0.0,
        "maximum": 0.0, "minimum": 0.0, "fmax": 0.0, "fmin": 0.0, "mod": 0.0, "floor_div": 0.0,
    }.items()
}  # fmt: skip


@cache
def source_hash() -> str:
    """A hash of these files' text, for the key of a compiled kernel. Needs no Numba.

    >>> len(source_hash())
    16
    """
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def namespace() -> dict[str, object]:
    """Name -> Numba intrinsic, for a kernel's globals. Imports Numba. The same dict contents on every call."""
    functions: dict[str, object] = import_module(".binding", __package__).functions()
    return dict(functions)

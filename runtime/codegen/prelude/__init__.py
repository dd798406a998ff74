"""Functions that kernels call: exp, log, tanh, erf, sin, pow, Philox ..., written as LLVM IR that vectorises.

`namespace()` gives them by name (`exp_f32`, ...) for a kernel's globals; BOUNDS their largest errors.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import import_module
from pathlib import Path

# Largest error in units in the last place of the exact result, over all inputs.
# lgamma of f64 is the C library's, measured. digamma, trigamma, tetragamma, erfinv, Bessel functions and the normals
# have other bounds: see their docstrings.
# docs/numerics.md has what was found.
_BOUNDS: dict[str, tuple[float, float]] = {  # f32, f64
    "exp": (1.1, 1.1), "exp2": (1.5, 1.5), "expm1": (2.0, 1.5), "log": (1.5, 1.5), "log2": (2.5, 2.0),
    "log10": (3.5, 1.5), "log1p": (2.0, 1.2), "sqrt": (0.5, 0.5), "rsqrt": (1.5, 1.5), "pow": (1.5, 1.5),
    "tanh": (3.0, 1.5), "sinh": (3.0, 1.6), "cosh": (2.0, 1.6), "sigmoid": (3.0, 1.2), "softplus": (3.0, 1.5),
    "sin": (2.5, 2.0), "cos": (2.5, 2.0), "tan": (4.0, 1.5), "asin": (2.0, 2.0), "acos": (2.0, 1.5),
    "atan": (2.5, 2.0), "atan2": (3.0, 2.0), "asinh": (3.5, 2.0), "acosh": (3.5, 1.5), "atanh": (3.5, 2.0),
    "erf": (2.5, 1.5), "erfc": (4.0, 2.0), "lgamma": (1.0, 4.0),
}  # fmt: skip
_EXACT = (
    "floor", "ceil", "round", "trunc", "abs", "sign", "copysign", "maximum", "minimum", "at_least", "at_most",
    "largest", "smallest", "fmax", "fmin", "mod", "floor_div",
)  # fmt: skip
BOUNDS: dict[str, float] = {
    f"{name}_{short}": bound
    for name, both in {**_BOUNDS, **dict.fromkeys(_EXACT, (0.0, 0.0))}.items()
    for short, bound in zip(("f32", "f64"), both, strict=True)
}


@cache
def source_hash() -> str:
    """A hash of these files' text, for the key of a compiled kernel.

    >>> len(source_hash())
    16
    """
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def namespace() -> dict[str, object]:
    """Name -> intrinsic, for a kernel's globals. The same dict contents on every call."""
    functions: dict[str, object] = import_module(".intrinsics", __package__).functions()
    return dict(functions)

"""Whole powers of complex numbers as products, and the power of a half as the root: for these there are kernels."""

from __future__ import annotations

import math
from typing import Any

from .op import OPS

MOST = 100  # exponents of at least this size take logarithms, as NumPy's


def complex_power(x: Any, y: float) -> Any:
    """Whole powers by repeated squares, in the order of NumPy's; NaN where 0 is divided by. 0.5 is the square root."""
    if y == 0.5:
        return OPS["sqrt"](x)
    is_whole = (y == -1 or 2 <= abs(y) < MOST) and y == int(y)
    if not is_whole:
        return OPS["pow"](x, y)
    square = OPS["square"]
    if y == 3:
        return x * square(x)
    made: Any = None
    factor, rest = x, int(abs(y))
    while rest:
        if rest & 1:
            made = factor if made is None else made * factor
        rest >>= 1
        factor = square(factor) if rest else factor
    return made if y > 0 else OPS["where"](OPS["equal"](x, 0.0), complex(math.nan, math.nan), 1.0 / made)

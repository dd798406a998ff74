"""Numbers that find mistakes: zeros of both signs, subnormals, the largest, infinities, NaN, the ends of integers."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from ..base.dtype import DType

Array = np.ndarray[Any, Any]


def hostile_numbers(dtype: DType) -> Array:
    """One array of such numbers, of any dtype.

    Shapes: result [n]. Dtype: as asked for; complex numbers have each pair of the floating ones.

    >>> from vitrify.base import dtype as dt
    >>> hostile_numbers(dt.int8).tolist()
    [0, 1, 2, 7, -128, 127, -1, -5]
    """
    if dtype.is_bool:
        return np.array([False, True])
    if dtype.is_floating:
        return _floats(dtype.numpy)
    if dtype.is_complex:
        parts = _floats(np.zeros(0, dtype.numpy).real.dtype)
        made = np.empty((len(parts), len(parts)), dtype.numpy)
        made.real, made.imag = parts[:, None], parts[None, :]
        return made.ravel()
    limits = np.iinfo(dtype.numpy)
    return np.array([0, 1, 2, 7, limits.min, limits.max, *([-1, -5] if limits.min < 0 else [])], dtype.numpy)


def _floats(kind: Any) -> Array:
    finfo: Any = ml_dtypes.finfo  # NumPy's doesn't know bfloat16
    info = finfo(kind)
    tiny, small, large = float(info.tiny), float(info.smallest_subnormal), float(info.max)
    numbers = [0.0, 1.0, 1.5, 0.1, small, tiny - small, tiny, large, np.inf]
    return np.array([*numbers, *(-n for n in numbers), np.nan]).astype(kind)

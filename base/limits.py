"""What numbers a dtype can hold: `finfo` of floats and `iinfo` of integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .dtype import DType, as_dtype, bfloat16, complex64, complex128, float32, float64
from .errors import ArgumentError

_PARTS = {complex64: float32, complex128: float64}


@dataclass(frozen=True, slots=True)
class finfo:  # noqa: N801 - NumPy's and Paddle's name
    """The limits of a float dtype; of a complex one, those of its parts. ValueError for other dtypes.

    >>> finfo("float16").max, finfo("float32").bits
    (65504.0, 32)
    """

    dtype: str
    bits: int
    min: float
    max: float
    eps: float
    resolution: float
    smallest_normal: float
    tiny: float

    def __init__(self, dtype: Any) -> None:
        kind = as_dtype(dtype)
        kind = _PARTS.get(kind, kind)
        if not kind.is_floating:
            raise ArgumentError(f"finfo needs a float dtype, not {kind.name}", remedy="use iinfo for integers")
        found = {"dtype": kind.name, "bits": 8 * kind.itemsize} | _float_limits(kind)
        for name, value in found.items():
            object.__setattr__(self, name, value)


def _float_limits(kind: DType) -> dict[str, float]:
    if kind is bfloat16:  # float32 with 8 bits of precision
        eps, tiny = 2.0**-7, 2.0**-126
        limits = (-(2.0 - eps) * 2.0**127, (2.0 - eps) * 2.0**127, eps, 0.01, tiny, tiny)
    else:
        info = np.finfo(kind.numpy)
        limits = (info.min, info.max, info.eps, 10.0**-info.precision, info.smallest_normal, info.tiny)
    names = ("min", "max", "eps", "resolution", "smallest_normal", "tiny")
    return {name: float(value) for name, value in zip(names, limits, strict=True)}


@dataclass(frozen=True, slots=True)
class iinfo:  # noqa: N801 - NumPy's and Paddle's name
    """The limits of an integer dtype. ValueError for other dtypes.

    >>> iinfo("int8").min, iinfo("int8").max
    (-128, 127)
    """

    dtype: str
    bits: int
    min: int
    max: int

    def __init__(self, dtype: Any) -> None:
        kind = as_dtype(dtype)
        if not kind.is_integer:
            raise ArgumentError(f"iinfo needs an integer dtype, not {kind.name}", remedy="use finfo for floats")
        limits = np.iinfo(kind.numpy)
        for name, value in (
            ("dtype", kind.name), ("bits", 8 * kind.itemsize), ("min", int(limits.min)), ("max", int(limits.max)),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

"""How far apart two arrays are: the first element that differs, in units in the last place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Deviation:
    """The first element that differs: where, both values, how many units in the last place apart; how many differ.

    index is () and ulp infinite where dtypes or shapes differ: expected and found are then their descriptions.
    """

    index: tuple[int, ...]
    expected: Any
    found: Any
    ulp: float
    count: int = 1
    size: int = 1

    def __str__(self) -> str:
        if isinstance(self.expected, str):
            return f"expected {self.expected}, found {self.found}"
        place = f"element {list(self.index)}: " if self.index else ""
        apart = "" if np.isinf(self.ulp) else f" ({self.ulp:.3g} ULP apart)"
        return f"{place}expected {self.expected!r}, found {self.found!r}{apart}; {self.count} of {self.size} differ"


def ulps(expected: Array, found: Array) -> Array:
    """The distance of each pair of elements in units in the last place; infinite where only one is finite."""
    if expected.dtype.kind not in "fc":
        return np.where(expected == found, 0.0, np.inf)
    if expected.dtype.kind == "c":
        return np.maximum(ulps(expected.real, found.real), ulps(expected.imag, found.imag))
    with np.errstate(all="ignore"):
        same = (expected == found) | (np.isnan(expected) & np.isnan(found))
        unit = np.spacing(np.maximum(np.abs(expected), np.abs(found))).astype(np.float64)
        apart = np.abs(expected.astype(np.float64) - found.astype(np.float64)) / unit
    return np.where(same, 0.0, np.where(np.isfinite(apart), apart, np.inf))


def largest_ulp(expected: Array, found: Array) -> float:
    """The largest distance of two arrays, 0.0 without elements; infinite for other shapes or dtypes."""
    if expected.shape != found.shape or expected.dtype != found.dtype:
        return float("inf")
    return float(ulps(expected, found).max(initial=0.0))


def deviation(expected: Any, found: Any, tolerance: float, noise: Any = 0.0) -> Deviation | None:
    """The first element further from the expected one than the tolerance and the noise allow; None where there is none.

    tolerance: in parts of the element's size, with a tenth of that in parts of the largest element; for float64, its
    square. Integers, bools and special values must be equal. noise: how far each element may be off besides, infinite
    where it says nothing.

    >>> print(deviation(np.array([1.0, 2.0]), np.array([1.0, 2.5]), 1e-5))
    element [1]: expected 2.0, found 2.5 (1.13e+15 ULP apart); 1 of 2 differ
    """
    expected, found = np.asarray(expected), np.asarray(found)
    if expected.dtype != found.dtype or expected.shape != found.shape:
        return Deviation((), _kind(expected), _kind(found), float("inf"))
    wrong = _beyond(expected, found, tolerance, noise)
    if not wrong.any():
        return None
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    apart = float(ulps(expected, found)[index])
    return Deviation(index, expected[index].item(), found[index].item(), apart, int(wrong.sum()), wrong.size)


def _beyond(expected: Array, found: Array, tolerance: float, noise: Any) -> Array:
    if expected.dtype.kind not in "fc":
        return np.asarray((expected != found) & (noise == 0.0))
    if expected.dtype.itemsize >= (16 if expected.dtype.kind == "c" else 8):
        tolerance = tolerance * tolerance
    elif expected.dtype.itemsize == 2:
        tolerance = max(tolerance, 1e-2)
    with np.errstate(all="ignore"):
        size = np.abs(expected).astype(np.float64)
        most = float(size[np.isfinite(size)].max(initial=0.0))
        apart = np.abs(expected.astype(np.complex128) - found.astype(np.complex128))
        near = apart <= tolerance * size + 0.1 * tolerance * most + noise
        same = (expected == found) | (np.isnan(expected) & np.isnan(found))
        near = (near & np.isfinite(expected) & np.isfinite(found)) | np.isinf(noise)
    return np.asarray(~near & ~same)


def _kind(array: Array) -> str:
    return f"{array.dtype}{list(array.shape)}"

"""Arrays that begin where a cache line does: kernels' vectors then never lie across two lines."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import MemoryLimitError

ALIGNMENT = 64  # bytes: a line of the cache, and the widest vector
WORTH_IT = 65536  # bytes of an array from which its place matters more than the two objects it takes


class _Owner(np.ndarray[Any, Any]):
    """The memory behind an aligned array.

    A type of its own: NumPy then lets views of the array refer to the array, not to what is behind it, so that who
    counts references to the array counts its views.
    """


def aligned_empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """An array that isn't initialised, its first element at a multiple of 64 bytes.

    Errors: MemoryLimitError.

    >>> aligned_empty((3, 5), np.dtype("float32")).ctypes.data % 64
    0
    """
    size = dtype.itemsize
    for n in shape:
        size *= n
    try:
        owner = _Owner(size + ALIGNMENT, np.uint8)
    except (MemoryError, ValueError, OverflowError):  # the latter two for sizes beyond 63 bits
        raise too_large(f"an array of {dtype}{list(shape)}", size) from None
    return np.ndarray(shape, dtype, owner, -owner.ctypes.data % ALIGNMENT)


def aligned_copy(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy in row-major order; an aligned one of an array large enough to gain from it.

    >>> aligned_copy(np.zeros((300, 300))).ctypes.data % 64
    0
    """
    if array.nbytes < WORTH_IT:
        return array.copy()
    made = aligned_empty(array.shape, array.dtype)
    np.copyto(made, array)
    return made


def too_large(what: str, size: int) -> MemoryLimitError:
    """The error for something that there is no memory for."""
    return MemoryLimitError(
        f"{what} takes {shown_bytes(size)}, which the system doesn't give", remedy="use smaller sizes"
    )


def shown_bytes(count: int) -> str:
    """Bytes with thousands apart, and in the unit that reads best.

    >>> shown_bytes(4628416)
    '4,628,416 bytes (4.4 MiB)'
    """
    for unit, size in (("PiB", 1024**5), ("TiB", 1024**4), ("GiB", 1024**3), ("MiB", 1024**2), ("KiB", 1024)):
        if count >= size:
            return f"{count:,} bytes ({count / size:.1f} {unit})"
    return f"{count:,} bytes"

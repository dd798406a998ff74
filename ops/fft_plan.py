"""Plans of Fourier transforms along one axis: the radices of the passes and the table of their factors.

A pass takes n = r m numbers that lie `stride` apart, transforms r of them at a time, and multiplies what it finds by
roots of unity (Stockham's order: every pass reads and writes whole lines, and the last one leaves them in order).
Literature: Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992, 1.7, 4.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

MOST = 8192  # elements of a line that one kernel transforms: they stand on its stack
LARGEST_PRIME = 13  # of a radix
_RADICES = (8, 13, 11, 7, 5, 9, 4, 3, 2)


def is_smooth(n: int) -> bool:
    """Whether every prime factor is one of a radix."""
    for prime in (2, 3, 5, 7, 11, LARGEST_PRIME):
        while n % prime == 0:
            n //= prime
    return n == 1


@lru_cache(maxsize=512)
def radices(n: int) -> tuple[int, ...]:
    """The radices of the passes of a smooth n, the first one first."""
    if n <= 16:
        return (n,)
    for radix in _RADICES:
        if n % radix == 0:
            return (radix, *radices(n // radix))
    raise AssertionError(n)


def passes(n: int) -> Iterator[tuple[int, int, int]]:
    """Of each pass the radix r, m (n = r m) and the stride."""
    stride = 1
    for radix in radices(n):
        n //= radix
        yield radix, n, stride
        stride *= radix


def is_packed(form: str, size: int) -> bool:
    """Whether a real line is transformed as one of half as many complex numbers."""
    return form != "complex" and size % 2 == 0


def roots(n: int, powers: Any, inverse: bool) -> Any:
    """exp(∓2πi k / n), in complex128; the powers are reduced first, so that no angle is large."""
    angle = (2 * np.pi / n) * (np.asarray(powers, np.int64) % n)
    return np.cos(angle) + (1j if inverse else -1j) * np.sin(angle)


@lru_cache(maxsize=64)
def table(form: str, size: int, inverse: bool) -> Any:
    """The factors, real and imaginary parts apart: of each pass [r - 1, m], then those that pack a real line."""
    parts: list[Any] = []
    for radix, m, _stride in passes(size // 2 if is_packed(form, size) else size):
        if m > 1:
            powers = np.arange(1, radix)[:, None] * np.arange(m)
            parts.append(roots(radix * m, powers, inverse))
    if is_packed(form, size):
        parts.append(roots(size, np.arange(size // 2 + 1), inverse))
    flat = [half for part in parts for half in (part.real.ravel(), part.imag.ravel())]
    return np.concatenate(flat) if flat else np.zeros(1)

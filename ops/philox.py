"""Counter-based random numbers in NumPy: Philox4x32-10 (Salmon et al., Parallel Random Numbers, 2011).

Element i of a call depends on (seed, offset, i) alone, so kernels compute the same numbers in any order on any number
of threads: runtime/codegen/prelude/philox_bits.py does the same, bit for bit for words and uniforms, to a few ulp for
normals. Which words of which block make element i is said there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

Array = np.ndarray[Any, np.dtype[Any]]
_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = 0xFFFFFFFF
_SHIFT = np.uint64(32)
_ROUNDS = 10
_CHUNK = 1 << 13  # blocks at a time: the temporaries stay in cache


def bits(seed: int, offset: int, n: int) -> Array:
    """`n` uniform 32-bit words. Result: u32[n].

    >>> [hex(word) for word in bits(0, 0, 4)]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    return _words(seed, offset, n)


def uniform(seed: int, offset: int, n: int, dtype: DTypeLike = np.float32) -> Array:
    """`n` floats in [0, 1) with 24 (float32) or 53 (float64) random bits.

    >>> uniform(7, 0, 3).dtype, bool((uniform(7, 0, 1000) < 1).all())
    (dtype('float32'), True)
    """
    if np.dtype(dtype) == np.float32:
        return (_words(seed, offset, n) >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)
    return _unit(_words(seed, offset, 2 * n)).astype(dtype, copy=False)


def normal(seed: int, offset: int, n: int, dtype: DTypeLike = np.float32) -> Array:
    """`n` standard normal floats (Box and Muller); computed in float64, then rounded.

    >>> abs(float(normal(7, 0, 10000).mean())) < 0.05
    True
    """
    result = np.empty((-(-n // 2), 2), np.dtype(dtype))
    if result.dtype == np.float32:
        words = _words(seed, offset, 2 * len(result)).reshape(-1, 2)
        # The kernel adds the half in float32: so does this.
        open_unit = ((words[:, 0] >> np.uint32(1)).astype(np.float32) + np.float32(0.5)) * np.float32(2.0**-31)
        fraction = (words[:, 1] >> np.uint32(8)) * 2.0**-24
    else:
        units = _unit(_words(seed, offset, 4 * len(result))).reshape(-1, 2)
        open_unit, fraction = units[:, 0] + 2.0**-54, units[:, 1]
    for start in range(0, len(result), _CHUNK):
        part = slice(start, start + _CHUNK)
        radius = np.sqrt(-2.0 * np.log(open_unit[part].astype(np.float64)))
        angle = 2 * np.pi * fraction[part]
        result[part, 0] = radius * np.cos(angle)
        result[part, 1] = radius * np.sin(angle)
    return result.reshape(-1)[:n]


def _unit(words: Array) -> Array:
    """Pairs of words as float64 in [0, 1)."""
    high, low = words[0::2] >> np.uint32(5), words[1::2] >> np.uint32(6)
    return high * 2.0**-27 + low * 2.0**-53


def _words(seed: int, offset: int, n: int) -> Array:
    count = -(-n // 4)
    result = np.empty((count, 4), np.uint32)
    for start in range(0, count, _CHUNK):
        index = np.arange(start, min(start + _CHUNK, count), dtype=np.uint64)
        for column, word in enumerate(_blocks(seed, offset, index)):
            result[start : start + _CHUNK, column] = word
    return result.reshape(-1)[:n]


def _blocks(seed: int, offset: int, index: Array) -> tuple[Array, Array, Array, Array]:
    """The four words (as u64 below 2**32) of the blocks with these indices."""
    low = np.uint64(_LOW)
    c0, c1 = index & low, index >> _SHIFT
    c2 = np.full_like(index, offset & _LOW)
    c3 = np.full_like(index, (offset >> 32) & _LOW)
    for step in range(_ROUNDS):
        key0 = np.uint64((seed + step * _WEYL[0]) & _LOW)
        key1 = np.uint64(((seed >> 32) + step * _WEYL[1]) & _LOW)
        product0, product1 = c0 * _MULTIPLIERS[0], c2 * _MULTIPLIERS[1]
        c0 = (product1 >> _SHIFT) ^ c1 ^ key0
        c2 = (product0 >> _SHIFT) ^ c3 ^ key1
        c1, c3 = product1 & low, product0 & low
    return c0, c1, c2, c3

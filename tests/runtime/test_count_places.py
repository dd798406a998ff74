"""Counts of places, four stretches of them in turn, against NumPy: repeated neighbours, remainders, places out of range."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.ops.counts import count_places


@pytest.mark.parametrize("size", [1, 3, 4, 5, 1003, 4096])
@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8"])
def test_bincount_as_numpy(size: int, dtype: str) -> None:
    rng = np.random.default_rng(size)
    for x in (np.zeros(size), rng.integers(0, 97, size), np.sort(rng.integers(0, 5, size)), np.arange(size) % 200):
        x = x.astype(dtype)
        for least in (0, 50):
            found = vt.to_static(lambda x, least=least: vt.bincount(x, minlength=least))(vt.to_tensor(x))
            assert found.dtype is vt.int64
            np.testing.assert_array_equal(found.numpy(), np.bincount(x, minlength=least))


def test_any_number_of_places() -> None:
    compiled = vt.to_static(lambda x: vt.bincount(x, minlength=9), input_spec=[vt.InputSpec([None], "int64")])
    for size in (2, 7, 64, 999):
        x = np.random.default_rng(size).integers(0, 9, size)
        np.testing.assert_array_equal(compiled(vt.to_tensor(x)).numpy(), np.bincount(x, minlength=9))


def test_numbers_below_zero_are_refused() -> None:
    def counted(x: Any) -> Any:
        return vt.bincount(x, minlength=4)

    for run in (counted, vt.to_static(counted)):
        with pytest.raises(vt.errors.ArgumentError):
            run(vt.to_tensor([3, -1, 2]))


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_few_counts_and_many_in_blocks(dtype: str) -> None:
    """Tables for few counts, blocks that end early, and places counted from the end in a block of others."""
    compiled = vt.to_static(count_places, input_spec=[vt.InputSpec([None], "int64"), vt.InputSpec([None], dtype)])
    rng = np.random.default_rng(9)
    for size in (1, 255, 256, 257, 5000):
        for n in (1, 3, 1023, 1024, 1027, 4095, 4096, 9001):
            places = rng.integers(0, size, n).astype(dtype)
            for some in (places, np.where(np.arange(n) == n // 2, -1, places).astype(dtype)):
                x = rng.integers(0, 5, size)
                expected = x + np.bincount(some % size, minlength=size)
                np.testing.assert_array_equal(compiled(vt.to_tensor(x), vt.to_tensor(some)).numpy(), expected)
    for wrong in (300, -301):
        with pytest.raises(IndexError):
            compiled(vt.zeros([300], "int64"), vt.to_tensor(np.full(5000, wrong, dtype)))

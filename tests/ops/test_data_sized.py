"""Different elements, by counting and by order, against NumPy: ties, NaN, zeros, the ends of a dtype's range."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.ops.op import OPS

Array = np.ndarray[Any, Any]
DTYPES = ["float32", "float64", "float16", "int8", "uint8", "int16", "int32", "int64", "bool"]


def _elements(dtype: str, count: int, reach: float) -> Array:
    rng = np.random.default_rng(count)
    if dtype.startswith("float"):
        made = np.round(rng.uniform(-reach, reach, count)).clip(-6e4, 6e4).astype(dtype)
        for k, value in enumerate((np.nan, -0.0, 0.0, -np.nan, np.inf)):
            made[k :: 11 + k] = value
        return made
    if dtype == "bool":
        return rng.uniform(size=count) < 0.5
    info = np.iinfo(dtype)
    made = np.clip(rng.uniform(-reach, reach, count), max(info.min, -(2**62)), min(info.max, 2**62)).astype(dtype)
    if reach > 10**6 and count > 1:
        made[:2] = info.min, info.max
    return made


@pytest.mark.parametrize("reach", [3, 400, 1e12])
@pytest.mark.parametrize("dtype", DTYPES)
def test_different_elements(dtype: str, reach: float) -> None:
    for count in (0, 1, 255, 256, 3000):
        x = _elements(dtype, count, reach)
        expected = np.unique(x, True, True, True)
        found = OPS["unique_parts"].eager(x, axis=None, defines=None)
        values = OPS["unique_values"].eager(x, axis=None, defines=None)
        counted = OPS["unique_counts"].eager(x, defines=None)
        wanted = (*expected, expected[0], expected[0], expected[3])
        for a, b in zip((*found, values, *counted), wanted, strict=True):
            np.testing.assert_array_equal(a, b.reshape(-1))
            assert a.dtype == b.dtype


def test_of_equal_zeros_the_first_one_stands_for_both() -> None:
    for first in (0.0, -0.0):
        x = np.where(np.arange(300) % 2 == 0, first, -first)
        assert np.signbit(vt.unique(vt.to_tensor(x), True)[0].numpy()[0]) == np.signbit(first)
        assert np.signbit(vt.unique(vt.to_tensor(x), return_counts=True)[0].numpy()[0]) == np.signbit(first)


@pytest.mark.parametrize(("setting", "value"), [("return_index", 0), ("return_inverse", "s"), ("return_counts", 3)])
def test_unique_takes_bools(setting: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"{setting} must be a bool"):
        vt.unique(vt.to_tensor([1, 2]), **{setting: value})


def test_combinations_are_of_a_vector() -> None:
    with pytest.raises(TypeError, match="needs a vector"):
        vt.combinations(vt.ones([2, 2]))

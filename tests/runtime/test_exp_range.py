"""exp and exp2 around the ends of their ranges, compiled, against NumPy: subnormal results, 0, infinity, NaN."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_exp_around_the_ends(dtype: str) -> None:
    low, high = (-110, 90) if dtype == "float32" else (-760, 715)
    x = np.concatenate([np.linspace(low, low + 30, 3001), np.linspace(high - 5, high, 501)]).astype(dtype)
    x = np.concatenate([x, np.array([-np.inf, np.inf, np.nan, -1e9, -0.0, 0.0], dtype)])
    made = vt.to_static(vt.exp)(vt.to_tensor(x)).numpy()
    with np.errstate(all="ignore"):
        expected = np.exp(x)
    tiny = np.finfo(dtype).smallest_subnormal
    np.testing.assert_allclose(made, expected, 4 * np.finfo(dtype).eps, 2 * tiny)
    np.testing.assert_array_equal(made == 0, expected == 0)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_powers_of_two_around_the_ends(dtype: str) -> None:
    low, high = (-155, 130) if dtype == "float32" else (-1080, 1026)
    x = np.arange(low, high).astype(dtype)
    made = vt.to_static(lambda x: 2.0**x)(vt.to_tensor(x)).numpy()
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(made, np.exp2(x), 4 * np.finfo(dtype).eps, np.finfo(dtype).smallest_subnormal)

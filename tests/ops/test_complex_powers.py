"""Whole powers of complex numbers: NumPy's, in kernels, with the gradients of products."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt

ODD = np.array([0, np.inf, complex(1, np.nan), complex(-0.0, 0.0), 1j, -2])


@pytest.mark.parametrize("power", [2, 2.0, 3, 5, 37, -1, -2, -7, 0, 1, 0.5, 200])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_powers_are_numpys(power: float, dtype: str) -> None:
    numbers = np.random.default_rng(0).uniform(0.5, 1.5, (2, 300))
    x = (numbers[0] + 1j * numbers[1]).astype(dtype)
    rtol = (1e-6 if dtype == "complex64" else 1e-15) * max(4.0, abs(power))
    for way in (lambda f: f, vt.to_static):
        made = way(lambda x: x**power)(vt.to_tensor(x)).numpy()
        assert made.dtype == x.dtype
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(made, np.power(x, np.full_like(x, power)), rtol=rtol)


@pytest.mark.parametrize("power", [2, 3, 5, -1, -3])
def test_zeros_infinities_and_nans(power: int) -> None:
    x = vt.to_tensor(ODD)
    eager, compiled = (way(lambda x: x**power)(x).numpy() for way in (lambda f: f, vt.to_static))
    np.testing.assert_array_equal(eager, compiled)
    with np.errstate(all="ignore"):
        want = np.power(ODD, np.full_like(ODD, power))
    finite = np.isfinite(ODD)
    np.testing.assert_allclose(eager[finite], want[finite], rtol=1e-15)


@pytest.mark.parametrize("power", [2, 3, 4, -1, -2])
def test_gradients(power: int) -> None:
    def gradient(x: Any) -> Any:
        x.stop_gradient = False
        return vt.grad((x**power).real().sum(), [x])[0]

    x = np.array([1 + 2j, -0.5 + 1j, 2 - 1j])
    want = np.conj(power * x ** (power - 1))
    for way in (lambda f: f, vt.to_static):
        np.testing.assert_allclose(way(gradient)(vt.to_tensor(x)).numpy(), want, rtol=1e-13)


def test_powers_are_kernels() -> None:
    compiled = vt.to_static(lambda x: x**3 + x**-2)
    compiled(vt.to_tensor(np.ones(5, "complex64")))
    assert compiled.kernels and "pow" not in "".join(map(str, compiled.kernels.values())).partition("def body")[2]

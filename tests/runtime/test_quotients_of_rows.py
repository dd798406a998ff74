"""Work that every row would repeat is done once; sums of one kind along short rows; gradients of norms and softsign."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def _gradient(function: Any, x: Any, seed: Any) -> Any:
    x.stop_gradient = False
    return vt.grad(function(x), [x], seed)[0]


def test_a_quotient_that_all_rows_read_is_computed_once() -> None:
    def gradient(x: vt.Tensor, g: vt.Tensor) -> vt.Tensor:
        return _gradient(lambda x: x.mean(0), x, g)

    compiled, rng = vt.to_static(gradient), np.random.default_rng(0)
    x, g = vt.to_tensor(rng.standard_normal((251, 127))), vt.to_tensor(rng.standard_normal(127))
    np.testing.assert_array_equal(compiled(x, g).numpy(), gradient(x, g).numpy())
    texts = [str(kernel) for kernel in compiled.kernels.values()]
    assert [text for text in texts if " / " in text and "for j in" in text] == []


def test_a_quotient_of_few_rows_stays_in_their_kernel() -> None:
    compiled = vt.to_static(lambda x, y: x + y / 3.0)
    compiled(vt.ones([3, 40]), vt.ones([40]))
    assert len(compiled.kernels) == 1


@pytest.mark.parametrize("columns", [3, 9, 16, 200])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_norms_and_their_gradients(columns: int, dtype: str) -> None:
    x = np.random.default_rng(1).standard_normal((1500, columns)).astype(dtype)
    x[1], x[2, 0], x[3, 1], x[4] = 0.0, -0.0, math.inf, -1e-30
    given, seed = vt.to_tensor(x), vt.to_tensor(np.linspace(1, 2, 1500).astype(dtype))

    def norm(x: vt.Tensor) -> Any:
        return vt.norm(x, p=2, axis=1)

    want = np.sqrt((x.astype(np.longdouble) ** 2).sum(1)).astype(dtype)
    usual = np.arange(1500) != 4  # its squares vanish in float32
    for made in (norm(given), vt.to_static(norm)(given)):
        np.testing.assert_allclose(made.numpy()[usual], want[usual], rtol=1e-6)
    slopes = [f(lambda x: _gradient(norm, x, seed))(given).numpy() for f in (lambda f: f, vt.to_static)]
    np.testing.assert_allclose(slopes[1], slopes[0], rtol=1e-5)
    assert (slopes[0][1] == 0).all()
    finite = [0, 5, 6, 1499]
    np.testing.assert_allclose(slopes[0][finite], (seed.numpy()[finite] / want[finite])[:, None] * x[finite], rtol=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_softsign_and_its_gradient(dtype: str) -> None:
    x = vt.to_tensor(np.array([0.0, -0.0, 1.0, -3.0, 1e-40, 1e30, -1e30, math.inf, math.nan], dtype))
    seed = vt.ones([9], dtype)
    for f in (lambda f: f, vt.to_static):
        made = f(vt.nn.functional.softsign)(x).numpy()
        np.testing.assert_allclose(made[:7], np.array([0, 0, 0.5, -0.75, 1e-40, 1, -1], dtype), rtol=1e-6)
        assert np.signbit(made[1]) and np.isnan(made[7:]).all()
        slope = f(lambda x: _gradient(vt.nn.functional.softsign, x, seed))(x).numpy()
        with np.errstate(over="ignore"):
            want = 1 / (1 + np.abs(x.numpy())) ** 2
        np.testing.assert_allclose(slope, want, rtol=1e-6)

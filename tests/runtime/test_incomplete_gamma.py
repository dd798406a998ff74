"""The incomplete gamma functions, eager and compiled, against closed forms, their recurrence and their limits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import vitrify as vt

Array = np.ndarray[Any, Any]
RTOL = {"float32": 2e-5, "float64": 1e-12}


def _both(a: Array, x: Array) -> list[tuple[Array, Array]]:
    """The lower and the upper function, eager and compiled."""

    def pair(a: Any, x: Any) -> Any:
        return vt.gammainc(a, x), vt.gammaincc(a, x)

    given = vt.to_tensor(a), vt.to_tensor(x)
    return [tuple(m.numpy() for m in f(*given)) for f in (pair, vt.to_static(pair))]  # type: ignore[misc]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_closed_forms(dtype: str) -> None:
    x = np.linspace(0.01, 30, 501).astype(dtype)
    wide = x.astype(np.float64)
    erf = np.vectorize(math.erf)(np.sqrt(wide))
    for order, lower in ((0.5, erf), (1.0, -np.expm1(-wide)), (2.0, -np.expm1(-wide) - wide * np.exp(-wide))):
        for low, high in _both(np.full_like(x, order), x):
            np.testing.assert_allclose(low, lower, RTOL[dtype])
            np.testing.assert_allclose(high, 1 - lower, RTOL[dtype], 1e-6 if dtype == "float32" else 1e-13)


def test_recurrence_over_orders_large_and_small() -> None:
    a = np.exp(np.linspace(-6, 9, 700))
    x = a * np.linspace(0.4, 1.7, 700)
    step = np.exp(a * np.log(x) - x - np.vectorize(math.lgamma)(a + 1))
    for (low, high), (next_low, next_high) in zip(_both(a, x), _both(a + 1, x), strict=True):
        np.testing.assert_allclose(low - next_low, step, 1e-7, 1e-12)
        np.testing.assert_allclose(next_high - high, step, 1e-7, 1e-12)
        np.testing.assert_allclose(low + high, 1, 1e-13)


def test_ends_of_the_ranges() -> None:
    inf, nan = math.inf, math.nan
    cases = {
        (0.0, 1.0): 1.0, (1.0, 0.0): 0.0, (1.0, inf): 1.0, (inf, 1.0): 0.0, (0.0, 0.0): nan, (-1.0, 1.0): nan,
        (1.0, -1.0): nan, (nan, 1.0): nan, (1.0, nan): nan,
    }  # fmt: skip
    a, x = (np.array(v) for v in zip(*cases, strict=True))
    for low, high in _both(a, x):
        np.testing.assert_array_equal(low, list(cases.values()))
        np.testing.assert_array_equal(high, 1 - np.array(list(cases.values())))


def test_operands_broadcast_and_threads_agree() -> None:
    a, x = np.linspace(0.2, 5, 37)[:, None], np.linspace(0.1, 9, 1200)[None]
    eager, compiled = _both(a, x)
    np.testing.assert_allclose(eager[0], compiled[0], 1e-12)
    before = vt.get_num_threads()
    vt.set_num_threads(2)
    np.testing.assert_array_equal(_both(a, x)[1][0], compiled[0])
    vt.set_num_threads(before)

"""Results in the memory of inputs: not where an input is read again at other places, by a product or through a view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

Array = np.ndarray[Any, Any]
rng = np.random.default_rng(0)
A = rng.normal(size=(64, 64)).astype("float32")


def test_a_product_of_what_it_is_added_to() -> None:
    w = vt.to_tensor(A)

    @vt.to_static
    def step() -> None:
        w.set_value(w + 0.5 * vt.matmul(w, w))

    step()
    np.testing.assert_allclose(w.numpy(), A + 0.5 * (A @ A), rtol=1e-3, atol=1e-2)


def a_row_of_it(a: Any) -> Any:
    p = vt.matmul(a, a)
    row = p[0:1]
    return vt.matmul(p * 2.0 + row + vt.matmul(row, a), a)


def another_shape_of_it(a: Any) -> Any:
    p = vt.matmul(a, a)
    q = p.reshape([8, 512])
    return vt.matmul(p + (q * 1.0).reshape([64, 64])[::-1] + vt.matmul(q, vt.ones([512, 8])).sum(), a)


def rows_in_turn(a: Any) -> Any:
    n = vt.matmul(a, a)
    for k in range(3):
        row = n[k : k + 1]
        n = vt.matmul(n, a) if k == 1 else n + row * vt.matmul(row, a).sum()
    return vt.matmul(n, a)


@pytest.mark.parametrize("fn", [a_row_of_it, another_shape_of_it, rows_in_turn])
def test_an_input_and_a_view_of_it(fn: Callable[..., Any]) -> None:
    wanted = fn(vt.to_tensor(A)).numpy()
    found = vt.to_static(fn)(vt.to_tensor(A)).numpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3 * np.abs(wanted).max())

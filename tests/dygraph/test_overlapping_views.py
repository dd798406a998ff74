"""Writes to views whose elements are several times one element of the memory behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def one(x: Any) -> None:
    x.unfold(0, 2, 1)[3, 1] = 7


def row(x: Any) -> None:
    v = vt.as_strided(x, [3, 2], [1, 1])
    v[0] = 7
    v.multiply_(vt.full([], 2, x.dtype))


def transposed(x: Any) -> None:
    x.unfold(0, 3, 1).T[1, 1] = 7


def masked(x: Any) -> None:
    x.unfold(0, 3, 1).masked_fill_(vt.to_tensor([[False, True, False]] * 4), 7)


def over_nan(x: Any) -> None:
    x[4] = float("nan")
    x.unfold(0, 2, 1)[3, 1] = 7


EXPECTED = {
    one: [0, 1, 2, 3, 7, 5],
    row: [14, 14, 4, 6, 4, 5],
    transposed: [0, 1, 7, 3, 4, 5],
    masked: [0, 7, 7, 7, 7, 5],
    over_nan: [0, 1, 2, 3, 7, 5],
}


@pytest.mark.parametrize(
    ("write", "dtype"),
    [(w, d) for w in EXPECTED for d in ("float32", "int64", "complex64") if (w, d) != (over_nan, "int64")],
)
@pytest.mark.parametrize("wrapped", [lambda fn: fn, vt.to_static], ids=["eager", "compiled"])
def test_a_write_changes_what_it_writes_alone(write: Any, dtype: str, wrapped: Callable[..., Any]) -> None:
    x = vt.to_tensor(np.arange(6).astype(dtype))
    wrapped(write)(x)
    assert x.tolist() == EXPECTED[write]


def test_gradients_go_to_what_is_still_there() -> None:
    x = vt.to_tensor(np.arange(6, dtype="float32"), stop_gradient=False)
    y = x * 1
    one(y)
    (y * y).sum().backward()
    assert y.tolist() == EXPECTED[one]
    assert x.grad.tolist() == [0, 2, 4, 6, 0, 10]

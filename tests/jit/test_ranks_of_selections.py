"""Medians, quantiles and the k-th element of what a mask picks, which may be nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ArgumentError, ShapeError

ROWS = ([1.0, -1.0, 2.0], [-1.0, -1.0], [3.0, 1.0, 2.0, 7.0], [float("nan"), 1.0, -2.0], [2.0])

RANKS: dict[str, Callable[[Any], Any]] = {
    "median": lambda x: x[x > 0].median(),
    "nanmedian": lambda x: vt.nanmedian(x[(x > 0) | vt.isnan(x)]),
    "median with NaN": lambda x: x[~(x < 0)].median(),
    "quantile": lambda x: vt.quantile(x[x > 0], 0.3),
    "quantiles": lambda x: vt.quantile(x[x > 0], [0.25, 0.5]),
    "nanquantile": lambda x: vt.nanquantile(x[~(x < 0)], 0.7, interpolation="nearest"),
    "higher": lambda x: vt.quantile(x[x > 0], 0.7, interpolation="higher"),
    "of rows": lambda x: vt.median(vt.stack([x, x * 2])[:, x > 0], axis=1),
    "of ints": lambda x: x.astype("int64")[x > 0].median(),
    "several axes": lambda x: vt.stack([x, -x])[:, x > 0].median(axis=[0, 1], keepdim=True),
}


@pytest.mark.parametrize("name", RANKS)
def test_of_what_a_mask_picks(name: str) -> None:
    compiled = vt.to_static(RANKS[name])
    for row in ROWS:
        x = vt.to_tensor(row)
        np.testing.assert_allclose(np.asarray(compiled(x)), np.asarray(RANKS[name](x)), err_msg=str(row))


def test_gradients() -> None:
    compiled = vt.to_static(RANKS["median"])
    for row in ROWS[:3]:
        grads = []
        for call in (RANKS["median"], compiled):
            x = vt.to_tensor(row, stop_gradient=False)
            (call(x) * 3).backward()
            grads.append(np.zeros(len(row)) if x.grad is None else x.grad.numpy())
        if max(row) > 0:  # of no elements the gradient is that of a mean of none
            np.testing.assert_allclose(grads[1], grads[0])


@pytest.mark.parametrize(
    ("fn", "error"),
    [
        (lambda x: x[x > 0].median(mode="min"), ShapeError),
        (lambda x: vt.kthvalue(x[x > 0], 2)[0], ArgumentError),
        (lambda x: vt.kthvalue(x[x > 0], 2)[1], ArgumentError),
    ],
    ids=["least median", "kthvalue", "place"],
)
def test_what_needs_elements(fn: Any, error: type[Exception]) -> None:
    compiled = vt.to_static(fn)
    for call in (fn, compiled):
        assert float(call(vt.to_tensor([3.0, 1.0, -1.0]))) == float(fn(vt.to_tensor([3.0, 1.0, -1.0])))
        with pytest.raises(error):
            call(vt.to_tensor([-1.0, -2.0]))

"""Operations at the ends of their ranges: no elements, the largest numbers, NaN for a place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.base.errors import ShapeError

BOTH = pytest.mark.parametrize("compiles", [lambda fn: fn, vt.to_static], ids=["eager", "compiled"])
Compiles = Callable[[Any], Any]


@BOTH
@pytest.mark.parametrize("name", ["argmax", "argmin"])
@pytest.mark.parametrize("shape", [(3, 0), (3, 0, 2), (0, 3, 0)])
def test_places_of_no_columns(compiles: Compiles, name: str, shape: tuple[int, ...]) -> None:
    axis = shape.index(3)
    made = compiles(lambda x: getattr(vt, name)(x, axis=axis))(vt.zeros(shape))
    assert (made.shape, made.dtype) == ([n for k, n in enumerate(shape) if k != axis], vt.int64)


def test_the_mode_of_no_elements_is_an_error_in_each_call() -> None:
    compiled = vt.to_static(lambda x: vt.mode(x, axis=0))
    for rows in (0, 2, 0, 3, 0):
        if rows:
            assert [part.shape for part in compiled(vt.zeros([rows, 3]))] == [[3], [3]]
        else:
            with pytest.raises(ShapeError, match="mode of no elements"):
                compiled(vt.zeros([rows, 3]))


@BOTH
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_logaddexp_of_the_largest_numbers(compiles: Compiles, dtype: str) -> None:
    most = np.finfo(dtype).max
    x, y = np.array([[most, -most, most, np.inf, -np.inf, 1.0], [most, -most, 0.0, np.inf, -np.inf, 1.0]], dtype)
    made = compiles(vt.logaddexp)(vt.to_tensor(x), vt.to_tensor(y))
    np.testing.assert_allclose(made.numpy(), np.logaddexp(x, y), rtol=1e-6)


@BOTH
@pytest.mark.parametrize("shape", [(0, 2), (2, 0), (0, 0)])
def test_least_squares_of_no_rows_or_columns(compiles: Compiles, shape: tuple[int, int]) -> None:
    a, b = np.zeros(shape), np.ones((shape[0], 3))
    solution, _, rank, _ = compiles(vt.linalg.lstsq)(vt.to_tensor(a), vt.to_tensor(b))
    assert solution.tolist() == np.linalg.lstsq(a, b, rcond=None)[0].tolist()
    assert int(rank) == 0


@BOTH
@pytest.mark.parametrize("mode", ["bilinear", "nearest"])
@pytest.mark.parametrize(("padding", "found"), [("zeros", 0.0), ("border", 2.0), ("reflection", 2.0)])
def test_a_place_that_is_no_number(compiles: Compiles, mode: str, padding: str, found: float) -> None:
    """Outside, or at the border; nothing else has a gradient from it."""
    x = vt.full([1, 1, 3, 3], 2.0)
    grid = vt.to_tensor([[[[np.nan, 0.0], [0.0, 0.0], [np.nan, np.nan]]]])
    x.stop_gradient = grid.stop_gradient = False

    def sampled(x: Any, grid: Any) -> Any:
        return F.grid_sample(x, grid, mode=mode, padding_mode=padding)

    made = compiles(sampled)(x, grid)
    assert made.tolist() == [[[[found, 2.0, found]]]]
    made.sum().backward()
    assert x.grad.sum().item() == (1.0 if padding == "zeros" else 3.0)
    assert np.isfinite(x.grad.numpy()).all()
    assert mode == "nearest" or np.isfinite(grid.grad.numpy()).all()

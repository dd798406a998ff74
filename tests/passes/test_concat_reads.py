"""Concats that elementwise operations read where their pieces are: the same values, and nothing is copied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

FLOATS = ["float32", "float64"]


def _sample(shape: tuple[int, ...], dtype: str) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(3)
    if dtype in FLOATS:
        x = rng.standard_normal(shape).astype(dtype)
        flat = x.reshape(-1)
        flat[: min(3, flat.size)] = [np.nan, np.inf, -0.0][: min(3, flat.size)]
        return x
    return rng.integers(0, 2 if dtype == "bool" else 90, shape).astype(dtype)


def _kernels(fn: Any) -> int:
    return sum(1 for _ in fn.kernels.items())


def _check(fn: Callable[..., Any], *arrays: np.ndarray[Any, Any]) -> Any:
    compiled = vt.to_static(fn)
    given = [vt.to_tensor(a) for a in arrays]
    made, wanted = compiled(*given), fn(*given)
    np.testing.assert_array_equal(made.numpy(), wanted.numpy())
    assert made.dtype is wanted.dtype
    return compiled


def neighbours(x: Any) -> Any:
    rows, columns = x[:1] * 0, x[:, :1] * 0
    x = x + vt.concat([x[1:], rows], 0) + vt.concat([rows, x[:-1]], 0)
    return vt.maximum(x, vt.concat([x[:, 1:], columns], 1)) - vt.concat([columns, x[:, :-1]], 1)


def around(x: Any) -> Any:
    return x - vt.concat([x[-1:], x[:-1]], 0) * 2


def framed(x: Any) -> Any:
    edge = x[:1] + 1
    return x * vt.concat([edge, x[1:-1], edge], 0)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("shape", [(64, 64), (7, 33), (65, 130), (3, 16), (1, 40), (2, 2), (40, 1), (0, 40)])
def test_neighbours_in_rows_and_columns(shape: tuple[int, int], dtype: str) -> None:
    _check(neighbours, _sample(shape, dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize("shape", [(1000,), (131,), (63,), (3,), (2,), (5, 7), (9, 4, 70)])
def test_around_and_framed(shape: tuple[int, ...], dtype: str) -> None:
    _check(around, _sample(shape, dtype))
    _check(framed, _sample(shape, dtype))


def test_flags_are_read_too() -> None:
    _check(lambda x: x & vt.concat([x[:, 1:], x[:, :1]], 1), _sample((5, 100), "bool"))


def test_neighbours_in_one_kernel() -> None:
    compiled = _check(neighbours, _sample((64, 64), "float64"))
    assert _kernels(compiled) <= 2
    assert "concat " not in str(compiled.dump("after concat_reads"))


@pytest.mark.parametrize("size", [5, 100, 4096, 4097, 10007, 20000])
def test_sums_of_products_with_neighbours(size: int) -> None:
    x = np.random.default_rng(1).standard_normal(size)

    @vt.to_static
    def total(x: Any) -> Any:
        return (x * vt.concat([x[1:], x[-1:]], 0)).sum(), vt.concat([x[:1], x[2:], x[-1:]], 0).abs().max()

    sums, largest = total(vt.to_tensor(x))
    np.testing.assert_allclose(sums.numpy(), (x * np.append(x[1:], x[-1])).sum(), rtol=1e-12, atol=1e-9)
    assert largest.item() == np.abs(np.concatenate([x[:1], x[2:], x[-1:]])).max()
    assert _kernels(total) <= 2


def test_steps_of_a_loop() -> None:
    def steps(x: Any) -> Any:
        for _ in range(7):
            x = 0.25 * (x + vt.concat([x[1:], x[:1]], 0) + vt.concat([x[:, -1:], x[:, :-1]], 1))
        return x

    _check(steps, _sample((33, 70), "float64"))


def test_a_piece_inside_a_piece() -> None:
    def frame(x: Any, e: Any) -> Any:
        inner = vt.concat([x[1:], e[:1]], 0)
        return x + vt.concat([inner[:, 1:], e[:, :1]], 1)

    _check(frame, _sample((30, 90), "float64"), _sample((30, 90), "float64") * 3)


def test_gradients_of_neighbours() -> None:
    x = _sample((12, 80), "float64")
    x[np.isnan(x) | np.isinf(x)] = 0.5

    def slope(x: Any) -> Any:
        y = (neighbours(x) ** 2).sum()
        return vt.grad(y, [x])[0]

    t = vt.to_tensor(x, stop_gradient=False)
    np.testing.assert_allclose(vt.to_static(slope)(t).numpy(), slope(t).numpy(), rtol=1e-12, atol=1e-12)


def test_what_is_returned_or_multiplied_stays_a_concat() -> None:
    @vt.to_static
    def both(x: Any, w: Any) -> Any:
        y, z = vt.concat([x[:, 1:], x[:, :1]], 1), vt.concat([x[1:], x[:1]], 0)
        return y, z @ w

    x, w = _sample((40, 40), "float32")[3:], np.eye(40, dtype="float32")
    y, z = both(vt.to_tensor(x), vt.to_tensor(w))
    np.testing.assert_array_equal(y.numpy(), np.roll(x, -1, 1))
    np.testing.assert_array_equal(z.numpy(), np.roll(x, -1, 0))
    assert "concat_pieces" not in str(both.dump("after concat_reads"))


def test_sizes_that_are_symbols_stay_a_concat() -> None:
    @vt.to_static(input_spec=[vt.InputSpec([None], "float64")])
    def ends(x: Any) -> Any:
        return x - vt.concat([x[1:], x[-1:]], 0)

    for size in (1, 5, 200):
        x = _sample((size,), "float64")[::-1].copy()
        np.testing.assert_array_equal(ends(vt.to_tensor(x)).numpy(), x - np.append(x[1:], x[-1]))
    assert "concat_pieces" not in str(ends.dump("after concat_reads"))


def test_short_rows_stay_a_concat() -> None:
    """Loops over joined axes, 29 x 37 x 3 numbers at once, are longer than one over three numbers."""
    compiled = _check(around, _sample((29, 37, 3), "float64"))
    assert "concat_pieces" not in str(compiled.dump("after concat_reads"))

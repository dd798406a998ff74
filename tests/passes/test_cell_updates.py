"""Cells of tables that loops fill: written where they lie, with the values of eager mode, whatever else reads the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def _check(fn: Callable[..., Any], *arrays: np.ndarray[Any, Any]) -> Any:
    compiled = vt.to_static(fn)
    for _ in range(2):
        given, wanted = ([vt.to_tensor(a.copy()) for a in arrays] for _ in range(2))
        made, right = compiled(*given), fn(*wanted)
        np.testing.assert_array_equal(made.numpy(), right.numpy())
        for one, other in zip(given, wanted, strict=True):
            np.testing.assert_array_equal(one.numpy(), other.numpy())
    return compiled


def _after(compiled: Any) -> str:
    return str(compiled.dump("after cell_updates"))


def longest_common(a: Any, b: Any) -> Any:
    d = vt.zeros([a.shape[0] + 1, b.shape[0] + 1], "int64")
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            d[i + 1, j + 1] = vt.where(a[i] == b[j], d[i, j] + 1, vt.maximum(d[i, j + 1], d[i + 1, j]))
    return d


def cheapest_path(d: Any, a: Any) -> Any:
    for i in range(1, d.shape[0]):
        for j in range(1, d.shape[1]):
            d[i, j] = vt.minimum(d[i - 1, j], d[i, j - 1]) + a[i, j]
    return d


def pascal(n: Any) -> Any:
    d = vt.ones([n.shape[0], n.shape[0]], "int64")
    for i in range(1, n.shape[0]):
        for j in range(1, i):
            d[i, j] = d[i - 1, j - 1] + d[i - 1, j]
    return d


def backward(d: Any) -> Any:
    rows, columns = d.shape
    for i in range(rows - 1):
        for j in range(columns - 1):
            d[rows - 2 - i, columns - 2 - j] += 0.5 * d[rows - 1 - i, columns - 1 - j]
    return d


def cube(d: Any) -> Any:
    for i in range(1, d.shape[0]):
        for j in range(1, d.shape[1]):
            for k in range(1, d.shape[2]):
                d[i, j, k] = 0.5 * d[i - 1, j, k] + 0.3 * d[i, j - 1, k] + 0.1 * d[i, j, k - 1]
    return d


def rows_of_cubes(d: Any) -> Any:
    for i in range(1, d.shape[0]):
        for j in range(1, d.shape[1]):
            d[i, j] = d[i - 1, j - 1] * 2 + d[i, j]
    return d


def in_while(d: Any, limit: Any) -> Any:
    total = vt.zeros([], "float64")
    while total < limit:
        for j in range(d.shape[1]):
            d[2, j] = d[2, j] + 1
            d[j % 5, 0] = total
        total = total + d[2].max() + 1
    return d


def read_after(d: Any) -> Any:
    """The table as it was before the inner loop is read behind it."""
    for i in range(1, 20):
        before = d * 1
        for j in range(1, 20):
            d[i, j] = d[i - 1, j] + d[i, j - 1]
        d = d + 0.25 * before
    return d


def kept_as_it_was(d: Any) -> Any:
    total = vt.zeros_like(d)
    for i in range(1, 20):
        old = d.clone()
        for j in range(1, 20):
            d[i, j] = old[j, i] + d[i, j - 1]
        total = total + old
    return total + d


def two_tables(d: Any, e: Any) -> Any:
    for i in range(1, 20):
        for j in range(1, 20):
            d[i, j] = e[i - 1, j] + 1
            e[i, j] = d[i - 1, j] * 0.5
            d, e = e, d
    return d - 2 * e


def of_one_table(d: Any) -> Any:
    """Both of what the inner loop carries start from the table of the outer one."""
    for i in range(1, 20):
        e = d.clone()
        for j in range(1, 20):
            d[i, j] = e[i, j - 1] + 1
            e[j, i] = d[i, j] * 0.5
        d = d + e
    return d


def in_branches(d: Any) -> Any:
    for i in range(1, 20):
        if d[i, i] > 0:
            for j in range(1, 20):
                d[i, j] = d[i - 1, j] - d[i, j - 1]
        else:
            d[i, 0] = d[i, 0] + 1
    return d


def _table(*shape: int) -> np.ndarray[Any, Any]:
    x = np.random.default_rng(8).standard_normal(shape)
    x[(-1,) * len(shape)] = np.nan
    return x


@pytest.mark.parametrize("shape", [(30, 41), (2, 50), (50, 2), (64, 64)])
def test_paths_through_tables(shape: tuple[int, int]) -> None:
    compiled = _check(cheapest_path, _table(*shape), _table(*shape))
    if min(shape) > 10:
        assert "select_update" in _after(compiled)
        kernels = "".join(str(text) for _, text in compiled.kernels.items())
        assert f"range({shape[1]})" not in kernels.split("while left")[-1]  # no row is copied
    _check(backward, _table(*shape))


def test_longest_common_parts() -> None:
    rng = np.random.default_rng(2)
    _check(longest_common, rng.integers(0, 3, 40), rng.integers(0, 3, 53))


@pytest.mark.parametrize("size", [1, 2, 9, 45])
def test_triangles(size: int) -> None:
    _check(pascal, np.zeros(size))


def test_tables_of_three_axes() -> None:
    _check(cube, _table(12, 9, 10))
    _check(cube, _table(3, 20, 40))
    _check(rows_of_cubes, _table(25, 30, 4))


@pytest.mark.parametrize("fn", [read_after, kept_as_it_was, in_branches, of_one_table])
def test_what_else_reads_the_table(fn: Callable[..., Any]) -> None:
    _check(fn, _table(20, 20))


def test_two_tables_that_change_places() -> None:
    _check(two_tables, _table(20, 20), _table(20, 20) + 1)


def test_loops_until_a_number_is_reached() -> None:
    _check(in_while, np.abs(np.nan_to_num(_table(7, 30))), np.array(500.0))


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_indices_that_data_say_are_checked(dtype: str) -> None:
    def scatter(d: Any, rows: Any, columns: Any) -> Any:
        for k in range(rows.shape[0]):
            d[rows[k], columns[k]] = d[rows[k], columns[k]] + k
        return d

    rows, columns = np.array([0, 3, -1, 2, 3], dtype), np.array([1, -2, 0, 8, 7], dtype)
    compiled = _check(scatter, _table(4, 9), rows, columns)
    with pytest.raises(IndexError):
        compiled(vt.to_tensor(_table(4, 9)), vt.to_tensor(rows), vt.to_tensor(columns + 3))


def test_gradients_of_cells() -> None:
    def slope(a: Any) -> Any:
        d = vt.zeros([6, 7], "float64")
        for i in range(1, 6):
            for j in range(1, 7):
                d[i, j] = a[i, j - 1] * a[i - 1, j]
                d[i, 0] = a[i, 0] * 3
        return vt.grad((d * d).sum(), [a])[0]

    a = vt.to_tensor(np.nan_to_num(_table(6, 7)), stop_gradient=False)
    np.testing.assert_allclose(vt.to_static(slope)(a).numpy(), slope(a).numpy(), rtol=1e-12, atol=1e-14)


def test_borders_of_what_is_computed_are_taken_in_passing() -> None:
    def steps(x: Any) -> Any:
        for _ in range(30):
            x = 0.25 * (vt.roll(x, 1, 0) + vt.roll(x, -1, 0) + vt.roll(x, 1, 1) + vt.roll(x, -1, 1))
            x[0] = 0
            x[:, -1] = 1
        return x

    compiled = _check(steps, np.nan_to_num(_table(40, 50)))
    assert "select_update" not in _after(compiled)

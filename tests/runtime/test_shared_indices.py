"""Indices that all rows share are checked once, before the first row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt


def _columns(x: Any, order: Any) -> Any:
    return x[:, order]


def _sums(x: Any, order: Any) -> Any:
    return (x[:, order] * 2.0).sum(1)


def _planes(x: Any, order: Any) -> Any:
    return vt.index_select(x, order, 2)


def _places(*shape: int, span: int) -> Any:
    return np.random.default_rng(2).integers(-span, span, shape)


@pytest.mark.parametrize("function", [_columns, _sums])
@pytest.mark.parametrize("rows", [4, 37])
def test_columns_in_another_order(function: Any, rows: int) -> None:
    x, order = np.random.default_rng(1).uniform(1, 2, (rows, 50)).astype("float32"), _places(70, span=50)
    made = vt.to_static(function)
    got = made(vt.to_tensor(x), vt.to_tensor(order))
    np.testing.assert_allclose(got.numpy(), function(x, order), rtol=1e-6)
    (text,) = [str(k) for k in made.kernels.values()]
    before, _, after = text.partition("for r in range(lo, hi)")
    assert "table0 = local_i64(70)" in before
    assert "wrong" in before
    assert "select" not in after


def test_the_inner_of_three_axes() -> None:
    x, order = np.random.default_rng(1).uniform(1, 2, (3, 5, 20)), _places(33, span=20)
    got = vt.to_static(_planes)(vt.to_tensor(x), vt.to_tensor(order))
    np.testing.assert_array_equal(got.numpy(), x[:, :, order])


def test_no_indices_at_all() -> None:
    got = vt.to_static(_columns)(vt.ones([9, 50]), vt.to_tensor(np.zeros(0, "int64")))
    assert got.shape == [9, 0]


@pytest.mark.parametrize("wrong", [50, -51])
def test_an_index_out_of_range_is_found(wrong: int) -> None:
    order = _places(70, span=50)
    order[41] = wrong
    with pytest.raises(IndexError):
        vt.to_static(_columns)(vt.ones([9, 50]), vt.to_tensor(order))


def test_few_rows_and_rows_with_indices_of_their_own_have_no_table() -> None:
    x = vt.to_tensor(np.arange(12 * 20.0).reshape(12, 20))
    few = vt.to_static(_columns)
    few(x[:3], vt.to_tensor(_places(30, span=20)))
    own = vt.to_static(lambda x, order: vt.take_along_axis(x, order, 1))
    order = _places(12, 30, span=20) % 20
    np.testing.assert_array_equal(own(x, vt.to_tensor(order)).numpy(), np.take_along_axis(x.numpy(), order, 1))
    assert [name for made in (few, own) for name, text in made.kernels.items() if "table" in str(text)] == []


@pytest.mark.parametrize(("made_of", "kind"), [("bool", "u8"), ("float32", "i32"), ("int64", "i64"), ("both", "i64")])
@pytest.mark.parametrize("rows", [1, 700])
def test_truth_values_are_as_wide_as_what_they_are_found_from(made_of: str, kind: str, rows: int) -> None:
    """`any` and `all` of a vector of elements are one vector."""
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, (rows, 5000)).astype("float32" if made_of == "both" else made_of)
    x[: rows // 2] = 0
    y = x.astype("float64")

    def function(x: Any, y: Any) -> Any:
        if made_of == "both":
            return ((x > 0) & (y > 0)).any(1), ((x > 0) | (y > 0)).all(1)
        return (x.any(1), x.all(1)) if made_of == "bool" else ((x > 0).any(1), (x > 0).all(1))

    made = vt.to_static(function)
    for got, want in zip(made(vt.to_tensor(x), vt.to_tensor(y)), function(x, y), strict=True):
        np.testing.assert_array_equal(got.numpy(), want)
    assert any(f"{kind}(0)" in str(text) and f"{kind}(1)" in str(text) for text in made.kernels.values())

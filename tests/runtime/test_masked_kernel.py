"""The kernel of masked_scatter: any dtype, masks of nothing and of all, values to spare and too few."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ShapeError


def put(x: Any, mask: Any, values: Any) -> Any:
    return vt.masked_scatter(x, mask, values)


def _numbers(size: int, dtype: str) -> Any:
    return vt.to_tensor(np.random.default_rng(size).integers(-90, 90, size).astype(dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "int64", "int32", "uint8", "bool"])
def test_dtypes_and_masks(dtype: str) -> None:
    compiled = vt.to_static(put)
    x = _numbers(60, "float32").astype(dtype).reshape([5, 12])
    values = _numbers(61, "float32").astype(dtype)
    for share in (0.0, 0.5, 1.0):
        mask = vt.to_tensor(np.random.default_rng(1).random((5, 12)) < share)
        for _ in range(2):
            made = compiled(x, mask, values)
            assert made.dtype == x.dtype
            expected = put(x, mask, values).astype("float64").numpy()
            np.testing.assert_array_equal(made.astype("float64").numpy(), expected)


@pytest.mark.parametrize("shape", [(0,), (1,), (7, 1), (3, 0), (1031,)])
def test_sizes(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(2)
    x, mask = vt.to_tensor(rng.normal(size=shape)), vt.to_tensor(rng.random(shape) < 0.4)
    values = vt.to_tensor(rng.normal(size=max(1, x.size)))
    np.testing.assert_array_equal(vt.to_static(put)(x, mask, values).numpy(), put(x, mask, values).numpy())


def test_run_time_sizes_and_a_mask_that_spreads() -> None:
    spec = [vt.InputSpec([None, 4], "float32"), vt.InputSpec([4], "bool"), vt.InputSpec([40], "float32")]
    compiled = vt.to_static(put, input_spec=spec)
    mask, values = vt.to_tensor([True, False, True, False]), vt.arange(40, dtype="float32")
    for n in (0, 1, 9):
        x = vt.randn([n, 4])
        np.testing.assert_array_equal(compiled(x, mask, values).numpy(), put(x, mask, values).numpy())


def test_a_run_time_number_of_values() -> None:
    spec = [vt.InputSpec([None], "float32"), vt.InputSpec([None], "bool"), vt.InputSpec([None], "float32")]
    compiled = vt.to_static(put, input_spec=spec)
    assert "masked_scatter" in compiled.kernels
    for n, count in ((5, 3), (5, 0), (0, 0), (300, 200)):
        x, mask = vt.randn([n]), vt.arange(n) < count
        values = vt.randn([count])
        np.testing.assert_array_equal(compiled(x, mask, values).numpy(), put(x, mask, values).numpy())
    with pytest.raises(ShapeError, match="values"):
        compiled(vt.zeros([3]), vt.ones([3], "bool"), vt.zeros([0]))


def test_values_that_are_not_finite_stay() -> None:
    x = vt.to_tensor(np.array([np.nan, 1.0, -np.inf, -0.0], "float32"))
    values = vt.to_tensor(np.array([np.inf, np.nan], "float32"))
    mask = vt.to_tensor([False, True, False, True])
    np.testing.assert_array_equal(vt.to_static(put)(x, mask, values).numpy(), [np.nan, np.inf, -np.inf, np.nan])


def test_too_few_values_are_a_shape_error() -> None:
    compiled, x = vt.to_static(put), vt.zeros([6])
    values, mask = vt.to_tensor([1.0, 2.0]), vt.to_tensor([True, False, True, False, False, False])
    assert compiled(x, mask, values).tolist() == [1, 0, 2, 0, 0, 0]
    for fn in (put, compiled):
        with pytest.raises(ShapeError, match="values"):
            fn(x, vt.ones([6], "bool"), values)
    assert compiled(x, mask, values).tolist() == [1, 0, 2, 0, 0, 0]


def test_gradients() -> None:
    def slopes(x: Any, mask: Any, values: Any) -> Any:
        return vt.grad((put(x, mask, values) ** 3).sum(), [x, values])

    x, values = vt.randn([5, 12]), vt.randn([60])
    x.stop_gradient = values.stop_gradient = False
    mask = vt.rand([5, 12]) < 0.5
    for found, wanted in zip(vt.to_static(slopes)(x, mask, values), slopes(x, mask, values), strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-5)

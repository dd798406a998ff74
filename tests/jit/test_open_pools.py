"""Pools over axes that an InputSpec leaves open: how many windows there are, and their gradients, as in eager mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.static import InputSpec

F = vt.nn.functional
WINDOWS = [(2, 1, 1), (2, 2, 1), (3, 2, 1), (3, 3, 0), (3, 5, 1), (5, 4, 2)]  # kernel, stride, padding


def with_slope(fn: Any, x: Any) -> list[Any]:
    x = vt.to_tensor(x.numpy(), stop_gradient=False)
    made = fn(x)
    first = made[0] if isinstance(made, tuple) else made
    (first * vt.arange(float(first.size)).reshape(first.shape)).sum().backward()
    assert x.grad is not None
    return [*(made if isinstance(made, tuple) else (made,)), x.grad]


@pytest.mark.parametrize("window", WINDOWS, ids=str)
@pytest.mark.parametrize("name", ["avg", "padding counts", "max", "places", "lp"])
def test_windows_behind_the_image_are_left_out(window: tuple[int, int, int], name: str) -> None:
    kernel, stride, pad = window
    fn: Any = {
        "avg": lambda x: F.avg_pool1d(x, kernel, stride, pad, ceil_mode=True),
        "padding counts": lambda x: F.avg_pool1d(x, kernel, stride, pad, exclusive=False, ceil_mode=True),
        "max": lambda x: F.max_pool1d(x, kernel, stride, pad, ceil_mode=True),
        "places": lambda x: F.max_pool1d(x, kernel, stride, pad, return_mask=True, ceil_mode=True),
        "lp": lambda x: F.lp_pool1d(x, 2.0, kernel, stride, pad, ceil_mode=True),
    }[name]
    static = vt.jit.to_static(fn, input_spec=[InputSpec([None, 2, None], "float32")])
    for size in (5, 6, 7, 8, 11):
        x = vt.to_tensor(np.random.RandomState(size).rand(2, 2, size).astype("float32"))
        for expected, found in zip(with_slope(fn, x), with_slope(static, x), strict=True):
            assert expected.shape == found.shape
            np.testing.assert_allclose(expected.numpy(), found.numpy(), rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("pool", [F.avg_pool3d, F.max_pool3d])
def test_volumes_as_well(pool: Any) -> None:
    def fn(x: Any) -> Any:
        return pool(x, 2, 2, 1, ceil_mode=True)

    static = vt.jit.to_static(fn, input_spec=[InputSpec([1, 1, None, None, None], "float32")])
    for shape in ((3, 4, 5), (4, 5, 3), (1, 2, 7)):
        x = vt.to_tensor(np.random.RandomState(1).rand(1, 1, *shape).astype("float32"))
        for expected, found in zip(with_slope(fn, x), with_slope(static, x), strict=True):
            assert expected.shape == found.shape
            np.testing.assert_allclose(expected.numpy(), found.numpy(), rtol=2e-6, atol=2e-6)


def test_images_without_elements_have_no_gradient() -> None:
    x = vt.zeros([1, 1, 0])
    x.stop_gradient = False
    F.max_pool1d(x, 2, 1, 1).sum().backward()
    assert x.grad is not None and x.grad.shape == [1, 1, 0]

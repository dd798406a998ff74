"""Averages of windows: eager results bit for bit, by loops along rows where windows are inside the image."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.nn import functional as F

CASES: list[tuple[tuple[int, ...], dict[str, Any]]] = [
    ((2, 3, 19, 21), {"kernel_size": 3, "stride": 1}),
    ((2, 3, 19, 21), {"kernel_size": 5, "stride": 1}),
    ((1, 2, 19, 40), {"kernel_size": (2, 25), "stride": 1}),
    ((1, 2, 9, 90), {"kernel_size": (2, 70), "stride": 1}),  # too many to write out
    ((1, 2, 19, 40), {"kernel_size": (4, 11), "stride": (3, 2)}),
    ((2, 2, 19, 21), {"kernel_size": 3, "stride": 1, "padding": 1}),
    ((2, 2, 19, 21), {"kernel_size": 5, "stride": 2, "padding": [2, 1, 0, 3], "exclusive": False}),
    ((2, 2, 20, 22), {"kernel_size": 5, "stride": 3, "padding": 2, "ceil_mode": True}),
    ((2, 2, 20, 22), {"kernel_size": 5, "stride": 3, "padding": 2, "ceil_mode": True, "exclusive": False}),
    ((2, 2, 20, 22), {"kernel_size": (5, 4), "stride": 1, "padding": 1, "divisor_override": 7}),
    ((2, 2, 5, 6), {"kernel_size": 6, "stride": 1, "padding": 5}),  # no window is inside
    ((2, 5, 7, 7), {"kernel_size": 7}),
]


@pytest.mark.parametrize(("shape", "options"), CASES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_averages_are_the_eager_ones(shape: tuple[int, ...], options: dict[str, Any], dtype: str) -> None:
    x = np.random.default_rng(0).standard_normal(shape).astype(dtype) * 1000
    x.flat[5], x.flat[7] = np.inf, -0.0
    want = F.avg_pool2d(vt.to_tensor(x), **options).numpy()
    np.testing.assert_array_equal(vt.to_static(F.avg_pool2d)(vt.to_tensor(x), **options).numpy(), want)


@pytest.mark.parametrize("options", [{"kernel_size": 3, "stride": 1}, {"kernel_size": 4, "stride": 2, "padding": 1}])
def test_sizes_of_images_that_a_call_tells(options: dict[str, Any]) -> None:
    spec = [vt.static.InputSpec([None, 2, None, None], "float32")]
    compiled = vt.to_static(lambda x: F.avg_pool2d(x, **options), input_spec=spec)
    for shape in ((1, 2, 4, 5), (3, 2, 30, 17)):
        x = vt.to_tensor(np.random.default_rng(1).standard_normal(shape).astype("float32"))
        np.testing.assert_array_equal(compiled(x).numpy(), F.avg_pool2d(x, **options).numpy())


def test_bounds_are_not_computed_for_each_pixel() -> None:
    compiled = vt.to_static(lambda x: F.avg_pool2d(x, 5, 1, 2))
    compiled(vt.ones([1, 1, 30, 30]))
    (text,) = map(str, compiled.kernels.values())
    assert "in range(low, high)" in text and "p1[" in text
    assert text.index("divisor =") < text.rindex("in range(low, high)")  # one count for all columns inside

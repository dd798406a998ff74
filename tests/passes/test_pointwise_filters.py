"""Gradients of 1 x 1 filters as GEMMs: where that pays, with the values of the convolution's own gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F

# batch, channels, height, width, filters, attributes of the convolution, whether GEMMs are faster
CASES: list[tuple[int, int, int, int, int, dict[str, Any], bool]] = [
    (1, 128, 7, 7, 64, {}, True),
    (3, 96, 5, 9, 100, {}, True),
    (2, 128, 9, 8, 96, {"stride": 2}, True),
    (2, 128, 8, 9, 96, {"stride": (1, 3)}, True),
    (1, 16, 7, 7, 16, {}, False),  # few sums
    (1, 96, 40, 40, 96, {}, False),  # many pixels
    (17, 96, 3, 3, 96, {}, False),  # many images
    (1, 128, 7, 7, 128, {"groups": 2}, False),
    (1, 128, 7, 7, 96, {"padding": 1}, False),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("case", CASES, ids=lambda c: "x".join(map(str, c[:5])))
def test_gradients_are_those_of_the_convolution(case: Any, dtype: str) -> None:
    batch, channels, height, width, filters, attrs, gemms = case
    rng = np.random.default_rng(1)
    x = vt.to_tensor(rng.standard_normal((batch, channels, height, width)).astype(dtype))
    w = vt.to_tensor(rng.standard_normal((filters, channels // attrs.get("groups", 1), 1, 1)).astype(dtype))
    x.stop_gradient = w.stop_gradient = False

    def gradients(x: Any, w: Any) -> Any:
        return vt.grad((F.conv2d(x, w, **attrs) ** 2).sum(), [w, x])

    compiled = vt.to_static(gradients)
    for _ in range(2):
        for found, expected in zip(compiled(x, w), gradients(x, w), strict=True):
            scale = float(np.abs(expected.numpy()).max())
            np.testing.assert_allclose(
                found.numpy(), expected.numpy(), atol=scale * (2e-6 if dtype == "float32" else 1e-14)
            )
    after = str(compiled.dump("after pointwise_filters"))
    assert ("conv2d_weight_grad" not in after) == gemms


def test_images_of_open_size_stay_convolutions() -> None:
    def gradients(x: Any, w: Any) -> Any:
        w.stop_gradient = False
        return vt.grad(F.conv2d(x, w).sum(), [w])

    spec = [vt.InputSpec([None, 128, 7, 7]), vt.InputSpec([96, 128, 1, 1])]
    compiled = vt.to_static(gradients, input_spec=spec)
    assert "conv2d_weight_grad" in str(compiled.dump("after pointwise_filters"))

"""Which sizes of a PyLayer's results follow its arguments': learnt from trial runs, right for other calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.autograd import PyLayer
from vitrify.static import InputSpec


class Kept(PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return dy * 2


class Twice(PyLayer):
    """[n, c] to [2 n, c]."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return vt.concat([x, x], 0)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        first, second = vt.split(dy, 2, 0)
        return first + second


class Longer(PyLayer):
    """[n, c] to [n + 1, c]."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return vt.concat([x, vt.zeros([1, x.shape[1]])], 0)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return dy[:-1]


class Paired(PyLayer):
    """[n, c] to [n, c] by pairs of rows: an odd number doesn't suit it."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x.reshape([x.shape[0] // 2, 2, -1]).flip(1).reshape(x.shape)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return dy.reshape([dy.shape[0] // 2, 2, -1]).flip(1).reshape(dy.shape)


# columns that are near the sizes of a trial, or their sums and multiples
@pytest.mark.parametrize("columns", [20, 22, 24, 26, 27, 46, 52, 69])
@pytest.mark.parametrize("layer", [Kept, Twice, Longer, Paired])
def test_fixed_sizes_stay_fixed(layer: Any, columns: int) -> None:
    compiled = vt.to_static(lambda x: layer.apply(x * 3), input_spec=[InputSpec([None, columns], "float32")])
    for rows in (32, 4, 30):
        values = np.random.default_rng(rows).random((rows, columns)).astype(np.float32)
        slopes = []
        for way in (compiled, lambda x: layer.apply(x * 3)):
            x = vt.to_tensor(values, stop_gradient=False)
            made = way(x)
            made.sum().backward()
            assert x.grad is not None
            slopes.append((made.numpy(), x.grad.numpy()))
        for a, b in zip(*slopes, strict=True):
            np.testing.assert_array_equal(a, b)

"""Pooling against loops over its definition."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import ArgumentError, ShapeError
from vitrify.ops import pool, pool_nd

from .checks import check_gradients, derivatives, run, type_values
from .numpy_values import ArrayValue, numpy_values

X = np.random.default_rng(0).permutation(2 * 3 * 7 * 6).reshape(2, 3, 7, 6) * 0.25
CASES: list[tuple[Any, Any, Any, bool]] = [
    (2, None, 0, False), ((3, 2), 1, 1, False), (3, 2, 1, True), ((2, 3), (3, 2), [1, 0, 2, 1], True), (4, 3, 0, True),
    (2, 2, 1, True),  # another window would begin right behind the image
]  # fmt: skip


def windows(x: Any, kernel: Any, stride: Any, padding: Any, ceil: bool) -> list[list[tuple[slice, slice, int]]]:
    """For every output place: the slices of the image, and how many places of the padded image the window has."""
    kernel = kernel if isinstance(kernel, tuple) else (kernel, kernel)
    stride = kernel if stride is None else stride if isinstance(stride, tuple) else (stride, stride)
    pads = [(padding, padding)] * 2 if isinstance(padding, int) else [tuple(padding[:2]), tuple(padding[2:])]
    axes = []
    for n, k, s, (before, after) in zip(x.shape[2:], kernel, stride, pads, strict=True):
        spans, start = [], -before
        while start + k <= n + after or (ceil and start < n and start - s + k < n + after):
            spans.append((slice(max(start, 0), min(start + k, n)), min(start + k, n + after) - start))
            start += s
        axes.append(spans)
    return [[(r, c, a * b) for c, b in axes[1]] for r, a in axes[0]]


def pooled(x: Any, case: Any, fold: Any) -> Any:
    return np.stack([np.stack([fold(x[:, :, r, c], n) for r, c, n in row], -1) for row in windows(x, *case)], -2)


@pytest.mark.parametrize("case", CASES)
def test_pooling_is_its_definition(case: Any) -> None:
    kernel, stride, padding, ceil = case
    largest = pooled(X, case, lambda part, n: part.max((2, 3)))
    np.testing.assert_array_equal(
        run(lambda x: pool.max_pool2d(x, kernel, stride, padding, ceil_mode=ceil), X), largest
    )
    y, places = run(lambda x: pool.max_pool2d(x, kernel, stride, padding, True, ceil), X)
    np.testing.assert_array_equal(
        np.take_along_axis(X.reshape(2, 3, -1), places.reshape(2, 3, -1), 2).reshape(y.shape), y
    )
    for exclusive in (True, False):
        mean = pooled(X, case, lambda part, n, e=exclusive: part.sum((2, 3)) / (part[0, 0].size if e else n))
        got = run(lambda x, e=exclusive: pool.avg_pool2d(x, kernel, stride, padding, ceil, e), X)
        np.testing.assert_allclose(got, mean)
    area = math.prod(kernel) if isinstance(kernel, tuple) else kernel**2
    total = pooled(X, case, lambda part, n: part.mean((2, 3)) * area / 5)
    np.testing.assert_allclose(
        run(lambda x: pool.avg_pool2d(x, kernel, stride, padding, ceil, divisor_override=5), X), total
    )


def test_the_first_maximum_gets_the_gradient() -> None:
    x = np.zeros((1, 1, 2, 4))
    (gradient,) = derivatives(lambda v: pool.max_pool2d(v, 2), [x], np.ones((1, 1, 1, 2)))
    np.testing.assert_array_equal(gradient, [[[[1, 0, 1, 0], [0, 0, 0, 0]]]])
    lowest = np.full((1, 1, 3, 3), -np.inf)
    y, places = run(lambda v: pool.max_pool2d(v, 2, 1, 1, True), lowest)
    assert np.all(y == -np.inf)
    assert places.min() == 0
    x[0, 0, 1, 1] = np.nan
    assert run(lambda v: pool.max_pool2d(v, 2, return_mask=True), x)[1].tolist() == [[[[5, 2]]]]


def test_sequences() -> None:
    x = X[:, :, 0]
    np.testing.assert_array_equal(run(lambda v: pool.max_pool1d(v, 2), x), x.reshape(2, 3, 3, 2).max(-1))
    np.testing.assert_allclose(run(lambda v: pool.avg_pool1d(v, 3, 3), x), x.reshape(2, 3, 2, 3).mean(-1))
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1)))
    expected = np.stack([padded[..., k : k + 3].sum(-1) for k in range(0, 6, 2)], -1) / 3
    np.testing.assert_allclose(run(lambda v: pool.avg_pool1d(v, 3, 2, 1, exclusive=False), x), expected)
    np.testing.assert_array_equal(run(lambda v: pool_nd.adaptive_max_pool1d(v, 2), x), x.reshape(2, 3, 2, 3).max(-1))
    np.testing.assert_allclose(run(lambda v: pool_nd.adaptive_avg_pool1d(v, 3), x), x.reshape(2, 3, 3, 2).mean(-1))


@pytest.mark.parametrize("output", [1, (7, 1), (1, 3), (None, 2), 3, (5, 4), (7, 6)])
def test_adaptive_windows_cover_the_image(output: Any) -> None:
    wanted = output if isinstance(output, tuple) else (output, output)
    oh, ow = (n if o is None else o for o, n in zip(wanted, X.shape[2:], strict=True))
    spans = [[slice(k * n // o, -(-(k + 1) * n // o)) for k in range(o)] for o, n in ((oh, 7), (ow, 6))]
    for function, fold in ((pool_nd.adaptive_avg_pool2d, np.mean), (pool_nd.adaptive_max_pool2d, np.max)):
        expected = np.stack([np.stack([fold(X[:, :, r, c], (2, 3)) for c in spans[1]], -1) for r in spans[0]], -2)
        np.testing.assert_allclose(run(lambda x, f=function: f(x, output), X), expected)
        check_gradients(lambda x, f=function: f(x, output), X[:1, :1])


def test_channels_last() -> None:
    x = X.transpose(0, 2, 3, 1)
    for function in (pool.max_pool2d, pool.avg_pool2d):
        first = run(lambda v, f=function: f(v, 2), X)
        np.testing.assert_allclose(
            run(lambda v, f=function: f(v, 2, data_format="NHWC"), x), first.transpose(0, 2, 3, 1)
        )


def test_symbolic_sizes() -> None:
    with type_values() as value:
        x = value("f32", "N", 3, "H", 8)
        assert str(pool.max_pool2d(x, 2).type) == "f32[N, 3, (H-2)//2+1, 4]"
        assert str(pool_nd.adaptive_avg_pool2d(x, 1).type) == "f32[N, 3, 1, 1]"
        assert str(pool_nd.adaptive_avg_pool2d(x, (None, 4)).type) == "f32[N, 3, H, 4]"
        assert str(pool_nd.adaptive_max_pool2d(x, (1, 4)).type) == "f32[N, 3, 1, 4]"


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda x: pool.max_pool2d(x, 2, padding=2), ArgumentError, "can't have a padding"),
        (lambda x: pool.avg_pool2d(x, (2, 2, 2)), ArgumentError, "kernel_size must be"),
        (lambda x: pool.max_pool2d(x, 2, padding="VALID", ceil_mode=True), ArgumentError, "ceil_mode"),
        (lambda x: pool.avg_pool1d(ArrayValue(X[0]), 2, None, "VALID", True, True), ArgumentError, "ceil_mode"),
        (lambda x: pool_nd.lp_pool2d(x, 2.0, 2, None, "VALID", True), ArgumentError, "ceil_mode"),
        (lambda x: pool.max_pool2d(x, 2, return_mask=True, data_format="NHWC"), ArgumentError, "return_mask"),
        (lambda x: pool.max_pool2d(x, 2, padding=[[0, 1], [0, 0], [0, 0], [0, 0]]), ArgumentError, "must be 0"),
        (lambda x: pool.avg_pool2d(x, 3, stride=[0, 2]), ArgumentError, "stride must be"),
        (lambda x: pool.avg_pool2d(x, 3, data_format="NNNN"), ArgumentError, "data_format"),
        (lambda x: pool.max_pool2d(x, 9, 1), ShapeError, "doesn't fit into 7"),
        (lambda x: pool.max_pool1d(x, [2, 2]), ArgumentError, "kernel_size must be an int"),
        (lambda x: pool.max_pool2d(ArrayValue(X[0]), 2), ShapeError, "needs images"),
        (lambda x: pool_nd.adaptive_avg_pool2d(x, (1, 2, 3)), ArgumentError, "output_size must be 2"),
        (lambda x: pool_nd.adaptive_max_pool2d(x, (1, 2, 3)), ArgumentError, "output_size must be 2"),
    ],
)
def test_mistakes_are_named(wrong: Any, error: type[Exception], text: str) -> None:
    with numpy_values(), pytest.raises(error, match=text):
        wrong(ArrayValue(X))


def test_an_adaptive_grid_of_an_open_size() -> None:
    with type_values() as value:
        assert str(pool_nd.adaptive_avg_pool2d(value("f32", "N", 3, "H", 8), 4).type) == "f32[N, 3, 4, 4]"


def test_gradients_of_maxima_at_ties_and_special_values() -> None:
    x = np.array([[1.0, 1.0, -np.inf, -np.inf], [1.0, 0.0, -np.inf, -np.inf], [np.nan, 2.0, 3.0, np.inf]])[None, None]
    g = np.array([[1.0, np.inf], [5.0, 7.0]])[None, None]
    found = derivatives(lambda v: pool.max_pool2d(v, 2, ceil_mode=True), [x], g)[0][0, 0]
    np.testing.assert_array_equal(found, [[1, 0, np.inf, 0], [0, 0, 0, 0], [5, 0, 0, 7]])
    ties = np.zeros((1, 1, 5, 5))
    spread = derivatives(lambda v: pool.max_pool2d(v, 3, 1), [ties], np.ones((1, 1, 3, 3)))[0][0, 0]
    np.testing.assert_array_equal(spread[:3, :3], np.ones((3, 3)))
    assert spread.sum() == 9

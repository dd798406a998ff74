"""Convolutions against loops over their definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import ArgumentError, ShapeError
from vitrify.ops import conv, conv_kernels

from .checks import check_gradients, run, type_values
from .numpy_values import ArrayValue, numpy_values

RNG = np.random.default_rng(0)
X, W = RNG.uniform(-1, 1, (2, 4, 7, 6)), RNG.uniform(-1, 1, (6, 2, 3, 2))


def correlated(x: Any, w: Any, stride: Any, pads: Any, dilation: Any, groups: int) -> Any:
    x = np.pad(x, ((0, 0), (0, 0), *pads))
    (n, _, h, width), (out, each, kh, kw) = x.shape, w.shape
    oh = (h - dilation[0] * (kh - 1) - 1) // stride[0] + 1
    ow = (width - dilation[1] * (kw - 1) - 1) // stride[1] + 1
    y = np.zeros((n, out, oh, ow))
    for b, o, i, j in np.ndindex(n, out, oh, ow):
        first = o // (out // groups) * each
        for k, p, q in np.ndindex(each, kh, kw):
            y[b, o, i, j] += (
                w[o, k, p, q] * x[b, first + k, i * stride[0] + p * dilation[0], j * stride[1] + q * dilation[1]]
            )
    return y


@pytest.mark.parametrize(
    ("padding", "pads", "stride", "dilation"),
    [
        (0, ((0, 0), (0, 0)), 1, 1),
        (1, ((1, 1), (1, 1)), (2, 1), 1),
        ([1, 0], ((1, 1), (0, 0)), 1, (2, 1)),
        ([1, 2, 0, 1], ((1, 2), (0, 1)), 2, 2),
        ([[0, 0], [0, 0], [1, 0], [0, 2]], ((1, 0), (0, 2)), 3, 1),
        ("VALID", ((0, 0), (0, 0)), 1, 1),
        ("SAME", ((1, 1), (0, 1)), 1, 1),
        ("same", ((1, 1), (0, 0)), 2, 1),
    ],
)
def test_conv2d_is_its_definition(padding: Any, pads: Any, stride: Any, dilation: Any) -> None:
    pairs = [v if isinstance(v, tuple) else (v, v) for v in (stride, dilation)]
    expected = correlated(X, W, pairs[0], pads, pairs[1], 2)
    bias = np.arange(6.0)
    got = run(lambda x, w, b: conv.conv2d(x, w, b, stride, padding, dilation, 2), X, W, bias)
    np.testing.assert_allclose(got, expected + bias[:, None, None])
    if isinstance(padding, list) and isinstance(padding[0], list):
        padding = [padding[k] for k in (0, 2, 3, 1)]
    last = run(lambda x, w: conv.conv2d(x, w, None, stride, padding, dilation, 2, "NHWC"), X.transpose(0, 2, 3, 1), W)
    np.testing.assert_allclose(last, expected.transpose(0, 2, 3, 1))


def test_depthwise() -> None:
    w = RNG.uniform(size=(4, 1, 3, 3))
    expected = correlated(X, w, (1, 1), ((1, 1), (1, 1)), (1, 1), 4)
    np.testing.assert_allclose(run(lambda x, w: conv.conv2d(x, w, padding=1, groups=4), X, w), expected)


def test_conv1d() -> None:
    x, w = X[:, :, 0], W[:, :, 0]
    expected = correlated(x[:, :, None], w[:, :, None], (1, 2), ((0, 0), (1, 1)), (1, 3), 2)[:, :, 0]
    np.testing.assert_allclose(run(lambda x, w: conv.conv1d(x, w, None, 2, 1, 3, 2), x, w), expected)
    check_gradients(lambda x, w, b: conv.conv1d(x, w, b, 2, [1, 0], 1, 2), x, w, np.arange(6.0))


@pytest.mark.parametrize(("stride", "extra"), [(1, 0), (2, 1), ((3, 2), (2, 1))])
def test_conv2d_transpose_spreads_each_element(stride: Any, extra: Any) -> None:
    steps, extras = (v if isinstance(v, tuple) else (v, v) for v in (stride, extra))
    x, w = X[:, :, :3, :3], RNG.uniform(size=(4, 3, 3, 2))
    full = np.zeros((2, 6, 2 * steps[0] + 3 + extras[0], 2 * steps[1] + 2 + extras[1]))
    for b, c, i, j in np.ndindex(*x.shape):
        first = c // 2 * 3
        full[b, first : first + 3, i * steps[0] : i * steps[0] + 3, j * steps[1] : j * steps[1] + 2] += (
            x[b, c, i, j] * w[c]
        )
    expected = full[:, :, 1 : full.shape[2] - 1, 0 : full.shape[3]]
    got = run(lambda x, w: conv.conv2d_transpose(x, w, None, stride, [1, 0], extra, 2), x, w)
    np.testing.assert_allclose(got, expected)
    sized = run(lambda x, w: conv.conv2d_transpose(x, w, None, stride, [1, 0], 0, 2, 1, list(got.shape[2:])), x, w)
    np.testing.assert_allclose(sized, expected)
    check_gradients(lambda x, w: conv.conv2d_transpose(x, w, None, stride, [1, 0], extra, 2), x[:1, :, :2], w)


def test_symbolic_sizes() -> None:
    with type_values() as value:
        w = value("f32", 8, 3, 3, 3)
        assert str(conv.conv2d(value("f32", "N", 3, 32, 32), w, padding=1, stride=2).type) == "f32[N, 8, 16, 16]"
        assert str(conv.conv2d(value("f32", "N", 3, "H", "W"), w, padding="SAME").type) == "f32[N, 8, H, W]"
        x = value("f32", "N", 8, 16, 16)
        assert str(conv.conv2d_transpose(x, w, stride=2, padding=1, output_padding=1).type) == "f32[N, 3, 32, 32]"


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (
            lambda x, w: conv.conv2d(x, w),
            ShapeError,
            r"images with 4 channels don't fit filters \[6, 2, 3, 2\] in 1 groups",
        ),
        (lambda x, w: conv.conv2d(x, w, groups=2, dilation=9), ShapeError, "doesn't fit into 7"),
        (lambda x, w: conv.conv2d(x, w, stride=0), ArgumentError, "stride must be"),
        (lambda x, w: conv.conv2d(x, w, padding="FULL"), ArgumentError, "SAME"),
        (lambda x, w: conv.conv2d(x, w, padding=-1), ArgumentError, "padding must be"),
        (lambda x, w: conv.conv2d(x, w, groups=0), ArgumentError, "groups must be"),
        (lambda x, w: conv.conv2d(w, ArrayValue(W[0])), ShapeError, "conv2d needs images"),
        (lambda x, w: conv.conv2d(x, w, data_format="HWCN"), ArgumentError, "data_format"),
        (lambda x, w: conv.conv1d(x, w), ShapeError, "conv1d needs"),
        (lambda x, w: conv.conv2d_transpose(x, w), ShapeError, "don't fit filters"),
        (lambda x, w: conv.conv2d_transpose(x, ArrayValue(W[:4]), output_size=[50, 50]), ShapeError, "output_size 50"),
    ],
)
def test_mistakes_are_named(wrong: Any, error: type[Exception], text: str) -> None:
    with numpy_values(), pytest.raises(error, match=text):
        wrong(ArrayValue(X), ArrayValue(W))


def test_a_filter_without_elements_is_refused() -> None:
    with pytest.raises(ShapeError, match="no elements"):
        run(lambda x, w: conv.conv2d(x, w), np.zeros((1, 2, 3, 3)), np.zeros((1, 2, 0, 1)))
    assert run(lambda x, w: conv.conv2d(x, w), np.zeros((0, 2, 3, 3)), np.zeros((1, 2, 2, 2))).shape == (0, 1, 2, 2)


@np.errstate(invalid="ignore")
def test_kernels_go_in_blocks_and_keep_the_infinite_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    a = {"stride": (1, 1), "padding": ((1, 0), (0, 1)), "dilation": (1, 1), "groups": 2}
    x, w = RNG.uniform(size=(5, 4, 6, 5)), RNG.uniform(size=(6, 2, 3, 2))
    y = conv_kernels.conv2d(x, w, **a)
    g = RNG.uniform(size=y.shape)
    whole = [y, conv_kernels.weight_grad(x, g, kernel=(3, 2), **a), conv_kernels.input_grad(g, w, size=(6, 5), **a)]
    monkeypatch.setattr(conv_kernels, "BLOCK", 300)
    blocks = [
        conv_kernels.conv2d(x, w, **a),
        conv_kernels.weight_grad(x, g, kernel=(3, 2), **a),
        conv_kernels.input_grad(g, w, size=(6, 5), **a),
    ]
    for one, other in zip(whole, blocks, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    x[0, 0, 0, 4] = np.inf  # at the edge: the windows' first column doesn't reach it without padding
    bare, g = a | {"padding": ((0, 0), (0, 0))}, g[:, :, :4, :4]
    found = conv_kernels.weight_grad(x, g, kernel=(3, 2), **bare)[:, :, :, :1]
    assert np.isfinite(found).all()
    w[0, 0, 0, 0] = np.inf
    found = conv_kernels.input_grad(g, w, size=(6, 5), **bare)
    assert not np.isnan(found).any()

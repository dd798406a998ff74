"""Gradients where a function has a kink or its elements tie: a value between both one-sided derivatives, the same compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

F = vt.nn.functional
INF, NAN = float("inf"), float("nan")
Function = Callable[..., Any]

KINKS: dict[str, tuple[Function, list[float]]] = {
    "relu": (F.relu, [-1, 0, -0.0, 1]),
    "abs": (vt.abs, [-1, 0, -0.0, 1]),
    "clip": (lambda x: vt.clip(x, -1.0, 1.0), [-2, -1, 0, 1, 2]),
    "clip from below": (lambda x: vt.clip(x, min=-1.0), [-2, -1, 0]),
    "clip from above": (lambda x: vt.clip(x, max=1.0), [0, 1, 2]),
    "relu6": (F.relu6, [-1, 0, 3, 6, 7]),
    "hardtanh": (F.hardtanh, [-2, -1, 0, 1, 2]),
    "hardsigmoid": (F.hardsigmoid, [-4, -3, 0, 3, 4]),
    "hardswish": (F.hardswish, [-4, -3, 0, 3, 4]),
    "leaky_relu": (lambda x: F.leaky_relu(x, 0.1), [-1, 0, -0.0, 1]),
    "elu": (lambda x: F.elu(x, 0.5), [-1, 0, -0.0, 1]),
    "selu": (F.selu, [-1, 0, -0.0, 1]),
    "celu": (lambda x: F.celu(x, 0.5), [-1, 0, -0.0, 1]),
    "prelu": (lambda x: F.prelu(x, vt.to_tensor([0.25], x.dtype)), [-1, 0, -0.0, 1]),
    "softshrink": (lambda x: F.softshrink(x, 0.5), [-1, -0.5, 0, 0.5, 1]),
    "maximum with a number": (lambda x: vt.maximum(x, vt.full_like(x, 1.0)), [0, 1, 2]),
    "minimum with a number": (lambda x: vt.minimum(x, vt.full_like(x, 1.0)), [0, 1, 2]),
    "where": (lambda x: vt.where(x >= 0, x, x * 0.5), [-1, 0, -0.0, 1]),
    "smooth_l1": (lambda x: F.smooth_l1_loss(x, vt.zeros_like(x), reduction="none"), [-1, 0, 1, 2]),
    "l1": (lambda x: F.l1_loss(x, vt.zeros_like(x), reduction="none"), [-1, 0, 1]),
    "logsigmoid": (F.log_sigmoid, [-1, 0, 1]),
    "softplus": (F.softplus, [-1, 0, 25]),
    "silu": (F.silu, [-1, 0, 1]),
    "gelu": (F.gelu, [-1, 0, 1]),
    "mish": (F.mish, [-1, 0, 1]),
    "square root of a square": (lambda x: vt.sqrt(x * x + 1.0), [-1, 0, 1]),
}


def gradients(fn: Function, arrays: list[Any], weights: Any = None) -> list[Any]:
    tensors = [vt.to_tensor(np.array(a, np.float64), stop_gradient=False) for a in arrays]
    made = fn(*tensors)
    (made if weights is None else made * vt.to_tensor(np.array(weights, np.float64))).sum().backward()
    return [t.grad.numpy() for t in tensors]


@pytest.mark.parametrize("name", KINKS)
def test_a_kinks_gradient_lies_between_both_derivatives(name: str) -> None:
    fn, points = KINKS[name]
    x = np.array(points, np.float64)
    step = 1e-7
    at, above, below = (fn(vt.to_tensor(x + d)).numpy() for d in (0.0, step, -step))
    right, left = (above - at) / step, (at - below) / step
    (found,) = gradients(fn, [x])
    assert np.all(found >= np.minimum(left, right) - 1e-5), (found, left, right)
    assert np.all(found <= np.maximum(left, right) + 1e-5), (found, left, right)
    np.testing.assert_allclose(gradients(vt.to_static(fn), [x])[0], found, rtol=1e-12)


# What a tie gives is a convention, Paddle's where it has one: elements, weights of the results, gradients.
TIES: dict[str, tuple[Function, list[Any], Any, list[Any]]] = {
    "clip at both bounds": (lambda x: vt.clip(x, -1.0, 1.0), [[-2, -1, 0, 1, 2]], None, [[0, 1, 1, 1, 0]]),
    "clip at the lower bound": (lambda x: vt.clip(x, min=-1.0), [[-2, -1, 0]], None, [[0, 1, 1]]),
    "clip at the upper bound": (lambda x: vt.clip(x, max=1.0), [[0, 1, 2]], None, [[1, 1, 0]]),
    "maximum": (vt.maximum, [[1, 2, 2], [1, 1, 3]], None, [[0.5, 1, 0], [0.5, 0, 1]]),
    "minimum": (vt.minimum, [[1, 2, 2], [1, 1, 3]], None, [[0.5, 0, 1], [0.5, 1, 0]]),
    "maximum of zeros": (vt.maximum, [[0.0, -0.0], [-0.0, 0.0]], None, [[0.5, 0.5], [0.5, 0.5]]),
    "max": (vt.max, [[3, 1, 3, 2]], None, [[1, 0, 1, 0]]),
    "min": (vt.min, [[3, 1, 3, 1]], None, [[0, 1, 0, 1]]),
    "amax": (vt.amax, [[3, 1, 3, 2]], None, [[0.5, 0, 0.5, 0]]),
    "amin": (vt.amin, [[3, 1, 3, 1]], None, [[0, 0.5, 0, 0.5]]),
    "relu": (F.relu, [[0.0, -0.0]], None, [[0, 0]]),
    "abs": (vt.abs, [[0.0, -0.0]], None, [[0, 0]]),
    "relu6": (F.relu6, [[0, 3, 6]], None, [[0, 1, 0]]),
    "hardtanh": (F.hardtanh, [[-1, 0, 1]], None, [[0, 1, 0]]),
    "hardswish": (F.hardswish, [[-3, 0, 3]], None, [[0, 0.5, 1]]),
    "hardshrink at its threshold": (F.hardshrink, [[-0.5, 0.2, 0.5]], None, [[1, 0, 1]]),
    "fmax": (vt.fmax, [[1, 2, NAN, 1], [1, 1, 2, NAN]], None, [[1, 1, 0, 1], [0, 0, 1, 0]]),
    "fmin": (vt.fmin, [[1, 2, NAN, 1], [1, 1, 2, NAN]], None, [[1, 0, 0, 1], [0, 1, 1, 0]]),
    "root of a size": (lambda x: vt.sqrt(vt.abs(x)), [[0.0, -0.0, 4]], None, [[0, 0, 0.25]]),
    "logit": (vt.logit, [[0.0, -0.0, 1, 0.5]], None, [[INF, -INF, INF, 4]]),
    "smooth_l1 far away": (
        lambda x: F.smooth_l1_loss(x, vt.zeros_like(x), reduction="none"), [[INF, -INF, 2]], None, [[1, -1, 1]]
    ),
    "angle": (vt.angle, [[INF, -INF, NAN, 1]], None, [[0, 0, 0, 0]]),
    "heaviside": (lambda x: vt.heaviside(x, vt.full_like(x, 0.5)), [[NAN, 0, 1]], None, [[0, 0, 0]]),
    "sinc near 0": (vt.sinc, [[0, 1e-9, -1e-5]], None, [[0, -(np.pi**2) / 3e9, np.pi**2 / 3e5]]),
    "sort": (vt.sort, [[2, 1, 2, 1]], [1, 2, 3, 4], [[3, 1, 4, 2]]),
    "sort downwards": (lambda x: vt.sort(x, descending=True), [[2, 1, 2, 1]], [1, 2, 3, 4], [[1, 3, 2, 4]]),
    "topk": (lambda x: vt.topk(x, 2)[0], [[2, 1, 2, 2]], [1, 2], [[1, 0, 2, 0]]),
    "median of an even number": (vt.median, [[2, 1, 2, 3]], None, [[0.5, 0, 0.5, 0]]),
    "cummax": (lambda x: vt.cummax(x, axis=0)[0], [[2, 1, 2, 3]], [1, 2, 4, 8], [[3, 0, 4, 8]]),
    "cummin": (lambda x: vt.cummin(x, axis=0)[0], [[2, 3, 2, 1]], [1, 2, 4, 8], [[3, 0, 4, 8]]),
    "max_pool": (lambda x: F.max_pool1d(vt.reshape(x, [1, 1, 4]), 2), [[1, 1, 2, 2]], None, [[1, 0, 1, 0]]),
    "product with a zero": (vt.prod, [[0, 2, 3]], None, [[6, 0, 0]]),
    "product with two": (vt.prod, [[0, 0, 3]], None, [[0, 0, 0]]),
    "norm of zeros": (vt.linalg.norm, [[0, 0]], None, [[0, 0]]),
    "power of zero": (vt.pow, [[0, 0, 2], [1, 2, 3]], None, [[1, 0, 12], [0, 0, 8 * np.log(2)]]),
    "where of a tie": (lambda x, y: vt.where(x >= y, x, y), [[1, 2], [1, 3]], None, [[1, 0], [0, 1]]),
}  # fmt: skip


@pytest.mark.parametrize("name", TIES)
def test_a_ties_gradient_is_the_stated_one(name: str) -> None:
    fn, arrays, weights, expected = TIES[name]
    for way in (fn, vt.to_static(fn)):
        for found, wanted in zip(gradients(way, arrays, weights), expected, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_single_sinc_has_its_slope_near_0() -> None:
    """The slope of sin(a) / a is the difference of two large numbers near 0: a series gives it."""
    points = np.array([1e-10, 1e-4, 1e-2, 0.09, 0.1, 0.5], np.float32)
    a = points.astype(np.float64) * np.pi
    expected = np.where(np.abs(a) < 1e-3, -a / 3, (np.cos(a) * a - np.sin(a)) / (a * a)) * np.pi
    for way in (vt.sinc, vt.to_static(vt.sinc)):
        x = vt.to_tensor(points, stop_gradient=False)
        way(x).sum().backward()
        np.testing.assert_allclose(x.grad.numpy(), expected, rtol=1e-5)


def test_the_angle_of_infinities() -> None:
    x = vt.to_tensor([INF, -INF, NAN, 0.0, -2.0])
    for way in (vt.angle, vt.to_static(vt.angle)):
        np.testing.assert_allclose(way(x).numpy(), [0, np.pi, NAN, 0, np.pi], rtol=1e-6)

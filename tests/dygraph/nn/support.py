"""Numeric gradients of layers and short ways to make tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.nn import Layer


def tensor(array: Any, dtype: str = "float64", grad: bool = False) -> Any:
    return to_tensor(np.asarray(array, dtype), stop_gradient=not grad)


def rand(*shape: int, seed: int = 0, low: float = -1.0, high: float = 1.0) -> Any:
    return np.random.default_rng(seed).uniform(low, high, shape)


def numeric_gradient(value: Callable[[], float], array: Any, write: Callable[[Any], None], eps: float = 1e-5) -> Any:
    """The gradient of `value()` for every element of `array`, by central differences."""
    result = np.zeros_like(array)
    for place in np.ndindex(*array.shape):
        moved = array.copy()
        moved[place] += eps
        write(moved)
        high = value()
        moved[place] -= 2 * eps
        write(moved)
        result[place] = (high - value()) / (2 * eps)
    write(array)
    return result


def check_gradients(layer: Layer, *inputs: Any, tolerance: float = 1e-6) -> None:
    """Gradients of a weighted sum of the layer's first output, in float64, against differences."""
    layer.astype("float64")
    xs = [tensor(x, grad=True) if np.asarray(x).dtype.kind == "f" else to_tensor(x) for x in inputs]
    weights = None

    def loss() -> Any:
        nonlocal weights
        out = layer(*xs)
        out = out[0] if isinstance(out, tuple) else out
        if weights is None:
            weights = tensor(rand(*out.shape, seed=9) + 0.5)
        return (out * weights).sum()

    loss().backward()
    for t in [x for x in [*xs, *layer.parameters()] if not x.stop_gradient]:
        assert t.grad is not None, t.name
        wanted = numeric_gradient(lambda: float(loss().numpy()), t.numpy(), t.set_value)
        np.testing.assert_allclose(t.grad.numpy(), wanted, rtol=tolerance, atol=tolerance, err_msg=t.name)

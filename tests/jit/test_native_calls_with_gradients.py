"""Native calls of functions that take gradients of their arguments: what must be so of these is looked at in each call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.jit.call.caller import MISS
from vitrify.runtime.vm.calls import native_call

pytestmark = pytest.mark.skipif(not native_call.is_possible(), reason="objects of this Python lie in another way")


def _tensor(wants: bool = True) -> vt.Tensor:
    made = vt.to_tensor([1.0, 2.0, 3.0])
    made.stop_gradient = not wants
    return made


def _slope(x: vt.Tensor) -> Any:
    return vt.grad((x * x).sum(), [x])[0]


def _warm(*given: Any) -> Any:
    compiled = vt.to_static(_slope)
    for _ in range(4):
        compiled(*given)
    return compiled


def test_a_function_with_a_gradient_is_called_natively() -> None:
    x = _tensor()
    compiled = _warm(x)
    assert compiled._first.__name__ == "native_call"
    made = compiled._first((x,), {})
    assert made is not MISS and made.tolist() == [2.0, 4.0, 6.0]


@pytest.mark.parametrize("change", ["gradient", "zero gradient", "hook", "not a leaf", "no gradient wanted"])
def test_other_arguments_are_not_taken_natively(change: str) -> None:
    compiled, x = _warm(_tensor()), _tensor(wants=change != "no gradient wanted")
    seen: list[Any] = []
    if "gradient" in change and "wanted" not in change:
        (x * x).sum().backward()
        if change == "zero gradient":
            x.clear_gradient()
    elif change == "hook":
        x.register_hook(lambda g: seen.append(1) or g * 10.0)
    elif change == "not a leaf":
        x = x * 1.0
    assert compiled._first((x,), {}) is MISS
    if change == "no gradient wanted":
        return
    made = compiled(x)
    assert made.tolist() == _slope(x).tolist() == ([20.0, 40.0, 60.0] if change == "hook" else [2.0, 4.0, 6.0])


def test_gradients_of_one_row_are_those_of_numpy() -> None:
    rng = np.random.default_rng(3)
    x, w, g = (vt.to_tensor(rng.standard_normal(shape).astype("float32")) for shape in ((1, 13), (13, 7), (1, 7)))

    def left(x: vt.Tensor, w: vt.Tensor, g: vt.Tensor) -> Any:
        x.stop_gradient = False
        return vt.grad(vt.matmul(x, w), [x], g)

    compiled = vt.to_static(left)
    for _ in range(4):
        (made,) = compiled(x, w, g)
    assert compiled._first((x, w, g), {}) is not MISS
    np.testing.assert_allclose(made.numpy(), g.numpy().astype("float64") @ w.numpy().T, rtol=1e-5, atol=1e-6)

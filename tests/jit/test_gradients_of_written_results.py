"""What the caller writes into the results of a compiled call leaves the call's gradients as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


class Keeping(vt.nn.Layer):
    def forward(self, x: Any) -> Any:
        self.h = vt.exp(x)
        return self.h, self.h * 2


def tanh(x: Any) -> Any:
    y = vt.tanh(x)
    return y, y * 2


def reshaped(x: Any) -> Any:
    y = vt.tanh(x)
    return y.reshape([2, 1]), y * 2


def given_twice(x: Any) -> Any:
    y = vt.exp(x)
    return y, y[1:], y * 2


def detached(x: Any) -> Any:
    y = vt.tanh(x)
    return y.detach(), y * 2


def mask(x: Any) -> Any:
    m = x > 1.5
    return m, vt.where(m, x * 2, x * 3)


def places(x: Any) -> Any:
    i = vt.argsort(x)
    return i, vt.gather(x * x, i) * x


def kept(x: Any) -> Any:
    return Keeping()(x)


def zero(y: Any) -> None:
    with vt.no_grad():
        y.zero_()


def set_value(y: Any) -> None:
    y.set_value(np.zeros(y.shape, y.numpy().dtype))


def zero_detached(y: Any) -> None:
    y.detach().zero_()


def item(y: Any) -> None:
    with vt.no_grad():
        y[0] = 0


def part(y: Any) -> None:
    with vt.no_grad():
        y[0:1].zero_()


def assign(y: Any) -> None:
    with vt.no_grad():
        vt.assign(vt.zeros_like(y), y)


def gradient(fn: Callable[..., Any], write: Callable[[Any], None] | None) -> list[float]:
    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    *first, last = fn(x)
    before = last.numpy().copy()
    if write is not None:
        write(first[0])
        assert not first[0].numpy().reshape(-1)[0]
    assert last.numpy().tolist() == before.tolist()
    last.sum().backward()
    return x.grad.tolist()  # type: ignore[no-any-return]


FUNCTIONS = (tanh, reshaped, given_twice, detached, mask, places, kept)


@pytest.mark.parametrize("write", [zero, set_value, zero_detached, item, part, assign], ids=lambda fn: fn.__name__)
@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_a_result_that_backward_reads_is_written(fn: Any, write: Any) -> None:
    g = vt.jit.to_static(fn)
    wanted = gradient(fn, None)
    for _ in range(3):  # captured, compiled, and native
        np.testing.assert_allclose(gradient(g, write), wanted, rtol=1e-6)


def test_what_the_function_leaves_in_an_attribute_is_written() -> None:
    layer = Keeping()
    g = vt.jit.to_static(layer.forward)
    for _ in range(3):
        x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
        y = g(x)[1]
        zero(layer.h)
        y.sum().backward()
        np.testing.assert_allclose(x.grad.numpy(), 2 * np.exp([1.0, 2.0]), rtol=1e-6)

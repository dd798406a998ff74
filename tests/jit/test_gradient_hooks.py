"""Hooks that a captured function registers on its tensors, for gradients from outside the function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import CaptureError


def double(g: Any) -> Any:
    return 2 * g


def triple(g: Any) -> Any:
    return g * 3


def argument_and_inner(x: Any) -> Any:
    y = x + 4
    z = y + x
    out = z**2
    y.register_hook(double)
    z.register_hook(triple)
    x.register_hook(double)
    return out


def twice(x: Any) -> Any:
    y = x.exp()
    y.register_hook(double)
    out = y * x
    y.register_hook(triple)
    return out


def one_per_branch(x: Any) -> Any:
    if x.sum() > 0:
        y = x + 4
        z = y**2
        y.register_hook(double)
    else:
        y = x - 4
        z = y**3
        y.register_hook(triple)
    return z


def in_a_loop(x: Any) -> Any:
    k = vt.zeros([], "int64")
    while k < 3:
        y = x * 2
        y.register_hook(lambda g: g * 0.5 + 1)
        x = y + 1
        k = k + 1
    return x


def reassigned(x: Any) -> Any:
    x = x * 5
    out = x**2
    x.register_hook(double)
    return out


def the_output(x: Any) -> Any:
    y = x * x
    y.register_hook(double)
    return y


def removed(x: Any) -> Any:
    y = x * x
    handle = y.register_hook(double)
    out = y * 3
    handle.remove()
    return out


def looking_on(x: Any) -> Any:
    y = x.tanh()
    y.register_hook(lambda g: None)
    return y * 2


def gradient_taken_inside(x: Any) -> Any:
    y = x * x
    y.register_hook(double)
    (inner,) = vt.grad([y * y], [x], create_graph=True)
    return inner + y


CASES = [
    argument_and_inner, twice, one_per_branch, in_a_loop, reassigned, the_output, removed, looking_on,
    gradient_taken_inside,
]  # fmt: skip


def gradient(fn: Callable[[Any], Any], values: list[float]) -> Any:
    x = vt.to_tensor(values, stop_gradient=False)
    fn(x).sum().backward()
    return x.grad.numpy()


@pytest.mark.parametrize("fn", CASES, ids=lambda f: f.__name__)
def test_gradients_as_eager(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for values in ([2.0, 0.5], [-1.0, 0.5]):
        np.testing.assert_allclose(gradient(compiled, values), gradient(fn, values), rtol=1e-6)
    assert compiled.get_traced_count() == 1


def test_hooks_are_python_of_the_run() -> None:
    seen: list[Any] = []

    @vt.to_static
    def fn(x: Any) -> Any:
        y = x * 3
        y.register_hook(lambda g: seen.append(g.tolist()))
        return y * y

    assert gradient(fn, [2.0]).tolist() == [36.0]
    assert gradient(fn, [1.0]).tolist() == [18.0]
    assert seen == [[12.0], [6.0]]


def test_second_derivatives() -> None:
    def fn(x: Any) -> Any:
        y = x**3
        y.register_hook(lambda g: g * g)
        return (y * y).sum()

    found = []
    for call in (fn, vt.to_static(fn)):
        x = vt.to_tensor([1.5, 0.5], stop_gradient=False)
        (first,) = vt.grad([call(x)], [x], create_graph=True)
        (second,) = vt.grad([first.sum()], [x])
        found.append((first.numpy(), second.numpy()))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-5)


def test_a_saved_model_leaves_them_behind(tmp_path: Path) -> None:
    fn = vt.to_static(argument_and_inner, input_spec=[vt.InputSpec([None], "float32")])
    vt.jit.save(fn, str(tmp_path / "m"))
    loaded = vt.jit.load(str(tmp_path / "m"))
    assert loaded(vt.to_tensor([2.0])).tolist() == [64.0]
    assert gradient(loaded, [2.0]).tolist() == [32.0]


def test_a_hook_that_only_some_runs_have() -> None:
    def fn(x: Any) -> Any:
        y = x * 2
        if x.sum() > 0:
            y.register_hook(double)
        return y

    with pytest.raises(CaptureError, match="made outside of it") as caught:
        vt.to_static(fn)(vt.to_tensor([1.0], stop_gradient=False))
    assert "y.register_hook(double)" in str(caught.value)


def test_a_parameter_gets_its_hook_once() -> None:
    class Hooked(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Linear(7, 3)

        def forward(self, x: Any) -> Any:
            self.linear.weight.register_hook(double)
            return self.linear(x)

    slopes = []
    for wrap in (lambda layer: layer, vt.to_static):
        layer = wrap(Hooked())
        layer(vt.to_tensor([1.0] * 7, stop_gradient=False)).sum().backward()  # captured more than once for open sizes
        slopes.append(layer.linear.weight.grad.numpy())
    np.testing.assert_array_equal(slopes[1], slopes[0])

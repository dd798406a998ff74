"""Writes of a whole tensor (`y[:] = w`): gradients go to what is written, also where that is a leaf."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def leaf(*shape: int) -> Any:
    x = vt.arange(vt.to_tensor(shape).prod().item(), dtype="float32").reshape(list(shape)) + 1
    return vt.to_tensor(x.numpy(), stop_gradient=False)


def whole(w: Any) -> Any:
    y = vt.zeros([2, 1])
    y[:] = w
    return y


def dots(w: Any) -> Any:
    y = vt.zeros([2, 1])
    y[...] = w
    return y


def columns(w: Any) -> Any:
    y = vt.zeros([2, 1])
    y[:, 0:1] = w
    return y


def then_part(w: Any) -> Any:
    y = vt.zeros([2, 1])
    y[:] = w
    y[0] = 5.0
    return y


def read_twice(w: Any) -> Any:
    y = vt.zeros([2, 1])
    y[:] = w
    return y * (w * 3)


def into_a_view(w: Any) -> Any:
    x = vt.ones([2, 1, 3])
    x[:, :, 1][:] = w
    return x * x


def twice(w: Any) -> Any:
    y, z = vt.zeros([2, 1]), vt.zeros([2, 1])
    y[:] = w
    z[:] = y
    y[:] = w * 2
    return y * z


def as_written(fn: Callable[..., Any]) -> Callable[..., Any]:
    return fn


@pytest.mark.parametrize("run", [as_written, vt.to_static], ids=["eager", "compiled"])
@pytest.mark.parametrize(
    ("fn", "expected"),
    [
        (whole, [3.0, 3.0]),
        (dots, [3.0, 3.0]),
        (columns, [3.0, 3.0]),
        (then_part, [0.0, 3.0]),
        (read_twice, [18.0, 36.0]),
        (into_a_view, [6.0, 12.0]),
        (twice, [12.0, 24.0]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_gradient_goes_to_the_leaf_that_is_written(run: Any, fn: Any, expected: list[float]) -> None:
    w = leaf(2, 1)
    y = run(fn)(w)
    assert not y.is_leaf
    (y * 3).sum().backward()
    assert w.grad.reshape([-1]).tolist() == expected
    assert y.grad is None
    found = vt.grad((run(fn)(w) * 3).sum(), [w])[0]
    assert found.reshape([-1]).tolist() == expected


@pytest.mark.parametrize("run", [as_written, vt.to_static], ids=["eager", "compiled"])
def test_a_parameter_that_is_written_elsewhere_is_trained(run: Any) -> None:
    w = vt.create_parameter([2], "float32")
    w.set_value([1.0, 2.0])
    opt = vt.optimizer.SGD(0.5, parameters=[w])

    def step(x: Any) -> Any:
        y = vt.zeros([2])
        y[:] = w
        loss = (y * x).sum()
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    step = run(step)
    assert [step(vt.ones([2])).item() for _ in range(3)] == [3.0, 2.0, 1.0]
    assert w.tolist() == [-0.5, 0.5]


@pytest.mark.parametrize("run", [as_written, vt.to_static], ids=["eager", "compiled"])
def test_a_buffer_that_takes_an_input_can_be_written_again(run: Any) -> None:
    class Kept(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("buffer", vt.zeros([2]))

        def forward(self, x: Any) -> Any:
            self.buffer[:] = x.detach()
            y = self.buffer * x
            self.buffer[:] = y.detach()
            return y

    net = run(Kept())
    for _ in range(2):
        x = leaf(2)
        net(x).sum()
        assert net.buffer.tolist() == [1.0, 4.0]

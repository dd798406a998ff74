"""State of compiled functions is looked at again only when some tensor's gradient, flag or sharing changed: each is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.dygraph import storage as cells


class _Trainer:
    """A parameter with a gradient, and an optimiser whose step is compiled."""

    def __init__(self, size: int = 3) -> None:
        self.p = vt.create_parameter([size], "float32", default_initializer=vt.nn.initializer.Constant(1.0))
        self.q = vt.create_parameter([size], "float32", default_initializer=vt.nn.initializer.Constant(1.0))
        self.opt = vt.optimizer.SGD(0.5, parameters=[self.p, self.q])
        for param in (self.p, self.q):
            param.grad = vt.ones([size])
        self.step = vt.to_static(lambda: self.opt.step())
        for _ in range(3):
            self.step()

    def values(self) -> list[float]:
        return [float(self.p[0]), float(self.q[0])]


def _freeze(made: _Trainer) -> None:
    made.p.stop_gradient = True


def _not_trainable(made: _Trainer) -> None:
    made.p.trainable = False


def _forget(made: _Trainer) -> None:
    made.p.clear_grad(set_to_zero=False)


def _zero(made: _Trainer) -> None:
    made.p.clear_grad()


def _other_gradient(made: _Trainer) -> None:
    made.p.grad = vt.full([3], 4.0)


def _added_gradient(made: _Trainer) -> None:
    (made.p * 3.0).sum().backward()


def _written_gradient(made: _Trainer) -> None:
    made.p.grad.set_value(vt.full([3], 2.0))


def _other_rate(made: _Trainer) -> None:
    made.opt.set_lr(0.25)


CHANGES: dict[Callable[[_Trainer], None], list[float]] = {
    _freeze: [-0.5, -1.0], _not_trainable: [-0.5, -1.0], _forget: [-0.5, -1.0], _zero: [-0.5, -1.0],
    _other_gradient: [-2.5, -1.0], _added_gradient: [-2.5, -1.0], _written_gradient: [-1.5, -1.0],
    _other_rate: [-0.75, -0.75],
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda f: f.__name__.strip("_"))
def test_a_change_between_two_steps_is_seen(change: Callable[[_Trainer], None]) -> None:
    made = _Trainer()
    assert made.values() == [-0.5, -0.5]
    change(made)
    made.step()
    assert made.values() == CHANGES[change]


def test_a_snapshot_of_a_parameter_keeps_its_value() -> None:
    made = _Trainer()
    kept = made.p.snapshot()
    view = made.q.reshape([3, 1])
    made.step()
    assert made.values() == [-1.0, -1.0]
    assert kept.tolist() == [-0.5] * 3
    assert view.tolist() == [[-1.0]] * 3  # views follow


def test_memory_that_numpy_was_given_is_left_to_it() -> None:
    made = _Trainer()
    array = made.p.detach().__array__(copy=False)
    made.step()
    np.testing.assert_array_equal(array, [-0.5] * 3)
    assert made.values() == [-1.0, -1.0]


def test_steps_alone_touch_nothing() -> None:
    vt.seed(3)  # one of which not all units are dead
    net = vt.nn.Sequential(vt.nn.Linear(3, 4), vt.nn.ReLU(), vt.nn.Linear(4, 1))
    opt = vt.optimizer.Adam(0.01, parameters=net.parameters())

    @vt.to_static
    def train(x: vt.Tensor) -> Any:
        loss = net(x).square().mean()
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    x = vt.ones([2, 3])
    for _ in range(3):
        train(x)
    before = cells.counters.epoch, cells.counters.touched
    losses = [float(train(x)) for _ in range(5)]
    assert (cells.counters.epoch, cells.counters.touched) == before
    assert len(set(losses)) == 5
    assert train.get_traced_count() <= 3


def test_flags_of_unseen_results_do_not_touch() -> None:
    x = vt.ones([2], dtype="float32")
    x.stop_gradient = False
    before = cells.counters.touched
    y = x * 2.0 + x.exp()
    assert not y.stop_gradient and cells.counters.touched == before
    y.stop_gradient = True
    assert cells.counters.touched == before + 1

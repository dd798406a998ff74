"""What entrances refuse, and what they leave behind: the user's functions as they were."""

from __future__ import annotations

import contextlib
import inspect
import random
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError

Made = Callable[[Any], Any]


def _drawn_in_init() -> Made:
    class Noise:
        def __init__(self) -> None:
            self.v = random.random()

    return lambda x: x + Noise().v


def _drawn_without_gradients() -> Made:
    @vt.no_grad()
    def draw(x: Any) -> Any:
        return x + random.random()

    return lambda x: draw(x)


def _drawn_as_it_is() -> Made:
    @vt.jit.not_to_static
    def draw(x: Any) -> Any:
        return x + random.random()

    return lambda x: draw(x)


@pytest.mark.parametrize("make", [_drawn_in_init, _drawn_without_gradients, _drawn_as_it_is])
def test_numbers_that_would_be_drawn_once_are_refused_at_the_users_line(make: Callable[[], Made]) -> None:
    with pytest.raises(
        CaptureError, match=r"(?s)would draw once.*test_entrances_left.py:\d+.*random\.random\(\).*help: draw"
    ):
        vt.to_static(make())(vt.ones([2]))


def test_an_optimizer_of_the_users_keeps_its_moments() -> None:
    class Lion:
        def __init__(self, parameters: Any) -> None:
            self.parameters, self.moments, self.t = list(parameters), {}, 0  # type: ignore[var-annotated]

        @vt.no_grad()
        def step(self) -> None:
            self.t += 1
            for k, p in enumerate(self.parameters):
                m = self.moments.setdefault(k, vt.zeros_like(p))
                p.set_value(p - 0.1 * vt.sign(m * 0.9 + 0.1 * p.grad))
                self.moments[k] = 0.99 * m + 0.01 * p.grad
                p.clear_gradient()

    def train(compiled: bool) -> Any:
        vt.seed(0)
        net = vt.nn.Linear(3, 2)
        optimizer = Lion(net.parameters())

        def step(x: Any) -> Any:
            loss = (net(x) ** 2).mean()
            loss.backward()
            optimizer.step()
            return loss.detach()

        called = vt.to_static(step) if compiled else step
        losses = [called(vt.ones([4, 3])).item() for _ in range(4)]
        return losses, optimizer.t, optimizer.moments[1].tolist()

    (compiled, t, moments), (eager, *others) = train(True), train(False)
    assert compiled == pytest.approx(eager)
    assert t == others[0] == 4
    assert moments == pytest.approx(others[1])


def test_functions_are_the_users_again_after_a_capture() -> None:
    met: list[Any] = []

    class Thing:
        def __init__(self, x: Any, *more: Any, scale: float = 2.0, **named: Any) -> None:
            self.x = x * scale
            met.append(str(inspect.signature(Thing.__init__)))

        def __add__(self, other: Any) -> Any:
            if self.x.sum() > 0:
                raise ValueError("too much")
            return self.x

    before = Thing.__init__.__code__, Thing.__add__.__code__
    fn = vt.to_static(lambda x: Thing(x) + x)
    for sign in (1.0, -1.0):
        with contextlib.suppress(ValueError):
            fn(vt.full([2], sign))
    assert before == (Thing.__init__.__code__, Thing.__add__.__code__)
    assert before[0] is Thing.__init__.__code__
    assert met[0] == str(inspect.signature(Thing.__init__))
    assert fn.get_traced_count() == 1


def test_a_method_that_is_replaced_is_seen() -> None:
    class Thing:
        def __init__(self) -> None:
            self.k = 2.0

    fn = vt.to_static(lambda x: x * Thing().k)
    assert fn(vt.ones([1])).tolist() == [2.0]

    def other(self: Any) -> None:
        self.k = 5.0

    Thing.__init__ = other  # type: ignore[method-assign]
    assert fn(vt.ones([1])).tolist() == [5.0]

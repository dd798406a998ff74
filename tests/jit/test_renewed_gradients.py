"""Gradients that a function clears before it makes them anew: one program, whatever was there before the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


class Setup:
    """Two layers, of which steps may use one only, and an optimiser whose decay tells zeros from no gradient."""

    def __init__(self) -> None:
        vt.seed(5)
        self.net, self.other = vt.nn.Linear(3, 2), vt.nn.Linear(3, 2)
        parameters = [*self.net.parameters(), *self.other.parameters()]
        self.optimizer = vt.optimizer.Adam(0.1, parameters=parameters, weight_decay=0.1)

    def loss(self, x: Any) -> Any:
        return (self.net(x) ** 2).mean()

    def state(self) -> list[Any]:
        parameters = [*self.net.parameters(), *self.other.parameters()]
        gradients = [None if p.grad is None else p.grad.tolist() for p in parameters]
        return [p.tolist() for p in parameters] + gradients


def cleared_first(s: Setup, x: Any) -> Any:
    s.optimizer.clear_grad()
    loss = s.loss(x)
    loss.backward()
    s.optimizer.step()
    return loss


def none_first(s: Setup, x: Any) -> Any:
    loss = s.loss(x)
    s.optimizer.clear_grad(set_to_zero=False)
    loss.backward()
    s.optimizer.step()
    return loss


def of_the_layer(s: Setup, x: Any) -> Any:
    s.net.clear_gradients()
    loss = s.loss(x)
    loss.backward()
    return loss


def set_to_none(s: Setup, x: Any) -> Any:
    for p in s.net.parameters():
        p.clear_grad()
        p.grad = None
    loss = s.loss(x)
    loss.backward()
    return loss


def twice(s: Setup, x: Any) -> Any:
    s.optimizer.clear_grad()
    s.loss(x).backward()
    loss = s.loss(x + 1)
    loss.backward()
    s.optimizer.step()
    return loss


def two_steps(s: Setup, x: Any) -> Any:
    s.optimizer.clear_grad()
    s.loss(x).backward()
    s.optimizer.step()
    s.optimizer.clear_grad()
    loss = s.loss(x + 1)
    loss.backward()
    s.optimizer.step()
    return loss


def added(s: Setup, x: Any) -> Any:
    loss = s.loss(x)
    loss.backward()
    return loss


def read_after_it_was_cleared(s: Setup, x: Any) -> Any:
    s.net.clear_gradients()
    was_there = s.net.weight.grad is not None
    loss = s.loss(x)
    loss.backward()
    return loss + 1 if was_there else loss


def cleared_on_one_path(s: Setup, x: Any) -> Any:
    if x.sum() > 3:
        s.net.clear_gradients()
    loss = s.loss(x)
    loss.backward()
    return loss


def made_on_one_path(s: Setup, x: Any) -> Any:
    s.optimizer.clear_grad()
    loss = s.loss(x)
    if x.sum() > 3:
        loss.backward()
    s.optimizer.step()
    return loss


ONE_PROGRAM = (cleared_first, none_first, of_the_layer, set_to_none, twice, two_steps)
OTHERS = (added, read_after_it_was_cleared, cleared_on_one_path, made_on_one_path)


def _run(step: Callable[[Setup, Any], Any], *, compiled: bool) -> tuple[list[Any], int]:
    setup = Setup()

    def fn(x: Any) -> Any:
        return step(setup, x)

    called = vt.to_static(fn) if compiled else fn
    found = []
    for k in range(6):
        if k == 3:  # gradients by others, for a layer that the step doesn't use, too
            for p in setup.optimizer._parameter_list:
                p.grad = vt.ones_like(p) * 3
        if k == 4:
            setup.optimizer.clear_grad()
        if k == 5:
            setup.optimizer.clear_grad(set_to_zero=False)
        loss = called(vt.full([4, 3], 0.1 + 0.1 * k))
        found += [loss.tolist(), *setup.state()]
    return found, called.get_traced_count() if compiled else 0


def _assert_close(found: list[Any], wanted: list[Any]) -> None:
    for a, b in zip(found, wanted, strict=True):
        assert (a is None) is (b is None)
        if a is not None:
            np.testing.assert_allclose(a, b, rtol=2e-4, atol=1e-5)


@pytest.mark.parametrize("step", [*ONE_PROGRAM, *OTHERS])
def test_each_call_does_what_eager_code_does(step: Callable[[Setup, Any], Any]) -> None:
    _assert_close(_run(step, compiled=True)[0], _run(step, compiled=False)[0])


@pytest.mark.parametrize("step", ONE_PROGRAM)
def test_what_was_there_before_needs_no_program(step: Callable[[Setup, Any], Any]) -> None:
    setup = Setup()

    @vt.to_static
    def fn(x: Any) -> Any:
        return step(setup, x)

    for _ in range(3):
        fn(vt.ones([4, 3]))
    assert fn.get_traced_count() == 1

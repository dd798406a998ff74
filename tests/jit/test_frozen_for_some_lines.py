"""Networks that need no gradients for some lines, in a branch, a loop or a `try`: they do again behind these lines."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.errors import CaptureError

NET = nn.Linear(2, 2)


class Guard:
    """Swallows one kind of exception."""

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        return kind is ZeroDivisionError


@contextlib.contextmanager
def frozen(net: Any) -> Iterator[Any]:
    old = [p.stop_gradient for p in net.parameters()]
    for p in net.parameters():
        p.stop_gradient = True
    try:
        yield net
    finally:
        for p, stop in zip(net.parameters(), old, strict=True):
            p.stop_gradient = stop


def guarded(x: Any, t: Any) -> Any:
    with Guard():
        with frozen(NET):
            a = NET(x)
        if t > 0:
            raise ZeroDivisionError("t")
        return (a + NET(x) * 2).sum()
    return NET(x).sum() * 3


def tried(x: Any, t: Any) -> Any:
    try:
        with frozen(NET):
            a = NET(x)
        if t > 0:
            raise ValueError("t")
        return (a * NET(x)).sum()
    except ValueError:
        return NET(x * 2).sum()


def in_a_branch(x: Any, t: Any) -> Any:
    y = NET(x)
    if t > 0:
        with frozen(NET):
            y = y + NET(y) * 2
    return (y * y).sum()


def in_a_loop(x: Any, t: Any) -> Any:
    y = NET(x)
    while y.abs().sum() < 5:
        with frozen(NET):
            y = y + NET(y) * 0.1 + 0.5
    return y.sum()


def by_hand(x: Any, t: Any) -> Any:
    y = x * 1
    if t > 0:
        NET.weight.stop_gradient = True
        y = NET(y)
        NET.weight.stop_gradient = False
        y = NET(y)
    return y.sum() + NET(x).sum()


FORMS = [guarded, tried, in_a_branch, in_a_loop, by_hand]


@pytest.mark.parametrize("fn", FORMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("inside", [False, True])
def test_gradients(fn: Callable[..., Any], inside: bool) -> None:
    def step(x: Any, t: Any) -> Any:
        loss = fn(x, t)
        loss.backward()
        return loss

    compiled = vt.to_static(step if inside else fn)
    for t in (1.0, -1.0, 1.0):
        found = []
        for call in (step if inside else fn, compiled):
            NET.clear_gradients()
            x = vt.to_tensor([[0.5, 1.0], [-1.0, 2.0]], stop_gradient=False)
            loss = call(x, vt.to_tensor(t))
            if not inside:
                loss.backward()
            assert not any(p.stop_gradient for p in NET.parameters())
            found.append([loss.numpy(), *(p.grad.numpy() for p in (x, *NET.parameters()))])
        for a, b in zip(*found, strict=True):
            np.testing.assert_allclose(b, a, rtol=1e-5)


def test_what_stays_frozen_is_refused() -> None:
    net = nn.Linear(2, 2)

    def fn(x: Any) -> Any:
        if x.sum() > 0:
            net.weight.stop_gradient = True
            x = net(x)
        return net(x).sum()

    with pytest.raises(CaptureError, match="gets stop_gradient=True in a branch or loop") as caught:
        vt.to_static(fn)(vt.ones([1, 2]))
    assert "net.weight.stop_gradient = True" in str(caught.value)
    assert net.weight.stop_gradient is False

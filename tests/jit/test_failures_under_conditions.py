"""Code that no program can run, under a condition that Python numbers decide: only these numbers are bound."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn


def train(fn: Callable[..., Any], every: int, calls: int) -> tuple[list[Any], int]:
    """Losses and weights of an actor and a critic, which is frozen in every so manieth step; how many programs."""
    vt.seed(0)
    critic, actor = nn.Linear(2, 1), nn.Linear(2, 1)
    of_critic = vt.optimizer.SGD(0.1, parameters=critic.parameters())
    of_actor = vt.optimizer.Adam(0.1, parameters=actor.parameters())
    s = SimpleNamespace(n=0, seen=0.0)

    def step(x: Any) -> Any:
        s.n += 1
        s.seen = s.seen * 0.5 + 1.0
        loss = critic(x).square().mean()
        loss.backward()
        of_critic.step()
        of_critic.clear_grad()
        if s.n % every == 0:
            for p in critic.parameters():
                p.stop_gradient = True
            (actor(x) * critic(x)).mean().backward()
            of_actor.step()
            of_actor.clear_grad()
            for p in critic.parameters():
                p.stop_gradient = False
        return loss * s.seen

    step = fn(step)
    found: list[Any] = []
    for k in range(calls):
        found.append(float(step(vt.ones([3, 2]) * (k % 3 + 1))))
        found += [v for p in (*critic.parameters(), *actor.parameters()) for v in p.numpy().ravel().tolist()]
        found += [s.n, s.seen, *(p.grad is None for p in critic.parameters())]
    return found, step.get_traced_count() if fn is vt.to_static else 0


@pytest.mark.parametrize(("every", "most"), [(2, 3), (5, 3)])
def test_a_critic_that_is_frozen_at_times(every: int, most: int) -> None:
    ours, count = train(vt.to_static, every, 12)
    assert ours == pytest.approx(train(lambda fn: fn, every, 12)[0], rel=1e-5, abs=1e-6)
    assert count <= most, count


def state() -> Any:
    w = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    return SimpleNamespace(n=0, rate=1.0, w=w, there=[], last=[None, None])


def hook(s: Any, x: Any) -> Any:
    y = s.w * x
    if s.n % 2:
        s.w.register_hook(lambda g: g * 2).remove()
        y = y + 1
    s.n += 1
    return y


def absent(s: Any, x: Any) -> Any:
    if s.n % 3 == 2:
        x = x + s.there[5]
    s.n += 1
    return x


def wrong_sizes(s: Any, x: Any) -> Any:
    if s.n % 3 == 2:
        x = x.reshape([3])
    s.n += 1
    return x * 2


def threshold(s: Any, x: Any) -> Any:
    s.n += 1
    s.w.stop_gradient = False
    if s.n > 4:
        s.w.stop_gradient = True
    return s.w * x


def several(s: Any, x: Any) -> Any:
    s.n += 1
    if s.n % 7 == 3 or s.n > 6:
        x = x + s.there[5]
    elif not s.n % 2:
        x = x * s.n
    return x


def beside_a_tensor(s: Any, x: Any) -> Any:
    if s.n % 3 == 2 and x.sum() > 100:
        x = x + s.there[5]
    s.n += 1
    return x * 2


def of_a_float(s: Any, x: Any) -> Any:
    if s.rate < 0.2:
        x = x.reshape([3])
    s.rate = s.rate * 0.75
    return x * s.rate


def in_an_expression(s: Any, x: Any) -> Any:
    s.n += 1
    return x * s.n if s.n % 4 else s.there[5]


def ring(s: Any, x: Any) -> Any:
    if s.n > 6:
        x = x + s.there[5]
    s.last[s.n % 2] = x
    s.n += 1
    return x if s.last[s.n % 2] is None else x + s.last[s.n % 2]


@pytest.mark.parametrize(
    "fn",
    [hook, absent, wrong_sizes, threshold, several, beside_a_tensor, of_a_float, in_an_expression, ring],
    ids=lambda fn: fn.__name__,
)
def test_what_fails_in_a_branch(fn: Callable[..., Any]) -> None:
    def run(wrap: Callable[..., Any]) -> list[Any]:
        s, found = state(), []
        compiled = wrap(lambda x: fn(s, x))
        for k in range(14):
            try:
                found.append(compiled(vt.ones([2]) * k).tolist())
            except (IndexError, ValueError) as error:
                found.append(isinstance(error, IndexError))
                s.n, s.rate = k + 1, 0.75 ** (k + 1)
            found.append((s.n, s.rate, s.w.stop_gradient))
            if k == 10:
                s.n, s.rate = 1, 0.9
        if wrap is vt.to_static:
            assert compiled.get_traced_count() <= 7, compiled.explain()
        return found

    assert run(vt.to_static) == run(lambda fn: fn)


def test_other_numbers_in_its_place() -> None:
    def run(wrap: Callable[..., Any]) -> list[Any]:
        s, found = state(), []
        compiled = wrap(lambda x: threshold(s, x))
        for k, n in enumerate((0, 1, 2, 7, 2.5, 9.5, True, 3, 8, -3)):
            s.n = n
            found.append((compiled(vt.ones([2]) * k).tolist(), s.n, type(s.n), s.w.stop_gradient))
        return found

    assert run(vt.to_static) == run(lambda fn: fn)

"""`optimizer.set_lr` inside captured functions: each run sets the rate at its place, as eager mode does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def constant(opt: Any, update: Callable[[], Any], x: Any, rate: float) -> Any:
    update()
    opt.set_lr(0.5)
    return update()


def argument(opt: Any, update: Callable[[], Any], x: Any, rate: float) -> Any:
    opt.set_lr(rate)
    return update()


def halved(opt: Any, update: Callable[[], Any], x: Any, rate: float) -> Any:
    opt.set_lr(opt.get_lr() * 0.5 + rate)
    return update(), opt.get_lr()


def branch(opt: Any, update: Callable[[], Any], x: Any, rate: float) -> Any:
    if x.sum() > 4:
        opt.set_lr(rate)
    else:
        opt.set_lr(opt.get_lr() * 0.9)
    return update()


def loop(opt: Any, update: Callable[[], Any], x: Any, rate: float) -> Any:
    k = vt.to_tensor(0.0)
    while k < x.sum():
        opt.set_lr(opt.get_lr() * 0.75)
        update()
        k = k + 1
    return k, opt.get_lr()


def from_a_tensor(opt: Any, update: Callable[[], Any], x: Any, rate: float) -> Any:
    opt.set_lr(float(x.mean()) * 0.01)
    return update()


def mixed_precision(opt: Any, update: Callable[[], Any], x: Any, rate: float) -> Any:
    with vt.amp.auto_cast(dtype="bfloat16"):
        opt.set_lr(rate)
    return update()


def trained(way: Callable[..., Any], make: Callable[..., Any], compiles: bool) -> list[Any]:
    vt.seed(3)
    net = vt.nn.Linear(2, 1)
    opt = make(0.1, parameters=net.parameters())
    given = vt.ones([2])

    def update() -> Any:
        loss = (net(given) - 1).square().mean()
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    def step(x: Any, rate: float) -> Any:
        return way(opt, update, x, rate)

    run = vt.to_static(step) if compiles else step
    seen: list[Any] = []
    for k in range(5):
        found = run(vt.full([3], 1.0 + k % 3), 0.05 / (k + 1))
        parts = found if isinstance(found, tuple) else (found,)
        seen.append([*(float(p) for p in parts), opt.get_lr(), *net.weight.numpy().ravel().tolist()])
        if k == 3:
            opt.set_lr(0.2)
    if compiles:
        assert run.get_traced_count() <= 2
    return seen


@pytest.mark.parametrize("make", [vt.optimizer.SGD, vt.optimizer.Adam])
@pytest.mark.parametrize("way", [constant, argument, halved, branch, loop, from_a_tensor, mixed_precision])
def test_each_run_sets_the_rate(way: Callable[..., Any], make: Callable[..., Any]) -> None:
    for eager, compiled in zip(trained(way, make, False), trained(way, make, True), strict=True):
        assert compiled == pytest.approx(eager, rel=1e-5)


def test_a_failed_call_leaves_the_rate() -> None:
    net = vt.nn.Linear(2, 1)
    opt = vt.optimizer.SGD(0.1, parameters=net.parameters())

    @vt.to_static
    def step(x: Any) -> Any:
        opt.set_lr(0.7)
        net(x).sum().backward()
        opt.step()
        if x.sum() > 10:
            raise ValueError("too much")
        return x

    step(vt.ones([1, 2]))
    assert opt.get_lr() == 0.7
    opt.set_lr(0.1)
    with pytest.raises(ValueError, match="too much"):
        step(vt.full([1, 2], 9.0))
    assert opt.get_lr() == 0.1
    assert float(opt._lr_tensor) == pytest.approx(0.1)


@pytest.mark.parametrize("rate", [None, True, "0.1", "a tensor"])
def test_what_is_no_rate_is_refused_as_in_eager_mode(rate: Any) -> None:
    opt = vt.optimizer.SGD(0.1, parameters=vt.nn.Linear(2, 1).parameters())
    given = vt.to_tensor(0.2) if rate == "a tensor" else rate

    def step(x: Any) -> Any:
        opt.set_lr(given)
        return x

    for way in (step, vt.to_static(step)):
        with pytest.raises((TypeError, ValueError), match="learning_rate"):
            way(vt.ones([2]))
    assert opt.get_lr() == 0.1


def test_an_optimiser_with_a_scheduler_refuses_a_rate() -> None:
    opt = vt.optimizer.SGD(vt.optimizer.lr.StepDecay(0.1, 2), parameters=vt.nn.Linear(2, 1).parameters())

    @vt.to_static
    def step(x: Any) -> Any:
        opt.set_lr(0.3)
        return x

    with pytest.raises(RuntimeError, match="set by a scheduler"):
        step(vt.ones([2]))

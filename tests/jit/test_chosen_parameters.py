"""Parameters that tensors' conditions choose: gradients reach the one that a run takes, as in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

CASES: dict[str, Callable[[Any, Any, Any], Any]] = {}


def case(fn: Callable[[Any, Any, Any], Any]) -> Callable[[Any, Any, Any], Any]:
    CASES[fn.__name__] = fn
    return fn


@case
def expression(p: Any, q: Any, s: Any) -> Any:
    w = p if s > 0 else q
    return (w * w).sum()


@case
def several_at_once(p: Any, q: Any, s: Any) -> Any:
    a, b = (p, q) if s > 0 else (q, p)
    return (a * 2 + b * 3).sum()


@case
def beside_another_use(p: Any, q: Any, s: Any) -> Any:
    w = p
    if s > 0:
        w = q
    return (w * p).sum()


@case
def without_recording(p: Any, q: Any, s: Any) -> Any:
    with vt.no_grad():
        w = p if s > 0 else q
    return (w * w).sum()


@case
def one_computed_without_recording(p: Any, q: Any, s: Any) -> Any:
    with vt.no_grad():
        if s > 0:
            w = p
        else:
            w = q * 2
    return (w * q).sum()


@case
def detached_on_one_path(p: Any, q: Any, s: Any) -> Any:
    w = p.detach() if s > 0 else p
    return (w * 2 + q).sum()


@case
def in_a_loop(p: Any, q: Any, s: Any) -> Any:
    w = p
    i = vt.to_tensor(0.0)
    while i < s:
        w = q
        i = i + 1
    return (w * w).sum()


@case
def in_a_counted_loop(p: Any, q: Any, s: Any) -> Any:
    y = p
    for i in range(3):
        if s > i:
            y = y + p
        else:
            y = q
    return y.sum()


@case
def by_early_returns(p: Any, q: Any, s: Any) -> Any:
    def chosen() -> Any:
        if s > 0:
            return p
        return q

    return (chosen() * 2).sum()


@case
def in_containers(p: Any, q: Any, s: Any) -> Any:
    pair, by_name = [p, q], {"w": p}
    if s > 0:
        pair[0] = q
        by_name["w"] = q
    return (pair[0] * pair[1] + by_name["w"]).sum()


@case
def by_handlers(p: Any, q: Any, s: Any) -> Any:
    try:
        if s > 0:
            raise ValueError
        w = p
    except ValueError:
        w = q
    return (w * 5).sum()


@case
def by_cond(p: Any, q: Any, s: Any) -> Any:
    return (vt.static.nn.cond(s > 0, lambda: p, lambda: q) * 2).sum()


@case
def the_best_so_far(p: Any, q: Any, s: Any) -> Any:
    best = None
    for w in (p, q):
        if best is None or w.sum() > s + 3:
            best = w
    return (best * 2).sum()


@case
def written_before(p: Any, q: Any, s: Any) -> Any:
    with vt.no_grad():
        p.add_(1.0)
    w = p if s > 0 else q
    return (w * w).sum()


@case
def written_on_one_path(p: Any, q: Any, s: Any) -> Any:
    if s > 0:
        with vt.no_grad():
            p.add_(1.0)
        w = p
    else:
        w = q
    return (w * w).sum()


def results(convert: Callable[[Any], Any], fn: Any, conditions: tuple[float, ...], inside: bool) -> list[Any]:
    """The loss and both gradients of each call, with `backward` in the function or outside of it."""
    p, q = (vt.create_parameter([2], "float32") for _ in range(2))
    p.set_value(vt.ones([2]))
    q.set_value(vt.full([2], 2.0))

    def body(s: Any) -> Any:
        loss = fn(p, q, s)
        if inside:
            loss.backward()
        return loss

    run, found = convert(body), []
    for s in conditions:
        loss = run(vt.to_tensor(s))
        if not inside:
            loss.backward()
        found.append((loss.item(), *(None if x.grad is None else x.grad.tolist() for x in (p, q))))
        for x in (p, q):
            x.clear_gradient(set_to_zero=False)
    return found


@pytest.mark.parametrize("inside", [False, True], ids=["backward outside", "backward inside"])
@pytest.mark.parametrize("name", CASES)
def test_gradients_are_those_of_eager_mode(name: str, inside: bool) -> None:
    for conditions in ((1.0, -1.0, 1.0), (-1.0, 1.0)):
        expected = results(lambda fn: fn, CASES[name], conditions, inside)
        assert any(g is not None for _, *grads in expected for g in grads)
        assert results(vt.to_static, CASES[name], conditions, inside) == expected


@pytest.mark.parametrize("inside", [False, True], ids=["backward outside", "backward inside"])
def test_a_layer_with_chosen_weights_trains(inside: bool) -> None:
    class Net(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = vt.nn.Linear(2, 1), vt.nn.Linear(2, 1)

        def forward(self, x: Any) -> Any:
            w, c = (self.a.weight, self.a.bias) if x.mean() > 0 else (self.b.weight, self.b.bias)
            return vt.nn.functional.linear(x, w, c)

    def trained(convert: Callable[[Any], Any]) -> list[Any]:
        vt.seed(3)
        net = Net()
        sgd = vt.optimizer.SGD(0.1, parameters=net.parameters())

        def loss_of(x: Any) -> Any:
            loss = (net(x) ** 2).mean()
            if inside:
                loss.backward()
                sgd.step()
                sgd.clear_grad()
            return loss

        run, losses = convert(loss_of), []
        for k in range(6):
            loss = run(vt.full([3, 2], 1.0 if k % 2 else -1.0))
            if not inside:
                loss.backward()
                sgd.step()
                sgd.clear_grad()
            losses.append(loss.item())
        return losses

    expected = trained(lambda fn: fn)
    assert expected[4] < expected[0]
    assert trained(vt.to_static) == pytest.approx(expected, rel=1e-6)

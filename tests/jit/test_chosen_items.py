"""Items that a tensor chooses from a list: only the one that a run takes gets a gradient, as in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn


def param(value: float) -> Any:
    return vt.create_parameter([1], "float32", default_initializer=nn.initializer.Constant(value))


def x() -> Any:
    return vt.to_tensor([1.0, 2.0])


def shown(found: Any) -> Any:
    if isinstance(found, (list, tuple)):
        return [shown(v) for v in found]
    return found.tolist() if isinstance(found, vt.Tensor) else found


def gradients(*params: Any) -> Any:
    found = [shown(p.grad) for p in params]
    for p in params:
        p.clear_gradient(False)
    return found


def of_three(wrap: Any) -> Any:
    ps = [param(2.0), param(3.0), param(5.0)]
    f = wrap(lambda x, t: (x * ps[int(t)]).sum())
    found: list[Any] = []
    for k in (0, 1, 2, -1, -3):
        y = f(x(), vt.to_tensor(k))
        y.backward()
        found += [y, gradients(*ps)]
    with pytest.raises(IndexError):
        f(x(), vt.to_tensor(3))
    return found


def of_a_tuple_inside(wrap: Any) -> Any:
    ps = (param(2.0), param(3.0))

    def f(x: Any, t: Any) -> Any:
        (x * ps[t] * ps[t]).sum().backward()
        return [p.grad is None for p in ps]

    f = wrap(f)
    return [[f(x(), vt.to_tensor(k)), gradients(*ps)] for k in (0, 1, 0)]


def of_pairs(wrap: Any) -> Any:
    pairs = [(param(2.0), param(3.0)), (param(5.0), param(7.0))]

    def f(x: Any, t: Any) -> Any:
        a, b = pairs[int(t)]
        return (x * a + b).sum()

    f, found = wrap(f), []
    for k in (0, 1):
        f(x(), vt.to_tensor(k)).backward()
        found.append(gradients(*pairs[0], *pairs[1]))
    return found


def of_computed_items(wrap: Any) -> Any:
    p, q = param(2.0), param(3.0)
    f, found = wrap(lambda x, t: (x * [p * 2, q * 3][int(t)]).sum()), []
    for k in (0, 1):
        f(x(), vt.to_tensor(k)).backward()
        found.append(gradients(p, q))
    return found


def beside_a_detached_one(wrap: Any) -> Any:
    p, q = param(2.0), param(3.0)
    f, found = wrap(lambda x, t: (x * p * [p, q.detach(), q * 2][int(t)]).sum()), []
    for k in (0, 1, 2):
        f(x(), vt.to_tensor(k)).backward()
        found.append(gradients(p, q))
    return found


def of_arguments(wrap: Any) -> Any:
    f, found = wrap(lambda p, q, t: ([p, q][int(t)] * 2).sum()), []
    for k in (0, 1):
        p, q = param(2.0), param(3.0)
        f(p, q, vt.to_tensor(k)).backward()
        found.append(gradients(p, q))
    return found


def by_an_optimizer(wrap: Any) -> Any:
    p, q = param(2.0), param(3.0)
    adam = vt.optimizer.Adam(0.1, parameters=[p, q])

    def f(x: Any, t: Any) -> Any:
        loss = (x * [p, q][int(t)]).sum()
        loss.backward()
        adam.step()
        adam.clear_grad(set_to_zero=False)
        return loss

    f, found = wrap(f), []
    for k in (0, 0, 1, 0, 1):
        f(x(), vt.to_tensor(k))
        found.append([round(float(p), 5), round(float(q), 5)])
    return found


def with_a_handler(wrap: Any) -> Any:
    ps = [param(2.0), param(3.0)]

    def f(x: Any, t: Any) -> Any:
        try:
            y = ps[int(t)] * x
        except IndexError:
            y = x * 100
        return y.sum()

    f, found = wrap(f), []
    for k in (0, 1, 2):
        given = vt.to_tensor([1.0], stop_gradient=False)
        y = f(given, vt.to_tensor(k))
        y.backward()
        found += [y, given.grad, gradients(*ps)]
    return found


def in_a_loop(wrap: Any) -> Any:
    ps = [param(2.0), param(3.0)]

    def f(x: Any, n: Any) -> Any:
        for k in range(n):
            x = x * ps[k % 2]
        return x.sum()

    wrap(f)(x(), vt.to_tensor(4)).backward()
    return gradients(*ps)


@pytest.mark.parametrize(
    "run",
    [
        of_three, of_a_tuple_inside, of_pairs, of_computed_items, beside_a_detached_one, of_arguments, by_an_optimizer, with_a_handler,
        in_a_loop,
    ],
)  # fmt: skip
def test_a_compiled_function_does_as_eager_mode(run: Callable[[Any], Any]) -> None:
    assert shown(run(vt.to_static)) == shown(run(lambda fn: fn))


def test_items_without_gradients_are_rows_of_a_stack() -> None:
    items = [vt.to_tensor([1.0]), vt.to_tensor([2.0])]
    f = vt.to_static(lambda x, t: x * items[int(t)])
    assert f(x(), vt.to_tensor(1)).tolist() == [2.0, 4.0]
    assert "if " not in str(f.program)

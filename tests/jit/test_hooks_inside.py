"""Hooks on gradients that a compiled function computes itself, by `backward()` or `vt.grad`: as in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import ArgumentError, CaptureError

WRAPS = (lambda fn: fn, vt.to_static)


def parameter(value: float = 1.0) -> Any:
    return vt.create_parameter([1], "float32", default_initializer=nn.initializer.Constant(value))


def step(p: Any) -> Callable[[Any], Any]:
    """A function that computes the gradient of `p * x` by p."""

    def fn(x: Any) -> Any:
        (p * x).sum().backward()
        found = p.grad.clone()
        p.clear_grad()
        return found

    return fn


def both(code: Callable[[Callable[..., Any]], Any]) -> Any:
    """What code finds with a compiled function, which is what it finds with an eager one."""
    eager, compiled = (code(wrap) for wrap in WRAPS)
    assert compiled == eager
    return compiled


def one(value: float = 1.0) -> Any:
    return vt.full([1], value)


# ---- which hooks there are


def test_hooks_are_registered_replaced_and_removed_between_calls() -> None:
    def code(wrap: Any) -> Any:
        p = parameter()
        fn = wrap(step(p))
        found = [float(fn(one()))]
        first = p.register_hook(lambda g: g * 2)
        found.append(float(fn(one())))
        first.remove()
        found.append(float(fn(one())))
        second = p.register_hook(lambda g: g * 7)
        p.register_hook(lambda g: g + 1)
        found.append(float(fn(one())))
        second.remove()
        return [*found, float(fn(one()))]

    assert both(code) == [1.0, 2.0, 1.0, 8.0, 2.0]


def test_the_same_hooks_are_one_program() -> None:
    p = parameter()
    fn = vt.to_static(step(p))
    for _ in range(3):
        handle = p.register_hook(lambda g: g * 2)  # a new function each time, of the same code
        assert float(fn(one())) == 2.0
        handle.remove()
        assert float(fn(one())) == 1.0
    assert fn.get_traced_count() == 2


@pytest.mark.parametrize("how", ["backward", "grad"])
def test_hooks_of_arguments(how: str) -> None:
    def fn(x: Any) -> Any:
        if how == "grad":
            return vt.grad((x * x).sum(), x)[0]
        (x * x).sum().backward()
        return x.grad * 1

    def code(wrap: Any) -> Any:
        called, found = wrap(fn), []
        for k in range(4):
            x = vt.to_tensor([1.0 + k], stop_gradient=False)
            if k % 2:
                x.register_hook(lambda g: g * 10)
            found.append(float(called(x)))
        x = vt.to_tensor([2.0], stop_gradient=False)
        handle = x.register_hook(lambda g: g * 3)
        found.append(float(called(x)))
        handle.remove()
        x.clear_grad(set_to_zero=False)
        return [*found, float(called(x))]

    assert both(code) == [2.0, 40.0, 6.0, 80.0, 12.0, 4.0]


def test_hooks_of_an_argument_that_was_computed() -> None:
    def code(wrap: Any) -> Any:
        fn = wrap(lambda x: vt.grad((x * x).sum(), x)[0])
        x = parameter(2.0) * 1
        found = [float(fn(x))]
        handle = x.register_hook(lambda g: g * 10)
        found.append(float(fn(x)))
        handle.remove()
        return [*found, float(fn(x))]

    assert both(code) == [4.0, 40.0, 4.0]


def test_hooks_of_a_graph_from_before() -> None:
    def code(wrap: Any) -> Any:
        p = parameter(2.0)
        y = p * 3

        def fn(x: Any) -> Any:
            (y * x).sum().backward(retain_graph=True)
            found = p.grad.clone()
            p.clear_grad()
            return found

        called = wrap(fn)
        found = [float(called(one()))]
        handle = y.register_hook(lambda g: g * 10)
        found.append(float(called(one())))
        handle.remove()
        return [*found, float(called(one()))]

    assert both(code) == [3.0, 30.0, 3.0]


def test_hooks_of_an_argument_and_of_the_function() -> None:
    def inside(x: Any) -> Any:
        handle = x.register_hook(lambda g: g + 1)
        (x * x).sum().backward()
        handle.remove()
        return x.grad * 1

    def outside(x: Any) -> Any:
        x.register_hook(lambda g: g + 1)
        return (x * x).sum()

    def code(wrap: Any) -> Any:
        x = vt.to_tensor([2.0], stop_gradient=False)
        x.register_hook(lambda g: g * 10)
        found = [float(wrap(inside)(x))]
        x.clear_grad(set_to_zero=False)
        return [*found, float(wrap(inside)(x))]

    assert both(code) == [41.0, 41.0]
    x = vt.to_tensor([2.0], stop_gradient=False)
    x.register_hook(lambda g: g + 10)
    vt.to_static(outside)(x).backward()
    assert float(x.grad) == 15.0


# ---- hooks that the function registers and removes


def test_hooks_that_the_function_registers() -> None:
    def code(wrap: Any, removes: bool) -> Any:
        p = parameter()

        def fn(x: Any) -> Any:
            handle = p.register_hook(lambda g: g * 3)
            (p * x).sum().backward()
            if removes:
                handle.remove()
            found = p.grad.clone()
            p.clear_grad()
            return found

        called = wrap(fn)
        found = [float(called(one())) for _ in range(3)]
        return found, len(p._hooks), called.get_traced_count() if removes and called is not fn else 1

    assert both(partial(code, removes=True)) == ([3.0, 3.0, 3.0], 0, 1)
    assert both(partial(code, removes=False)) == ([3.0, 9.0, 27.0], 3, 1)


@pytest.mark.parametrize("place", ["before", "after", "in the hook", "of an argument"])
def test_hooks_that_the_function_removes(place: str) -> None:
    def code(wrap: Any) -> Any:
        p = parameter()
        handles: list[Any] = []

        def hook(g: Any) -> Any:
            if place == "in the hook":
                handles[0].remove()
            return g * 3

        def fn(x: Any) -> Any:
            if place == "before":
                handles[0].remove()
            (p * x).sum().backward()
            found = (x if place == "of an argument" else p).grad.clone()
            if place in ("after", "of an argument"):
                handles[0].remove()
            p.clear_grad()
            x.clear_grad(set_to_zero=False)
            return found

        x = vt.to_tensor([1.0], stop_gradient=False)
        handles.append((x if place == "of an argument" else p).register_hook(hook))
        called = wrap(fn)
        return [float(called(x)) for _ in range(3)]

    assert both(code) == ([1.0, 1.0, 1.0] if place == "before" else [3.0, 1.0, 1.0])


def test_hooks_of_a_loop_and_of_a_branch() -> None:
    def code(wrap: Any) -> Any:
        p = parameter()

        def fn(x: Any) -> Any:
            k = vt.zeros([], "int64")
            while k < 3:
                handle = p.register_hook(lambda g: g * 2)
                (p * x).sum().backward()
                handle.remove()
                k = k + 1
            found = p.grad.clone()
            p.clear_grad()
            return found

        called = wrap(fn)
        return [float(called(one(v))) for v in (1.0, -1.0)], len(p._hooks)

    assert both(code) == ([6.0, -6.0], 0)


@pytest.mark.parametrize("line", ["p.register_hook(lambda g: g * 3)", "handle.remove()"])
def test_hooks_that_only_some_runs_have_are_refused(line: str) -> None:
    p = parameter()
    handle = p.register_hook(lambda g: g * 2)

    def registers(x: Any) -> Any:
        if x.sum() > 0:
            p.register_hook(lambda g: g * 3)
        return (p * x).sum()

    def removes(x: Any) -> Any:
        if x.sum() > 0:
            handle.remove()
        return (p * x).sum()

    with pytest.raises(CaptureError, match="depends on the data") as caught:
        vt.to_static(removes if "remove" in line else registers)(one())
    assert line in str(caught.value)
    assert len(p._hooks) == 1


# ---- what hooks do


def test_code_of_hooks_is_converted() -> None:
    def code(wrap: Any) -> Any:
        log: list[Any] = []

        def hook(g: Any) -> Any:
            log.append(float(g.abs().max()))
            log.append(g.sum().item())
            if g.norm() > 10:
                return g * 0
            if g.norm() > 5:
                return None
            return -g

        p = parameter()
        p.register_hook(hook)
        fn = wrap(step(p))
        return [float(fn(one(v))) for v in (1.0, 6.0, 20.0)], log

    assert both(code) == ([-1.0, 6.0, 0.0], [1.0, 1.0, 6.0, 6.0, 20.0, 20.0])


def test_hooks_keep_gradients_of_each_call() -> None:
    def code(wrap: Any) -> Any:
        log: list[Any] = []
        held: dict[str, Any] = {}
        p = parameter()
        p.register_hook(log.append)
        p.register_hook(lambda g: held.update(last=g))
        fn = wrap(step(p))
        for v in (1.0, 2.0):
            fn(one(v))
        return [float(g) for g in log], float(held["last"])

    assert both(code) == ([1.0, 2.0], 2.0)


def test_hooks_print(capsys: pytest.CaptureFixture[str]) -> None:
    p = parameter()
    p.register_hook(lambda g: print("gradient", float(g)))
    fn = vt.to_static(step(p))
    for v in (1.0, 2.5):
        fn(one(v))
    assert capsys.readouterr().out == "gradient 1.0\ngradient 2.5\n"


def test_hooks_read_and_change_what_is_around() -> None:
    class Scaled:
        factor = 2.0

        def __init__(self) -> None:
            self.count = 0

        def scale(self, g: Any) -> Any:
            self.count += 1
            return g * self.factor

    def code(wrap: Any) -> Any:
        k, n, total, owner = 1.0, 0, vt.zeros([1]), Scaled()

        def hook(g: Any) -> Any:
            nonlocal n
            n += 1
            total.add_(g)
            return g * k + n

        p = parameter()
        p.register_hook(hook)
        p.register_hook(owner.scale)
        fn = wrap(step(p))
        found = [float(fn(one()))]
        k = 5.0
        found.append(float(fn(one())))
        owner.factor = 3.0
        found.append(float(fn(one(2.0))))
        return found, n, float(total), owner.count

    assert both(code) == ([4.0, 14.0, 39.0], 3, 4.0, 3)


def test_hooks_inside_loops_and_branches_of_the_program() -> None:
    def code(wrap: Any) -> Any:
        log: list[float] = []

        def hook(g: Any) -> Any:
            if g.sum() > 2:
                log.append(g.item())
                return g * 0
            return None

        p = parameter()
        p.register_hook(hook)

        def fn(x: Any) -> Any:
            k = vt.zeros([], "int64")
            while k < 2:
                (p * x).sum().backward()
                k = k + 1
            if x.sum() > 0:
                (p * x).sum().backward()
            else:
                (p * x * 2).sum().backward()
            found = p.grad.clone()
            p.clear_grad()
            return found

        called = wrap(fn)
        return [float(called(one(v))) for v in (1.0, 3.0, -1.0)], log

    assert both(code) == ([3.0, 0.0, -4.0], [3.0, 3.0, 3.0])


def test_hooks_of_a_training_step() -> None:
    def code(wrap: Any) -> Any:
        vt.seed(0)
        net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())
        norms: list[float] = []
        handles = [p.register_hook(lambda g: norms.append(float(g.norm()))) for p in net.parameters()]

        def train(x: Any) -> Any:
            loss = (net(x) ** 2).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        fn, x = wrap(train), vt.ones([2, 3])
        losses = [float(fn(x)) for _ in range(3)]
        for handle in handles[::2]:
            handle.remove()
        losses += [float(fn(x)) for _ in range(2)]
        return [round(v, 4) for v in losses], [round(v, 4) for v in norms]

    assert len(both(code)[1]) == 16


def test_errors_of_hooks() -> None:
    def raises(g: Any) -> None:
        if float(g.abs().max()) > 2:
            raise ValueError("exploded")

    p = parameter()
    p.register_hook(raises)
    fn = vt.to_static(step(p))
    assert float(fn(one())) == 1.0
    with pytest.raises(ValueError, match="exploded"):
        fn(one(3.0))
    p = parameter()
    p.register_hook(lambda g: 3)
    with pytest.raises(ArgumentError, match="a gradient hook returned int"):
        vt.to_static(step(p))(one())


def test_backward_behind_an_argument_is_refused() -> None:
    @vt.to_static
    def fn(x: Any) -> None:
        (x * x).sum().backward()

    p = parameter(2.0)
    fn(p)
    assert float(p.grad) == 4.0
    with pytest.raises(CaptureError, match="computed from outside of the function") as caught:
        fn(p * 3)
    assert "(x * x).sum().backward()" in str(caught.value)

"""Writes of what is there already while a function is captured: calls that find something else do them, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn

STATE: Any = None


def small() -> Any:
    return nn.Linear(1, 1, weight_attr=nn.initializer.Constant(2.0))


CLEARED: dict[str, Callable[[Any, Any], Any]] = {
    "by the optimizer": lambda net, optimizer: optimizer.clear_grad(),
    "by the layer": lambda net, optimizer: net.clear_gradients(),
    "one by one": lambda net, optimizer: [p.clear_grad() for p in net.parameters()],
    "to None": lambda net, optimizer: optimizer.clear_grad(set_to_zero=False),
}


@pytest.mark.parametrize("is_asked", [False, True], ids=["always", "on one path"])
@pytest.mark.parametrize("clear", CLEARED.values(), ids=CLEARED)
def test_gradients_that_are_not_there_yet_are_cleared_later(clear: Callable[[Any, Any], Any], is_asked: bool) -> None:
    def calls(compile_: Callable[[Any], Any]) -> list[Any]:
        net = small()
        optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())

        def cleared(x: Any) -> Any:
            if not is_asked or x.sum() > 0:
                clear(net, optimizer)
            return x + 1

        run, x, found = compile_(cleared), vt.ones([1, 1]), []
        for _ in range(3):
            run(x)
            for p in net.parameters():
                found.append(None if p.grad is None else p.grad.tolist())
            net(x).sum().backward()
            found.append(net.weight.grad.tolist())
        return found

    assert calls(vt.jit.to_static) == calls(lambda fn: fn)


def test_a_step_is_one_program_from_its_first_call_on() -> None:
    net = small()
    optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())

    @vt.jit.to_static
    def step(x: Any) -> Any:
        loss = net(x).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    for _ in range(3):
        step(vt.ones([2, 1]))
    assert step.get_traced_count() == 1


def test_a_step_that_met_zeros_leaves_zeros_where_there_was_none() -> None:
    def calls(compile_: Callable[[Any], Any]) -> list[Any]:
        net, found = small(), []
        optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())

        def step(x: Any) -> Any:
            loss = net(x).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        step(vt.ones([2, 1]))
        run = compile_(step)
        for _ in range(3):
            run(vt.ones([2, 1]))
            found.append([None if p.grad is None else p.grad.tolist() for p in net.parameters()])
            optimizer.clear_grad(set_to_zero=False)
        return found

    assert calls(vt.jit.to_static) == calls(lambda fn: fn) == [[[[0.0]], [0.0]]] * 3


@pytest.mark.parametrize(("value", "other"), [(1, 5), (False, True), ("idle", "busy"), (None, 3.0)])
def test_a_global_that_is_only_assigned(value: Any, other: Any) -> None:
    global STATE
    STATE = value

    @vt.jit.to_static
    def reset(x: Any) -> Any:
        global STATE
        STATE = value
        return x + 1

    for _ in range(3):
        reset(vt.ones([1]))
        assert value == STATE
        STATE = other


def test_a_global_that_takes_another_tensor_in_each_call_is_one_program() -> None:
    @vt.jit.to_static
    def keep(x: Any) -> Any:
        global STATE
        STATE = x * 2
        return x + 1

    for k in range(4):
        keep(vt.full([1], float(k)))
        assert STATE.tolist() == [2.0 * k]
    assert keep.get_traced_count() == 1


def test_a_flag_of_a_parameter_that_nothing_else_uses() -> None:
    p = vt.create_parameter([1], "float32")

    @vt.jit.to_static
    def thawed(x: Any) -> Any:
        p.stop_gradient = False
        return x + 1

    for _ in range(3):
        thawed(vt.ones([1]))
        assert p.stop_gradient is False
        p.stop_gradient = True

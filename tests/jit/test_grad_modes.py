"""The gradient mode inside a captured function: what it records where its caller doesn't."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

w = vt.to_tensor([2.0], stop_gradient=False)


class Kept:
    """Where a function leaves a result."""

    y: Any = None


kept = Kept()


class Square(vt.autograd.PyLayer):
    """x²."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensor()
        return 2 * x * grad


def some(x: Any) -> Any:
    a = x * w
    with vt.enable_grad():
        b = x * w
    return a, b, b * 2


@vt.enable_grad()  # type: ignore[untyped-decorator]
def decorated(x: Any) -> Any:
    return x * w


def layer(x: Any) -> Any:
    with vt.enable_grad():
        return Square.apply(w) * x


def paths(x: Any) -> Any:
    with vt.enable_grad():
        y = x
        for _ in range(3):
            if y.sum() > 1:
                y = y * w
            else:
                y = y + w
    return y


def left(x: Any) -> Any:
    with vt.enable_grad():
        kept.y = x * w
    return x


def switched(x: Any) -> Any:
    before = vt.is_grad_enabled()
    vt.set_grad_enabled(True)
    y = x * w
    vt.set_grad_enabled(before)
    return y


def second(x: Any) -> Any:
    with vt.enable_grad():
        y = (x * w * w).sum()
        return y if w.stop_gradient else vt.grad(y, w, create_graph=True)[0]


def detached(x: Any) -> Any:
    a = x * w
    with vt.enable_grad():
        b = a * w
    return b, b.detach(), x.detach()


def _run(fn: Callable[..., Any], stop: bool, recording: bool) -> list[Any]:
    found: list[Any] = []
    for needed in (True, False, True):
        w.stop_gradient, kept.y = not needed, None
        x = vt.to_tensor([3.0], stop_gradient=stop)
        with vt.set_grad_enabled(recording):
            made = fn(x)
        results = [*(made if isinstance(made, tuple) else [made]), *([] if kept.y is None else [kept.y])]
        found.append([(y.tolist(), y.stop_gradient, y.is_leaf) for y in results])
        for y in results:
            if not (y.stop_gradient or y.is_leaf):
                y.sum().backward(retain_graph=True)
        found.append([None if t.grad is None else t.grad.tolist() for t in (w, x)])
        w.clear_grad(set_to_zero=False)
    return found


@pytest.mark.parametrize("fn", [some, decorated, layer, paths, left, switched, second, detached])
@pytest.mark.parametrize("stop", [True, False])
@pytest.mark.parametrize("recording", [True, False])
def test_recorded_as_in_eager_mode(fn: Any, stop: bool, recording: bool) -> None:
    assert _run(vt.to_static(fn), stop, recording) == _run(fn, stop, recording)


def test_no_flags_are_looked_at_where_nothing_is_recorded() -> None:
    compiled = vt.to_static(lambda x: x * w)
    with vt.no_grad():
        for stop in (True, False):
            w.stop_gradient = stop
            assert compiled(vt.ones([1])).stop_gradient
    assert "1 program\n" in compiled.explain()


@pytest.mark.parametrize("mode", [True, False])
def test_a_mode_that_the_function_leaves_set(mode: bool) -> None:
    def fn(x: Any) -> Any:
        y = x * w
        vt.set_grad_enabled(mode)
        return y, x * w

    def run(call: Any) -> list[Any]:
        found = []
        w.stop_gradient = False
        for before in (True, False, True, False):
            with vt.set_grad_enabled(before):
                made = call(vt.ones([1]))
                found.append((vt.is_grad_enabled(), [y.stop_gradient for y in made]))
            assert vt.is_grad_enabled()
        return found

    assert run(vt.to_static(fn)) == run(fn)


def test_a_capture_that_fails_leaves_the_mode() -> None:
    @vt.to_static  # type: ignore[untyped-decorator]
    def fn(x: Any) -> Any:
        vt.set_grad_enabled(False)
        return x.no_such_thing

    with pytest.raises(AttributeError):
        fn(vt.ones([1]))
    assert vt.is_grad_enabled()

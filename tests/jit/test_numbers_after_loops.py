"""A variable that is a tensor with axes before a loop of the program and a Python number after an iteration."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


class Box:
    b: Any


def _rows(x: Any) -> Any:
    y = x
    for _ in x:
        y = 1
    return y, x * y, isinstance(y, int)


def _while(x: Any) -> Any:
    y = x
    while x.sum() < 5:
        x = x + 1
        y = 3
    return y, y * x


def _under_a_condition(x: Any) -> Any:
    y = x
    for r in x:
        if r > 1:
            y = 2.5
    return vt.ones([1]) * y


def _counted(x: Any) -> Any:
    y = x
    for i in range(x.sum().astype("int64")):
        y = i
    return y


def _attribute(x: Any) -> Any:
    box = Box()
    box.b = x
    for _ in x:
        box.b = 1
    return box.b, x + box.b


def _items(x: Any) -> Any:
    xs, d = [x, 1], {"a": x}
    for _ in x:
        xs[0] = 7
        d["a"] = 4
    return xs, d, x + d["a"]


def _mask(x: Any) -> Any:
    mask = x > 0
    for _ in x:
        mask = False
    return x if mask else -x


def _sum(x: Any) -> Any:
    total, last = 0, 0.5
    for r in x:
        total = total + r * vt.ones([3])
        last = r * vt.ones([2])
    return total, last


@pytest.mark.parametrize(
    "fn", [_rows, _while, _under_a_condition, _counted, _attribute, _items, _mask, _sum], ids=lambda fn: fn.__name__
)
def test_it_is_a_number_behind_the_loop(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for values in ([1.0, 2.0], [7.0, 2.0], [0.0, 0.0], [0.5, 3.0]):
        x = vt.to_tensor(values)
        assert repr(compiled(x)) == repr(fn(x))


def test_gradients_that_a_loop_clears() -> None:
    def fn(w: Any, x: Any) -> Any:
        for r in x:
            (w * r).sum().backward()
            step = w.grad * 2
            w.clear_gradient()
        return step

    compiled = vt.to_static(fn)
    for values in ([1.0, 2.0], [3.0, 5.0]):
        ours, theirs = (vt.to_tensor([1.0, 2.0, 3.0], stop_gradient=False) for _ in range(2))
        assert compiled(ours, vt.to_tensor(values)).tolist() == fn(theirs, vt.to_tensor(values)).tolist()


def _gcd(a: Any, b: Any) -> Any:
    x0, x1 = 1, 0
    while b != 0:
        q = a // b
        a, b = b, a - q * b
        x0, x1 = x1, x0 - q * x1
    return x0, isinstance(x0, vt.Tensor), x0 / 2


def _fibonacci(a: Any, b: Any) -> Any:
    p, q, r = 1, 0, 0
    for k in vt.arange(a + b):
        p, q, r = q, r, p + k
    return p, q, r, [hasattr(x, "shape") for x in (p, q, r)], p / 4


def _as_attributes(a: Any, b: Any) -> Any:
    o = types.SimpleNamespace(p=1, q=0)
    while a > 0:
        o.p, o.q = o.q, o.p + b
        a = a - 1
    return o.p, isinstance(o.p, vt.Tensor), o.p / 2


def _of_numbers(a: Any, b: Any) -> Any:
    p, q = 1, 0
    while a > 0:
        p, q = q, p + 2
        a = a - b
    return p, isinstance(p, int), p / 2


@pytest.mark.parametrize("fn", [_gcd, _fibonacci, _as_attributes, _of_numbers], ids=lambda fn: fn.__name__)
def test_a_number_that_later_iterations_make_a_tensor(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for values in ((12, 18), (35, 64), (9, 4), (5, 3)):
        a, b = map(vt.to_tensor, values)
        assert repr(compiled(a, b)) == repr(fn(a, b))

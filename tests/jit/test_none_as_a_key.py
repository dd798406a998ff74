"""None is a key of a dict like any other: new, replaced, deleted, under conditions, and beside what is written as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn

Run = Callable[[Any], Any]
FORMS: list[Callable[[Run], Any]] = []


def form(fn: Callable[[Run], Any]) -> Callable[[Run], Any]:
    FORMS.append(fn)
    return fn


def pair(v: float) -> Any:
    return vt.to_tensor([v, v])


def shown(d: dict[Any, Any]) -> list[Any]:
    return [(k, v.tolist() if isinstance(v, vt.Tensor) else v) for k, v in d.items()]


@form
def memo(run: Run) -> Any:
    known: dict[Any, float] = {}

    @run
    def f(x: Any, key: Any) -> Any:
        if key not in known:
            known[key] = 2.0
        return x * known[key]

    return [(f(pair(1.0), key).tolist(), dict(known)) for key in (None, "a", None)]


@form
def under_a_condition(run: Run) -> Any:
    d: dict[Any, Any] = {}

    @run
    def f(x: Any) -> Any:
        if x.sum() > 1:
            d[None] = x
        else:
            d["a"] = 1.0
        return x * 1.0

    return [(f(pair(v)).tolist(), shown(d)) for v in (0.0, 1.0, 2.0, 0.0)]


@form
def deleted(run: Run) -> Any:
    d: dict[Any, Any] = {None: 1.0, 2: 3.0}

    @run
    def f(x: Any) -> Any:
        if x.sum() > 1:
            d.pop(None, None)
        return x * len(d)

    return [(f(pair(v)).tolist(), list(d)) for v in (0.0, 1.0, 2.0, 0.0)]


@form
def in_a_loop(run: Run) -> Any:
    d: dict[Any, Any] = {}

    @run
    def f(x: Any) -> Any:
        while x > 0:
            x = x - 1
            d[None] = x
        return x

    return [(float(f(vt.to_tensor(v))), shown(d)) for v in (0.0, 1.0, 2.0, 0.0)]


@form
def replaced(run: Run) -> Any:
    d = {None: vt.ones([2])}

    @run
    def f(x: Any) -> Any:
        d[None] = d[None] + x
        return d[None].sum()

    return [(float(f(pair(v))), shown(d)) for v in (0.0, 1.0, 2.0, 0.0)]


@form
def counted(run: Run) -> Any:
    d = {None: 0}

    @run
    def f(x: Any) -> Any:
        d[None] += 1
        return x * d[None]

    return [(f(pair(v)).tolist(), dict(d)) for v in (0.0, 1.0, 2.0, 3.0)]


@form
def of_a_layer(run: Run) -> Any:
    class Table(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.table: dict[Any, Any] = {}

        def forward(self, x: Any) -> Any:
            self.table[None] = self.table.get(None, 0.0) + x
            return self.table[None].sum()

    m = Table()
    g = run(m)
    return [(float(g(pair(v))), shown(m.table)) for v in (0.0, 1.0, 2.0, 0.0)]


@form
def of_an_argument(run: Run) -> Any:
    @run
    def f(x: Any, d: dict[Any, Any]) -> Any:
        d[None] = x
        if x.sum() > 1:
            d["a"] = x
        d[None] = d[None] + 1
        return x

    found = []
    for v in (0.0, 1.0, 2.0, 0.0):
        d: dict[Any, Any] = {}
        f(pair(v), d)
        found.append(shown(d))
    return found


@form
def two_orders(run: Run) -> Any:
    d: dict[Any, Any] = {}

    @run
    def f(x: Any) -> Any:
        if x.sum() > 1:
            d[None] = 1.0
            d["a"] = x
        else:
            d["a"] = x + 1
            d[None] = 2.0
        return x

    found = []
    for v in (0.0, 1.0, 2.0, 0.0):
        d.clear()
        f(pair(v))
        found.append(shown(d))
    return found


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
def test_none_is_a_key_like_any_other(form: Callable[[Run], Any]) -> None:
    assert form(vt.to_static) == form(lambda f: f)

"""Methods of containers kept in variables, attributes and arguments: `push = out.append` is `out.append`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn


def _rows(x: Any) -> Any:
    out: list[Any] = []
    push = out.append
    for row in x:
        push(row.max())
    return len(out), vt.stack(out)


def _condition(x: Any) -> Any:
    out: list[Any] = []
    push = out.append
    if x.sum() > 1:
        push(x.sum())
    return len(out), x


def _while(x: Any) -> Any:
    out: list[Any] = []
    push = out.append
    while x.sum() < 50:
        x = x * 2
        push(x.sum())
    return len(out), vt.stack(out)


def _pop(x: Any) -> Any:
    out = [x, x + 1, x + 2]
    pop = out.pop
    while len(out) > 1 and out[-1].sum() > 1:
        pop()
    return len(out), x


def _dict(x: Any) -> Any:
    d = {"a": x}
    put = d.__setitem__
    if x.sum() > 1:
        put("a", x * 5)
    return len(d), d["a"]


def _dict_keys(x: Any) -> Any:
    d = {"a": x.sum(), "b": x.max()}
    pop = d.pop
    taken = pop("a") if x.sum() > 1 else pop("b")
    return len(d), taken


def _set(x: Any) -> Any:
    seen: set[int] = set()
    add = seen.add
    if x.sum() > 1:
        add(3)
    return len(seen), x


def _attribute(x: Any) -> Any:
    class Box:
        v: Any = x

    box = Box()
    put = box.__setattr__
    if x.sum() > 1:
        put("v", x * 7)
    return 1, box.v


def _partial(x: Any) -> Any:
    out: list[Any] = []
    push = functools.partial(out.append)
    if x.sum() > 1:
        push(x.sum())
    return len(out), x


def _one_or_another(x: Any) -> Any:
    a: list[Any] = []
    b: list[Any] = []
    push = a.append if x.sum() > 1 else b.append
    push(x.sum())
    return len(a) * 10 + len(b), x


def _bound_in_each_turn(x: Any) -> Any:
    out: list[Any] = []
    for row in x:
        push = out.append
        push(row.sum())
    return len(out), out[-1]


CASES = (
    _rows, _condition, _while, _pop, _dict, _dict_keys, _set, _attribute, _partial, _one_or_another,
    _bound_in_each_turn,
)  # fmt: skip


@pytest.mark.parametrize("fn", CASES)
def test_a_method_in_a_variable_acts_where_it_is_called(fn: Callable[[Any], Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for n in (3, 4, 1):
        x = vt.ones([n, 2]) * (0.3 if n == 1 else 1)
        (number, value), (expected, wanted) = compiled(x), fn(x)
        assert int(number) == expected
        assert value.tolist() == wanted.tolist()


class _Event:
    def __init__(self) -> None:
        self.told: list[Callable[[Any], Any]] = []

    def __call__(self, x: Any) -> Any:
        return [f(x) for f in self.told]


class _Telling(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.event, self.told, self.one = _Event(), [], None

    def forward(self, x: Any) -> Any:
        mean = (x * 2).mean()
        self.event(mean)
        for f in self.told:
            f(mean + 1)
        if self.one is not None:
            self.one(mean + 2)
        return mean


def test_methods_in_attributes_act_at_each_call() -> None:
    found = []
    for wrap in (lambda layer: layer, vt.jit.to_static):
        layer: Any = _Telling()
        got: list[Any] = []
        other: list[Any] = []
        layer.event.told.append(got.append)
        layer.told.append(functools.partial(got.insert, 0))
        layer.one = got.append
        call = wrap(layer)
        for k in (1.0, 2.0):
            call(vt.full([2], k))
        layer.one = other.append
        call(vt.full([2], 3.0))
        found.append(([float(x) for x in got], [float(x) for x in other]))
    assert found[0] == found[1]
    assert len(found[0][0]) == 8


def test_methods_among_the_arguments_act_at_each_call() -> None:
    def tell(x: Any, push: Any, put: Any) -> Any:
        push(x.sum())
        if x.max() > 1:
            put("most", x.max())
        return x

    compiled = vt.jit.to_static(tell)
    for _ in range(2):  # other containers each time
        got: list[Any] = []
        known: dict[str, Any] = {}
        for k in (1.0, 2.0, 3.0):
            compiled(vt.full([2], k), got.append, known.__setitem__)
        assert [float(x) for x in got] == [2.0, 4.0, 6.0]
        assert {key: float(x) for key, x in known.items()} == {"most": 3.0}


def test_a_list_and_its_method_are_one_list() -> None:
    @vt.jit.to_static
    def both(x: Any, out: Any, push: Any) -> Any:
        push(x.sum())
        out.append(x.max())
        return len(out)

    for k in (1.0, 2.0):
        out: list[Any] = []
        assert both(vt.full([2], k), out, out.append) == 2
        assert [float(v) for v in out] == [2 * k, k]

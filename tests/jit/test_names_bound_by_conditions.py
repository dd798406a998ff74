"""`:=` behind `and` and `or` of tensors: names that only some runs bind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def in_a_while(x: Any, c: Any) -> Any:
    while x.sum() < 3 and (step := x.sum() * 2) < 40:
        x = x + step / 10 + 1
    return x


def in_a_while_that_asks(x: Any, c: Any) -> Any:
    while c.sum() > 0 and (pair := (x.sum(), 1))[0] < 20:
        x = x + pair[0]
        last = pair
    return (x, last) if c.sum() > 0 else x


def behind_or(x: Any, c: Any) -> Any:
    found = (c.sum() > 0 and (m := x.sum()) > 1) or (m := x * 2).sum() > 0
    return found, m


def read_without(x: Any, c: Any) -> Any:
    c.sum() > 0 and (m := x.sum()) > 1
    return x + m


def read_by_a_function(x: Any, c: Any) -> Any:
    if c.sum() > 0 and (m := x.sum()) > 1:
        x = x + m

    def read() -> Any:
        return m

    try:
        return x, read()
    except UnboundLocalError:
        return "unbound"
    except NameError:
        return x * 5


def shown(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [shown(v) for v in value]
    return value.tolist() if isinstance(value, vt.Tensor) else value


def outcome(fn: Callable[..., Any], *args: Any) -> Any:
    try:
        return shown(fn(*args))
    except NameError as error:
        return type(error), str(error)


@pytest.mark.parametrize(
    "fn", [in_a_while, in_a_while_that_asks, behind_or, read_without, read_by_a_function], ids=lambda fn: fn.__name__
)
def test_they_are_bound_where_eager_code_binds_them(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for x in (5.0, 1.0, 0.25):
        for c in (1.0, -1.0):
            args = vt.to_tensor([x, x]), vt.to_tensor([c])
            assert outcome(compiled, *args) == outcome(fn, *args), (x, c)

"""What of partials and members of enumerations changes in place between calls: the next call sees it."""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def _scaled(x: Any, k: float = 1, m: float = 0) -> Any:
    return x * k + m


def _partial(jit: Callable[..., Any]) -> list[Any]:
    part = functools.partial(_scaled, m=2)
    compiled = jit(lambda x: part(x, 3))
    found = [compiled(vt.ones([1])).tolist()]
    for state in ((_scaled, (), {"m": 9}, {}), (_scaled, (), {"m": 9}, None), (_scaled, (), None, {})):
        part.__setstate__(state)  # type: ignore[attr-defined]
        found.append(compiled(vt.ones([1])).tolist())
    part.keywords["m"] = 4
    return [*found, compiled(vt.ones([1])).tolist()]


def _partial_with_tensors(jit: Callable[..., Any]) -> list[Any]:
    part = functools.partial(_scaled, m=vt.ones([1]))
    compiled = jit(lambda x: part(x, 3))
    found = [compiled(vt.ones([1])).tolist()]
    part.__setstate__((_scaled, (), {"m": vt.ones([1]) * 5}, {}))  # type: ignore[attr-defined]
    return [*found, compiled(vt.ones([1])).tolist()]


def _member(jit: Callable[..., Any]) -> list[Any]:
    class Colour(enum.Enum):
        RED = 1

    compiled = jit(lambda x: (x * Colour.RED.value, Colour.RED.name))
    found = []
    for value, name in ((1, "RED"), (7, "RED"), (8, "red"), (8.5, "red")):
        Colour.RED._value_, Colour.RED._name_ = value, name
        result, shown = compiled(vt.ones([1]))
        found.append((result.tolist(), shown))
    return found


@pytest.mark.parametrize("program", [_partial, _partial_with_tensors, _member], ids=lambda fn: fn.__name__)
def test_the_next_call_sees_it(program: Callable[..., Any]) -> None:
    assert program(vt.to_static) == program(lambda fn: fn)


class Model(vt.nn.Layer):
    @vt.to_static
    def go(self, x: Any, *, scale: int = 1) -> Any:
        return x * scale

    def plain(self, x: Any, *, scale: int = 1) -> Any:
        return x * scale


def test_the_signature_of_a_bound_method_has_no_self() -> None:
    model = Model()
    assert inspect.signature(model.go) == inspect.signature(model.plain)
    assert inspect.signature(Model.go) == inspect.signature(Model.plain)
    assert inspect.signature(vt.to_static(model.plain)) == inspect.signature(model.plain)

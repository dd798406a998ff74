"""Tensors that the function makes and writes in place, and that only one of its ends gives back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import vitrify as vt


class Box:
    def __init__(self, held: Any) -> None:
        self.held = held


class Row(list[Any]):
    pass


@dataclass
class Pair:
    a: Any
    b: Any = None


def alone(x: Any, b: Any) -> Any:
    made = x * 1
    made.scale_(3.0)
    if b < 0:
        return None
    return made


def in_a_box(x: Any, b: Any) -> Any:
    box = Box(x * 1)
    box.held[0] = 5.0
    if b < 0:
        box = Box(x)
    return box


def in_containers(x: Any, b: Any) -> Any:
    made = x * 1
    found: Any = [made, (made,), {"m": made}, deque([made]), Row([made]), Pair(Box(made), made)]
    made.add_(x)
    if b < 0:
        found = "nothing"
    made.scale_(2.0)
    return found


def through_a_view(x: Any, b: Any) -> Any:
    made = x * 1
    part = made[1:]
    part.scale_(4.0)
    if b < 0:
        return 0
    return made, Box(part)


def on_nested_paths(x: Any, b: Any) -> Any:
    box = Box(x * 1)
    if b > 1:
        box.held.scale_(10.0)
    box.held.add_(x)
    if b > 2:
        return box, "large"
    if b < 0:
        return None
    return box


def kept_by_an_object(x: Any, b: Any) -> Any:
    KEPT.held = Box(x * 1)
    KEPT.held.held.scale_(2.0)
    if b < 0:
        return None
    return KEPT.held.held


KEPT = Box(None)
FUNCTIONS = [alone, in_a_box, in_containers, through_a_view, on_nested_paths, kept_by_an_object]


def shown(value: Any) -> Any:
    if isinstance(value, vt.Tensor):
        return value.tolist()
    if isinstance(value, Box):
        return "Box", shown(value.held)
    if isinstance(value, Pair):
        return "Pair", shown(value.a), shown(value.b)
    if isinstance(value, dict):
        return {k: shown(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, deque)):
        return type(value).__name__, [shown(v) for v in value]
    return value


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_what_comes_out_has_been_written(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for b in (1.0, -1.0, 3.0, 1.5, 0.5):
        results = []
        for each in (fn, compiled):
            KEPT.held = None
            results.append((shown(each(vt.to_tensor([1.0, 2.0]), vt.to_tensor(b))), shown(KEPT)))
        assert results[0] == results[1], b


def test_gradients_pass_through_what_was_written() -> None:
    def step(w: Any, b: Any) -> Any:
        made = w * 2
        made.scale_(3.0)
        if b < 0:
            return None
        return Box(made)

    compiled = vt.to_static(step)
    for fn in (step, compiled, compiled):
        w = vt.to_tensor([1.0, 2.0], stop_gradient=False)
        fn(w, vt.to_tensor(1.0)).held.sum().backward()
        assert w.grad.tolist() == [6.0, 6.0]


def test_what_the_end_refuses_stands_at_a_line_of_the_function() -> None:
    def knot(x: Any) -> Any:
        box = Box(x * 1)
        box.held = [box]
        return box

    with pytest.raises(vt.errors.CaptureError, match="holds itself") as caught:
        vt.to_static(knot)(vt.ones([2]))
    assert "box = Box(x * 1)" in str(caught.value)

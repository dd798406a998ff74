"""Arguments and state that a compiled function writes by values with a gradient: they have it afterwards, as in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, CaptureError

WEIGHTS = [1.0, 2.0, 4.0, 8.0]


def one_element(b: Any, x: Any) -> None:
    b[0] = x[1] * 3


def and_used(b: Any, x: Any) -> Any:
    b[0] = x[1] * 3
    return b * x


def unrecorded(b: Any, x: Any) -> Any:
    with vt.no_grad():
        b[0] = x[1] * 3
    return b * x


def a_number(b: Any, x: Any) -> Any:
    b[0] = 5.0
    return b * x


def on_a_path(b: Any, x: Any) -> Any:
    if x.sum() > 0:
        b[0] = x[1] * 3
    return b * x


def in_a_loop(b: Any, x: Any) -> Any:
    for i in range(vt.to_tensor(3)):
        b[i] = x[i + 1] * (i + 2)
    return b * x


def through_a_view(b: Any, x: Any) -> Any:
    part = b[1:]
    part[0] = x[0] * 2
    return part * 2


def added(b: Any, x: Any) -> None:
    b.add_(x)


def by_another_name(b: Any, x: Any) -> Any:
    alias = b.detach()
    alias[0] = x[1] * 3
    return alias * x


WAYS = [one_element, and_used, unrecorded, a_number, on_a_path, in_a_loop, through_a_view, added, by_another_name]


def left(made: Any, b: Any, x: Any) -> list[Any]:
    """What a call gave, and the gradient that arrives through what it wrote."""
    wants = b.stop_gradient
    total = (b * vt.to_tensor(WEIGHTS)).sum()
    if made is not None:
        total = total + (made * made).sum()
    if not total.stop_gradient:
        total.backward()
    return [b.tolist(), wants, None if x.grad is None else x.grad.tolist()]


@pytest.mark.parametrize("computed", [False, True])
@pytest.mark.parametrize("fn", WAYS)
def test_an_argument_has_the_gradient_of_what_was_written(fn: Callable[..., Any], computed: bool) -> None:
    found = []
    for way in (fn, vt.to_static(fn)):
        found.append([])
        for sign in (1.0, -1.0, 2.0):
            x = vt.to_tensor([sign, 0.5, 0.25, 1.0], stop_gradient=False)
            b = x * 2 if computed else vt.to_tensor([1.0, 2.0, 3.0, 4.0])
            made = way(b, x)
            found[-1].append(left(made, b, x))
    for eager, compiled in zip(*found, strict=True):
        np.testing.assert_allclose(compiled[0], eager[0], rtol=1e-6)
        assert compiled[1] is eager[1]
        assert (compiled[2] is None) == (eager[2] is None)
        if eager[2] is not None:
            np.testing.assert_allclose(compiled[2], eager[2], rtol=1e-6)


def test_an_argument_is_written_call_after_call() -> None:
    found = []
    for way in (one_element, vt.to_static(one_element)):
        x, b = vt.to_tensor([1.0, 0.5, 0.25, 1.0], stop_gradient=False), vt.to_tensor([1.0, 2.0, 3.0, 4.0])
        for k in range(3):
            way(b if k != 1 else b * 1, x)
        (b * b).sum().backward()
        found.append([b.tolist(), b.stop_gradient, x.grad.tolist()])
    assert found[1] == found[0]


def _over(fn: Callable[..., Any], b: Any) -> Callable[[Any], Any]:
    return lambda x: fn(b, x)


@pytest.mark.parametrize("fn", [w for w in WAYS if w is not by_another_name])
def test_state_has_the_gradient_of_what_was_written(fn: Callable[..., Any]) -> None:
    found = []
    for compiles in (False, True):
        b, seen = vt.to_tensor([1.0, 2.0, 3.0, 4.0]), []
        way = vt.to_static(_over(fn, b)) if compiles else _over(fn, b)
        for sign in (1.0, -1.0):
            x = vt.to_tensor([sign, 0.5, 0.25, 1.0], stop_gradient=False)
            seen += left(way(x), b, x)
            with vt.no_grad():
                b.set_value(b * 1)
            b.detach_()
        found.append(seen)
    assert found[1] == found[0]


def test_a_leaf_is_refused_as_in_eager_mode() -> None:
    for way in (one_element, vt.to_static(one_element)):
        b = vt.to_tensor([1.0, 2.0, 3.0, 4.0], stop_gradient=False)
        with pytest.raises(ArgumentError, match="leaf tensor"):
            way(b, b * 2)


def test_backward_does_not_go_behind_an_argument() -> None:
    @vt.to_static
    def step(b: Any, x: Any) -> Any:
        b[0] = x[1] * 3
        b.sum().backward()
        return b * 1

    x = vt.to_tensor([1.0, 0.5, 0.25, 1.0], stop_gradient=False)
    with pytest.raises(CaptureError, match="goes through the argument"):
        step(x * 2, x)

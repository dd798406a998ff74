"""Tensors that are written in place behind a loop or condition that may leave what was there before, with gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def _added(x: Any, y: Any, n: int) -> Any:
    a = x * 1
    for _ in range(n):
        a = a * 0.5
    a.add_(y)
    return a


def _at_an_index(x: Any, y: Any, n: int) -> Any:
    a = x * 1
    for _ in range(n):
        a = a * 0.5
    a[0] += 1.0
    return a


def _by_a_mask(x: Any, y: Any, n: int) -> Any:
    a = x * 1
    while n > 2:
        a = a * 0.5
        n = n - 1
    a[y > 0] += 1.0
    return a


def _behind_a_condition(x: Any, y: Any, n: int) -> Any:
    a = x * 1
    if n > 1:
        a = a * 3
    a.add_(y)
    return a


def _beside_another_name(x: Any, y: Any, n: int) -> Any:
    a = x * 1
    held = {"a": a}
    for _ in range(n):
        held["a"] = held["a"] * 0.5
    held["a"].multiply_(y)
    return held["a"]


def _in_iterations_too(x: Any, y: Any, n: int) -> Any:
    a = x * 1
    for _ in range(n):
        a = a * 0.5
        a.add_(y)
    a[0] = 3.0
    return a


@pytest.mark.parametrize(
    "fn",
    [_added, _at_an_index, _by_a_mask, _behind_a_condition, _beside_another_name, _in_iterations_too],
    ids=lambda fn: fn.__name__,
)
@pytest.mark.parametrize("wants", [True, False])
def test_the_write_comes_out(fn: Callable[..., Any], wants: bool) -> None:
    compiled = vt.to_static(fn)
    for n, values in ((1, [1.0, 2.0]), (3, [1.0, 2.0]), (0, [1.0, 2.0]), (0, [3.0, 2.0]), (4, [1.0, 1.0])):
        told = []
        for call in (fn, compiled):
            x = vt.to_tensor(values, stop_gradient=not wants)
            result = call(x, vt.to_tensor([10.0, 10.0]), n)
            if wants:
                (result * result).sum().backward()
            told.append((result.tolist(), None if x.grad is None else x.grad.tolist()))
        assert told[0] == told[1]

"""One tensor given as two arguments: writes and gradients inside the function are seen under both names."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def gradient_inside(a: Any, b: Any) -> Any:
    loss = (a * 2 + b * 3).sum()
    loss.backward()
    return loss


def write_inside(a: Any, b: Any) -> Any:
    a.add_(vt.ones([2]))
    return a + b


def plain(a: Any, b: Any) -> Any:
    return a * b + a


def leaf() -> Any:
    return vt.to_tensor([1.0, 2.0], stop_gradient=False)


@pytest.mark.parametrize("order", ["same first", "same last"])
def test_gradients_add_up(order: str) -> None:
    compiled = vt.to_static(gradient_inside)
    for same in (order == "same first", order != "same first", True, False, True):
        a = leaf()
        b = a if same else leaf()
        compiled(a, b)
        assert a.grad.tolist() == ([5.0, 5.0] if same else [2.0, 2.0])
        assert b.grad.tolist() == ([5.0, 5.0] if same else [3.0, 3.0])


@pytest.mark.parametrize("fn", [write_inside, plain])
def test_calls_with_and_without_a_shared_tensor(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for same in (False, True, False, True, True):
        results = []
        for call in (fn, compiled):
            a = vt.to_tensor([1.0, 2.0])
            b = a if same else vt.to_tensor([1.0, 2.0])
            results.append((call(a, b).tolist(), a.tolist(), b.tolist()))
        assert results[0] == results[1]


def test_gradients_from_outside_and_in_containers() -> None:
    compiled = vt.to_static(lambda pair: pair["x"] * pair["y"][0])
    for same in (True, False, True):
        a = leaf()
        b = a if same else leaf()
        compiled({"x": a, "y": [b]}).sum().backward()
        np.testing.assert_allclose(a.grad.numpy(), [2.0, 4.0] if same else [1.0, 2.0])


def test_a_deep_copy_is_a_leaf_of_its_own() -> None:
    def with_copy(x: Any) -> Any:
        return (copy.deepcopy(x) * 2 + x).sum()

    for fn in (with_copy, vt.to_static(with_copy)):
        x = leaf()
        fn(x).backward()
        assert x.grad.tolist() == [1.0, 1.0]

"""What a loop, a branch or a function carries on without a gradient: none flows through it (truncated backpropagation)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def carried(d: Any, n: Any) -> Any:
    h, total = vt.ones([4]), vt.zeros([4])
    for _ in range(n):
        y = h * d
        total = total + y
        h = y.detach()
    return total


def made_without_a_record(d: Any, n: Any) -> Any:
    h, total = vt.ones([4]), vt.zeros([4])
    for _ in range(n):
        total = total + h * d
        with vt.no_grad():
            h = h * d
    return total


def in_a_while_loop(d: Any, n: Any) -> Any:
    h, total, k = vt.ones([4]), vt.zeros([4]), vt.zeros([], "int64")
    while k < n:
        total = total + h * d
        h = (total * 2).detach()
        k = k + 1
    return total + h * d


def detached_before(d: Any, n: Any) -> Any:
    h, total = (d * 2).detach(), vt.zeros([4])
    for _ in range(n):
        total = total + h * d
        h = h * 0.5
    return total + h * d


def on_a_path(d: Any, n: Any) -> Any:
    h, total = vt.ones([4]), vt.zeros([4])
    for k in range(n):
        y = h * d
        total = total + y
        if d[k] > 1:
            h = y.detach()
        else:
            h = y.detach() + 1
    return total


def in_inner_loops(d: Any, n: Any) -> Any:
    h, total = vt.ones([4]), vt.zeros([4])
    for _ in range(n):
        for _ in range(n):
            total = total + h * d
            h = (h * d * 0.5).detach()
    return total


def in_a_pair(d: Any, n: Any) -> Any:
    state, total = (vt.ones([4]), [vt.ones([4])]), vt.zeros([4])
    for _ in range(n):
        a, (b,) = state
        total = total + a * b * d
        state = ((a * d).detach(), [(b + d).detach()])
    return total


def written_in_place(d: Any, n: Any) -> Any:
    p, total = vt.ones([4]), vt.zeros([4])
    for k in range(n):
        total = total + (p + 0) * d
        with vt.no_grad():
            p[k] = d[k] * 3
    return total


def halved(h: Any, d: Any, n: Any) -> Any:
    if n <= 0:
        return h * d
    return h * d + halved((h * d).detach(), d, n - 1)


def by_a_function(d: Any, n: Any) -> Any:
    return halved((d * 2).detach(), d, n)


WAYS = [
    carried, made_without_a_record, in_a_while_loop, detached_before, on_a_path, in_inner_loops, in_a_pair, written_in_place,
    by_a_function,
]  # fmt: skip


@pytest.mark.parametrize("fn", WAYS)
def test_gradients_are_those_of_eager_mode(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for n in (3, 1, 0):
        found = []
        for way in (fn, compiled):
            d = vt.to_tensor([1.0, 2.0, 3.0, 4.0], stop_gradient=False)
            y = way(d, vt.to_tensor(n))
            if not y.stop_gradient:
                (y * vt.to_tensor([1.0, 2.0, 4.0, 8.0])).sum().backward()
            found.append((y.numpy(), np.zeros(4) if d.grad is None else d.grad.numpy()))
        for eager, made in zip(*found, strict=True):
            np.testing.assert_allclose(made, eager, rtol=1e-5)


@pytest.mark.parametrize("fn", WAYS)
def test_gradients_that_the_function_computes(fn: Callable[..., Any]) -> None:
    def slope(d: Any, n: Any) -> Any:
        return vt.grad(fn(d, n).sum() + d.sum(), d)[0]

    for n in (3, 1):
        found = [
            way(vt.to_tensor([1.0, 2.0, 3.0, 4.0], stop_gradient=False), vt.to_tensor(n))
            for way in (slope, vt.to_static(slope))
        ]
        np.testing.assert_allclose(found[1].numpy(), found[0].numpy(), rtol=1e-5)

"""Selections whose size data decide, on a path that a run may not take: what the gradient keeps of them is empty then.

Eager mode and the program agree, forwards and backwards, whatever the order in which masks pick rows or none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.ir.verifier import verify
from vitrify.passes.autodiff.differentiate import differentiate

NET = vt.nn.Linear(3, 3)


def mean_where_any(x: Any, m: Any) -> Any:
    loss = NET(x).sum()
    if m.any():
        loss = loss + NET(x)[m].mean()
    return loss


def by_places(x: Any, m: Any) -> Any:
    loss = NET(x).sum()
    if m.any():
        loss = loss + vt.gather(NET(x), vt.nonzero(m).flatten()).exp().mean()
    return loss


def by_value(x: Any, m: Any) -> Any:
    loss = NET(x).sum()
    if x[0, 0] > 0.5:
        loss = loss + NET(x)[m].exp().sum()
    return loss


def expression(x: Any, m: Any) -> Any:
    y = NET(x)
    return y.sum() + (y[m].exp().mean() if m.any() else y.mean())


def other_path(x: Any, m: Any) -> Any:
    y = NET(x)
    if m.any():
        loss = (y[m] * y[m]).mean()
    else:
        loss = (y * y * y).sum()
    return loss


def both_paths(x: Any, m: Any) -> Any:
    y = NET(x)
    if x[0, 0] > 0.5:
        loss = y[m].exp().sum()
    else:
        loss = y[vt.logical_not(m)].exp().sum() * 2
    return loss


def flattened(x: Any, m: Any) -> Any:
    y = NET(x)
    loss = y.sum()
    if m.any():
        loss = loss + (y[m].reshape([-1]).exp() ** 2).mean()
    return loss


def picked_numbers(x: Any, m: Any) -> Any:
    scale = NET(x).sum() * 0.01
    loss = scale + x.sum()
    if m.any():
        loss = loss + (scale * x.detach()[m].reshape([-1])).exp().sum()
    return loss


def after_it(x: Any, m: Any) -> Any:
    loss = mean_where_any(x, m)
    return loss * NET(x).exp().mean()


def nested(x: Any, m: Any) -> Any:
    y = NET(x)
    loss = y.sum()
    if x[0, 0] > 0.5:
        loss = loss * 2
        if m.any():
            loss = loss + y[m].exp().mean()
    return loss


def in_a_loop(x: Any, m: Any) -> Any:
    y = NET(x)
    loss = y.sum()
    for i in range(m.shape[0]):
        if m[i]:
            loss = loss + y[vt.logical_and(m, x[:, 0] > 0.5)].exp().sum()
    return loss


def in_a_long_loop(x: Any, m: Any) -> Any:
    y = NET(x)
    loss = y.sum()
    n = m.astype("int64").sum() + 1
    while n > 0:
        if n > 1:
            loss = loss + y[m].exp().sum() * n.astype("float32")
        n = n - 1
    return loss


FUNCTIONS = [
    mean_where_any, by_places, by_value, expression, other_path, both_paths, flattened, picked_numbers, after_it, nested,
    in_a_loop, in_a_long_loop,
]  # fmt: skip


def value_and_gradients(fn: Callable[..., Any], x: Any, m: Any) -> list[Any]:
    x = vt.to_tensor(x, stop_gradient=False)
    NET.clear_gradients()
    loss = fn(x, vt.to_tensor(m))
    loss.backward()
    return [loss.numpy(), x.grad.numpy(), NET.weight.grad.numpy(), NET.bias.grad.numpy()]


@pytest.mark.parametrize("rows", [4, 1, 7])
@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_compiled_equals_eager(fn: Callable[..., Any], rows: int) -> None:
    random = np.random.default_rng(rows)
    compiled = vt.to_static(fn)
    for picks in (0, 0, 1, 0, rows, rows - 1, 0):
        for first in (0.2, 0.8):
            x = random.random((rows, 3), dtype=np.float32)
            x[0, 0] = first
            m = np.arange(rows) < picks
            with vt.no_grad():
                np.testing.assert_allclose(
                    compiled(vt.to_tensor(x), vt.to_tensor(m)), fn(vt.to_tensor(x), vt.to_tensor(m)), rtol=1e-5
                )
            for found, expected in zip(value_and_gradients(compiled, x, m), value_and_gradients(fn, x, m), strict=True):
                np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_programs_name_no_size_that_nothing_tells(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    compiled(vt.ones([4, 3]), vt.to_tensor(np.zeros(4, bool)))
    made = differentiate(compiled.program, [0])
    verify(made.forward)
    verify(made.backward)

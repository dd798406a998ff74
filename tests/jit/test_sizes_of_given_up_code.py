"""Sizes of a run that code has told which is captured again: for each kind of a variable that a loop carries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def least_mean(x: Any, y: Any) -> Any:
    best = (float("inf"), None)
    for t in x:
        g = y[x <= t].mean()
        if g < best[0]:
            best = (g, t)
    return best


def least_sum(x: Any, y: Any) -> Any:
    best = None
    for t in x:
        v = y[x <= t].sum()
        if best is None or v < best:
            best = v
    return best


def twice(x: Any, y: Any) -> Any:
    best = None
    for t in x:
        v = (y[x <= t] + x[x <= t]).sum()
        w = vt.stack([y[x <= t], x[x <= t]]).max()
        best = v if best is None else vt.maximum(best, v + w)
    return best


def of_counts(x: Any, y: Any) -> Any:
    best = None
    for t in x:
        n = int(t) + 1
        v = (vt.ones([n]) * vt.arange(n)).sum() + vt.full([n], 2.0).sum()
        if best is None or v > best:
            best = v
    return best


def split(x: Any, y: Any) -> Any:
    best = (float("inf"), None, None)
    for t in x:
        low, high = y[x <= t], y[x > t]
        if low.shape[0] == 0 or high.shape[0] == 0:
            continue
        cost = ((low - low.mean()) ** 2).sum() + ((high - high.mean()) ** 2).sum()
        if cost < best[0]:
            best = (cost, t, low.mean())
    return best


def shown(value: Any) -> Any:
    if isinstance(value, tuple):
        return [shown(v) for v in value]
    return round(float(value), 4) if isinstance(value, vt.Tensor) else value


@pytest.mark.parametrize("fn", [least_mean, least_sum, twice, of_counts, split], ids=lambda f: f.__name__)
def test_each_path_tells_its_own(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for x, y in (([0.0, 1.0, 2.0, 1.0], [0.0, 1.0, 1.0, 0.0]), ([3.0, 0.0, 1.0, 2.0], [-1.0, 2.0, 5.0, 0.5])):
        args = vt.to_tensor(x), vt.to_tensor(y)
        assert shown(compiled(*args)) == shown(fn(*args))

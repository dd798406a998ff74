"""Loops that return one thing or another: tuples whose parts differ by one `if` are as many kinds as there are ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import LoopStateError


def search(x: Any, limit: float) -> Any:
    n = 0
    while True:
        x = x * 1.5 + 0.1
        n += 1
        if x.abs().max() > limit:
            return x, n, "big"
        if n >= 6:
            return x.sum(), n, None
        if (x < 0).all():
            break
    return -x, n, "negative"


def nested(x: Any, limit: float) -> Any:
    for n in range(5):
        x = x * 1.5
        if x.max() > limit:
            if x.min() > 0:
                return x, n, "positive"
            return x.sum(), n, ["mixed"]
        if x.sum() < -limit:
            return None, n, x[:1], "low"
    return x, -1, None


def by_two_flags(x: Any, limit: float) -> Any:
    found = (None, "none")
    for row in range(3):
        x = x + row
        a = x.sum() if x.max() > limit else None
        b = x if x.min() > 0 else "below"
        found = (a, b)
        if x.sum() > 2 * limit:
            return found, row
    return found, None


def shown(value: Any) -> Any:
    if isinstance(value, vt.Tensor):
        return np.round(value.numpy(), 4).tolist()
    return type(value)(shown(v) for v in value) if isinstance(value, (tuple, list)) else value


@pytest.mark.parametrize("fn", [search, nested, by_two_flags], ids=lambda f: f.__name__)
def test_results_are_those_of_the_run(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for row in ([0.3, 0.2], [-1.0, -2.0], [0.01, 0.02], [4.0, -1.0]):
        x = vt.to_tensor(row)
        assert shown(compiled(x, 3.0)) == shown(fn(x, 3.0)), row


def test_too_many_kinds_are_refused() -> None:
    def fn(x: Any) -> Any:
        while True:
            x = x + 1
            for limit, name in zip(range(10, 20), "abcdefghij", strict=True):
                if x.sum() > limit:
                    return x, name
            if x.max() > 100:
                return None

    with pytest.raises(LoopStateError, match="returns values of too many types: None, a tuple of 2"):
        vt.to_static(fn)(vt.ones([2]))

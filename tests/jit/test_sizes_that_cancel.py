"""A division by a size of 0 is Python's error where the program has no division for it: `n // n` is 1."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt


def quotients(x: Any) -> Any:
    n, m = x.shape
    return n // n, (n * m) // m, (n * m + m) // m


def rests(x: Any) -> Any:
    n, m = x.shape
    return n % n, divmod(n * m, m)


def of_a_reshaped_one(x: Any) -> Any:
    return x.sum() + x.reshape([-1]).shape[0] // x.shape[0]


def handled(x: Any) -> Any:
    try:
        return x.sum() + x.shape[0] // x.shape[0]
    except ZeroDivisionError:
        return x.sum() - 7


def outcome(fn: Any, shape: list[int]) -> Any:
    try:
        made = fn(vt.ones(shape))
    except ZeroDivisionError as error:
        return str(error)
    return made.item() if isinstance(made, vt.Tensor) else made


@pytest.mark.parametrize("fn", [quotients, rests, of_a_reshaped_one, handled], ids=lambda fn: fn.__name__)
def test_as_eager(fn: Any) -> None:
    g = vt.jit.to_static(fn)
    for shape in ([2, 3], [3, 2], [0, 0], [4, 5], [0, 0]):
        assert outcome(g, shape) == outcome(fn, shape), shape

"""`max` and `min` of a tensor's rows: the first of equal ones, as Python's comparisons find it, with its gradient."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

LINES = [
    [1.0, 1.0, 0.5, 0.5],
    [0.0, 2.0, 2.0, -1.0],
    [3.0, 3.0, 3.0, 3.0],
    [-0.0, 0.0, -1.0, -1.0],
    [1.0, math.nan, 5.0, math.nan],
    [math.nan, 1.0, 5.0, 0.0],
    [math.nan, math.nan, math.nan, math.nan],
    [-math.inf, math.nan, -math.inf, math.nan],
    [math.inf, math.inf, math.nan, -math.inf],
]


def largest(x: Any) -> Any:
    return max(x)


def smallest(x: Any) -> Any:
    return min(x)


def of_rows_of_a_column(x: Any) -> Any:
    return max(x.reshape([4, 1]).squeeze(1) * 2.0) - min(x)


def of_a_list(x: Any) -> Any:
    return max([v * 1.0 for v in x])


def in_a_loop(x: Any) -> Any:
    total = x[0] * 0.0
    for k in range(3):
        total = total + max(x[k:]) * (k + 1)
    return total


@pytest.mark.parametrize("fn", [largest, smallest, of_rows_of_a_column, of_a_list, in_a_loop], ids=lambda f: f.__name__)
def test_values_and_gradients_are_eager_modes(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for line in LINES:
        found = []
        for each in (fn, compiled):
            x = vt.to_tensor(line, stop_gradient=False)
            y = each(x)
            y.backward()
            found.append(repr((y.tolist(), math.copysign(1.0, y.tolist()), x.grad.tolist())))
        assert found[0] == found[1], line


@pytest.mark.parametrize("dtype", ["int32", "int64", "bool", "float64", "float16"])
def test_dtypes_are_eager_modes(dtype: str) -> None:
    for fn in (largest, smallest):
        x = vt.to_tensor([0, 1, 1, 0]).astype(dtype)
        wanted, found = fn(x), vt.jit.to_static(fn)(x)
        assert (found.dtype, found.tolist()) == (wanted.dtype, wanted.tolist())


def test_rows_that_a_run_selects() -> None:
    def chosen(x: Any) -> Any:
        return max(x[x > 0])

    compiled = vt.jit.to_static(chosen)
    for line in ([1.0, 2.0, 2.0], [-1.0, 3.0, 0.0]):
        assert compiled(vt.to_tensor(line)).tolist() == chosen(vt.to_tensor(line)).tolist()
    for each in (chosen, compiled):
        with pytest.raises(ValueError, match=r"empty|no elements"):
            each(vt.to_tensor([-1.0, -2.0, -3.0]))


def test_a_start_is_added_not_iterated_over() -> None:
    class Amount:
        def __init__(self, value: Any) -> None:
            self.value = value

        def __add__(self, other: Amount) -> Amount:
            return Amount(self.value + other.value)

        def __iter__(self) -> Any:
            return (Amount(v) for v in self.value)

        def __len__(self) -> int:
            return len(self.value)

    def total(x: Any) -> Any:
        return sum([Amount(v) for v in x], Amount(vt.zeros([]))).value

    def over_an_own_iterable(x: Any) -> Any:
        return sum(Amount(x), start=Amount(x[0] * 0.0)).value

    def picked(x: Any) -> Any:
        class Large:
            def __call__(self, v: Any) -> bool:
                return True

            def __iter__(self) -> Any:
                return iter([1])

        return sum(filter(Large(), [v * 1.0 for v in x]))

    x = vt.to_tensor([1.0, 2.0, 3.0])
    for fn in (total, over_an_own_iterable, picked):
        assert vt.jit.to_static(fn)(x).tolist() == fn(x).tolist() == 6.0

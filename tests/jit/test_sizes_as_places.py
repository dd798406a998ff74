"""Sizes that only a run knows, as places: in tensors, lists, dicts, and where `len()` of a list divides its sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def read(x: Any, y: Any) -> Any:
    return x[y[y > 0].shape[0]]


def written(x: Any, y: Any) -> Any:
    n = y[y > 0].shape[0]
    before = x[n] * 1
    x[n] = 9.0
    return before, x


def guarded(x: Any, y: Any) -> Any:
    n = y[y > 0].shape[0]
    return x[n] if n < x.shape[0] else x[-1]


def the_last_and_the_first(x: Any, y: Any) -> Any:
    kept = [v for v in y if v > 0]
    return x[: len(kept)], x[len(kept) - 1, None], x[-len(kept)]


def caught(x: Any, y: Any) -> Any:
    kept = [v for v in y if v > 0]
    try:
        return x[len(kept)]
    except IndexError:
        return x[0] * 0 - 1


def largest(x: Any, y: Any) -> Any:
    return vt.topk(x, y[y > 0].shape[0])


def of_a_table(x: Any, y: Any) -> Any:
    n = y[y > 0].shape[0]
    return {0: "none", 1: "one", 2: "two"}[n], {0: 5, 1: 6}.get(n, 7), [10, 20, 30, 40][n]


def mean(x: Any, y: Any) -> Any:
    kept = [v for v in y if v > 0]
    return sum(kept) / len(kept)


def mean_or_nothing(x: Any, y: Any) -> Any:
    kept = [v for v in y if v > 0]
    try:
        return sum(kept) / len(kept)
    except ZeroDivisionError:
        return 0.0


def by_a_tensor(x: Any, y: Any) -> Any:
    kept = [v for v in y if v > 3]
    return (sum(kept) + x) / (x * 0)


def stacked(x: Any, y: Any) -> Any:
    return vt.stack([v * 2 for v in y if v > 0])


def joined(x: Any, y: Any) -> Any:
    return vt.concat([v * x for v in y if v > 0])


def differences(x: Any, y: Any) -> Any:
    kept = [v for v in y if v > 0]
    return [b - a for a, b in zip(kept, kept[1:])], [a * b for a, b in zip(y, y[y > 0])]  # noqa: B905, RUF007


def product(x: Any, y: Any) -> Any:
    total = x[0] * 0
    for a, b in zip(x, [v for v in y if v > 0]):  # noqa: B905
        total = total + a * b
    return total


def outcome(fn: Callable[..., Any], y: list[float]) -> Any:
    try:
        return repr(fn(vt.to_tensor([5.0, 6.0, 7.0]), vt.to_tensor(y)))
    except Exception as error:  # broad: the eager function's error is the expected one, whatever it is
        return type(error)


FUNCTIONS = [
    read, written, guarded, the_last_and_the_first, caught, largest, of_a_table, mean, mean_or_nothing, by_a_tensor,
    stacked, joined, differences, product,
]  # fmt: skip


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_it_is_the_place_of_eager_mode(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for y in ([1.0, -1, 2], [1.0, -1, -1], [-1.0, -1, -1], [1.0, 1, 1], [-1.0, 4, -1]):
        assert outcome(compiled, y) == outcome(fn, y)


@pytest.mark.parametrize("n", [2, 3])
def test_a_loop_may_leave_a_tensor_of_another_size(n: int) -> None:
    def over_rows(frames: Any, x: Any) -> Any:
        last = vt.to_tensor([1.0, 2.0])
        for _ in frames:
            last = x
        return last.sum()

    def while_below(frames: Any, x: Any) -> Any:
        last, k = vt.to_tensor([1.0, 2.0]), vt.to_tensor(0)
        while k < frames.shape[0]:
            last, k = x, k + 1
        return last.sum()

    for fn in (over_rows, while_below):
        compiled = vt.to_static(fn)
        for frames in (2, 0, 3):
            assert float(compiled(vt.ones([frames, 3]), vt.ones([n]))) == (n if frames else 3)


def test_an_operation_may_be_chosen() -> None:
    def chosen(x: Any, s: Any) -> Any:
        fn = vt.floor if s > 0 else vt.ceil
        return fn(x)

    x, compiled = vt.to_tensor([1.25, -2.5]), vt.to_static(chosen)
    for s in (1.0, -1.0):
        assert compiled(x, vt.to_tensor(s)).tolist() == chosen(x, vt.to_tensor(s)).tolist()

"""`zip(…, strict=True)` over tensors and lists whose lengths only a call or a run knows: unequal ones are an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

SIZES = ((3, 3), (3, 2), (2, 2), (2, 3), (3, 4), (0, 1), (1, 0))


def outcome(fn: Callable[[Any, Any], Any], sizes: tuple[int, int]) -> Any:
    try:
        found = fn(*(vt.ones([n, 2]) for n in sizes))
    except ValueError as error:
        return str(error).splitlines()[0]
    return [x.tolist() for x in found] if isinstance(found, list) else found


def comprehension(a: Any, b: Any) -> Any:
    return [x + y for x, y in zip(a, b, strict=True)]


def generated(a: Any, b: Any) -> Any:
    return sum(((x * y).sum() for x, y in zip(a, b, strict=True)), vt.zeros([]))


def listed(a: Any, b: Any) -> Any:
    return len(list(zip(a, b, strict=True)))


def beside_a_range(a: Any, b: Any) -> Any:
    return [i * y for i, y in zip(range(a.shape[0]), b, strict=True)]


def of_three(a: Any, b: Any) -> Any:
    return [x + y + z for x, y, z in zip(a, b, b[1:], strict=True)]


def of_three_with_the_shortest_between(a: Any, b: Any) -> Any:
    return [x + y + z for x, y, z in zip(a, b[1:], b, strict=True)]


def left_early(a: Any, b: Any) -> Any:
    count = 0
    for x, _ in zip(a, b, strict=True):
        count += 1
        if x.sum() > 1:
            break
    return vt.to_tensor(count)


def caught(a: Any, b: Any) -> Any:
    total, says = vt.zeros([]), "equal"
    try:
        for x, y in zip(a, b, strict=True):
            total = total + (x * y).sum()
    except ValueError as error:
        says = str(error)
    return [total, vt.to_tensor(len(says))]


def of_a_list_of_a_run(a: Any, b: Any) -> Any:
    kept = []
    for x in a:
        if x.sum() > 0:
            kept.append(x)
    return [x + y for x, y in zip(kept, b, strict=True)]


FUNCTIONS = [
    comprehension, generated, listed, beside_a_range, of_three, of_three_with_the_shortest_between, left_early, caught,
    of_a_list_of_a_run,
]  # fmt: skip


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda f: f.__name__)
def test_lengths_are_compared_in_each_call(fn: Callable[[Any, Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for sizes in SIZES:
        found, wanted = outcome(compiled, sizes), outcome(fn, sizes)
        assert (found.tolist() if isinstance(found, vt.Tensor) else found) == (
            wanted.tolist() if isinstance(wanted, vt.Tensor) else wanted
        )

"""Items of lists and dicts as targets: converted equals original under Python's own meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def augmented(n):
    xs = [n, [n], 3]
    xs[0] += 2
    xs[1] += [4]
    xs[-1] *= n
    table = {n: 1}
    table[n] -= 5
    return xs, table


def the_old_item_is_read_first(n):
    xs = [n, 1]

    def change():
        xs[0] = 100
        return 5

    xs[0] += change()
    return xs


def augmented_slice(n):
    xs = [1, 2, 3]
    xs[:2] += [n]
    return xs


def among_others(n):
    xs = [0, 0, 0]
    xs[0], y = n, 2
    (xs[1], z), *xs[1:] = (y, n + 1), 7, 8
    return xs, y, z


def in_the_order_of_python(n):
    xs = [0, 0, 0, 0]
    i = 0
    i, xs[i] = 2, n
    xs[i], i = 5, 1
    return xs, i


def chained(n):
    xs = [0, 0]
    xs[0] = y = xs[1] = n * 2
    return xs, y


def swapped(n):
    xs = [n, 1, 2]
    xs[0], xs[2] = xs[2], xs[0]
    return xs


def wrong_count(n):
    xs = [0, 0]
    xs[0], xs[1] = range(n)
    return xs


def in_a_branch(n):
    xs = [0, 0]
    if n > 1:
        xs[0] += n
        xs[1], m = n, 2
    else:
        m = 1
    return xs, m


def in_a_loop(n):
    xs = [0] * 6
    total = 0
    for k in range(n):
        xs[k] += k
        total, xs[k] = total + xs[k], -1
    return xs, total


CASES = [
    augmented, the_old_item_is_read_first, augmented_slice, among_others, in_the_order_of_python, chained, swapped,
    wrong_count, in_a_branch, in_a_loop,
]  # fmt: skip


@pytest.mark.parametrize("fn", CASES, ids=[f.__name__ for f in CASES])
def test_converted_equals_original(fn: Any, same: Callable[..., None]) -> None:
    same(fn)

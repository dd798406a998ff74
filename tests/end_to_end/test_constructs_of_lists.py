"""Lists that an `if` made longer, in the hands of everything that Python does with a list: compiled equals eager."""

from __future__ import annotations

import functools
from collections import deque, namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import CaptureError

CALLS = [(np.array(row, np.float32),) for row in ([1.0, 2.0], [-1.0, -2.0], [3.0, 0.5], [0.2, 0.3])]
Pair = namedtuple("Pair", "first rest")


@vt.jit.not_to_static
def count(items):
    return len(items)


@vt.jit.not_to_static
def add_all(items):
    total = 0
    for item in items:
        total = total + item.sum()
    return total


def grown(x):
    found = [x]
    if x.sum() > 0:
        found.append(x * 2)
    return found


def length_by_plain_code(x):
    return count(grown(x)), x * 2


def sum_by_plain_code(x):
    return add_all(grown(x))


def by_keyword(x):
    return add_all(items=grown(x)) * 2


def inside_another_container(x):
    table = {"found": grown(x)}
    return add_all(table["found"]) + count([table])


class Holder:
    def __init__(self):
        self.items = []

    @vt.jit.not_to_static
    def total(self):
        return len(self.items)


def reached_through_an_object(x):
    holder = Holder()
    if x.sum() > 0:
        holder.items.append(x)
    return holder.total(), x + 1


def reached_through_a_closure(x):
    found = grown(x)

    @vt.jit.not_to_static
    def total():
        return len(found)

    return total(), x + 1


def of_the_package(x):
    return vt.add_n(grown(x))


def by_reduce(x):
    return functools.reduce(lambda a, b: a * b, grown(x))


def by_map(x):
    return list(map(lambda v: v * 2, grown(x)))


def comprehension(x):
    return [v * 2 for v in grown(x)]


def comprehension_of_constants(x):
    return [1 for _ in grown(x)], {k: v + 1 for k, v in enumerate(grown(x))}, x


def stacked_comprehension(x):
    return vt.stack([v + 1 for v in grown(x)])


def generator(x):
    return sum(v.sum() for v in grown(x))


def as_tuple(x):
    return tuple(grown(x))


def star_in_a_tuple(x):
    return (*grown(x), x)


def star_in_a_call(x):
    return (lambda *items: len(items))(*grown(x)), x + 1


def unpacked(x):
    first, *rest = grown(x)
    return first + len(rest)


def unpacked_to_few(x):
    first, second = grown(x)
    return first + second


def compared(x):
    found = grown(x)
    return found == [x], x + 1


def repeated(x):
    return grown(x) * 2


def numbered(x):
    return list(enumerate(grown(x))), list(zip(grown(x), grown(x)))


def backwards(x):
    return list(reversed(grown(x))), grown(x)[::-1]


def sorted_by_shape(x):
    return sorted(grown(x), key=lambda v: v.ndim)


def in_other_containers(x):
    return list(deque(grown(x))), Pair(x, grown(x))


def removed(x):
    found = grown(x)
    found.remove(found[0])
    return len(found), x


def part_assigned(x):
    found = grown(x)
    found[:1] = [x, x]
    return found


def part_deleted(x):
    found = grown(x)
    del found[:1]
    return found, x


def element_of_another_kind(x):
    found = grown(x)
    found[0] = None
    return found, x


def empty_or_not(x):
    found = []
    if x.sum() > 0:
        found.append(x)
    return found and x * 2, (found or [x])[0], x


def two_that_grow(x):
    found = grown(x)
    if x[0] > 0.5:
        found.append(x * 3)
    return count(found), found


def twice_on_one_path(x):
    found = [x]
    if x.sum() > 0:
        if x[0] > 2:
            found.append(x * 5)
        return add_all(found)
    return add_all(found) * 2


def in_a_loop(x):
    total = x.sum() * 0
    for k in range(3):
        found = [x * k]
        if x.sum() > k:
            found.append(x)
        total = total + add_all(found)
    return total


def matched_by_length(x):
    match grown(x):
        case [only]:
            return only
        case [_, second]:
            return second * 5
        case _:
            return x * 0


def matched_inside(x):
    holder = Holder()
    holder.items = grown(x)
    table = {"found": grown(x + 1)}
    match table, holder:
        case {"found": [_, *rest]}, Holder(items=[_]):
            return x, len(rest)
        case {"found": [_]}, Holder(items=[_, second]):
            return second, 2
        case {"found": [*every]}, Holder(items=[first, *_]):
            return first + len(every), 3
    return x, 0


CASES = [
    length_by_plain_code, sum_by_plain_code, by_keyword, inside_another_container, reached_through_an_object,
    reached_through_a_closure, of_the_package, by_reduce, by_map, comprehension, comprehension_of_constants,
    stacked_comprehension, generator, as_tuple, star_in_a_tuple, star_in_a_call, unpacked, unpacked_to_few, compared,
    repeated, numbered, backwards, sorted_by_shape, in_other_containers, removed, part_assigned, part_deleted,
    element_of_another_kind, empty_or_not, two_that_grow, twice_on_one_path, in_a_loop,
    matched_by_length, matched_inside,
]  # fmt: skip


@pytest.mark.parametrize("fn", CASES, ids=[f.__name__ for f in CASES])
def test_compiled_equals_eager(fn: Any, agree: Callable[..., None]) -> None:
    agree(lambda: fn, CALLS, True, True, 1)


# ---- lists that a loop makes longer: changed in place, one element among others


def changed_by_operators(x, n):
    found = []
    for k in range(n + 1):
        found.append(x * k)
    found[0] += x
    found[-1] *= found[0]
    return vt.stack(found)


def one_target_among_others(x, n):
    found = []
    for k in range(n + 2):
        found.append(x * k)
    found[0], y = x * 5, x.sum()
    found[1], found[0] = found[0], found[1]
    return vt.stack(found), y


def swapped_inside_a_loop(x, n):
    found = [x, x * 2, x * 3]
    for k in range(n):
        found[0], found[k] = found[k], found[0] + k
    return vt.stack(found)


LONGER = [changed_by_operators, one_target_among_others, swapped_inside_a_loop]


@pytest.mark.parametrize("fn", LONGER, ids=[f.__name__ for f in LONGER])
def test_of_run_time_length(fn: Any, agree: Callable[..., None]) -> None:
    agree(lambda: fn, [(row, np.array(n)) for (row,) in CALLS[:2] for n in (0, 2)], True, True, 1)


# ---- lists that a loop makes longer: their length is nobody's to know


def filled(x):
    found, k = [], x.sum() * 0
    while k < 3:
        found.append(x * k)
        k = k + 1
    return found


def loop_then_plain_code(x, n):
    return count(filled(x))


def loop_then_unpacked(x, n):
    a, b, c = filled(x)
    return a + b + c


def loop_then_star(x, n):
    return max(*filled(x))


def loop_then_tuple(x, n):
    return tuple(filled(x))


def loop_then_match(x, n):
    match {"items": filled(x)}:
        case {"items": [_, _]}:
            return x
        case _:
            return x * 2


REFUSED = [
    (loop_then_match, 'match {"items": filled(x)}:'),
    (loop_then_plain_code, "return count(filled(x))"),
    (loop_then_unpacked, "a, b, c = filled(x)"),
    (loop_then_star, "return max(*filled(x))"),
    (loop_then_tuple, "return tuple(filled(x))"),
]


@pytest.mark.parametrize(("fn", "line"), REFUSED, ids=[f.__name__ for f, _ in REFUSED])
def test_refused(fn: Any, line: str, refused: Callable[..., None]) -> None:
    refused(fn, (CALLS[0][0], np.array(1)), CaptureError, "a list whose length only a run", line)

"""Generators and comprehensions whose values tensors decide: compiled equals eager, values, gradients and errors."""

# ruff: noqa: B023
# Functions that see the last value of a variable are what some rows are about.

from __future__ import annotations

import itertools

import numpy as np
import pytest

import vitrify as vt

from .constructs_support import DOWN, UP, Table

table = Table()


def rows_of(x):
    for row in x:
        yield row * 2


def positive(x):
    for v in x:
        if v > 0:
            yield v
        else:
            yield -v / 2
            yield v * v


def halvings(v):
    while v > 0.25:
        yield v
        v = v / 2


def until_negative(x):
    for k, v in enumerate(x):
        if v < 0:
            return
        yield k, v


def both_ways(x):
    yield from positive(x)
    yield from positive(-x)


def tree(x, depth):
    if depth:
        yield from tree(x + 1, depth - 1)
        yield x * depth
        yield from tree(x - 1, depth - 1)


def finishing(x, seen):
    try:
        yield from x
    finally:
        seen.append(1)


class Bag:
    def __init__(self, x):
        self.x = x
        self.given = 0

    def __iter__(self):
        for v in self.x:
            self.given += 1
            if v > 1:
                yield v

    def scaled(self, factor=3):
        for v in self:
            yield v * factor


@table.row()
def python_flow(x):
    total = 0
    for row in rows_of(x):
        total = total + row
    return total, list(rows_of(x)), sum(rows_of(x))


@table.row()
def decisions_inside(x):
    total, count = x[0] * 0, 0
    for v in positive(x):
        total = total + v
        count = count + 1
    return total, count


@table.row()
def a_loop_of_the_program_inside(x):
    total, last = x[0] * 0, None
    for v in halvings(x.abs().sum()):
        total = total + v * v
        last = v
    return total, last


@table.row(UP, DOWN, DOWN * 0)
def loops_with_breaks(x):
    total = x[0] * 0
    for v in halvings(x.abs().sum()):
        if v < 1:
            break
        total = total + v
    else:
        total = total - 100
    for v in positive(x):
        if v > 2:
            continue
        total = total * 2 + v
    return total


@table.row()
def functions_read_the_last_value(x):
    by_index = [lambda t: t * i for i in range(3)]
    by_value = [lambda t: t * v for v in [x, x + 1, x + 2]]
    by_key = {k: (lambda t: t - k) for k in range(3)}
    generated = [f for f in ((lambda t: t + i) for i in range(3)) if f]
    bound = [lambda t, i=i: t * i for i in range(3)]
    sums = [sum(t * i for t in x) for i in range(3)]
    return [f(x) for f in [*by_index, *by_value, *by_key.values(), *generated, *bound]], sums


def first_above(x, bound):
    for v in positive(x):
        if v > bound:
            return v * 10
    return x.sum()


@table.row()
def returns_from_the_loop(x):
    return first_above(x, 2), first_above(x, 1), first_above(x, 100), first_above(x, -1)


@table.row(UP, DOWN, -UP, np.array([1, -2, 3], np.float32))
def returns_of_the_generator(x):
    total = x.sum() * 0
    for k, v in until_negative(x):
        total = total + v * (k + 1)
    return total


@table.row()
def yield_from_and_recursion(x):
    total = x[0] * 0
    for v in both_ways(x):
        total = total * 0.5 + v
    for v in tree(x, 2):
        total = total + v.sum()
    return total


@table.row()
def generators_over_generators(x):
    def doubled(values):
        for v in values:
            if v > 1:
                yield v * 2

    total = x[0] * 0
    for v in doubled(positive(x)):
        if v > 5:
            break
        total = total + v
    for a in positive(x):
        for b in halvings(a.abs()):
            total = total + b
            if b < 0.5:
                break
    return total


@table.row()
def methods_and_state(x):
    bag, total = Bag(x), x[0] * 0
    for v in bag.scaled(2):
        total = total + v
    for v in bag:
        total = total + v
    return total, bag.given


@table.row()
def finally_runs_once(x):
    seen, total = [], x[0] * 0
    for v in finishing(x, seen):
        total = total + v
        if total > 2:
            break
    return total, len(seen)


@table.row()
def lists_of_what_is_given(x):
    values = list(positive(x))
    return values, len(values), sum(positive(x)), max(positive(x)), min(positive(x)), vt.stack(list(positive(x)))


@table.row()
def iterators_over_generators(x):
    total = x[0] * 0
    for k, v in enumerate(positive(x), 1):
        total = total + k * v
    for v, w in zip(positive(x), x):
        total = total + v * w
    for n, v in zip([1, 2, 3, 4], halvings(x.abs().sum())):
        total = total + n * v
    for v in map(lambda v: v if v > 1 else v * 3, positive(x)):
        total = total + v
    for v in itertools.chain(positive(x), halvings(x.abs().sum()), [x[0]]):
        total = total + v
    for v in itertools.islice(positive(x), 2):
        total = total + v * 7
    return total


@table.row()
def functions_that_decide(x):
    kept = list(filter(lambda v: v > 0, x))
    total = x[0] * 0
    for v in itertools.takewhile(lambda v: v < 3, x):
        total = total + v
    for v in itertools.dropwhile(lambda v: v < 2, x):
        total = total * 2 + v
    for v in itertools.filterfalse(lambda v: v > 1, x):
        total = total - v
    return kept, total


@table.row()
def single_values(x):
    values = rows_of(x)
    first = next(values)
    rest = [v + 1 for v in values]
    a, b, c = rows_of(x)
    return first, rest, a * b + c, next(values, None), next(v for v in [1, 2, 3] if v > 1)


@table.row()
def filters_of_comprehensions(x):
    kept = [v * 2 for v in x if v > 0]
    pairs = [a * b for a in x if a > 0 for b in [1, 2] if a * b > 1]
    return kept, pairs, sum(v for v in x if v < 2), len([v for v in x if not v > 1])


@table.row()
def comprehensions_with_tests(x):
    chosen = [v if v > 0 else -v for v in x]
    named = {k: v * 2 if v > 1 else v for k, v in zip("abc", x)}
    nested = [[a * b for b in x] for a in x]
    return chosen, named, nested, {len(x), 3}, [k + v for k, (v, w) in enumerate(zip(x, x)) if k != 1]


@table.row()
def dicts_with_keys_of_some_paths(x):
    return {k: v for k, v in zip("ab", x) if v > 0}


@table.row()
def a_comprehension_over_a_growing_list(x):
    found = []
    for v in x:
        if v > 0:
            found.append(v)
    doubled = [v * 2 for v in found]
    return doubled, [v for v in doubled if v > 2], sum(v + 1 for v in found)


@table.row()
def a_comprehension_over_a_range_of_the_run(x):
    n = x.abs().sum().astype("int64")
    values = [k * x[0] for k in range(n)]
    return sum(values), len(values)


@table.row()
def walrus_in_comprehensions(x):
    kept = [y * 2 for v in x if (y := v + 1) > 1]
    ok = any((last := v) > 1 for v in x)
    return kept, y, ok, last


@table.row()
def star_targets(x):
    return [a + sum(b) for a, *b in [(x[0], x[1], x[2]), (x[1], x[2])]], [c for (a, b), c in [((1, 2), x)]]


@table.row()
def targets_with_one_name_twice(x):
    rows = [((1, x[0]), 2, x[1]), ((3, x[1]), 4, x[2])]
    return [v for (_, v), _, _ in rows], [_ * 2 for (_, v), _, _ in rows], list(v for (v, _), _, v in rows)  # noqa: C400


@table.row()
def generator_expressions_in_loops(x):
    total = x[0] * 0
    for v in (v * v for v in x if v > 0):
        total = total + v
        if total > 3:
            break
    return total, max((v for v in x if v > -5), default=x[0])


@table.row()
def generators_under_a_test(x):
    values = positive(x)
    total = x[0] * 0
    if x.sum() > 0:
        for v in values:
            total = total + v
    else:
        total = total - sum(positive(-x))
    return total


def raising(x):
    for v in x:
        if v < 0:
            raise ValueError("negative")
        yield v


@table.row()
def errors_of_generators(x):
    total = x[0] * 0
    try:
        for v in raising(x):
            total = total + v
    except ValueError:
        total = total - 50
    return total


@table.names()
def test_compiled_equals_eager(name):
    table.check(name)


def test_an_error_leaves_the_program():
    compiled = vt.jit.to_static(lambda x: sum(raising(x)))
    assert compiled(vt.to_tensor(UP)).item() == 6
    with pytest.raises(ValueError, match="negative"):
        compiled(vt.to_tensor(DOWN))

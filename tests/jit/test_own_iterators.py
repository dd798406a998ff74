"""Iterators that captured code makes itself (`iter`, `itertools.count`, `cycle`, `map` …) and moves by `next`, or by a
loop, where a tensor decides: the items are those of eager mode, at each size, or the call is refused.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError


def counted(x: Any) -> Any:
    numbers = itertools.count(10, 3)
    return [v + next(numbers) for v in x], next(numbers)


def floats_counted(x: Any) -> Any:
    numbers, total = itertools.count(0.5, 0.25), vt.zeros([])
    for v in x:
        total = total * 2 + v * next(numbers)
    return total, next(numbers)


def cycled(x: Any) -> Any:
    signs, out = itertools.cycle([1, -1]), []
    for v in x:
        out.append(v * next(signs))
    return out


def listed(x: Any) -> Any:
    items, out = iter([10, 20, 30, 40, 50, 60]), []
    for v in x:
        out.append(v + next(items))
    return out, next(items)


def tensors_listed(x: Any) -> Any:
    items, total = iter([x.sum(), x.max(), x.min(), x.mean(), x.sum() * 2]), vt.zeros([])
    for v in x:
        total = total * 2 + v * next(items)
    return total


def mixed_items(x: Any) -> Any:
    items, total = iter([1, x.sum(), None, "s", 3, 4]), vt.zeros([])
    for v in x:
        item = next(items)
        total = total * 2 + (v if item is None or item == "s" else v * item)
    return total


def generated(x: Any) -> Any:
    items, total = (k * 10 for k in range(100)), vt.zeros([])
    for v in x:
        total = total * 2 + v + next(items)
    return total


def _square(k: int) -> int:
    return k * k


def mapped(x: Any) -> Any:
    squares, out = map(_square, range(100)), []
    for v in x:
        out.append(v * next(squares))
    return out


def reversed_items(x: Any) -> Any:
    items, total = reversed([1, 2, 3, 4, 5]), vt.zeros([])
    for v in x:
        total = total * 2 + v * next(items)
    return total


def keys(x: Any) -> Any:
    items, total = iter({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}.items()), vt.zeros([])
    for v in x:
        name, number = next(items)
        total = total * 2 + v * number * len(name)
    return total


def chained(x: Any) -> Any:
    items = itertools.chain([1, 2], itertools.islice(itertools.count(7), 1, 9))
    return [v * next(items) for v in x]


def with_default(x: Any) -> Any:
    items, total = iter([5, 6]), vt.zeros([])
    for v in x:
        total = total * 2 + v * next(items, -1)
    return total


def passed_on(x: Any) -> Any:
    def step(v: Any, items: Any) -> Any:
        return v * next(items) + next(items)

    items, total = itertools.count(1), vt.zeros([])
    for v in x:
        total = total * 2 + step(v, items)
    return total, next(items)


class _Reader:
    def __init__(self, items: Any) -> None:
        self.items = iter(items)

    def read(self) -> Any:
        return next(self.items)


def of_an_object(x: Any) -> Any:
    reader, total = _Reader(range(1, 40)), vt.zeros([])
    for v in x:
        total = total * 2 + v * reader.read()
    return total, reader.read()


def inner_loop(x: Any) -> Any:
    items, total = iter([1, 2, 3, 4, 5, 6, 7, 8]), vt.zeros([])
    for v in x:
        for item in items:
            total = total * 2 + v * item
            break
    return total


def pairs(x: Any) -> Any:
    items = iter([1, 2, 3, 4, 5, 6])
    return [x * a + b for a, b in zip(items, items, strict=True)], next(items, None)


def beside_rows(x: Any) -> Any:
    numbers, total = itertools.count(3), vt.zeros([])
    for v, k in zip(x, numbers, strict=False):
        total = total * 2 + v * k
    return total


def rows_of_a_tensor(x: Any) -> Any:
    rows = iter(x)
    total = next(rows)
    for v in rows:
        total = total * 2 + v
    return total


def of_a_growing_list(x: Any) -> Any:
    found = []
    for v in x:
        if v > 1:
            found.append(v * 3)
    items = iter(found)
    total = next(items)
    for v in items:
        total = total * 2 + v
    return total


def exhausted_and_caught(x: Any) -> Any:
    items, total = iter([1, 2, 3, 4]), vt.zeros([])
    try:
        for v in x:
            total = total * 2 + v * next(items)
        total = total + next(items)
        total = total + next(items)
    except StopIteration:
        total = total * 10
    return total


def rows_side_by_side(x: Any) -> Any:
    rows, total = iter(x * 3), vt.zeros([])
    for v in x:
        total = total * 2 + v * next(rows)
    return total


def on_one_path(x: Any) -> Any:
    items = itertools.count(1)
    for v in x:
        if v > 1:
            x = x + next(items)
    return x, next(items)


def on_both_paths(x: Any) -> Any:
    items = iter([1, 2, 3, 4])
    a = x + next(items) if x.sum() > 4 else x - next(items)
    return a, next(items)


def until_a_run_says_so(x: Any) -> Any:
    items = itertools.count(1)
    while x.sum() < 100:
        x = x + next(items)
    return x, next(items)


def in_a_long_loop(x: Any) -> Any:
    items = iter(list(range(400)))
    for _ in range(300):
        x = x * 0.9 + next(items)
    return x, next(items)


def in_a_long_loop_of_generated(x: Any) -> Any:
    items = (k % 7 for k in range(400))
    for _ in range(300):
        x = x * 0.9 + next(items)
    return x, next(items)


CASES: list[Callable[[Any], Any]] = [
    counted, floats_counted, cycled, listed, tensors_listed, mixed_items, generated, mapped, reversed_items, keys,
    chained, with_default, passed_on, of_an_object, inner_loop, pairs, beside_rows, rows_of_a_tensor,
    of_a_growing_list, exhausted_and_caught, rows_side_by_side, on_one_path, on_both_paths, until_a_run_says_so, in_a_long_loop, in_a_long_loop_of_generated,
]  # fmt: skip


def values(found: Any) -> Any:
    """All numbers of what a call gave; -1 for None."""
    if isinstance(found, (list, tuple)):
        return [number for v in found for number in values(v)]
    return [-1] if found is None else vt.to_tensor(found).astype("float64").flatten().tolist()


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_items_are_those_of_eager_mode_at_each_size(fn: Callable[[Any], Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for size in (3, 3, 4, 2, 5):
        x = vt.arange(1, size + 1).astype("float32")
        assert values(compiled(x)) == pytest.approx(values(fn(x)), rel=1e-5), size


def test_numbers_of_a_count_are_those_of_one_program() -> None:
    compiled = vt.jit.to_static(passed_on)
    for size in (3, 4, 5, 6):
        compiled(vt.ones([size]))
    assert "2 programs" in str(compiled.explain()).splitlines()[0]  # one size, then any


def test_an_exhausted_iterator_raises_in_the_run() -> None:
    def fn(x: Any) -> Any:
        items, total = iter([1, 2, 3]), vt.zeros([])
        for v in x:
            total = total + v * next(items)
        return total

    compiled = vt.jit.to_static(fn)
    assert compiled(vt.ones([2])).item() == 3
    assert compiled(vt.ones([3])).item() == 6
    with pytest.raises((StopIteration, RuntimeError)):
        compiled(vt.ones([4]))


@pytest.mark.parametrize("make", [lambda: map(abs, [1, 2, 3]), lambda: (k for k in [1, 2, 3]), lambda: enumerate([2])])
def test_what_cannot_go_back_is_refused_under_a_condition(make: Callable[[], Any]) -> None:
    @vt.jit.to_static
    def fn(x: Any) -> Any:
        items = make()
        if x.sum() > 0:
            x = x + vt.to_tensor(next(items)).sum()
        return x, next(items, None)

    with pytest.raises(CaptureError, match="under a condition on a tensor"):
        fn(vt.ones([2]))


def test_an_iterator_that_a_loop_may_have_left_is_refused() -> None:
    @vt.jit.to_static
    def fn(x: Any) -> Any:
        items = iter([1, 2, 3, 4])
        for item in items:
            x = x + item
            if x.sum() > 4:
                break
        return x, next(items)

    with pytest.raises(CaptureError, match="a loop of the program"):
        fn(vt.ones([2]))


def first_of_enumerate(x: Any) -> Any:
    number, v = next(enumerate(x))
    return v * 2 + number


def rest_of_enumerate(x: Any) -> Any:
    pairs = enumerate(x, 3)
    total, v = next(pairs)
    for k, w in pairs:
        if w > 1:
            total = total + w * k
    return total + v


@pytest.mark.parametrize("fn", [first_of_enumerate, rest_of_enumerate])
@pytest.mark.parametrize("sizes", ["known", "of the run"])
def test_next_of_what_goes_through_tensors(fn: Any, sizes: str) -> None:
    spec = [vt.InputSpec([None], "float32")] if sizes == "of the run" else None
    compiled = vt.to_static(fn, input_spec=spec)
    for n in (2, 5):
        x = vt.to_tensor(np.arange(1, n + 1, dtype="float32"))
        assert compiled(x).tolist() == fn(x).tolist()


def test_what_a_loop_has_gone_through_is_not_gone_through_again() -> None:
    def twice(x: Any) -> Any:
        pairs, total = enumerate(x), x[0] * 0
        for _, v in pairs:
            if v > 1:
                break
            total = total + v
        for _, v in pairs:
            total = total + v * 10
        return total

    x = vt.to_tensor([1.0, 2.0, 3.0])
    with pytest.raises(CaptureError, match="goes through an iterator"):
        vt.to_static(twice)(x)

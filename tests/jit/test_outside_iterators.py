"""Iterators from outside. Those of lists, tuples, ranges and strings go on at each call, as in eager mode; of others a
captured function would take items once, for ever, so it may not take any.
"""

from __future__ import annotations

import collections
import csv
import functools
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError


def _halves() -> Iterator[float]:
    rate = 1.0
    while True:
        rate *= 0.5
        yield rate


def _two() -> Iterator[float]:
    yield 2.0
    yield 3.0


class Trainer:
    """Holds a generator in an attribute."""

    def __init__(self) -> None:
        self.data = _halves()
        self.parts: tuple[Any, ...] = (1, {"data": self.data})
        self.following = self.data.__next__

    def step(self, x: Any) -> Any:
        return x * next(self.data)

    def in_a_dict(self, x: Any) -> Any:
        return x * next(self.parts[1]["data"])

    def by_a_method(self, x: Any) -> Any:
        return x * self.following()


class Wrapped:
    """A user's iterator over a generator."""

    def __init__(self, items: Iterator[float]) -> None:
        self.items = items

    def __iter__(self) -> Wrapped:
        return self

    def __next__(self) -> float:
        return next(self.items)


class Given:
    """An iterable that gives the same iterator each time."""

    def __init__(self, items: Iterator[float]) -> None:
        self.items = items

    def __iter__(self) -> Iterator[float]:
        return self.items


def _delegating(items: Iterator[float]) -> Iterator[float]:
    yield from items


TAKING: dict[str, Callable[[Any, Any], Any]] = {
    "next": lambda x, g: x * next(g),
    "next with a default": lambda x, g: x * next(g, 1.0),
    "__next__": lambda x, g: x * g.__next__(),
    "send": lambda x, g: x * g.send(None),
    "a loop": lambda x, g: sum([x * v for v in g]),
    "sum": lambda x, g: x * sum(g),
    "a generator expression": lambda x, g: sum(x * v for v in g),
    "list": lambda x, g: x * len(list(g)),
    "max": lambda x, g: x * max(g),
    "zip": lambda x, g: x * next(iter(zip(g, [1.0, 2.0], strict=False)))[0],
    "map": lambda x, g: x * next(iter(map(float, g))),
    "enumerate": lambda x, g: x * next(iter(enumerate(g)))[1],
    "islice": lambda x, g: x * next(itertools.islice(g, 1)),
    "chain": lambda x, g: x * next(itertools.chain(g)),
    "prod": lambda x, g: x * math.prod(g),
    "reduce": lambda x, g: x * functools.reduce(lambda a, b: a + b, g),
    "in": lambda x, g: x * 2 if 2.0 in g else x,
    "extend": lambda x, g: ([].extend(g), x)[1],
    "a deque": lambda x, g: x * collections.deque(g)[0],
    "yield from": lambda x, g: sum(x * v for v in _delegating(g)),
    "a user's iterator": lambda x, g: x * next(iter(Wrapped(g))),
    "unpacking": lambda x, g: _unpacked(x, g),
    "a user's iterable": lambda x, g: sum(x * v for v in Given(g)),
    "a part of code that seldom runs": lambda x, g: x * next(g) if x.sum() > 0 else x,
    "a partial": lambda x, g: x * functools.partial(next, g)(),
}
UNPACKING: dict[str, Callable[[Any, Any], Any]] = {
    "a star": lambda x, g: x * len([*g]),
    "starred arguments": lambda x, g: x * max(*g),
    "a library's function": lambda x, g: vt.to_tensor([*g]) * x,
}


def _unpacked(x: Any, items: Any) -> Any:
    a, b = items
    return x * a * b


@pytest.mark.parametrize("name", TAKING)
@pytest.mark.parametrize("kind", ["generator", "zip", "map", "reversed"])
def test_an_iterator_from_outside_is_refused_before_it_moves(name: str, kind: str) -> None:
    fn = TAKING[name]
    if name == "send" and kind != "generator":
        return
    items: Any = _two() if kind == "generator" else reversed([3.0, 2.0])
    items = map(float, items) if kind == "map" else items
    items = (v for v, _ in zip([2.0, 3.0], "ab", strict=True)) if kind == "zip" else items
    compiled = vt.jit.to_static(lambda x: fn(x, items))
    for _ in range(2):
        with pytest.raises(CaptureError, match="would move it on once, while the function is captured") as e:
            compiled(vt.ones([1]))
        assert "test_outside_iterators.py" in str(e.value)
    assert list(items) == [2.0, 3.0]


@pytest.mark.parametrize("name", UNPACKING)
@pytest.mark.parametrize("make", [_two, lambda: iter([2.0, 3.0]), lambda: map(float, iter([2.0, 3.0]))])
def test_an_iterator_that_has_moved_is_an_error(name: str, make: Callable[[], Any]) -> None:
    fn, items = UNPACKING[name], make()
    with pytest.raises(CaptureError, match=r"taking items of a .* from outside would move it on once"):
        vt.jit.to_static(lambda x: fn(x, items))(vt.ones([1]))


@pytest.mark.parametrize("name", TAKING)
def test_an_iterator_among_the_arguments_is_refused(name: str) -> None:
    items = _two()
    with pytest.raises(CaptureError, match="from outside would move it on once"):
        vt.jit.to_static(TAKING[name])(vt.ones([1]), items)
    assert list(items) == [2.0, 3.0]


@pytest.mark.parametrize("method", ["step", "in_a_dict", "by_a_method"])
def test_a_generator_in_an_attribute_is_refused(method: str) -> None:
    trainer = Trainer()
    with pytest.raises(CaptureError, match="of a generator from outside would move it on once"):
        vt.jit.to_static(getattr(trainer, method))(vt.ones([1]))
    assert next(trainer.data) == 0.5


def test_rows_of_a_file_and_batches_of_a_loader_are_refused() -> None:
    rows = csv.reader(["1,2", "3,4"])
    with pytest.raises(CaptureError, match="from outside would move it on once"):
        vt.jit.to_static(lambda x: x * float(next(rows)[0]))(vt.ones([1]))
    assert next(rows) == ["1", "2"]
    batches = iter(vt.io.DataLoader(vt.io.TensorDataset([vt.arange(4.0)]), batch_size=2))
    with pytest.raises(CaptureError, match="from outside would move it on once"):
        vt.jit.to_static(lambda x: x * next(batches)[0])(vt.ones([1]))
    assert next(batches)[0].tolist() == [0.0, 1.0]


def test_an_iterator_may_be_held_and_looked_at() -> None:
    trainer = Trainer()

    class Step:
        def __init__(self) -> None:
            self.data = trainer.data

        def __call__(self, x: Any) -> Any:
            kept = [self.data]
            return x * (2.0 if isinstance(self.data, Iterator) and kept[0] is trainer.data else 3.0)

    compiled = vt.jit.to_static(Step())
    assert [compiled(vt.ones([1])).item() for _ in range(2)] == [2.0, 2.0]
    assert next(trainer.data) == 0.5


def test_iterators_of_the_function_itself_may_move_on() -> None:
    def fn(x: Any) -> Any:
        items = _two()
        first, (second, third) = next(items), iter([3.0, 4.0])
        for v in items:
            x = x * v
        pairs = zip([first, second], (third, 1.0), strict=True)
        return sum(x * a * b for a, b in pairs) + x * next(itertools.count(5))

    assert vt.jit.to_static(fn)(vt.ones([1])).item() == fn(vt.ones([1])).item()


LISTED = [name for name in TAKING if name not in ("send", "unpacking")]


@pytest.mark.parametrize("name", LISTED)
def test_an_iterator_of_a_list_goes_on_at_each_call(name: str) -> None:
    fn, made = TAKING[name], [iter([2.0, 3.0, 4.0, 5.0]) for _ in range(2)]
    compiled = vt.jit.to_static(fn)
    for _ in range(2):
        found: list[Any] = []
        for call, items in zip((fn, compiled), made, strict=True):
            try:
                found.append(float(call(vt.ones([1]), items)))
            except (StopIteration, ValueError, IndexError, TypeError) as error:
                found.append(type(error))
        assert found[0] == found[1]
    assert [*made[0]] == [*made[1]]


def _until_large(x: Any, items: Any) -> Any:
    for v in items:
        x = x + v
        if x.sum() > 5:
            break
    else:
        x = x * 100
    return x


def _returned(x: Any, items: Any) -> Any:
    for v in items:
        if v == 2:
            continue
        x = x + v
        if x.sum() > 5:
            return x * 10
    return x - 1


class Counting:
    """An iterator of the user's."""

    def __init__(self, items: Any) -> None:
        self.items, self.at = items, 0

    def __iter__(self) -> Counting:
        return self

    def __next__(self) -> Any:
        if self.at >= len(self.items):
            raise StopIteration
        item = self.items[self.at]
        self.at += 1
        return item


@pytest.mark.parametrize("make", [iter, Counting])
@pytest.mark.parametrize("fn", [_until_large, _returned])
def test_a_loop_that_a_tensor_ends_leaves_the_other_items(fn: Any, make: Any) -> None:
    compiled = vt.jit.to_static(fn)
    for numbers in ([1, 2, 3], [4, 5, 6], (9,)):
        items, others = make(numbers), make(numbers)
        assert fn(vt.ones([1]), items).item() == compiled(vt.ones([1]), others).item()
        assert (items.at == others.at) if make is Counting else [*items] == [*others]


def test_a_loop_over_many_items_that_a_tensor_ends_is_refused() -> None:
    with pytest.raises(CaptureError, match="goes on for more than 32 items of an iterator that isn't the function's"):
        vt.jit.to_static(_until_large)(vt.ones([1]), iter([0.0] * 50))


class Fed(vt.nn.Layer):
    """Takes an item of an iterator at each call."""

    def __init__(self, items: Any) -> None:
        super().__init__()
        self.items = iter(items)

    def forward(self, x: Any) -> Any:
        return x * next(self.items) if x.sum() > 0 else x


@pytest.mark.parametrize("items", [[2.0, 3.0, 4.0, 5.0], (vt.ones([1]), vt.zeros([1]), vt.ones([1])), range(2, 9)])
def test_an_attribute_moves_on_the_path_that_takes_an_item(items: Any) -> None:
    layer, compiled = Fed(items), vt.jit.to_static(Fed(items))
    for sign in (1.0, -1.0, 1.0, -1.0):
        x = vt.full([1], sign)
        assert layer(x).item() == compiled(x).item()
    assert len([*layer.items]) == len([*compiled.items])


def test_an_iterator_is_unpacked() -> None:
    items = iter((2.0, 3.0))
    assert vt.jit.to_static(lambda x: _unpacked(x, items))(vt.ones([1])).item() == 6.0
    assert next(items, None) is None


def test_an_iterator_that_has_ended_stays_so() -> None:
    def fn(x: Any, items: Any) -> Any:
        return sum([x * v for v in items], x)

    numbers = [1.0, 2.0]
    items, others = iter(numbers), iter(numbers)
    compiled = vt.jit.to_static(fn)
    for _ in range(2):
        assert fn(vt.ones([1]), items).item() == compiled(vt.ones([1]), others).item()
        numbers.append(3.0)
    assert [*items] == [*others] == []


def test_a_list_that_is_written_between_calls_is_read_again() -> None:
    numbers = [1.0, 2.0, 3.0]
    items = iter(numbers)
    compiled = vt.jit.to_static(lambda x: x * next(items))
    assert compiled(vt.ones([1])).item() == 1.0
    numbers[1] = 7.0
    assert [compiled(vt.ones([1])).item() for _ in range(2)] == [7.0, 3.0]

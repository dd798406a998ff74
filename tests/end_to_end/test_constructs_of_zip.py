"""`zip` over generators asks each as often, and in the order, that Python does: their side effects tell."""

# zip() of sequences of different lengths is what this is about.

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt


class Pulls:
    """Generators that count, and note, what they are asked for."""

    def __init__(self) -> None:
        self.asked: dict[str, int] = {}

    def some(self, name: str, x: Any, count: int) -> Any:
        for k in range(count):
            self.asked[name] = self.asked.get(name, 0) + 1
            yield x * (k + self.asked[name])

    def endless(self, name: str) -> Any:
        k = 0
        while True:
            self.asked[name] = self.asked.get(name, 0) + 1
            yield k
            k += 1

    def of_a_tensor(self, name: str, x: Any) -> Any:
        for v in x:
            self.asked[name] = self.asked.get(name, 0) + 1
            if v > 0:
                yield v
            else:
                yield -v * 2


ROWS = {
    "generator first": lambda p, x: [a for a, _ in zip(p.some("a", x, 3), range(2))],
    "generator last": lambda p, x: [a for _, a in zip(range(2), p.some("a", x, 3))],
    "generator between": lambda p, x: [a for _, a, _ in zip([1, 2], p.some("a", x, 3), (1, 2, 3))],
    "two": lambda p, x: [a + b for a, b in zip(p.some("a", x, 2), p.some("b", x, 4))],
    "two, the second shorter": lambda p, x: [a + b for a, b in zip(p.some("a", x, 4), p.some("b", x, 2))],
    "endless": lambda p, x: sum(a * b for a, b in zip(p.some("a", x, 2), p.endless("b"))),
    "endless first": lambda p, x: sum(a * b for a, b in zip(p.endless("a"), p.some("b", x, 2))),
    "rows": lambda p, x: sum(a * b for a, b in zip(x, p.endless("b"))),
    "rows last": lambda p, x: sum(a * b for a, b in zip(p.endless("b"), x)),
    "islice": lambda p, x: list(itertools.islice(zip(p.endless("a"), p.some("b", x, 9)), 2)),
    "enumerate": lambda p, x: [k * b for k, (_, b) in enumerate(zip(p.endless("a"), p.some("b", x, 3)))],
    "empty": lambda p, x: list(zip([], p.some("a", x, 3))),
    "a tensor decides": lambda p, x: [a * b for a, b in zip(p.of_a_tensor("a", x), range(2))],
    "a tensor decides the last": lambda p, x: [a * b for a, b in zip(range(2), p.of_a_tensor("a", x))],
    "a tensor decides beside": lambda p, x: [a * b for a, b in zip(p.of_a_tensor("a", x), (v for v in (1, 2, 3)))],
}


def left_by_a_tensor(p: Pulls, x: Any) -> Any:
    total = x * 0
    for a, b in zip(p.some("a", x, 3), [1, 2, 3]):
        total = total + a * b
        if total.sum() > 20:
            break
    return total


@pytest.mark.parametrize("row", [*ROWS.values(), left_by_a_tensor], ids=[*ROWS, "left by a tensor"])
def test_zip_asks_as_python_does(row: Any) -> None:
    eager, captured = Pulls(), Pulls()
    compiled = vt.to_static(lambda x: row(captured, x))
    for data in ([1.0, 2.0, 3.0], [-1.0, 2.0, -3.0], [1.0, 2.0, 3.0], [0.5, 0.25, 4.0, 9.0]):
        x = vt.to_tensor(np.array(data, np.float32))
        expected, found = row(eager, x), compiled(x)
        assert str(found) == str(expected)
        assert captured.asked == eager.asked


def test_two_generators_that_tensors_decide_and_that_change_objects_are_refused() -> None:
    p = Pulls()
    compiled = vt.to_static(lambda x: [a * b for a, b in zip(p.of_a_tensor("a", x), p.of_a_tensor("b", x[:2]))])
    with pytest.raises(vt.errors.CaptureError, match="one of them changes objects"):
        compiled(vt.to_tensor([1.0, 2.0, 3.0]))
    assert p.asked == {}


def test_an_endless_generator_that_a_tensor_decides_is_refused() -> None:
    def endless(x):
        while True:
            if x.sum() > 0:
                yield 1

    def some(x):
        for v in x:
            if v > 0:
                yield v

    compiled = vt.to_static(lambda x: [a * b for a, b in zip(some(x), endless(x))])
    with pytest.raises(vt.errors.CaptureError):
        compiled(vt.to_tensor([1.0, 2.0, 3.0]))


def _doubling(x: Any) -> Iterator[Any]:
    while True:
        x = x * 2
        yield x


def _until_large(x: Any, steps: int) -> Any:
    for k, y in zip(range(steps), _doubling(x)):
        if y.sum() > 100:
            return "large", k
    return "small", steps


def test_beside_a_range_of_other_lengths() -> None:
    """A generator without an end, a tensor that decides, and a number that changes between calls."""
    compiled = vt.to_static(_until_large)
    for steps in (4, 4, 3, 6, 0, 9):
        assert compiled(vt.ones([3]), steps) == _until_large(vt.ones([3]), steps)

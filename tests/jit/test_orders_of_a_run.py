"""`sorted`, `min` and `max` by keys that a run compares, tuples among them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


@dataclasses.dataclass
class Item:
    v: Any
    n: int


def pairs(x: Any) -> list[tuple[Any, int]]:
    return [(float(x[i]), i) for i in range(4)]


def numbers_first(x: Any) -> Any:
    return sorted(pairs(x))


def backwards(x: Any) -> Any:
    return sorted(pairs(x), reverse=True)


def by_two(x: Any) -> Any:
    return sorted(pairs(x), key=lambda p: (-p[0], p[1]))


def by_a_text_too(x: Any) -> Any:
    return sorted(range(4), key=lambda i: (float(x[i]), "dbca"[i]))


def nested(x: Any) -> Any:
    return sorted(pairs(x), key=lambda p: (p[1] % 2, (p[0], -p[1])))


def zipped(x: Any) -> Any:
    return [b for _, b in sorted(zip([float(x[i]) for i in range(4)], [7, 8, 9, 6], strict=True))]


def least_and_greatest(x: Any) -> Any:
    return min(pairs(x)), max(pairs(x)), max(pairs(x), key=lambda p: (p[0], -p[1])), min((float(x[0]), 1), (2.0, 0))


def of_objects(x: Any) -> Any:
    items = [Item(float(x[i]), i) for i in range(4)]
    return [p.n for p in sorted(items, key=lambda p: (p.v, -p.n))], min(items, key=lambda p: (p.v, p.n)).n


@pytest.mark.parametrize(
    "fn", [numbers_first, backwards, by_two, by_a_text_too, nested, zipped, least_and_greatest, of_objects]
)
def test_keys_are_compared_as_python_compares_them(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for values in ([3.0, 1.0, 2.0, 4.0], [2.0, 1.0, 2.0, 1.0], [1.0, 1.0, 1.0, 1.0], [0.0, -1.0, float("inf"), -1.0]):
        assert compiled(vt.to_tensor(values)) == fn(vt.to_tensor(values))


@pytest.mark.parametrize("fn", [numbers_first, by_two, by_a_text_too])
def test_nan_among_the_keys_ends_the_run(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    with pytest.raises(vt.errors.CaptureError, match="compares a tensor's value that is NaN"):
        compiled(vt.to_tensor([1.0, float("nan"), 0.0, 2.0]))
    assert compiled(vt.to_tensor([1.0, 3.0, 0.0, 2.0])) == fn(vt.to_tensor([1.0, 3.0, 0.0, 2.0]))


def test_keys_of_two_structures_are_refused() -> None:
    @vt.to_static
    def fn(x: Any) -> Any:
        return sorted([0, 1], key=lambda i: (float(x[i]),) if i else float(x[i]))

    with pytest.raises(vt.errors.CaptureError, match="by keys of different types"):
        fn(vt.ones([2]))


def test_nan_is_never_the_least_or_greatest_but_in_front() -> None:
    compiled, nan = vt.to_static(least_and_greatest), float("nan")
    for values in ([1.0, nan, 0.0, 2.0], [nan, 1.0, 0.0, 2.0], [nan, nan, nan, nan]):
        assert str(compiled(vt.to_tensor(values))) == str(least_and_greatest(vt.to_tensor(values)))

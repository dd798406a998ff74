"""Comparisons by methods of users' classes, which tensors answer: `==`, `!=`, `<`, `in`, and methods of lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


class Near:
    def __init__(self, q: Any) -> None:
        self.q = q
        self.asked = 0

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Near):
            return NotImplemented
        print("eq")
        self.asked += 1
        return bool((self.q - other.q).abs().max() < 1e-5)

    __hash__ = object.__hash__


class Exact(Near):
    def __eq__(self, other: object) -> Any:
        return (self.q == other.q).all() if isinstance(other, Near) else NotImplemented

    __hash__ = object.__hash__


class Unequal(Near):
    def __ne__(self, other: object) -> Any:
        print("ne")
        return (self.q != other.q).any() if isinstance(other, Near) else NotImplemented


class Plain:
    def __init__(self, k: int) -> None:
        self.k = k

    def __eq__(self, other: object) -> bool:
        print("plain", self.k)
        return isinstance(other, Plain) and self.k == other.k

    __hash__ = object.__hash__


class Ordered:
    def __init__(self, k: Any) -> None:
        self.k = k

    def __lt__(self, other: Any) -> Any:
        print("lt")
        return self.k.sum() < (other.k.sum() if isinstance(other, Ordered) else other)


def _unequal(x: Any, c: Any) -> Any:
    return x.sum() if c(x) != c(x + 1) else x


def _in_list(x: Any, c: Any) -> Any:
    return x.sum() if c(x) in [c(x + 1), c(x * 1), c(x + 2)] else x


def _not_in_tuple(x: Any, c: Any) -> Any:
    return x.sum() if c(x) not in (c(x + 1), c(x + 2)) else x


def _searched(x: Any, c: Any) -> Any:
    items = [c(x + 1), c(x), c(x)]
    found = items.index(c(x)) * 10 + items.count(c(x))
    items.remove(c(x))
    return found * x + len(items)


def _lists(x: Any, c: Any) -> Any:
    first = x.sum() if [c(x), 1] == [c(x * 1), 1] else x
    return first + (1 if [c(x), c(x), c(x)] != [c(x), c(x + 1), c(x)] else 2)


def _others(x: Any, c: Any) -> Any:
    return (x if c(x) != 3 else x * 2) + (x if 3 != c(x) else x * 2) + (1 if c(x) == None else 2)  # noqa: E711, SIM300


def _mixed(x: Any, c: Any) -> Any:
    first = x if c(x) != Unequal(x) else x * 2
    return first + (x if Unequal(x) != c(x) else x * 3)


def _counted(x: Any, c: Any) -> Any:
    one, other = c(x), c(x * 1)
    known = [c(x + 1), one, other]
    if x.sum() > 3:
        return x + (1 if c(x) in known else 2) + known[1].asked + 10 * other.asked
    return x + known[1].asked


CASES = (_unequal, _in_list, _not_in_tuple, _searched, _lists, _others, _mixed, _counted)


@pytest.mark.parametrize("fn", CASES)
@pytest.mark.parametrize("kind", [Near, Exact, Unequal])
def test_comparisons_ask_the_same_methods(
    fn: Callable[..., Any], kind: type, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for call in (fn, vt.jit.to_static(fn)):
        for k in (1.0, 2.0):
            found.append((call(vt.full([2], k), kind).tolist(), capsys.readouterr().out))
    assert found[:2] == found[2:]


def test_orders_and_plain_classes(capsys: pytest.CaptureFixture[str]) -> None:
    def ordered(x: Any) -> Any:
        made = x
        if Ordered(x) < Ordered(x + 1):
            made = made + 1
        if Ordered(x) > Ordered(x + 1):
            made = made + 2
        if Ordered(x) < 3:
            made = made + 4
        if 3 > Ordered(x):  # noqa: SIM300
            made = made + 8
        if Plain(1) in [Plain(2), Plain(1), Plain(3)] and Plain(1) != Plain(2):
            made = made + 16
        return made

    found = []
    for call in (ordered, vt.jit.to_static(ordered)):
        for k in (1.0, 2.0):
            found.append((call(vt.full([2], k)).tolist(), capsys.readouterr().out))
    assert found[:2] == found[2:]


def test_what_cannot_be_compared_says_so() -> None:
    compiled = vt.jit.to_static(lambda x: 3 < Ordered(x))  # noqa: SIM300
    with pytest.raises(TypeError, match="not supported between instances of 'int' and 'Ordered'"):
        compiled(vt.ones([2]))

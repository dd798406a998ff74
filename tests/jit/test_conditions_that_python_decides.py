"""`if t < 1 or n > 5`: where Python's side decides, whatever the tensor is, one branch is left, in either order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def tensor_first(x: Any) -> Any:
    def f(v: Any, n: int) -> Any:
        return v * n if (v.abs().sum() < 1 or n > 5) else v + f(v * 0.5, n + 1)

    return f(x, 1)


def python_first(x: Any) -> Any:
    def f(v: Any, n: int) -> Any:
        return v * n if (n > 5 or v.abs().sum() < 1) else v + f(v * 0.5, n + 1)

    return f(x, 1)


def statement(x: Any) -> Any:
    def f(v: Any, n: int) -> Any:
        if v.abs().sum() < 1 or n > 5:
            return v * n
        return v + f(v * 0.5, n + 1)

    return f(x, 1)


def with_and(x: Any) -> Any:
    def f(v: Any, n: int) -> Any:
        if v.abs().sum() >= 1 and n <= 5:
            return v + f(v * 0.5, n + 1)
        return v * n

    return f(x, 1)


def with_not(x: Any) -> Any:
    def f(v: Any, n: int) -> Any:
        if not (v.abs().sum() < 1 or n > 5):
            return v + f(v * 0.5, n + 1)
        return v * n

    return f(x, 1)


def three(x: Any) -> Any:
    def f(v: Any, n: int) -> Any:
        if v.abs().sum() < 1 or v.max() > 1e6 or n > 5:
            return v * n
        return v + f(v * 0.5, n + 1)

    return f(x, 1)


def in_a_while(x: Any) -> Any:
    n = 0
    while x.sum() > 1 and n < 4:
        x, n = x * 0.5, n + 1
    return x, n


FORMS = [tensor_first, python_first, statement, with_and, with_not, three, in_a_while]


@pytest.mark.parametrize("fn", FORMS, ids=lambda f: f.__name__)
def test_recursion_ends_at_pythons_depth(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for scale in (9.0, 0.1, 100.0, 1.0):
        wanted, found = fn(vt.ones([2]) * scale), compiled(vt.ones([2]) * scale)
        if isinstance(wanted, tuple):
            assert found[1] == wanted[1]
            wanted, found = wanted[0], found[0]
        assert vt.allclose(found, wanted)


def test_only_the_branch_that_is_left_is_traced() -> None:
    @vt.jit.to_static
    def compiled(x: Any, n: int) -> Any:
        if x.sum() > 0 and n > 100:
            raise ValueError("never traced")
        return x * 2 if x.sum() < 0 or n < 100 else x * 3

    assert compiled(vt.ones([2]), 5).tolist() == [2.0, 2.0]
    assert " if " not in str(compiled.program)


def bools(x: Any, y: Any) -> Any:
    return bool(x > 0) and bool(x < y), bool(x > 0) or bool(x != y), bool(x > 5) and False, bool(x > 5) or True


def identity_of_a_bool(x: Any, y: Any) -> Any:
    return (bool(x > 0) and bool(x < y)) is True, isinstance(bool(x < y) or bool(x > 9), bool)


class Point:
    """With the usual comparison."""

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def __eq__(self, other: object) -> Any:
        return isinstance(other, Point) and bool(self.x == other.x) and bool(self.y == other.y)

    __hash__ = None  # type: ignore[assignment]


def own_comparison(x: Any, y: Any) -> Any:
    return Point(x, y) == Point(y, y), Point(x, y) != Point(x, y), Point(x, y) == 3


@pytest.mark.parametrize("fn", [bools, identity_of_a_bool, own_comparison], ids=lambda f: f.__name__)
def test_bools_that_are_joined_are_bools(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for a, b in ((1.0, 2.0), (7.0, 2.0), (-1.0, -1.0), (9.5, 9.5)):
        x, y = vt.to_tensor(a), vt.to_tensor(b)
        wanted, found = fn(x, y), compiled(x, y)
        assert found == wanted
        assert list(map(type, found)) == [bool] * len(wanted)

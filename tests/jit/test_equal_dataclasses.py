"""`==`, `!=` and `in` of dataclasses whose fields are tensors: as tuples of the fields."""

from dataclasses import dataclass, field
from typing import Any

import pytest

import vitrify as vt


@dataclass
class Point:
    x: Any
    n: int = 0
    note: str = field(compare=False, default="")


@dataclass(frozen=True)
class Fixed:
    x: Any


class Derived(Point):
    pass


def _equal(x: Any, y: Any) -> Any:
    return Point(x, 1) == Point(y, 1, "other"), Point(x) != Point(y), Point(x, 1) == Point(x, 2), Point(x) == 3


def _frozen(x: Any, y: Any) -> Any:
    return 1 if Fixed(x) == Fixed(y) else 2


def _in_a_list(x: Any, y: Any) -> Any:
    return Point(x) in [Point(y), Point(y + 1)], Point(x) not in (Point(x),)


def _of_another_class(x: Any, y: Any) -> Any:
    return Point(x) == Derived(x), Derived(x) == Derived(y)


@pytest.mark.parametrize("fn", [_equal, _frozen, _in_a_list, _of_another_class], ids=lambda fn: fn.__name__[1:])
def test_they_are_equal_where_their_fields_are(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for x, y in ((1.0, 2.0), (2.0, 2.0), (3.0, 2.0), (float("nan"), 2.0)):
        given = vt.to_tensor(x), vt.to_tensor(y)
        expected, got = fn(*given), compiled(*given)
        pairs = zip(expected, got, strict=True) if isinstance(expected, tuple) else [(expected, got)]
        assert all(bool(a == b) for a, b in pairs)

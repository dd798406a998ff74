"""Tuples and lists of users' classes, whose constructors compute: only the code calls these."""

from collections import namedtuple
from typing import Any

import pytest

import vitrify as vt


class Angle(namedtuple("Angle", "rad unit")):
    def __new__(cls, deg: Any, unit: str = "rad") -> Any:
        return super().__new__(cls, deg * 0.5, unit)


class Vec(tuple):
    def __new__(cls, *items: Any) -> Any:
        return super().__new__(cls, items)

    def __add__(self, other: Any) -> Any:
        return Vec(*(a + b for a, b in zip(self, other, strict=True)))


class Pair(list):
    def __init__(self, first: Any, second: Any) -> None:
        super().__init__([first, second])
        self.made_of = first


def _angle(x: Any) -> Any:
    return Angle(x)


def _angle_on_a_path(x: Any) -> Any:
    return Angle(x, "deg") if x > 1 else Angle(-x, "deg")


def _vec_in_a_loop(x: Any) -> Any:
    v = Vec(x, x)
    for i in range(3):
        if x > i:
            v = v + Vec(x, 1.0)
    return v


def _pair_on_a_path(x: Any) -> Any:
    p = Pair(x, x * 2)
    if x > 1:
        p = Pair(x + 1, x)
    return p, p.made_of


def _told(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value).__name__, [_told(v) for v in value], getattr(value, "made_of", None) is not None
    return float(value) if isinstance(value, vt.Tensor) else value


@pytest.mark.parametrize(
    "fn", [_angle, _angle_on_a_path, _vec_in_a_loop, _pair_on_a_path], ids=lambda f: f.__name__[1:]
)
def test_they_come_out_as_the_code_made_them(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for x in (2.0, 0.5, 3.5, -1.0):
        assert _told(compiled(vt.to_tensor(x))) == _told(fn(vt.to_tensor(x)))


def test_as_an_argument() -> None:
    compiled = vt.to_static(lambda a: (a.rad * 2, a.unit))
    assert compiled(Angle(vt.to_tensor(3.0)))[0].item() == 3.0

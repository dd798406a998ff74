"""Objects whose `__bool__` or `__len__` looks at a tensor, in `and`, `or` and `not`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


class Positive:
    """True where its tensor is positive."""

    def __init__(self, v: Any) -> None:
        self.v = v

    def __bool__(self) -> bool:
        return bool(self.v > 0)


class Sized:
    """As long as its tensor says."""

    def __init__(self, v: Any) -> None:
        self.v = v

    def __len__(self) -> int:
        return int(self.v > 0)


class Counted:
    """True where its tensor is positive; counts how often that is asked."""

    asked = 0

    def __init__(self, v: Any) -> None:
        self.v = v

    def __bool__(self) -> bool:
        Counted.asked += 1
        return bool(self.v > 0)


def either(x: Any) -> Any:
    return (Positive(x[0]) or Positive(x[1])).v


def both(x: Any) -> Any:
    return (Positive(x[0]) and Positive(x[1])).v


def three(x: Any) -> Any:
    a, b, c = Positive(x[0]), Positive(x[1]), Positive(x[0] + x[1])
    return ((a and b) or c).v


def condition(x: Any) -> Any:
    a, b = Positive(x[0]), Positive(x[1])
    if a and not b:
        return x * 2
    return x


def length(x: Any) -> Any:
    return (Sized(x[0]) or Sized(x[1])).v


def beside_a_tensor(x: Any) -> Any:
    return (x[1] > 0 and Positive(x[0])) or x


def beside_none(x: Any) -> Any:
    return (Positive(x[0]) or None) is None


def asserted(x: Any) -> Any:
    assert Positive(x[0]) or Positive(x[1]), "neither"
    return x


def counted(x: Any) -> Any:
    Counted.asked = 0
    found = Counted(x[0]) or Counted(x[1]) or Counted(x[0] + x[1])
    return found.v, Counted.asked


FORMS = [either, both, three, condition, length, beside_a_tensor, beside_none, asserted, counted]


def shown(found: Any) -> Any:
    if isinstance(found, tuple):
        return [shown(x) for x in found]
    found = found.v if isinstance(found, Positive) else found
    return found.tolist() if isinstance(found, vt.Tensor) else found


def calls(f: Callable[[Any], Any]) -> list[Any]:
    found = []
    for v in ([-1.0, 2.0], [3.0, 2.0], [3.0, -2.0], [-1.0, -2.0], [-1.0, 2.0]):
        try:
            found.append(shown(f(vt.to_tensor(v))))
        except AssertionError as error:
            found.append(str(error).splitlines()[0])
    return found


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
def test_as_in_eager_mode(form: Callable[[Any], Any]) -> None:
    assert calls(vt.to_static(form)) == calls(form)

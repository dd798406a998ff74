"""Classes that a function defines, whose methods change what the function holds, called in loops and conditions."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt


def by_a_manager(x: Any) -> Any:
    n = [0]

    class Counts:
        def __enter__(self) -> Any:
            return self

        def __exit__(self, *error: Any) -> None:
            n[0] += 1

    for v in x:
        with Counts():
            if v > 1:
                break
            x = x + 1
    return x + n[0]


def by_a_method(x: Any) -> Any:
    n = [0]

    class Counts:
        def up(self) -> None:
            n[0] += 1

    while x.sum() < 10:
        Counts().up()
        x = x + 1
    return x + n[0]


def by_a_class_method(x: Any) -> Any:
    seen = {"n": 0}

    class Counts:
        @classmethod
        def up(cls) -> None:
            seen["n"] += 1

    for v in x:
        if v > 1:
            Counts.up()
            break
        x = x + 1
    return x + seen["n"]


def by_an_initialiser(x: Any) -> Any:
    made = 0

    class Counts:
        def __init__(self) -> None:
            nonlocal made
            made += 1

    while x.sum() < 10:
        Counts()
        x = x + 1
    return x + made


def by_a_derived_class(x: Any) -> Any:
    n = [0]

    class Counts:
        def up(self) -> None:
            n[0] += 1

    class Twice(Counts):
        def up(self) -> None:
            super().up()
            super().up()

    while x.sum() < 10:
        Twice().up()
        x = x + 1
    return x + n[0]


@pytest.mark.parametrize(
    "fn",
    [by_a_manager, by_a_method, by_a_class_method, by_an_initialiser, by_a_derived_class],
    ids=lambda f: f.__name__,
)
def test_what_methods_change_is_carried(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for given in ([-1.0, -2.0, -3.0], [0.0, 2.0, 0.0], [5.0, 1.0, 1.0]):
        x = vt.to_tensor(given)
        assert compiled(x).tolist() == fn(x).tolist()

"""Methods that `dataclass` and `namedtuple` make, replaced between the calls of a compiled function."""

from __future__ import annotations

import collections
import copy
import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import vitrify as vt


def both(make: Callable[[], tuple[Callable[..., Any], Sequence[Callable[[], Any]]]]) -> list[Any]:
    """The results of a function before and after each change, eagerly and compiled: the same."""
    found = []
    for wrap in (lambda fn: fn, vt.to_static):
        fn, changes = make()
        run, x, out = wrap(fn), vt.to_tensor(1.0), []
        for change in (lambda: None, *changes):
            change()
            out += [_plain(run(x)), _plain(run(x))]
        found.append(out)
    assert found[1] == found[0]
    return found[0][::2]


def _plain(found: Any) -> Any:
    return found.item() if hasattr(found, "item") else found


def test_a_dataclass_is_made_by_the_new_init() -> None:
    def make() -> Any:
        @dataclasses.dataclass
        class Gain:
            k: float = 2.0

        return lambda x: x * Gain().k, [lambda: setattr(Gain, "__init__", lambda self: setattr(self, "k", 100.0))]

    assert both(make) == [2.0, 100.0]


def test_the_init_of_a_base_counts_until_the_class_has_one() -> None:
    def make() -> Any:
        @dataclasses.dataclass
        class Base:
            k: float = 2.0

        class Gain(Base):
            pass

        def first(self: Any) -> None:
            self.k = 3.0

        def second(self: Any) -> None:
            self.k = 4.0

        return lambda x: x * Gain().k, [
            lambda: setattr(Base, "__init__", first),
            lambda: setattr(Gain, "__init__", second),
            lambda: delattr(Gain, "__init__"),
        ]

    assert both(make) == [2.0, 3.0, 4.0, 3.0]


def test_comparisons() -> None:
    def make() -> Any:
        @dataclasses.dataclass(order=True)
        class Rank:
            k: float = 2.0

        low, high = Rank(1.0), Rank(2.0)

        def compare(x: Any) -> Any:
            return x * (1.0 if high < low else 2.0) + (10.0 if low == high else 0.0)

        return compare, [
            lambda: setattr(Rank, "__lt__", lambda a, b: True),
            lambda: setattr(Rank, "__eq__", lambda a, b: True),
        ]

    assert both(make) == [2.0, 1.0, 11.0]


def test_texts() -> None:
    def make() -> Any:
        @dataclasses.dataclass
        class Named:
            k: int = 2

        named = Named()
        return lambda x: x * len(f"{named}"), [lambda: setattr(Named, "__repr__", lambda self: "n")]

    assert both(make)[1] == 1.0


def test_a_namedtuple_is_made_by_the_new_method() -> None:
    def make() -> Any:
        pair = collections.namedtuple("pair", "a b", defaults=[3.0])

        def swapped(cls: Any, a: float, b: float = 5.0) -> Any:
            return tuple.__new__(cls, (b, a))

        return lambda x: x * pair(1.0).b + pair(1.0).a, [lambda: setattr(pair, "__new__", swapped)]

    assert both(make) == [4.0, 6.0]


def test_a_frozen_one_that_may_be_changed_from_now_on() -> None:
    def make() -> Any:
        @dataclasses.dataclass(frozen=True)
        class Fixed:
            k: float = 2.0

        def tries(x: Any) -> Any:
            made = Fixed()
            try:
                made.k = 5.0
            except dataclasses.FrozenInstanceError:
                return x * made.k
            return x * made.k

        return tries, [lambda: setattr(Fixed, "__setattr__", object.__setattr__)]

    assert both(make) == [2.0, 5.0]


def test_how_objects_are_copied() -> None:
    def make() -> Any:
        class Gain:
            def __init__(self) -> None:
                self.k = 2.0

            def __copy__(self) -> Any:
                return self

        def other(self: Any) -> Any:
            made = Gain()
            made.k = 5.0
            return made

        gain = Gain()
        return lambda x: x * copy.copy(gain).k, [lambda: setattr(Gain, "__copy__", other)]

    assert both(make) == [2.0, 5.0]

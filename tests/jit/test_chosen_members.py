"""A tensor's condition chooses among numbers that are more than numbers: members of IntEnum, np.float64, bool beside int."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3

    @property
    def factor(self) -> int:
        return self.value * 10


class Right(enum.IntFlag):
    READ = 1
    WRITE = 2


class Rate(float, enum.Enum):
    SLOW = 0.5
    FAST = 2.0


class Id(int):
    pass


class Kept:
    mode: Any = Level.LOW


KEPT = Kept()
TABLE: dict[str, Any] = {}
PAIRS: list[tuple[Any, Any]] = [
    (Level.HIGH, Level.LOW),
    (Level.LOW, 1),
    (Level.LOW, Right.READ),
    (Level.LOW, True),
    (Right.READ | Right.WRITE, Right.READ),
    (Rate.SLOW, Rate.FAST),
    (Id(1), Id(2)),
    (Id(1), 1),
    (np.float64(1), np.float64(2)),
    (np.float64(1), 1.0),
    (np.bool_(True), True),
    (True, 1),
    (0, False),
    (True, 1.0),
    (1 + 2j, 2j),
    (1j, 1),
    ((Level.HIGH, 1), (Level.LOW, 1)),
    ({"a": Level.HIGH}, {"a": Level.LOW}),
]


def told(value: Any) -> Any:
    inside = list(value.values()) if isinstance(value, dict) else list(value) if isinstance(value, tuple) else []
    return type(value), [told(v) for v in inside] or repr(value)


def returned(x: Any, a: Any, b: Any) -> Any:
    return a if x.sum() > 0 else b


def bound(x: Any, a: Any, b: Any) -> Any:
    if x.sum() > 0:
        m = a
    else:
        m = b
    return x * 2, m, m is a


def in_a_loop(x: Any, a: Any, b: Any) -> Any:
    m = b
    for v in x:
        if v > 0:
            m = a
    # a plain number, tuple or dict that a loop carries isn't the object from before, only an equal one
    is_a = m is a if type(a) not in _NOT_KEPT else None
    return m, is_a, m is b if type(b) not in _NOT_KEPT else None


_NOT_KEPT = (int, float, tuple, dict)


def in_a_while(x: Any, a: Any, b: Any) -> Any:
    m, n = b, 0
    while x.sum() > n:
        m = a
        n += 1
    return m, n


def in_an_attribute(x: Any, a: Any, b: Any) -> Any:
    KEPT.mode = b
    if x.sum() > 0:
        KEPT.mode = a
    return KEPT.mode is a, KEPT.mode


def in_an_item(x: Any, a: Any, b: Any) -> Any:
    TABLE["mode"] = b
    for v in x:
        if v > 0:
            TABLE["mode"] = a
    return TABLE["mode"]


def by_helper(x: Any, a: Any, b: Any) -> Any:
    def choose(v: Any) -> Any:
        if v > 0:
            return a
        return b

    return [choose(v) for v in x]


FORMS = [returned, bound, in_a_loop, in_a_while, in_an_attribute, in_an_item, by_helper]


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(("a", "b"), PAIRS, ids=repr)
def test_the_object_itself_is_chosen(form: Callable[..., Any], a: Any, b: Any) -> None:
    @vt.jit.to_static
    def compiled(x: Any) -> Any:
        return form(x, a, b)

    for values in ([1.0, 1.0], [-1.0, -1.0], [1.0, -2.0], [0.0, 3.0]):
        x = vt.to_tensor(values)
        KEPT.mode = TABLE["mode"] = None
        wanted, kept, item = form(x, a, b), KEPT.mode, TABLE["mode"]
        KEPT.mode = TABLE["mode"] = None
        found = compiled(x)
        if form is bound:
            assert found[0].tolist() == wanted[0].tolist()
            found, wanted = found[1:], wanted[1:]
        as_told = [told(tuple(v) if isinstance(v, list) else v) for v in (wanted, kept, item)]
        assert [told(tuple(v) if isinstance(v, list) else v) for v in (found, KEPT.mode, TABLE["mode"])] == as_told


def test_members_keep_their_own_names_and_methods() -> None:
    @vt.jit.to_static
    def compiled(x: Any) -> Any:
        level = Level.HIGH if x.sum() > 0 else Level.LOW
        return level.name, level.factor, x * level, f"{level!r}", {Level.HIGH: "h", Level.LOW: "l"}[level]

    for value, name, factor in ((1.0, "HIGH", 30), (-1.0, "LOW", 10)):
        found = compiled(vt.full([2], value))
        assert found[:2] == (name, factor) and found[4] == name[0].lower()
        assert found[2].tolist() == [value * factor / 10] * 2 and found[3] == repr(Level[name])


def test_members_in_arithmetic_and_comparisons() -> None:
    def plain(x: Any) -> Any:
        level = Level.LOW
        for v in x:
            if v > level:
                level = Level.HIGH
        return x + level, level + 1, level < Level.HIGH, level == 3

    compiled = vt.jit.to_static(plain)
    for values in ([0.0, 2.0], [0.0, 1.0]):
        x = vt.to_tensor(values)
        wanted, found = plain(x), compiled(x)
        assert found[0].tolist() == wanted[0].tolist() and found[0].dtype == wanted[0].dtype
        assert told(tuple(found[1:])) == told(tuple(wanted[1:]))


def test_a_complex_number_beside_tensors() -> None:
    def plain(x: Any) -> Any:
        turn = 1 + 2j if x.sum() > 0 else 2j
        return x * turn

    compiled = vt.jit.to_static(plain)
    for value in (1.0, -1.0):
        x = vt.full([1], value)
        wanted, found = plain(x), compiled(x)
        assert found.tolist() == wanted.tolist() and found.dtype == wanted.dtype


def test_members_in_lists_that_a_loop_makes_longer() -> None:
    def same(x: Any) -> Any:
        out = []
        for v in x:
            if v > 0:
                out.append((v, Level.HIGH))
        return out

    compiled = vt.jit.to_static(same)
    for values in ([1.0, -1.0, 2.0], [-1.0, -2.0, -3.0]):
        found = compiled(vt.to_tensor(values))
        assert [told(level) for _, level in found] == [told(Level.HIGH)] * sum(v > 0 for v in values)


def test_a_count_that_starts_as_a_truth_value() -> None:
    def plain(x: Any) -> Any:
        n: Any = False
        for v in x:
            if v > 0:
                n = n + 1
        return n

    compiled = vt.jit.to_static(plain)
    for values in ([1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]):
        x = vt.to_tensor(values)
        assert told(compiled(x)) == told(plain(x))

"""Functions that write an argument in place and end in several ways, of several types, under tensors' conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

T = vt.to_tensor


def book(slots: Any, s: Any) -> Any:
    if s > 1:
        return False, None
    slots[0] = 9
    if s > 0:
        return True, slots
    return False, slots.sum()


def three_ways_behind_the_write(slots: Any, s: Any) -> Any:
    slots += 1
    if s > 1:
        return slots
    slots[1] = s
    if s > 0:
        return None
    if s > -1:
        return slots, s
    slots *= 2
    return "full"


def views(slots: Any, s: Any) -> Any:
    first = slots[:1]
    if s > 1:
        first.add_(T([2.0]))
        return first
    slots[0] = 7
    if s > 0:
        return first, slots
    first[0] = slots[1]
    return None


def nested(slots: Any, s: Any) -> Any:
    other = slots.clone()
    if s > 0:
        slots[0] = 3
        if s > 1:
            other[1] = 5
            return slots, other
        return other
    other[0] = slots[1]
    if s > -1:
        slots[1] = 6
        return other, None
    return slots.sum(), slots, other


def in_a_loop(slots: Any, s: Any) -> Any:
    for k in range(3):
        slots[k % 2] = slots[k % 2] + s
        if slots.sum() > 14:
            return k, slots
        if slots.sum() < 9:
            return None
    return slots * 1


@pytest.mark.parametrize(
    "fn", [book, three_ways_behind_the_write, views, nested, in_a_loop], ids=lambda fn: fn.__name__
)
def test_as_in_eager_mode(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for s in (-1.0, 0.5, 1.5, -2.0, 0.0, 3.0, 1.5):
        ours, theirs = T([5.0, 6.0]), T([5.0, 6.0])
        assert repr(compiled(ours, T(s))) == repr(fn(theirs, T(s)))
        assert ours.tolist() == theirs.tolist()


def test_what_comes_out_is_the_argument() -> None:
    compiled = vt.to_static(book)
    for s in (0.5, -1.0, 1.5, 0.5):
        slots = T([5.0, 6.0])
        found = compiled(slots, T(s))
        if s == 0.5:
            assert found[1].tolist() == slots.tolist() == [9.0, 6.0]
        else:
            assert found[0] is False or not bool(found[0])


def test_what_is_kept_in_an_argument() -> None:
    def keep(x: Any, m: Any, s: Any, out: list[Any]) -> Any:
        x[0] = 1
        if s > 0:
            if s > 1:
                out.append(m[1] * 2)
        m[1] = 3.0
        return x

    compiled = vt.to_static(keep)
    for s in (-1.0, 0.5, 1.5):
        ours, theirs = ([T([5.0, 6.0]), T([1.0, 2.0]), T(s), [T(9.0)]] for _ in range(2))
        assert repr(compiled(*ours)) == repr(keep(*theirs))
        assert repr(ours) == repr(theirs)


def test_a_write_behind_what_was_taken_is_seen() -> None:
    """A result that one path took before the other wrote is none of the other's; one from before both is."""

    def fn(x: Any, s: Any) -> Any:
        y = x if s > 2 else x * 2
        if s > 1:
            taken = y + 1
        else:
            x[0] = 8.0
            taken = y * 3
        return taken, y * 1, x * 1

    compiled = vt.to_static(fn)
    for s in (0.0, 1.5, 3.0):
        ours, theirs = T([5.0, 6.0]), T([5.0, 6.0])
        assert repr(compiled(ours, T(s))) == repr(fn(theirs, T(s)))
        assert ours.tolist() == theirs.tolist()

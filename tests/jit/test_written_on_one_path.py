"""Attributes and keys that are set on one path of a tensor's `if` only, where the object has its own way to keep them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import vitrify as vt


class Counted:
    """A descriptor that keeps its value elsewhere, and counts."""

    def __get__(self, owner: Any, kind: Any = None) -> Any:
        return owner.kept

    def __set__(self, owner: Any, value: Any) -> None:
        owner.kept = value
        owner.writes += 1


class Tank:
    level = Counted()

    def __init__(self) -> None:
        self.kept = vt.to_tensor(1.0)
        self.writes = 0


class Node:
    __slots__ = ("a", "c")

    def __init__(self) -> None:
        self.a = 1


def results(
    compiles: Callable[[Any], Any], fn: Any, made: Any, shown: Any, calls: list[tuple[float, ...]]
) -> list[Any]:
    run, found = compiles(fn), []
    for numbers in calls:
        run(made, *map(vt.to_tensor, numbers))
        found.append(shown(made))
    return found


def check(fn: Any, make: Any, shown: Any, calls: list[tuple[float, ...]]) -> None:
    eager = results(lambda f: f, fn, make(), shown, calls)
    assert results(vt.to_static, fn, make(), shown, calls) == eager


def test_a_descriptor_sets_once() -> None:
    def step(tank: Any, x: Any) -> None:
        if x > 5:
            tank.level = x

    check(step, Tank, lambda t: (t.writes, t.level.item()), [(1.0,), (6.0,), (2.0,), (7.0,)])


def test_a_slot_that_stays_unset() -> None:
    def step(node: Any, x: Any) -> None:
        if x < 0:
            node.c = -x

    check(step, Node, lambda n: n.c.item() if hasattr(n, "c") else None, [(1.0,), (-2.0,), (3.0,)])


def test_keys_of_three_paths_in_two_orders() -> None:
    def step(found: Any, x: Any, y: Any) -> None:
        key = None
        if x < 0:
            key = "x"
        elif y < 0:
            key = "y"
        elif x + y > 9:
            key = "x"
        if key is not None:
            found[key] = 1

    check(step, dict, lambda d: list(d.items()), [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (9.0, 9.0)])
    check(step, dict, lambda d: list(d.items()), [(9.0, 9.0), (1.0, -1.0), (1.0, 1.0)])


class Other:
    best: Any = None

    def note(self, value: Any) -> None:
        self.best = value


class Table(dict[str, Any]):
    """A dict with an attribute."""


class Best:
    def __init__(self) -> None:
        self.best: Any = vt.to_tensor([1.0])
        self.log: dict[str, Any] = {}
        self.other, self.table = Other(), Table()
        self.table.best = vt.to_tensor([0.0])  # type: ignore[attr-defined]


def test_keys_and_attributes_of_one_name_are_each_others_not() -> None:
    """`self.loss = loss; self.log["loss"] = loss`: what one path sets is set in all places."""

    def step(made: Any, x: Any) -> None:
        if x > made.best.sum():
            made.best = x * 1
            made.log["best"] = made.best
            made.log["my best"] = made.best
            made.other.note(made.best)
            made.table.best = made.best

    def shown(made: Any) -> Any:
        places = [made.best, made.other.best, made.table.best, *made.log.values()]
        return [p if p is None else p.tolist() for p in places], list(made.log)

    check(step, Best, shown, [(2.0,), (-2.0,), (3.0,), (1.0,), (7.0,)])

"""Items that a call sets to what is there: in another call, where something else is there, they are set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


class State:
    """Tensors, of which one is put into several places."""

    def __init__(self) -> None:
        self.p, self.b, self.k = vt.ones([1]) * 4, vt.ones([1]) * 2, 0
        self.d: dict[str, Any] = {"p": self.p}
        self.l = [vt.ones([1]) * 6, vt.ones([1]) * 7]


def of_a_list(s: State, n: int) -> None:
    s.l[1] = s.d["p"]
    if n % 2:
        s.l[1] = s.b
    if n == 3:
        s.k += 1


def chosen(s: State, n: int) -> None:
    s.l[1] = s.b if n % 2 else s.p
    if n == 3:
        s.k += 1


def of_a_dict(s: State, n: int) -> None:
    s.d["m"] = s.p
    if n % 2:
        s.d["m"] = s.b
    if n == 3:
        s.k += 1


def from_an_item(s: State, n: int) -> None:
    s.l[0] = s.l[1]
    if n % 2:
        s.l[0] = s.b


@pytest.mark.parametrize("fn", [of_a_list, chosen, of_a_dict, from_an_item], ids=lambda f: f.__name__)
def test_items_are_set_in_each_call(fn: Callable[[State, int], None]) -> None:
    found = []
    for compiled in (lambda f: f, vt.to_static):
        s, seen = State(), []
        step = compiled(fn)
        for n in (3, 3, 0, 3, 4, 3, 1):
            step(s, n)
            seen.append(([float(x) for x in s.l], {k: float(x) for k, x in s.d.items()}, s.k))
        found.append(seen)
    assert found[0] == found[1]


def test_a_tensor_is_passed_on_through_places() -> None:
    def step(s: State, x: Any) -> None:
        s.k += 1
        s.l[0] = s.l[1]
        s.l[1] = s.p if s.k > 2 else s.b
        if x.sum() > 2:
            s.p = s.b * 2

    found = []
    for run in (step, vt.to_static(step)):
        s, seen = State(), []
        for value in (3.0, 1.0, 0.0, 3.0, 1.0, 0.0):
            run(s, vt.full([1], value))
            seen.append((s.l[0] is s.l[1], s.l[0] is s.p, s.l[1] is s.p))
        found.append(seen)
    assert found[0] == found[1]

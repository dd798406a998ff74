"""Tuples of sizes that differ between calls as keys of dicts and sets: they are found by their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

NAMES = {(2, 3): "two rows", (4, 3): "four rows"}
SEEN = frozenset(NAMES)


def stored(x: Any) -> Any:
    made: dict[Any, Any] = {}
    made[tuple(x.shape)] = 1
    return (4, 3) in made, made.get((4, 3))


def added(x: Any) -> Any:
    made: set[Any] = set()
    made.add(tuple(x.shape))
    return (4, 3) in made, len(made | {(4, 3)})


FORMS: dict[str, Callable[[Any], Any]] = {
    "get": lambda x: NAMES.get(tuple(x.shape), "others"),
    "get of a pair": lambda x: NAMES.get((x.shape[0], 3), "others"),
    "subscript": lambda x: NAMES[tuple(x.shape)] if tuple(x.shape) in NAMES else "others",  # noqa: SIM401
    "in a dict": lambda x: tuple(x.shape) in NAMES,
    "not in a dict": lambda x: tuple(x.shape) not in NAMES,
    "in its keys": lambda x: tuple(x.shape) in NAMES,
    "in a set": lambda x: tuple(x.shape) in SEEN,
    "in a pair": lambda x: (tuple(x.shape), "x") in {((4, 3), "x"): 1},
    "pop": lambda x: dict(NAMES).pop(tuple(x.shape), "others"),
    "setdefault": lambda x: dict(NAMES).setdefault(tuple(x.shape), "others"),
    "stored": stored,
    "added": added,
}


@pytest.mark.parametrize("name", FORMS)
def test_each_call_finds_what_eager_mode_finds(name: str) -> None:
    form = FORMS[name]
    compiled = vt.to_static(lambda x: (form(x), x.sum()))
    for rows in (2, 4, 5, 2, 4):
        x = vt.ones([rows, 3])
        assert compiled(x)[0] == form(x)

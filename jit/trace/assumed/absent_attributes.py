"""Attributes that tensors, functions, modules and partials didn't have, where code asks whether they have them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..state.rollback import MISSING
from ..traced import Assumption


class Absent:
    """The attributes of the objects that a walk has met (assumptions.py)."""

    def __init__(self) -> None:
        self.spaces: list[dict[str, Any]] = []

    def add(self, space: dict[str, Any]) -> None:
        """Those of an object."""
        self.spaces.append(space)

    def assumptions(self, names: set[str]) -> Iterator[Assumption]:
        """That none of these names has come up; one assumption for all objects that have none of them."""
        if not names:
            return
        without = Without(frozenset(names), [s for s in self.spaces if names.isdisjoint(s)])
        if without.spaces:
            yield Assumption("call", without, "whether attributes are there", True)
        for space in self.spaces:
            if not names.isdisjoint(space):
                yield from (Assumption("item", space, name, MISSING) for name in sorted(names - space.keys()))


class Without:
    """Whether some attributes are still missing."""

    __slots__ = ("names", "spaces")

    def __init__(self, names: frozenset[str], spaces: list[dict[str, Any]]) -> None:
        self.names, self.spaces = names, spaces

    def __call__(self) -> bool:
        return all(map(self.names.isdisjoint, self.spaces))

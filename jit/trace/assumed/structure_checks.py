"""The check of a structure as a function of its own: at each call it looks only at what the structure has."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from ....dygraph.number import fits
from ...call.guards import same, written
from ..state.rollback import contents

MOST_LEAVES = 64
_MOST_NESTED = 32

Path = tuple[Any, ...]


class PartFact:
    """What is to be so of a part that isn't gone into.

    dtype: that of a tensor of class `kind` of which no more matters; kind: alone, that of a number. fact: what of it is
    to be `before`; None: it is that very object, or an equal plain value.
    """

    __slots__ = ("before", "dtype", "fact", "kind")

    def __init__(
        self, before: Any, fact: Callable[[Any], Any] | None = None, kind: type | None = None, dtype: Any = None
    ) -> None:
        self.before, self.fact, self.kind, self.dtype = before, fact, kind, dtype


def check_of(
    nested: Mapping[Path, tuple[type, tuple[Any, ...]]], leaves: Mapping[Path, PartFact], elsewhere: Container[int]
) -> Callable[[Any], bool]:  # fmt: skip
    """A function that tells of values that they surely have a structure.

    nested: classes and keys of containers in it, by their paths. elsewhere: identities of containers that can't be in
    it.
    """
    if (
        len(leaves) > MOST_LEAVES
        or len(nested) > _MOST_NESTED
        or not all(_is_simple(*known) for known in nested.values())
    ):
        return lambda value: False
    made = _Lines(nested, leaves)
    made.known["elsewhere"] = elsewhere
    made.add((), "v")
    return written("check", "v", [*made.lines, "return True"], made.known)


def _is_simple(kind: type, keys: tuple[Any, ...]) -> bool:
    """Whether plain code takes a container of a class apart."""
    if issubclass(kind, (tuple, list)):
        return not kind.__dictoffset__  # beside whose items there may be attributes
    return all(type(key) is str for key in keys) and (kind is dict or not issubclass(kind, dict))


class _Lines:
    """The lines of such a function, and the objects that they name."""

    def __init__(self, nested: Mapping[Path, tuple[type, tuple[Any, ...]]], leaves: Mapping[Path, PartFact]) -> None:
        self.nested, self.leaves = nested, leaves
        self.lines: list[str] = []
        self.known: dict[str, Any] = {"same": same, "fits": fits, "contents": contents}
        self.count = 0

    def _name(self, value: Any) -> str:
        name = f"c{len(self.known)}"
        self.known[name] = value
        return name

    def _require(self, condition: str) -> None:
        self.lines.append(f"if not ({condition}): return False")

    def add(self, path: Path, name: str) -> None:
        """The lines about the part at a path, which has a name."""
        if path in self.leaves:
            self._require(self._leaf(self.leaves[path], name))
            return
        kind, keys = self.nested[path]
        self._require(f"type({name}) is {self._name(kind)}")
        items = name
        if not issubclass(kind, (tuple, list)):
            self._require(f"id({name}) not in elsewhere")
            if not issubclass(kind, dict):
                self.lines.append(f"{name}d = contents({name})")
                items = f"{name}d"
            self._require(f"tuple({items}) == {self._name(keys)}")
            items += ".values()"
        else:
            self._require(f"len({items}) == {len(keys)}")
            if not issubclass(kind, tuple):
                self._require(f"id({name}) not in elsewhere")
        parts = []
        for key in keys:
            self.count += 1
            parts.append((f"v{self.count}", (*path, key)))
        if parts:
            self.lines.append(f"{', '.join(part for part, _ in parts)}, = {items}")
        for part, inner in parts:
            self.add(inner, part)

    def _leaf(self, leaf: PartFact, name: str) -> str:
        if leaf.dtype is not None:
            return f"type({name}) is {self._name(leaf.kind)} and {name}._dtype is {self._name(leaf.dtype)}"
        if leaf.kind is float:
            return f"type({name}) is {self._name(float)}"
        if leaf.kind is not None:
            return f"type({name}) is {self._name(leaf.kind)} and fits({name})"
        before = self._name(leaf.before)
        if leaf.fact is not None:
            return f"same({self._name(leaf.fact)}({name}), {before})"
        return f"{name} is {before} or same({name}, {before})"

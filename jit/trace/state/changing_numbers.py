"""Attributes, items and closure variables whose Python numbers a program takes anew at each call: counters, scales.

Such a number may be a part of a tuple, or of a container that stands in the place only for one call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ....dygraph.number import Number, concrete_number, fits
from ...call.guards import look
from ..assumed.hidden_attributes import Beside
from ..reachable import is_plain_class
from ..traced import BY_RESIDUE, VARIED, Assumption
from .containers import part_at
from .rollback import put


@contextmanager
def numbers_at(
    places: Sequence[Assumption], rebuilt: dict[int, tuple[Any, Any]], varied: list[Number]
) -> Iterator[None]:
    """While a function is traced, a `Number` is in each place; afterwards the number that was there.

    A tuple is replaced by one that holds the `Number`; other containers get it themselves. rebuilt: takes in the tuples
    of the trace, by identity, with the ones outside. varied: takes in the numbers that had many values.
    """
    before: list[tuple[Any, Any, Any, Any]] = []
    try:
        for place in places:
            value = look(place)
            if not fits(value):
                continue
            owner, key, there, path = _innermost(place)
            if all(map(_is_rebuilt, _tuples_along(there, path))):
                number = concrete_number(value, place)
                if place.value is VARIED:
                    varied.append(number)
                number.by_residue = place.value is BY_RESIDUE
                made = _with_number(there, path, number, rebuilt)
                put(owner, key, made)
                before.append((owner, key, there, made))
        yield
    finally:
        for owner, key, there, made in reversed(before):
            if _is_at(owner, key, made):
                put(owner, key, there)


def _is_at(owner: Any, key: Any, value: Any) -> bool:
    try:
        return part_at(owner, (key,)) is value
    except (KeyError, IndexError, AttributeError, ValueError):
        return False  # the function has taken it away


def _innermost(place: Assumption) -> tuple[Any, Any, Any, tuple[Any, ...]]:
    """The last object on the way to a number that can be written, under which key, what is there, and the way on."""
    if place.kind != "part":
        return place.owner, key_of(place), look(place), ()
    root, way = place.owner, place.name
    owner, key, value = root.owner, key_of(root), look(root)
    there, rest = value, way
    for k, step in enumerate(way):
        inner = part_at(value, (step,))
        if type(step) is Beside:
            owner, key, there, rest = vars(value), step.name, inner, way[k + 1 :]
        elif not isinstance(value, tuple):
            owner, key, there, rest = value, step, inner, way[k + 1 :]
        value = inner
    return owner, key, there, rest


def _tuples_along(value: Any, path: Sequence[Any]) -> Iterator[Any]:
    for key in path:
        yield value
        value = value[key]


def _is_rebuilt(value: Any) -> bool:
    """Whether a tuple is nothing but its items."""
    return (type(value) is tuple or is_plain_class(type(value))) and not getattr(value, "__dict__", None)


def _with_number(there: Any, path: Sequence[Any], number: Number, rebuilt: dict[int, tuple[Any, Any]]) -> Any:
    if not path:
        return number
    items = list(there)
    items[path[0]] = _with_number(items[path[0]], path[1:], number, rebuilt)
    made = tuple.__new__(type(there), items)
    rebuilt[id(made)] = made, rebuilt.get(id(there), (there, there))[1]
    return made


def key_of(place: Assumption) -> object:
    """The key under which `put` sets it."""
    return "cell_contents" if place.kind == "cell" else place.name

"""Attributes, items and closure variables whose Python numbers a program takes anew at each call: counters, scales."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ....dygraph.number import Number, concrete_number, fits
from ...call.guards import look
from ..traced import Assumption
from .rollback import put


@contextmanager
def numbers_at(places: Sequence[Assumption]) -> Iterator[None]:
    """While a function is traced, a `Number` is in each place; afterwards the number that was there."""
    before = []
    try:
        for place in places:
            value = look(place)
            if fits(value):
                put(place.owner, key_of(place), concrete_number(value, place))
                before.append((place, value))
        yield
    finally:
        for place, value in before:
            if type(look(place)) is Number:
                put(place.owner, key_of(place), value)


def key_of(place: Assumption) -> object:
    """The key under which `put` sets it."""
    return "cell_contents" if place.kind == "cell" else place.name

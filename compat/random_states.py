"""`paddle.incubate`'s states of random numbers, which may be kept under numbers and switched between."""

from __future__ import annotations

from typing import Any

from ..base.errors import ArgumentError
from ..dygraph import random_generators

_kept: list[Any] = []  # states by their numbers; that of the number in force is out of date
_in_force = 0


def get_rng_state(device: Any = None, use_index: bool = False) -> list[Any]:
    """The state of the random numbers in a list; with use_index, the number of the state in force.

    >>> set_rng_state(get_rng_state())
    """
    if not use_index:
        return list(random_generators.get_rng_state())
    _known()
    return [_in_force]


def set_rng_state(state_list: Any, device: Any = None, use_index: bool = False) -> None:
    """Go to a state that `get_rng_state` gave; with use_index, to that of a number, where it was left.

    Errors: ArgumentError for a number that no state was registered under.
    """
    if not use_index:
        random_generators.set_rng_state(state_list)
        return
    global _in_force
    (number,) = state_list
    if not 0 <= number < len(_known()):
        raise ArgumentError(f"no random state has the number {number!r}", remedy="use register_rng_state_as_index()")
    _kept[_in_force] = random_generators.get_rng_state()
    _in_force = number
    random_generators.set_rng_state(_kept[number])


def register_rng_state_as_index(state_list: Any = None, device: Any = None) -> list[int]:
    """Keep a state (default: the one in force) under a new number, which is given back in a list."""
    _known().append(random_generators.get_rng_state() if state_list is None else list(state_list))
    return [len(_kept) - 1]


def _known() -> list[Any]:
    if not _kept:
        _kept.append(random_generators.get_rng_state())
    return _kept

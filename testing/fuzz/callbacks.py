"""Python functions that random programs call, with their gradients, and a record of the calls.

Every way to run a program has to call the same functions in the same order, on numbers that agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from .checks import same

Array = np.ndarray[Any, Any]
Call = tuple[str, list[Array]]
_calls: list[Call] = []


def _soft(x: Array) -> list[Array]:
    return [np.tanh(x)]


def _soft_gradient(x: Array, y: Array, gradient: Array) -> list[Array]:
    return [gradient * (1 - y * y)]


def _halves(x: Array, count: Array) -> list[Array]:
    """Half of x, in place, as a callback may do with its own copy; and the count, one more."""
    x *= 0.5
    return [x, count + 1]


def _halves_gradient(x: Array, count: Array, y: Array, more: Array, gradient: Array) -> list[Array]:
    return [gradient * 0.5]


def _told(name: str, function: Callable[..., list[Array]]) -> Callable[..., list[Array]]:
    def call(*arrays: Array) -> list[Array]:
        _calls.append((name, [a.copy() for a in arrays]))
        return [np.asarray(a) for a in function(*arrays)]

    return call


_FUNCTIONS: dict[str, Callable[..., list[Array]]] = {
    "fuzz.soft": _soft,
    "fuzz.soft.gradient": _soft_gradient,
    "fuzz.halves": _halves,
    "fuzz.halves.gradient": _halves_gradient,
}
CALLBACKS: Mapping[str, Callable[..., list[Array]]] = {name: _told(name, fn) for name, fn in _FUNCTIONS.items()}


@contextmanager
def called() -> Iterator[list[Call]]:
    """The calls that were made inside, once it is left."""
    before, made = _calls[:], list[Call]()
    _calls.clear()
    try:
        yield made
    finally:
        made += _calls
        _calls[:] = [*before, *made]


def same_calls(expected: Sequence[Call], found: Sequence[Call], bounds: Mapping[str, float]) -> None:
    """AssertionError unless the same functions were called in the same order, on numbers within bounds."""
    names = [[name for name, _ in calls] for calls in (expected, found)]
    assert names[0] == names[1], f"calls back of {names[1]} instead of {names[0]}"
    for (name, arrays), (_, others) in zip(expected, found, strict=True):
        for k, (a, b) in enumerate(zip(arrays, others, strict=True)):
            same(a, b, f"operand {k} of {name}", relative=bounds["relative"], absolute=bounds["absolute"])

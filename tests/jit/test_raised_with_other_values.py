"""One `raise` that a loop of the program comes to with several values of Python's: the handler gets the right one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


class Found(ValueError):
    """With its place beside the text."""

    def __init__(self, place: int) -> None:
        super().__init__("found")
        self.place = place


def by_argument(t: Any) -> Any:
    r = t[0]
    while r > 0:
        for k in range(3):
            if t[k] > r:
                raise ValueError(k)
        r = r - 1
    return r


def by_text(t: Any) -> Any:
    r = t[0]
    while r > 0:
        for name, k in (("first", 1), ("second", 2)):
            if t[k] > r:
                raise ValueError(f"the {name} one")
        r = r - 1
    return r


def by_attribute(t: Any) -> Any:
    r = t[0]
    while r > 0:
        for k in (1, 2):
            if t[k] > r:
                raise Found(k)
        r = r - 1
    return r


@pytest.mark.parametrize("loop", [by_argument, by_text, by_attribute], ids=lambda fn: fn.__name__)
def test_the_handler_gets_the_exception_of_that_iteration(loop: Callable[[Any], Any]) -> None:
    def safe(t: Any) -> Any:
        try:
            return loop(t), None
        except ValueError as error:
            return None, (str(error), getattr(error, "place", None))

    compiled = vt.to_static(safe)
    for t in ([1.0, 1, 1], [3.0, 1, 1], [3.0, 4.0, 1], [3.0, 1, 4], [3.0, 2.5, 1.0], [3.0, 1.0, 2.5], [3.0, 2.5, 2.5]):
        (r, told), (wanted, tells) = compiled(vt.to_tensor(t)), safe(vt.to_tensor(t))
        assert told == tells, t
        assert (r is None) == (wanted is None)
        assert r is None or r.item() == wanted.item()

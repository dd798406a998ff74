"""Things that need each other, in an order that keeps to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def in_order(things: Iterable[T], needs: Callable[[T], Iterable[T]]) -> list[T]:
    """Things so that each stands behind those that it needs, otherwise in the order given. Nothing may need itself.

    >>> in_order("abc", {"a": "c", "b": "", "c": "b"}.__getitem__)
    ['b', 'c', 'a']
    """
    placed: dict[T, None] = {}
    for thing in things:
        stack = [(thing, False)]
        while stack:
            current, ready = stack.pop()
            if current in placed:
                continue
            if ready:
                placed[current] = None
                continue
            stack.append((current, True))
            stack += [(other, False) for other in reversed(list(needs(current))) if other not in placed]
    return list(placed)

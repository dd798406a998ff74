"""The one way to random numbers that aren't drawn by operations: NumPy's, Python's, and those of the system.

A captured function would draw them once, while it is captured. So the capture is told whoever draws, and refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

S = TypeVar("S")

watchers: list[Callable[[Any], None]] = []  # are told what draws; one may raise


def drawing(source: S) -> S:
    """`source`, which is about to draw: `np.random`, `random`, a generator; or a text about what may draw elsewhere.

    >>> import random
    >>> drawing(random).randrange(3, 4)
    3
    """
    for watch in watchers:
        watch(source)
    return source

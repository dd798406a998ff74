"""`static.amp`: marks of PaddlePaddle's mixed precision in static programs, which keep their dtypes here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["fp16_guard"]


@contextmanager
def fp16_guard() -> Iterator[None]:
    """The part of a static program that mixed precision may change: nothing changes it here.

    >>> with fp16_guard():
    ...     pass
    """
    yield

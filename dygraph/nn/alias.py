"""One attribute of a layer under two names: the stored one, which `forward` reads, is PaddlePaddle's."""

from __future__ import annotations

from typing import Any


def alias(stored: str) -> Any:
    """A property that reads and writes the attribute `stored`.

    >>> class Pool:
    ...     kernel_size = alias("ksize")
    >>> pool = Pool()
    >>> pool.ksize = 2
    >>> pool.kernel_size
    2
    """

    def read(self: Any) -> Any:
        return getattr(self, stored)

    def write(self: Any, value: Any) -> None:
        setattr(self, stored, value)

    return property(read, write, doc=f"Another name of `{stored}`.")


def as_list(value: Any, rank: int) -> Any:
    """One value for each of `rank` axes, as PaddlePaddle's layers keep them; tuples become lists."""
    return list(value) if isinstance(value, (list, tuple)) else [value] * rank

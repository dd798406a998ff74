"""Data sets made of others: one after the other, or side by side."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from ..base.errors import ArgumentError
from .dataset import Dataset, IterableDataset


class ConcatDataset(Dataset[Any]):
    """Data sets one after the other. Errors: ArgumentError for an empty list or a stream; IndexError outside.

    >>> from .dataset import Subset
    >>> both = ConcatDataset(["ab", "cde"])
    >>> len(both), both[0], both[-1]
    (5, 'a', 'e')
    """

    def __init__(self, datasets: Sequence[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets or any(isinstance(d, IterableDataset) for d in self.datasets):
            raise ArgumentError(
                "ConcatDataset needs at least one data set, each with samples by index",
                remedy="join streams with ChainDataset",
            )
        self.cumulative_sizes = list(itertools.accumulate(len(d) for d in self.datasets))

    def __getitem__(self, index: int) -> Any:
        size = len(self)
        if not -size <= index < size:
            raise IndexError(f"index {index} is outside a data set of {size} samples")
        place = index % size
        part = bisect.bisect_right(self.cumulative_sizes, place)
        return self.datasets[part][place - (self.cumulative_sizes[part - 1] if part else 0)]

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]


class ChainDataset(IterableDataset[Any]):
    """Streams one after the other.

    >>> list(ChainDataset([[1, 2], [3]]))
    [1, 2, 3]
    """

    def __init__(self, datasets: Sequence[Any]) -> None:
        self.datasets = list(datasets)

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(self.datasets)


class ComposeDataset(Dataset[Any]):
    """Data sets of equal length side by side: a sample is all their fields.

    Errors: ArgumentError for an empty list or different lengths.

    >>> ComposeDataset(["ab", [(1, 2), (3, 4)]])[1]
    ('b', 3, 4)
    """

    def __init__(self, datasets: Sequence[Any]) -> None:
        self.datasets = list(datasets)
        sizes = [len(d) for d in self.datasets]
        if len(set(sizes)) != 1:
            raise ArgumentError(f"ComposeDataset needs data sets of equal length, got {sizes}")

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        fields = (d[index] for d in self.datasets)
        return tuple(itertools.chain.from_iterable(f if isinstance(f, (tuple, list)) else (f,) for f in fields))

    def __len__(self) -> int:
        return len(self.datasets[0])

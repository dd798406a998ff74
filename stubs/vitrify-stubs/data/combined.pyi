# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import tuple as _tuple
from collections.abc import Iterator as _Iterator
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.data.dataset import Dataset as _Dataset
from vitrify.data.dataset import IterableDataset as _IterableDataset

class ChainDataset(_IterableDataset[_Any]):
    """Streams one after the other.

    >>> list(ChainDataset([[1, 2], [3]]))
    [1, 2, 3]"""
    datasets: _Any
    def __init__(self, datasets: _Sequence[_Any]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __iter__(self) -> _Iterator[_Any]:
        """A fresh walk over the samples."""

class ComposeDataset(_Dataset[_Any]):
    """Data sets of equal length side by side: a sample is all their fields.

    Errors: ArgumentError for an empty list or different lengths.

    >>> ComposeDataset(["ab", [(1, 2), (3, 4)]])[1]
    ('b', 3, 4)"""
    datasets: _Any
    def __init__(self, datasets: _Sequence[_Any]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, index: _int) -> _tuple[_Any, ...]:
        """The sample at `index`."""
    def __len__(self) -> _int:
        """How many samples there are."""

class ConcatDataset(_Dataset[_Any]):
    """Data sets one after the other. Errors: ArgumentError for an empty list or a stream; IndexError outside.

    >>> from .dataset import Subset
    >>> both = ConcatDataset(["ab", "cde"])
    >>> len(both), both[0], both[-1]
    (5, 'a', 'e')"""
    datasets: _Any
    cumulative_sizes: _Any
    def __init__(self, datasets: _Sequence[_Any]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, index: _int) -> _Any:
        """The sample at `index`."""
    def __len__(self) -> _int:
        """How many samples there are."""

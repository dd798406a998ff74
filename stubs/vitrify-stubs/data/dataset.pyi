# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import tuple as _tuple
from collections.abc import Iterator as _Iterator
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from typing import Generic as _Generic
from typing import TypeVar as _TypeVar
from vitrify.base.boundary import Created as _Created

class IterableDataset(_Created, _Generic[_S]):
    """Samples in a row, for streams without a length. A subclass gives `__iter__`.

    >>> class Stream(IterableDataset[int]):
    ...     def __iter__(self) -> Iterator[int]:
    ...         return iter(range(3))
    >>> list(Stream())
    [0, 1, 2]"""
    def __iter__(self) -> _Iterator[_S]:
        """A fresh walk over the samples."""
    def __getitem__(self, index: _Any) -> _Any:
        """There is none: RuntimeError."""

_S = _TypeVar("_S")

class Dataset(_Created, _Generic[_S]):
    """Samples by index. A subclass gives `__getitem__` and `__len__`.

    >>> class Squares(Dataset[int]):
    ...     def __getitem__(self, index: int) -> int:
    ...         return index * index
    ...     def __len__(self) -> int:
    ...         return 4
    >>> Squares()[3]
    9"""
    def __getitem__(self, index: _int) -> _S:
        """The sample at `index`."""
    def __len__(self) -> _int:
        """How many samples there are."""

class Subset(Dataset[_S]):
    """Some samples of another data set, in a given order.

    Errors: ArgumentError if an index is outside the data set.

    >>> Subset(TensorDataset([np.arange(5)]), [4, 0])[0]
    (np.int64(4),)"""
    dataset: Dataset[_S]
    indices: _Any
    def __init__(self, dataset: Dataset[_S], indices: _Sequence[_int]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, index: _int) -> _S:
        """The sample at `index`."""
    def __len__(self) -> _int:
        """How many samples there are."""

class TensorDataset(Dataset[_tuple[_Any, ...]]):
    """Rows of tensors or arrays with equal first dimensions.

    Shapes: each [n, ...]; a sample is a tuple of [...].
    Errors: ArgumentError if there is no tensor, a scalar, or the first dimensions differ.

    >>> TensorDataset([np.arange(6).reshape(3, 2), np.array([7, 8, 9])])[1]
    (array([2, 3]), np.int64(8))"""
    tensors: _Any
    def __init__(self, tensors: _Sequence[_Any]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, index: _int) -> _tuple[_Any, ...]:
        """The sample at `index`."""
    def __len__(self) -> _int:
        """How many samples there are."""

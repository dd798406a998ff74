"""Data sets: something with a length and samples by index, or something to iterate over once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from ..base.boundary import Created
from ..base.errors import ArgumentError
from .sampler import random_order

S = TypeVar("S")


class Dataset(Created, Generic[S]):
    """Samples by index. A subclass gives `__getitem__` and `__len__`.

    >>> class Squares(Dataset[int]):
    ...     def __getitem__(self, index: int) -> int:
    ...         return index * index
    ...     def __len__(self) -> int:
    ...         return 4
    >>> Squares()[3]
    9
    """

    def __getitem__(self, index: int) -> S:
        """The sample at `index`."""
        raise NotImplementedError(f"{type(self).__name__} has no __getitem__")

    def __len__(self) -> int:
        """How many samples there are."""
        raise NotImplementedError(f"{type(self).__name__} has no __len__")


class IterableDataset(Created, Generic[S]):
    """Samples in a row, for streams without a length. A subclass gives `__iter__`.

    >>> class Stream(IterableDataset[int]):
    ...     def __iter__(self) -> Iterator[int]:
    ...         return iter(range(3))
    >>> list(Stream())
    [0, 1, 2]
    """

    def __iter__(self) -> Iterator[S]:
        """A fresh walk over the samples."""
        raise NotImplementedError(f"{type(self).__name__} has no __iter__")

    def __getitem__(self, index: Any) -> Any:
        """There is none: RuntimeError."""
        raise RuntimeError(f"{type(self).__name__} is a stream, which has no samples by index: iterate over it")


class TensorDataset(Dataset[tuple[Any, ...]]):
    """Rows of tensors or arrays with equal first dimensions.

    Shapes: each [n, ...]; a sample is a tuple of [...].
    Errors: ArgumentError if there is no tensor, a scalar, or the first dimensions differ.

    >>> TensorDataset([np.arange(6).reshape(3, 2), np.array([7, 8, 9])])[1]
    (array([2, 3]), np.int64(8))
    """

    def __init__(self, tensors: Sequence[Any]) -> None:
        self.tensors = list(tensors)
        shapes = [tuple(tensor.shape) for tensor in self.tensors]
        if not shapes or not all(shapes) or len({shape[0] for shape in shapes}) > 1:
            raise ArgumentError(
                f"TensorDataset needs tensors with equal first dimensions, got the shapes {shapes}",
                remedy="pass [x, y] with as many rows in x as in y",
            )

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return int(self.tensors[0].shape[0])


class Subset(Dataset[S]):
    """Some samples of another data set, in a given order.

    Errors: ArgumentError if an index is outside the data set.

    >>> Subset(TensorDataset([np.arange(5)]), [4, 0])[0]
    (np.int64(4),)
    """

    def __init__(self, dataset: Dataset[S], indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = [int(index) for index in indices]
        size = len(dataset)
        outside = [index for index in self.indices if not -size <= index < size]
        if outside:
            raise ArgumentError(f"Subset: index {outside[0]} is outside a data set of {size} samples")

    def __getitem__(self, index: int) -> S:
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Dataset[S], lengths: Sequence[int | float], generator: int | np.random.Generator | None = None
) -> list[Subset[S]]:
    """Cut a data set into random parts without overlap.

    `lengths`: sample counts that add up to the size, or fractions that add up to 1 (what rounding leaves over goes
    to the first parts, one each). `generator`: a seed or a NumPy generator; the same seed gives the same parts. Without
    it `vt.seed` decides, as in Paddle.
    Errors: ArgumentError if the lengths don't add up.

    >>> [len(part) for part in random_split(TensorDataset([np.arange(10)]), [0.75, 0.25], generator=0)]
    [8, 2]
    """
    sizes = _sizes(lengths, len(dataset))
    order = random_order(len(dataset), generator)
    ends = np.cumsum(sizes)
    return [Subset(dataset, order[end - size : end]) for size, end in zip(sizes, ends, strict=True)]


def _sizes(lengths: Sequence[int | float], total: int) -> list[int]:
    if lengths and all(0 <= length <= 1 for length in lengths) and math.isclose(math.fsum(lengths), 1.0):
        sizes = [math.floor(total * length) for length in lengths]
        for part in range(total - sum(sizes)):
            sizes[part % len(sizes)] += 1
        return sizes
    sizes = [int(length) for length in lengths]
    if sizes != list(lengths) or min(sizes, default=0) < 0 or sum(sizes) != total:
        raise ArgumentError(
            f"random_split: the lengths {list(lengths)} don't add up to the {total} samples of the data set",
            remedy=f"give counts that add up to {total}, or fractions that add up to 1",
        )
    return sizes

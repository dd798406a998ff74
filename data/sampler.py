"""Samplers: in which order, and in which batches, the samples of a data set are taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from itertools import islice
from typing import Any, Generic, TypeVar

import numpy as np

from ..base.boundary import Created
from ..base.drawing import drawing
from ..base.errors import ArgumentError, AssertedError
from ..ops.exchange import transport

T_co = TypeVar("T_co", covariant=True)


class Sampler(Created, Generic[T_co]):
    """Yields indices; a subclass gives `__iter__` and, where it has one, `__len__`."""

    def __init__(self, data_source: Any = None) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[T_co]:
        """A fresh walk over the indices."""
        raise NotImplementedError(f"{type(self).__name__} has no __iter__")


class SequenceSampler(Sampler[int]):
    """0, 1, 2, ... to the end of the data set.

    >>> list(SequenceSampler("abc"))
    [0, 1, 2]
    """

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


def _generator(given: Any) -> np.random.Generator | Iterator[int] | None:
    """What a sampler draws from; None: NumPy's global state."""
    return given if given is None or isinstance(given, Iterator) else np.random.default_rng(given)


class RandomSampler(Sampler[int]):
    """The indices in random order, another one at each walk.

    `replacement`: draw with repetition; `num_samples`: how many to draw (default: all). `generator`: a seed or a NumPy
    generator, so that two samplers with the same seed give the same sequence of walks; or an iterator of indices.
    Without it NumPy's global state (`np.random.seed`) decides, as in Paddle.
    Errors: ArgumentError if more samples are asked for than there are and `replacement` is off.

    >>> sorted(RandomSampler("abcd", generator=7))
    [0, 1, 2, 3]
    """

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: int | np.random.Generator | Iterator[int] | None = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self.generator = _generator(generator)
        size = len(data_source)
        self.num_samples = size if num_samples is None else int(num_samples)
        if self.num_samples < 0 or (not replacement and self.num_samples > size) or (self.num_samples and not size):
            raise ArgumentError(
                f"RandomSampler: num_samples is {self.num_samples} for a data set of {size} samples",
                remedy="ask for fewer, or set replacement=True",
            )

    def __iter__(self) -> Iterator[int]:
        size, drawn = len(self.data_source), drawing(np.random if self.generator is None else self.generator)
        if isinstance(drawn, Iterator):
            return islice(drawn, self.num_samples)
        if not isinstance(drawn, np.random.Generator):
            return iter(drawn.choice(size, self.num_samples, self.replacement).tolist() if size else [])
        if self.replacement:
            return iter(drawn.integers(0, size, self.num_samples).tolist())
        return iter(drawn.permutation(size)[: self.num_samples].tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Lists of `batch_size` indices; the last one may be shorter unless `drop_last`.

    Give a `sampler`, or a `dataset` with `shuffle` on or off.
    Errors: ArgumentError for a batch size below 1, or for both or neither of `dataset` and `sampler`.

    >>> list(BatchSampler("abcde", batch_size=2))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(
        self,
        dataset: Sized | None = None,
        sampler: Iterable[int] | None = None,
        shuffle: bool = False,
        batch_size: int = 1,
        drop_last: bool = False,
        generator: int | np.random.Generator | None = None,
    ) -> None:
        self.sampler = _one_sampler(dataset, sampler, shuffle, generator)
        self.batch_size = batch_size
        self.drop_last = drop_last
        if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
            raise ArgumentError(f"batch_size must be an int of at least 1, got {batch_size!r}")

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := list(islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        size: int = len(sized(self.sampler))
        return size // self.batch_size if self.drop_last else -(-size // self.batch_size)


def _one_sampler(dataset: Sized | None, sampler: Iterable[int] | None, shuffle: bool, generator: Any) -> Iterable[int]:
    if (dataset is None) == (sampler is None):
        raise ArgumentError("BatchSampler takes either a dataset or a sampler")
    if sampler is not None:
        if shuffle:
            raise AssertedError("BatchSampler: a sampler has an order of its own, shuffle doesn't apply")
        return sampler
    assert dataset is not None  # the first test
    return RandomSampler(dataset, generator=generator) if shuffle else SequenceSampler(dataset)


def sized(sampler: Any) -> Sized:
    """The sampler itself if it has a length; TypeError otherwise."""
    if not isinstance(sampler, Sized):
        raise TypeError(f"{type(sampler).__name__} has no length")
    return sampler


def random_order(count: int, generator: int | np.random.Generator | None) -> list[int]:
    """The numbers below `count` in random order: by a seed or a NumPy generator, or else by the state of `vt.seed`."""
    if generator is not None:
        source = np.random.default_rng(generator)
        drawn: list[int] = (drawing(source) if source is generator else source).permutation(count).tolist()
        return drawn
    from ..dygraph.random_generators import randperm  # reading files and arrays works without eager mode loaded

    order: list[int] = randperm(count).tolist()
    return order


class SubsetRandomSampler(Sampler[int]):
    """The given indices in random order. Errors: ArgumentError for no indices.

    `generator`: a seed or a NumPy generator. Without it `vt.seed` decides, as in Paddle.

    >>> sorted(SubsetRandomSampler([4, 1, 7], generator=0))
    [1, 4, 7]
    """

    def __init__(self, indices: Iterable[int], generator: int | np.random.Generator | None = None) -> None:
        self.indices = list(indices)
        self.generator = None if generator is None else np.random.default_rng(generator)
        if not self.indices:
            raise ArgumentError("SubsetRandomSampler needs at least one index")

    def __iter__(self) -> Iterator[int]:
        return (self.indices[k] for k in random_order(len(self.indices), self.generator))

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """`num_samples` indices, index k as likely as `weights[k]` says; drawn from what RandomSampler draws from.

    Errors: ArgumentError for another count than an int above 0. A walk raises an AssertedError for weights that are
    negative or all zero, or too few of them without `replacement`.

    >>> set(WeightedRandomSampler([0.0, 1.0, 1.0], 20, generator=0))
    {1, 2}
    """

    def __init__(
        self,
        weights: Iterable[float],
        num_samples: int,
        replacement: bool = True,
        generator: int | np.random.Generator | None = None,
    ) -> None:
        if isinstance(num_samples, bool) or not isinstance(num_samples, (int, np.integer)) or num_samples < 1:
            raise ArgumentError(f"WeightedRandomSampler: num_samples must be an int above 0, not {num_samples!r}")
        if not isinstance(replacement, bool):
            raise ArgumentError(f"WeightedRandomSampler: replacement is True or False, not {replacement!r}")
        self.weights = np.asarray(getattr(weights, "numpy", lambda: list(weights))(), np.float64)
        self.num_samples, self.replacement = num_samples, replacement
        self.generator = None if generator is None else np.random.default_rng(generator)

    def __iter__(self) -> Iterator[int]:
        if self.weights.ndim != 1 or (self.weights < 0).any() or not self.weights.sum() > 0:
            raise AssertedError("WeightedRandomSampler: weights must be numbers of at least 0, not all 0")
        if not self.replacement and self.num_samples > np.count_nonzero(self.weights):
            raise AssertedError(
                f"WeightedRandomSampler: {self.num_samples} samples can't be drawn from these weights",
                remedy="ask for fewer, or set replacement=True",
            )
        chance = self.weights / self.weights.sum()
        choice = drawing(np.random if self.generator is None else self.generator).choice
        return iter(choice(len(chance), self.num_samples, self.replacement, chance).tolist())

    def __len__(self) -> int:
        return self.num_samples


class DistributedBatchSampler(BatchSampler):
    """Batches of this process's share of the samples: of each `num_replicas * batch_size` in a row it has its part.

    So the batches of all processes, joined in the order of their ranks, are those of one process with the whole batch
    size. What is left for the last batch is cut evenly; the first samples fill up. shuffle: each walk has another
    order, the same for all processes; `set_epoch(k)` before a walk chooses that of the k-th. num_replicas, rank: by
    default those of the run of several ranks that this process belongs to. The lists are those of PaddlePaddle 3.3,
    which fills up before it shuffles. as_one: fill up behind the shuffle, so that the order is that of one process,
    whatever the number of processes.

    >>> list(DistributedBatchSampler("abcde", 2, num_replicas=2, rank=1))
    [[2, 3], [0]]
    """

    def __init__(
        self,
        dataset: Sized,
        batch_size: int,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = False,
        drop_last: bool = False,
        *,
        as_one: bool = False,
    ) -> None:
        super().__init__(dataset, None, shuffle, batch_size, drop_last)
        self.as_one, self._skipped = as_one, 0
        self.dataset, self.size, self.shuffle, self.epoch = dataset, len(dataset), shuffle, 0
        now = transport()
        self.nranks = now.size if num_replicas is None else num_replicas
        self.local_rank = now.rank if rank is None else rank
        if not 0 <= self.local_rank < self.nranks:
            raise ArgumentError(f"rank must be from 0 to {self.nranks - 1}, got {self.local_rank}")
        self.num_samples = -(-self.size // self.nranks)
        self.total_size = self.num_samples * self.nranks

    def set_epoch(self, epoch: int) -> None:
        """Choose the order of the next walk."""
        self.epoch = epoch

    def skip(self, samples: int) -> None:
        """Leave out the first samples of the next walk, counted over all processes: others have had them.

        >>> sampler = DistributedBatchSampler("abcdefgh", 2, num_replicas=2, rank=0)
        >>> sampler.skip(4)
        >>> list(sampler), list(sampler)
        ([[4, 5]], [[0, 1], [4, 5]])
        """
        self._skipped = samples

    def _share(self) -> list[int]:
        order = np.resize(np.arange(self.size), self.size if self.as_one else self.total_size)
        if self.shuffle:
            drawing(np.random.RandomState(self.epoch)).shuffle(order)  # the next walk has the next epoch's order
            self.epoch += 1
        skipped, self._skipped = self._skipped, 0
        left_over = order[skipped:]
        total = -(-left_over.size // self.nranks) * self.nranks
        order = np.concatenate([left_over, np.resize(order, total - left_over.size)])
        last = total % (self.batch_size * self.nranks)
        rows = order[: total - last].reshape(-1, self.nranks, self.batch_size)[:, self.local_rank]
        left = order[total - last :].reshape(self.nranks, -1)[self.local_rank]
        share: list[int] = [*rows.reshape(-1).tolist(), *left.tolist()]
        return share

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self._share())
        while batch := list(islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        return self.num_samples // self.batch_size if self.drop_last else -(-self.num_samples // self.batch_size)

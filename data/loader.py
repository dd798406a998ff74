"""DataLoader: batches of a data set, made in this process, ahead of time by a thread if wanted."""

from __future__ import annotations

import contextvars
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from .collate import default_collate
from .dataset import IterableDataset
from .sampler import BatchSampler, sized

Collate = Callable[[list[Any]], Any]


class DataLoader:
    """Iterates over batches; each walk over a shuffled data set has another order.

    `dataset`: a Dataset, anything with a length and `[index]`, or an IterableDataset. `batch_size`: samples per batch;
    None gives the samples one by one, as they are. `shuffle`, `drop_last`: as they say. `batch_sampler` replaces the
    three. `collate_fn`: makes a batch of a list of samples (default: lists of Tensors). `generator`: a seed or a NumPy
    generator for shuffling; the same seed gives the same batches. `num_workers`: 0 makes batches when they are asked
    for, any other number makes them ahead in one thread (never in processes), at most `prefetch_factor` of them.
    Errors: ArgumentError for options that contradict each other; what a data set raises arrives unchanged.

    >>> from .collate import numpy_collate
    >>> from .dataset import TensorDataset
    >>> loader = DataLoader(TensorDataset([np.arange(5)]), batch_size=2, collate_fn=numpy_collate)
    >>> len(loader), [batch[0].tolist() for batch in loader]
    (3, [[0, 1], [2, 3], [4]])
    """

    def __init__(
        self,
        dataset: Any,
        batch_sampler: Iterable[list[int]] | None = None,
        batch_size: int | None = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Collate | None = None,
        num_workers: int = 0,
        prefetch_factor: int = 2,
        generator: int | np.random.Generator | None = None,
    ) -> None:
        if num_workers < 0 or prefetch_factor < 1:
            raise ArgumentError(
                f"DataLoader: num_workers must be at least 0 and prefetch_factor at least 1, "
                f"got {num_workers} and {prefetch_factor}"
            )
        self.dataset = dataset
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.collate_fn = collate_fn or default_collate
        self.prefetch = prefetch_factor if num_workers else 0
        self.streamed = isinstance(dataset, IterableDataset)
        self.batch_sampler = self._sampler(batch_sampler, shuffle, generator)

    def _sampler(
        self, given: Iterable[list[int]] | None, shuffle: bool, generator: int | np.random.Generator | None
    ) -> Iterable[list[int]] | None:
        if given is not None:
            if self.streamed or self.batch_size != 1 or shuffle or self.drop_last:
                raise ArgumentError(
                    "DataLoader: batch_sampler goes with an indexed data set, without batch_size, shuffle and drop_last"
                )
            return given
        if self.streamed:
            if shuffle:
                raise ArgumentError(
                    "DataLoader: an IterableDataset has an order of its own, it can't be shuffled",
                    remedy="shuffle inside the data set",
                )
            if self.batch_size is not None and self.batch_size < 1:
                raise ArgumentError(f"batch_size must be at least 1, got {self.batch_size}")
            return None
        size = 1 if self.batch_size is None else self.batch_size
        return BatchSampler(self.dataset, None, shuffle, size, self.drop_last, generator)

    def __iter__(self) -> Iterator[Any]:
        return _ahead(self._batches(), self.prefetch) if self.prefetch else self._batches()

    def __len__(self) -> int:
        if self.batch_sampler is None:
            raise TypeError("this DataLoader has no length: its data set is a stream")
        return len(sized(self.batch_sampler))

    def _batches(self) -> Iterator[Any]:
        for samples in self._sample_lists():
            yield samples[0] if self.batch_size is None else self.collate_fn(samples)

    def _sample_lists(self) -> Iterator[list[Any]]:
        if self.batch_sampler is not None:
            for indices in self.batch_sampler:
                yield [self.dataset[index] for index in indices]
            return
        stream, size = iter(self.dataset), 1 if self.batch_size is None else self.batch_size
        while samples := list(islice(stream, size)):
            if len(samples) == size or not self.drop_last:
                yield samples


@dataclass(frozen=True)
class _End:
    """What the thread sends last: nothing more, or the error that stopped it."""

    error: BaseException | None = None


def _ahead(source: Iterator[Any], depth: int) -> Iterator[Any]:
    """Walk `source` in a thread, at most `depth` items ahead; the thread ends with the walk, finished or not."""
    slots: queue.Queue[Any] = queue.Queue(depth)
    stop = threading.Event()

    def put(item: Any) -> None:
        while not stop.is_set():
            try:
                slots.put(item, timeout=0.05)
                return
            except queue.Full:
                continue  # look whether the walk has ended

    def fill() -> None:
        try:
            for item in source:
                put(item)
                if stop.is_set():
                    return
        except BaseException as error:  # broad: raised again by the walk, in the user's thread
            put(_End(error))
        else:
            put(_End())

    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(fill,), name="vitrify-prefetch", daemon=True)
    thread.start()
    try:
        while not isinstance(item := slots.get(), _End):
            yield item
        if item.error is not None:
            raise item.error
    finally:
        stop.set()
        thread.join()

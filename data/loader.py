"""DataLoader: batches of a data set, made in this process, by a thread ahead of time, or by worker processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice, takewhile
from typing import Any

import numpy as np

from ..base.boundary import created, shorten
from ..base.drawing import drawing
from ..base.errors import ArgumentError, KindError, VitrifyError
from .collate import as_tensors, default_collate, numpy_collate
from .dataset import IterableDataset
from .sampler import BatchSampler, sized
from .workers import Job, Workers

Collate = Callable[[list[Any]], Any]

_END = object()


@created
class DataLoader:
    """Iterates over batches; each walk over a shuffled data set has another order.

    `dataset`: a Dataset, anything with a length and `[index]`, or an IterableDataset. `batch_size`: samples per batch;
    None gives the samples one by one, arrays in them as Tensors; a `collate_fn` then takes each sample.
    `shuffle`, `drop_last`: as they say. `batch_sampler` replaces the three. `collate_fn`: makes a batch of a list of
    samples (default: lists of Tensors); arrays in what a function of the user's returns become Tensors, those of
    `numpy_collate` stay arrays. `num_workers`: how many
    processes fetch and collate, `prefetch_factor` batches ahead each; 0: this process does it. The order is the same
    with any number of workers. `worker_init_fn(number)` runs first in each; `timeout` (seconds, 0: none) bounds the
    wait for a batch; `persistent_workers`: keep them between walks. `generator`: a seed or a NumPy generator for
    shuffling; the same seed gives the same batches. `return_list=False` makes dicts of `feed_list`'s names.
    In static mode these come in a list, one for each of `places`; with several places each step has a list of as many
    batches, and what is left at the end is dropped.
    `use_buffer_reader`, `reader_buffer_size` and `use_shared_memory` have no effect on a CPU.
    Errors: ArgumentError for options that contradict each other; what a data set raises arrives unchanged, from a
    worker with its traceback as a note; DataError for a worker that died or a timeout.

    >>> from .collate import numpy_collate
    >>> from .dataset import TensorDataset
    >>> loader = DataLoader(TensorDataset([np.arange(5)]), batch_size=2, collate_fn=numpy_collate)
    >>> len(loader), [batch[0].tolist() for batch in loader]
    (3, [[0, 1], [2, 3], [4]])
    """

    def __init__(
        self,
        dataset: Any,
        feed_list: Any = None,
        places: Any = None,
        return_list: bool = True,
        batch_sampler: Iterable[list[int]] | None = None,
        batch_size: int | None = 1,
        shuffle: bool = False,
        drop_last: bool = False,
        collate_fn: Collate | None = None,
        num_workers: int = 0,
        use_buffer_reader: bool = True,
        prefetch_factor: int = 2,
        use_shared_memory: bool = True,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        persistent_workers: bool = False,
        generator: int | np.random.Generator | None = None,
        reader_buffer_size: int = 2,
    ) -> None:
        if num_workers < 0 or prefetch_factor < 1 or timeout < 0:
            raise ArgumentError(
                f"DataLoader: num_workers and timeout must be at least 0 and prefetch_factor at least 1, "
                f"got {num_workers}, {timeout} and {prefetch_factor}"
            )
        if not return_list and not feed_list:
            raise ArgumentError("DataLoader: return_list=False needs feed_list, the names of the fields")
        self.dataset = dataset
        self.feed_names = None if return_list else [getattr(f, "name", f) for f in feed_list]
        self.place_count = max(len(places), 1) if isinstance(places, (list, tuple)) else 1
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.collate_fn = collate_fn or default_collate
        self.convert_fn = collate_fn or as_tensors  # of single samples
        self.num_workers = num_workers
        self.prefetch_factor = prefetch_factor
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.persistent_workers = persistent_workers
        self.streamed = isinstance(dataset, IterableDataset)
        self.batch_sampler = self._sampler(batch_sampler, shuffle, generator)
        self._kept: Workers | None = None
        self.walks = 0

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
        batches = self._from_workers() if self.num_workers else self._batches()
        if self.batch_size is None:
            batches = (self.convert_fn(sample) for sample in batches)
        if self.collate_fn not in (default_collate, numpy_collate):
            batches = map(as_tensors, batches)
        batches = self._outside(batches)
        names = self.feed_names
        if names is not None:
            batches = (dict(zip(names, batch, strict=True)) for batch in batches)
        return self._by_place(batches)

    def _by_place(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Batches as a static program's places get them; eager mode has one place."""
        from ..ops.dispatch import current  # reading files and arrays works without operations loaded

        count = self.place_count
        if not current().is_static or (count == 1 and self.feed_names is None):
            return batches
        return takewhile(lambda step: len(step) == count, iter(lambda: list(islice(batches, count)), []))

    @staticmethod
    def _outside(batches: Iterator[Any]) -> Iterator[Any]:
        """The batches, made eagerly also while a static program is built."""
        from ..dygraph.modes import outside_static  # reading files and arrays works without eager mode loaded

        try:
            while True:
                with outside_static():
                    batch = next(batches, _END)
                if batch is _END:
                    return
                yield batch
        except VitrifyError as error:
            shorten(error)
            raise
        finally:
            close = getattr(batches, "close", None)
            if close is not None:
                close()

    def __call__(self) -> Iterator[Any]:
        """A walk, as `iter(loader)`."""
        return iter(self)

    def _from_workers(self) -> Iterator[Any]:
        drawing("the data set in worker processes")  # perhaps; nobody here would see it
        workers, self._kept = self._kept or self._start(), None
        finished = False
        try:
            if self.batch_size is None and not self.streamed:
                yield from workers.walk([k] for k in range(len(sized(self.dataset))))
            else:
                yield from workers.walk(self.batch_sampler)
            finished = True
        finally:
            if finished and self.persistent_workers and not self.streamed:
                self._kept = workers
            else:
                workers.close()

    def _start(self) -> Workers:
        self.walks += 1
        from ..dygraph.random_generators import (
            default_generator,  # reading files and arrays works without eager mode loaded
        )

        job = Job(self.dataset, self.collate_fn, self.streamed, self.batch_size, self.drop_last, self.worker_init_fn)
        seed = int(np.random.default_rng([self.walks, abs(default_generator.initial_seed())]).integers(2**31))
        return Workers(job, self.num_workers, self.prefetch_factor, self.timeout, seed)

    def __del__(self) -> None:
        kept = getattr(self, "_kept", None)
        if kept is not None:
            kept.close()

    def __len__(self) -> int:
        if self.batch_sampler is None:
            raise KindError("this DataLoader has no length: its data set is a stream")
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

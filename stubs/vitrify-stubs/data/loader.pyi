# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from collections.abc import Callable as _Callable
from collections.abc import Iterable as _Iterable
from collections.abc import Iterator as _Iterator
from numpy import Generator as _Generator
from typing import Any as _Any

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
    (3, [[0, 1], [2, 3], [4]])"""
    dataset: _Any
    feed_names: _Any
    place_count: _Any
    batch_size: _int | None
    drop_last: _bool
    collate_fn: _Any
    convert_fn: _Any
    num_workers: _int
    prefetch_factor: _int
    timeout: _float
    worker_init_fn: _Callable[[_int], None] | None
    persistent_workers: _bool
    streamed: _Any
    batch_sampler: _Any
    walks: _int
    def __init__(self, dataset: _Any, feed_list: _Any = None, places: _Any = None, return_list: _bool = True, batch_sampler: _Iterable[_list[_int]] | None = None, batch_size: _int | None = 1, shuffle: _bool = False, drop_last: _bool = False, collate_fn: _Callable[[_list[_Any]], _Any] | None = None, num_workers: _int = 0, use_buffer_reader: _bool = True, prefetch_factor: _int = 2, use_shared_memory: _bool = True, timeout: _float = 0, worker_init_fn: _Callable[[_int], None] | None = None, persistent_workers: _bool = False, generator: _int | _Generator | None = None, reader_buffer_size: _int = 2) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __iter__(self) -> _Iterator[_Any]: ...
    def __call__(self) -> _Iterator[_Any]:
        """A walk, as `iter(loader)`."""
    def __del__(self) -> None: ...
    def __len__(self) -> _int: ...

"""`DataLoader.from_generator` of Paddle 1.x and 2.x: batches from a Python generator, without workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, KindError, ModeError
from ..data import DataLoader as _DataLoader
from ..dygraph.dense import DenseTensor
from ..dygraph.eager import from_array
from ..dygraph.tensor import Tensor
from .older_helpers import EOFException

_root = __name__.partition(".")[0]


class DataLoaderBase:
    """What loaders of Paddle 1.x share: calling one gives its iterator, which each kind defines."""

    def __call__(self) -> Iterator[Any]:
        return iter(self)

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(f"{type(self).__name__} has no __iter__")

    def __next__(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no __next__: iterate over the loader")


class GeneratorLoader(DataLoaderBase):
    """Iterates over the batches of a generator: lists of tensors in eager mode (or with `return_list`), else lists
    with one dict of feeds by the names of `feed_list`.

    One that isn't iterable belongs to the program in which it is made: from `start()` on each run of the program takes
    a batch as its feed, until EOFException says that there is none left; `reset()` ends a walk.
    """

    def __init__(self, feed_list: Sequence[Any] | None, iterable: bool, return_list: bool, drop_last: bool) -> None:
        if not iterable:
            if import_module(_root).in_dynamic_mode():
                raise ModeError(
                    "from_generator(iterable=False) is for static programs", remedy="iterate over the loader"
                )
            import_module(_root).static.default_main_program().readers.append(self)
        self.iterable, self.return_list, self.drop_last = iterable, return_list, drop_last
        self.names = [x.name for x in feed_list or ()]
        self._walk: Iterator[Any] | None = None
        self._return_list, self._drop_last = return_list, drop_last
        self._batches: Callable[[], Iterator[Any]] | None = None

    def set_batch_generator(self, reader: Callable[[], Any], places: Any = None) -> GeneratorLoader:
        """`reader()` gives whole batches: one array per field."""
        self._batches = lambda: iter(reader())
        return self

    def set_sample_list_generator(self, reader: Callable[[], Any], places: Any = None) -> GeneratorLoader:
        """`reader()` gives batches as lists of samples, each a tuple of fields."""
        self._batches = lambda: (_joined(samples) for samples in reader())
        return self

    def set_sample_generator(
        self, reader: Callable[[], Any], batch_size: int, drop_last: bool = True, places: Any = None
    ) -> GeneratorLoader:
        """`reader()` gives samples, each a tuple of fields; batches of `batch_size` are made of them."""
        if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
            raise ArgumentError(f"set_sample_generator: batch_size must be an int above 0, not {batch_size!r}")
        self._batches = lambda: (_joined(samples) for samples in _groups(reader(), batch_size, drop_last))
        return self

    def start(self) -> None:
        """Begin to give batches to runs of the program. Errors: ModeError for a loader that is iterable, or walks."""
        if self.iterable:
            raise ModeError("start() is for loaders made with iterable=False", remedy="iterate over the loader")
        if self._walk is not None:
            raise ModeError("this loader has been started", remedy="call reset() first")
        self._walk = iter(self)

    def reset(self) -> None:
        """End a walk over the batches; `start()` begins another. Errors: ModeError for a loader that is iterable."""
        if self.iterable:
            raise ModeError("reset() is for loaders made with iterable=False", remedy="iterate over the loader anew")
        self._walk = None

    def next_feed(self) -> dict[str, Any]:
        """The next batch as a feed. Errors: ModeError before `start()`; EOFException where there is none left."""
        if self._walk is None:
            raise ModeError("the program's loader hasn't been started", remedy="call start() before Executor.run")
        batch = next(self._walk, None)
        if batch is None:
            raise EOFException("the program's loader has no more batches")
        return dict(zip(self.names, batch, strict=True)) if isinstance(batch[0], Tensor) else batch[0]

    def _reset(self) -> None:
        """Nothing: each walk over the loader starts the generator anew."""

    def __iter__(self) -> Iterator[Any]:
        if self._batches is None:
            raise ArgumentError("this loader has no generator", remedy="call set_batch_generator(reader) first")
        as_list = self._return_list or import_module(_root).in_dynamic_mode()
        for batch in self._batches():
            fields = [from_array(np.asarray(x)) for x in (batch if isinstance(batch, (list, tuple)) else [batch])]
            yield fields if as_list else [dict(zip(self.names, fields, strict=True))]


class SlotLoader(DataLoaderBase):
    """Iterates over the batches of a data set of slots: lists with one dict of feeds, as `Executor.run` takes them."""

    iterable = True

    def __init__(self, dataset: Any, drop_last: bool) -> None:
        self.dataset, self.drop_last = dataset, drop_last

    def __iter__(self) -> Iterator[list[dict[str, Any]]]:
        for feed in self.dataset.feeds(self.drop_last):
            yield [{name: DenseTensor(from_array(array)) for name, array in feed.items()}]


def _groups(samples: Any, size: int, drop_last: bool) -> Iterator[list[Any]]:
    found: list[Any] = []
    for sample in samples:
        found.append(sample)
        if len(found) == size:
            yield found
            found = []
    if found and not drop_last:
        yield found


def _joined(samples: Sequence[Any]) -> list[Any]:
    rows = [s if isinstance(s, (list, tuple)) else [s] for s in samples]
    return [np.stack([np.asarray(x) for x in column]) for column in zip(*rows, strict=True)]


def keep_data_loader_order(keep: bool | None = None) -> bool | None:
    """Nothing: batches come in their order. Without an argument True. Errors: KindError for anything but a bool."""
    if keep is not None and not isinstance(keep, bool):
        raise KindError(f"keep_data_loader_order takes True or False, not {keep!r}")
    return True if keep is None else None


class DataLoader(_DataLoader):
    """`io.DataLoader` with Paddle's older way of making one."""

    @staticmethod
    def from_generator(
        feed_list: Sequence[Any] | None = None, capacity: int | None = None, use_double_buffer: bool = True,
        iterable: bool = True, return_list: bool = False, use_multiprocess: bool = False, drop_last: bool = True,
    ) -> GeneratorLoader:  # fmt: skip
        """A loader that a generator is given to; capacity, double buffer and processes are accepted and ignored.

        iterable=False: for static programs, see `GeneratorLoader`. Errors: ModeError for it in eager mode.

        >>> loader = DataLoader.from_generator(capacity=2)
        >>> [x.tolist() for x, in loader.set_batch_generator(lambda: ([[k]] for k in range(2)))]
        [[0], [1]]
        """
        return GeneratorLoader(feed_list, iterable, return_list, drop_last)

    @staticmethod
    def from_dataset(dataset: Any, places: Any = None, drop_last: bool = True) -> SlotLoader:
        """A loader over the batches of a `distributed.QueueDataset` or `InMemoryDataset`, for `Executor.run`."""
        return SlotLoader(dataset, drop_last)

# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from collections.abc import Iterable as _Iterable
from collections.abc import Iterator as _Iterator
from collections.abc import Sized as _Sized
from numpy import Generator as _Generator
from typing import Any as _Any
from typing import Generic as _Generic
from typing import TypeVar as _TypeVar
from vitrify.base.boundary import Created as _Created

class BatchSampler(Sampler[_list[_int]]):
    """Lists of `batch_size` indices; the last one may be shorter unless `drop_last`.

    Give a `sampler`, or a `dataset` with `shuffle` on or off.
    Errors: ArgumentError for a batch size below 1, or for both or neither of `dataset` and `sampler`.

    >>> list(BatchSampler("abcde", batch_size=2))
    [[0, 1], [2, 3], [4]]"""
    sampler: _Any
    batch_size: _int
    drop_last: _bool
    def __init__(self, dataset: _Sized | None = None, sampler: _Iterable[_int] | None = None, shuffle: _bool = False, batch_size: _int = 1, drop_last: _bool = False, generator: _int | _Generator | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __iter__(self) -> _Iterator[_list[_int]]:
        """A fresh walk over the indices."""
    def __len__(self) -> _int: ...

class Sampler(_Created, _Generic[_T_co]):
    """Yields indices; a subclass gives `__iter__` and, where it has one, `__len__`."""
    data_source: _Any
    def __init__(self, data_source: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __iter__(self) -> _Iterator[_T_co]:
        """A fresh walk over the indices."""

_T_co = _TypeVar("_T_co")

class DistributedBatchSampler(Sampler[_list[_int]]):
    """Batches of this process's share of the samples: of each `num_replicas * batch_size` in a row it has its part.

    So the batches of all processes, joined in the order of their ranks, are those of one process with the whole batch
    size. What is left for the last batch is cut evenly; the first samples fill up. shuffle: each walk has another
    order, the same for all processes; `set_epoch(k)` before a walk chooses that of the k-th. num_replicas, rank: by
    default those of the run of several ranks that this process belongs to. The lists are those of PaddlePaddle 3.3,
    which fills up before it shuffles. as_one: fill up behind the shuffle, so that the order is that of one process,
    whatever the number of processes.

    >>> list(DistributedBatchSampler("abcde", 2, num_replicas=2, rank=1))
    [[2, 3], [0]]"""
    as_one: _bool
    dataset: _Sized
    size: _Any
    shuffle: _bool
    epoch: _int
    nranks: _Any
    local_rank: _Any
    num_samples: _Any
    total_size: _Any
    def __init__(self, dataset: _Sized, batch_size: _int, num_replicas: _int | None = None, rank: _int | None = None, shuffle: _bool = False, drop_last: _bool = False, *, as_one: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def set_epoch(self, epoch: _int) -> None:
        """Choose the order of the next walk."""
    def skip(self, samples: _int) -> None:
        """Leave out the first samples of the next walk, counted over all processes: others have had them.

        >>> sampler = DistributedBatchSampler("abcdefgh", 2, num_replicas=2, rank=0)
        >>> sampler.skip(4)
        >>> list(sampler), list(sampler)
        ([[4, 5]], [[0, 1], [4, 5]])"""
    def __iter__(self) -> _Iterator[_list[_int]]:
        """A fresh walk over the indices."""
    def __len__(self) -> _int: ...

class RandomSampler(Sampler[_int]):
    """The indices in random order, another one at each walk.

    `replacement`: draw with repetition; `num_samples`: how many to draw (default: all). `generator`: a seed or a NumPy
    generator, so that two samplers with the same seed give the same sequence of walks; or an iterator of indices.
    Without it NumPy's global state (`np.random.seed`) decides, as in Paddle.
    Errors: ArgumentError if more samples are asked for than there are and `replacement` is off.

    >>> sorted(RandomSampler("abcd", generator=7))
    [0, 1, 2, 3]"""
    data_source: _Sized
    replacement: _bool
    generator: _Any
    num_samples: _Any
    def __init__(self, data_source: _Sized, replacement: _bool = False, num_samples: _int | None = None, generator: _int | _Generator | _Iterator[_int] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __iter__(self) -> _Iterator[_int]:
        """A fresh walk over the indices."""
    def __len__(self) -> _int: ...

class SequenceSampler(Sampler[_int]):
    """0, 1, 2, ... to the end of the data set.

    >>> list(SequenceSampler("abc"))
    [0, 1, 2]"""
    data_source: _Sized
    def __init__(self, data_source: _Sized) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __iter__(self) -> _Iterator[_int]:
        """A fresh walk over the indices."""
    def __len__(self) -> _int: ...

class SubsetRandomSampler(Sampler[_int]):
    """The given indices in random order. Errors: ArgumentError for no indices.

    `generator`: a seed or a NumPy generator. Without it `vt.seed` decides, as in Paddle.

    >>> sorted(SubsetRandomSampler([4, 1, 7], generator=0))
    [1, 4, 7]"""
    indices: _Any
    generator: _Any
    def __init__(self, indices: _Iterable[_int], generator: _int | _Generator | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __iter__(self) -> _Iterator[_int]:
        """A fresh walk over the indices."""
    def __len__(self) -> _int: ...

class WeightedRandomSampler(Sampler[_int]):
    """`num_samples` indices, index k as likely as `weights[k]` says; drawn from what RandomSampler draws from.

    Errors: ArgumentError for another count than an int above 0. A walk raises an AssertedError for weights that are
    negative or all zero, or too few of them without `replacement`.

    >>> set(WeightedRandomSampler([0.0, 1.0, 1.0], 20, generator=0))
    {1, 2}"""
    weights: _Any
    num_samples: _int
    replacement: _bool
    generator: _Any
    def __init__(self, weights: _Iterable[_float], num_samples: _int, replacement: _bool = True, generator: _int | _Generator | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __iter__(self) -> _Iterator[_int]:
        """A fresh walk over the indices."""
    def __len__(self) -> _int: ...

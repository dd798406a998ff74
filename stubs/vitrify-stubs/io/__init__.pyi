# Written by `make stubs`; edits here are lost.

"""The input pipeline: data sets, samplers, loaders."""

from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Sequence as _Sequence
from numpy import Generator as _Generator
from numpy import dtype as _dtype
from numpy import ndarray as _ndarray
from pathlib import Path as _Path
from typing import Any as _Any
from typing import TypeVar as _TypeVar
from vitrify.data.combined import ChainDataset as ChainDataset
from vitrify.data.combined import ComposeDataset as ComposeDataset
from vitrify.data.combined import ConcatDataset as ConcatDataset
from vitrify.data.dataset import Dataset as Dataset
from vitrify.data.dataset import Dataset as _Dataset
from vitrify.data.dataset import IterableDataset as IterableDataset
from vitrify.data.dataset import Subset as Subset
from vitrify.data.dataset import Subset as _Subset
from vitrify.data.dataset import TensorDataset as TensorDataset
from vitrify.data.datasets import Digits as Digits
from vitrify.data.datasets import MNIST as MNIST
from vitrify.data.loader import DataLoader as DataLoader
from vitrify.data.sampler import BatchSampler as BatchSampler
from vitrify.data.sampler import DistributedBatchSampler as DistributedBatchSampler
from vitrify.data.sampler import RandomSampler as RandomSampler
from vitrify.data.sampler import Sampler as Sampler
from vitrify.data.sampler import SequenceSampler as SequenceSampler
from vitrify.data.sampler import SubsetRandomSampler as SubsetRandomSampler
from vitrify.data.sampler import WeightedRandomSampler as WeightedRandomSampler
from vitrify.data.workers import WorkerInfo as WorkerInfo
from vitrify.data.workers import WorkerInfo as _WorkerInfo

def default_collate(samples: _Sequence[_Any]) -> _Any:
    """Stack samples into Tensors: arrays, Tensors and numbers of shape [...] become [n, ...].

    A tuple or list of fields becomes a list, a dict stays a dict, strings stay a list of strings.
    Dtypes: arrays keep theirs; Python floats become the default dtype, ints int64.
    Errors: DataError if the samples differ in structure or shape, or hold something that can't be stacked."""

def get_worker_info() -> _WorkerInfo | None:
    """In a worker process, facts about it; None in the main process.

    >>> get_worker_info() is None
    True"""

def numpy_collate(samples: _Sequence[_Any]) -> _Any:
    """The same with NumPy arrays in place of Tensors.

    >>> numpy_collate([(np.zeros(2), 1), (np.ones(2), 0)])
    [array([[0., 0.],
           [1., 1.]]), array([1, 0])]"""

_S = _TypeVar("_S")

def random_split(dataset: _Dataset[_S], lengths: _Sequence[_int | _float], generator: _int | _Generator | None = None) -> _list[_Subset[_S]]:
    """Cut a data set into random parts without overlap.

    `lengths`: sample counts that add up to the size, or fractions that add up to 1 (what rounding leaves over goes
    to the first parts, one each). `generator`: a seed or a NumPy generator; the same seed gives the same parts. Without
    it `vt.seed` decides, as in Paddle.
    Errors: ArgumentError if the lengths don't add up.

    >>> [len(part) for part in random_split(TensorDataset([np.arange(10)]), [0.75, 0.25], generator=0)]
    [8, 2]"""

def read_idx(path: _str | _Path) -> _ndarray[_tuple[_Any, ...], _dtype[_Any]]:
    """Read an IDX file, plain or gzipped (told by its first bytes, not by its name), as a native array.

    Shapes and dtypes: as the file says (u8, i8, i16, i32, f32, f64).
    Errors: DataNotFoundError if there is no such file; DataError, naming file and reason, if it is no IDX file,
    truncated, longer than announced, or damaged.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "labels-idx1-ubyte")
    ...     _ = file.write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 3, 7, 2, 1]))
    ...     read_idx(file)
    array([7, 2, 1], dtype=uint8)"""

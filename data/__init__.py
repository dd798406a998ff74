"""The input pipeline: data sets, samplers, loaders, readers of file formats."""

from .collate import default_collate, numpy_collate
from .combined import ChainDataset, ComposeDataset, ConcatDataset
from .dataset import Dataset, IterableDataset, Subset, TensorDataset, random_split
from .datasets import MNIST, Digits
from .idx import read_idx
from .loader import DataLoader
from .sampler import (
    BatchSampler,
    DistributedBatchSampler,
    RandomSampler,
    Sampler,
    SequenceSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
from .workers import WorkerInfo, get_worker_info

__all__ = [
    "MNIST",
    "BatchSampler",
    "ChainDataset",
    "ComposeDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "Digits",
    "DistributedBatchSampler",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequenceSampler",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "WorkerInfo",
    "default_collate",
    "get_worker_info",
    "numpy_collate",
    "random_split",
    "read_idx",
]

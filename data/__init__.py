"""The input pipeline: data sets, samplers, loaders, readers of file formats."""

from .collate import default_collate, numpy_collate
from .dataset import Dataset, IterableDataset, Subset, TensorDataset, random_split
from .datasets import MNIST, Digits
from .idx import read_idx
from .loader import DataLoader
from .sampler import BatchSampler, RandomSampler, Sampler, SequenceSampler

__all__ = [
    "MNIST",
    "BatchSampler",
    "DataLoader",
    "Dataset",
    "Digits",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequenceSampler",
    "Subset",
    "TensorDataset",
    "default_collate",
    "numpy_collate",
    "random_split",
    "read_idx",
]

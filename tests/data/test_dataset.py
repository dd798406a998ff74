"""Data sets, their subsets and splits."""

from __future__ import annotations

import numpy as np
import pytest

from vitrify.base.errors import ArgumentError
from vitrify.data import Dataset, IterableDataset, Subset, TensorDataset, random_split


def numbers(n: int) -> TensorDataset:
    return TensorDataset([np.arange(n), -np.arange(n)])


def test_a_sample_holds_one_row_of_each_tensor() -> None:
    data = numbers(5)
    assert len(data) == 5
    assert data[3] == (3, -3)


@pytest.mark.parametrize("tensors", [[], [np.zeros(3), np.zeros(4)], [np.float32(1)]])
def test_tensors_without_equal_first_dimensions_are_refused(tensors: list[np.ndarray]) -> None:
    with pytest.raises(ArgumentError, match="equal first dimensions"):
        TensorDataset(tensors)


def test_base_classes_name_what_is_missing() -> None:
    class Empty(Dataset[int]):
        pass

    class Stream(IterableDataset[int]):
        pass

    with pytest.raises(NotImplementedError, match="Empty has no __getitem__"):
        Empty()[0]
    with pytest.raises(NotImplementedError, match="Empty has no __len__"):
        len(Empty())
    with pytest.raises(NotImplementedError, match="Stream has no __iter__"):
        iter(Stream())


def test_a_subset_keeps_its_order() -> None:
    part = Subset(numbers(5), [4, -5, 4])
    assert [part[k][0] for k in range(len(part))] == [4, 0, 4]


def test_a_subset_refuses_indices_outside() -> None:
    with pytest.raises(ArgumentError, match="index 5 is outside a data set of 5"):
        Subset(numbers(5), [0, 5])


@pytest.mark.parametrize(
    ("lengths", "sizes"),
    [([7, 3], [7, 3]), ([0.5, 0.5], [5, 5]), ([0.75, 0.25], [8, 2]), ([1.0], [10]), ([0, 10], [0, 10])],
)
def test_a_split_has_no_overlap_and_leaves_nothing_out(lengths: list[float], sizes: list[int]) -> None:
    parts = random_split(numbers(10), lengths, generator=3)
    assert [len(part) for part in parts] == sizes
    assert sorted(index for part in parts for index in part.indices) == list(range(10))


def test_a_split_is_decided_by_its_seed() -> None:
    first, again, other = (random_split(numbers(50), [25, 25], generator=seed)[0].indices for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("lengths", [[5, 4], [0.5, 0.4], [11, -1], [5.5, 4.5], []])
def test_lengths_that_do_not_add_up_are_refused(lengths: list[float]) -> None:
    with pytest.raises(ArgumentError, match="don't add up to the 10 samples"):
        random_split(numbers(10), lengths)

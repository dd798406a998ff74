"""Data sets made of others, and samplers that choose."""

from __future__ import annotations

import numpy as np
import pytest

from vitrify.base.errors import ArgumentError
from vitrify.data import (
    ChainDataset,
    ComposeDataset,
    ConcatDataset,
    DistributedBatchSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)


def test_one_after_the_other() -> None:
    both = ConcatDataset(["ab", "", "cde"])
    assert [both[k] for k in range(-5, 5)] == list("abcdeabcde")
    with pytest.raises(IndexError, match="5 samples"):
        both[5]
    with pytest.raises(ArgumentError, match="ChainDataset"):
        ConcatDataset([ChainDataset([])])
    assert list(ChainDataset([[1], [], [2, 3]])) == [1, 2, 3]


def test_side_by_side() -> None:
    rows = ComposeDataset([[(1, 2), (3, 4)], [5, 6]])
    assert [rows[k] for k in range(len(rows))] == [(1, 2, 5), (3, 4, 6)]
    with pytest.raises(ArgumentError, match="equal length"):
        ComposeDataset(["ab", "c"])


def test_chosen_samples() -> None:
    walk = SubsetRandomSampler([3, 5, 9], generator=1)
    assert (sorted(walk), len(walk)) == ([3, 5, 9], 3)
    drawn = np.bincount(list(WeightedRandomSampler([1, 0, 3], 4000, generator=2)), minlength=3) / 4000
    np.testing.assert_allclose(drawn, [0.25, 0, 0.75], atol=0.03)
    assert sorted(WeightedRandomSampler([1, 2, 3], 3, replacement=False, generator=0)) == [0, 1, 2]


@pytest.mark.parametrize(("weights", "count"), [([-1, 2], 1), ([0, 0], 1), ([1, 0], 2), ([1], 0)])
def test_weights_that_can_not_be_drawn_from(weights: list[float], count: int) -> None:
    with pytest.raises(ArgumentError, match="WeightedRandomSampler"):
        WeightedRandomSampler(weights, count, replacement=False)


@pytest.mark.parametrize("shuffle", [False, True])
def test_the_shares_of_processes_cover_all(shuffle: bool) -> None:
    shares = [DistributedBatchSampler(range(10), 2, 3, rank, shuffle) for rank in range(3)]
    first = [[k for batch in share for k in batch] for share in shares]
    assert {k for share in first for k in share} == set(range(10))
    assert [len(share) for share in first] == [4, 4, 4]
    assert [len(share) for share in shares] == [2, 2, 2]
    shares[0].set_epoch(1)
    assert ([k for batch in shares[0] for k in batch] == first[0]) != shuffle
    with pytest.raises(ArgumentError, match="rank"):
        DistributedBatchSampler(range(3), 1, 2, 2)

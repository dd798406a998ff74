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

# What PaddlePaddle 3.3.1 gives for a shuffle.
PADDLE_SHUFFLED = [[[4, 0], [9, 3]], [[0, 9, 7, 13]], [[1, 10, 0, 0]], [[10, 0, 11, 7]]]


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
        iter(WeightedRandomSampler(weights, count, replacement=False))


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 8])
def test_the_batches_of_processes_are_those_of_one(ranks: int, shuffle: bool) -> None:
    """Joined in the order of ranks; the last batch is filled up with the first samples."""
    size, whole = 100, 24
    settings = {"shuffle": shuffle, "as_one": True}
    one = [k for batch in DistributedBatchSampler(range(size), whole, 1, 0, **settings) for k in batch]
    each = [list(DistributedBatchSampler(range(size), whole // ranks, ranks, k, **settings)) for k in range(ranks)]
    joined = [k for parts in zip(*each, strict=True) for part in parts for k in part]
    assert joined == (one + one)[: -(-size // ranks) * ranks]
    assert all(len({len(part) for part in parts}) == 1 for parts in zip(*each, strict=True))


def test_index_lists_are_those_of_paddle() -> None:
    """What PaddlePaddle 3.3.1 gives."""
    lists = [list(DistributedBatchSampler(range(11), 2, 2, rank)) for rank in range(2)]
    assert lists == [[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 0]]]
    assert list(DistributedBatchSampler(range(10), 2, 3, 1, True)) == PADDLE_SHUFFLED[0]
    sampler = DistributedBatchSampler(range(17), 4, 3, 2, True, drop_last=True)
    assert [list(sampler), list(sampler)] == PADDLE_SHUFFLED[1:3] and len(sampler) == 1
    sampler.set_epoch(7)
    assert list(sampler) == PADDLE_SHUFFLED[3]
    assert list(DistributedBatchSampler(range(1), 2, 5, 3)) == [[0]]


def test_each_walk_has_the_next_order() -> None:
    sampler = DistributedBatchSampler(range(10), 2, 3, 0, True)
    first, second = list(sampler), list(sampler)
    assert first != second and (sampler.epoch, len(sampler)) == (2, 2)
    sampler.set_epoch(0)
    assert list(sampler) == first
    with pytest.raises(ArgumentError, match="rank"):
        DistributedBatchSampler(range(3), 1, 2, 2)

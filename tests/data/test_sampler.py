"""Samplers: order, batches, seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError
from vitrify.data import BatchSampler, RandomSampler, Sampler, SequenceSampler, WeightedRandomSampler

DATA = range(10)


def test_a_sequence_goes_from_first_to_last() -> None:
    sampler = SequenceSampler(DATA)
    assert list(sampler) == list(range(10))
    assert len(sampler) == 10


def test_a_random_walk_visits_each_sample_once() -> None:
    sampler = RandomSampler(DATA, generator=0)
    first, second = list(sampler), list(sampler)
    assert sorted(first) == sorted(second) == list(range(10))
    assert first != second
    assert all(type(index) is int for index in first)


def test_two_samplers_with_one_seed_walk_alike() -> None:
    one, two = RandomSampler(DATA, generator=5), RandomSampler(DATA, generator=np.random.default_rng(5))
    assert [list(one), list(one)] == [list(two), list(two)]


def test_replacement_may_draw_more_than_there_are() -> None:
    sampler = RandomSampler(DATA, replacement=True, num_samples=100, generator=0)
    drawn = list(sampler)
    assert len(drawn) == len(sampler) == 100
    assert set(drawn) <= set(DATA)


@pytest.mark.parametrize("options", [{"num_samples": 11}, {"num_samples": -1}])
def test_too_many_samples_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match="num_samples"):
        RandomSampler(DATA, **options)


def test_an_empty_data_set_has_no_samples_to_repeat() -> None:
    assert list(RandomSampler([])) == []
    with pytest.raises(ArgumentError):
        RandomSampler([], replacement=True, num_samples=3)


@pytest.mark.parametrize(("drop_last", "sizes"), [(False, [4, 4, 2]), (True, [4, 4])])
def test_batches_have_the_asked_size(drop_last: bool, sizes: list[int]) -> None:
    sampler = BatchSampler(DATA, batch_size=4, drop_last=drop_last)
    assert [len(batch) for batch in sampler] == sizes
    assert len(sampler) == len(sizes)


def test_batches_of_a_given_sampler() -> None:
    assert list(BatchSampler(sampler=[3, 1, 2], batch_size=2)) == [[3, 1], [2]]


@pytest.mark.parametrize(
    "options",
    [
        {"dataset": DATA, "batch_size": 0},
        {"dataset": DATA, "batch_size": 2.0},
        {"dataset": DATA, "batch_size": True},
        {},
        {"dataset": DATA, "sampler": [1]},
        {"sampler": [1], "shuffle": True},
    ],
)
def test_contradicting_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        BatchSampler(**options)


def test_a_sampler_without_length_gives_batches_without_length() -> None:
    class Endless(Sampler[int]):
        def __iter__(self):  # type: ignore[no-untyped-def]
            return iter(range(3))

    batches = BatchSampler(sampler=Endless(), batch_size=2)
    assert list(batches) == [[0, 1], [2]]
    with pytest.raises(TypeError, match="Endless has no length"):
        len(batches)
    with pytest.raises(NotImplementedError):
        iter(Sampler())


def test_without_a_generator_numpys_global_state_decides() -> None:
    weights = [0.1, 0.3, 0.5, 0.7, 0.2]
    for make in (
        lambda: RandomSampler(range(100)),
        lambda: RandomSampler(range(100), replacement=True, num_samples=7),
        lambda: WeightedRandomSampler(weights, 5),
    ):
        np.random.seed(2023)
        first = list(make())
        np.random.seed(2023)
        assert list(make()) == first
    np.random.seed(2023)
    assert list(WeightedRandomSampler(weights, 5)) == [2, 4, 3, 1, 1]  # as Paddle
    np.random.seed(2023)
    assert list(RandomSampler(range(100)))[:4] == np.random.RandomState(2023).permutation(100)[:4].tolist()
    assert list(RandomSampler(range(9), generator=iter([3, 1, 2]), num_samples=2)) == [3, 1]
    assert list(RandomSampler([])) == []


def test_what_draws_without_a_generator_follows_the_seed():
    data = vt.io.TensorDataset([np.arange(9)])

    def drawn(seed):
        vt.seed(seed)
        return [p.indices for p in vt.io.random_split(data, [4, 5])], list(vt.io.SubsetRandomSampler(range(9)))

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_what_samplers_assert() -> None:
    with pytest.raises(NotImplementedError):
        iter(Sampler([1, 2]))
    with pytest.raises(AssertionError, match="order of its own"):
        BatchSampler(sampler=RandomSampler([1, 2]), shuffle=True)
    for weights, count, replacement in (([0.0, 0.0], 1, True), ([-1.0, 2.0], 1, True), ([0.0, 1.0], 2, False)):
        sampler = WeightedRandomSampler(weights, count, replacement)
        with pytest.raises(AssertionError, match="WeightedRandomSampler"):
            iter(sampler)
    for wrong in (2.3, -1, True):
        with pytest.raises(ArgumentError, match="int above 0"):
            WeightedRandomSampler([1.0], wrong)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="True or False"):
        WeightedRandomSampler([1.0], 1, 5)  # type: ignore[arg-type]

"""DataLoader and collation: batches, seeds, prefetching, errors."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import ArgumentError, DataError
from vitrify.data import DataLoader, Dataset, IterableDataset, TensorDataset, numpy_collate


class Stream(IterableDataset[int]):
    def __iter__(self) -> Iterator[int]:
        return iter(range(5))


class Failing(Dataset[int]):
    def __getitem__(self, index: int) -> int:
        if index == 3:
            raise OSError("disk gone")
        return index

    def __len__(self) -> int:
        return 8


def loader(data: Any, **options: Any) -> DataLoader:
    return DataLoader(data, collate_fn=numpy_collate, **options)


def pairs(n: int) -> TensorDataset:
    return TensorDataset([np.arange(2 * n, dtype=np.float32).reshape(n, 2), np.arange(n)])


def prefetching() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "vitrify-prefetch"]


@pytest.mark.parametrize("workers", [0, 1])
def test_batches_are_lists_of_stacked_fields(workers: int) -> None:
    batches = list(loader(pairs(5), batch_size=2, num_workers=workers))
    assert [batch[0].shape for batch in batches] == [(2, 2), (2, 2), (1, 2)]
    assert np.concatenate([batch[1] for batch in batches]).tolist() == [0, 1, 2, 3, 4]
    assert batches[0][0].dtype == np.float32


@pytest.mark.parametrize("workers", [0, 1])
def test_one_seed_gives_the_same_epochs(workers: int) -> None:
    def epochs(seed: int) -> list[list[int]]:
        walk = loader(pairs(20), batch_size=4, shuffle=True, generator=seed, num_workers=workers)
        return [np.concatenate([batch[1] for batch in walk]).tolist() for _ in range(2)]

    first, again, other = epochs(1), epochs(1), epochs(2)
    assert first == again != other
    assert first[0] != first[1]
    assert sorted(first[0]) == list(range(20))


def test_drop_last_and_length() -> None:
    assert len(loader(pairs(5), batch_size=2)) == 3
    short = loader(pairs(5), batch_size=2, drop_last=True)
    assert len(short) == len(list(short)) == 2


def test_a_batch_sampler_replaces_size_and_order() -> None:
    walk = loader(pairs(5), batch_sampler=[[4, 0], [1]])
    assert [batch[1].tolist() for batch in walk] == [[4, 0], [1]]
    assert len(walk) == 2


@pytest.mark.parametrize("drop_last", [False, True])
def test_a_stream_is_cut_into_batches(drop_last: bool) -> None:
    walk = loader(Stream(), batch_size=2, drop_last=drop_last)
    assert [batch.tolist() for batch in walk] == [[0, 1], [2, 3], [4]][: 2 if drop_last else 3]
    with pytest.raises(TypeError, match="no length"):
        len(walk)


def test_without_a_batch_size_samples_come_as_they_are() -> None:
    assert list(DataLoader(Stream(), batch_size=None)) == [0, 1, 2, 3, 4]
    assert [label for _, label in DataLoader(pairs(3), batch_size=None)] == [0, 1, 2]


@pytest.mark.parametrize(
    "options",
    [
        {"batch_size": 0},
        {"num_workers": -1},
        {"prefetch_factor": 0},
        {"batch_sampler": [[0]], "shuffle": True},
        {"batch_sampler": [[0]], "batch_size": 2},
    ],
)
def test_contradicting_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError):
        loader(pairs(3), **options)


def test_a_stream_can_not_be_shuffled() -> None:
    with pytest.raises(ArgumentError, match="can't be shuffled"):
        loader(Stream(), shuffle=True)
    with pytest.raises(ArgumentError, match="batch_size"):
        loader(Stream(), batch_size=0)


@pytest.mark.parametrize("workers", [0, 1])
def test_an_error_of_the_data_set_arrives_unchanged(workers: int) -> None:
    seen = []
    with pytest.raises(OSError, match="disk gone"):
        for batch in loader(Failing(), batch_size=2, num_workers=workers):
            seen.append(batch.tolist())
    assert seen == [[0, 1]]
    assert prefetching() == []


def test_the_thread_ends_when_the_walk_is_left_early() -> None:
    walk = iter(loader(pairs(1000), num_workers=1))
    next(walk)
    assert len(prefetching()) == 1
    walk.close()  # type: ignore[attr-defined]
    assert prefetching() == []


def test_the_thread_stays_no_more_than_its_depth_ahead() -> None:
    made = []

    class Counting(Dataset[int]):
        def __getitem__(self, index: int) -> int:
            made.append(index)
            return index

        def __len__(self) -> int:
            return 100

    walk = iter(loader(Counting(), num_workers=1, prefetch_factor=3))
    next(walk)
    time.sleep(0.2)
    assert 1 < len(made) <= 1 + 3 + 1
    walk.close()  # type: ignore[attr-defined]


def test_collation_keeps_the_structure() -> None:
    samples = [{"x": (np.zeros(2), 1), "name": "a", "ok": True}, {"x": (np.ones(2), 2), "name": "b", "ok": False}]
    batch = numpy_collate(samples)
    assert batch["name"] == ["a", "b"]
    assert batch["ok"].dtype == np.bool_
    assert batch["x"][0].shape == (2, 2)
    assert batch["x"][1].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ([np.zeros(2), np.zeros(3)], r"shapes \(2,\) in the first, \(3,\) in number 1"),
        ([(1, 2), (1,)], "lengths 2 in the first, 1"),
        ([(1, np.zeros(2)), (1, np.zeros(3))], r"sample\[1\] has shapes"),
        ([{"a": 1}, {"b": 1}], "keys"),
        ([{"a": 1}, 3], "keys"),
        ([object(), object()], "sample is a object, which can't be stacked"),
        ([None, None], "NoneType"),
    ],
)
def test_samples_that_do_not_stack_are_refused(samples: list[Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        numpy_collate(samples)


def test_the_default_batches_are_tensors() -> None:
    tensor = pytest.importorskip("vitrify.dygraph.tensor")
    images, labels = next(iter(DataLoader(pairs(4), batch_size=4)))
    assert isinstance(images, tensor.Tensor)
    assert isinstance(labels, tensor.Tensor)
    assert list(images.shape) == [4, 2]
    assert labels.numpy().dtype == np.int64

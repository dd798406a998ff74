"""DataLoader and collation: batches, seeds, prefetching, errors."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, DataError
from vitrify.data import DataLoader, Dataset, IterableDataset, TensorDataset, get_worker_info, numpy_collate


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


def working() -> list[Any]:
    return [process for process in multiprocessing.active_children() if process.name.startswith("vitrify-worker")]


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_batches_are_lists_of_stacked_fields(workers: int) -> None:
    batches = list(loader(pairs(5), batch_size=2, num_workers=workers))
    assert [batch[0].shape for batch in batches] == [(2, 2), (2, 2), (1, 2)]
    assert np.concatenate([batch[1] for batch in batches]).tolist() == [0, 1, 2, 3, 4]
    assert batches[0][0].dtype == np.float32


@pytest.mark.parametrize("workers", [0, 1, 3])
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
    assert [label + 1 for label in DataLoader(Stream(), batch_size=None, collate_fn=lambda k: k * 2)] == [1, 3, 5, 7, 9]


def test_tuples_of_samples_are_lists_as_in_paddle() -> None:
    samples = [(np.ones(2), (k, {"x": (np.ones(1), "a")})) for k in range(2)]
    (image, (label, named)), _ = first = list(DataLoader(samples, batch_size=None))
    assert [type(part) for part in (first[0], first[0][1], named, named["x"])] == [list, list, dict, list]
    assert (image.shape, label, named["x"][1]) == ([2], 0, "a")
    (batch,) = DataLoader(samples, batch_size=2, collate_fn=tuple)
    assert [type(batch), type(batch[0]), type(batch[0][0]).__name__] == [list, list, "Tensor"]


@pytest.mark.parametrize("workers", [0, 1])
def test_arrays_of_single_samples_become_tensors(workers: int) -> None:
    for image, label in DataLoader(pairs(3), batch_size=None, num_workers=workers):
        assert type(image).__name__ == "Tensor"
        assert int(label) in (0, 1, 2)


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


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_an_error_of_the_data_set_arrives_unchanged(workers: int) -> None:
    seen = []
    with pytest.raises(OSError, match="disk gone"):
        for batch in loader(Failing(), batch_size=2, num_workers=workers):
            seen.append(batch.tolist())
    assert seen == [[0, 1]]
    assert working() == []


def test_an_error_of_a_worker_brings_its_traceback() -> None:
    with pytest.raises(OSError, match="disk gone") as raised:
        list(loader(Failing(), num_workers=2))
    assert "in DataLoader worker 1" in raised.value.__notes__[0]
    assert 'raise OSError("disk gone")' in raised.value.__notes__[0]


def test_workers_end_when_the_walk_is_left_early() -> None:
    walk = iter(loader(pairs(1000), num_workers=2))
    next(walk)
    assert len(working()) == 2
    walk.close()  # type: ignore[attr-defined]
    assert working() == []


def test_workers_that_persist_serve_each_walk() -> None:
    data = loader(pairs(6), batch_size=2, num_workers=2, persistent_workers=True)
    seen = []
    for _ in range(3):
        assert [batch[1].tolist() for batch in data] == [[0, 1], [2, 3], [4, 5]]
        seen.append({process.pid for process in working()})
    assert seen[0] == seen[1] == seen[2]
    del data
    assert working() == []


class Dying(Dataset[int]):
    def __getitem__(self, index: int) -> int:
        os._exit(7)

    def __len__(self) -> int:
        return 2


class Slow(Dataset[int]):
    def __getitem__(self, index: int) -> int:
        time.sleep(30)
        return index

    def __len__(self) -> int:
        return 2


def test_a_worker_that_dies_or_hangs_is_named() -> None:
    with pytest.raises(DataError, match=r"worker 0 .* exit code 7"):
        list(loader(Dying(), num_workers=1))
    with pytest.raises(DataError, match="no batch within 1 s"):
        list(loader(Slow(), num_workers=1, timeout=1))
    assert working() == []


class Numbered(IterableDataset[int]):
    def __iter__(self) -> Iterator[int]:
        info = get_worker_info()
        assert info is not None
        return iter(range(info.id, 7, info.num_workers))


def test_workers_share_a_stream_by_their_numbers() -> None:
    walk = loader(Numbered(), batch_size=2, num_workers=2)
    assert sorted(np.concatenate(list(walk)).tolist()) == list(range(7))
    assert get_worker_info() is None


def test_the_start_function_runs_in_each_worker(tmp_path: Any) -> None:
    list(loader(pairs(4), num_workers=2, worker_init_fn=lambda k: (tmp_path / str(k)).touch()))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "1"]


def test_fields_by_name() -> None:
    (batch,) = loader(pairs(2), feed_list=["x", "y"], return_list=False, batch_size=2)
    assert batch["y"].tolist() == [0, 1]
    with pytest.raises(ArgumentError, match="feed_list"):
        loader(pairs(2), return_list=False)


def test_a_static_program_gets_batches_by_place() -> None:
    vt.enable_static()
    try:
        whole = [list(loader(pairs(7), batch_size=2, places=[vt.CPUPlace()] * n)) for n in (1, 2, 3)]
        named = [
            list(loader(pairs(7), feed_list=["x", "y"], places=[vt.CPUPlace()] * n, return_list=False, batch_size=2))
            for n in (1, 2)
        ]
        with vt.static.program_guard(vt.static.Program()):
            total = vt.static.data("x", [None, 2], "float32").sum() + vt.static.data("y", [None], "int64").sum()
            (found,) = vt.static.Executor().run(feed=named[0][1], fetch_list=[total])
    finally:
        vt.disable_static()
    assert [[len(step) for step in steps] for steps in whole] == [[2] * 4, [2, 2], [3]]
    assert [batch[1].tolist() for batch in whole[1][1]] == [[4, 5], [6]]
    assert [[[b["y"].tolist() for b in step] for step in steps] for steps in named] == [
        [[[0, 1]], [[2, 3]], [[4, 5]], [[6]]],
        [[[0, 1], [2, 3]], [[4, 5], [6]]],
    ]
    assert found == 4 + 5 + 6 + 7 + 2 + 3


def test_tensors_come_from_workers() -> None:
    tensor = pytest.importorskip("vitrify.dygraph.tensor")
    x, y = next(iter(DataLoader(pairs(4), batch_size=4, num_workers=1)))
    assert isinstance(x, tensor.Tensor)
    assert (x.shape, y.numpy().tolist()) == ([4, 2], [0, 1, 2, 3])


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


@pytest.mark.parametrize("num_workers", [0, 2])
def test_arrays_of_a_collate_fn_become_tensors(num_workers: int) -> None:
    def collate(samples: list[Any]) -> Any:
        n = max(len(x) for x, _ in samples)
        padded = np.stack([np.pad(x, (0, n - len(x))) for x, _ in samples])
        return {"x": padded, "rest": (np.array([y for _, y in samples]), "name", [len(samples)])}

    data = [(np.full((k % 2 + 1,), k, "float32"), k) for k in range(4)]
    batches = list(DataLoader(data, batch_size=2, collate_fn=collate, num_workers=num_workers))
    assert [b["x"].unsqueeze(1).shape for b in batches] == [[2, 1, 2]] * 2
    labels, *rest = batches[1]["rest"]
    assert (labels.numpy().tolist(), rest) == ([2, 3], ["name", [2]])

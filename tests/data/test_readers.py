"""Readers: what their decorators give, and MNIST as a reader."""

from __future__ import annotations

import gzip
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, DataError, DataNotFoundError
from vitrify.data import mnist_reader


def numbers(n: int) -> Callable[[], Iterator[int]]:
    return lambda: iter(range(n))


@pytest.mark.parametrize(
    ("reader", "expected"),
    [
        (vt.batch(numbers(5), 2), [[0, 1], [2, 3], [4]]),
        (vt.batch(numbers(5), 2, drop_last=True), [[0, 1], [2, 3]]),
        (vt.batch(numbers(4), 2, drop_last=True), [[0, 1], [2, 3]]),
        (vt.batch(numbers(0), 2), []),
        (vt.batch(lambda: [1, 2, 3], 2), [[1, 2], [3]]),
        (vt.reader.map_readers(lambda a, b: a + b, numbers(3), numbers(4)), [0, 2, 4]),
        (vt.reader.chain(numbers(2), numbers(1)), [0, 1, 0]),
        (vt.reader.compose(numbers(2), numbers(2)), [(0, 0), (1, 1)]),
        (vt.reader.compose(lambda: iter([(1, 2)]), numbers(1)), [(1, 2, 0)]),
        (vt.reader.compose(numbers(2), numbers(3), check_alignment=False), [(0, 0), (1, 1)]),
        (vt.reader.firstn(numbers(9), 2), [0, 1]),
        (vt.reader.cache(numbers(2)), [0, 1]),
        (vt.reader.buffered(numbers(100), 3), list(range(100))),
    ],
)
def test_what_a_reader_gives_each_time(reader: Callable[[], Iterator[Any]], expected: list[Any]) -> None:
    assert list(reader()) == expected
    assert list(reader()) == expected


def test_shuffle_mixes_within_its_buffer() -> None:
    random.seed(0)
    mixed = list(vt.reader.shuffle(numbers(20), 10)())
    assert mixed != list(range(20))
    assert sorted(mixed[:10]) == list(range(10))
    assert sorted(mixed[10:]) == list(range(10, 20))
    assert list(vt.reader.shuffle(numbers(20), 0)()) == list(range(20))


@pytest.mark.parametrize("size", [0, -1, 1.5, True, None])
def test_batch_refuses_sizes(size: Any) -> None:
    with pytest.raises(ValueError, match="batch_size must be a positive integer"):
        vt.batch(numbers(2), size)


def test_compose_refuses_unequal_lengths() -> None:
    with pytest.raises(vt.reader.ComposeNotAligned, match="the reader at 0 ended before"):
        list(vt.reader.compose(numbers(1), numbers(2))())


def test_buffered_hands_errors_over_and_stops_with_its_user() -> None:
    def failing() -> Iterator[int]:
        yield 1
        raise KeyError("broken sample")

    seen: list[int] = []
    with pytest.raises(KeyError, match="broken sample"):
        seen.extend(vt.reader.buffered(failing, 2)())
    assert seen == [1]
    before = threading.active_count()
    left_early = vt.reader.buffered(numbers(10**9), 2)()
    assert next(left_early) == 0
    left_early.close()
    assert threading.active_count() == before


def write_mnist(folder: Path, prefix: str, count: int) -> None:
    pixels = np.arange(count * 784) % 256
    images = b"\0\0\x08\x03" + np.array([count, 28, 28], ">u4").tobytes() + pixels.astype("u1").tobytes()
    labels = b"\0\0\x08\x01" + np.array([count], ">u4").tobytes() + bytes(range(count))
    (folder / f"{prefix}-images-idx3-ubyte.gz").write_bytes(gzip.compress(images))
    (folder / f"{prefix}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(labels))


def test_mnist_gives_images_from_minus_one_to_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_mnist(tmp_path, "train", 3)
    write_mnist(tmp_path, "t10k", 2)
    monkeypatch.setenv("VITRIFY_DATA", str(tmp_path))
    samples = list(vt.dataset.mnist.train()())
    assert [label for _, label in samples] == [0, 1, 2]
    assert all(type(label) is int for _, label in samples)
    image = samples[0][0]
    assert image.shape == (784,)
    assert image.dtype == np.float32
    np.testing.assert_allclose(image, (np.arange(784) % 256) / 255 * 2 - 1, rtol=1e-6, atol=1e-7)
    assert len(list(vt.dataset.mnist.test()())) == 2
    batches = list(vt.batch(vt.dataset.mnist.train(), batch_size=2)())
    assert [len(b) for b in batches] == [2, 1]


def test_mnist_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VITRIFY_DATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(DataNotFoundError, match="set VITRIFY_DATA"):
        vt.dataset.mnist.train()()
    (tmp_path / "train-images-idx3-ubyte").write_bytes(b"not an IDX file")
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(b"not an IDX file")
    with pytest.raises(DataError, match="not an IDX file"):
        mnist_reader.train(tmp_path)()


def test_a_mapper_in_threads_keeps_the_order() -> None:
    reader = vt.reader.xmap_readers(lambda k: k * k, numbers(20), 3, 2, order=True)
    assert list(reader()) == [k * k for k in range(20)]
    with pytest.raises(ZeroDivisionError):
        list(vt.reader.xmap_readers(lambda k: 1 // k, numbers(3), 2, 8)())


def test_several_readers_are_read_at_once() -> None:
    met = threading.Barrier(2, timeout=20.0)

    def reader(first: int) -> Callable[[], Iterator[int]]:
        def samples() -> Iterator[int]:
            yield first
            met.wait()  # passes only where the other reader is on its way, too
            yield first + 1

        return samples

    both = vt.reader.multiprocess_reader([reader(1), reader(3)], use_pipe=False, queue_size=1)
    assert sorted(both()) == [1, 2, 3, 4] == sorted(both())


def test_errors_of_several_readers_come_through() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise OSError("torn")

    with pytest.raises(OSError, match="torn"):
        list(vt.reader.multiprocess_reader([broken, numbers(2)])())
    with pytest.raises(ArgumentError, match="a sample is None"):
        list(vt.reader.multiprocess_reader([lambda: iter([None])])())
    with pytest.raises(ArgumentError, match="list of readers"):
        vt.reader.multiprocess_reader([])

"""IDX files: right ones are read, wrong ones are refused with file and reason; MNIST and Digits on top."""

from __future__ import annotations

import gzip
import struct
import sys
from pathlib import Path

import numpy as np
import pytest

from vitrify.base.errors import ArgumentError, DataError, DataNotFoundError, MissingDependencyError
from vitrify.data import MNIST, Digits, read_idx

CODES = {"u1": 0x08, "i1": 0x09, "i2": 0x0B, "i4": 0x0C, "f4": 0x0D, "f8": 0x0E}


def idx(array: np.ndarray) -> bytes:
    head = struct.pack(">BBBB", 0, 0, CODES[array.dtype.str[1:]], array.ndim)
    return head + struct.pack(f">{array.ndim}I", *array.shape) + array.astype(array.dtype.newbyteorder(">")).tobytes()


def put(path: Path, data: bytes) -> Path:
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def mnist(folder: Path, images: np.ndarray, labels: np.ndarray, suffix: str = ".gz", mode: str = "train") -> Path:
    put(folder / f"{mode}-images-idx3-ubyte{suffix}", idx(images))
    put(folder / f"{mode}-labels-idx1-ubyte{suffix}", idx(labels))
    return folder


@pytest.mark.parametrize("kind", CODES)
@pytest.mark.parametrize("name", ["a.gz", "a"])
def test_every_element_kind_is_read(kind: str, name: str, tmp_path: Path) -> None:
    array = (np.arange(24).reshape(2, 3, 4) - (0 if kind == "u1" else 7)).astype(kind)
    read = read_idx(put(tmp_path / name, idx(array)))
    assert read.dtype == array.dtype
    assert read.dtype.isnative
    assert read.flags.writeable
    np.testing.assert_array_equal(read, array)


def test_an_empty_array_is_read(tmp_path: Path) -> None:
    assert read_idx(put(tmp_path / "a", idx(np.zeros((0, 4), np.uint8)))).shape == (0, 4)


GOOD = idx(np.arange(12, dtype=np.uint8).reshape(3, 4))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not an IDX file: it starts with nothing"),
        (b"\x00\x00", "not an IDX file"),
        (b"\x89PNG\r\n\x1a\n", "not an IDX file: it starts with 89 50 4e 47"),
        (b"\x00\x00\x07\x01" + GOOD[4:], "not an IDX file"),
        (b"\x00\x00\x08\x00", "truncated in the header: 0 dimensions"),
        (GOOD[:9], "truncated in the header: 2 dimensions announced, 1 are there"),
        (GOOD[:-1], "need 12 bytes"),
        (GOOD + b"x", "longer than its header says: 12 bytes announced"),
        (b"\x00\x00\x0e\x03" + b"\xff" * 12, "the file can't hold more than"),
    ],
)
@pytest.mark.parametrize("name", ["a", "a.gz"])
def test_wrong_files_are_refused_with_the_reason(data: bytes, reason: str, name: str, tmp_path: Path) -> None:
    file = put(tmp_path / name, data)
    with pytest.raises(DataError) as caught:
        read_idx(file)
    assert str(file) in str(caught.value)
    if not (data == GOOD[:-1] and name == "a"):
        assert reason in str(caught.value)


def test_truncated_gzip_data_are_refused(tmp_path: Path) -> None:
    packed = gzip.compress(idx(np.random.default_rng(0).integers(0, 255, 5000).astype(np.uint8)))
    for cut in (11, len(packed) // 2, len(packed) - 4):
        (tmp_path / "a.gz").write_bytes(packed[:cut])
        with pytest.raises(DataError, match="damaged or truncated gzip"):
            read_idx(tmp_path / "a.gz")


@pytest.mark.parametrize("place", [3, 40, -6])
def test_damaged_gzip_data_are_refused(place: int, tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(idx(np.random.default_rng(0).integers(0, 255, 5000).astype(np.uint8)), mtime=0))
    packed[place] ^= 0x5A
    (tmp_path / "a.gz").write_bytes(packed)
    with pytest.raises(DataError):
        read_idx(tmp_path / "a.gz")


def test_a_missing_file_is_a_file_not_found_error(tmp_path: Path) -> None:
    with pytest.raises(DataNotFoundError, match="nowhere") as caught:
        read_idx(tmp_path / "nowhere")
    assert isinstance(caught.value, FileNotFoundError)


IMAGES = np.arange(5 * 28 * 28, dtype=np.int64).reshape(5, 28, 28).astype(np.uint8)
LABELS = np.array([0, 1, 2, 3, 9], np.uint8)


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize(("mode", "prefix"), [("train", "train"), ("test", "t10k")])
def test_mnist_gives_images_from_0_to_1_and_labels(mode: str, prefix: str, suffix: str, tmp_path: Path) -> None:
    data = MNIST(mnist(tmp_path, IMAGES, LABELS, suffix, prefix), mode)
    assert len(data) == 5
    image, label = data[4]
    assert (image.shape, image.dtype, label) == ((1, 28, 28), np.float32, 9)
    np.testing.assert_allclose(image[0] * 255, IMAGES[4], atol=1e-4)
    assert data.images.max() <= 1
    assert data.labels.dtype == np.int64


def test_mnist_transforms_images(tmp_path: Path) -> None:
    data = MNIST(mnist(tmp_path, IMAGES, LABELS), transform=lambda image: image.sum())
    assert np.ndim(data[0][0]) == 0


def test_mnist_names_all_files_that_are_missing(tmp_path: Path) -> None:
    with pytest.raises(DataNotFoundError) as caught:
        MNIST(tmp_path)
    for part in (str(tmp_path), "train-images-idx3-ubyte", "train-labels-idx1-ubyte", ".gz", "help: "):
        assert part in str(caught.value)
    with pytest.raises(FileNotFoundError, match="isn't a folder"):
        MNIST(tmp_path / "nowhere", "test")


@pytest.mark.parametrize(
    ("images", "labels", "reason"),
    [
        (IMAGES, LABELS[:4], "5 images, .* 4 labels"),
        (IMAGES[0], LABELS, r"images u8\[n, h, w\] expected"),
        (IMAGES.astype(np.int16), LABELS, r"images u8\[n, h, w\] expected"),
        (IMAGES, IMAGES, r"labels u8\[n\] expected"),
        (IMAGES, LABELS + np.uint8(1), "the label 10 isn't a digit"),
    ],
)
def test_files_that_do_not_fit_are_refused(images: np.ndarray, labels: np.ndarray, reason: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=reason):
        MNIST(mnist(tmp_path, images, labels))


def test_an_unknown_mode_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="mode"):
        MNIST(tmp_path, "valid")
    with pytest.raises(ArgumentError, match="mode"):
        Digits("valid")


@pytest.mark.needs("sklearn")
def test_digits_are_split_without_overlap() -> None:
    train, test, everything = Digits("train"), Digits("test"), Digits("all")
    assert (len(train), len(test), len(everything)) == (1437, 360, 1797)
    image, label = test[0]
    assert (image.shape, image.dtype, label.dtype) == ((1, 8, 8), np.float32, np.int64)
    assert (everything.images.min(), everything.images.max()) == (0, 1)
    np.testing.assert_array_equal(np.concatenate([train.images, test.images]), everything.images)
    assert set(np.unique(test.labels)) == set(range(10))


def test_digits_without_scikit_learn_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(MissingDependencyError, match=r"vitrify\[demo\]") as caught:
        Digits()
    assert isinstance(caught.value, ImportError)

"""Image data sets from local files: MNIST and FashionMNIST (IDX), CIFAR (binary version), archives, folders.

No downloads.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, DataError, DataNotFoundError, MissingDependencyError
from ..base.suggest import tell_unknown_names as _tell_unknown_names
from ..data.dataset import Dataset
from ..data.datasets import MNIST as _MNIST
from ..data.idx import read_idx
from .archives import VOC2012 as VOC2012
from .archives import Flowers as Flowers

__all__ = [
    "MNIST",
    "VOC2012",
    "Cifar10",
    "Cifar100",
    "DatasetFolder",
    "FashionMNIST",
    "Flowers",
    "ImageFolder",
    "load_image",
]

__path__: list[str] = []  # so that the modules of compat/file_table.py below it can be imported
Transform = Callable[[Any], Any]


class MNIST(Dataset[tuple[Any, Any]]):
    """Handwritten digits: (image f32[28, 28, 1] in 0..255, label i64[1]), as `transform` makes it.

    `image_path` and `label_path`: the two IDX files, plain or gzipped; or `root`: the folder that holds all four.
    `mode`: "train" or "test". Errors: ArgumentError without files (`download` isn't supported); as `io.MNIST`.
    """

    NAME = "MNIST"

    def __init__(
        self,
        image_path: str | Path | None = None,
        label_path: str | Path | None = None,
        mode: str = "train",
        transform: Transform | None = None,
        download: bool = False,
        backend: str | None = None,
        root: str | Path | None = None,
    ) -> None:
        if mode.lower() not in ("train", "test"):
            raise ArgumentError(f"{self.NAME}: mode must be 'train' or 'test', not {mode!r}")
        self.mode, self.transform = mode.lower(), transform
        if root is not None:
            held = _MNIST(root, self.mode)
            self.images, self.labels = (held.images[:, 0] * 255).round().astype(np.float32), held.labels
        elif image_path is not None and label_path is not None:
            pictures, labels = read_idx(image_path), read_idx(label_path)
            if pictures.ndim != 3 or labels.ndim != 1 or len(pictures) != len(labels):
                raise DataError(f"{image_path} and {label_path} don't belong together")
            self.images, self.labels = pictures.astype(np.float32), labels.astype(np.int64)
        else:
            raise ArgumentError(
                f"{self.NAME}: give image_path and label_path, or root: nothing is downloaded",
                remedy="download the four IDX files once and name their folder",
            )

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        image: Any = self.images[index][..., None]
        return (self.transform(image) if self.transform else image), self.labels[index : index + 1]

    def __len__(self) -> int:
        return len(self.labels)


class FashionMNIST(MNIST):
    """Clothes in MNIST's format."""

    NAME = "FashionMNIST"


class Cifar10(Dataset[tuple[Any, Any]]):
    """Colour pictures of 32×32: (image u8→f32[32, 32, 3] in 0..255, label i64), as `transform` makes it.

    `data_file`: the folder of the binary version (`data_batch_1.bin` … `test_batch.bin`). The Python version of the
    archive is a pickle, which could run code when it is read, and is refused.
    Errors: DataNotFoundError names missing files; DataError files of a wrong size.
    """

    FILES: dict[str, Sequence[str]] = {
        "train": [f"data_batch_{k}.bin" for k in range(1, 6)], "test": ["test_batch.bin"],
    }  # fmt: skip
    LABELS = 1

    def __init__(
        self,
        data_file: str | Path | None = None,
        mode: str = "train",
        transform: Transform | None = None,
        download: bool = False,
        backend: str | None = None,
    ) -> None:
        name = type(self).__name__
        if mode.lower() not in ("train", "test"):
            raise ArgumentError(f"{name}: mode must be 'train' or 'test', not {mode!r}")
        if data_file is None:
            raise ArgumentError(f"{name}: give data_file, the folder with the .bin files: nothing is downloaded")
        folder = Path(data_file)
        if folder.is_file():
            raise DataError(
                f"{folder} isn't a folder; archives with pickled batches aren't read",
                remedy="unpack the binary version and name its folder",
            )
        files = [folder / file for file in self.FILES[mode.lower()]]
        missing = [file.name for file in files if not file.is_file()]
        if missing:
            raise DataNotFoundError(f"{folder} has no {', '.join(missing)}", remedy="name the binary version's folder")
        rows = np.concatenate([self._rows(file) for file in files])
        self.mode, self.transform = mode.lower(), transform
        self.labels = rows[:, self.LABELS - 1].astype(np.int64)
        self.images = rows[:, self.LABELS :].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)

    def _rows(self, file: Path) -> Any:
        data = np.frombuffer(file.read_bytes(), np.uint8)
        width = 3072 + self.LABELS
        if not data.size or data.size % width:
            raise DataError(f"{file}: {data.size} bytes aren't rows of {width}")
        return data.reshape(-1, width)

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        image: Any = self.images[index].astype(np.float32)
        return (self.transform(image) if self.transform else image), self.labels[index]

    def __len__(self) -> int:
        return len(self.labels)


class Cifar100(Cifar10):
    """CIFAR-100 with its fine labels (`train.bin`, `test.bin`)."""

    FILES = {"train": ["train.bin"], "test": ["test.bin"]}
    LABELS = 2


IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff", ".npy")


def load_image(path: str | Path) -> Any:
    """An image file as an array h×w×3 uint8; `.npy` as it is. Errors: MissingDependencyError without Pillow."""
    if str(path).endswith(".npy"):
        return np.load(path, allow_pickle=False)
    try:
        Image: Any = importlib.import_module("PIL.Image")
    except ImportError as cause:
        raise MissingDependencyError("reading images needs Pillow", remedy="pip install pillow") from cause
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"))


class DatasetFolder(Dataset[tuple[Any, int]]):
    """A folder per class: (image, number of its class); classes in alphabetic order.

    `loader(path)` reads a file; `extensions` or `is_valid_file(path)` choose files.
    Errors: DataNotFoundError if nothing is found.
    """

    def __init__(
        self,
        root: str | Path,
        loader: Callable[[str], Any] | None = None,
        extensions: Sequence[str] | None = None,
        transform: Transform | None = None,
        is_valid_file: Callable[[str], bool] | None = None,
    ) -> None:
        self.root, self.loader, self.transform = Path(root), loader or load_image, transform
        self.classes = sorted(p.name for p in self.root.iterdir() if p.is_dir()) if self.root.is_dir() else []
        self.class_to_idx = {name: k for k, name in enumerate(self.classes)}
        chosen = _chosen(extensions, is_valid_file)
        self.samples = [
            (str(file), number)
            for name, number in self.class_to_idx.items()
            for file in sorted((self.root / name).rglob("*"))
            if chosen(str(file))
        ]
        self.targets = [number for _, number in self.samples]
        if not self.samples:
            raise DataNotFoundError(f"{self.root} has no folders with images", remedy="make one folder per class")

    def __getitem__(self, index: int) -> tuple[Any, int]:
        path, number = self.samples[index]
        image = self.loader(path)
        return (self.transform(image) if self.transform else image), number

    def __len__(self) -> int:
        return len(self.samples)


class ImageFolder(Dataset[list[Any]]):
    """All images below a folder, without labels: a sample is [image]. Errors: DataNotFoundError if there are none."""

    def __init__(
        self,
        root: str | Path,
        loader: Callable[[str], Any] | None = None,
        extensions: Sequence[str] | None = None,
        transform: Transform | None = None,
        is_valid_file: Callable[[str], bool] | None = None,
    ) -> None:
        self.root, self.loader, self.transform = Path(root), loader or load_image, transform
        chosen = _chosen(extensions, is_valid_file)
        self.samples = [str(file) for file in sorted(self.root.rglob("*")) if chosen(str(file))]
        if not self.samples:
            raise DataNotFoundError(f"{self.root} has no images")

    def __getitem__(self, index: int) -> list[Any]:
        image = self.loader(self.samples[index])
        return [self.transform(image) if self.transform else image]

    def __len__(self) -> int:
        return len(self.samples)


def _chosen(extensions: Sequence[str] | None, valid: Callable[[str], bool] | None) -> Callable[[str], bool]:
    if valid is not None:
        return valid
    suffixes = tuple(extensions or IMAGE_SUFFIXES)
    return lambda path: path.lower().endswith(suffixes)


_tell_unknown_names(__name__)

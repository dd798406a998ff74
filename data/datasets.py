"""Data sets of handwritten digits: MNIST from its files, and the small set embedded in scikit-learn.

Nothing is downloaded.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.errors import ArgumentError, DataError, DataNotFoundError, MissingDependencyError
from .dataset import Dataset
from .idx import read_idx

Sample = tuple[Any, np.int64]
PREFIX = {"train": "train", "test": "t10k"}


class _Images(Dataset[Sample]):
    """Images f32[n, 1, h, w] and labels i64[n] held in memory."""

    images: npt.NDArray[np.float32]
    labels: npt.NDArray[np.int64]
    transform: Callable[[Any], Any] | None

    def __getitem__(self, index: int) -> Sample:
        image: Any = self.images[index]
        return (self.transform(image) if self.transform else image), self.labels[index]

    def __len__(self) -> int:
        return len(self.labels)


class MNIST(_Images):
    """Handwritten digits of 28×28 pixels from the four IDX files, plain or gzipped, in the folder `root`.

    `mode`: "train" (60,000) or "test" (10,000). A sample is (image f32[1, 28, 28] in 0..1, label int64);
    `transform` is applied to the image. `images` and `labels` hold all of them.
    Errors: DataNotFoundError (a FileNotFoundError) names the files looked for; DataError a damaged or unfitting file.
    Source: LeCun, Bottou, Bengio, Haffner, Gradient-based learning applied to document recognition, 1998.
    """

    def __init__(self, root: str | Path, mode: str = "train", transform: Callable[[Any], Any] | None = None) -> None:
        if mode not in PREFIX:
            raise ArgumentError(f"MNIST: mode must be 'train' or 'test', got {mode!r}")
        folder = Path(root)
        files = _find(folder, [f"{PREFIX[mode]}-images-idx3-ubyte", f"{PREFIX[mode]}-labels-idx1-ubyte"])
        images, labels = (read_idx(file) for file in files)
        _check(files, images, labels)
        self.root, self.mode, self.transform = folder, mode, transform
        self.images = (images[:, None] / np.float32(255)).astype(np.float32, copy=False)
        self.labels = labels.astype(np.int64)


class Digits(_Images):
    """The 1,797 handwritten digits of 8×8 pixels that scikit-learn carries; a stand-in for MNIST without any file.

    `mode`: "train" (1,437), "test" (the other 360) or "all"; the parts are drawn at random, always the same way.
    A sample is (image f32[1, 8, 8] in 0..1, label int64); `transform` is applied to the image.
    Errors: MissingDependencyError (an ImportError) if scikit-learn isn't installed.
    Source: Alpaydin and Kaynak, Optical Recognition of Handwritten Digits, 1998.
    """

    def __init__(self, mode: str = "train", transform: Callable[[Any], Any] | None = None) -> None:
        parts = {"train": slice(0, 1437), "test": slice(1437, None), "all": slice(None)}
        if mode not in parts:
            raise ArgumentError(f"Digits: mode must be 'train', 'test' or 'all', got {mode!r}")
        bunch = _sklearn_datasets().load_digits()
        rows = np.random.default_rng(0).permutation(len(bunch.target))[parts[mode]]  # the same at each call
        self.mode, self.transform = mode, transform
        self.images = (bunch.images[rows, None] / 16.0).astype(np.float32)
        self.labels = bunch.target[rows].astype(np.int64)


def _find(folder: Path, names: list[str]) -> list[Path]:
    """For each name the file itself or its .gz; one error for all that are missing."""
    choices = [[folder / name, folder / (name + ".gz"), folder / name.replace("-idx", ".idx")] for name in names]
    found = [next((file for file in files if file.is_file()), None) for files in choices]
    missing = [f"{name} (or {name}.gz)" for name, file in zip(names, found, strict=True) if file is None]
    if missing:
        state = "has no" if folder.is_dir() else "isn't a folder; looked for"
        raise DataNotFoundError(
            f"{folder} {state} {', '.join(missing)}", remedy="name the folder that holds the MNIST files"
        )
    return [file for file in found if file is not None]


def _check(files: list[Path], images: npt.NDArray[Any], labels: npt.NDArray[Any]) -> None:
    if images.ndim != 3 or images.dtype != np.uint8:
        raise DataError(f"{files[0]}: images u8[n, h, w] expected, got {images.dtype}{list(images.shape)}")
    if labels.ndim != 1 or labels.dtype != np.uint8:
        raise DataError(f"{files[1]}: labels u8[n] expected, got {labels.dtype}{list(labels.shape)}")
    if len(images) != len(labels):
        raise DataError(
            f"{files[0]} has {len(images)} images, {files[1]} has {len(labels)} labels: they don't belong together"
        )
    if labels.size and labels.max() > 9:
        raise DataError(f"{files[1]}: the label {labels.max()} isn't a digit")


def _sklearn_datasets() -> Any:
    try:
        return importlib.import_module("sklearn.datasets")
    except ImportError as cause:
        raise MissingDependencyError(
            "Digits: scikit-learn isn't installed",
            remedy='pip install "vitrify[demo]", or use MNIST(root) with its files',
        ) from cause

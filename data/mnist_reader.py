"""`paddle.dataset.mnist`: MNIST as readers of (image f32[784] in -1..1, label int), from files that are there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..base.errors import DataNotFoundError
from .datasets import MNIST
from .readers import Reader

_FOLDERS = ("~/.cache/vitrify/dataset/mnist", "~/.cache/paddle/dataset/mnist")


def train(folder: str | Path | None = None) -> Reader:
    """A reader of the 60,000 training samples.

    `folder` holds the four IDX files, plain or gzipped; by default $VITRIFY_DATA, then ~/.cache/vitrify/dataset/mnist,
    then ~/.cache/paddle/dataset/mnist. Nothing is downloaded; the files are read when the reader is first called.
    Errors: DataNotFoundError (a FileNotFoundError), DataError, both when the reader is called.

    >>> train("no such folder")()
    Traceback (most recent call last):
    vitrify.errors.DataNotFoundError: ...
    """
    return _reader("train", folder)


def test(folder: str | Path | None = None) -> Reader:  # noqa: PT028 - not a test, but the name in Paddle
    """A reader of the 10,000 test samples; see `train`.

    >>> callable(test())
    True
    """
    return _reader("test", folder)


def _reader(mode: str, folder: str | Path | None) -> Reader:
    kept: list[tuple[npt.NDArray[np.float32], list[int]]] = []

    def samples() -> Iterator[tuple[npt.NDArray[np.float32], int]]:
        if not kept:
            data = MNIST(_folder(folder), mode)
            kept.append((data.images.reshape(len(data), -1) * np.float32(2) - np.float32(1), data.labels.tolist()))
        images, labels = kept[0]
        return zip(images, labels, strict=True)

    return samples


def _folder(given: str | Path | None) -> Path:
    if given is not None:
        return Path(given)
    named = os.environ.get("VITRIFY_DATA")
    if named:
        return Path(named)
    folders = [Path(f).expanduser() for f in _FOLDERS]
    found = next((f for f in folders if f.is_dir()), None)
    if found is None:
        raise DataNotFoundError(
            f"MNIST's files are in none of {', '.join(_FOLDERS)}",
            remedy="put the four IDX files there, or set VITRIFY_DATA to the folder that holds them",
        )
    return found

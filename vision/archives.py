"""Data sets of images in one archive, as they are handed out: read where they lie, never unpacked."""

from __future__ import annotations

import importlib
import io
import tarfile
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, DataNotFoundError, MissingDependencyError
from ..base.flags import flags
from ..data.dataset import Dataset
from .images import get_image_backend

Transform = Callable[[Any], Any]


def _package(name: str, install: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as cause:
        raise MissingDependencyError(f"this data set needs {install}", remedy=f"pip install {install}") from cause


class _Archive(Dataset[tuple[Any, Any]]):
    """Images in an archive. mode: "train", "valid" or "test"; backend: "pil" for images of Pillow, "cv2" for arrays.

    Errors: ArgumentError without files (nothing is downloaded) and for other modes; DataNotFoundError for images that
    the archive doesn't hold; MissingDependencyError without Pillow.
    """

    PARTS: dict[str, str] = {}  # what the archive calls the modes

    def __init__(self, files: dict[str, Any], mode: str, transform: Transform | None, backend: str | None) -> None:
        name = type(self).__name__
        self.backend = get_image_backend() if backend is None else backend
        if self.backend not in ("pil", "cv2"):
            raise ArgumentError(f"{name}: the backend must be 'pil' or 'cv2', not {self.backend!r}")
        if mode.lower() not in self.PARTS:
            raise ArgumentError(f"{name}: mode must be 'train', 'valid' or 'test', not {mode!r}")
        missing = [key for key, file in files.items() if not file]
        if missing:
            raise ArgumentError(
                f"{name}: give {' and '.join(missing)}: nothing is downloaded",
                remedy="download the files once and name them",
            )
        self.transform, self._part, self._reading = transform, self.PARTS[mode.lower()], Lock()
        self._path = str(files["data_file"])
        self._archive = tarfile.open(self._path)  # noqa: SIM115 - as long as the data set
        self._members = {member.name: member for member in self._archive.getmembers()}

    def _bytes(self, name: str) -> bytes:
        member = self._members.get(name)
        with self._reading:
            found = None if member is None else self._archive.extractfile(member)
            if found is None:
                raise DataNotFoundError(f"{self._path} has no {name}")
            return found.read()

    def _image(self, name: str) -> Any:
        picture = _package("PIL.Image", "pillow").open(io.BytesIO(self._bytes(name)))
        return np.asarray(picture) if self.backend == "cv2" else picture

    def _numbers(self, value: Any) -> Any:
        return value.astype(flags.default_dtype.name) if self.backend == "cv2" else value

    def __del__(self) -> None:
        if "_archive" in self.__dict__:
            self._archive.close()


class Flowers(_Archive):
    """Oxford's flowers: (image, label i64[1] from 1 on), as `transform` makes it; labels are read by SciPy.

    data_file, label_file, setid_file: `102flowers.tgz`, `imagelabels.mat` and `setid.mat`.
    """

    PARTS = {"train": "tstid", "test": "trnid", "valid": "valid"}

    def __init__(
        self,
        data_file: str | Path | None = None,
        label_file: str | Path | None = None,
        setid_file: str | Path | None = None,
        mode: str = "train",
        transform: Transform | None = None,
        download: bool = False,
        backend: str | None = None,
    ) -> None:
        files = {"data_file": data_file, "label_file": label_file, "setid_file": setid_file}
        super().__init__(files, mode, transform, backend)
        read = _package("scipy.io", "scipy").loadmat
        self.labels = read(str(label_file))["labels"][0].astype(np.int64)
        self.indexes = read(str(setid_file))[self._part][0]

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        number = int(self.indexes[index])
        image = self._image(f"jpg/image_{number:05}.jpg")
        image = self.transform(image) if self.transform else image
        return self._numbers(image), self.labels[number - 1 : number]

    def __len__(self) -> int:
        return len(self.indexes)


class VOC2012(_Archive):
    """Pascal's pictures with their segmentation: (image, image of classes); `transform` makes the first.

    data_file: `VOCtrainval_11-May-2012.tar`.
    """

    PARTS = {"train": "trainval", "test": "train", "valid": "val"}

    def __init__(
        self,
        data_file: str | Path | None = None,
        mode: str = "train",
        transform: Transform | None = None,
        download: bool = False,
        backend: str | None = None,
    ) -> None:
        super().__init__({"data_file": data_file}, mode, transform, backend)
        chosen = self._bytes(f"VOCdevkit/VOC2012/ImageSets/Segmentation/{self._part}.txt")
        self.names = chosen.decode().split()

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        name = self.names[index]
        image = self._image(f"VOCdevkit/VOC2012/JPEGImages/{name}.jpg")
        label = self._image(f"VOCdevkit/VOC2012/SegmentationClass/{name}.png")
        image = self.transform(image) if self.transform else image
        return self._numbers(image), self._numbers(label)

    def __len__(self) -> int:
        return len(self.names)

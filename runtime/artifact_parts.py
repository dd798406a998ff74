"""The parts of an artifact where they lie: files of a folder, or entries of one zip. Looked at before anything is read.

The index of a zip is checked first: names, sizes, places, ways of packing. What it says is then a bound of what
reading a part can take: weights are stored as they are, and texts unpack to a multiple of their packed size.
"""

from __future__ import annotations

import stat
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from ..base.errors import ArtifactError

MOST_TEXT = 128_000_000  # bytes of a packed part
MOST_RATIO = 64  # how much larger than packed; programs and manifests reach 15, deflate itself 1032
_SMALL = 1_000_000  # bytes that any packed part may have
_LOCAL = struct.Struct("<4s22xHH")  # a zip's header in front of an entry: signature, lengths of name and extra field
_ENCRYPTED = 1


class Parts(Protocol):
    """Parts by name."""

    def size(self, part: str) -> int | None:
        """Bytes of a part when read; None where there is none. Errors: ArtifactError for one that may not be read."""

    def is_packed(self, part: str) -> bool:
        """Whether a part takes less room in the file than when it is read."""

    def read(self, part: str) -> bytes:
        """Its content: never more than a byte beyond its size."""


@contextmanager
def opened(path: Path) -> Iterator[Parts]:
    """The parts of an artifact. Errors: ArtifactError for a zip whose index is forged; those of zipfile for others."""
    if path.is_dir():
        yield _Folder(path)
        return
    with zipfile.ZipFile(path) as archive:
        try:
            parts = _Zip(archive)
        except ArtifactError as error:
            error.message = f"{path}: {error.message}"
            error.remedy = "get an intact copy, or save the model again"
            raise
        yield parts


class _Folder:
    def __init__(self, root: Path) -> None:
        self.root = root

    def size(self, part: str) -> int | None:
        file = self.root / part
        if file.is_symlink() or file.parent.is_symlink():
            raise ArtifactError(f"{part}: is a link")
        return file.stat().st_size if file.is_file() else None

    def is_packed(self, part: str) -> bool:
        return False

    def read(self, part: str) -> bytes:
        size = self.size(part) or 0
        with (self.root / part).open("rb") as file:
            return file.read(size + 1)


class _Zip:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.entries: dict[str, zipfile.ZipInfo] = {}
        for info in archive.infolist():
            if info.filename in self.entries:
                raise ArtifactError(f"{info.filename}: is in the file twice")
            self.entries[info.filename] = info
            _check_entry(info)
        self._check_places()

    def _check_places(self) -> None:
        """Each entry has bytes of its own, in front of the index."""
        end, before = 0, ""
        for info in sorted(self.entries.values(), key=lambda info: info.header_offset):
            if info.header_offset < end:
                raise ArtifactError(f"{info.filename}: shares bytes with {before}")
            end, before = self._end(info), info.filename
        if end > self.archive.start_dir:
            raise ArtifactError(f"{before}: reaches beyond the end of the parts")

    def _end(self, info: zipfile.ZipInfo) -> int:
        file = self.archive.fp
        assert file is not None
        file.seek(info.header_offset)
        head = file.read(_LOCAL.size)
        if len(head) < _LOCAL.size or not head.startswith(b"PK\x03\x04"):
            raise ArtifactError(f"{info.filename}: isn't where the index says")
        _, name, extra = _LOCAL.unpack(head)
        return int(info.header_offset + _LOCAL.size + name + extra + info.compress_size)

    def size(self, part: str) -> int | None:
        info = self.entries.get(part)
        return None if info is None else info.file_size

    def is_packed(self, part: str) -> bool:
        return self.entries[part].compress_type != zipfile.ZIP_STORED

    def read(self, part: str) -> bytes:
        info = self.entries[part]
        with self.archive.open(info) as file:
            return file.read(info.file_size + 1)


def _check_entry(info: zipfile.ZipInfo) -> None:
    """One entry of the index, before anything is unpacked."""
    name = info.filename
    if info.flag_bits & _ENCRYPTED:
        raise ArtifactError(f"{name}: is encrypted")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise ArtifactError(f"{name}: is a link")
    if info.compress_type == zipfile.ZIP_STORED:
        if info.file_size != info.compress_size:
            raise ArtifactError(f"{name}: claims {info.file_size} bytes, {info.compress_size} are there")
        return
    if info.compress_type != zipfile.ZIP_DEFLATED:
        raise ArtifactError(f"{name}: is packed in a way that no artifact is (method {info.compress_type})")
    most = min(MOST_TEXT, max(_SMALL, MOST_RATIO * info.compress_size))
    if info.file_size > most:
        raise ArtifactError(
            f"{name}: claims to unpack from {info.compress_size} to {info.file_size} bytes, no text does"
        )


class Texts(Mapping[str, str]):
    """Parts that are read when they are asked for: sources of kernels, which loading has no use for."""

    def __init__(self, parts: Mapping[str, str], read: Callable[[str], bytes]) -> None:
        self._parts = dict(parts)  # name -> part
        self._read = read

    def __getitem__(self, name: str) -> str:
        return self._read(self._parts[name]).decode("utf-8", "replace")

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

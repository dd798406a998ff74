"""IDX files, the format of MNIST: a magic number, the dimensions, then the elements, big-endian; plain or gzipped.

The header is checked before anything is allocated, and no more is read than the header announces, plus one byte:
memory is bounded by the announced size, and the announced size by what the file can hold.
Source: http://yann.lecun.com/exdb/mnist, "The IDX file format".
"""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, cast

import numpy as np
import numpy.typing as npt

from ..base.boundary import outward
from ..base.errors import DataError, DataNotFoundError
from ..base.files import near_file

ELEMENTS = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}
GZIP_MAGIC = b"\x1f\x8b"
MOST_PACKED = 1100  # deflate can't shrink data by more than about 1032


@outward
def read_idx(path: str | Path) -> npt.NDArray[Any]:
    """Read an IDX file, plain or gzipped (told by its first bytes, not by its name), as a native array.

    Shapes and dtypes: as the file says (u8, i8, i16, i32, f32, f64).
    Errors: DataNotFoundError if there is no such file; DataError, naming file and reason, if it is no IDX file,
    truncated, longer than announced, or damaged.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "labels-idx1-ubyte")
    ...     _ = file.write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 3, 7, 2, 1]))
    ...     read_idx(file)
    array([7, 2, 1], dtype=uint8)
    """
    path = Path(path)
    if not path.is_file():
        raise DataNotFoundError(f"there is no file {path}", remedy=lambda: near_file(path))
    with _opened(path) as (stream, capacity):
        dtype, shape = _header(stream, path)
        expected = math.prod(shape) * dtype.itemsize
        if expected > capacity:
            _refuse(path, f"{list(shape)} elements need {expected} bytes, the file can't hold more than {capacity}")
        data = stream.read(expected + 1)
    if len(data) < expected:
        _refuse(path, f"truncated: {list(shape)} elements need {expected} bytes, {len(data)} are there")
    if len(data) > expected:
        _refuse(path, f"longer than its header says: {expected} bytes announced for {list(shape)}, more are there")
    array = np.frombuffer(data, dtype).reshape(shape)
    return array.astype(dtype.newbyteorder("="))


@contextmanager
def _opened(path: Path) -> Iterator[tuple[BinaryIO, int]]:
    """The file's bytes, unpacked, and an upper bound of how many there are."""
    size = path.stat().st_size
    with path.open("rb") as file:
        packed = file.read(2) == GZIP_MAGIC
    if not packed:
        with path.open("rb") as plain:
            yield plain, size
        return
    try:
        with gzip.open(path, "rb") as unpacked:
            yield cast(BinaryIO, unpacked), size * MOST_PACKED
    except (EOFError, gzip.BadGzipFile, zlib.error) as cause:
        raise DataError(f"{path}: damaged or truncated gzip data: {cause}", remedy="download it again") from cause


def _header(stream: BinaryIO, path: Path) -> tuple[np.dtype[Any], tuple[int, ...]]:
    magic = stream.read(4)
    if len(magic) < 4 or magic[:2] != b"\0\0" or magic[2] not in ELEMENTS:
        _refuse(path, f"not an IDX file: it starts with {magic.hex(' ') or 'nothing'}, not with 00 00 <type> <rank>")
    rank = magic[3]
    sizes = stream.read(4 * rank)
    if not rank or len(sizes) < 4 * rank:
        _refuse(path, f"truncated in the header: {rank} dimensions announced, {len(sizes) // 4} are there")
    return np.dtype(ELEMENTS[magic[2]]), tuple(np.frombuffer(sizes, ">u4").tolist())


def _refuse(path: Path, reason: str) -> NoReturn:
    raise DataError(f"{path}: {reason}", remedy="check that it is the right file; download it again")

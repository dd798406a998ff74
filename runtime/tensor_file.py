"""Arrays to safetensors bytes and back, checked against what is there. No names are resolved, nothing is executed."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..base.dtype import ALL, of_array
from ..base.errors import ArtifactError
from ..base.files import Piece

Array = np.ndarray[Any, Any]
MOST_HEADER = 100_000_000
_DTYPES = {dtype.safetensors: dtype for dtype in ALL}


def to_bytes(arrays: Mapping[str, Array]) -> bytes:
    """A safetensors file with these arrays.

    >>> from_bytes(to_bytes({"a": np.arange(3)}))["a"].tolist()
    [0, 1, 2]
    """
    return b"".join(to_pieces(arrays))


def to_pieces(arrays: Mapping[str, Array]) -> list[Piece]:
    """A safetensors file piece by piece: the arrays' own memory, where they are contiguous."""
    header: dict[str, Any] = {"__metadata__": {"format": "vitrify"}}
    pieces: list[Piece] = []
    place = 0
    for name, array in sorted(arrays.items(), key=lambda item: (-item[1].dtype.itemsize, item[0])):
        piece = bytes_of(array)
        offsets = [place, place + len(piece)]
        header[name] = {"dtype": of_array(array).safetensors, "shape": list(array.shape), "data_offsets": offsets}
        pieces.append(piece)
        place += len(piece)
    head = json.dumps(header, ensure_ascii=False).encode()
    head += b" " * (-len(head) % 8)
    return [struct.pack("<Q", len(head)), head, *pieces]


def bytes_of(array: Array) -> Piece:
    """An array's elements, little-endian and in order: its own memory, where it lies so."""
    held = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False))
    return held.reshape(-1).view(np.uint8).data if held.size else b""


def from_bytes(data: bytes) -> dict[str, Array]:
    """The arrays of a safetensors file. ArtifactError where it is malformed."""
    if len(data) < 8:
        raise ArtifactError(f"only {len(data)} bytes")
    (length,) = struct.unpack("<Q", data[:8])
    if length > min(MOST_HEADER, len(data) - 8):
        raise ArtifactError(f"the header claims {length} bytes, the file has {len(data)}")
    try:
        header = json.loads(data[8 : 8 + length])
        header.pop("__metadata__", None)
        _check_places(header)
        return {str(name): _array(name, entry, memoryview(data)[8 + length :]) for name, entry in header.items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        if isinstance(error, ArtifactError):
            raise
        raise ArtifactError(f"malformed header ({error})") from error


def _check_places(header: Mapping[str, Any]) -> None:
    """Each array has bytes of its own: a small file can't become many large arrays."""
    end, before = 0, ""
    for name, entry in sorted(header.items(), key=lambda item: tuple(item[1]["data_offsets"])):
        begin, following = entry["data_offsets"]
        if begin < end:
            raise ArtifactError(f"{name!r} shares bytes with {before!r}")
        end, before = following, name


def _array(name: str, entry: Any, body: memoryview) -> Array:
    dtype = _DTYPES.get(entry["dtype"])
    shape = entry["shape"]
    begin, end = entry["data_offsets"]
    if dtype is None or not all(type(n) is int and n >= 0 for n in (*shape, begin, end)):
        raise ArtifactError(f"the entry of {name!r} is malformed")
    if end - begin != math.prod(shape) * dtype.itemsize or end > len(body):
        raise ArtifactError(f"the data of {name!r} don't fit its shape {shape}")
    stored = np.frombuffer(body[begin:end], dtype.numpy.newbyteorder("<")).reshape(shape)
    return stored.astype(dtype.numpy)

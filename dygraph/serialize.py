"""`save` and `load`: nested Python data with tensors in one safetensors file. A file holds data, never code.

The tensors are ordinary safetensors entries, named by their path; the structure around them is JSON in the file's
metadata, with a checksum per entry. A file without that metadata loads as a flat dict of its tensors.
"""

from __future__ import annotations

import json
import math
import os
import struct
import zlib
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ..base.boundary import outward
from ..base.dtype import ALL, DType, as_dtype, entering, leaving, of_array
from ..base.errors import ArgumentError, ArtifactError, VitrifyError
from ..base.files import near_file, place_file
from . import foreign
from .dense import DenseTensor
from .eager import from_array
from .tensor import Tensor

FORMAT = "vitrify.data/1"
_MOST_HEADER = 100_000_000  # the limit of the safetensors format
_DTYPES: dict[str, DType | None] = {"U16": None, "U32": None, "U64": None, "BF16": None}
_DTYPES |= {dtype.safetensors: dtype for dtype in ALL}

_FOREIGN: dict[bytes, tuple[str, str]] = {  # how files start -> what they are, and what to do about it
    b"\x93NUMPY": ("an array of NumPy", "read it with numpy.load"),
}


_PROGRAM = b"program @"  # how the text of a static program starts


@outward
def save(obj: Any, path: str | os.PathLike[str] | BinaryIO, **_: Any) -> None:
    """Write `obj` (tensors, arrays, numbers, strings, None, in dicts, lists and tuples; or a program) to one file.

    The file appears whole or not at all. Any extension is fine (`.pdparams`, `.pdopt`, …); folders are made as needed.
    Errors: ArgumentError names the place of a value of another kind.
    """
    if hasattr(obj, "serialize_to_string"):  # a program
        data = obj.serialize_to_string()
    else:
        writer = _Writer()
        data = writer.file_bytes(writer.encode(obj, ""))
    if hasattr(path, "write"):
        path.write(data)
        return
    write_file(Path(path), data)


def write_file(target: Path, data: bytes) -> None:
    """Write a file so that it appears whole or not at all; folders are made as needed."""
    if not target.name or target.is_dir():
        raise ArgumentError(f"save needs the path of a file, not {str(target)!r}")
    target.parent.mkdir(parents=True, exist_ok=True)
    place_file(target, data)


def kind_of(array: Any) -> str:
    """The safetensors name of an array's dtype. DTypeError for what has none."""
    return of_array(array).safetensors


@outward
def load(path: str | os.PathLike[str] | BinaryIO, return_numpy: bool = False, **_: Any) -> Any:
    """Read what `save` wrote: an equal structure with new tensors (return_numpy=True: arrays in their place).

    A stream is read as far as one `save` wrote, so that several follow each other.
    A program comes without values of its parameters.
    Of a folder or file that `jit.save` wrote it gives the layer's state by name. Files of PaddlePaddle (`.pdparams`,
    `.pdopt`) and PyTorch (`.pt`, `.pth`) are read if they hold arrays, numbers, strings and containers of these alone.

    Errors: ArtifactError says which part of a damaged or foreign file is wrong, and why; nothing in it is executed.
    """
    stream: Any = None
    begin = 0
    if hasattr(path, "read"):
        if getattr(path, "seekable", bool)():
            stream = path
            begin = stream.tell()
        data, where = path.read(), "the stream"
    else:
        where = str(path)
        if (Path(path) / _WEIGHTS).is_file():
            return _state_of_layer(where, (Path(path) / _WEIGHTS).read_bytes(), return_numpy)
        if not Path(path).is_file():
            if Path(path).is_dir():
                raise ArtifactError(
                    f"{where} is a folder, without what `jit.save` writes", remedy="give the path of a file"
                )
            raise ArtifactError(f"{where}: there is no such file", remedy=lambda: near_file(path))
        data = Path(path).read_bytes()
    if data.startswith(_PROGRAM):
        return import_module(f"{__name__.partition('.')[0]}.static.io").program_of(data.decode())
    if data.startswith(foreign.ZIP) and (weights := foreign.part_of_zip(where, data, _WEIGHTS)) is not None:
        return _state_of_layer(where, weights, return_numpy)
    if data.startswith((foreign.ZIP, *foreign.PICKLES)) and data[8:9] != b"{":  # or a header of 640 bytes and the like
        return foreign.read(where, data, _array_of if return_numpy else _tensor_of)
    reader = _Reader(where, data, return_numpy)
    reader.alone = stream is None
    made = reader.read()
    if stream is not None:
        stream.seek(begin + reader.end)  # what was saved after it is read next
    return made


def _state_of_layer(where: str, weights: bytes, return_numpy: bool) -> dict[str, Any]:
    """What `jit.save` wrote: the state of its layer."""
    found = _Reader(where, weights, return_numpy).read()
    return {name: value for name, value in found.items() if not name.startswith("@")}


def _array_of(array: Any) -> Any:
    return leaving(np.array(array))


def _tensor_of(array: Any) -> Tensor:
    return from_array(np.array(array))


_WEIGHTS = "weights.safetensors"  # as in runtime/artifact.py


class _Writer:
    """Collects the arrays of a structure and describes the rest as JSON."""

    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}
        self.known: dict[int, str] = {}
        self.alive: list[Any] = []
        self.open: set[int] = set()

    def encode(self, value: Any, path: str) -> Any:
        if isinstance(value, Tensor):
            return {"tensor": self.keep(value, value._elements("save"), path), "stop_gradient": value.stop_gradient}
        if isinstance(value, DenseTensor) and not value.lod():  # a file has no place for levels of detail
            return {"tensor": self.keep(value, np.asarray(value), path), "stop_gradient": True}
        if isinstance(value, (np.ndarray, np.generic)):
            kind = "array" if isinstance(value, np.ndarray) else "number"
            return {kind: self.keep(value, entering(np.asarray(value)), path)}
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, int):
            return int(value) if abs(value) < 2**63 else {"int": str(int(value))}
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else {"float": repr(float(value))}
        if isinstance(value, complex):
            return {"complex": [repr(value.real), repr(value.imag)]}
        if isinstance(value, DType):
            return {"dtype": value.name}
        if isinstance(value, (dict, list, tuple)):
            return self.encode_nest(value, path)
        raise ArgumentError(
            f"save can't write {type(value).__name__} at {path or 'the top'}",
            remedy="save tensors, arrays, numbers, strings and None, in dicts, lists and tuples",
        )

    def encode_nest(self, value: Any, path: str) -> Any:
        if id(value) in self.open:
            raise ArgumentError(f"save can't write a structure that contains itself (at {path or 'the top'})")
        self.open.add(id(value))
        if isinstance(value, dict):
            items = [
                [self.encode_key(k, path), self.encode(v, f"{path}.{k}" if path else str(k))] for k, v in value.items()
            ]
            made: Any = {"dict": items}
        else:
            parts = [self.encode(v, f"{path}.{k}" if path else str(k)) for k, v in enumerate(value)]
            made = {"tuple" if isinstance(value, tuple) else "list": parts}
        self.open.discard(id(value))
        return made

    def encode_key(self, key: Any, path: str) -> Any:
        if key is None or isinstance(key, (str, bool, int, float, tuple)):
            return self.encode(key, f"{path} (a key)")
        raise ArgumentError(f"save can't write a key of type {type(key).__name__} at {path or 'the top'}")

    def keep(self, owner: Any, array: Any, path: str) -> str:
        known = self.known.get(id(owner))
        if known is not None:
            return known
        try:
            of_array(array)
        except VitrifyError as error:
            raise ArgumentError(f"save can't write an array of {array.dtype} at {path or 'the top'}") from error
        name, k = path or "data", 1
        while name in self.arrays or name == "__metadata__":
            k += 1
            name = f"{path or 'data'}#{k}"
        self.known[id(owner)] = name
        self.alive.append(owner)
        self.arrays[name] = array
        return name

    def file_bytes(self, structure: Any) -> bytes:
        header: dict[str, Any] = {}
        chunks, sums, place = [], {}, 0
        for name, array in sorted(self.arrays.items(), key=lambda item: (-item[1].dtype.itemsize, item[0])):
            little = array.astype(array.dtype.newbyteorder("<"), copy=False)
            chunk = little.tobytes()
            header[name] = {
                "dtype": of_array(array).safetensors,
                "shape": list(array.shape),
                "data_offsets": [place, place + len(chunk)],
            }
            sums[name] = zlib.crc32(chunk)
            chunks.append(chunk)
            place += len(chunk)
        text = json.dumps(structure, ensure_ascii=False)
        checks = json.dumps(sums, ensure_ascii=False)
        meta = {"format": FORMAT, "structure": text, "crc32": checks, "structure_crc32": str(zlib.crc32(text.encode()))}
        head = json.dumps({"__metadata__": meta, **header}, ensure_ascii=False).encode()
        head += b" " * (-len(head) % 8)
        return b"".join([struct.pack("<Q", len(head)), head, *chunks])


class _Reader:
    """Reads a file without trusting it: every size is checked against the bytes that are there."""

    def __init__(self, where: str, data: bytes, return_numpy: bool) -> None:
        self.where = where
        self.data = data
        self.return_numpy = return_numpy
        self.entries: dict[str, Any] = {}
        self.sums: dict[str, Any] = {}
        self.made: dict[tuple[str, str], Any] = {}
        self.start = 0
        self.end = 0
        self.alone = True  # nothing may follow

    def fail(
        self, part: str, reason: str, cause: Exception | None = None, remedy: str = "load a file written by vt.save"
    ) -> ArtifactError:
        error = ArtifactError(f"{self.where}: {part}: {reason}", remedy=remedy)
        error.__cause__ = cause
        return error

    def read(self) -> Any:
        meta = self.read_header()
        if meta.get("format") is None or "structure" not in meta:  # another library's flat file
            return {name: self.tensor(name, True) for name in self.entries}
        if meta["format"] != FORMAT:
            raise self.fail("metadata", f"format {meta['format']!r} is unknown; this version reads {FORMAT!r}")
        text = meta.get("structure")
        if not isinstance(text, str) or meta.get("structure_crc32") != str(zlib.crc32(text.encode())):
            raise self.fail("structure", "its checksum differs: the file is damaged")
        self.sums = self.parse("checksums", meta.get("crc32", ""))
        if not isinstance(self.sums, dict):
            raise self.fail("checksums", "not a table")
        try:
            return self.decode(self.parse("structure", text))
        except RecursionError as error:
            raise self.fail("structure", "nested too deeply", error) from error

    def read_header(self) -> dict[str, Any]:
        if len(self.data) < 8:
            raise self.fail("header", f"the file has only {len(self.data)} bytes")
        (length,) = struct.unpack("<Q", self.data[:8])
        if length > min(_MOST_HEADER, len(self.data) - 8):
            for start, (kind, remedy) in _FOREIGN.items():
                if self.data.startswith(start):
                    raise self.fail("header", f"it is {kind}", remedy=remedy)
            raise self.fail(
                "header", f"it claims {length} bytes, the file has {len(self.data)}: truncated or of another kind"
            )
        self.start = 8 + length
        header = self.parse("header", self.data[8 : self.start])
        if not isinstance(header, dict):
            raise self.fail("header", "not a table of tensors")
        meta = header.pop("__metadata__", {})
        if not isinstance(meta, dict):
            raise self.fail("metadata", "not a table")
        self.entries = header
        self.check_entries()
        return meta

    def parse(self, part: str, text: str | bytes) -> Any:
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self.fail(part, f"not readable as JSON ({error})", error) from error

    def check_entries(self) -> None:
        room = len(self.data) - self.start
        spans = []
        for name, entry in self.entries.items():
            part = f"tensor {name!r}"
            try:
                kind, shape, (begin, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
                numbers_fine = all(type(n) is int and n >= 0 for n in (*shape, begin, end))
            except (TypeError, KeyError, ValueError) as error:
                raise self.fail(part, "its entry in the header is malformed", error) from error
            if not numbers_fine or not isinstance(kind, str) or begin > end:
                raise self.fail(part, "its entry in the header is malformed")
            dtype = _DTYPES.get(kind)
            if dtype is None:
                raise self.fail(part, f"dtype {kind} is unknown here")
            if end - begin != math.prod(shape) * dtype.itemsize:
                raise self.fail(part, f"shape {shape} of {dtype.name} doesn't fit its {end - begin} bytes")
            if end > room:
                raise self.fail(part, f"its data end at byte {end} of {room}: the file is truncated")
            spans.append((begin, end, part))
        self.check_spans(sorted(spans), room)

    def check_spans(self, spans: list[tuple[int, int, str]], room: int) -> None:
        place = 0
        for begin, end, part in spans:
            if begin != place:
                raise self.fail(part, "its data overlap with others or leave a gap")
            place = end
        if place != room and self.alone:
            raise self.fail("data", f"{room - place} bytes at the end belong to nothing")
        self.end = self.start + place

    def decode(self, node: Any) -> Any:
        if node is None or isinstance(node, (bool, str, int, float)):
            return node
        if not isinstance(node, dict) or not node:
            raise self.fail("structure", f"unknown entry {node!r:.60}")
        kind, value = next(iter(node.items()))
        try:
            return self.decode_kind(kind, value, node)
        except (TypeError, ValueError, KeyError) as error:
            if isinstance(error, VitrifyError):
                raise
            raise self.fail("structure", f"malformed {kind!r:.60}", error) from error

    def decode_kind(self, kind: str, value: Any, node: dict[str, Any]) -> Any:
        match kind:
            case "dict":
                return {self.decode(k): self.decode(v) for k, v in value}
            case "list":
                return [self.decode(v) for v in value]
            case "tuple":
                return tuple([self.decode(v) for v in value])
            case "tensor":
                return self.tensor(value, bool(node.get("stop_gradient", True)))
            case "array":
                return leaving(self.array(value))
            case "number":
                return self.array(value)[()]
            case "int":
                return int(value)
            case "float":
                return float(value)
            case "complex":
                return complex(float(value[0]), float(value[1]))
            case "dtype":
                return as_dtype(value)
        raise self.fail("structure", f"unknown kind {kind!r:.60}")

    def tensor(self, name: str, stop_gradient: bool) -> Any:
        if self.return_numpy:
            return leaving(self.array(name))
        made = self.made.get(("tensor", name))
        if made is None:
            made = self.made["tensor", name] = from_array(self.array(name).copy())
            made.stop_gradient = stop_gradient
        return made

    def array(self, name: str) -> Any:
        made = self.made.get(("array", name))
        if made is not None:
            return made
        entry = self.entries.get(name)
        if entry is None:
            raise self.fail("structure", f"it names a tensor {name!r} that isn't in the file")
        begin, end = entry["data_offsets"]
        chunk = memoryview(self.data)[self.start + begin : self.start + end]
        expected = self.sums.get(name)
        if self.sums and expected != zlib.crc32(chunk):
            raise self.fail(f"tensor {name!r}", "its checksum differs: the data are damaged")
        dtype = _DTYPES[entry["dtype"]]
        assert dtype is not None
        try:
            stored = np.frombuffer(chunk, dtype.numpy.newbyteorder("<")).reshape(entry["shape"])
        except ValueError as error:  # too many axes, or sizes beside a 0 that no array has
            raise self.fail(f"tensor {name!r}", f"no array has the shape {entry['shape']!r:.80}", error) from error
        made = self.made["array", name] = stored.astype(dtype.numpy)
        return made

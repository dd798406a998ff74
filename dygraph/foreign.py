"""Files of PaddlePaddle (`.pdparams`, `.pdopt`) and PyTorch (`.pt`, `.pth`): their arrays, without running any code.

PaddlePaddle pickles NumPy arrays. PyTorch pickles references to storages, which stand in a zip archive beside the
pickle, or in its older form behind it. `base/pickles.py` reads the pickles; this module says which names they may
hold: those of arrays, numbers and containers.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..base.dtype import ALL, DType, bfloat16
from ..base.errors import ArtifactError
from ..base.pickles import Buildable, Constructor, PickleReader

PICKLES = tuple(b"\x80" + bytes([protocol]) for protocol in (2, 3, 4, 5))  # how they begin
ZIP = b"PK\3\4"
NAME_TABLE = "StructuredToParameterName@@"  # in PaddlePaddle's state dicts: the names of the parameters themselves
_TORCH_MAGIC = 0x1950A86A20F9469CFC6C
_MOST_DEPTH = 200
_MOST_GROWTH = 16  # how many times a file's size its arrays may have: shared storages are rare

_STORAGES = {
    "Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16", "Long": "int64", "Int": "int32",
    "Short": "int16", "Char": "int8", "Byte": "uint8", "Bool": "bool", "ComplexFloat": "complex64",
    "ComplexDouble": "complex128",
}  # fmt: skip
_DTYPES: dict[str, DType] = {dtype.name: dtype for dtype in ALL}


class _Kind(Buildable):
    """A NumPy dtype: number, bool or nothing else."""

    def __init__(self, name: Any = None, align: Any = False, copy: Any = True) -> None:
        if not isinstance(name, str) or not re.fullmatch(r"[<>=|]?[biufc]\d{1,2}", name):
            raise ValueError(f"an array of dtype {name!r}; only numbers are read")
        self.dtype = np.dtype(name)

    def build(self, state: Any) -> None:
        """The byte order."""
        order = state[1]
        if order not in ("<", ">", "|", "="):
            raise ValueError(f"byte order {order!r}")
        self.dtype = self.dtype.newbyteorder("|" if order == "=" else order)


class _Array(Buildable):
    """A NumPy array; its elements come with its state."""

    def __init__(self, *_: Any) -> None:
        self.array: Any = None

    def build(self, state: Any) -> None:
        """(version, shape, dtype, Fortran order, bytes)."""
        _, shape, kind, fortran, data = state
        self.array = _elements(data, kind, shape, "F" if fortran else "C")


def _elements(data: Any, kind: Any, shape: Any, order: str) -> Any:
    if isinstance(data, str):
        data = data.encode("latin-1")
    if not isinstance(kind, _Kind) or not isinstance(data, bytes) or not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError("an array without a shape, dtype or bytes")
    found = np.frombuffer(data, kind.dtype).reshape(shape, order=order)  # type: ignore[call-overload]
    return found.astype(found.dtype.newbyteorder("="), copy=False)


def _from_buffer(data: Any, kind: Any, shape: Any, order: Any) -> Any:
    made = _Array()
    made.array = _elements(data, kind, shape, "F" if order == "F" else "C")
    return made


def _scalar(kind: Any, data: Any) -> Any:
    return _elements(data, kind, (), "C").item()


def _encoded(text: Any, encoding: Any = "latin1") -> bytes:
    if encoding != "latin1" or not isinstance(text, str):
        raise ValueError("bytes in another encoding than latin1")
    return text.encode("latin-1")


def _no_items(*items: Any) -> dict[Any, Any]:
    if items not in ((), ([],)):
        raise ValueError("an OrderedDict made of pairs")
    return {}


_NAMES: dict[tuple[str, str], Any] = {
    ("numpy", "ndarray"): None,
    ("numpy", "dtype"): Constructor(_Kind),
    ("collections", "OrderedDict"): Constructor(_no_items),
    ("_codecs", "encode"): Constructor(_encoded),
}
for _core in ("numpy.core", "numpy._core"):
    _NAMES[f"{_core}.multiarray", "_reconstruct"] = Constructor(_Array)
    _NAMES[f"{_core}.multiarray", "scalar"] = Constructor(_scalar)
    _NAMES[f"{_core}.numeric", "_frombuffer"] = Constructor(_from_buffer)
for _builtins in ("builtins", "__builtin__"):
    _NAMES[_builtins, "tuple"] = Constructor(tuple)
    _NAMES[_builtins, "list"] = Constructor(list)
    _NAMES[_builtins, "set"] = Constructor(list)


# ---- PyTorch


@dataclass(frozen=True)
class _Storage:
    """A reference to the numbers of tensors."""

    key: str
    kind: str
    count: int


@dataclass(frozen=True)
class _View:
    """A tensor: a view of a storage."""

    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def _view(storage: Any, offset: Any, size: Any, stride: Any, *_: Any) -> _View:
    numbers = (offset, *size, *stride)
    if not isinstance(storage, _Storage) or not all(type(n) is int and n >= 0 for n in numbers):
        raise ValueError("a tensor without a storage, sizes or strides")
    if len(size) != len(stride):
        raise ValueError("sizes and strides that don't fit")
    return _View(storage, offset, tuple(size), tuple(stride))


def _storage(reference: Any) -> _Storage:
    if not isinstance(reference, tuple) or len(reference) < 5 or reference[0] != "storage":
        raise ValueError("a reference to something else than a storage")
    _, kind, key, _, count = reference[:5]
    if not isinstance(kind, _StorageKind) or not isinstance(key, str) or type(count) is not int:
        raise ValueError("a storage without dtype, name or size")
    if len(reference) > 5 and reference[5] is not None:
        raise ValueError("a storage within another")
    return _Storage(key, kind.name, count)


@dataclass(frozen=True)
class _StorageKind:
    """The dtype of a storage's numbers."""

    name: str


_TORCH = _NAMES | {
    ("torch._utils", "_rebuild_tensor_v2"): Constructor(_view),
    ("torch._utils", "_rebuild_tensor"): Constructor(_view),
    ("torch._utils", "_rebuild_parameter"): Constructor(lambda data, *_: data),
    ("torch", "Size"): Constructor(tuple),
    ("torch", "device"): Constructor(lambda *parts: ":".join(str(part) for part in parts)),
    **{("torch", f"{name}Storage"): _StorageKind(kind) for name, kind in _STORAGES.items()},
    **{("torch", name): dtype for name, dtype in _DTYPES.items()},
}


def read(where: str, data: bytes, make: Callable[[Any], Any]) -> Any:
    """The value of a foreign file; `make` turns each array into what the caller wants.

    Errors: ArtifactError says what is damaged, or which name in the file stands for something else than data.
    """
    storages: Callable[[_Storage], Any] = lambda storage: _missing(where, storage)  # noqa: E731 - the simplest table
    if data.startswith(ZIP):
        value, storages = _read_zip(where, data)
    else:
        reader = PickleReader(where, data, _TORCH, persistent=_storage)
        value = reader.read()
        if value == _TORCH_MAGIC:
            value, storages = _read_old_torch(where, data, reader.end)
    return _Plain(where, len(data), storages, make).of(value, 0)


def _missing(where: str, storage: _Storage) -> Any:
    raise ArtifactError(f"{where}: there is no storage {storage.key!r}")


def part_of_zip(where: str, data: bytes, name: str) -> bytes | None:
    """A part of a zip archive that is stored as it is; None where there is none of that name."""
    archive = _archive(where, data)
    found = next((entry for entry in archive.infolist() if entry.filename == name), None)
    if found is None:
        return None
    if found.compress_type != zipfile.ZIP_STORED or found.file_size > len(data):
        raise ArtifactError(f"{where}: {name} is compressed")
    return _part(where, archive, name)


def _archive(where: str, data: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except _DAMAGED_ZIP as error:
        raise ArtifactError(f"{where}: damaged zip archive: {error}") from error


def _read_zip(where: str, data: bytes) -> tuple[Any, Callable[[_Storage], Any]]:
    archive = _archive(where, data)
    inside = {entry.filename: entry for entry in archive.infolist()}
    pickles = [name for name in inside if name == "data.pkl" or name.endswith("/data.pkl")]
    if len(pickles) != 1:
        remedy = "read an .npz with numpy.load" if any(name.endswith(".npy") for name in inside) else None
        raise ArtifactError(f"{where}: a zip archive, but not one of torch.save", remedy=remedy)
    start = pickles[0].removesuffix("data.pkl")
    order = _part(where, archive, f"{start}byteorder") if f"{start}byteorder" in inside else b"little"
    if order != b"little" or any(entry.compress_type != zipfile.ZIP_STORED for entry in inside.values()):
        raise ArtifactError(f"{where}: compressed, or written on a machine of another byte order")

    def stored(storage: _Storage) -> Any:
        name = f"{start}data/{storage.key}"
        if name not in inside:
            return _missing(where, storage)
        return _numbers(where, storage, _part(where, archive, name))

    text = _part(where, archive, pickles[0])
    return PickleReader(where, text, _TORCH, persistent=_storage).read(), stored


_DAMAGED_ZIP = (
    zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, struct.error, ValueError,
    OverflowError, OSError,
)  # fmt: skip


def _part(where: str, archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        return archive.read(name)
    except _DAMAGED_ZIP as error:
        raise ArtifactError(f"{where}: {name}: damaged: {error}") from error


def _read_old_torch(where: str, data: bytes, at: int) -> tuple[Any, Callable[[_Storage], Any]]:
    """Protocol, machine, value, keys: a pickle each; then for each key the count of its numbers and these."""
    kinds: dict[str, _Storage] = {}

    def noted(reference: Any) -> _Storage:
        found = _storage(reference)
        return kinds.setdefault(found.key, found)

    parts = []
    for _ in range(4):
        reader = PickleReader(where, data, _TORCH, at, noted)
        parts.append(reader.read())
        at = reader.end
    _, machine, value, keys = parts
    if not isinstance(machine, dict) or machine.get("little_endian") is not True or not isinstance(keys, list):
        raise ArtifactError(f"{where}: written on a machine of another byte order, or damaged")
    found: dict[str, Any] = {}
    for key in keys:
        storage = kinds.get(key) if isinstance(key, str) else None
        if storage is None or len(data) - at < 8:
            raise ArtifactError(f"{where}: storage {key!r}: nothing uses it, or the file is truncated")
        size = storage.count * _DTYPES[storage.kind].numpy.itemsize
        if struct.unpack_from("<q", data, at)[0] != storage.count or size > len(data) - at - 8:
            raise ArtifactError(f"{where}: storage {key!r}: another size than announced")
        found[key] = _numbers(where, storage, data[at + 8 : at + 8 + size])
        at += 8 + size
    return value, lambda storage: found[storage.key] if storage.key in found else _missing(where, storage)


def _numbers(where: str, storage: _Storage, data: bytes) -> Any:
    kind = _DTYPES[storage.kind].numpy
    if len(data) != storage.count * kind.itemsize:
        raise ArtifactError(f"{where}: storage {storage.key!r} has {len(data)} bytes, not {storage.count} numbers")
    return np.frombuffer(data, kind)


# ---- plain values


def _is_paddle_tensor(value: Any) -> bool:
    """Whether this is PaddlePaddle's form of a tensor: its name and its elements."""
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], _Array)


class _Plain:
    """Turns what was read into plain containers with `make(array)` for each array; a shared part once."""

    def __init__(self, where: str, size: int, storages: Callable[[_Storage], Any], make: Callable[[Any], Any]) -> None:
        self.where, self.room, self.storages, self.make = where, _MOST_GROWTH * size + 4096, storages, make
        self.known: dict[int, Any] = {}
        self.alive: list[Any] = []
        self.opened: dict[str, Any] = {}

    def of(self, value: Any, depth: int) -> Any:
        if value is None or isinstance(value, (bool, int, float, str, bytes, DType)):
            return value
        if id(value) in self.known:
            return self.known[id(value)]
        if depth > _MOST_DEPTH:
            raise ArtifactError(f"{self.where}: nested too deeply, or it contains itself")
        made = self._made(value, depth + 1)
        self.known[id(value)] = made
        self.alive.append(value)  # so that no other object gets its id
        return made

    def _made(self, value: Any, depth: int) -> Any:
        if isinstance(value, _Array) and value.array is not None:
            return self._array(value.array)
        if isinstance(value, _View):
            return self._array(np.array(self._strided(value)))
        if _is_paddle_tensor(value):
            return self.of(value[1], depth)
        if isinstance(value, (list, tuple)):
            return type(value)(self.of(item, depth) for item in value)
        if isinstance(value, dict):
            return {key: self.of(item, depth) for key, item in value.items() if key != NAME_TABLE}
        raise ArtifactError(f"{self.where}: it holds a part of an array that is no value by itself")

    def _array(self, array: Any) -> Any:
        if array.dtype == np.uint16:  # PaddlePaddle writes bfloat16 so
            array = array.view(bfloat16.numpy)
        return self.make(self._counted(array))

    def _counted(self, array: Any) -> Any:
        """The array, if there is room for a copy of it."""
        self.room -= array.nbytes
        if self.room < 0:
            raise ArtifactError(f"{self.where}: its arrays are over {_MOST_GROWTH} times as large as the file")
        return array

    def _strided(self, view: _View) -> Any:
        if view.storage.key not in self.opened:
            self.opened[view.storage.key] = self._counted(self.storages(view.storage))
        numbers = self.opened[view.storage.key]
        if 0 in view.shape:
            return numbers[:0].reshape(view.shape)
        last = view.offset + sum((n - 1) * step for n, step in zip(view.shape, view.strides, strict=True))
        if last >= len(numbers):
            raise ArtifactError(f"{self.where}: a tensor reaches beyond its storage {view.storage.key!r}")
        steps = [step * numbers.itemsize for step in view.strides]
        return self._counted(as_strided(numbers[view.offset :], view.shape, steps, writeable=False))

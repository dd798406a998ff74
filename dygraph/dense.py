"""A tensor's data as Paddle's executors hand it out: `scope.find_var(name).get_tensor()`, `tensor.get_tensor()`.

No op takes it: it is read as an array, set, and fed. It may carry levels of detail: the lengths of the sequences that
its rows are made of, level by level.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError, ShapeError
from ..base.size import Size
from .device import CPU, CPUPlace, as_place

Array = np.ndarray[Any, Any]
Levels = list[list[int]]
_KINDS = "biufc"  # of NumPy dtypes that tensors have


class DenseTensor:
    """The data behind a tensor: read it as an array, replace it by `set`.

    Without an owner it holds data of its own, of any shape and dtype. `owner` has `numpy()`, `set_value(array)`,
    `shape` and `dtype`.

    >>> data = DenseTensor()
    >>> data.set(np.ones((3, 1), np.float32))
    >>> data.set_recursive_sequence_lengths([[2, 1]])
    >>> data.shape(), data.lod(), np.array(data[1:]).tolist()
    ([3, 1], [[0, 2, 3]], [[1.0], [1.0]])
    """

    def __init__(self, owner: Any = None) -> None:
        self._owner = owner
        self._array: Array | None = None
        self._sizes: list[int] = []
        self._lengths: Levels = []

    def _values(self) -> Array | None:
        """The array; None before there is any."""
        return self._array if self._owner is None else np.asarray(self._owner._copied())

    def _replace(self, array: Array) -> None:
        """Take this array, which nobody else has. Errors: ShapeError for an owner's tensor of another shape."""
        if self._owner is None:
            self._array = array
            return
        if tuple(array.shape) != tuple(self._owner.shape):
            raise ShapeError(f"set() needs an array of shape {list(self._owner.shape)}, not {list(array.shape)}")
        self._owner.set_value(array.astype(np.dtype(self._owner.dtype.name), copy=False))

    def set(self, array: Any, place: Any = None) -> None:
        """Copy an array in. An owner's tensor keeps its shape and dtype.

        Errors: ShapeError for another shape than the owner's; ArgumentError for what isn't numbers.
        """
        as_place(place)
        values = np.array(array, order="C")
        if values.dtype.kind not in _KINDS:
            raise ArgumentError(f"a tensor holds bools and numbers, not NumPy's {values.dtype}")
        self._replace(values)

    def shape(self) -> Size:
        """The sizes of its axes."""
        values = self._values()
        return Size(self._sizes if values is None else values.shape)

    def _get_dims(self) -> list[int]:
        return list(self.shape())

    def _set_dims(self, dims: Any) -> None:
        """The sizes of its axes; data of as many elements is kept. Without data `_alloc_float` and its like make it."""
        self._sizes = [int(n) for n in dims]
        values = self._values()
        if self._owner is None and values is not None:
            fits = values.size == np.prod(self._sizes, dtype=np.int64)
            self._array = values.reshape(self._sizes) if fits else np.zeros(self._sizes, values.dtype)

    def _allocate(self, dtype: Any) -> None:
        self._replace(np.zeros(self.shape(), dtype))

    def _alloc_float(self, place: Any = None) -> None:
        self._allocate(np.float32)

    def _alloc_double(self, place: Any = None) -> None:
        self._allocate(np.float64)

    def _alloc_int(self, place: Any = None) -> None:
        self._allocate(np.int32)

    def _mutable_data(self, place: Any, dtype: Any) -> int:
        """Make room for elements of a dtype; the address."""
        self._allocate(as_dtype(dtype).numpy)
        return self._ptr()

    def _ptr(self) -> int:
        """The address of the first element. Errors: ArgumentError before there is any data."""
        return int(self._read().__array_interface__["data"][0])

    def _read(self) -> Array:
        values = self._values()
        if values is None:
            raise ArgumentError("this DenseTensor holds no data yet", remedy="call set() first")
        return values

    def recursive_sequence_lengths(self) -> Levels:
        """The lengths of its sequences, level by level."""
        return [list(level) for level in self._lengths]

    def lod(self) -> Levels:
        """Where its sequences begin and end, level by level."""
        return [[0, *(int(n) for n in np.cumsum(level))] for level in self._lengths]

    def set_recursive_sequence_lengths(self, lengths: Any) -> None:
        """Say how many rows each sequence has; of several levels, how many sequences of the next each has.

        Errors: ArgumentError for lengths that don't add up.
        """
        levels = [[int(n) for n in level] for level in lengths]
        if not self._fits(levels):
            raise ArgumentError(f"the lengths {levels} don't add up to {', '.join(map(str, self.shape()[:1]))} rows")
        self._lengths = levels

    def set_lod(self, offsets: Any) -> None:
        """`set_recursive_sequence_lengths` by where sequences begin and end."""
        self.set_recursive_sequence_lengths([np.diff(level).tolist() for level in offsets])

    def has_valid_recursive_sequence_lengths(self) -> bool:
        """Whether the lengths add up to the number of rows."""
        return self._fits(self._lengths)

    def _fits(self, levels: Levels) -> bool:
        if any(not level or min(level) < 0 for level in levels):
            return False
        rows = [len(level) for level in levels[1:]]
        shape = self.shape()
        if levels and (self._values() is not None or self._sizes):
            rows.append(shape[0] if shape else -1)
        return all(sum(level) == count for level, count in zip(levels, rows, strict=False))

    def _dtype(self) -> Any:
        return as_dtype(self._read().dtype) if self._owner is None else self._owner.dtype

    def _place(self) -> CPUPlace:
        return CPU

    def _is_initialized(self) -> bool:
        return self._values() is not None

    def _clear(self) -> None:
        """Forget its own data."""
        self._array, self._lengths = None, []

    def _as_type(self, dtype: Any) -> DenseTensor:
        return self._made(self._read().astype(as_dtype(dtype).numpy))

    def _copy(self, place: Any = None) -> DenseTensor:
        return self._made(self._read().copy())

    def _copy_from(self, other: Any, place: Any = None, batch_size: int = -1) -> None:
        values = np.array(other)
        self._replace(values if batch_size < 0 else values[:batch_size].copy())

    def _slice(self, begin: int, end: int) -> DenseTensor:
        return self._made(self._read()[begin:end].copy())

    def __getitem__(self, item: Any) -> DenseTensor:
        return self._made(np.array(self._read()[item], order="C"))

    def _made(self, array: Array) -> DenseTensor:
        made = DenseTensor()
        made._array = array
        made._lengths = self.recursive_sequence_lengths() if array.shape == tuple(self.shape()) else []
        return made

    def _to_dlpack(self) -> Any:
        return self._read().copy().__dlpack__()

    def _get_double_element(self, place: int) -> float:
        return float(self._read().reshape(-1)[place])

    def _set_double_element(self, place: int, value: complex) -> None:
        values = np.array(self)
        values.reshape(-1)[place] = value
        self._replace(values)

    def _get_complex128_element(self, place: int) -> complex:
        return complex(self._read().reshape(-1)[place])

    _get_float_element, _set_float_element = _get_double_element, _set_double_element
    _get_complex64_element = _get_complex128_element
    _set_complex64_element = _set_complex128_element = _set_double_element

    def numel(self) -> int:
        """How many elements it has."""
        return int(np.prod(self.shape(), dtype=np.int64))

    _numel = numel

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        values = self._read()
        if copy:
            values = values.copy()
        return values if dtype is None else values.astype(dtype, copy=False)

    def __repr__(self) -> str:
        levels = f", lod={self.lod()}" if self._lengths else ""
        dtype = self._dtype().name if self._is_initialized() else None
        return f"DenseTensor(shape={self.shape()}, dtype={dtype}{levels})"

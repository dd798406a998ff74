"""A tensor's data as Paddle's executors hand it out: `scope.find_var(name).get_tensor()`, `tensor.get_tensor()`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.errors import ShapeError
from ..base.size import Size
from .device import CPU, CPUPlace, as_place


class DenseTensor:
    """The data behind a tensor: read it as an array, replace it by `set`.

    `owner` has `numpy()`, `set_value(array)`, `shape` and `dtype`: a Tensor, or a variable of a scope.
    """

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def set(self, array: Any, place: Any = None) -> None:
        """Copy an array of the same shape in; its dtype becomes the tensor's. Errors: ShapeError."""
        as_place(place)
        values = np.asarray(array)
        if tuple(values.shape) != tuple(self._owner.shape):
            raise ShapeError(f"set() needs an array of shape {list(self._owner.shape)}, not {list(values.shape)}")
        self._owner.set_value(values.astype(np.dtype(self._owner.dtype.name), copy=False))

    def shape(self) -> Size:
        """The sizes of its axes."""
        return Size(self._owner.shape)

    def lod(self) -> list[Any]:
        """Levels of detail: none."""
        return []

    recursive_sequence_lengths = lod

    def _dtype(self) -> Any:
        return self._owner.dtype

    def _place(self) -> CPUPlace:
        return CPU

    def _is_initialized(self) -> bool:
        return True

    def _get_double_element(self, place: int) -> float:
        return float(np.asarray(self).reshape(-1)[place])

    def _set_double_element(self, place: int, value: float) -> None:
        values = np.array(self)
        values.reshape(-1)[place] = value
        self.set(values)

    _get_float_element, _set_float_element = _get_double_element, _set_double_element

    def numel(self) -> int:
        """How many elements it has."""
        return int(np.prod(self._owner.shape, dtype=np.int64))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        values = np.asarray(self._owner.numpy())
        return values if dtype is None else values.astype(dtype, copy=False)

    def __repr__(self) -> str:
        return f"DenseTensor(shape={self.shape()}, dtype={self._owner.dtype.name})"

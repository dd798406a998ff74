"""Tensors of the predictor of PaddlePaddle 1: an array with a name, an element type and the levels of its sequences."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.errors import ArgumentError


class PaddleDType(enum.Enum):
    """Element types of such tensors."""

    FLOAT32 = "float32"
    INT64 = "int64"
    INT32 = "int32"
    UINT8 = "uint8"


class PaddleBuf:
    """The numbers of a tensor in a row."""

    def __init__(self, data: Any) -> None:
        self.array = np.array(data).ravel()

    def reset(self, data: Any) -> None:
        """Take other numbers."""
        self.array = np.array(data).ravel()

    def empty(self) -> bool:
        """Whether there are none."""
        return self.array.size == 0

    def length(self) -> int:
        """How many bytes they take."""
        return self.array.nbytes

    def tolist(self, dtype: str = "float32") -> list[Any]:
        """The numbers. Errors: ArgumentError for a dtype that isn't theirs."""
        if dtype != self.array.dtype.name:
            raise ArgumentError(f"these numbers are {self.array.dtype.name}, not {dtype}")
        return self.array.tolist()

    def float_data(self) -> list[float]:
        """The numbers as floats."""
        return self.array.astype(float).tolist()

    def int64_data(self) -> list[int]:
        """The numbers as ints."""
        return self.array.astype(np.int64).tolist()

    int32_data = int64_data


class PaddleTensor:
    """An array for `Predictor.run`, which gives results of the same kind.

    Errors: ArgumentError for an array of other elements than `PaddleDType` has.

    >>> x = PaddleTensor(np.array([[1, 2]], "int32"), "x")
    >>> x.shape, x.dtype.name, x.data.tolist("int32")
    ([1, 2], 'INT32', [1, 2])
    """

    def __init__(self, data: Any = (), name: str = "") -> None:
        array = np.asarray(data)
        array = array.astype(np.float32) if array.size == 0 else array
        if array.dtype.name not in {kind.value for kind in PaddleDType}:
            raise ArgumentError(f"a PaddleTensor can't hold {array.dtype.name}")
        self.name, self.shape, self.data = name, list(array.shape), PaddleBuf(array)
        self.lod: list[Sequence[int]] = []

    @property
    def dtype(self) -> PaddleDType:
        """The kind of the elements."""
        return PaddleDType(self.data.array.dtype.name)

    def as_ndarray(self) -> Any:
        """The array."""
        return self.data.array.reshape(self.shape)

"""Tensors of eager mode made of Python numbers, arrays and nested lists of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import ndarray

from ..base.dtype import DType, as_dtype, bfloat16, bool_, complex64, entering, int64, of_array
from ..base.errors import ArgumentError, CaptureError, DTypeError, NoTensorError
from ..base.flags import flags
from ..base.memory import too_large
from ..ops.dims import Dim
from ..ops.op import OPS
from ..ops.rearrange import stack
from .float_errors import QUIET, enter, leave
from .new_tensors import from_array
from .tensor import Tensor


def _scalar(data: Any, dtype: DType | None) -> Tensor:
    if dtype is None:
        dtype = _dtype_of(data)
    try:
        array = np.array(data, dtype.numpy)
    except OverflowError as error:
        raise ArgumentError(f"{data} doesn't fit into {dtype.name}", remedy="use a wider dtype") from error
    return from_array(array, dtype)


def _dtype_of(number: Any) -> DType:
    """The dtype of a Python number, or of one of a class derived from those."""
    if isinstance(number, complex):
        return complex64
    if isinstance(number, float):
        return flags.default_dtype
    return bool_ if isinstance(number, bool) else int64


def constant(data: Any, dtype: DType | None) -> Any:
    """A new tensor holding a number, an array, or a nested list of these and tensors. A tensor is returned itself."""
    if isinstance(data, Tensor):
        return data if dtype is None or data._dtype is dtype else OPS["cast"](data, dtype)
    if isinstance(data, (bool, int, float, complex)) and not isinstance(data, np.generic):
        return _scalar(data, dtype if dtype is not None or not isinstance(data, complex) else _complex())
    if isinstance(data, (ndarray, np.generic)):
        return _from_numpy(_bits_read(data, dtype), dtype)
    if isinstance(data, Dim):
        raise CaptureError(f"the size {data} is known only inside its program, but it is used in eager mode")
    if isinstance(data, (list, tuple)):
        return _from_list(data, dtype)
    if hasattr(data, "__array__"):
        return _from_numpy(_bits_read(np.asarray(data), dtype), dtype)
    if hasattr(data, "__index__"):
        return _scalar(data.__index__(), dtype)
    raise NoTensorError(
        f"{type(data).__name__} can't become a tensor", remedy="give numbers, arrays, tensors or lists of them"
    )


def _bits_read(data: Any, dtype: DType | None) -> Any:
    """A user's array; uint16 numbers are bits unless another dtype is asked for."""
    return entering(data) if dtype is None or dtype is bfloat16 else data


def _complex() -> DType:
    return as_dtype("complex128" if flags.default_dtype.itemsize == 8 else "complex64")


def _from_numpy(data: Any, dtype: DType | None) -> Tensor:
    kind = dtype or of_array(data)
    token = enter(QUIET)
    try:
        return from_array(np.array(data, kind.numpy, order="C"), kind)
    except MemoryError:
        raise too_large(f"a copy of {kind.short}{list(data.shape)}", data.size * kind.itemsize) from None
    finally:
        leave(token)


def _lengths(data: Sequence[Any]) -> str:
    """What to do about rows of different lengths, with the first two that differ."""
    counts = [len(row) if isinstance(row, (list, tuple)) else None for row in data]
    other = next((k for k, count in enumerate(counts) if count != counts[0]), None)
    if other is None or counts[0] is None or counts[other] is None:
        return "give all rows one length, for example by padding them"
    return f"row 0 has {counts[0]} elements, row {other} has {counts[other]}: pad them, or make a tensor of each"


def _beyond_64_bits(data: Any) -> int | None:
    """An integer in nested lists that no integer dtype holds."""
    if isinstance(data, (list, tuple)):
        return next((large for x in data if (large := _beyond_64_bits(x)) is not None), None)
    return data if type(data) is int and not -(2**63) <= data < 2**64 else None


def _from_list(data: list[Any] | tuple[Any, ...], dtype: DType | None) -> Tensor:
    if _holds_tensor(data):
        parts = [constant(item, dtype) for item in data]
        return stack(parts)  # type: ignore[no-any-return]
    try:
        array = np.array(data)
    except ValueError:
        raise ArgumentError(
            "a list with rows of different lengths can't become a tensor", remedy=_lengths(data)
        ) from None
    if array.dtype == object and (large := _beyond_64_bits(data)) is not None:
        raise ArgumentError(f"{large} doesn't fit into int64", remedy="use floats")
    if array.dtype == object or array.dtype.kind in "USV":
        raise DTypeError(f"a list of {_kinds(data)} can't become a tensor", remedy="give numbers or tensors")
    if dtype is None:
        usual = {"f": flags.default_dtype, "c": _complex()}
        if not _holds_numpy(data):  # integers of NumPy keep their dtype
            usual |= {"i": as_dtype("int64"), "u": as_dtype("int64")}
        dtype = usual.get(array.dtype.kind)
    return _from_numpy(array, dtype)


def _holds_tensor(data: Any) -> bool:
    return any(isinstance(x, Tensor) or (isinstance(x, (list, tuple)) and _holds_tensor(x)) for x in data)


def _holds_numpy(data: Any) -> bool:
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return isinstance(data, (ndarray, np.generic))


def _kinds(data: Any) -> str:
    found = {type(x).__name__ for x in data}
    return " and ".join(sorted(found))

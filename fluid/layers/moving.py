"""Shapes, positions and order: ops whose arguments had other names or defaults."""

from __future__ import annotations

from typing import Any

from ...base.dtype import as_dtype
from .shared import activated, op


def reshape(
    x: Any, shape: Any, actual_shape: Any = None, act: str | None = None, inplace: bool = False, name: str | None = None
) -> Any:
    """The elements in another shape (0: the size at that place, -1: what is left over), then `act`."""
    return activated(op("reshape")(x, shape if actual_shape is None else actual_shape), act)


def transpose(x: Any, perm: Any, name: str | None = None) -> Any:
    """The axes in another order."""
    return op("transpose")(x, perm)


def concat(input: Any, axis: Any = 0, name: str | None = None) -> Any:
    """Tensors behind each other along an axis."""
    return op("concat")(input, axis)


def split(input: Any, num_or_sections: Any, dim: int = -1, name: str | None = None) -> Any:
    """Parts along an axis: so many equal ones, or of the given sizes."""
    return op("split")(input, num_or_sections, dim)


def expand(x: Any, expand_times: Any, name: str | None = None) -> Any:
    """x repeated `expand_times[k]` times along axis k."""
    return op("tile")(x, expand_times)


def flatten(x: Any, axis: int = 1, name: str | None = None) -> Any:
    """x as a matrix: the axes before `axis` are its rows."""
    if axis == 0:
        return op("reshape")(x, [1, -1])
    columns = op("flatten")(x, axis, -1) if axis < len(x.shape) else op("unsqueeze")(x, -1)
    return op("flatten")(columns, 0, axis - 1)


def cast(x: Any, dtype: Any) -> Any:
    """The elements in another dtype."""
    return op("cast")(x, as_dtype(dtype))


def gather(input: Any, index: Any, overwrite: bool = True) -> Any:
    """The rows with these numbers. Shapes: index i[n] or i[n, 1]."""
    flat = op("reshape")(index, [-1]) if len(index.shape) == 2 else index
    return op("gather")(input, flat)


def argmax(x: Any, axis: int = 0) -> Any:
    """The place of the largest element along an axis."""
    return op("argmax")(x, axis)


def argmin(x: Any, axis: int = 0) -> Any:
    """The place of the smallest element along an axis."""
    return op("argmin")(x, axis)


def argsort(input: Any, axis: int = -1, descending: bool = False, name: str | None = None) -> tuple[Any, Any]:
    """The elements in order along an axis, and where they stood."""
    return op("sort")(input, axis, descending), op("argsort")(input, axis, descending)


def topk(input: Any, k: int, name: str | None = None) -> tuple[Any, Any]:
    """The k largest elements of each row, and where they stand."""
    values, places = op("topk")(input, k)
    return values, places

"""Sparse tensors from numbers, and from dense tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.errors import ArgumentError, DTypeError, ShapeError
from ...ops.infer import show_shape
from ...ops.op import FUNCTIONS, OPS
from ..conversions import to_tensor
from ..tensor import Tensor
from .sparse_tensor import SparseCooTensor, SparseCsrTensor, SparseTensor, count, indices_of


def _given_values(values: Any, dtype: Any, stop_gradient: bool) -> Any:
    dtype = dtype or None  # False is none, as in Paddle
    if not isinstance(values, Tensor):
        return to_tensor(values, dtype, stop_gradient=stop_gradient)
    if not stop_gradient and values.stop_gradient:
        values = values.detach()
        values.stop_gradient = False
    return values if dtype is None else OPS["cast"](values, dtype)


def _given_places(name: str, places: Any) -> Any:
    made = places if isinstance(places, Tensor) else to_tensor(places)
    if not made.dtype.is_integer:
        if made.size:
            raise DTypeError(f"{name} are integers, not {made.dtype.name}")
        made = OPS["cast"](made, "int64")
    return made


def sparse_coo_tensor(
    indices: Any, values: Any, shape: Sequence[Any] | None = None, dtype: Any = None, place: Any = None,
    stop_gradient: bool = True,
) -> SparseCooTensor:  # fmt: skip
    """A sparse tensor of values [n, ...] at indices [k, n]; the shape is as large as they need, unless it is given.

    >>> sparse_coo_tensor([[0, 1], [2, 0]], [1.0, 5.0], [2, 3]).to_dense().tolist()
    [[0.0, 0.0, 1.0], [5.0, 0.0, 0.0]]
    """
    where = _given_places("indices", indices)
    made = _given_values(values, dtype, stop_gradient)
    if where.ndim != 2 or not made.ndim or where.shape[1] != made.shape[0]:
        raise ShapeError(
            f"sparse_coo_tensor takes indices [k, n] and values [n, ...], got {show_shape(where.shape)} and "
            f"{show_shape(made.shape)}"
        )
    numbers = _numbers(where)
    largest = None if numbers is None else [int(top) + 1 for top in numbers.max(1, initial=-1)]
    if shape is None:
        if largest is None:
            raise _no_shape("sparse_coo_tensor")
        return SparseCooTensor(where, made, [*largest, *made.shape[1:]])
    dims = [int(dim) if isinstance(dim, Tensor) else dim for dim in shape]
    if len(dims) != where.shape[0] + made.ndim - 1:
        raise ShapeError(
            f"indices {show_shape(where.shape)} and values {show_shape(made.shape)} make "
            f"{where.shape[0] + made.ndim - 1} axes, the shape has {len(dims)}"
        )
    if largest is not None and any(isinstance(dim, int) and top > dim for top, dim in zip(largest, dims, strict=False)):
        raise ShapeError(f"the indices need a shape of {largest} at least, not {dims}")
    return SparseCooTensor(where, made, dims)


def _numbers(x: Any) -> np.ndarray[Any, Any] | None:
    """The elements, or None while a function is captured that reads them when it runs."""
    made = x._copied() if isinstance(x._storage.payload, np.ndarray) else None
    return made if isinstance(made, np.ndarray) else None


def _no_shape(name: str) -> ArgumentError:
    return ArgumentError(f"{name} in a captured function: the places aren't known yet", remedy="give the shape")


def sparse_csr_tensor(
    crows: Any, cols: Any, values: Any, shape: Sequence[Any] | None = None, dtype: Any = None, place: Any = None,
    stop_gradient: bool = True,
) -> SparseCsrTensor:  # fmt: skip
    """A matrix in compressed rows: row i has the values crows[i] to crows[i + 1], in the columns `cols`.

    A shape of three axes is a batch; crows then has rows + 1 numbers for each matrix.

    >>> sparse_csr_tensor([0, 1, 3], [1, 0, 2], [1.0, 2.0, 3.0], [2, 3]).to_dense().tolist()
    [[0.0, 1.0, 0.0], [2.0, 0.0, 3.0]]
    """
    bounds, columns = _given_places("crows", crows), _given_places("cols", cols)
    made = _given_values(values, dtype, stop_gradient)
    if bounds.ndim != 1 or columns.ndim != 1 or made.ndim != 1 or columns.shape[0] != made.shape[0]:
        raise ShapeError(
            f"sparse_csr_tensor takes crows [m], cols [n] and values [n], got {show_shape(bounds.shape)}, "
            f"{show_shape(columns.shape)} and {show_shape(made.shape)}"
        )
    starts, numbers = _numbers(bounds), _numbers(columns)
    if shape is not None:
        dims = list(shape)
    elif starts is None or numbers is None:
        raise _no_shape("sparse_csr_tensor")
    else:
        matrices = int((np.diff(starts) < 0).sum()) + 1  # each begins at 0 again
        batch = [matrices] if matrices > 1 else []
        dims = [*batch, bounds.shape[0] // matrices - 1, int(numbers.max(initial=-1)) + 1]
    if len(dims) not in (2, 3):
        raise ShapeError(f"compressed rows hold a matrix or a batch of them, not {dims}")
    needed = count(dims[:-2]) * (dims[-2] + 1)
    if bounds.shape[0] != needed:
        raise ShapeError(f"crows of {show_shape(dims)} has {needed} numbers, not {bounds.shape[0]}")
    if starts is not None and numbers is not None:
        _check_rows(starts.reshape(-1, dims[-2] + 1), numbers, dims)
    return SparseCsrTensor(bounds, columns, made, dims)


def _check_rows(bounds: np.ndarray[Any, Any], columns: np.ndarray[Any, Any], dims: Sequence[int]) -> None:
    """Rows begin at 0, follow each other and end with the last value; columns lie inside."""
    if bounds[:, 0].any() or (np.diff(bounds) < 0).any() or bounds[:, -1].sum() != columns.size:
        raise ArgumentError(
            f"crows of each matrix begin at 0, don't decrease and end with the number of its values; they are "
            f"{bounds.tolist()} for {columns.size} values"
        )
    if columns.size and not 0 <= columns.min() <= columns.max() < dims[-1]:
        raise ShapeError(f"columns {columns.min()} to {columns.max()} don't fit into {show_shape(dims)}")


def to_sparse_coo(x: Any, sparse_dim: int | None = None) -> SparseCooTensor:
    """The elements of a dense tensor that aren't 0, by coordinates of its first `sparse_dim` axes (all by default)."""
    k = x.ndim if sparse_dim is None else sparse_dim
    if not 1 <= k <= x.ndim:
        raise ArgumentError(f"to_sparse_coo: sparse_dim of {x.ndim} axes is 1 to {x.ndim}, not {k}")
    dims = x.shape[:k]
    there = OPS["not_equal"](x.detach(), 0)
    if k < x.ndim:
        there = OPS["any"](there, list(range(k, x.ndim)))
    keys = OPS["reshape"](FUNCTIONS["nonzero"](OPS["reshape"](there, [-1])), [-1])
    values = OPS["gather"](OPS["reshape"](x, [count(dims), *x.shape[k:]]), keys, 0)
    made = SparseCooTensor(indices_of(keys, dims), values, x.shape, True)
    if not x.stop_gradient:
        made.origin = x
    return made


def to_sparse_csr(x: Any) -> SparseCsrTensor:
    """The elements of a dense matrix, or a batch of them, that aren't 0, in compressed rows. It has a `.grad`, as in
    Paddle, and so has x.
    """
    made = to_sparse_coo(x).to_sparse_csr()
    made.retain_grads()
    return made


def mask_as(x: Any, mask: SparseTensor, name: str | None = None) -> Any:
    """The elements of a dense tensor where a sparse one has values."""
    if list(x.shape) != list(mask.shape):
        raise ShapeError(f"mask_as: x is {show_shape(x.shape)}, the mask {show_shape(mask.shape)}")
    return mask.with_values(mask.picked(x))


__all__ = ["mask_as", "sparse_coo_tensor", "sparse_csr_tensor", "to_sparse_coo", "to_sparse_csr"]

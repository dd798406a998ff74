# Written by `make stubs`; edits here are lost.

"""Names of PaddlePaddle's module of the same path."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.dygraph.sparse import sparse_nn as nn
from vitrify.dygraph.sparse.sparse_tensor import SparseCooTensor as _SparseCooTensor
from vitrify.dygraph.sparse.sparse_tensor import SparseCsrTensor as _SparseCsrTensor
from vitrify.dygraph.sparse.sparse_tensor import SparseTensor as _SparseTensor

def abs(x: _Any, name: _str | None = None) -> _Any:
    """The absolute value of the values; 0 stays 0 where there is none."""

def add(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """The sum: sparse of two sparse tensors, or of values that are vectors with a bias; dense with a dense tensor."""

def addmm(input: _Any, x: _Any, y: _Any, beta: _float = 1.0, alpha: _float = 1.0, name: _str | None = None) -> _Any:
    """beta · input + alpha · x @ y."""

def asin(x: _Any, name: _str | None = None) -> _Any:
    """The inverse sine of the values; 0 stays 0 where there is none."""

def asinh(x: _Any, name: _str | None = None) -> _Any:
    """The inverse of sinh of the values; 0 stays 0 where there is none."""

def atan(x: _Any, name: _str | None = None) -> _Any:
    """The inverse tangent of the values; 0 stays 0 where there is none."""

def atanh(x: _Any, name: _str | None = None) -> _Any:
    """The inverse of tanh of the values; 0 stays 0 where there is none."""

def cast(x: _Any, index_dtype: _Any = None, value_dtype: _Any = None, name: _str | None = None) -> _Any:
    """Values of the dtype `value_dtype`, indices of `index_dtype`."""

def coalesce(x: _Any, name: _str | None = None) -> _Any:
    """Indices sorted, values of equal indices added."""

def deg2rad(x: _Any, name: _str | None = None) -> _Any:
    """Degrees as radians of the values; 0 stays 0 where there is none."""

def divide(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """The quotient: of two sparse tensors at every index, NaN where both are 0; else at x's indices."""

def expm1(x: _Any, name: _str | None = None) -> _Any:
    """e to the power x, minus 1, of the values; 0 stays 0 where there is none."""

def is_same_shape(x: _Any, y: _Any) -> _bool:
    """Whether two tensors, sparse or dense, have one shape."""

def isnan(x: _Any, name: _str | None = None) -> _Any:
    """Whether NaN, of the values; 0 stays 0 where there is none."""

def log1p(x: _Any, name: _str | None = None) -> _Any:
    """The logarithm of 1 + x of the values; 0 stays 0 where there is none."""

def mask_as(x: _Any, mask: _SparseTensor, name: _str | None = None) -> _Any:
    """The elements of a dense tensor where a sparse one has values."""

def masked_matmul(x: _Any, y: _Any, mask: _Any, name: _str | None = None) -> _Any:
    """The product of two dense matrices where a sparse one has values; other elements aren't computed."""

def matmul(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """The product of matrices: of a sparse and a dense one dense, of two sparse ones sparse; batches multiply alike.

    >>> import vitrify as vt
    >>> x = vt.sparse.sparse_csr_tensor([0, 1, 2], [1, 0], [2.0, 3.0], [2, 2])
    >>> matmul(x, vt.to_tensor([[1.0], [10.0]])).tolist()
    [[20.0], [3.0]]"""

def multiply(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """The product element by element, at the indices of either; with a number or a dense tensor at x's indices."""

def mv(x: _Any, vec: _Any, name: _str | None = None) -> _Any:
    """The product of a sparse matrix and a vector."""

def neg(x: _Any, name: _str | None = None) -> _Any:
    """The negative of the values; 0 stays 0 where there is none."""

def pow(x: _Any, factor: _float, name: _str | None = None) -> _Any:
    """The values to the power `factor`; 0 stays 0 where there is none."""

def rad2deg(x: _Any, name: _str | None = None) -> _Any:
    """Radians as degrees of the values; 0 stays 0 where there is none."""

def reshape(x: _Any, shape: _Sequence[_int], name: _str | None = None) -> _Any:
    """The same elements in another shape; dense axes stay as they are. -1 and 0 are as in `reshape`."""

def sin(x: _Any, name: _str | None = None) -> _Any:
    """The sine of the values; 0 stays 0 where there is none."""

def sinh(x: _Any, name: _str | None = None) -> _Any:
    """The hyperbolic sine of the values; 0 stays 0 where there is none."""

def slice(x: _Any, axes: _Sequence[_int], starts: _Sequence[_int], ends: _Sequence[_int], name: _str | None = None) -> _Any:
    """The part from `starts` to `ends` of the sparse axes `axes`."""

def sparse_coo_tensor(indices: _Any, values: _Any, shape: _Sequence[_Any] | None = None, dtype: _Any = None, place: _Any = None, stop_gradient: _bool = True) -> _SparseCooTensor:
    """A sparse tensor of values [n, ...] at indices [k, n]; the shape is as large as they need, unless it is given.

    >>> sparse_coo_tensor([[0, 1], [2, 0]], [1.0, 5.0], [2, 3]).to_dense().tolist()
    [[0.0, 0.0, 1.0], [5.0, 0.0, 0.0]]"""

def sparse_csr_tensor(crows: _Any, cols: _Any, values: _Any, shape: _Sequence[_Any] | None = None, dtype: _Any = None, place: _Any = None, stop_gradient: _bool = True) -> _SparseCsrTensor:
    """A matrix in compressed rows: row i has the values crows[i] to crows[i + 1], in the columns `cols`.

    A shape of three axes is a batch; crows then has rows + 1 numbers for each matrix.

    >>> sparse_csr_tensor([0, 1, 3], [1, 0, 2], [1.0, 2.0, 3.0], [2, 3]).to_dense().tolist()
    [[0.0, 1.0, 0.0], [2.0, 0.0, 3.0]]"""

def sqrt(x: _Any, name: _str | None = None) -> _Any:
    """The square root of the values; 0 stays 0 where there is none."""

def square(x: _Any, name: _str | None = None) -> _Any:
    """The square of the values; 0 stays 0 where there is none."""

def subtract(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """The difference: sparse of two sparse tensors, dense with a dense one."""

def sum(x: _Any, axis: _Any = None, dtype: _Any = None, keepdim: _bool = False, name: _str | None = None) -> _Any:
    """Sums over axes, sparse: over all axes one value of shape [1]; of compressed rows over the last axis, [..., 1]."""

def tan(x: _Any, name: _str | None = None) -> _Any:
    """The tangent of the values; 0 stays 0 where there is none."""

def tanh(x: _Any, name: _str | None = None) -> _Any:
    """The hyperbolic tangent of the values; 0 stays 0 where there is none."""

def transpose(x: _Any, perm: _Sequence[_int], name: _str | None = None) -> _Any:
    """Axes in another order; sparse axes stay before dense ones."""

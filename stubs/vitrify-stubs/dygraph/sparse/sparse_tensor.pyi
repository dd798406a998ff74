# Written by `make stubs`; edits here are lost.

from abc import ABC as _ABC
from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.base.size import Size as _Size
from vitrify.dygraph.device import CPUPlace as _CPUPlace

class SparseTensor(_ABC):
    """What both layouts share: a shape, values with gradients, and the operators of `vitrify.sparse`."""
    shape: _Size
    origin: _Any
    layout: _str
    def __init__(self, values: _Any, shape: _Sequence[_Any]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def coordinates(self) -> _Any:
        """i64[k, n]: where the values are."""
    def with_values(self, values: _Any) -> _Any:
        """Other values at the same indices."""
    def like_this(self, coo: SparseCooTensor) -> _Any:
        """A tensor of coordinates in this one's layout."""
    def values(self) -> _Any:
        """The values, a dense tensor [n, ...]."""
    def nnz(self) -> _Any:
        """How many values there are."""
    @property
    def dtype(self) -> _Any:
        """The values' dtype."""
    @property
    def ndim(self) -> _int:
        """The number of axes."""
    def copy_(self, other: _Any, blocking: _bool = True) -> _Any:
        """Take over the places, the values and the shape of another sparse tensor of this layout and dtype.

        Errors: KindError, DTypeError for tensors of another kind.

        >>> import vitrify as vt
        >>> x, y = (vt.sparse.sparse_coo_tensor([[at], [at]], [1.0 + at], [2, 2]) for at in (0, 1))
        >>> x.copy_(y).to_dense().tolist()
        [[0.0, 0.0], [0.0, 2.0]]"""
    def dim(self) -> _int:
        """The number of axes."""
    @property
    def place(self) -> _CPUPlace:
        """Always the CPU."""
    @property
    def sparse_axes(self) -> _int:
        """How many leading axes the coordinates name."""
    def sparse_dim(self) -> _int:
        """How many leading axes the coordinates name."""
    def dense_dim(self) -> _int:
        """How many axes a value has."""
    @property
    def stop_gradient(self) -> _bool:
        """Whether gradients end here, as of the values."""
    @stop_gradient.setter
    def stop_gradient(self, value: _Any) -> None: ...
    @property
    def is_leaf(self) -> _bool:
        """Whether no recorded op made the values."""
    @property
    def grad(self) -> _Any:
        """The gradient of the values at the same indices, or None."""
    def clear_grad(self) -> None:
        """Forget the gradient."""
    def clear_gradient(self) -> None:
        """Forget the gradient."""
    def retain_grads(self) -> None:
        """Keep the gradient of values that ops made."""
    def backward(self, grad_tensor: _Any = None, retain_graph: _bool = False) -> None:
        """Gradients of the values, from ones or from a sparse or dense tensor of this shape. Errors: GradientError.

        A sparse one has places of its own: a dense tensor that this one was made of gets it there."""
    def picked(self, dense: _Any) -> _Any:
        """The elements of a dense tensor of this shape where this one has values."""
    def to_dense(self) -> _Any:
        """The dense tensor: zeros where there is no value; values of equal indices are added."""
    def __array__(self, *_: _Any, **__: _Any) -> _Any: ...
    def numpy(self) -> _Any:
        """The dense array."""
    def tolist(self) -> _Any:
        """The dense array as nested lists."""
    def detach(self) -> _Any:
        """The same without history."""
    def clone(self) -> _Any:
        """A copy; gradients flow through it."""
    def astype(self, dtype: _Any) -> _Any:
        """Values of another dtype."""
    def is_sparse(self) -> _bool:
        """True."""
    def is_dense(self) -> _bool:
        """False."""
    def is_sparse_coo(self) -> _bool:
        """Whether the layout is coordinates."""
    def is_sparse_csr(self) -> _bool:
        """Whether the layout is compressed rows."""
    def is_same_shape(self, other: _Any) -> _bool:
        """Whether another tensor has this shape."""
    @property
    def T(self) -> _Any:
        """With its axes reversed."""
    def __len__(self) -> _int: ...
    def __add__(self, other: _Any) -> _Any: ...
    def __sub__(self, other: _Any) -> _Any: ...
    def __mul__(self, other: _Any) -> _Any: ...
    def __rmul__(self, other: _Any) -> _Any: ...
    def __truediv__(self, other: _Any) -> _Any: ...
    def __matmul__(self, other: _Any) -> _Any: ...
    def __pow__(self, factor: _Any) -> _Any: ...
    def __neg__(self) -> _Any: ...
    def __abs__(self) -> _Any: ...

class SparseCooTensor(SparseTensor):
    """Values at coordinates: indices i64[k, n], values [n, ...]; indices may repeat until `coalesce`."""
    layout: _str
    def __init__(self, indices: _Any, values: _Any, shape: _Sequence[_Any], coalesced: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def indices(self) -> _Any:
        """The coordinates: i64[k, n]."""
    def coordinates(self) -> _Any:
        """The coordinates: i64[k, n]."""
    def with_values(self, values: _Any) -> SparseCooTensor:
        """Other values at the same indices."""
    def like_this(self, coo: SparseCooTensor) -> SparseCooTensor:
        """The tensor itself: it is in this layout."""
    def is_coalesced(self) -> _bool:
        """Whether the indices are known to be sorted and different."""
    def coalesce(self) -> SparseCooTensor:
        """Indices sorted, values of equal indices added."""
    def to_sparse_coo(self, sparse_dim: _int | None = None) -> SparseCooTensor:
        """The tensor itself."""
    def to_sparse_csr(self) -> SparseCsrTensor:
        """In compressed rows. Errors: ShapeError unless it has 2 or 3 axes, none of them dense."""

class SparseCsrTensor(SparseTensor):
    """A matrix, or a batch of them, in compressed rows: crows [batch · (rows + 1)], cols [n], values [n]."""
    layout: _str
    def __init__(self, crows: _Any, cols: _Any, values: _Any, shape: _Sequence[_Any]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def crows(self) -> _Any:
        """Where each row's values begin, and the end: one more than rows, for each matrix of a batch."""
    def cols(self) -> _Any:
        """The column of each value."""
    def coordinates(self) -> _Any:
        """i64[k, n]: rows, from where they begin, and columns."""
    def with_values(self, values: _Any) -> SparseCsrTensor:
        """Other values at the same indices."""
    def like_this(self, coo: SparseCooTensor) -> SparseCsrTensor:
        """A tensor of coordinates in compressed rows."""
    def to_sparse_coo(self, sparse_dim: _int | None = None) -> SparseCooTensor:
        """In coordinates. Errors: ArgumentError where the last axis would be dense."""
    def to_sparse_csr(self) -> SparseCsrTensor:
        """The tensor itself."""

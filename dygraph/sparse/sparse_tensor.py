"""Sparse tensors: the elements that are there, in a Tensor of values, and where they are.

Coordinates (COO): indices i64[k, n], one column for each of the n values, whose further axes are dense. Compressed rows
(CSR): for each row where its values begin, and the columns; one leading axis is a batch. All is made of ops on the
values, so gradients flow through them and captured functions hold sparse tensors as locals.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from ...base.errors import ArgumentError, DTypeError, GradientError, KindError, ShapeError
from ...base.size import Size
from ...ops.infer import show_shape
from ...ops.op import FUNCTIONS, OPS
from ..device import CPU, CPUPlace
from ..printing import show_elements
from ..tensor import Tensor

# what each operator or method of a sparse tensor calls: name of a function of `sparse`, filled by the package
FUNCTIONS_OF_SPARSE: dict[str, Callable[..., Any]] = {}


def count(dims: Sequence[Any]) -> Any:
    """The product of sizes."""
    total: Any = 1
    for dim in dims:
        total = total * dim
    return total


def keys_of(indices: Any, dims: Sequence[Any]) -> Any:
    """The number of each column of coordinates, counted along the last axis first: i64[n]."""
    total = indices[0]
    for axis in range(1, len(dims)):
        total = total * dims[axis] + indices[axis]
    return total


def indices_of(keys: Any, dims: Sequence[Any]) -> Any:
    """The inverse of `keys_of`: i64[k, n]."""
    rows = []
    for dim in reversed(dims):
        rows.append(keys % dim)
        keys = keys // dim
    return FUNCTIONS["stack"](rows[::-1], 0)


def added_at(values: Any, places: Any, total: Any) -> Any:
    """Rows of values added into zeros [total, ...]."""
    zeros = FUNCTIONS["zeros"]([total, *values.shape[1:]], values.dtype)
    return OPS["scatter_add"](zeros, places, values, 0)


class SparseTensor(ABC):
    """What both layouts share: a shape, values with gradients, and the operators of `vitrify.sparse`."""

    layout = ""
    __hash__ = object.__hash__

    def __init__(self, values: Any, shape: Sequence[Any]) -> None:
        self._values, self.shape = values, Size(shape)
        self.origin: Any = None  # the dense tensor that it was made of, where a gradient goes there

    # ---- what the layouts say themselves

    @abstractmethod
    def coordinates(self) -> Any:
        """i64[k, n]: where the values are."""

    @abstractmethod
    def with_values(self, values: Any) -> Any:
        """Other values at the same indices."""

    @abstractmethod
    def like_this(self, coo: SparseCooTensor) -> Any:
        """A tensor of coordinates in this one's layout."""

    # ---- what they share

    def values(self) -> Any:
        """The values, a dense tensor [n, ...]."""
        return self._values

    def nnz(self) -> Any:
        """How many values there are."""
        return self._values.shape[0]

    @property
    def dtype(self) -> Any:
        """The values' dtype."""
        return self._values.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def copy_(self, other: Any, blocking: bool = True) -> Any:
        """Take over the places, the values and the shape of another sparse tensor of this layout and dtype.

        Errors: KindError, DTypeError for tensors of another kind.

        >>> import vitrify as vt
        >>> x, y = (vt.sparse.sparse_coo_tensor([[at], [at]], [1.0 + at], [2, 2]) for at in (0, 1))
        >>> x.copy_(y).to_dense().tolist()
        [[0.0, 0.0], [0.0, 2.0]]
        """
        if type(other) is not type(self):
            raise KindError(f"copy_: a {type(self).__name__} takes one over, not a {type(other).__name__}")
        if other.dtype != self.dtype:
            raise DTypeError(f"copy_: the values are {self.dtype.name}, those of the other {other.dtype.name}")
        vars(self).update(vars(other.with_values(OPS["assign"](other.values().detach()))))
        return self

    def dim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def place(self) -> CPUPlace:
        """Always the CPU."""
        return CPU

    @property
    def sparse_axes(self) -> int:
        """How many leading axes the coordinates name."""
        return int(self.ndim - (self._values.ndim - 1))

    def sparse_dim(self) -> int:
        """How many leading axes the coordinates name."""
        return self.sparse_axes

    def dense_dim(self) -> int:
        """How many axes a value has."""
        return int(self.ndim - self.sparse_axes)

    @property
    def stop_gradient(self) -> bool:
        """Whether gradients end here, as of the values."""
        return bool(self._values.stop_gradient)

    @stop_gradient.setter
    def stop_gradient(self, value: bool) -> None:
        self._values.stop_gradient = value

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded op made the values."""
        return bool(self._values.is_leaf)

    @property
    def grad(self) -> Any:
        """The gradient of the values at the same indices, or None."""
        made = self._values.grad
        return None if made is None else self.with_values(made)

    def clear_grad(self) -> None:
        """Forget the gradient."""
        self._values.clear_grad()

    clear_gradient = clear_grad

    def retain_grads(self) -> None:
        """Keep the gradient of values that ops made."""
        self._values.retain_grads()

    def backward(self, grad_tensor: Any = None, retain_graph: bool = False) -> None:
        """Gradients of the values, from ones or from a sparse or dense tensor of this shape. Errors: GradientError.

        A sparse one has places of its own: a dense tensor that this one was made of gets it there.
        """
        if grad_tensor is not None and list(grad_tensor.shape) != list(self.shape):
            raise GradientError(
                f"the gradient of a sparse tensor {show_shape(self.shape)} has shape {show_shape(grad_tensor.shape)}"
            )
        seed = grad_tensor
        if isinstance(seed, SparseTensor):
            seed = seed.to_dense()
            if self.origin is not None:
                self.origin.backward(seed, retain_graph)
                return
        self._values.backward(None if seed is None else self.picked(seed), retain_graph)

    def picked(self, dense: Any) -> Any:
        """The elements of a dense tensor of this shape where this one has values."""
        dims = self.shape[: self.sparse_axes]
        flat = OPS["reshape"](dense, [count(dims), *self.shape[self.sparse_axes :]])
        return OPS["gather"](flat, keys_of(self.coordinates(), dims), 0)

    def to_dense(self) -> Any:
        """The dense tensor: zeros where there is no value; values of equal indices are added."""
        dims = self.shape[: self.sparse_axes]
        flat = added_at(self._values, keys_of(self.coordinates(), dims), count(dims))
        return OPS["reshape"](flat, list(self.shape))

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise DTypeError(
            f"{type(self).__name__} is taken for a dense tensor",
            remedy="call the function of that name in vt.sparse, or .to_dense() first (.numpy() for an array)",
        )

    def numpy(self) -> Any:
        """The dense array."""
        return self.to_dense().numpy()

    def tolist(self) -> Any:
        """The dense array as nested lists."""
        return self.to_dense().tolist()

    def detach(self) -> Any:
        """The same without history."""
        return self.with_values(self._values.detach())

    def clone(self) -> Any:
        """A copy; gradients flow through it."""
        return self.with_values(self._values.clone())

    def astype(self, dtype: Any) -> Any:
        """Values of another dtype."""
        return self.with_values(OPS["cast"](self._values, dtype))

    def is_sparse(self) -> bool:
        """True."""
        return True

    def is_dense(self) -> bool:
        """False."""
        return False

    def is_sparse_coo(self) -> bool:
        """Whether the layout is coordinates."""
        return self.layout == "coo"

    def is_sparse_csr(self) -> bool:
        """Whether the layout is compressed rows."""
        return self.layout == "csr"

    def is_same_shape(self, other: Any) -> bool:
        """Whether another tensor has this shape."""
        return list(self.shape) == list(other.shape)

    @property
    def T(self) -> Any:
        """With its axes reversed."""
        return FUNCTIONS_OF_SPARSE["transpose"](self, list(range(self.ndim))[::-1])

    def __len__(self) -> int:
        return int(self.shape[0])

    def __repr__(self) -> str:
        facts = f"dtype={self.dtype}, place={self.place}, stop_gradient={self.stop_gradient}"
        parts = "".join(f", \n       {name}={show_elements(part, len(name) + 8)}" for name, part in self._parts())
        return f"Tensor(shape={list(self.shape)}, {facts}{parts})"

    @abstractmethod
    def _parts(self) -> list[tuple[str, Any]]:
        """Names and contents of what it is made of, to print."""

    def __getattr__(self, name: str) -> Any:
        if name in FUNCTIONS_OF_SPARSE:
            return lambda *args, **kwargs: FUNCTIONS_OF_SPARSE[name](self, *args, **kwargs)
        raise AttributeError(f"a sparse tensor has no attribute {name!r}; to_dense() gives a tensor that has all")

    def __add__(self, other: Any) -> Any:
        return FUNCTIONS_OF_SPARSE["add"](self, other)

    def __sub__(self, other: Any) -> Any:
        return FUNCTIONS_OF_SPARSE["subtract"](self, other)

    def __mul__(self, other: Any) -> Any:
        return FUNCTIONS_OF_SPARSE["multiply"](self, other)

    def __rmul__(self, other: Any) -> Any:
        return FUNCTIONS_OF_SPARSE["multiply"](self, other)

    def __truediv__(self, other: Any) -> Any:
        return FUNCTIONS_OF_SPARSE["divide"](self, other)

    def __matmul__(self, other: Any) -> Any:
        return FUNCTIONS_OF_SPARSE["matmul"](self, other)

    def __pow__(self, factor: Any) -> Any:
        return FUNCTIONS_OF_SPARSE["pow"](self, factor)

    def __neg__(self) -> Any:
        return FUNCTIONS_OF_SPARSE["neg"](self)

    def __abs__(self) -> Any:
        return FUNCTIONS_OF_SPARSE["abs"](self)


class SparseCooTensor(SparseTensor):
    """Values at coordinates: indices i64[k, n], values [n, ...]; indices may repeat until `coalesce`."""

    layout = "coo"

    def __init__(self, indices: Any, values: Any, shape: Sequence[Any], coalesced: bool = False) -> None:
        super().__init__(values, shape)
        self._indices, self._coalesced = indices, coalesced

    def indices(self) -> Any:
        """The coordinates: i64[k, n]."""
        return self._indices

    coordinates = indices

    def with_values(self, values: Any) -> SparseCooTensor:
        """Other values at the same indices."""
        dense = values.shape[1:]
        return SparseCooTensor(self._indices, values, [*self.shape[: self.sparse_axes], *dense], self._coalesced)

    def like_this(self, coo: SparseCooTensor) -> SparseCooTensor:
        """The tensor itself: it is in this layout."""
        return coo

    def is_coalesced(self) -> bool:
        """Whether the indices are known to be sorted and different."""
        return self._coalesced

    def coalesce(self) -> SparseCooTensor:
        """Indices sorted, values of equal indices added."""
        if self._coalesced:
            return self
        dims = self.shape[: self.sparse_axes]
        keys, places = FUNCTIONS["unique"](keys_of(self._indices, dims), return_inverse=True)
        values = added_at(self._values, places, keys.shape[0])
        return SparseCooTensor(OPS["cast"](indices_of(keys, dims), self._indices.dtype), values, self.shape, True)

    def to_sparse_coo(self, sparse_dim: int | None = None) -> SparseCooTensor:
        """The tensor itself."""
        return self

    def to_sparse_csr(self) -> SparseCsrTensor:
        """In compressed rows. Errors: ShapeError unless it has 2 or 3 axes, none of them dense."""
        if self.ndim not in (2, 3) or self.sparse_axes != self.ndim:
            raise ShapeError(f"compressed rows hold a matrix or a batch of them, not {show_shape(self.shape)}")
        made = self.coalesce()
        lines = self.shape[:-1]
        ones = OPS["cast"](FUNCTIONS["ones_like"](made._indices[0]), "int64")
        counts = added_at(ones, keys_of(made._indices, lines), count(lines))
        ends = OPS["cumsum"](OPS["reshape"](counts, [-1, self.shape[-2]]), 1)
        starts = FUNCTIONS["zeros"]([ends.shape[0], 1], "int64")
        crows = OPS["reshape"](OPS["concat"]([starts, ends], 1), [-1])
        return SparseCsrTensor(crows, made._indices[-1], made._values, self.shape)

    def _parts(self) -> list[tuple[str, Any]]:
        return [("indices", self._indices), ("values", self._values)]


class SparseCsrTensor(SparseTensor):
    """A matrix, or a batch of them, in compressed rows: crows [batch · (rows + 1)], cols [n], values [n]."""

    layout = "csr"

    def __init__(self, crows: Any, cols: Any, values: Any, shape: Sequence[Any]) -> None:
        super().__init__(values, shape)
        self._crows, self._cols = crows, cols

    def crows(self) -> Any:
        """Where each row's values begin, and the end: one more than rows, for each matrix of a batch."""
        return self._crows

    def cols(self) -> Any:
        """The column of each value."""
        return self._cols

    def coordinates(self) -> Any:
        """i64[k, n]: rows, from where they begin, and columns."""
        bounds = OPS["reshape"](self._crows, [-1, self.shape[-2] + 1])
        ends = OPS["cumsum"](OPS["reshape"](bounds[:, 1:] - bounds[:, :-1], [-1]), 0)
        places = FUNCTIONS["arange"](0, self.nnz(), 1, "int64")
        rows = OPS["searchsorted"](OPS["cast"](ends, "int64"), places, right=True)
        lines = indices_of(rows, self.shape[:-1])
        return OPS["concat"]([lines, OPS["reshape"](OPS["cast"](self._cols, "int64"), [1, -1])], 0)

    def with_values(self, values: Any) -> SparseCsrTensor:
        """Other values at the same indices."""
        return SparseCsrTensor(self._crows, self._cols, values, self.shape)

    def like_this(self, coo: SparseCooTensor) -> SparseCsrTensor:
        """A tensor of coordinates in compressed rows."""
        return coo.to_sparse_csr()

    def to_sparse_coo(self, sparse_dim: int | None = None) -> SparseCooTensor:
        """In coordinates. Errors: ArgumentError where the last axis would be dense."""
        if sparse_dim not in (None, self.ndim):
            raise ArgumentError(f"to_sparse_coo of {self.ndim} axes in compressed rows: sparse_dim is {self.ndim}")
        return SparseCooTensor(self.coordinates(), self._values, self.shape, True)

    def to_sparse_csr(self) -> SparseCsrTensor:
        """The tensor itself."""
        return self

    def _parts(self) -> list[tuple[str, Any]]:
        return [("crows", self._crows), ("cols", self._cols), ("values", self._values)]


def is_dense(x: Any) -> bool:
    """Whether x is a dense tensor."""
    return isinstance(x, Tensor)

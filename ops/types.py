"""The types of values: tensors with symbolic shapes, and lists of tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, Union

from ..base.dtype import DType
from ..base.errors import MemoryLimitError, ShapeError
from .dims import Dim, DimLike, product

Shape: TypeAlias = tuple[DimLike, ...]
MOST_AXES = 64  # NumPy's
MOST_BYTES = 2**63 - 1  # of one array


@dataclass(frozen=True, slots=True)
class TensorType:
    """dtype and shape; prints as `f32[N, 784]`.

    >>> from vitrify.base.dtype import float32
    >>> str(TensorType(float32, (Dim.symbol("N"), 3)))
    'f32[N, 3]'
    """

    dtype: DType
    shape: Shape

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> DimLike:
        """Number of elements."""
        return product(self.shape)

    @property
    def is_static(self) -> bool:
        return not any(isinstance(d, Dim) for d in self.shape)

    def __str__(self) -> str:
        return f"{self.dtype.short}[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True, slots=True)
class ListType:
    """A list that grows and shrinks at its end; all elements have one type. Prints as `list<f32[4]>`."""

    element: TensorType

    def __str__(self) -> str:
        return f"list<{self.element}>"


ValueType: TypeAlias = Union[TensorType, ListType]


def require_possible(what: str, kind: ValueType) -> None:
    """That an array of a type could exist on some machine, as far as its sizes are known.

    Errors: ShapeError for more than 64 axes, and for sizes beside a 0 whose product is too large; MemoryLimitError for
    more bytes than can be addressed.
    """
    tensor = kind.element if isinstance(kind, ListType) else kind
    if tensor.rank > MOST_AXES:
        raise ShapeError(
            f"{what} would have {tensor.rank} axes; an array has at most {MOST_AXES}",
            remedy="merge axes of size 1 (reshape, squeeze)",
        )
    count = 1
    for dim in tensor.shape:
        if isinstance(dim, int) and dim > 1:
            count *= dim
    if count * tensor.dtype.itemsize <= MOST_BYTES:
        return
    if 0 in tensor.shape:
        raise ShapeError(
            f"{what} would be {tensor}: beside the 0 its sizes multiply to more than an array can have",
            remedy="check the sizes",
        )
    raise MemoryLimitError(f"{what} would be {tensor}: more bytes than can be addressed", remedy="check the sizes")

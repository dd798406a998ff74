"""The types of values: tensors with symbolic shapes, and lists of tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, Union

from ..base.dtype import DType
from .dims import Dim, DimLike, product

Shape: TypeAlias = tuple[DimLike, ...]


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

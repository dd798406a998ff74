"""How much arithmetic an operation is: floating-point operations, a polynomial in its sizes. Read from the op's row.

A `Scalar` says it by its cost per element, a `Reduce` is one per element read, a `Point` moves elements and computes
nothing. Rows with another lowering say it in their field `work`; for those that run in NumPy and don't, it is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .dims import DimLike, product
from .lowering import Host, Point, Reduce, Scalar
from .op import Op
from .types import TensorType, ValueType


def work_of(
    op: Op, operands: Sequence[ValueType], results: Sequence[ValueType], attrs: Mapping[str, Any]
) -> DimLike | None:
    """Floating-point operations of one run; None where nobody knows.

    >>> from . import OPS
    >>> from ..base.dtype import float32
    >>> x, y = TensorType(float32, (3, 4)), TensorType(float32, (4, 5))
    >>> work_of(OPS["matmul"], [x, y], [TensorType(float32, (3, 5))], {"transpose_x": False, "transpose_y": False})
    120
    """
    given = [t for t in operands if isinstance(t, TensorType)]
    made = [t for t in results if isinstance(t, TensorType)]
    if op.work is not None:
        return op.work(given, made, **attrs)
    lowering = op.lowering
    if isinstance(lowering, Scalar):
        return product(made[0].shape) * lowering.cost
    if isinstance(lowering, Reduce):
        return product(given[0].shape)
    if isinstance(lowering, Point) or (isinstance(lowering, Host) and not made):
        return 0
    return None


def bytes_of(types: Sequence[ValueType]) -> DimLike:
    """Bytes of tensors of these types; lists count for nothing."""
    total: DimLike = 0
    for kind in types:
        if isinstance(kind, TensorType):
            total = total + kind.size * kind.dtype.itemsize
    return total

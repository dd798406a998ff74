"""Element types as Numba and LLVM know them, from the table of dtypes (base/dtype.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.np.numpy_support import from_dtype

from ...base.dtype import NATIVE, DType, uint8

_LLVM = {"float": ir.FloatType(), "double": ir.DoubleType()}


@dataclass(frozen=True)
class ElementType:
    """How kernels hold a dtype; bools are bytes."""

    numba: Any
    llvm: ir.Type
    itemsize: int  # bytes


def _of(dtype: DType) -> ElementType:
    held = uint8 if dtype.is_bool else dtype
    llvm = _LLVM.get(held.llvm) or ir.IntType(8 * held.itemsize)
    return ElementType(from_dtype(held.numpy), llvm, held.itemsize)


ELEMENT_TYPES = {dtype.short: _of(dtype) for dtype in NATIVE}
NUMBER_TYPES = {dtype.short: ELEMENT_TYPES[dtype.short] for dtype in NATIVE if not dtype.is_bool}
FLOAT_TYPES = {short: kind for short, kind in NUMBER_TYPES.items() if kind.numba in types.real_domain}
INTEGER_TYPES = {short: kind for short, kind in NUMBER_TYPES.items() if kind.numba in types.integer_domain}

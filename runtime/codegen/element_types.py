"""Element types as LLVM knows them, from the table of dtypes (base/dtype.py)."""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

from ...base.dtype import NATIVE, DType, uint8
from .kernel_types import Float, Integer, Number


@dataclass(frozen=True)
class ElementType:
    """How kernels hold a dtype; bools are bytes."""

    kind: Number
    llvm: ir.Type
    itemsize: int  # bytes


def _of(dtype: DType) -> ElementType:
    held = uint8 if dtype.is_bool else dtype
    bits = 8 * held.itemsize
    kind: Number = Float(bits) if held.is_floating else Integer(bits, held.numpy.kind == "i")
    return ElementType(kind, kind.llvm, held.itemsize)


ELEMENT_TYPES = {dtype.short: _of(dtype) for dtype in NATIVE}
NUMBER_TYPES = {dtype.short: ELEMENT_TYPES[dtype.short] for dtype in NATIVE if not dtype.is_bool}
FLOAT_TYPES = {short: kind for short, kind in NUMBER_TYPES.items() if isinstance(kind.kind, Float)}
INTEGER_TYPES = {short: kind for short, kind in NUMBER_TYPES.items() if isinstance(kind.kind, Integer)}

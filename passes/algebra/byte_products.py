"""Matmuls of 8-bit integers that were cast to int32 read the bytes, where the CPU adds products of bytes at once."""

from __future__ import annotations

from dataclasses import dataclass

from ...base import dtype as dt
from ...base.target import current_target
from ...ir.builder import insert_before
from ...ir.core import Operation, Program, Value
from ...ir.walk import walk
from ...ops.byte_matmul import byte_matmul
from ...ops.dims import product
from ..fusion.custom_gemm import adds_bytes
from ..manager import Pass

_LEAST_ROWS, _LEAST_DEPTH = 4, 16  # fewer don't pay for rearranging y


@dataclass(frozen=True)
class ByteProducts(Pass):
    """Replace `matmul` of (u)int8 by int8, both cast to int32, by `byte_matmul` of what was cast: the same sums."""

    name = "byte_products"

    def run(self, program: Program) -> bool:
        if not current_target().adds_byte_products:
            return False
        found = [o for o in walk(program.body) if o.op.is_contraction and o.result.dtype is dt.int32]
        changed = [_replace(operation) for operation in found]
        return any(changed)


def _replace(operation: Operation) -> bool:
    if operation.attrs["transpose_x"] or operation.attrs["transpose_y"]:
        return False
    x, y = (_before_cast(value) for value in operation.operands)
    if x is None or y is None or y.dtype is not dt.int8 or not _is_suitable(x, y):
        return False
    operation.result.replace_by(insert_before(operation, byte_matmul, [x, y], {}))
    operation.erase()
    return True


def _before_cast(value: Value) -> Value | None:
    """The 8-bit integers that were cast."""
    operation = value.operation
    if operation is None or operation.name != "cast":
        return None
    return operation.operands[0] if operation.operands[0].dtype in (dt.int8, dt.uint8) else None


def _is_suitable(x: Value, y: Value) -> bool:
    shapes = x.tensor_type.shape, y.tensor_type.shape
    if len(shapes[0]) < 2 or len(shapes[1]) != 2 or not adds_bytes(x.tensor_type, y.tensor_type):
        return False
    return bool(product(shapes[0][:-1]) >= _LEAST_ROWS and shapes[1][0] >= _LEAST_DEPTH)

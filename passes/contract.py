"""Sums with a product of matrices become one accumulating product: `w - lr * (x^T @ g)` writes straight into w."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.core import Block, Operation, Program, Value
from ..ir.walk import walk
from ..ops.dims import same_shape
from ..ops.linalg import matmul_add
from .manager import Pass


@dataclass(frozen=True)
class Contract(Pass):
    """Turn `c + k * matmul(x, y)`, `c - …` and `… - c` into matmul_add where the product is used nowhere else and c's
    memory can take the sum: c is a state entry that the sum updates, or the result of another library call that ends here.
    Reassociates the scaling by k (stated bounds: docs/limitations.md).
    """

    name = "contract"

    def run(self, program: Program) -> bool:
        changed = False
        for operation in walk(program.body):
            if operation.name in ("add", "subtract") and operation.parent is not None:
                changed |= _contract(operation, program)
        return changed


def _contract(operation: Operation, program: Program) -> bool:
    left, right = operation.operands
    negative = operation.name == "subtract"
    for product, other, alpha, beta in ((right, left, -1.0 if negative else 1.0, 1.0), (left, right, 1.0, -1.0 if negative else 1.0)):
        found = _scaled_product(product, operation.parent)
        if found is None or not _takes_sum(other, operation, program):
            continue
        matmul, scale = found
        if not same_shape(other.tensor_type.shape, matmul.result.tensor_type.shape) or other.operation is matmul:
            continue
        _replace(operation, other, matmul, alpha * scale, beta)
        return True
    return False


def _scaled_product(value: Value, block: Block | None) -> tuple[Operation, float] | None:
    """The matmul and the literal factor that `value` is, if it is used once and stands in `block`."""
    operation, scale = value.operation, 1.0
    if operation is not None and operation.name == "multiply" and len(value.uses) == 1:
        factors = [(_number(b), a) for a, b in (operation.operands, operation.operands[::-1])]
        known = next(((k, v) for k, v in factors if k is not None), None)
        if known is None:
            return None
        scale, value = known
        operation = value.operation
    if operation is None or operation.name != "matmul" or len(value.uses) != 1 or operation.parent is not block:
        return None
    return (operation, scale) if value.dtype.is_floating and value.ndim >= 2 else None


def _number(value: Value) -> float | None:
    operation = value.operation
    if operation is None or operation.name != "constant" or value.tensor_type.size != 1 or value.ndim:
        return None
    return float(operation.attrs["data"].array)


def _takes_sum(value: Value, operation: Operation, program: Program) -> bool:
    """Whether the memory of `value` may hold the sum afterwards."""
    if any(user.name == "update" and user.operands[0] is value for user, _ in operation.results[0].uses):
        return True
    producer = value.operation
    library = producer is not None and producer.name in ("matmul", "matmul_add")
    return library and len(value.uses) == 1 and producer is not None and producer.parent is operation.parent


def _replace(operation: Operation, base: Value, matmul: Operation, alpha: float, beta: float) -> None:
    attrs = {**matmul.attrs, "alpha": alpha, "beta": beta}
    made = Operation(matmul_add, [base, *matmul.operands], attrs, [operation.result.type], [], operation.loc)
    block = operation.parent
    assert block is not None
    block.insert(block.operations.index(operation), made)
    operation.result.replace_by(made.result)
    operation.erase()

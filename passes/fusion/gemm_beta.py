"""Sums with a matmul become one GEMM that accumulates: `w - lr * (x^T @ g)` writes straight into w."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...ir.core import Block, Operation, Program, Value
from ...ir.known_numbers import literal_number
from ...ir.walk import walk
from ...ops.dims import same_shape
from ...ops.linalg import matmul_add
from ...ops.op import OPS
from ..manager import Pass


@dataclass(frozen=True)
class FoldIntoBeta(Pass):
    """Rewrite `c + k * matmul(x, y)`, `c - …` and `… - c` into matmul_add if the matmul has no other use and the memory
    of c can take the sum: c is a state entry that the sum updates, or a library call's result that ends here.
    Reassociates the scaling by k (stated bounds: docs/limitations.md).
    """

    name = "fold_into_beta"

    def run(self, program: Program) -> bool:
        changed = False
        for operation in walk(program.body):
            if (operation.op.is_sum or operation.op.is_difference) and operation.parent is not None:
                changed |= _fold_sum(operation)
        return changed


def _fold_sum(operation: Operation) -> bool:
    left, right = operation.operands
    sign = float(operation.op.terms[1])
    for value, other, alpha, beta in ((right, left, sign, 1.0), (left, right, 1.0, sign)):
        term = _scaled_matmul(value, operation.parent)
        if term is None or not _takes_sum(other, operation) or other.operation is term.matmul:
            continue
        if same_shape(other.tensor_type.shape, term.matmul.result.tensor_type.shape):
            _replace(operation, other, term, alpha, beta)
            return True
    return False


@dataclass(frozen=True, slots=True)
class _ScaledMatmul:
    """A matmul times a number: a literal, and perhaps a value without axes that goes to operand `side`."""

    matmul: Operation
    scale: float = 1.0
    factor: Value | None = None
    side: int = 0


def _scaled_matmul(value: Value, block: Block | None) -> _ScaledMatmul | None:
    """What `value` is made of, if it is a matmul used once and standing in `block`."""
    operation = value.operation
    if operation is None or len(value.uses) != 1 or operation.parent is not block:
        return None
    if operation.op.is_contraction:
        return _ScaledMatmul(operation) if value.dtype.is_floating and value.ndim >= 2 else None
    if operation.name != "multiply":
        return None
    for factor, inner in (operation.operands, operation.operands[::-1]):
        found = _scaled_matmul(inner, block) if factor.ndim == 0 and inner.ndim else None
        if found is not None and found.factor is None:
            return _times(found, factor)
    return None


def _times(term: _ScaledMatmul, factor: Value) -> _ScaledMatmul | None:
    """A literal goes into the library call; another factor to an operand, if that is smaller than the result."""
    number = literal_number(factor)
    if number is not None and not factor.ndim:
        return replace(term, scale=term.scale * number)
    sizes = [v.tensor_type.size for v in term.matmul.operands]
    limit = term.matmul.result.tensor_type.size
    small = [
        (size, side)
        for side, size in enumerate(sizes)
        if isinstance(size, int) and isinstance(limit, int) and size < limit
    ]
    return replace(term, factor=factor, side=min(small)[1]) if small else None


def _takes_sum(value: Value, operation: Operation) -> bool:
    """Whether the memory of `value` may hold the sum afterwards."""
    if any(user.name == "update" and user.operands[0] is value for user, _ in operation.results[0].uses):
        return True
    producer = value.operation
    library = producer is not None and (producer.op.is_contraction or producer.op is matmul_add)
    return library and len(value.uses) == 1 and producer is not None and producer.parent is operation.parent


def _replace(operation: Operation, base: Value, term: _ScaledMatmul, alpha: float, beta: float) -> None:
    block, operands = operation.parent, list(term.matmul.operands)
    assert block is not None
    place = block.operations.index(operation)
    if term.factor is not None:
        kind = operands[term.side].type
        scaled = Operation(OPS["multiply"], [operands[term.side], term.factor], {}, [kind], [], operation.loc)
        operands[term.side] = block.insert(place, scaled).result
        place += 1
    attrs = {**term.matmul.attrs, "alpha": alpha * term.scale, "beta": beta}
    made = Operation(matmul_add, [base, *operands], attrs, [operation.result.type], [], operation.loc)
    block.insert(place, made)
    operation.result.replace_by(made.result)
    operation.erase()

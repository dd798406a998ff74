"""LU factors of a matrix are computed once for all that needs them, its gradients among them.

`solve` and its gradient, which solves with the transpose; `det` and its gradient; `inv`, `slogdet`. In eager mode, and
for small matrices, each factorises by itself. Peers keep the factors for the backward pass; here it is a rewrite of the
whole program, so that also a user's own two calls share them.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...base import dtype as dt
from ...base.target import current_target
from ...ir.builder import ahead_of
from ...ir.core import Operation, Program, Value
from ...ir.walk import walk
from ...ops.elimination import MOST_ROWS
from ...ops.factored import FACTORISED, lu_transposed
from ..manager import Pass


@dataclass(frozen=True)
class SharedFactors(Pass):
    """Operations that factorise one large matrix, or its transpose, take its LU factors instead (ops/factored.py).

    So does a single one in a loop that leaves the matrix as it is: the factors are computed before the loop. Only where
    LAPACK is at hand; not of matrices whose size a call chooses, as small ones are eliminated in another way.
    """

    name = "shared_factors"

    def run(self, program: Program) -> bool:
        target = current_target()
        if not target.blas or target.triple:
            return False
        found: dict[Value, list[Operation]] = {}
        for operation in walk(program.body):
            if operation.name in FACTORISED and _is_large(operation.operands[0]):
                found.setdefault(_matrix_of(operation)[0], []).append(operation)
        shared = {x: users for x, users in found.items() if len(users) > 1 or _place(users[0], x) is not users[0]}
        for users in shared.values():
            for operation in users:
                _replace(operation)
        return bool(shared)


def _is_large(matrix: Value) -> bool:
    """Whether LAPACK factorises it: elimination is for matrices of few rows."""
    rows = matrix.tensor_type.shape[-1]
    is_real = matrix.dtype in (dt.float32, dt.float64)
    return is_real and isinstance(rows, int) and rows > MOST_ROWS and 0 not in matrix.tensor_type.shape


def _matrix_of(operation: Operation) -> tuple[Value, bool]:
    """The matrix that an operation factorises, or the one whose transpose it is; and whether it is that."""
    value = operation.operands[0]
    made, axes = value.operation, list(range(value.tensor_type.rank))
    if made is not None and made.name == "transpose" and list(made.attrs["perm"]) == [*axes[:-2], axes[-1], axes[-2]]:
        return made.operands[0], True
    return value, False


def _place(operation: Operation, matrix: Value) -> Operation:
    """Before which operation the factors are computed: this one, or the outermost loop that has the matrix already."""
    block = operation.parent
    while block is not None and block is not matrix.block:
        owner = block.parent
        if not isinstance(owner, Operation) or owner.name not in ("for", "while"):
            break
        operation, block = owner, owner.parent
    return operation


def _replace(operation: Operation) -> None:
    matrix, is_transposed = _matrix_of(operation)
    with ahead_of(_place(operation, matrix)).active():
        factors = lu_transposed(matrix)
    with ahead_of(operation).active():
        made = FACTORISED[operation.name](matrix, factors, is_transposed, *operation.operands[1:])
    for result, value in zip(operation.results, made, strict=True):
        result.replace_by(value)
    operation.erase()

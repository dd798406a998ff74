"""LU factors of matrices as values of programs, and what is computed from them.

passes/loops/shared_factors.py puts these rows in place of others where several factorise one matrix. The factors are
those of the transposed matrix, as LAPACK leaves them in the memory of a row-major one; NumPy, which has no factors,
multiplies them and computes as the other rows do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.errors import ShapeError
from .decompose import lu_row
from .dims import same_shape
from .elimination import signed_logarithm
from .infer import require_dtype
from .lowering import Custom
from .matrices import require_square, square_sample, transposed, typed_errors
from .op import NONDIFFERENTIABLE, OPS, Op, Sample, random_array, row
from .solving import cofactor, infer_solve
from .types import TensorType


def _factors(x: Any) -> tuple[Any, Any]:
    packed, exchanges, _ = lu_row.eager(np.swapaxes(x, -1, -2))
    return np.ascontiguousarray(np.swapaxes(packed, -1, -2)), exchanges


def _matrix(packed: Any, exchanges: Any) -> Any:
    """What was factorised: the product of the factors, its rows where the exchanges took them from."""
    n, both = packed.shape[-1], np.swapaxes(packed, -1, -2)
    order = np.broadcast_to(np.arange(n), exchanges.shape).copy()
    for k in range(n):
        other, here = exchanges[..., k : k + 1].astype(np.int64) - 1, order[..., k : k + 1].copy()
        order[..., k : k + 1] = np.take_along_axis(order, other, -1)
        np.put_along_axis(order, other, here, -1)
    made = (np.tril(both, -1) + np.eye(n, dtype=packed.dtype)) @ np.triu(both)
    return np.swapaxes(np.take_along_axis(made, np.argsort(order, -1)[..., None], -2), -1, -2)


def _regular(packed: Any, exchanges: Any) -> Any:
    """What was factorised. LinAlgError where a pivot is 0."""
    if (np.diagonal(packed, axis1=-2, axis2=-1) == 0).any():
        raise np.linalg.LinAlgError("Singular matrix")
    return _matrix(packed, exchanges)


def _require_factors(name: str, packed: TensorType, exchanges: TensorType) -> None:
    require_square(name, packed)
    require_dtype(name, exchanges.dtype, (dt.int32,))
    if not same_shape(exchanges.shape, packed.shape[:-1]):
        raise ShapeError(f"{name}: row exchanges {exchanges} don't fit factors {packed}")


def _infer_factors(x: TensorType) -> tuple[TensorType, TensorType]:
    require_square("lu_transposed", x)
    return x, TensorType(dt.int32, x.shape[:-1])


def _internal(name: str, doc: str, operands: str, **fields: Any) -> Op:
    """A row that only passes use, when gradients are there already."""
    may_fail = bool(fields.pop("may_fail", False))
    return row(
        name, doc, operands, vjp=NONDIFFERENTIABLE, lowering=Custom(f"matrix.{name}", may_fail=may_fail), method=False,
        public=False, **fields,
    )  # fmt: skip


def _matrices() -> list[Any]:
    flipped = square_sample(2, (2, 3, 3))[:, ::-1].copy()  # rows must be exchanged
    return [square_sample(1, (3, 3)), flipped, square_sample(3, (4, 4), "float32")]


def _samples() -> list[Sample]:
    return [Sample(_factors(x), smooth=False) for x in _matrices()]


lu_transposed = _internal(
    "lu_transposed",
    "The packed factors of xᵀ = P L U, transposed, and the row exchanges, int32, counted from 1.",
    "x",
    infer=_infer_factors,
    eager=_factors,
    work=lambda given, made, **_: given[0].size * given[0].shape[-1],
    samples=lambda: [Sample((x,), smooth=False) for x in _matrices()],
)


def _infer_solve(packed: TensorType, exchanges: TensorType, y: TensorType, **_: bool) -> TensorType:
    _require_factors("factored_solve", packed, exchanges)
    made: TensorType = infer_solve("factored_solve")(packed, y)
    return made


@typed_errors("solve")
def _solve(packed: Any, exchanges: Any, y: Any, *, transposed: bool) -> Any:
    x = _regular(packed, exchanges)
    return np.linalg.solve(np.swapaxes(x, -1, -2) if transposed else x, y)


factored_solve = _internal(
    "factored_solve",
    "`solve` of a matrix, or of its transpose, from the factors.",
    "packed exchanges y",
    attrs={"transposed": False},
    infer=_infer_solve,
    eager=_solve,
    work=lambda given, made, **_: 2 * made[0].size * given[0].shape[-1],
    samples=lambda: [
        Sample((*_factors(x), random_array(4, y, dtype=x.dtype.name)), {"transposed": flag}, smooth=False)
        for x, y, flag in zip(_matrices(), ((3, 2), (3, 1), (2, 4, 5)), (False, True, False), strict=True)
    ],
    may_fail=True,
)


def _infer_inv(packed: TensorType, exchanges: TensorType) -> TensorType:
    _require_factors("factored_inv", packed, exchanges)
    return packed


factored_inv = _internal(
    "factored_inv",
    "`inv` of a matrix from its factors.",
    "packed exchanges",
    infer=_infer_inv,
    eager=typed_errors("inv")(lambda packed, exchanges: np.linalg.inv(_regular(packed, exchanges))),
    work=lambda given, made, **_: 2 * given[0].size * given[0].shape[-1],
    samples=_samples,
    may_fail=True,
)


def _infer_numbers(packed: TensorType, exchanges: TensorType) -> tuple[TensorType, TensorType]:
    _require_factors("factored_slogdet", packed, exchanges)
    made = TensorType(packed.dtype, packed.shape[:-2])
    return made, made


factored_slogdet = _internal(
    "factored_slogdet",
    "`slogdet` of a matrix from its factors.",
    "packed exchanges",
    infer=_infer_numbers,
    eager=lambda packed, exchanges: signed_logarithm(_matrix(packed, exchanges)),
    work=lambda given, made, **_: given[0].size,
    samples=_samples,
)


def _infer_cofactor(x: TensorType, packed: TensorType, exchanges: TensorType) -> TensorType:
    _require_factors("factored_cofactor", packed, exchanges)
    if not same_shape(x.shape, packed.shape) or x.dtype is not packed.dtype:
        raise ShapeError(f"factored_cofactor: factors {packed} don't fit matrices {x}")
    return x


factored_cofactor = _internal(
    "factored_cofactor",
    "`cofactor` of a matrix and its factors.",
    "x packed exchanges",
    infer=_infer_cofactor,
    eager=lambda x, packed, exchanges: cofactor.eager(x),
    work=lambda given, made, **_: 2 * given[0].size * given[0].shape[-1],
    samples=lambda: [Sample((x, *_factors(x)), smooth=False) for x in _matrices()],
)


# What an operation becomes: of its matrix x (that of its first operand, or the one whose transpose this is), the
# factors of x, whether it is the transpose, and the other operands.
Factorised = Callable[..., Sequence[Any]]


def _solve_factored(x: Any, factors: Sequence[Any], is_transposed: bool, y: Any) -> Sequence[Any]:
    return (factored_solve(*factors, y, transposed=is_transposed),)


def _inv_factored(x: Any, factors: Sequence[Any], is_transposed: bool) -> Sequence[Any]:
    made = factored_inv(*factors)
    return (transposed(made) if is_transposed else made,)


def _slogdet_factored(x: Any, factors: Sequence[Any], is_transposed: bool) -> Sequence[Any]:
    made: Sequence[Any] = factored_slogdet(*factors)
    return made


def _det_factored(x: Any, factors: Sequence[Any], is_transposed: bool) -> Sequence[Any]:
    sign, logarithm = factored_slogdet(*factors)
    return (sign * OPS["exp"](logarithm),)


def _cofactor_factored(x: Any, factors: Sequence[Any], is_transposed: bool) -> Sequence[Any]:
    made = factored_cofactor(x, *factors)
    return (transposed(made) if is_transposed else made,)


FACTORISED: dict[str, Factorised] = {
    "solve": _solve_factored,
    "inv": _inv_factored,
    "slogdet": _slogdet_factored,
    "det": _det_factored,
    "cofactor": _cofactor_factored,
}

"""Factors P L U in one tensor, as `lu` gives them, and what is done with them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import DType
from ..base.errors import ArgumentError
from .complex import conj
from .decompose import lu_row
from .infer import require_axes, require_dtype
from .matrices import columns, rows, smaller
from .op import NONDIFFERENTIABLE, OPS, Op, Sample, composite, row
from .rearrange import swapaxes
from .solving import triangular_solve_row
from .types import TensorType


def _pivot_matrix_eager(pivots: Any, *, dtype: DType, size: int) -> Any:
    flat = pivots.reshape(math.prod(pivots.shape[:-1]), pivots.shape[-1])
    order = np.tile(np.arange(size), (len(flat), 1))
    each = np.arange(len(flat))
    for j in range(flat.shape[1]):
        other = flat[:, j] - 1
        order[each, other], order[:, j] = order[:, j].copy(), order[each, other].copy()
    made = np.zeros((len(flat), size, size), dtype.numpy)
    made[each[:, None], order, np.arange(size)] = 1
    return made.reshape((*pivots.shape[:-1], size, size))


def _pivot_matrix_infer(pivots: TensorType, *, dtype: DType, size: Any) -> TensorType:
    require_dtype("the row exchanges of lu", pivots.dtype, dt.INTEGERS)
    require_axes("the row exchanges of lu", pivots, 1)
    return TensorType(dtype, (*pivots.shape[:-1], size, size))


pivot_matrix: Op = row(
    "pivot_matrix",
    "The permute matrix P [..., size, size] that row exchanges, counted from 1, stand for.",
    "pivots",
    attrs={"dtype": dt.float32, "size": 1},
    infer=_pivot_matrix_infer,
    eager=_pivot_matrix_eager,
    vjp=NONDIFFERENTIABLE,
    samples=lambda: [Sample((np.array([[2, 2, 3], [3, 3, 3]], np.int32),), {"dtype": dt.float64, "size": 3})],
    method=False,
    public=False,
)


@composite("lu")
def lu(x: Any, pivot: bool = True, get_infos: bool = False, name: str | None = None) -> Any:
    """Factors of x = P L U in one tensor [..., m, n], the row exchanges int32 [..., min(m, n)] counted from 1, and with
    get_infos int32 [...]: 0, or 1 + the number of the first zero pivot.
    """
    if not pivot:
        raise ArgumentError("lu without pivots isn't there", remedy="use pivot=True")
    packed, pivots, info = lu_row(x)
    return (packed, pivots, info) if get_infos else (packed, pivots)


@composite()
def lu_unpack(
    x: Any, y: Any, unpack_ludata: bool = True, unpack_pivots: bool = True, name: str | None = None
) -> tuple[Any, Any, Any]:
    """P, L and U from what `lu` gave; None for what isn't asked for.

    Shapes: P [..., m, m], L [..., m, k], U [..., k, n].
    """
    require_axes("lu_unpack", x, 2)
    m, n = x.shape[-2:]
    k = smaller(m, n)
    low = up = None
    if unpack_ludata:
        low = OPS["tril"](columns(x, 0, k), -1) + OPS["eye"](m, k, x.dtype)
        up = OPS["triu"](rows(x, 0, k))
    return pivot_matrix(y, x.dtype, m) if unpack_pivots else None, low, up


@composite()
def lu_solve(b: Any, lu: Any, pivots: Any, trans: str = "N", name: str | None = None) -> Any:
    """The solution of A x = b (trans "T": Aᵀ x = b, "C": Aᴴ x = b) from the factors of A that `lu` gave."""
    if trans not in ("N", "T", "C"):
        raise ArgumentError(f'lu_solve: trans must be "N", "T" or "C", not {trans!r}')
    require_axes("lu_solve", lu, 2)
    permute = pivot_matrix(pivots, lu.dtype, lu.shape[-1])
    if trans == "N":
        y = triangular_solve_row(lu, swapaxes(permute, -1, -2) @ b, upper=False, transpose=False, unitriangular=True)
        return triangular_solve_row(lu, y, upper=True, transpose=False, unitriangular=False)
    lu = conj(lu) if trans == "C" else lu
    y = triangular_solve_row(lu, b, upper=True, transpose=True, unitriangular=False)
    return permute @ triangular_solve_row(lu, y, upper=False, transpose=True, unitriangular=True)

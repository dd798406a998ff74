"""Linear systems and what hangs on them: inverse, determinant, pseudo-inverse, powers and exponentials of matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.errors import ArgumentError, ShapeError
from .arith import is_value
from .dims import assume_equal
from .elimination import EXPANDED, determinant, expanded_cofactors, signed_logarithm, solved, substituted
from .elimination import inverse as inverse_of
from .failing import kernel_refuses, refusals_of
from .families import conjugated, real_dtype, sum_to
from .indexing import getitem
from .infer import broadcast_shapes, int_argument, require_axes, require_same_dtype
from .lowering import Custom
from .matrices import (
    adjoint,
    complex_sample,
    identity_like,
    prepare_matrices,
    require_matrix,
    require_square,
    smaller,
    square_sample,
    transposed,
    typed_errors,
    zeros_like,
)
from .op import OPS, Sample, composite, random_array, row
from .rearrange import stack
from .types import TensorType


def _infer_square(name: str) -> Any:
    def infer(x: TensorType) -> TensorType:
        require_square(name, x)
        return x

    return infer


def _square_samples() -> list[Sample]:
    return [
        Sample((square_sample(1, (3, 3)),)), Sample((square_sample(2, (2, 2, 2), "float32"),)),
        Sample((complex_sample(3, (3, 3)),)),
    ]  # fmt: skip


# Inverse and systems


def _inv_vjp(g: Any, y: Any, x: Any) -> tuple[Any]:
    y = transposed(y)
    return (-(y @ g @ y),)


inv = row(
    "inv",
    "The inverse of square matrices.",
    "x",
    prepare=prepare_matrices("inv"),
    infer=_infer_square("inv"),
    eager=typed_errors("inv")(inverse_of),
    lowering=Custom("matrix.inv", may_fail=True),
    failures=kernel_refuses("inv", "Singular matrix"),
    work=lambda given, made, **_: 2 * given[0].size * given[0].shape[-1],
    vjp=conjugated(_inv_vjp),
    samples=_square_samples,
)
refusals_of(inv)


@composite()
def inverse(x: Any, name: str | None = None) -> Any:
    """The inverse of square matrices [..., n, n]. ArgumentError for a singular one."""
    return inv(x)


def infer_solve(name: str) -> Any:
    """The type rule of an op that solves systems: matrices x, right sides y."""

    def infer(x: TensorType, y: TensorType, **_: Any) -> TensorType:
        dtype = require_same_dtype(name, (x, y))
        n = require_square(name, x)
        lead, rows, columns = require_matrix(name, y)
        if assume_equal(rows, n) is False:
            raise ShapeError(f"{name}: matrices {x} don't fit right sides {y}", remedy=f"y must have {n} rows")
        return TensorType(dtype, (*broadcast_shapes(x.shape[:-2], lead), n, columns))

    return infer


def _solve_vjp(g: Any, y: Any, a: Any, b: Any) -> tuple[Any, Any]:
    gb = _solve_row(transposed(a), g)
    return sum_to(-(gb @ transposed(y)), a.shape), sum_to(gb, b.shape)


_solve_row = row(
    "solve",
    "The X with x X = y, for square matrices x.",
    "x y",
    prepare=prepare_matrices("solve"),
    infer=infer_solve("solve"),
    eager=typed_errors("solve")(solved),
    lowering=Custom("matrix.solve", may_fail=True),
    failures=kernel_refuses("solve", "Singular matrix"),
    work=lambda given, made, **_: (given[0].size + 2 * made[0].size) * given[0].shape[-1],
    vjp=conjugated(_solve_vjp),
    samples=lambda: [
        Sample((square_sample(1, (3, 3)), random_array(2, (3, 2)))),
        Sample((square_sample(3, (2, 3, 3)), random_array(4, (3, 1)))),
        Sample((complex_sample(5, (2, 2)), complex_sample(6, (2, 2)))),
    ],
)
refusals_of(_solve_row)


@composite("solve")
def solve(x: Any, y: Any, left: bool = True, name: str | None = None) -> Any:
    """The X with x X = y (left=False: X x = y), for square matrices x [..., n, n].

    Shapes: y [..., n, k], or [n] for a vector; leading axes broadcast. Errors: ArgumentError for a singular matrix.
    """
    is_vector = y.ndim == 1 or (y.ndim == x.ndim - 1 and tuple(y.shape) == tuple(x.shape[:-1]))
    if is_vector:
        made = _solve_row(x if left else transposed(x), OPS["reshape"](y, (*y.shape, 1)))
        return OPS["reshape"](made, made.shape[:-1])
    return _solve_row(x, y) if left else transposed(_solve_row(transposed(x), transposed(y)))


def _triangle(x: Any, *, upper: bool, transpose: bool, unitriangular: bool) -> Any:
    made = np.triu(x) if upper else np.tril(x)
    if unitriangular:
        made[..., np.arange(x.shape[-1]), np.arange(x.shape[-1])] = 1
    return np.swapaxes(made, -1, -2) if transpose else made


@typed_errors("triangular_solve")
def _triangular_eager(x: Any, y: Any, **flags: bool) -> Any:
    return substituted(_triangle(x, **flags), y, upper=flags["upper"] != flags["transpose"])


def _triangular_vjp(
    g: Any, y: Any, a: Any, b: Any, *, upper: bool, transpose: bool, unitriangular: bool
) -> tuple[Any, Any]:
    gb = triangular_solve_row(a, g, upper=upper, transpose=not transpose, unitriangular=unitriangular)
    full = -(y @ transposed(gb)) if transpose else -(gb @ transposed(y))
    offset = int(unitriangular)
    ga = OPS["triu"](full, offset) if upper else OPS["tril"](full, -offset)
    return sum_to(ga, a.shape), sum_to(gb, b.shape)


triangular_solve_row = row(
    "triangular_solve",
    "The X with x X = y (transpose: xᵀ X = y) for triangular x, of which the other triangle isn't read.",
    "x y",
    attrs={"upper": True, "transpose": False, "unitriangular": False},
    prepare=prepare_matrices("triangular_solve"),
    infer=infer_solve("triangular_solve"),
    eager=_triangular_eager,
    lowering=Custom("matrix.triangular_solve", may_fail=True),
    failures=kernel_refuses("triangular_solve", "Singular matrix"),
    work=lambda given, made, **_: made[0].size * given[0].shape[-1],
    vjp=conjugated(_triangular_vjp),
    samples=lambda: [
        Sample((square_sample(1, (3, 3)), random_array(2, (3, 2))), flags)
        for flags in ({}, {"upper": False}, {"transpose": True}, {"upper": False, "unitriangular": True})
    ],
)
refusals_of(triangular_solve_row)


@composite()
def cholesky_solve(x: Any, y: Any, upper: bool = False, name: str | None = None) -> Any:
    """The solution of A X = x from the Cholesky factor y of A: lower triangular, or upper with `upper`."""
    first = adjoint(y) if upper else y
    half = triangular_solve_row(first, x, upper=False, transpose=False, unitriangular=False)
    return triangular_solve_row(adjoint(first), half, upper=True, transpose=False, unitriangular=False)


@composite()
def cholesky_inverse(x: Any, upper: bool = False, name: str | None = None) -> Any:
    """The inverse of A from its Cholesky factor x [n, n]."""
    require_axes("cholesky_inverse", x, 2)
    return cholesky_solve(identity_like(x), x, upper)


# Determinants


def _infer_det(name: str, count: int) -> Any:
    def infer(x: TensorType) -> Any:
        require_square(name, x)
        lead = x.shape[:-2]
        value = TensorType(x.dtype, lead)
        return value if count == 1 else (value, TensorType(real_dtype(x.dtype), lead))

    return infer


WELL_CONDITIONED = 1e4  # up to this the inverse tells the cofactors


def _regular_cofactors(x: Any) -> Any:
    """det(x) · x⁻ᵀ where that is exact enough; None where a matrix is nearly singular."""
    wide = x.astype(np.result_type(x.dtype, np.float64))
    with np.errstate(all="ignore"):
        try:
            inverse, size = np.linalg.inv(wide), np.linalg.det(wide)[..., None, None]
        except np.linalg.LinAlgError:
            return None
        condition = np.abs(wide).sum(-1).max(-1, initial=0.0) * np.abs(inverse).sum(-1).max(-1, initial=0.0)
        if not (condition < WELL_CONDITIONED).all():
            return None
        transposed_inverse = np.swapaxes(inverse, -1, -2)
        if np.isfinite(size).all() and (np.abs(size) > np.finfo(np.float64).tiny).all():
            return (size * transposed_inverse).astype(x.dtype)
        return _scaled_cofactors(wide, transposed_inverse).astype(x.dtype)


def _scaled_cofactors(x: Any, inverse: Any) -> Any:
    """det(x) · x⁻ᵀ where det(x) is no float64, but the products may be: x is divided by a power of two first."""
    n = x.shape[-1]
    power = np.rint(np.linalg.slogdet(x)[1] / (n * np.log(2.0)))[..., None, None]
    made = np.linalg.det(x * np.exp2(-power))[..., None, None] * (inverse * np.exp2(power))
    parts = np.ascontiguousarray(made).view(np.float64)  # of complex numbers twice as many
    return np.ldexp(parts, (power * (n - 1)).astype(np.int64)).view(made.dtype)


def _cofactor_eager(x: Any) -> Any:
    """det(x) · x⁻ᵀ; of a few rows by formula, through the singular values where x is singular, or nearly so."""
    n = x.shape[-1]
    if 0 < n <= EXPANDED:
        with np.errstate(all="ignore"):
            return expanded_cofactors(x.astype(np.result_type(x.dtype, np.float64))).astype(x.dtype)
    made = _regular_cofactors(x)
    if made is not None:
        return made
    finite = np.isfinite(x).all((-2, -1), keepdims=True)
    u, s, vh = np.linalg.svd(np.where(finite, x, 0))
    others = np.stack([np.prod(np.delete(s, k, axis=-1), axis=-1) for k in range(n)], axis=-1) if n else s
    sign = np.linalg.det(u) * np.linalg.det(vh)
    made = sign[..., None, None] * (np.conj(u) * others[..., None, :]) @ np.conj(vh)
    return np.asarray(np.where(finite, made, np.nan)).astype(x.dtype)


def _cofactor_vjp(g: Any, y: Any, x: Any) -> tuple[Any]:
    d = OPS["sum"](x * y, (-2, -1), True) / x.shape[-1]
    return ((OPS["sum"](g * y, (-2, -1), True) * y - y @ transposed(g) @ y) / d,)


cofactor = row(
    "cofactor",
    "The matrices of cofactors, det(x) · x⁻ᵀ where that exists; second derivatives of determinants need it invertible.",
    "x",
    prepare=prepare_matrices("cofactor"),
    infer=_infer_square("cofactor"),
    eager=_cofactor_eager,
    lowering=Custom("matrix.cofactor"),
    work=lambda given, made, **_: 2 * given[0].size * given[0].shape[-1],
    vjp=conjugated(_cofactor_vjp),
    samples=_square_samples,
    method=False,
    public=False,
)


def _scaled(g: Any, y: Any, x: Any) -> tuple[Any]:
    return (OPS["reshape"](g, (*g.shape, 1, 1)) * cofactor(x),)


det = row(
    "det",
    "The determinants of square matrices.",
    "x",
    prepare=prepare_matrices("det"),
    infer=_infer_det("det", 1),
    eager=determinant,
    lowering=Custom("matrix.det"),
    work=lambda given, made, **_: given[0].size * given[0].shape[-1],
    vjp=conjugated(_scaled),
    samples=_square_samples,
)


def _slogdet_vjp(g: Any, y: Any, x: Any) -> tuple[Any]:
    if g[1] is None:
        return (zeros_like(x),)
    return (OPS["reshape"](g[1], (*g[1].shape, 1, 1)) * adjoint(inv(x)),)


_slogdet = row(
    "slogdet",
    "The sign (complex: the unit number) of determinants, without gradient, and the logarithm of their absolute value.",
    "x",
    prepare=prepare_matrices("slogdet"),
    infer=_infer_det("slogdet", 2),
    eager=signed_logarithm,
    lowering=Custom("matrix.det"),
    work=lambda given, made, **_: given[0].size * given[0].shape[-1],
    vjp=_slogdet_vjp,
    samples=_square_samples,
)


@composite("slogdet")
def slogdet(x: Any, name: str | None = None) -> Any:
    """The sign of each determinant and the logarithm of its absolute value, stacked: [2, ...] for x [..., n, n]."""
    sign, size = _slogdet(x)
    return stack([sign, size if size.dtype is sign.dtype else OPS["cast"](size, sign.dtype)])


# Pseudo-inverse, least squares


def _infer_pinv(x: TensorType, *, rcond: Any, hermitian: bool) -> TensorType:
    lead, m, n = require_matrix("pinv", x)
    if hermitian:
        require_square("pinv", x)
    return TensorType(x.dtype, (*lead, n, m))


@typed_errors("pinv")
def _pinv_eager(x: Any, *, rcond: Any, hermitian: bool) -> Any:
    cutoff = max(x.shape[-2:]) * np.finfo(x.dtype).eps if rcond is None else rcond
    return np.linalg.pinv(x, rcond=np.asarray(cutoff), hermitian=hermitian).astype(x.dtype)


def _pinv_vjp(g: Any, y: Any, x: Any, *, rcond: Any, hermitian: bool) -> tuple[Any]:
    yh, gh = adjoint(y), adjoint(g)
    made = -(yh @ g @ yh)
    made = made + (gh - x @ (y @ gh)) @ y @ yh
    outer = yh @ y @ gh
    return (made + outer - (outer @ y) @ x,)


_pinv = row(
    "pinv",
    "The Moore-Penrose inverse; singular values up to rcond times the largest count as 0.",
    "x",
    attrs={"rcond": None, "hermitian": False},
    prepare=prepare_matrices("pinv"),
    infer=_infer_pinv,
    eager=_pinv_eager,
    vjp=_pinv_vjp,
    lowering=Custom("matrix.pinv", may_fail=True),
    failures=kernel_refuses("pinv", "SVD did not converge"),
    work=lambda given, made, **_: given[0].size * given[0].shape[-1],
    samples=lambda: [
        Sample((random_array(1, (4, 3)),)), Sample((random_array(2, (2, 2, 3)),)), Sample((complex_sample(3, (3, 2)),)),
        Sample((random_array(4, (3, 2), dtype="float32"),), {"rcond": 1e-3}),
    ],
)  # fmt: skip
refusals_of(_pinv)


@composite("pinv")
def pinv(x: Any, rcond: Any = 1e-15, hermitian: bool = False, name: str | None = None) -> Any:
    """The Moore-Penrose inverse of [..., m, n]; singular values up to rcond times the largest count as 0."""
    return _pinv(x, rcond=_number(rcond), hermitian=bool(hermitian))


def _number(value: Any) -> Any:
    return value.item() if is_value(value) else value


@composite()
def lstsq(
    x: Any, y: Any, rcond: float | None = None, driver: str | None = None, name: str | None = None
) -> tuple[Any, Any, Any, Any]:
    """The X of least |x X - y|, of least norm among several: solution, residuals, rank and singular values.

    Shapes: x [..., m, n], y [..., m, k]; solution [..., n, k]; residuals [..., k] where m > n, else empty; rank
    int32 [...]; singular values [..., min(m, n)] for the drivers "gelss" and "gelsd", else empty.
    """
    if driver not in (None, "gels", "gelsy", "gelsd", "gelss"):
        raise ArgumentError(f'lstsq: driver must be "gels", "gelsy", "gelsd" or "gelss", not {driver!r}')
    require_axes("lstsq", x, 2)
    require_axes("lstsq", y, 2)
    m, n = x.shape[-2:]
    solution = _pinv(x, rcond=_number(rcond), hermitian=False) @ y
    values = OPS["svd"](x)[1]
    cutoff = max(m, n) * float(np.finfo(real_dtype(x.dtype).numpy).eps) if rcond is None else _number(rcond)
    largest = values if 0 in (m, n) else OPS["max"](values, -1, True)
    rank = OPS["sum"](values > largest * cutoff, -1)
    empty = OPS["full"]((0,), 0, values.dtype)
    residuals = empty
    if smaller(m, n) is n and assume_equal(m, n) is not True:
        residuals = OPS["sum"](OPS["square"](OPS["abs"](x @ solution - y)), -2)
    return solution, residuals, OPS["cast"](rank, dt.int32), values if driver in ("gelsd", "gelss") else empty


# Powers and exponentials


@composite()
def matrix_power(x: Any, n: int, name: str | None = None) -> Any:
    """Square matrices times themselves n times; n = 0 gives identities, a negative n powers of the inverse."""
    n = int_argument("matrix_power: n", n)
    require_square("matrix_power", x)
    if n == 0:
        return OPS["broadcast_to"](identity_like(x), x.shape)
    base = inv(x) if n < 0 else x
    made: Any = None
    for k, bit in enumerate(reversed(bin(abs(n))[2:])):
        base = base @ base if k else base
        if bit == "1":
            made = base if made is None else made @ base
    return OPS["assign"](made) if made is x else made


_PADE = (  # Higham, The scaling and squaring method for the matrix exponential revisited, 2005: degree 13
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
    10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip


def _matrix_exp_eager(x: Any) -> Any:
    wide = x.astype(np.result_type(x.dtype, np.float64))
    size = float(np.max(np.sum(np.abs(wide), axis=-2), initial=0.0))
    if not np.isfinite(size):
        return np.full_like(x, np.nan)
    times = max(0, math.ceil(math.log2(size / 5.371920351148152))) if size > 0 else 0
    a = wide / 2.0**times
    unit = np.broadcast_to(np.eye(x.shape[-1]), a.shape)
    powers = [unit, a @ a]
    powers += [powers[1] @ powers[1]]
    powers += [powers[2] @ powers[1]]
    b = _PADE
    odd = powers[3] @ (b[13] * powers[3] + b[11] * powers[2] + b[9] * powers[1])
    odd = a @ (odd + b[7] * powers[3] + b[5] * powers[2] + b[3] * powers[1] + b[1] * unit)
    even = powers[3] @ (b[12] * powers[3] + b[10] * powers[2] + b[8] * powers[1])
    even = even + b[6] * powers[3] + b[4] * powers[2] + b[2] * powers[1] + b[0] * unit
    made = np.linalg.solve(even - odd, even + odd)
    for _ in range(times):
        made = made @ made
    return made.astype(x.dtype)


def _matrix_exp_vjp(g: Any, y: Any, x: Any) -> tuple[Any]:
    """The Fréchet derivative stands in the corner of the exponential of [[xᵀ, g], [0, xᵀ]]."""
    corner, concat = transposed(x), OPS["concat"]
    block = concat([concat([corner, g], -1), concat([zeros_like(x), corner], -1)], -2)
    n = x.shape[-1]
    return (getitem(OPS["matrix_exp"](block), (..., slice(n), slice(n, None))),)


matrix_exp = row(
    "matrix_exp",
    "The exponential of square matrices.",
    "x",
    prepare=prepare_matrices("matrix_exp"),
    infer=_infer_square("matrix_exp"),
    eager=_matrix_exp_eager,
    vjp=conjugated(_matrix_exp_vjp),
    samples=_square_samples,
)


@composite("matrix_exp")
def matrix_exp_public(x: Any, name: str | None = None) -> Any:
    """The exponential of square matrices; that of a number is `exp`. Shapes: [..., n, n] or [], and the result's."""
    if is_value(x) and not x.ndim:
        return OPS["exp"](x)
    return matrix_exp(x)

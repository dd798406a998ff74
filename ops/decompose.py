"""Decompositions of matrices: Cholesky, QR, SVD, eigenvalues, LU. NumPy runs them; the gradients are made of rows.

Gradients: Giles, Collected matrix derivative results, 2008; Seeger et al., Auto-differentiating linear algebra, 2017;
Wan and Zhang, Automatic differentiation for complex valued SVD, 2019. They exist where eigenvalues differ.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import DType
from ..base.errors import ArgumentError, GradientError
from .complex import conj, imag, make_complex, real
from .dims import at_least
from .elimination import lower_factor
from .failing import kernel_refuses, refusals_of
from .families import real_dtype
from .lowering import Custom
from .matrices import (
    adjoint,
    column,
    columns,
    complex_sample,
    identity_like,
    prepare_matrices,
    require_matrix,
    require_square,
    row_vector,
    rows,
    smaller,
    square_sample,
    typed_errors,
    zeros_like,
)
from .op import OPS, Sample, composite, random_array, row
from .rearrange import swapaxes
from .slices import piece
from .solving import triangular_solve_row
from .types import TensorType

# Cholesky


def _positive(seed: int, shape: tuple[int, ...]) -> Any:
    a = square_sample(seed, shape)
    return a @ np.swapaxes(a, -1, -2)


@typed_errors("cholesky")
def _cholesky_eager(x: Any, *, upper: bool) -> Any:
    """Reads the triangle that it returns."""
    if upper:
        return np.conj(np.swapaxes(lower_factor(np.conj(np.swapaxes(x, -1, -2))), -1, -2))
    return lower_factor(x)


def _halved_triangle(x: Any) -> Any:
    """The lower triangle with half the diagonal."""
    return OPS["tril"](x) - identity_like(x) * x * 0.5


def _cholesky_vjp(g: Any, y: Any, x: Any, *, upper: bool) -> tuple[Any]:
    low, g = (adjoint(y), adjoint(g)) if upper else (y, g)
    inner = _halved_triangle(adjoint(low) @ g)
    half = triangular_solve_row(adjoint(low), inner, upper=True, transpose=False, unitriangular=False)
    flipped = triangular_solve_row(adjoint(low), adjoint(half), upper=True, transpose=False, unitriangular=False)
    made = adjoint(flipped)
    return ((made + adjoint(made)) * 0.5,)


def _infer_same_square(name: str) -> Any:
    def infer(x: TensorType, **_: Any) -> TensorType:
        require_square(name, x)
        return x

    return infer


cholesky = row(
    "cholesky",
    "The lower triangular factor L of positive definite matrices, x = L Lᴴ; with `upper` Lᴴ.",
    "x",
    attrs={"upper": False},
    prepare=prepare_matrices("cholesky"),
    infer=_infer_same_square("cholesky"),
    eager=_cholesky_eager,
    lowering=Custom("matrix.cholesky", may_fail=True),
    failures=kernel_refuses("cholesky", "Matrix is not positive definite"),
    work=lambda given, made, **_: given[0].size * given[0].shape[-1],
    vjp=_cholesky_vjp,
    samples=lambda: [
        Sample((_positive(1, (3, 3)),), smooth=False),
        Sample((_positive(2, (2, 3, 3)).astype("float32"),), {"upper": True}, smooth=False),
    ],
)
refusals_of(cholesky)

# QR


def _infer_qr(x: TensorType, *, complete: bool) -> tuple[TensorType, TensorType]:
    lead, m, n = require_matrix("qr", x)
    least = smaller(m, n)  # asked in both modes: the gradient has a form for tall matrices, and one for wide ones
    k = m if complete else least
    return TensorType(x.dtype, (*lead, m, k)), TensorType(x.dtype, (*lead, k, n))


def _qr_eager(x: Any, *, complete: bool) -> tuple[Any, Any]:
    made = np.linalg.qr(x, "complete" if complete else "reduced")
    return np.ascontiguousarray(made.Q), np.ascontiguousarray(made.R)


def _mirrored(x: Any) -> Any:
    """The Hermitian matrix with the lower triangle of x; the diagonal real."""
    low = OPS["tril"](x, -1)
    return low + adjoint(low) + identity_like(x) * real(x)


def _tall_qr_vjp(gq: Any, gr: Any, q: Any, r: Any) -> Any:
    middle = r @ adjoint(gr) - adjoint(gq) @ q
    right = gq + q @ _mirrored(middle)
    return adjoint(triangular_solve_row(r, adjoint(right), upper=True, transpose=False, unitriangular=False))


def _qr_vjp(g: Any, y: Any, x: Any, *, complete: bool) -> tuple[Any]:
    q, r = y
    gq, gr = (zeros_like(v) if d is None else d for d, v in zip(g, y, strict=True))
    m, n = x.shape[-2:]
    if complete and not at_least(n, m):
        raise GradientError("qr in mode 'complete' has no gradient for tall matrices", remedy="use mode='reduced'")
    if smaller(m, n) is n:
        return (_tall_qr_vjp(gq, gr, q, r),)
    square, rest, g_rest = columns(r, 0, m), columns(x, m), columns(gr, m)
    gq = gq + rest @ adjoint(g_rest)
    return (OPS["concat"]([_tall_qr_vjp(gq, columns(gr, 0, m), q, square), q @ g_rest], -1),)


_qr = row(
    "qr",
    "q with orthonormal columns and r upper triangular, x = q r.",
    "x",
    attrs={"complete": False},
    prepare=prepare_matrices("qr"),
    infer=_infer_qr,
    eager=_qr_eager,
    lowering=Custom("matrix.qr"),
    work=lambda given, made, **_: 4 * given[0].size * given[0].shape[-1],
    vjp=_qr_vjp,
    samples=lambda: [
        Sample((random_array(1, (4, 3)),)), Sample((square_sample(2, (2, 3, 3)),)), Sample((random_array(3, (2, 4)),)),
        Sample((random_array(4, (4, 2)),), {"complete": True}, smooth=False),
        Sample((complex_sample(5, (3, 2)),)),
    ],
)  # fmt: skip


@composite("qr")
def qr(x: Any, mode: str = "reduced", name: str | None = None) -> Any:
    """x = q r with orthonormal columns in q and an upper triangular r; mode "r" gives r alone.

    Shapes: x [..., m, n]; q [..., m, k], r [..., k, n], k = min(m, n), or m in mode "complete".
    Errors: ArgumentError for another mode.
    """
    if mode not in ("reduced", "complete", "r"):
        raise ArgumentError(f'qr has the modes "reduced", "complete" and "r", not {mode!r}')
    q, r = _qr(x, complete=mode == "complete")
    return r if mode == "r" else (q, r)


# Singular values


def _infer_svd(x: TensorType, *, full_matrices: bool) -> tuple[TensorType, ...]:
    lead, m, n = require_matrix("svd", x)
    k = smaller(m, n)
    u, v = (m, n) if full_matrices else (k, k)
    if full_matrices:
        smaller(n, m)  # with the above: whether the matrices are square, on which the gradient depends
    parts = TensorType(real_dtype(x.dtype), (*lead, k))
    return TensorType(x.dtype, (*lead, m, u)), parts, TensorType(x.dtype, (*lead, v, n))


@typed_errors("svd")
def _svd_eager(x: Any, *, full_matrices: bool) -> tuple[Any, ...]:
    return tuple(np.ascontiguousarray(part) for part in np.linalg.svd(x, full_matrices))


def _inverse_gaps(values: Any) -> Any:
    """1 / (values[j] - values[i]) off the diagonal, 0 on it."""
    gaps = row_vector(values) - column(values)
    unit = OPS["eye"](values.shape[-1], None, values.dtype)
    return (1.0 - unit) / (gaps + unit)


def _skew(x: Any) -> Any:
    return x - adjoint(x)


def _reduced(g: Any, u: Any, vh: Any, k: Any) -> tuple[Any, Any]:
    """The first k columns of u and rows of vh. Errors: GradientError for gradients through a part that isn't unique."""
    if any(d is not None and part.shape[-1] != k for d, part in ((g[0], u), (g[2], vh))):
        raise GradientError("svd with full_matrices has no gradient through u and vh", remedy="use full_matrices=False")
    return piece(u, u.ndim - 1, 0, k), piece(vh, vh.ndim - 2, 0, k)


def _svd_vjp(g: Any, y: Any, x: Any, *, full_matrices: bool) -> tuple[Any]:
    u, s, vh = y
    if full_matrices and x.shape[-1] != x.shape[-2]:
        u, vh = _reduced(g, u, vh, s.shape[-1])
        y = u, s, vh
    gu, gs, gvh = (zeros_like(p) if d is None else d for d, p in zip(g, y, strict=True))
    v, gv = adjoint(vh), adjoint(gvh)
    left, right = adjoint(u) @ gu, adjoint(v) @ gv
    gaps = _inverse_gaps(s * s)
    unit = OPS["eye"](s.shape[-1], None, s.dtype)
    middle = _skew(left) * gaps * row_vector(s) + column(s) * (_skew(right) * gaps) + unit * row_vector(gs)
    if x.dtype.is_complex:
        phase = imag(unit * (left - right)) * 0.5 / row_vector(s)
        middle = middle + make_complex(phase * 0.0, phase)
    made = u @ middle @ vh
    made = made + ((gu - u @ left) / row_vector(s)) @ vh
    return (made + u @ adjoint((gv - v @ right) / row_vector(s)),)


_svd = row(
    "svd",
    "x = u · diag(s) · vh with orthonormal columns in u, rows in vh, and falling s.",
    "x",
    attrs={"full_matrices": False},
    prepare=prepare_matrices("svd"),
    infer=_infer_svd,
    eager=_svd_eager,
    lowering=Custom("matrix.svd", may_fail=True),
    failures=kernel_refuses("svd", "SVD did not converge"),
    work=lambda given, made, **_: 12 * given[0].size * made[1].shape[-1],
    vjp=_svd_vjp,
    samples=lambda: [
        Sample((random_array(1, (4, 3)),)), Sample((random_array(2, (2, 3, 3)),)), Sample((random_array(3, (2, 4)),)),
        Sample((random_array(4, (4, 2)),), {"full_matrices": True}, smooth=False), Sample((complex_sample(5, (3, 2)),)),
    ],
)  # fmt: skip
refusals_of(_svd)


@composite("svd")
def svd(x: Any, full_matrices: bool = False, name: str | None = None) -> Any:
    """u, s, vh with x = u · diag(s) · vh; s falls.

    Shapes: x [..., m, n]; u [..., m, k], s [..., k], vh [..., k, n], k = min(m, n); full_matrices: [m, m] and [n, n].
    """
    return _svd(x, full_matrices=bool(full_matrices))


@composite()
def svdvals(x: Any, name: str | None = None) -> Any:
    """The singular values of matrices [..., m, n], falling: [..., min(m, n)]."""
    return _svd(x)[1]


@composite(method=True)
def svd_lowrank(x: Any, q: int | None = None, niter: int = 2, M: Any = None, name: str | None = None) -> Any:
    """The q largest singular values of x - M with their vectors: u [..., m, q], s [..., q], v [..., n, q].

    Computed from the full decomposition, so exactly: `niter` has no effect, but must be 0 or more. q: 6 at most by
    default.
    """
    most = smaller(*x.shape[-2:])
    count = smaller(6, most) if q is None else q
    if not 0 <= count <= most:
        raise ArgumentError(f"svd_lowrank: q must be from 0 to {most}, not {q}")
    if niter < 0:
        raise ArgumentError(f"svd_lowrank: niter must be 0 or more, not {niter}")
    u, s, vh = _svd(x if M is None else x - M)
    return columns(u, 0, count), columns(s, 0, count), columns(adjoint(vh), 0, count)


@composite()
def pca_lowrank(x: Any, q: int | None = None, center: bool = True, niter: int = 2, name: str | None = None) -> Any:
    """The q main directions of the rows of x, which are centred first: u, s and v as of `svd_lowrank`."""
    return svd_lowrank(x, q, niter, OPS["mean"](x, -2, True) if center else None)


# Eigenvalues


def _infer_eigh(x: TensorType, *, UPLO: str) -> tuple[TensorType, TensorType]:
    require_square("eigh", x)
    if UPLO not in ("L", "U"):
        raise ArgumentError(f'eigh: UPLO must be "L" or "U", not {UPLO!r}')
    return TensorType(real_dtype(x.dtype), x.shape[:-1]), x


@typed_errors("eigh")
def _eigh_eager(x: Any, *, UPLO: str) -> tuple[Any, Any]:
    values, vectors = np.linalg.eigh(x, "U" if UPLO == "U" else "L")
    return values, np.ascontiguousarray(vectors)


def _eigh_vjp(g: Any, y: Any, x: Any, *, UPLO: str) -> tuple[Any]:
    w, v = y
    if g[1] is None:
        return (v * OPS["cast"](row_vector(g[0]), v.dtype) @ adjoint(v),)
    mixed = adjoint(v) @ g[1] * _inverse_gaps(w)
    inner = (mixed + adjoint(mixed)) * 0.5  # Hermitian, as the matrix is
    if g[0] is not None:
        inner = inner + OPS["eye"](w.shape[-1], None, w.dtype) * row_vector(g[0])
    return (v @ inner @ adjoint(v),)


eigh = row(
    "eigh",
    "Rising eigenvalues and orthonormal eigenvectors (columns) of Hermitian matrices, of which one triangle is read.",
    "x",
    attrs={"UPLO": "L"},
    prepare=prepare_matrices("eigh"),
    infer=_infer_eigh,
    eager=_eigh_eager,
    lowering=Custom("matrix.eigh", may_fail=True),
    failures=kernel_refuses("eigh", "Eigenvalues did not converge"),
    work=lambda given, made, **_: 9 * given[0].size * given[0].shape[-1],
    vjp=_eigh_vjp,
    samples=lambda: [
        Sample((_positive(1, (3, 3)),), smooth=False),
        Sample((_positive(2, (2, 3, 3)).astype("float32"),), {"UPLO": "U"}, smooth=False),
    ],
)
refusals_of(eigh)


@composite()
def eigvalsh(x: Any, UPLO: str = "L", name: str | None = None) -> Any:
    """The rising eigenvalues of symmetric or Hermitian matrices [..., n, n]; one triangle is read."""
    return eigh(x, UPLO)[0]


def _complex_dtype(dtype: DType) -> DType:
    return dtype if dtype.is_complex else dt.complex128 if dtype is dt.float64 else dt.complex64


def _infer_eig(x: TensorType) -> tuple[TensorType, TensorType]:
    require_square("eig", x)
    kind = _complex_dtype(x.dtype)
    return TensorType(kind, x.shape[:-1]), TensorType(kind, x.shape)


@typed_errors("eig")
def _eig_eager(x: Any) -> tuple[Any, Any]:
    kind = np.result_type(x.dtype, np.complex64)
    values, vectors = np.linalg.eig(x)
    return values.astype(kind), np.ascontiguousarray(vectors.astype(kind))


def _eig_vjp(g: Any, y: Any, x: Any) -> tuple[Any]:
    w, v = y
    vh, unit = adjoint(v), identity_like(v)
    inner: Any = None
    if g[1] is not None:
        product = vh @ g[1]
        scaled = product - (vh @ v) * row_vector(OPS["sum"](real(unit * product), -2))
        gaps = row_vector(w) - column(w)
        inner = scaled * (1.0 - unit) / (conj(gaps) + unit)
    if g[0] is not None:
        inner = unit * row_vector(g[0]) + (0.0 if inner is None else inner)
    made = OPS["solve"](vh, inner @ vh)
    return (made if x.dtype.is_complex else real(made),)


eig = row(
    "eig",
    "Eigenvalues and unit eigenvectors (columns) of square matrices, complex.",
    "x",
    prepare=prepare_matrices("eig"),
    infer=_infer_eig,
    eager=_eig_eager,
    failures=kernel_refuses("eig", "Array must not contain infs or NaNs"),
    vjp=_eig_vjp,
    samples=lambda: [Sample((square_sample(1, (3, 3)),)), Sample((complex_sample(2, (2, 2, 2)),))],
)
refusals_of(eig)


@composite()
def eigvals(x: Any, name: str | None = None) -> Any:
    """The complex eigenvalues of square matrices [..., n, n], in no order: [..., n]."""
    # of the transpose: the same values, in the order in which LAPACK finds them for Paddle
    return eig(swapaxes(x, -1, -2) if x.ndim > 1 else x)[0]


# LU


def _infer_lu(x: TensorType) -> tuple[TensorType, TensorType, TensorType]:
    lead, m, n = require_matrix("lu", x)
    return x, TensorType(dt.int32, (*lead, smaller(m, n))), TensorType(dt.int32, lead)


def _lu_eager(x: Any) -> tuple[Any, Any, Any]:
    """Doolittle's elimination with partial pivoting, on all matrices at once; info: 1 + the first zero pivot, or 0."""
    m, n = x.shape[-2:]
    count, k = math.prod(x.shape[:-2]), min(m, n)
    a = x.reshape(count, m, n).copy()
    pivots, info = np.zeros((count, k), np.int32), np.zeros(count, np.int32)
    each = np.arange(count)
    for j in range(k):
        best = j + np.argmax(np.abs(a[:, j:, j]), axis=1) if m else np.zeros(count, int)
        pivots[:, j] = best + 1
        rows = a[each, best].copy()
        a[each, best], a[:, j] = a[:, j].copy(), rows
        head = rows[:, j]
        zero = head == 0
        info[(info == 0) & zero] = j + 1
        a[:, j + 1 :, j] /= np.where(zero, 1, head)[:, None]
        a[:, j + 1 :, j + 1 :] -= a[:, j + 1 :, j, None] * a[:, j, None, j + 1 :]
    return a.reshape(x.shape), pivots.reshape((*x.shape[:-2], k)), info.reshape(x.shape[:-2])


def _lu_vjp(g: Any, y: Any, x: Any) -> tuple[Any]:
    g, packed = g[0], y[0]
    m, n = x.shape[-2:]
    k = smaller(m, n)
    top, g_top = (columns(rows(part, 0, k), 0, k) for part in (packed, g))
    low = OPS["tril"](top, -1) + identity_like(top)
    up = OPS["triu"](top)
    of_low, of_up = adjoint(low) @ OPS["tril"](g_top, -1), OPS["triu"](g_top) @ adjoint(up)
    parts_below = parts_right = None
    if k is not n:
        g_right = columns(g, k)
        of_low = of_low - g_right @ adjoint(columns(packed, k))
        parts_right = triangular_solve_row(adjoint(low), g_right, upper=True, transpose=False, unitriangular=True)
    elif k is not m:
        g_below = rows(g, k)
        of_up = of_up - adjoint(rows(packed, k)) @ g_below
        parts_below = _over_upper(g_below, up)
    middle = OPS["tril"](of_low, -1) + OPS["triu"](of_up)
    left = triangular_solve_row(adjoint(low), middle, upper=True, transpose=False, unitriangular=True)
    made = _over_upper(left, up)
    if parts_right is not None:
        made = OPS["concat"]([made, parts_right], -1)
    if parts_below is not None:
        made = OPS["concat"]([made, parts_below], -2)
    return (OPS["pivot_matrix"](y[1], made.dtype, m) @ made,)


def _over_upper(x: Any, up: Any) -> Any:
    """x · up⁻ᴴ for an upper triangular matrix."""
    return adjoint(triangular_solve_row(up, adjoint(x), upper=True, transpose=False, unitriangular=False))


lu_row = row(
    "lu",
    "The packed factors of x = P L U, the row exchanges (from 1), and where a pivot is 0.",
    "x",
    prepare=prepare_matrices("lu"),
    infer=_infer_lu,
    eager=_lu_eager,
    lowering=Custom("matrix.lu"),
    work=lambda given, made, **_: given[0].size * given[0].shape[-1],
    vjp=_lu_vjp,
    samples=lambda: [
        Sample((random_array(1, (3, 3)),)), Sample((random_array(2, (2, 4, 3)),)), Sample((random_array(3, (2, 4)),)),
        Sample((random_array(4, (3, 3), dtype="float32"),)),
    ],
)  # fmt: skip

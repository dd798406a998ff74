"""Small matrices by plain elimination, in float64: which of them are singular, for NumPy and for kernels alike.

LAPACK's order of sums is that of its build, so whether a pivot of a matrix of too low a rank comes out as exactly zero
is chance. Eager mode asks LAPACK where matrices are far from singular. Where they aren't, it computes what the kernels
of `runtime/lower/matrices/small_matrices.py` compute, operation by operation, and so has their answer, bit by bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

MOST_ROWS = 32  # of a matrix that is eliminated here and in kernels
MOST_COLUMNS = 64  # of a right side
MOST_COMPLEX = 32  # of a complex matrix whose systems are those of a real one of twice the size in compiled programs
MOST_CHOLESKY = 64  # rows of a matrix whose Cholesky factor is computed so
EXPANDED = 3  # rows of determinants that are written out
_FAR = 1e8  # size of a matrix times that of its inverse, up to which rounding can't make it singular
_NEAR = 1e-8  # the part of a diagonal that Cholesky's pivots must exceed
_VOLUME = -18.0  # logarithm of a determinant, divided by the lengths of the rows
_PROBE = np.random.default_rng(0).standard_normal((MOST_ROWS, 1))  # has a part in every direction that matters


def _is_small(x: Any, most: int = MOST_ROWS) -> bool:
    return x.dtype in (np.float32, np.float64) and 0 < x.shape[-1] <= most


def _wide(x: Any) -> Any:
    return x.astype(np.float64, copy=False)


def _size(x: Any) -> Any:
    return np.abs(x).max((-2, -1), initial=0.0)


def solved(x: Any, y: Any) -> Any:
    """The X with x X = y. LinAlgError for a singular x."""
    if x.dtype.kind == "c" and 0 < x.shape[-1] <= MOST_COMPLEX:
        return _solved_complex(x, y)
    if not _is_small(x) or not 0 < y.shape[-1] <= MOST_COLUMNS:
        return np.asarray(np.linalg.solve(x, y))
    a = _wide(x)
    with np.errstate(all="ignore"):
        found = _probed(a, y)
        if found is None:
            shape = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
            found = _solved_by_elimination(a, np.array(np.broadcast_to(y, (*shape, *y.shape[-2:])), a.dtype))
        return found.astype(x.dtype)


def _probed(a: Any, y: Any) -> Any:
    """What LAPACK solves; None where a further side tells that the matrix may be singular: its pivots don't decide."""
    n, count = y.shape[-2:]
    sides = np.empty((*np.broadcast_shapes(a.shape[:-2], y.shape[:-2]), n, count + 1), a.dtype)
    sides[..., :count], sides[..., count:] = y, _PROBE[:n]
    try:
        found = np.linalg.solve(a, sides)
    except np.linalg.LinAlgError:
        return None
    return found[..., :count] if (_size(a) * _size(found[..., count:]) < _FAR).all() else None


def inverse(x: Any) -> Any:
    """The inverse. LinAlgError for a singular matrix."""
    if x.dtype.kind == "c" and 0 < 2 * x.shape[-1] <= MOST_ROWS:
        return _complex_inverse(x)
    if not _is_small(x):
        return np.linalg.inv(x)
    a = _wide(x)
    with np.errstate(all="ignore"):
        try:
            found = np.linalg.inv(a)
            if (_size(a) * _size(found) < _FAR).all():
                return found.astype(x.dtype)
        except np.linalg.LinAlgError:
            pass  # LAPACK's pivots don't decide
        return _solved_by_elimination(a, np.broadcast_to(np.eye(a.shape[-1]), a.shape)).astype(x.dtype)


def _solved_complex(x: Any, y: Any) -> Any:
    """`solved` for complex numbers; near singular matrices are those of the real systems that programs solve."""
    n = y.shape[-2]
    with np.errstate(all="ignore"):
        found = _probed(x.astype(np.complex128), y)
    if found is not None:
        return found.astype(x.dtype)
    made = solved(_real_matrix(x), np.concatenate([y.real, y.imag], -2))
    return made[..., :n, :] + x.dtype.type(1j) * made[..., n:, :]


def _complex_inverse(x: Any) -> Any:
    n, a = x.shape[-1], x.astype(np.complex128)
    with np.errstate(all="ignore"):
        try:
            found = np.linalg.inv(a)
            if (_size(a) * _size(found) < _FAR).all():
                return found.astype(x.dtype)
        except np.linalg.LinAlgError:
            pass  # LAPACK's pivots don't decide
    made = inverse(_real_matrix(x))
    return made[..., :n, :n] + x.dtype.type(1j) * made[..., n:, :n]


def _real_matrix(x: Any) -> Any:
    """The real matrix of twice the size that does with (real, imaginary) columns what a complex one does."""
    top, bottom = np.concatenate([x.real, -x.imag], -1), np.concatenate([x.imag, x.real], -1)
    return np.concatenate([top, bottom], -2)


def determinant(x: Any) -> Any:
    """The determinant; 0 for a singular matrix."""
    if not _is_small(x) or _is_clearly_regular(_wide(x)):
        return np.asarray(np.linalg.det(x))
    with np.errstate(all="ignore"):
        if x.shape[-1] <= EXPANDED:
            return np.asarray(_expanded(_wide(x))).astype(x.dtype)
        sign, size = _signed_logarithm(_wide(x))
        return np.asarray(sign * np.exp(size)).astype(x.dtype)


def signed_logarithm(x: Any) -> tuple[Any, Any]:
    """The sign of the determinant and the logarithm of its size; 0 and -inf for a singular matrix."""
    if not _is_small(x) or _is_clearly_regular(_wide(x)):
        sign, size = np.linalg.slogdet(x)
    else:
        with np.errstate(all="ignore"):
            sign, size = (part.astype(x.dtype) for part in _signed_logarithm(_wide(x)))
    return np.asarray(sign), np.asarray(size)


def lower_factor(x: Any) -> Any:
    """The lower triangular Cholesky factor. LinAlgError for a matrix that isn't positive definite."""
    if not _is_small(x, MOST_CHOLESKY):
        return np.linalg.cholesky(x)
    a = _wide(x)
    with np.errstate(all="ignore"):
        try:
            found = np.linalg.cholesky(a)
            pivots = np.square(np.diagonal(found, axis1=-2, axis2=-1))
            if (pivots > _NEAR * np.diagonal(a, axis1=-2, axis2=-1).max(-1, keepdims=True)).all():
                return found.astype(x.dtype)
        except np.linalg.LinAlgError:
            pass  # LAPACK's pivots don't decide
        return _lower_factor(a).astype(x.dtype)


def substituted(x: Any, y: Any, *, upper: bool) -> Any:
    """The X with x X = y for a triangle. LinAlgError where a number of the diagonal is 0."""
    if (np.diagonal(x, axis1=-2, axis2=-1) == 0).any():
        raise np.linalg.LinAlgError("Singular matrix")
    if upper:
        return np.asarray(np.linalg.solve(x, y))
    flipped = np.linalg.solve(x[..., ::-1, ::-1], y[..., ::-1, :])  # an upper triangle: rows stay in their order
    return np.asarray(flipped[..., ::-1, :])


def expanded_cofactors(x: Any) -> Any:
    """The cofactors of one to three rows, by their formula."""
    n = x.shape[-1]
    made = np.ones_like(x)
    for i, j in np.ndindex(n, n) if n > 1 else ():
        if n == 2:
            made[..., i, j] = x[..., 1 - i, 1 - j] * (1 if i == j else -1)
        else:  # rows and columns taken in a circle: the sign is that of the order
            (up, down), (left, right) = ([(k + 1) % 3, (k + 2) % 3] for k in (i, j))
            made[..., i, j] = x[..., up, left] * x[..., down, right] - x[..., up, right] * x[..., down, left]
    return made


def _is_clearly_regular(a: Any) -> bool:
    with np.errstate(all="ignore"):
        try:
            lengths = np.log(np.sqrt(np.square(a).sum(-1))).sum(-1)
            if (np.linalg.slogdet(a)[1] - lengths > _VOLUME).all():
                return True
            return bool((_size(a) * _size(np.linalg.solve(a, _PROBE[: a.shape[-1]])) < _FAR).all())
        except np.linalg.LinAlgError:
            return False


# ---- as the kernels compute


def _eliminated(x: Any, *sides: Any) -> tuple[Any, ...]:
    """Upper triangles [s, n, n] by rows, the largest of a column first, the sides, which are singular, and signs."""
    a, *others = (np.array(v) for v in (x, *sides))
    every, n = np.arange(a.shape[0]), a.shape[-1]
    singular, signs = np.zeros(a.shape[0], bool), np.ones(a.shape[0])
    for k in range(n):
        sizes = np.abs(a[:, k:, k])
        first = np.where(np.isnan(sizes), -1.0, sizes).argmax(-1)
        place = k + np.where(np.isnan(sizes[:, 0]), 0, first)  # nothing is larger than NaN
        singular |= sizes[every, place - k] == 0
        signs[place != k] *= -1
        for one in (a, *others):
            held = one[every, place]
            one[every, place] = one[:, k]
            one[:, k] = held
        factors = (a[:, k + 1 :, k] / a[:, k, k, None])[..., None]
        a[:, k + 1 :, k + 1 :] -= factors * a[:, k, None, k + 1 :]
        for one in others:
            one[:, k + 1 :] -= factors * one[:, k, None]
    return a, *others, singular, signs


def _solved_by_elimination(x: Any, y: Any) -> Any:
    lead, n = y.shape[:-2], x.shape[-1]
    wide = np.broadcast_to(x, (*lead, n, n)).reshape(-1, n, n)
    a, made, singular, _ = _eliminated(wide, y.reshape(-1, *y.shape[-2:]))
    if singular.any():
        raise np.linalg.LinAlgError("Singular matrix")
    for k in reversed(range(n)):
        made[:, k] /= a[:, k, k, None]
        made[:, :k] -= a[:, :k, k, None] * made[:, k, None]
    return made.reshape(y.shape)


def _expanded(x: Any) -> Any:
    a = [[x[..., i, j] for j in range(x.shape[-1])] for i in range(x.shape[-1])]
    if len(a) == 1:
        return a[0][0]
    if len(a) == 2:
        return a[0][0] * a[1][1] - a[0][1] * a[1][0]
    return a[0][0] * _minor(a, 1, 2) - a[0][1] * _minor(a, 0, 2) + a[0][2] * _minor(a, 0, 1)


def _minor(a: Any, i: int, j: int) -> Any:
    """The determinant of columns i and j of the last two of three rows."""
    return a[1][i] * a[2][j] - a[1][j] * a[2][i]


def _signed_logarithm(x: Any) -> tuple[Any, Any]:
    lead, n = x.shape[:-2], x.shape[-1]
    a, _, sign = _eliminated(x.reshape(-1, n, n))
    size = np.zeros(len(a))
    for k in range(n):
        pivot = a[:, k, k]
        sign = np.where(pivot < 0, -sign, np.where(pivot == 0, 0.0, sign))
        size = size + np.log(np.abs(pivot))
    return sign.reshape(lead), np.where(sign == 0, -np.inf, size).reshape(lead)


def _lower_factor(x: Any) -> Any:
    n = x.shape[-1]
    low = np.tril(x).reshape(-1, n, n)
    for k in range(n):
        if not (low[:, k, k] > 0).all():
            raise np.linalg.LinAlgError("Matrix is not positive definite")
        low[:, k, k] = np.sqrt(low[:, k, k])
        low[:, k + 1 :, k] /= low[:, k, k, None]
        for j in range(k + 1, n):
            low[:, j:, j] -= low[:, j:, k] * low[:, j, k, None]
    return low.reshape(x.shape)

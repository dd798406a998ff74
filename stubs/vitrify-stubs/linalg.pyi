# Written by `make stubs`; edits here are lost.

"""Linear algebra: products, decompositions, systems, norms. Most of it are methods of tensors, too."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from typing import Literal as _Literal
from typing import overload as _overload
from vitrify._stub_types import Axis as _Axis
from vitrify._stub_types import DTypeLike as _DTypeLike
from vitrify._stub_types import TensorLike as _TensorLike
from vitrify.dygraph.tensor import Tensor as _Tensor

def cholesky(x: _TensorLike, upper: _bool = False, *, name: _str | None = None) -> _Tensor:
    """The lower triangular factor L of positive definite matrices, x = L Lᴴ; with `upper` Lᴴ."""

def cholesky_inverse(x: _TensorLike, upper: _bool = False, name: _str | None = None) -> _Tensor:
    """The inverse of A from its Cholesky factor x [n, n]."""

def cholesky_solve(x: _TensorLike, y: _TensorLike, upper: _bool = False, name: _str | None = None) -> _Tensor:
    """The solution of A X = x from the Cholesky factor y of A: lower triangular, or upper with `upper`."""

def cond(x: _TensorLike, p: _Any = None, name: _str | None = None) -> _Tensor:
    """The condition number of matrices [..., m, n] in the norm p, |x| · |x⁻¹|; None is 2.

    Errors: ShapeError for other norms of matrices that aren't square."""

def corrcoef(x: _TensorLike, rowvar: _bool = True, name: _str | None = None) -> _Tensor:
    """The matrix of correlation coefficients of variables in the rows (rowvar) or columns of x, inside [-1, 1]."""

def cov(x: _TensorLike, rowvar: _bool = True, ddof: _bool = True, fweights: _Any = None, aweights: _Any = None, name: _str | None = None) -> _Tensor:
    """The covariance matrix of variables in the rows (rowvar) or columns of x, each observation weighted by how often
    it occurred (fweights) and how much it counts (aweights). ddof: divide by n - 1 instead of n."""

@_overload
def cross(x: _TensorLike, y: _TensorLike, dim: _int = 9, name: _str | None = None) -> _Tensor: ...
@_overload
def cross(x: _TensorLike, y: _TensorLike, axis: _int = 9, name: _str | None = None) -> _Tensor:
    """The cross product of vectors of 3 along `axis`; by default (9) the first axis of size 3."""

def det(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """The determinants of square matrices."""

@_overload
def diagonal(input: _TensorLike, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, name: _str | None = None) -> _Tensor: ...
@_overload
def diagonal(x: _TensorLike, offset: _int = 0, axis1: _int = 0, axis2: _int = 1, name: _str | None = None) -> _Tensor:
    """The diagonals of the matrices over `axis1` and `axis2`, as a new last axis; `offset` above (below: negative).

    >>> import vitrify as vt
    >>> vt.diagonal(vt.to_tensor([[1, 2], [3, 4]])).tolist()
    [1, 4]"""

def eig(x: _TensorLike, *, name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """Eigenvalues and unit eigenvectors (columns) of square matrices, complex."""

def eigh(x: _TensorLike, UPLO: _Any = 'L', *, name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """Rising eigenvalues and orthonormal eigenvectors (columns) of Hermitian matrices, of which one triangle is read."""

def eigvals(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The complex eigenvalues of square matrices [..., n, n], in no order: [..., n]."""

def eigvalsh(x: _TensorLike, UPLO: _str = 'L', name: _str | None = None) -> _Tensor:
    """The rising eigenvalues of symmetric or Hermitian matrices [..., n, n]; one triangle is read."""

def householder_product(x: _TensorLike, tau: _Any, name: _str | None = None) -> _Tensor:
    """The first n columns of the product of Householder reflections I - tau v vᴴ: q of a packed QR decomposition.

    Shapes: x [..., m, n] with the vectors below its diagonal, tau [..., k], k <= n <= m; result [..., m, n]."""

def inv(x: _TensorLike, *, name: _str | None = None) -> _Tensor:
    """The inverse of square matrices."""

def inverse(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The inverse of square matrices [..., n, n]. ArgumentError for a singular one."""

def lstsq(x: _TensorLike, y: _TensorLike, rcond: _float | None = None, driver: _str | None = None, name: _str | None = None) -> _tuple[_Tensor, _Tensor, _Tensor, _Tensor]:
    """The X of least |x X - y|, of least norm among several: solution, residuals, rank and singular values.

    Shapes: x [..., m, n], y [..., m, k]; solution [..., n, k]; residuals [..., k] where m > n, else empty; rank
    int32 [...]; singular values [..., min(m, n)] for the drivers "gelss" and "gelsd", else empty."""

@_overload
def lu(x: _TensorLike, pivot: _bool = True, get_infos: _Literal[False] = False, name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """Factors of x = P L U in one tensor [..., m, n], the row exchanges int32 [..., min(m, n)] counted from 1, and with
    get_infos int32 [...]: 0, or 1 + the number of the first zero pivot."""
@_overload
def lu(x: _TensorLike, pivot: _bool = True, get_infos: _bool = False, name: _str | None = None) -> _tuple[_Tensor, ...]: ...

def lu_solve(b: _TensorLike, lu: _Any, pivots: _Any, trans: _str = 'N', name: _str | None = None) -> _Tensor:
    """The solution of A x = b (trans "T": Aᵀ x = b, "C": Aᴴ x = b) from the factors of A that `lu` gave."""

def lu_unpack(x: _TensorLike, y: _TensorLike, unpack_ludata: _bool = True, unpack_pivots: _bool = True, name: _str | None = None) -> _tuple[_Tensor, _Tensor, _Tensor]:
    """P, L and U from what `lu` gave; None for what isn't asked for.

    Shapes: P [..., m, m], L [..., m, k], U [..., k, n]."""

@_overload
def matmul(input: _TensorLike, other: _TensorLike, transpose_x: _bool = False, transpose_y: _bool = False, *, name: _str | None = None, out: _Any = None) -> _Tensor: ...
@_overload
def matmul(x: _TensorLike, y: _TensorLike, transpose_x: _bool = False, transpose_y: _bool = False, *, name: _str | None = None, out: _Any = None) -> _Tensor:
    """The matrix product over the last two axes; leading axes broadcast; a vector is one row or one column."""

def matrix_exp(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The exponential of square matrices; that of a number is `exp`. Shapes: [..., n, n] or [], and the result's."""

def matrix_norm(x: _TensorLike, p: _Any = 'fro', axis: _Axis = ..., keepdim: _bool = False, name: _str | None = None) -> _Tensor:
    """A norm of the matrices on two axes: "fro", "nuc" (the sum of singular values), 2 and -2 (the largest, the
    smallest), 1 and -1 (sums of columns), inf and -inf (sums of rows)."""

def matrix_power(x: _TensorLike, n: _int, name: _str | None = None) -> _Tensor:
    """Square matrices times themselves n times; n = 0 gives identities, a negative n powers of the inverse."""

def matrix_rank(x: _TensorLike, tol: _Any = None, hermitian: _bool = False, atol: _Any = None, rtol: _Any = None, name: _str | None = None) -> _Tensor:
    """How many singular values of [..., m, n] are above the tolerance: `tol`, else the larger of `atol` and of `rtol`
    times the largest; by default, and where `atol` is 0, max(m, n) · eps times the largest. int64 [...].

    Errors: ArgumentError for `tol` beside `atol` or `rtol`."""

def matrix_transpose(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The last two axes exchanged."""

def multi_dot(x: _Sequence[_Any], name: _str | None = None) -> _Tensor:
    """The product of several matrices in the order of least work; the first and the last may be vectors."""

@_overload
def norm(A: _TensorLike, ord: _Any = None, dim: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, dtype: _DTypeLike | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def norm(input: _TensorLike, ord: _Any = None, dim: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, dtype: _DTypeLike | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def norm(x: _TensorLike, p: _Any = None, axis: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, dtype: _DTypeLike | None = None, *, out: _Any = None) -> _Tensor:
    """The norm of order p of all elements (axis None), along one axis, or of the matrices on two axes.

    p: None is 2 for vectors and "fro" for matrices; "fro" of all elements is their 2-norm. dtype: what x is converted
    to first."""

def ormqr(x: _TensorLike, tau: _Any, y: _TensorLike, left: _bool = True, transpose: _bool = False, name: _str | None = None) -> _Tensor:
    """Q y (left) or y Q, or with Qᴴ (transpose), where Q [m, n] is `householder_product` of x [m, n] and tau [n].

    Errors: AssertedError where the shapes or dtypes don't fit."""

def pca_lowrank(x: _TensorLike, q: _int | None = None, center: _bool = True, niter: _int = 2, name: _str | None = None) -> _tuple[_Tensor, _Tensor, _Tensor]:
    """The q main directions of the rows of x, which are centred first: u, s and v as of `svd_lowrank`."""

def pinv(x: _TensorLike, rcond: _Any = 1e-15, hermitian: _bool = False, name: _str | None = None) -> _Tensor:
    """The Moore-Penrose inverse of [..., m, n]; singular values up to rcond times the largest count as 0."""

def qr(x: _TensorLike, mode: _str = 'reduced', name: _str | None = None) -> _tuple[_Tensor, _Tensor]:
    """x = q r with orthonormal columns in q and an upper triangular r; mode "r" gives r alone.

    Shapes: x [..., m, n]; q [..., m, k], r [..., k, n], k = min(m, n), or m in mode "complete".
    Errors: ArgumentError for another mode."""

def slogdet(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The sign of each determinant and the logarithm of its absolute value, stacked: [2, ...] for x [..., n, n]."""

@_overload
def solve(A: _TensorLike, B: _TensorLike, left: _bool = True, name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def solve(x: _TensorLike, y: _TensorLike, left: _bool = True, name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The X with x X = y (left=False: X x = y), for square matrices x [..., n, n].

    Shapes: y [..., n, k], or [n] for a vector; leading axes broadcast. Errors: ArgumentError for a singular matrix."""

def svd(x: _TensorLike, full_matrices: _bool = False, name: _str | None = None, *, out: _Any = None) -> _tuple[_Tensor, _Tensor, _Tensor]:
    """u, s, vh with x = u · diag(s) · vh; s falls.

    Shapes: x [..., m, n]; u [..., m, k], s [..., k], vh [..., k, n], k = min(m, n); full_matrices: [m, m] and [n, n]."""

def svd_lowrank(x: _TensorLike, q: _int | None = None, niter: _int = 2, M: _Any = None, name: _str | None = None) -> _tuple[_Tensor, _Tensor, _Tensor]:
    """The q largest singular values of x - M with their vectors: u [..., m, q], s [..., q], v [..., n, q].

    Computed from the full decomposition, so exactly: `niter` has no effect, but must be 0 or more. q: 6 at most by
    default."""

def svdvals(x: _TensorLike, name: _str | None = None) -> _Tensor:
    """The singular values of matrices [..., m, n], falling: [..., min(m, n)]."""

def triangular_solve(x: _TensorLike, y: _TensorLike, upper: _bool = True, transpose: _bool = False, unitriangular: _bool = False, *, name: _str | None = None) -> _Tensor:
    """The X with x X = y (transpose: xᵀ X = y) for triangular x, of which the other triangle isn't read."""

def vecdot(x: _TensorLike, y: _TensorLike, axis: _int = -1, name: _str | None = None) -> _Tensor:
    """The inner products of vectors along one axis, x conjugated; other axes broadcast."""

def vector_norm(x: _TensorLike, p: _Any = 2.0, axis: _Axis | None = None, keepdim: _bool = False, name: _str | None = None, dtype: _DTypeLike | None = None, *, out: _Any = None) -> _Tensor:
    """(Σ |x|ᵖ)^(1/p) over one or several axes (all by default); p = inf: the largest |x|, -inf: the smallest, 0: how
    many aren't 0. The gradient at 0 is 0. dtype: what x is converted to first."""

"""Linear algebra: products, decompositions, systems, norms. Most of it are methods of tensors, too."""

from vitrify.base.suggest import tell_unknown_names as _tell_unknown_names
from vitrify.dygraph.view_functions import VIEWING as _VIEWING
from vitrify.ops.decompose import (
    cholesky,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    pca_lowrank,
    qr,
    svd,
    svd_lowrank,
    svdvals,
)
from vitrify.ops.einsum import multi_dot, vecdot
from vitrify.ops.linalg import matmul
from vitrify.ops.matrix_norms import cond, corrcoef, cov, matrix_norm, matrix_rank, norm, vector_norm
from vitrify.ops.mistakes import publish as _publish
from vitrify.ops.numeric import cross
from vitrify.ops.packed_factors import lu, lu_solve, lu_unpack
from vitrify.ops.reflectors import householder_product, ormqr
from vitrify.ops.solving import (
    cholesky_inverse,
    cholesky_solve,
    det,
    inv,
    inverse,
    lstsq,
    matrix_power,
    pinv,
    slogdet,
    solve,
)
from vitrify.ops.solving import matrix_exp_public as matrix_exp
from vitrify.ops.solving import triangular_solve_row as triangular_solve

__all__ = [
    "cholesky", "cholesky_inverse", "cholesky_solve", "cond", "corrcoef", "cov", "cross", "det", "diagonal", "eig",
    "eigh", "eigvals", "eigvalsh", "householder_product", "inv", "inverse", "lstsq", "lu", "lu_solve", "lu_unpack",
    "matmul", "matrix_exp", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm",
    "ormqr", "pca_lowrank", "pinv", "qr", "slogdet", "solve", "svd", "svd_lowrank", "svdvals", "triangular_solve",
    "vecdot", "vector_norm",
]  # fmt: skip

diagonal, matrix_transpose = _VIEWING["diagonal"], _VIEWING["matrix_transpose"]
_publish(__name__)
_tell_unknown_names(__name__)

"""Linear algebra against NumPy and SciPy; gradients against slopes, to order two where that is smooth."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import vitrify as vt
from vitrify.base.errors import ArgumentError, GradientError, KindError, ShapeError
from vitrify.ops import decompose, einsum, matrix_norms, packed_factors, solving
from vitrify.ops.matrices import columns

from .checks import check_gradients, run

RNG = np.random.default_rng(7)
S = RNG.uniform(-1, 1, (3, 3)) + 2 * np.eye(3)  # square, well conditioned
B = RNG.uniform(-1, 1, (2, 3, 3)) + 2 * np.eye(3)
T, W = RNG.uniform(-1, 1, (4, 3)), RNG.uniform(-1, 1, (3, 4))  # tall, wide
V, U = RNG.uniform(-1, 1, (3,)), RNG.uniform(-1, 1, (3, 2))
Z = S + 1j * RNG.uniform(-1, 1, (3, 3))


def swap(x: Any) -> Any:
    return einsum.matrix_transpose(x)


def positive(x: Any) -> Any:
    return x @ swap(x)


VALUES: list[tuple[str, Any, Any, tuple[Any, ...]]] = [
    ("cholesky", lambda x: decompose.cholesky(positive(x)), lambda x: np.linalg.cholesky(x @ np.swapaxes(x, -1, -2)), (B,)),
    ("cholesky upper", lambda x: decompose.cholesky(positive(x), upper=True), lambda x: np.linalg.cholesky(x @ x.T).T, (S,)),
    ("eigvalsh", lambda x: decompose.eigvalsh(x + swap(x)), lambda x: np.linalg.eigvalsh(x + np.swapaxes(x, -1, -2)), (B,)),
    ("svdvals", decompose.svdvals, lambda x: np.linalg.svd(x)[1], (T,)),
    ("inv", solving.inv, np.linalg.inv, (B,)),
    ("inv complex", solving.inv, np.linalg.inv, (Z,)),
    ("solve", solving.solve, np.linalg.solve, (S, U)),
    ("solve vector", solving.solve, np.linalg.solve, (S, V)),
    ("solve batch", solving.solve, np.linalg.solve, (B, U)),
    ("solve right", lambda x, y: solving.solve(x, y, left=False), lambda x, y: y @ np.linalg.inv(x), (S, W[:2, :3])),
    ("triangular", solving.triangular_solve_row, lambda x, y: scipy.linalg.solve_triangular(x, y), (S, U)),
    ("triangular unit", lambda x, y: solving.triangular_solve_row(x, y, False, True, True),
     lambda x, y: scipy.linalg.solve_triangular(x, y, trans=1, lower=True, unit_diagonal=True), (S, U)),
    ("cholesky_solve", lambda x, y: solving.cholesky_solve(y, decompose.cholesky(positive(x))),
     lambda x, y: np.linalg.solve(x @ x.T, y), (S, U)),
    ("cholesky_solve upper", lambda x, y: solving.cholesky_solve(y, decompose.cholesky(positive(x), True), True),
     lambda x, y: np.linalg.solve(x @ x.T, y), (S, U)),
    ("cholesky_inverse", lambda x: solving.cholesky_inverse(decompose.cholesky(positive(x))),
     lambda x: np.linalg.inv(x @ x.T), (S,)),
    ("det", solving.det, np.linalg.det, (B,)),
    ("slogdet", solving.slogdet, lambda x: np.stack(np.linalg.slogdet(x)), (B,)),
    ("pinv", solving.pinv, np.linalg.pinv, (T,)),
    ("pinv wide", solving.pinv, np.linalg.pinv, (W,)),
    ("matrix_power", lambda x: solving.matrix_power(x, 5), lambda x: np.linalg.matrix_power(x, 5), (B,)),
    ("matrix_power negative", lambda x: solving.matrix_power(x, -2), lambda x: np.linalg.matrix_power(x, -2), (S,)),
    ("matrix_power zero", lambda x: solving.matrix_power(x, 0), lambda x: np.linalg.matrix_power(x, 0), (B,)),
    ("matrix_exp", solving.matrix_exp, scipy.linalg.expm, (B,)),
    ("matrix_exp large", lambda x: solving.matrix_exp(x * 4.0), lambda x: scipy.linalg.expm(x * 4), (S,)),
    ("lstsq", lambda x, y: solving.lstsq(x, y)[0], lambda x, y: np.linalg.lstsq(x, y)[0], (T, T[:, :2] ** 2)),
    ("lstsq residuals", lambda x, y: solving.lstsq(x, y)[1], lambda x, y: np.linalg.lstsq(x, y)[1], (T, T[:, :2] ** 2)),
    ("lu", lambda x: packed_factors.lu(x)[0], lambda x: (lambda p, lo, u: np.tril(lo, -1) + u)(*scipy.linalg.lu(x)), (S,)),
    ("lu again", lambda x: (lambda p, lo, u: p @ lo @ u)(*packed_factors.lu_unpack(*packed_factors.lu(x))), lambda x: x, (B,)),
    ("lu tall", lambda x: (lambda p, lo, u: p @ lo @ u)(*packed_factors.lu_unpack(*packed_factors.lu(x))), lambda x: x, (T,)),
    ("lu wide", lambda x: (lambda p, lo, u: p @ lo @ u)(*packed_factors.lu_unpack(*packed_factors.lu(x))), lambda x: x, (W,)),
    ("lu_solve", lambda x, y: packed_factors.lu_solve(y, *packed_factors.lu(x)), np.linalg.solve, (S[::-1].copy(), U)),
    ("lu_solve T", lambda x, y: packed_factors.lu_solve(y, *packed_factors.lu(x), "T"), lambda x, y: np.linalg.solve(x.T, y), (S, U)),
    ("qr again", lambda x: (lambda q, r: q @ r)(*decompose.qr(x)), lambda x: x, (T,)),
    ("qr r", lambda x: decompose.qr(x, "r"), lambda x: np.linalg.qr(x, "r"), (T,)),
    ("qr q", lambda x: decompose.qr(x)[0], lambda x: np.linalg.qr(x)[0], (B,)),
    ("svd again", lambda x: (lambda u, s, vh: (u * s) @ vh)(*decompose.svd(x)), lambda x: x, (T,)),
    ("svd projector", lambda x: (lambda u, s, vh: columns(u, 0, 2) @ swap(columns(u, 0, 2)))(*decompose.svd(x)),
     lambda x: (lambda u: u[:, :2] @ u[:, :2].T)(np.linalg.svd(x)[0]), (T,)),
    ("svd_lowrank", lambda x: decompose.svd_lowrank(x, 2)[1], lambda x: np.linalg.svd(x)[1][:2], (T,)),
    ("pca_lowrank", lambda x: decompose.pca_lowrank(x, 2)[1], lambda x: np.linalg.svd(x - x.mean(0))[1][:2], (T,)),
    ("eigh projector", lambda x: (lambda w, v: columns(v, 0, 1) @ swap(columns(v, 0, 1)))(*decompose.eigh(x + swap(x))),
     lambda x: (lambda v: v[:, :1] @ v[:, :1].T)(np.linalg.eigh(x + x.T)[1]), (S,)),
    ("vector_norm", matrix_norms.vector_norm, np.linalg.norm, (V,)),
    ("norm 3", lambda x: matrix_norms.norm(x, 3, 1), lambda x: np.linalg.norm(x, 3, 1), (T,)),
    ("norm inf", lambda x: matrix_norms.norm(x, float("inf")), lambda x: np.abs(x).max(), (T,)),
    ("norm 1", lambda x: matrix_norms.norm(x, 1, [0]), lambda x: np.linalg.norm(x, 1, 0), (T,)),
    ("norm nuc", lambda x: matrix_norms.norm(x, "nuc", [0, 1]), lambda x: np.linalg.norm(x, "nuc"), (T,)),
    ("norm fro", lambda x: matrix_norms.norm(x, "fro", [-2, -1], True), lambda x: np.linalg.norm(x, "fro", (-2, -1), True), (B,)),
    ("matrix_norm 2", lambda x: matrix_norms.matrix_norm(x, 2), lambda x: np.linalg.norm(x, 2, (-2, -1)), (B,)),
    ("matrix_norm -2", lambda x: matrix_norms.matrix_norm(x, -2), lambda x: np.linalg.norm(x, -2), (S,)),
    ("matrix_norm 1", lambda x: matrix_norms.matrix_norm(x, 1, [1, 2]), lambda x: np.linalg.norm(x, 1, (1, 2)), (B,)),
    ("matrix_norm -inf", lambda x: matrix_norms.matrix_norm(x, float("-inf")), lambda x: np.linalg.norm(x, -np.inf), (T,)),
    ("dist", matrix_norms.dist, lambda x, y: np.linalg.norm(x - y), (S, V)),
    ("cdist", matrix_norms.cdist, lambda x, y: np.linalg.norm(x[:, None] - y[None], axis=-1), (T, S)),
    ("cdist mm", lambda x, y: matrix_norms.cdist(x, y, compute_mode="use_mm_for_euclid_dist"),
     lambda x, y: np.linalg.norm(x[:, None] - y[None], axis=-1), (T, S)),
    ("cdist 1", lambda x, y: matrix_norms.cdist(x, y, 1.0), lambda x, y: np.abs(x[:, None] - y[None]).sum(-1), (T, S)),
    ("pdist", matrix_norms.pdist, lambda x: np.array([np.linalg.norm(x[i] - x[j]) for i in range(4) for j in range(i + 1, 4)]), (T,)),
    ("cond", matrix_norms.cond, np.linalg.cond, (S,)),
    ("cond fro", lambda x: matrix_norms.cond(x, "fro"), lambda x: np.linalg.cond(x, "fro"), (S,)),
    ("cond 1", lambda x: matrix_norms.cond(x, 1), lambda x: np.linalg.cond(x, 1), (S,)),
    ("cov", matrix_norms.cov, np.cov, (T,)),
    ("cov columns", lambda x: matrix_norms.cov(x, False, False), lambda x: np.cov(x, rowvar=False, ddof=0), (T,)),
    ("corrcoef", matrix_norms.corrcoef, np.corrcoef, (T,)),
    ("tensordot", lambda x, y: einsum.tensordot(x, y, [[1, 2], [0, 1]]), lambda x, y: np.tensordot(x, y, [[1, 2], [0, 1]]), (B, S)),
    ("tensordot, one size 1", lambda x, y: einsum.tensordot(x, y, [[1, 2], [0, 1]]),
     lambda x, y: np.tensordot(x.sum(2), y[:, 0], 1), (B, S[:, :1])),
    ("tensordot, the other", lambda x, y: einsum.tensordot(x, y, [[2, 1], [1, 0]]),
     lambda x, y: np.tensordot(x[:, :, 0], y.sum(1), 1), (B[:, :, :1], S)),
    ("tensordot 1", lambda x, y: einsum.tensordot(x, y, 1), lambda x, y: np.tensordot(x, y, 1), (B, U)),
    ("multi_dot", lambda x, y, z: einsum.multi_dot([x, y, z]), lambda x, y, z: np.linalg.multi_dot([x, y, z]), (V, W, T)),
    ("vecdot", einsum.vecdot, lambda x, y: np.sum(x * y, -1), (T, V)),
]  # fmt: skip


@pytest.mark.parametrize(("fn", "expected", "arrays"), [c[1:] for c in VALUES], ids=[c[0] for c in VALUES])
def test_values_are_numpys(fn: Any, expected: Any, arrays: tuple[Any, ...]) -> None:
    np.testing.assert_allclose(run(fn, *arrays), expected(*arrays), rtol=1e-9, atol=1e-9)


NOT_SMOOTH = {"inv complex", "matrix_power zero"}  # complex inputs: tests/dygraph/test_dtypes.py; constants


@pytest.mark.parametrize(
    ("fn", "arrays"),
    [(c[1], c[3]) for c in VALUES if c[0] not in NOT_SMOOTH],
    ids=[c[0] for c in VALUES if c[0] not in NOT_SMOOTH],
)
def test_gradients_are_slopes(fn: Any, arrays: tuple[Any, ...]) -> None:
    check_gradients(fn, *arrays)


COMPLEX: list[tuple[str, Any]] = [
    ("inv", vt.linalg.inv), ("det", vt.linalg.det), ("solve", lambda z: vt.linalg.solve(z, z @ z)),
    ("cholesky", lambda z: vt.linalg.cholesky(z @ vt.conj(z.T))), ("qr", lambda z: vt.linalg.qr(z)[1]),
    ("svdvals", vt.linalg.svdvals), ("pinv", lambda z: vt.linalg.pinv(z[:, :2])), ("exp", vt.linalg.matrix_exp),
    ("svd", lambda z: (lambda u, s, vh: (u * s.astype("complex128")**2) @ vh)(*vt.linalg.svd(z))),
    ("eigvalsh", lambda z: vt.linalg.eigvalsh(z + vt.conj(z.T))), ("slogdet", lambda z: vt.linalg.slogdet(z)[1]),
    ("eigvals", lambda z: vt.prod(vt.linalg.eigvals(z) + 2)),
    ("eig", lambda z: (lambda w, v: v @ (w * w).unsqueeze(-1) * 0 + (v * (w * w)) @ vt.linalg.inv(v))(*vt.linalg.eig(z))),
    ("lu", lambda z: vt.linalg.lu(z)[0]), ("triangular", lambda z: vt.linalg.triangular_solve(z, z)),
    ("norm", vt.linalg.norm), ("einsum", lambda z: vt.einsum("ij,kj,ii->ik", z, z, z)),
]  # fmt: skip


@pytest.mark.parametrize("fn", [c[1] for c in COMPLEX], ids=[c[0] for c in COMPLEX])
def test_complex_gradients_are_slopes(fn: Any) -> None:
    z = vt.to_tensor(Z, stop_gradient=False)

    def parts(y: Any) -> Any:
        return vt.as_real(y) if y.is_complex() else y

    y = parts(fn(z))
    weights = np.random.default_rng(0).uniform(0.5, 1.5, y.shape)
    (y * vt.to_tensor(weights)).sum().backward()
    way = np.random.default_rng(1).normal(size=Z.shape) + 1j * np.random.default_rng(2).normal(size=Z.shape)
    ends = [float(np.sum(parts(fn(vt.to_tensor(Z + s * way))).numpy() * weights)) for s in (1e-6, -1e-6)]
    assert z.grad is not None
    assert np.sum((np.conj(z.grad.numpy()) * way).real) == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5, abs=1e-6)


def test_a_singular_matrix_has_a_gradient_of_its_determinant() -> None:
    x = vt.to_tensor([[1.0, 2.0], [2.0, 4.0]], dtype="float64", stop_gradient=False)
    vt.linalg.det(x).backward()
    np.testing.assert_allclose(x.grad.numpy(), [[4, -2], [-2, 1]], atol=1e-12)  # type: ignore[union-attr]


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize("lifted", [True, False])
def test_gradients_of_determinants_that_are_no_floats(dtype: str, lifted: bool) -> None:
    """The determinant over- or underflows, its slopes don't: they are those of smaller numbers, times a power of two."""
    n, rng = 6, np.random.default_rng(1)
    power = (23 if dtype == "float32" else 175) * (1 if lifted else -1)
    x = rng.standard_normal((2, n, n)) + 3 * np.eye(n)
    x = (x + 1j * rng.standard_normal((2, n, n)) if dtype == "complex128" else x).astype(dtype)
    known = solving.cofactor(vt.to_tensor(x)).numpy()

    def slopes(x: Any) -> Any:
        x.stop_gradient = False
        return vt.grad(solving.det(x).sum(), x)[0]

    given = x * np.array(2.0**power, x.real.dtype)
    with np.errstate(all="ignore"):
        for function in (solving.cofactor, *([slopes] if dtype != "complex128" else [])):
            made = function(vt.to_tensor(given)).numpy()
            assert np.isfinite(made).all()
            np.testing.assert_allclose(
                made * np.array(2.0 ** (-power * (n - 2)), x.real.dtype) * np.array(2.0**-power, x.real.dtype),
                known, rtol=1e-4 if dtype == "float32" else 1e-11,
            )  # fmt: skip


def test_eigenvectors_turn_into_themselves() -> None:
    w, v = vt.linalg.eig(vt.to_tensor(S))
    np.testing.assert_allclose(S @ v.numpy(), v.numpy() * w.numpy(), atol=1e-12)


def test_reflections_make_q() -> None:
    (packed, tau), _ = scipy.linalg.qr(T, mode="raw")
    q = scipy.linalg.qr(T)[0]
    packed, tau = vt.to_tensor(np.ascontiguousarray(packed)), vt.to_tensor(tau)
    np.testing.assert_allclose(vt.linalg.householder_product(packed, tau).numpy(), q[:, :3], atol=1e-12)
    for left, turn in itertools.product((True, False), (True, False)):
        turned = q[:, :3].T if turn else q[:, :3]
        y = RNG.uniform(-1, 1, turned.shape[::-1])
        expected = turned @ y if left else y @ turned
        made = vt.linalg.ormqr(packed, tau, vt.to_tensor(y), left, turn)
        np.testing.assert_allclose(made.numpy(), expected, atol=1e-12)


def test_ranks() -> None:
    low = np.outer(V, V) + 1e-9 * np.eye(3)
    assert vt.linalg.matrix_rank(vt.to_tensor(np.stack([np.outer(V, V), S]))).tolist() == [1, 3]
    assert int(vt.linalg.matrix_rank(vt.to_tensor(low), tol=1e-6)) == 1
    assert int(vt.linalg.matrix_rank(vt.to_tensor(low), hermitian=True)) == 3
    assert int(vt.linalg.matrix_rank(vt.to_tensor(low), rtol=1e-5)) == 1
    solution, residuals, rank, values = vt.linalg.lstsq(vt.to_tensor(S), vt.to_tensor(U), driver="gelsd")
    assert (solution.shape, residuals.shape, int(rank), values.shape) == ([3, 2], [0], 3, [3])


def test_covariances_with_weights_are_numpys() -> None:
    f, a = np.array([1, 2, 1]), np.array([0.5, 1.0, 2.0])
    made = vt.linalg.cov(vt.to_tensor(T), fweights=vt.to_tensor(f), aweights=vt.to_tensor(a))
    np.testing.assert_allclose(made.numpy(), np.cov(T, fweights=f, aweights=a), rtol=1e-12)


@pytest.mark.parametrize(("bins", "ranges"), [(4, None), ([2, 3, 4], None), (3, [-1.0, 1.0, 0.0, 1.0, -0.5, 0.5])])
@pytest.mark.parametrize("density", [False, True])
def test_histograms_are_numpys(bins: Any, ranges: Any, density: bool) -> None:
    x, weights = np.random.default_rng(0).uniform(-1, 1, (50, 3)), np.arange(50.0)
    pairs = None if ranges is None else [tuple(ranges[2 * k : 2 * k + 2]) for k in range(3)]
    samples = vt.to_tensor(x.reshape(5, 10, 3))
    counts, edges = vt.histogramdd(samples, bins, ranges, density, vt.to_tensor(weights.reshape(5, 10)))
    expected, lines = np.histogramdd(x, bins, pairs, density, weights)
    np.testing.assert_allclose(counts.numpy(), expected, rtol=1e-9)
    for e, line in zip(edges, lines, strict=True):
        np.testing.assert_allclose(e.numpy(), line, rtol=1e-12, atol=1e-12)


def test_the_largest_sample_is_in_the_last_cell() -> None:
    """The upper edge is the largest sample itself, whatever rounding does."""
    draw = np.random.default_rng(1)
    for _ in range(50):
        x = draw.normal(size=(6, 2))
        for counted in (vt.histogramdd, vt.jit.to_static(vt.histogramdd)):
            assert float(counted(vt.to_tensor(x), [3, 3])[0].sum()) == 6.0


EINSUMS: list[tuple[str, tuple[tuple[int, ...], ...]]] = [
    ("ij,jk->ik", ((2, 3), (3, 4))), ("ij,kj->ik", ((2, 3), (4, 3))), ("ji,jk", ((3, 2), (3, 4))), ("ii", ((3, 3),)),
    ("ii->i", ((3, 3),)), ("iij->ji", ((3, 3, 2),)), ("i,i", ((4,), (4,))), ("i,j->ij", ((2,), (3,))),
    ("ij->", ((2, 3),)), ("ij->ji", ((2, 3),)), ("bij,bjk->bik", ((2, 3, 4), (2, 4, 5))),
    ("...ij,...jk->...ik", ((5, 2, 3), (1, 3, 4))), ("...ij,jk", ((2, 5, 2, 3), (3, 4))), ("b...->...b", ((2, 3, 4),)),
    ("bhqd,bhkd->bhqk", ((2, 3, 4, 5), (2, 3, 6, 5))), ("bqhd,bkhd->bhqk", ((2, 4, 3, 5), (2, 6, 3, 5))),
    ("ij,jk,kl,lm->im", ((2, 3), (3, 4), (4, 5), (5, 6))), ("i,ij,j->", ((2,), (2, 3), (3,))),
    ("ijk,ilm,njm,nlk,abc->", ((2, 3, 2), (2, 2, 3), (2, 3, 3), (2, 2, 2), (2, 1, 2))), ("iij,jk->k", ((2, 2, 3), (3, 4))),
    ("ab,ab->ab", ((2, 3), (2, 3))), ("abc,c->", ((2, 3, 4), (4,))), ("...,...->...", ((2, 3), (3,))), ("ij,ji", ((2, 3), (3, 2))),
    ("bij,j->bi", ((2, 3, 4), (4,))), ("i...,i...->...", ((3, 2), (3, 2))), ("iiii->i", ((2, 2, 2, 2),)), ("", ((),)),
]  # fmt: skip


@pytest.mark.parametrize(("equation", "shapes"), EINSUMS, ids=[e[0] or "empty" for e in EINSUMS])
def test_einsum_is_numpys(equation: str, shapes: tuple[tuple[int, ...], ...]) -> None:
    arrays = [np.random.default_rng(k).uniform(-1, 1, s) for k, s in enumerate(shapes)]

    def fn(*xs: Any) -> Any:
        return einsum.einsum(equation, *xs)

    np.testing.assert_allclose(run(fn, *arrays), np.einsum(equation, *arrays), rtol=1e-10, atol=1e-12)
    check_gradients(fn, *arrays)
    tensors = [vt.to_tensor(a) for a in arrays]
    np.testing.assert_allclose(
        vt.to_static(lambda *xs: vt.einsum(equation, *xs))(*tensors).numpy(),
        np.einsum(equation, *arrays),
        rtol=1e-10,
        atol=1e-12,
    )


def test_einsum_broadcasts_sizes_of_one() -> None:
    x, y = RNG.uniform(size=(1, 3)), RNG.uniform(size=(4, 3))
    np.testing.assert_allclose(run(lambda a, b: einsum.einsum("ij,ij->i", a, b), x, y), (x * y).sum(1))


COMPILED = ["cholesky", "qr again", "svd again", "det", "slogdet", "solve", "pinv", "matrix_exp", "lu again", "cdist"]


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_with_gradients_is_eager(name: str) -> None:
    fn, arrays = next((c[1], c[3]) for c in VALUES if c[0] == name)

    def step(*xs: Any) -> Any:
        y = fn(*xs)
        return y, vt.grad((y * y).sum(), list(xs))

    tensors = [vt.to_tensor(a, stop_gradient=False) for a in arrays]
    (y, grads), (expected, others) = vt.to_static(step)(*tensors), step(*tensors)
    for a, b in zip([y, *grads], [expected, *others], strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: vt.linalg.inv(vt.ones([2, 3])), ShapeError, "square"), (lambda: vt.linalg.det(vt.ones([3])), ShapeError, "two axes"),
        (lambda: vt.linalg.inv(vt.zeros([2, 2])), ArgumentError, "[Ss]ingular"),
        (lambda: vt.linalg.cholesky(-vt.eye(2)), ArgumentError, "positive definite"),
        (lambda: vt.linalg.qr(vt.eye(2), mode="full"), ArgumentError, "modes"),
        (lambda: vt.linalg.solve(vt.eye(2), vt.ones([3, 1])), ShapeError, "2 rows"),
        (lambda: vt.linalg.matrix_power(vt.eye(2), 0.5), KindError, "n must be an int"),
        (lambda: vt.linalg.norm(vt.eye(2), "max", [0, 1]), ArgumentError, "no order"),
        (lambda: vt.linalg.matrix_norm(vt.ones([3])), ShapeError, "two axes"),
        (lambda: vt.linalg.lu(vt.eye(2), pivot=False), ArgumentError, "pivot"),
        (lambda: vt.linalg.multi_dot([vt.eye(2)]), ArgumentError, "at least 2"),
        (lambda: vt.cdist(vt.ones([2, 3]), vt.ones([2, 4])), ShapeError, "equal size"),
        (lambda: vt.einsum("ij,jk->ik", vt.eye(2)), ArgumentError, "2 operands"),
        (lambda: vt.einsum("ij->k", vt.eye(2)), ArgumentError, "'k' is in no operand"),
        (lambda: vt.einsum("ijk", vt.eye(2)), ShapeError, "3 labels"),
        (lambda: vt.einsum("ij,jk", vt.ones([2, 3]), vt.ones([2, 3])), ShapeError, "'j' is 3"),
        (lambda: vt.einsum("i1", vt.eye(2)), ArgumentError, "no label"),
        (lambda: vt.tensordot(vt.ones([2, 3]), vt.ones([2, 3]), 1), ShapeError, "differ"),
        (lambda: vt.histogramdd(vt.ones([3])), ShapeError, "samples"),
        (lambda: vt.histogramdd(vt.ones([3, 2]), weights=vt.ones([2])), AssertionError, "one weight"),
        (lambda: vt.histogramdd(vt.ones([3, 2]), [3.5, 2]), ArgumentError, "whole numbers"),
        (lambda: vt.histogramdd(vt.ones([3, 2]), density=1), KindError, "bool"),
        (lambda: vt.linalg.ormqr(vt.ones([4, 3]), vt.ones([3]), vt.ones([4, 4])), AssertionError, "doesn't fit Q"),
        (lambda: vt.linalg.ormqr(vt.ones([4, 3]), vt.ones([4]), vt.ones([3, 4])), AssertionError, "needs x"),
        (lambda: vt.linalg.ormqr(vt.eye(2), vt.ones([2], "float64"), vt.eye(2)), AssertionError, "one dtype"),
    ],
)  # fmt: skip
def test_mistakes_are_named(call: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        call()


def test_eigenvalues_come_in_the_order_of_the_transpose() -> None:
    wide = np.random.default_rng(0).random((6, 5, 5))
    found = vt.linalg.eigvals(vt.to_tensor(wide)).numpy()
    np.testing.assert_allclose(found, np.linalg.eigvals(np.swapaxes(wide, -1, -2)), rtol=1e-9)


BOTH: list[tuple[str, Any, Any, tuple[Any, ...]]] = [
    ("qr", lambda a: vt.linalg.qr(a)[0] ** 3, lambda torch, a: torch.linalg.qr(a)[0] ** 3, (T,)),
    ("pinv", vt.linalg.pinv, lambda torch, a: torch.linalg.pinv(a), (W,)),
    ("matrix_exp", vt.linalg.matrix_exp, lambda torch, a: torch.linalg.matrix_exp(a), (B,)),
    ("lstsq", lambda a, b: vt.linalg.lstsq(a, b)[0], lambda torch, a, b: torch.linalg.lstsq(a, b)[0], (T, T[:, :2] ** 2)),
    ("slogdet", lambda a: vt.linalg.slogdet(a)[1], lambda torch, a: torch.linalg.slogdet(a)[1], (B,)),
    ("lu", lambda a: vt.linalg.lu(a)[0], lambda torch, a: torch.linalg.lu_factor(a)[0], (B,)),
    ("nuc", lambda a: vt.linalg.matrix_norm(a, "nuc"), lambda torch, a: torch.linalg.matrix_norm(a, "nuc"), (T,)),
    ("cdist", vt.cdist, lambda torch, a, b: torch.cdist(a, b), (T, S)),
    ("eigvals", lambda a: vt.real(vt.linalg.eigvals(a)).sum(-1), lambda torch, a: torch.linalg.eigvals(a).real.sum(-1), (B,)),
    ("householder", vt.linalg.householder_product, lambda torch, a, t: torch.linalg.householder_product(a, t), (T, V)),
    ("einsum", lambda a, b: vt.einsum("bij,...jk->b...ik", a, b), lambda torch, a, b: torch.einsum("bij,...jk->b...ik", a, b), (B, B)),
]  # fmt: skip


@pytest.mark.parametrize(("ours", "theirs", "arrays"), [c[1:] for c in BOTH], ids=[c[0] for c in BOTH])
def test_values_and_gradients_are_torchs(ours: Any, theirs: Any, arrays: tuple[Any, ...]) -> None:
    torch = pytest.importorskip("torch")
    xs = [vt.to_tensor(a, stop_gradient=False) for a in arrays]
    ts = [torch.tensor(a, requires_grad=True) for a in arrays]
    y, t = ours(*xs), theirs(torch, *ts)
    np.testing.assert_allclose(y.numpy(), t.detach().numpy(), rtol=1e-9, atol=1e-11)
    (y * y).sum().backward()
    (t * t).sum().backward()
    for a, b in zip(xs, ts, strict=True):
        np.testing.assert_allclose(a.grad.numpy(), b.grad.numpy(), rtol=1e-8, atol=1e-9)


def zeros(*shape: int) -> Any:
    return vt.zeros(shape, "float64")


EMPTY: list[tuple[str, Any, list[int]]] = [
    ("inv", lambda: vt.linalg.inv(zeros(0, 2, 2)), [0, 2, 2]), ("inv of nothing", lambda: vt.linalg.inv(zeros(0, 0)), [0, 0]),
    ("det", lambda: vt.linalg.det(zeros(0, 2, 2)), [0]), ("det of nothing", lambda: vt.linalg.det(zeros(0, 0)), []),
    ("slogdet", lambda: vt.linalg.slogdet(zeros(0, 2, 2)), [2, 0]), ("svdvals", lambda: vt.linalg.svdvals(zeros(0, 3)), [0]),
    ("qr", lambda: vt.linalg.qr(zeros(0, 3))[1], [0, 3]), ("lu", lambda: vt.linalg.lu(zeros(0, 3))[0], [0, 3]),
    ("lu batch", lambda: vt.linalg.lu(zeros(0, 3, 3))[0], [0, 3, 3]), ("eigh", lambda: vt.linalg.eigh(zeros(0, 2, 2))[0], [0, 2]),
    ("eig", lambda: vt.linalg.eig(zeros(0, 2, 2))[1], [0, 2, 2]), ("solve", lambda: vt.linalg.solve(zeros(0, 2, 2), zeros(0, 2, 1)), [0, 2, 1]),
    ("cholesky", lambda: vt.linalg.cholesky(zeros(0, 2, 2)), [0, 2, 2]), ("pinv", lambda: vt.linalg.pinv(zeros(0, 3)), [3, 0]),
    ("exp", lambda: vt.linalg.matrix_exp(zeros(0, 0)), [0, 0]), ("norm", lambda: vt.norm(zeros(0, 3), axis=0), [3]),
    ("einsum", lambda: vt.einsum("ij,jk->ik", zeros(2, 0), zeros(0, 3)), [2, 3]), ("cdist", lambda: vt.cdist(zeros(0, 2), zeros(3, 2)), [0, 3]),
    ("pdist", lambda: vt.pdist(zeros(1, 2)), [0]), ("multi_dot", lambda: vt.linalg.multi_dot([zeros(2, 0), zeros(0, 3)]), [2, 3]),
    ("rank", lambda: vt.linalg.matrix_rank(zeros(0, 2, 2)), [0]), ("vecdot", lambda: vt.linalg.vecdot(zeros(2, 0), zeros(2, 0)), [2]),
    ("fft", lambda: vt.fft.fft(zeros(0, 4)), [0, 4]), ("frame", lambda: vt.signal.frame(zeros(0, 4), 2, 1), [0, 2, 3]),
]  # fmt: skip


@pytest.mark.parametrize(("make", "shape"), [e[1:] for e in EMPTY], ids=[e[0] for e in EMPTY])
def test_empty_matrices(make: Any, shape: list[int]) -> None:
    assert make().shape == shape


def test_what_has_no_gradient_says_so() -> None:
    x = vt.to_tensor(T, stop_gradient=False)
    with pytest.raises(GradientError, match="complete"):
        vt.linalg.qr(x, "complete")[0].sum().backward()
    with pytest.raises(GradientError, match="full_matrices"):
        vt.linalg.svd(x, True)[0].sum().backward()


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (2, 4, 3)])
def test_what_full_matrices_leave_unique_has_a_gradient(shape: tuple[int, ...]) -> None:
    def gradient(full: bool) -> Any:
        x = vt.to_tensor(np.random.default_rng(0).normal(size=shape), stop_gradient=False)
        u, values, vh = vt.linalg.svd(x, full)
        square = u if shape[-2] == 3 else vh  # the other one is larger than it need be
        ((square**2 * vt.arange(1, 4)).sum() + (values * vt.arange(1, 4)).sum()).backward()
        return x.grad.numpy()

    np.testing.assert_allclose(gradient(True), gradient(False), atol=1e-12)


def test_tolerances_of_matrix_rank() -> None:
    x = vt.to_tensor(np.diag([1.0, 0.5, 1e-9]))
    rank = vt.linalg.matrix_rank
    found = [int(rank(x, **t)) for t in ({}, {"atol": 0.6}, {"rtol": 0.4}, {"atol": 0.0}, {"atol": 0.6, "rtol": 0.4})]
    assert found == [3, 1, 2, 3, 1]
    assert rank(x, atol=vt.to_tensor([0.6, 0.0]).astype("float64")).tolist() == [1, 3]
    with pytest.raises(ValueError, match="can't be given with atol"):
        rank(x, tol=0.1, atol=0.1)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_near_singular_matrices_are_solved_by_elimination(dtype: str) -> None:
    """Numbers of hardly any condition: the answer is an exact one of a near matrix, as LAPACK's is."""
    hilbert = 1.0 / (np.arange(12)[:, None] + np.arange(12) + 1)
    for x in (hilbert, np.diag([1e-200, 1.0, 1e200]), np.stack([hilbert[:3, :3], np.eye(3) * 1e-30])):
        a = vt.to_tensor(x.astype(dtype if x.max() < 1e30 and x.max() > 0 else "float64"))
        y = vt.ones([a.shape[-1], 2], a.dtype)
        found = vt.linalg.solve(a, y)
        rest = np.abs(a.numpy().astype("float64") @ found.numpy() - 1).max()
        assert rest < 1e-3 * max(1.0, np.abs(found.numpy()).max() * (1e-4 if dtype == "float32" else 1e-9))


def test_a_triangle_is_singular_where_its_diagonal_is_zero() -> None:
    lower = np.tril(np.random.default_rng(0).standard_normal((9, 9))) * 10.0 ** np.arange(-4, 5)[:, None]
    y = vt.to_tensor(np.ones((9, 1)))
    found = vt.linalg.triangular_solve(vt.to_tensor(lower), y, upper=False).numpy()
    np.testing.assert_allclose(found, scipy.linalg.solve_triangular(lower, y.numpy(), lower=True), rtol=1e-9)
    lower[4, 4] = 0.0
    for upper, x in ((False, lower), (True, lower.T)):
        with pytest.raises(ArgumentError, match="Singular matrix"):
            vt.linalg.triangular_solve(vt.to_tensor(x), y, upper=upper)


def test_the_gradient_of_a_hermitian_matrix_is_hermitian() -> None:
    for given in (S + S.T, Z + Z.conj().T):
        x = vt.to_tensor(given, stop_gradient=False)
        w, v = vt.linalg.eigh(x)
        (w.sum() + (vt.abs(v) * vt.to_tensor(np.arange(float(v.size)).reshape(v.shape))).sum()).backward()
        np.testing.assert_allclose(x.grad.numpy(), x.grad.numpy().conj().T, atol=1e-12)
        assert np.abs(x.grad.numpy()).max() > 0.1

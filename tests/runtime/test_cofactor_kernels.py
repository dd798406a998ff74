"""Gradients of determinants: kernels by formula, by LAPACK's inverse and by both pivots, against known cofactors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.runtime.vm import lapack

needs_lapack = pytest.mark.skipif(not lapack.serves(), reason="scipy_openblas32 is not installed")
Array = np.ndarray[Any, Any]
TOLERANCE = {"float32": 2e-5, "float64": 1e-10}  # of the largest cofactor


def _slopes(x: Any) -> Any:
    x.stop_gradient = False
    return vt.grad(vt.linalg.det(x).sum(), x)[0]


def _known(values: Array, seed: int = 0) -> tuple[Array, Array]:
    """Matrices with these singular values [k, n], and their cofactors."""
    rng, (count, n) = np.random.default_rng(seed), values.shape
    left, right = (np.linalg.qr(rng.standard_normal((count, n, n))).Q for _ in range(2))
    others = np.stack([np.prod(np.delete(values, k, -1), -1) for k in range(n)], -1)
    sign = np.linalg.det(left) * np.linalg.det(right)
    return left * values[:, None] @ right, (sign[:, None, None] * left * others[:, None]) @ right


def _values(n: int, smallest: list[list[float]]) -> Array:
    """Singular values between 1/2 and 2 with product 1, but for the given ones of each matrix."""
    made = np.tile(np.exp2(np.linspace(-1, 1, n)), (len(smallest), 1))
    for line, given in zip(made, smallest, strict=True):
        line[: len(given)] = given
    return made


def _compare(found: Any, expected: Array, dtype: str) -> None:
    assert found.numpy().dtype == dtype
    size = np.abs(expected).max((-2, -1), keepdims=True)
    np.testing.assert_allclose(found.numpy() / size, expected / size, rtol=0, atol=TOLERANCE[dtype])


@needs_lapack
@pytest.mark.parametrize("dtype", list(TOLERANCE))
@pytest.mark.parametrize("n", [33, 64, 90])
def test_regular_and_nearly_singular_matrices(n: int, dtype: str) -> None:
    """The second is regular in float64 alone, the third in neither; the fourth is singular."""
    x, expected = _known(_values(n, [[], [2e-3], [1e-6], [0.0]]))
    given = vt.to_tensor(x.astype(dtype))
    compiled = vt.to_static(_slopes)
    found = compiled(given)
    chosen = slice(None) if dtype == "float64" else slice(2)  # rounding moves a small singular value
    _compare(found[chosen], expected[chosen], dtype)
    _compare(found, _slopes(given).numpy().astype("float64"), dtype)
    assert "host" not in compiled.dump("linearised")
    assert any("lapack_getri" in str(text) for text in compiled.kernels.values())


@needs_lapack
@pytest.mark.parametrize("dtype", list(TOLERANCE))
def test_cofactors_of_ranks(dtype: str) -> None:
    """Of rank n - 1 they are of rank one, of less rank they are 0."""
    x = np.zeros((3, 40, 40))
    x[0] = np.diag([*[2.0] * 20, *[0.5] * 19, 0.0])[np.r_[1:40, 0]]
    x[1] = np.diag([*[2.0] * 20, *[0.5] * 18, 0.0, 0.0])
    found = vt.to_static(_slopes)(vt.to_tensor(x.astype(dtype))).numpy()
    expected = np.zeros_like(x)
    expected[0, 38, 39] = -2.0
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=0)
    np.testing.assert_allclose(_slopes(vt.to_tensor(x.astype(dtype))).numpy(), expected, rtol=1e-5, atol=1e-14)


@needs_lapack
@pytest.mark.parametrize("dtype", list(TOLERANCE))
@pytest.mark.parametrize("lost", [0, 1])
def test_products_that_are_no_floats(lost: int, dtype: str) -> None:
    """Cofactors over- and underflow as the numbers they are, not as the determinant; zeros stay zeros."""
    n, most = 40, float(np.finfo(dtype).maxexp - 8)
    power = most / (n - 1)  # the cofactors fit, the determinant doesn't
    sizes = np.array([2.0**power, 2.0**-power, 2.0 ** (2 * power), 2.0 ** (-3 * power)]).astype(dtype)
    x = np.eye(n, dtype=dtype) * sizes[:, None, None]
    x[:, n - lost :, n - lost :] = 0
    expected = np.zeros_like(x)
    places = range(n) if lost == 0 else [n - 1]  # of a matrix with a zero on the diagonal one cofactor is left
    with np.errstate(all="ignore"):
        expected[:, places, places] = sizes[:, None] ** (n - 1)
    found = vt.to_static(_slopes)(vt.to_tensor(x)).numpy()
    np.testing.assert_allclose(found, expected, rtol=1e-3 if dtype == "float32" else 1e-10, atol=0)
    assert np.isfinite(found[:2]).all() and np.isinf(found[2, -1, -1]) and (found[3] == 0).all()


@pytest.mark.parametrize("dtype", list(TOLERANCE))
def test_missing_numbers_stay_in_their_matrices(dtype: str) -> None:
    for n in (2, 3, 5, 40):
        x, expected = _known(_values(n, [[], [], [0.0]]))
        x[1, 0, 1] = np.nan
        for function in (_slopes, vt.to_static(_slopes)):
            found = function(vt.to_tensor(x.astype(dtype)))
            assert np.isnan(found.numpy()[1]).any()
            _compare(found[::2], expected[::2], dtype)


@needs_lapack
def test_sizes_that_calls_choose() -> None:
    compiled = vt.to_static(_slopes, input_spec=[vt.InputSpec([None, "n", "n"], "float64")])
    for n in (40, 3, 1, 17, 35):
        x, expected = _known(_values(n, [[], [1e-7]]), n)
        _compare(compiled(vt.to_tensor(x)), expected, "float64")
    assert "1 program" in repr(compiled)


@needs_lapack
def test_many_matrices_are_split_among_threads() -> None:
    before = vt.get_num_threads()
    x, expected = _known(_values(40, [[1e-7] if k % 5 == 0 else [] for k in range(37)]))
    try:
        vt.set_num_threads(2)
        _compare(vt.to_static(_slopes)(vt.to_tensor(x)), expected, "float64")
    finally:
        vt.set_num_threads(before)


@pytest.mark.parametrize("dtype", list(TOLERANCE))
@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_rows_by_their_formula(n: int, dtype: str) -> None:
    """Eager mode computes the same, bit by bit."""
    x = np.random.default_rng(n).standard_normal((50, n, n)).astype(dtype)
    x[0], x[1, 0] = 0, np.nan
    compiled = vt.to_static(_slopes)
    np.testing.assert_array_equal(compiled(vt.to_tensor(x)).numpy(), _slopes(vt.to_tensor(x)).numpy())
    assert not any("local_" in str(text) for text in compiled.kernels.values())


@needs_lapack
def test_second_derivatives() -> None:
    x, _ = _known(_values(34, [[]]))
    way = np.random.default_rng(1).standard_normal(x.shape)

    def along(x: Any, way: Any) -> Any:
        x.stop_gradient = False
        first = vt.grad(vt.linalg.det(x).sum(), x, create_graph=True)[0]
        return vt.grad((first * way).sum(), x)[0]

    found = vt.to_static(along)(vt.to_tensor(x), vt.to_tensor(way)).numpy()
    ends = [_slopes(vt.to_tensor(x + s * way)).numpy() for s in (1e-6, -1e-6)]
    np.testing.assert_allclose(found, (ends[0] - ends[1]) / 2e-6, rtol=1e-5, atol=1e-5 * np.abs(found).max())

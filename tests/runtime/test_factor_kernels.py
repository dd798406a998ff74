"""QR, LU and cofactors of small matrices, and the most frequent element of a line: kernels against NumPy and eager mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt

Array = np.ndarray[Any, Any]
TOLERANCE = {"float32": 3e-4, "float64": 1e-11}
SHAPES = [(1, 1), (2, 2), (5, 3), (3, 5), (8, 8), (33, 4), (2, 40), (65, 65)]


def _runs_on_numpy(function: Any) -> bool:
    return "host" in function.dump("linearised")


def _matrices(m: int, n: int, dtype: str) -> Array:
    made = np.random.default_rng(m * 100 + n).standard_normal((3, m, n))
    made[1, m // 2 :] = 0  # of low rank
    made[2, :, 0] = np.abs(made[2, :, 0]) * -1
    return made.astype(dtype)


@pytest.mark.parametrize("dtype", list(TOLERANCE))
@pytest.mark.parametrize("mode", ["reduced", "complete"])
def test_qr(mode: str, dtype: str) -> None:
    for m, n in SHAPES:
        x = _matrices(m, n, dtype)
        compiled = vt.to_static(lambda x: vt.linalg.qr(x, mode))
        q, r = (v.numpy() for v in compiled(vt.to_tensor(x)))
        np.testing.assert_allclose(q @ r, x, atol=TOLERANCE[dtype] * m)
        np.testing.assert_allclose(np.swapaxes(q, 1, 2) @ q, np.broadcast_to(np.eye(q.shape[-1]), (3, *q.shape[-1:] * 2)),
                                   atol=TOLERANCE[dtype] * m)  # fmt: skip
        assert (r == np.triu(r)).all()
        alone = vt.to_static(lambda x: vt.linalg.qr(x, mode)[1])(vt.to_tensor(x))  # Q isn't made
        np.testing.assert_array_equal(alone.numpy(), r)
        expected = np.linalg.qr(x[[0, 2]], mode)  # of full rank: there is but one
        k = min(m, n)
        np.testing.assert_allclose(q[[0, 2], :, :k], expected.Q[..., :k], atol=TOLERANCE[dtype] * 10 * m)
        np.testing.assert_allclose(r[[0, 2]], expected.R, atol=TOLERANCE[dtype] * 10 * m)
        assert not _runs_on_numpy(compiled)
        assert ("lapack_" in "".join(map(str, compiled.kernels.values()))) == (m * max(n, q.shape[-1]) > 4096)


def test_qr_of_extreme_numbers() -> None:
    x = np.array([[1e30, 2.0], [3e30, 1.0], [2e-30, 1e-38]], np.float32)
    for scale in (np.float32(1), np.float32(1e-35)):
        q, r = vt.to_static(vt.linalg.qr)(vt.to_tensor(x * scale))
        assert np.isfinite(q.numpy()).all()
        np.testing.assert_allclose(q.numpy() @ r.numpy(), x * scale, rtol=1e-5, atol=float(scale) * 1e24)


@pytest.mark.parametrize("dtype", list(TOLERANCE))
def test_lu(dtype: str) -> None:
    for m, n in SHAPES:
        x = vt.to_tensor(_matrices(m, n, dtype))

        def factors(x: Any) -> Any:
            return vt.linalg.lu(x, get_infos=True)

        for found, expected in zip(vt.to_static(factors)(x), factors(x), strict=True):
            np.testing.assert_allclose(
                found.numpy(), expected.numpy(), atol=TOLERANCE[dtype] * m, rtol=TOLERANCE[dtype]
            )


def _by_minors(x: Array) -> Array:
    n = len(x)
    made = [[(-1) ** (i + j) * np.linalg.det(np.delete(np.delete(x, i, 0), j, 1)) for j in range(n)] for i in range(n)]
    return np.array(made)


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_gradients_of_determinants(lost: int) -> None:
    """Of regular matrices, singular ones, and those whose cofactors are all 0."""

    def gradient(x: Any) -> Any:
        x.stop_gradient = False
        return vt.grad(vt.linalg.det(x).sum(), x)[0]

    for n in (1, 2, 3, 6, 12):
        rng = np.random.default_rng(n)
        rank = max(n - lost, 0)
        x = (
            rng.standard_normal((4, n, rank)) @ rng.standard_normal((4, rank, n))
            if lost
            else rng.standard_normal((4, n, n))
        )
        expected = np.stack([_by_minors(m) for m in x])
        scale = max(1.0, float(np.abs(x).max()) ** n)
        for function in (gradient, vt.to_static(gradient)):
            made = function(vt.to_tensor(x)).numpy()
            np.testing.assert_allclose(made, expected, rtol=1e-6, atol=1e-9 * scale)


def test_most_frequent_elements() -> None:
    rng = np.random.default_rng(5)
    x = rng.integers(0, 4, (6, 9, 5))
    for dtype in ("float32", "float64", "int64", "int32"):
        given = x.astype(dtype)
        if dtype.startswith("float"):
            given[0, :6, 0], given[1, :, 1], given[2, 3, 2] = np.nan, np.nan, -0.0
        for axis in (0, 1, 2):

            def mode(x: Any, axis: int = axis) -> Any:
                return vt.mode(x, axis)

            for found, expected in zip(vt.to_static(mode)(vt.to_tensor(given)), mode(vt.to_tensor(given)), strict=True):
                np.testing.assert_array_equal(found.numpy(), expected.numpy())

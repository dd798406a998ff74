"""Kernels that call LAPACK: against eager mode, with its signs, pivots and errors, sizes known and open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ArgumentError
from vitrify.runtime.vm import lapack

pytestmark = pytest.mark.skipif(not lapack.serves(), reason="scipy_openblas32 is not installed")
Array = np.ndarray[Any, Any]
GENERATOR = np.random.default_rng(3)
TOLERANCE = {"float32": 2e-3, "float64": 1e-8}


def _spectrum(x: Any, letter: str) -> list[Any]:
    """What doesn't depend on the signs of the vectors, which rounding decides."""
    values, vectors = vt.linalg.eigh(x, UPLO=letter)
    turned = vt.transpose(vectors, [0, 2, 1])
    return [values, vectors * vt.unsqueeze(values, -2) @ turned, turned @ vectors]


def _singular(x: Any, full: bool) -> list[Any]:
    u, s, vh = vt.linalg.svd(x, full_matrices=full)
    k = s.shape[-1]
    product = u[..., :k] * vt.unsqueeze(s, -2) @ vh[..., :k, :]
    return [s, product, u @ vt.transpose(u, [0, 2, 1]), vt.transpose(vh, [0, 2, 1]) @ vh]


SQUARE: dict[str, Callable[[Any], Any]] = {
    "inv": lambda x: [vt.linalg.inv(x)],
    "det": lambda x: [vt.linalg.det(x / 9.0)],
    "slogdet": lambda x: [vt.linalg.slogdet(x)],
    "solve": lambda x: [vt.linalg.solve(x, x @ x + 1.0), vt.linalg.solve(x[0], x + 1.0)],
}


def _triangles(x: Any) -> list[Any]:
    """Of all forms; what isn't read is NaN. Many right sides: few are solved without LAPACK."""
    rest = vt.where(vt.triu(vt.ones_like(x), 1) > 0, float("nan"), 0.0 * x)
    sides, solve = vt.concat([x, x + 1.0, 2.0 * x, -x], -1), vt.linalg.triangular_solve
    lower, upper = x + rest, x + vt.transpose(rest, [0, 2, 1])
    found = [solve(lower, sides, upper=False, transpose=turned) for turned in (True, False)]
    found += [solve(upper, sides, upper=True, transpose=turned) for turned in (True, False)]
    found += [solve(x / 100.0, sides[0], upper=side, unitriangular=True) for side in (True, False)]
    return [*found, solve(x[0], sides, upper=False)]


DEFINITE: dict[str, Callable[[Any], Any]] = {
    "cholesky": lambda x: [vt.linalg.cholesky(x), vt.linalg.cholesky(x, upper=True)],
    "triangular_solve": _triangles,
    "eigh": lambda x: [*_spectrum(x, "L"), *_spectrum(x + vt.tril(x), "U"), vt.linalg.eigvalsh(x)],
}
ANY: dict[str, Callable[[Any], Any]] = {
    "qr": lambda x: [*vt.linalg.qr(x)],
    "r alone": lambda x: [vt.linalg.qr(x)[1]],
    "complete qr": lambda x: [*vt.linalg.qr(x, mode="complete")],
    "lu": lambda x: [*vt.linalg.lu(x, get_infos=True)],
    "svd": lambda x: [*_singular(x, False), vt.linalg.svdvals(x)],
    "svd with all vectors": lambda x: [*_singular(x, True)],
    "pinv": lambda x: [vt.linalg.pinv(x), vt.linalg.pinv(x, rcond=0.2), vt.linalg.lstsq(x, x[..., :2])[0]],
}


def _matrices(m: int, n: int, dtype: str, *, definite: bool = False) -> Array:
    made = GENERATOR.standard_normal((3, m, n))
    if m == n:
        made[1] = made[1][::-1]  # rows must be exchanged
    return (made @ np.swapaxes(made, 1, 2) + n * np.eye(n) if definite else made).astype(dtype)


def _compare(function: Callable[[Any], Any], x: Array, dtype: str, spec: Any = None) -> None:
    tensor = vt.to_tensor(x)
    compiled = vt.to_static(lambda x: function(x), input_spec=spec)
    for _ in range(2):
        for found, expected in zip(compiled(tensor), function(tensor), strict=True):
            assert found.shape == expected.shape and found.dtype == expected.dtype
            scale = max(1.0, float(np.abs(expected.numpy()).max()))
            np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=0, atol=TOLERANCE[dtype] * scale)
    assert np.array_equal(tensor.numpy(), x), "an operand is left as it is"
    assert any("lapack_" in str.__str__(text) for text in compiled.kernels.values())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", list(SQUARE))
def test_square_matrices(name: str, dtype: str) -> None:
    for n in (33, 70):
        _compare(SQUARE[name], _matrices(n, n, dtype), dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", list(DEFINITE))
def test_definite_matrices(name: str, dtype: str) -> None:
    _compare(DEFINITE[name], _matrices(70, 70, dtype, definite=True), dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", list(ANY))
def test_tall_and_wide_matrices(name: str, dtype: str) -> None:
    for m, n in ((97, 64), (64, 97), (80, 80)):
        _compare(ANY[name], _matrices(m, n, dtype), dtype)


@pytest.mark.parametrize("name", [*SQUARE, *DEFINITE])
def test_sizes_that_calls_choose(name: str) -> None:
    function = (SQUARE | DEFINITE)[name]
    spec = [vt.InputSpec([None, "n", "n"], "float64")]
    compiled = vt.to_static(lambda x: function(x), input_spec=spec)
    for n in (40, 3, 1, 17):
        x = vt.to_tensor(_matrices(n, n, "float64", definite=True))
        for found, expected in zip(compiled(x), function(x), strict=True):
            np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-7, atol=1e-7)
    assert "1 program" in repr(compiled)


def test_many_matrices_are_split_among_threads() -> None:
    before = vt.get_num_threads()
    x = GENERATOR.standard_normal((37, 40, 40)) + 40 * np.eye(40)
    try:
        vt.set_num_threads(2)
        found = vt.to_static(vt.linalg.inv)(vt.to_tensor(x))
    finally:
        vt.set_num_threads(before)
    np.testing.assert_allclose(found.numpy(), np.linalg.inv(x), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["inv", "solve", "cholesky", "triangular_solve"])
def test_errors_are_those_of_eager_mode(name: str) -> None:
    x = np.eye(40)
    x[7, 7] = -1.0 if name == "cholesky" else 0.0
    call: Callable[[Any], Any] = {
        "inv": vt.linalg.inv, "cholesky": vt.linalg.cholesky, "solve": lambda x: vt.linalg.solve(x, x),
        "triangular_solve": lambda x: vt.linalg.triangular_solve(x, x),
    }[name]  # fmt: skip
    compiled = vt.to_static(lambda x: call(x))
    compiled(vt.eye(40, dtype="float64"))
    with pytest.raises(ArgumentError) as eager:
        call(vt.to_tensor(x))
    with pytest.raises(ArgumentError) as found:
        compiled(vt.to_tensor(x))
    assert str(found.value).splitlines()[0] == str(eager.value).splitlines()[0]
    assert found.value.remedy == eager.value.remedy


def test_determinants_of_singular_matrices_and_missing_numbers() -> None:
    x = np.stack([np.zeros((40, 40)), np.full((40, 40), np.nan), 1e-10 * np.eye(40), -np.eye(40)[::-1]])

    def sizes(x: Any) -> Any:
        return vt.linalg.det(x), vt.linalg.slogdet(x)

    for a, b in zip(vt.to_static(sizes)(vt.to_tensor(x)), sizes(vt.to_tensor(x)), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-10)


def test_gradients() -> None:
    def gradients(x: Any) -> Any:
        made = vt.linalg.inv(x).sum() + vt.linalg.slogdet(x)[1].sum() + vt.linalg.eigh(x)[0].sum()
        return vt.grad(made + vt.linalg.cholesky(x).sum() + vt.linalg.svd(x)[1].sum(), [x])

    x = vt.to_tensor(_matrices(40, 40, "float64", definite=True), stop_gradient=False)
    (found,), (expected,) = vt.to_static(gradients)(x), gradients(x)
    np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-7, atol=1e-8)


def test_without_openblas_numpy_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lapack, "serves", lambda: False)
    compiled = vt.to_static(lambda x: vt.linalg.eigh(x)[0])
    x = vt.to_tensor(_matrices(35, 35, "float64", definite=True))
    np.testing.assert_allclose(compiled(x).numpy(), np.linalg.eigvalsh(x.numpy()), rtol=1e-9)
    assert not compiled.kernels


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_pseudo_inverses_of_matrices_of_low_rank(dtype: str) -> None:
    for m, n in ((40, 5), (3, 5), (5, 5), (1, 5)):
        x = _matrices(m, n, dtype)
        x[0, :, 1] = x[0, :, 0]
        x[1] = 0
        _compare(lambda x: [vt.linalg.pinv(x)], x, dtype)
        _compare(lambda x: [vt.linalg.pinv(x)], x, dtype, [vt.InputSpec([None, m, n], dtype)])

"""einsum where every axis of the result is one of both operands: sums of products, without a product of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt

EQUATIONS = [
    "ij,ij->i",
    "ij,ij->j",
    "ij,ji->i",
    "ij,ji->j",
    "nij,nij->n",
    "nij,jni->jn",
    "nij,nij->ni",
    "...i,...i->...",
]


def _given(equation: str, dtype: str, sizes: dict[str, int]) -> list[Any]:
    rng = np.random.default_rng(8)
    parts = equation.replace("...", "nj").split("->")[0].split(",")
    return [(rng.standard_normal([sizes[k] for k in part]) * 5).astype(dtype) for part in parts]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "complex128"])
@pytest.mark.parametrize("equation", EQUATIONS)
def test_dots(equation: str, dtype: str) -> None:
    given = _given(equation, dtype, {"n": 7, "i": 33, "j": 5})
    compiled = vt.to_static(lambda a, b: vt.einsum(equation, a, b))
    wanted = np.einsum(equation, *given)
    rtol = 5e-5 if dtype == "float32" else 1e-11
    for f in (compiled, lambda a, b: vt.einsum(equation, a, b)):
        made = f(*map(vt.to_tensor, given)).numpy()
        np.testing.assert_allclose(made, wanted, rtol=rtol, atol=rtol)
        assert made.dtype == wanted.dtype
    if dtype in ("float32", "float64"):
        assert "matmul" not in str(compiled.dump("after narrow_products"))


@pytest.mark.parametrize("equation", EQUATIONS)
@pytest.mark.parametrize("empty", ["n", "i", "j"])
def test_empty_dots(equation: str, empty: str) -> None:
    given = _given(equation, "float64", {"n": 3, "i": 4, "j": 2, empty: 0})
    made = vt.to_static(lambda a, b: vt.einsum(equation, a, b))(*map(vt.to_tensor, given)).numpy()
    np.testing.assert_array_equal(made, np.einsum(equation, *given))


def test_gradients_of_dots() -> None:
    def slopes(a: Any, b: Any) -> Any:
        return vt.grad(vt.einsum("nij,jni->jn", a, b).square().sum(), [a, b])

    a, b = _given("nij,jni->jn", "float64", {"n": 7, "i": 33, "j": 5})
    dots = 2 * np.einsum("nij,jni->jn", a, b)
    wanted = np.einsum("jn,jni->nij", dots, b), np.einsum("jn,nij->jni", dots, a)
    given = [vt.to_tensor(v, stop_gradient=False) for v in (a, b)]
    for made, value in zip(vt.to_static(slopes)(*given), wanted, strict=True):
        np.testing.assert_allclose(made.numpy(), value, rtol=1e-11, atol=1e-11)

"""Products of many short rows with a vector: sums for each row, in the kernel of what reads them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt


def _arrays(shape: tuple[int, ...], dtype: str) -> tuple[Any, Any]:
    rng = np.random.default_rng(4)
    return rng.standard_normal(shape).astype(dtype), rng.standard_normal(shape[-1]).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(1000, 3), (64, 8), (77, 2), (5, 30, 4), (65, 7), (1, 64, 5)])
def test_rows_of_few_numbers(shape: tuple[int, ...], dtype: str) -> None:
    x, y = _arrays(shape, dtype)
    compiled = vt.to_static(lambda x, y: vt.tanh(x @ y) * 2)
    made = compiled(vt.to_tensor(x), vt.to_tensor(y)).numpy()
    eps = 20 * np.finfo(dtype).eps
    np.testing.assert_allclose(made, np.tanh(x @ y) * 2, rtol=eps, atol=eps)
    assert made.dtype == x.dtype and made.shape == shape[:-1]
    assert "matmul" not in str(compiled.dump("after narrow_products"))
    assert len(list(compiled.kernels.items())) == 1


def test_infinities_and_nans_stay_in_their_rows() -> None:
    x, y = _arrays((100, 3), "float64")
    x[3, 1], x[5, 0], x[6] = np.inf, np.nan, [np.inf, -np.inf, 0]
    y[:] = [1, 2, 0.5]
    made = vt.to_static(lambda x, y: x @ y)(vt.to_tensor(x), vt.to_tensor(y)).numpy()
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(made, (x * y).sum(1), rtol=1e-14)


@pytest.mark.parametrize("shape", [(1000, 9), (63, 4), (1000, 1), (0, 4), (8, 3)])
def test_other_rows_stay_products(shape: tuple[int, int]) -> None:
    x, y = _arrays(shape, "float64")
    compiled = vt.to_static(lambda x, y: x @ y)
    np.testing.assert_allclose(compiled(vt.to_tensor(x), vt.to_tensor(y)).numpy(), x @ y, rtol=1e-12, atol=1e-14)
    assert "matmul" in str(compiled.dump("after narrow_products"))


def test_gradients() -> None:
    def slopes(x: Any, y: Any) -> Any:
        return vt.grad((x @ y).square().sum(), [x, y])

    given = [vt.to_tensor(a, stop_gradient=False) for a in _arrays((200, 3), "float64")]
    for made, wanted in zip(vt.to_static(slopes)(*given), slopes(*given), strict=True):
        np.testing.assert_allclose(made.numpy(), wanted.numpy(), rtol=1e-12, atol=1e-12)


DOTS = {
    "rows": lambda a, b: a[:, None] @ b[:, :, None],
    "transposed": lambda a, b: vt.matmul(a[:, :, None], b[:, None], transpose_x=True, transpose_y=True),
    "outer": lambda a, b: a[:, :, None] @ b[:, None],
    "transposed outer": lambda a, b: vt.matmul(a[:, None], b[:, :, None], transpose_x=True, transpose_y=True),
    "two batches": lambda a, b: (a.reshape([7, -1, 1, 5]) @ b.reshape([7, -1, 5, 1])).tanh(),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", DOTS)
def test_batches_of_dots_and_outer_products(name: str, dtype: str) -> None:
    def slopes(a: Any, b: Any) -> Any:
        made = DOTS[name](a, b)
        return made, *vt.grad(made.square().sum(), [a, b])

    rng = np.random.default_rng(5)
    given = [vt.to_tensor(rng.standard_normal((77, 5)).astype(dtype), stop_gradient=False) for _ in range(2)]
    compiled, eps = vt.to_static(slopes), 50 * np.finfo(dtype).eps
    for made, wanted in zip(compiled(*given), slopes(*given), strict=True):
        np.testing.assert_allclose(made.numpy(), wanted.numpy(), rtol=eps, atol=eps)
        assert made.shape == wanted.shape and made.dtype is wanted.dtype
    rest = str(compiled.dump("after narrow_products"))
    assert rest.count("matmul") == (2 if "outer" in name else 0)  # slopes of outer products: matrices times vectors


@pytest.mark.parametrize(
    "shapes", [((5, 0, 1, 3), (5, 0, 3, 1)), ((5, 1, 0), (5, 0, 1)), ((5, 1, 1, 3), (1, 4, 3, 1)), ((5, 1, 3), (3, 1))]
)
def test_other_batches_stay_products(shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    rng = np.random.default_rng(6)
    x, y = (rng.standard_normal(shape) for shape in shapes)
    compiled = vt.to_static(lambda x, y: x @ y)
    np.testing.assert_allclose(compiled(vt.to_tensor(x), vt.to_tensor(y)).numpy(), x @ y, rtol=1e-12, atol=1e-14)
    assert "matmul" in str(compiled.dump("after narrow_products"))


def test_dots_with_infinities_and_nans() -> None:
    rng = np.random.default_rng(7)
    a, b = rng.standard_normal((2, 9, 3))
    a[3, 1], a[5, 0], a[6], b[6] = np.inf, np.nan, [np.inf, -np.inf, 0], [1, 2, 0.5]
    made = vt.to_static(DOTS["rows"])(vt.to_tensor(a), vt.to_tensor(b)).numpy()
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(made[:, 0, 0], (a * b).sum(1), rtol=1e-14)

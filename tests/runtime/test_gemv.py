"""Products of one row with a small matrix: kernels of their own instead of calls of BLAS."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.target import current_target
from vitrify.runtime.schedule.program_steps import GemmStep, KernelStep

GENERATOR = np.random.default_rng(11)
SHAPES = [(64, 64), (64, 10), (1, 1), (7, 3), (100, 33), (3, 200), (1, 129), (130, 1), (128, 256), (5, 16)]


def steps_of(function: Any) -> list[Any]:
    (entry,) = function._entries()
    return list(entry.runner.executable.steps.steps)


def product_of(x: np.ndarray, y: np.ndarray, transposed: bool = False) -> tuple[np.ndarray, list[Any]]:
    compiled = vt.to_static(lambda x, y: vt.matmul(x, y, transpose_y=transposed))
    found = compiled(vt.to_tensor(x), vt.to_tensor(y)).numpy()
    return found, steps_of(compiled)


@pytest.mark.parametrize(("dtype", "bound"), [("float32", 2e-5), ("float64", 1e-13)])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("transposed", [False, True])
def test_values(shape: tuple[int, int], dtype: str, bound: float, transposed: bool) -> None:
    x = GENERATOR.standard_normal((1, shape[0])).astype(dtype)
    y = GENERATOR.standard_normal(shape).astype(dtype)
    found, steps = product_of(x, np.ascontiguousarray(y.T) if transposed else y, transposed)
    wanted = x.astype("float64") @ y.astype("float64")
    scale = np.abs(x).astype("float64") @ np.abs(y).astype("float64")
    assert (np.abs(found - wanted) <= bound * scale).all()
    assert [type(step) for step in steps] == [KernelStep]


def test_nothing_behind_the_arrays_is_read_or_written() -> None:
    """Rows that aren't whole vectors end where the memory ends."""
    memory = np.full(40 + 1, np.nan, "float32")
    for columns in (1, 3, 10, 15, 17):
        depth = 40 // columns
        y = memory[: depth * columns].reshape(depth, columns)
        y[:] = 1.0
        found, _ = product_of(np.ones((1, depth), "float32"), y)
        np.testing.assert_array_equal(found, np.full((1, columns), depth, "float32"))
        found, _ = product_of(np.ones((1, columns), "float32"), y, transposed=True)
        np.testing.assert_array_equal(found, np.full((1, depth), columns, "float32"))
        y[:] = np.nan


def test_not_a_number_and_infinity_come_through() -> None:
    x = np.array([[1.0, np.inf, 2.0]], "float32")
    y = np.array([[1.0, 0.0, np.nan], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]], "float32")
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(product_of(x, y)[0], x @ y)


@pytest.mark.parametrize(
    ("x", "y", "options"),
    [((2, 8), (8, 8), {}), ((2, 8), (8, 8), {"transpose_y": True}), ((8, 1), (8, 8), {"transpose_x": True}),
     ((1, 2, 8), (8, 8), {}), ((1, 256), (256, current_target().gemm.weights // 256 + 1), {})],
)  # fmt: skip
def test_other_products_are_calls_of_the_library(x: Any, y: Any, options: dict[str, bool]) -> None:
    arrays = [GENERATOR.standard_normal(s).astype("float32") for s in (x, y)]
    compiled = vt.to_static(lambda a, b: vt.matmul(a, b, **options))
    found = compiled(*map(vt.to_tensor, arrays)).numpy()
    np.testing.assert_allclose(found, vt.matmul(*map(vt.to_tensor, arrays), **options).numpy(), rtol=1e-4, atol=1e-4)
    assert any(isinstance(step, GemmStep) for step in steps_of(compiled))


def test_gradients_equal_eager_ones() -> None:
    def slope(function: Any) -> list[np.ndarray]:
        generator = np.random.default_rng(2)
        x, w = (vt.to_tensor(generator.standard_normal(s), stop_gradient=False) for s in ((1, 6), (6, 5)))
        function(x, w).backward()
        return [x.grad.numpy(), w.grad.numpy()]

    def loss(x: vt.Tensor, w: vt.Tensor) -> vt.Tensor:
        return vt.tanh(vt.matmul(x, w)).sum()

    for found, wanted in zip(slope(vt.to_static(loss)), slope(loss), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_a_network_on_one_row_calls_no_library() -> None:
    net = vt.nn.Sequential(vt.nn.Linear(64, 64), vt.nn.ReLU(), vt.nn.Linear(64, 10))
    net.eval()
    x = vt.to_tensor(GENERATOR.standard_normal((1, 64)).astype("float32"))
    with vt.no_grad():
        wanted = net(x).numpy()
        compiled = vt.to_static(net)
        np.testing.assert_allclose(compiled(x).numpy(), wanted, rtol=1e-4, atol=1e-5)
    assert [type(step) for step in steps_of(compiled.forward)] == [KernelStep] * 2  # bias and relu are in them


@pytest.mark.parametrize("columns", [10, 64, 129])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("transposed", [False, True])
def test_what_follows_a_row_is_in_its_kernel(columns: int, dtype: str, transposed: bool) -> None:
    x, bias, residual = (GENERATOR.standard_normal(s).astype(dtype) for s in ((1, 40), (columns,), (1, columns)))
    y = GENERATOR.standard_normal((columns, 40) if transposed else (40, columns)).astype(dtype)

    def layer(x: vt.Tensor, y: vt.Tensor, bias: vt.Tensor, residual: vt.Tensor) -> tuple[vt.Tensor, ...]:
        t = vt.matmul(x, y, transpose_y=transposed) + bias
        return t, vt.tanh(t) * residual, t > 100.0

    compiled, arguments = vt.to_static(layer), [vt.to_tensor(a) for a in (x, y, bias, residual)]
    for found, wanted in zip(compiled(*arguments), layer(*arguments), strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-4, atol=1e-4)
    assert [type(step) for step in steps_of(compiled)] == [KernelStep]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_of_several_sizes_share_a_kernel(dtype: str) -> None:
    sizes = [(100, 17), (17, 64), (64, 15), (15, 1), (1, 33), (33, 100)]
    generator = np.random.default_rng(3)
    weights = [vt.to_tensor(generator.standard_normal((o, i)).astype(dtype)) for i, o in sizes]

    def product(x: vt.Tensor, *weights: vt.Tensor) -> vt.Tensor:
        for weight in weights:
            x = vt.matmul(x, weight, transpose_y=True)
        return x

    compiled, x = vt.to_static(product), vt.to_tensor(generator.standard_normal((1, 100)).astype(dtype))
    wanted = product(x, *weights).numpy()
    tolerance = {"float32": 1e-5, "float64": 1e-13}[dtype] * float(np.abs(wanted).max())
    np.testing.assert_allclose(compiled(x, *weights).numpy(), wanted, rtol=0, atol=tolerance)
    assert any("gemv_transposed" in text and "(d0, d1," in text for text in map(str, compiled.kernels.values()))

"""Folds of many rows to few columns, by parts that threads share: against eager mode, with one thread and with two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

SHAPES = [(65536, 4), (70001, 3), (12345, 17), (2000, 125), (40, 1000, 6), (250003, 1)]
FUNCTIONS: dict[str, Callable[[Any, list[int]], Any]] = {
    "sum": lambda x, axes: vt.sum(x * 2 + 1, axes),
    "largest and smallest": lambda x, axes: (vt.max(x, axes), vt.min(x, axes)),
    "deviation": lambda x, axes: vt.std(x, axes),
    "normalised": lambda x, axes: (x - vt.mean(x, axes, keepdim=True)) / (vt.std(x, axes, keepdim=True) + 1e-3),
    "what is folded, too": lambda x, axes: (vt.exp(x), vt.sum(vt.exp(x), axes), vt.sum(x, axes) * 3 + 1),
    "logarithm of a sum": lambda x, axes: vt.logsumexp(x, axes),
    "flags": lambda x, axes: (vt.any(x > 4.5, axes), vt.all(x > -4.5, axes), vt.sum((x > 0).astype("int64"), axes)),
    "scaled": lambda x, axes: vt.sum(x * vt.arange(x.shape[-1], dtype=x.dtype), axes),
}


def _results(made: Any) -> list[Any]:
    return list(made) if isinstance(made, tuple) else [made]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_in_eager_mode(name: str, threads_of_two: None) -> None:
    for number, shape in enumerate(SHAPES):
        axes, dtype = list(range(len(shape) - 1)), ("float32", "float64")[number % 2]

        def folded(x: Any, axes: list[int] = axes) -> Any:
            return FUNCTIONS[name](x, axes)

        x = vt.to_tensor(np.random.default_rng(1).standard_normal(shape).astype(dtype))
        compiled = vt.to_static(folded)
        bound = 2e-4 if dtype == "float32" else 1e-11
        shared = _results(compiled(x))
        for a, b in zip(shared, _results(folded(x)), strict=True):
            assert a.dtype == b.dtype
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=bound, atol=bound * float(np.abs(b.numpy()).max()))
        vt.set_num_threads(1)
        for a, b in zip(shared, _results(compiled(x)), strict=True):
            assert np.array_equal(a.numpy(), b.numpy()), "bits depend on threads"
        vt.set_num_threads(2)


@pytest.fixture
def threads_of_two() -> Any:
    before = vt.get_num_threads()
    vt.set_num_threads(2)
    yield
    vt.set_num_threads(before)


def test_parts_have_a_kernel_and_their_table_another() -> None:
    compiled = vt.to_static(lambda x: (x.sum(0), (x * 0.5).sum(0) + 1))
    compiled(vt.ones([65536, 8]))
    text = str(compiled.kernels)
    assert "begin = r *" in text
    assert text.count("def body") == 2


@pytest.mark.parametrize("shape", [(1000, 8), (65536, 500), (8, 65536)], ids=["few rows", "wide", "kept first"])
def test_where_one_kernel_is_as_good(shape: tuple[int, int]) -> None:
    compiled = vt.to_static(lambda x: x.sum(0 if shape != (8, 65536) else 1))
    x = vt.to_tensor(np.random.default_rng(0).standard_normal(shape))
    np.testing.assert_allclose(
        compiled(x).numpy(), x.numpy().sum(0 if shape != (8, 65536) else 1), rtol=1e-9, atol=1e-9
    )
    assert "begin = r *" not in str(compiled.kernels)


def test_one_element_and_none() -> None:
    compiled = vt.to_static(lambda x: (x.std(0, unbiased=False), x.sum(0)))
    for shape in ((1,), (1, 1), (300000, 1)):
        assert not compiled(vt.ones(shape))[0].numpy().any()
    assert vt.to_static(lambda x: x.sum(0))(vt.ones([300000, 0])).shape == [0]


def test_integers_complex_and_special_numbers() -> None:
    rng = np.random.default_rng(3)
    whole = rng.integers(-50, 50, (30001, 7))
    compiled = vt.to_static(lambda x: (x.sum(0), x.max(0), x.min(0)))
    for dtype in ("int64", "int32", "int8"):
        x = whole.astype(dtype)
        total, most, least = compiled(vt.to_tensor(x))
        assert np.array_equal(total.numpy(), x.astype("int64").sum(0))
        assert np.array_equal(most.numpy(), x.max(0))
        assert np.array_equal(least.numpy(), x.min(0))
    z = rng.standard_normal((40000, 6)) + 1j * rng.standard_normal((40000, 6))
    np.testing.assert_allclose(vt.to_static(lambda x: x.sum(0))(vt.to_tensor(z)).numpy(), z.sum(0), rtol=1e-10)
    x = rng.standard_normal((50000, 5)).astype("float32")
    x[12345, 2], x[7, 3] = np.nan, np.inf
    most, total = vt.to_static(lambda x: (x.max(0), x.sum(0)))(vt.to_tensor(x))
    assert np.isnan(most.numpy()).tolist() == [False, False, True, False, False]
    assert np.isinf(total.numpy()).tolist() == [False, False, False, True, False]


def test_gradients_of_norms_over_the_first_axis(threads_of_two: None) -> None:
    def norm(x: Any, scale: Any) -> Any:
        return (x - x.mean(0)) * vt.rsqrt(vt.var(x, 0, unbiased=False) + 1e-5) * scale

    def gradients(x: Any, scale: Any, g: Any) -> Any:
        return vt.grad(norm(x, scale), [x, scale], g)

    rng = np.random.default_rng(5)
    arrays = [rng.standard_normal(shape) for shape in ((30000, 9), (9,), (30000, 9))]
    inputs = [vt.to_tensor(a) for a in arrays]
    inputs[0].stop_gradient = inputs[1].stop_gradient = False
    for a, b in zip(vt.to_static(gradients)(*inputs), gradients(*inputs), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-9, atol=1e-11)


def test_folds_of_all_elements_of_what_is_read_again(threads_of_two: None) -> None:
    """The deviations go into the sum and into the result: they are computed in equal parts for the sum."""

    def shares(x: Any) -> Any:
        e = vt.exp(x - x.max())
        return e / e.sum(), vt.var(x)

    x = vt.to_tensor(np.random.default_rng(6).standard_normal((60000, 5)))
    compiled = vt.to_static(shares)
    for a, b in zip(compiled(x), shares(x), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-10)
    assert "range(0, 300000" not in str(compiled.kernels)

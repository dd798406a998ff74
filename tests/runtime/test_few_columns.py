"""Reductions down a few columns, whose rows are walked side by side, against eager mode: any number of rows, kept axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

SHAPES: list[tuple[tuple[int, ...], list[int]]] = [
    ((100, 7, 3), [0, 1]), ((333, 3), [0]), ((5, 400, 3), [1]), ((1000, 16), [0]), ((1003, 5), [0]), ((129, 2, 2), [0]),
    ((700, 1, 3), [0]), ((2, 300, 2, 1), [1]), ((0, 3), [0]), ((3, 8), [0]), ((3, 0), [0]), ((2, 40, 0), [1]),
    ((20, 60, 5), [1]), ((7, 13, 9), [1]), ((50, 3, 13), [1]), ((600, 11), [0]), ((4, 1, 7), [1]), ((9, 5, 3, 2, 7), [1, 3]),
]  # fmt: skip
FUNCTIONS: dict[str, Callable[[Any, list[int]], Any]] = {
    "sum": lambda x, axes: vt.sum(x * 2 + 1, axes),
    "largest and smallest": lambda x, axes: (vt.max(x, axes), vt.min(x, axes)),
    "product": lambda x, axes: vt.prod(x / 3, axes),
    "deviation": lambda x, axes: vt.std(x, axes),
    "normalised": lambda x, axes: (x - vt.mean(x, axes, keepdim=True)) / (vt.std(x, axes, keepdim=True) + 1e-3),
    "logarithm of a sum": lambda x, axes: vt.logsumexp(x, axes),
    "count": lambda x, axes: vt.sum(vt.cast(x > 0, "int64"), axes),
    "any": lambda x, axes: vt.any(x > 2.5, axes),
    "scaled": lambda x, axes: vt.sum(x * vt.arange(x.shape[-1], dtype=x.dtype) * x.mean(), axes),
}


@pytest.mark.parametrize("symbolic", [False, True], ids=["known", "symbolic"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_in_eager_mode(name: str, dtype: str, symbolic: bool) -> None:
    """Every third shape, or sixth, each function others: each shape meets three functions where all is known."""
    first, step = list(FUNCTIONS).index(name), 3 if dtype == "float32" and not symbolic else 6
    for shape, axes in SHAPES[(first + symbolic) % step :: step]:

        def reduced(x: Any, axes: list[int] = axes) -> Any:
            return FUNCTIONS[name](x, axes)

        if 0 in (shape[k] for k in axes) and name not in ("sum", "product", "count", "any", "scaled"):
            continue
        x = vt.to_tensor(np.random.default_rng(1).standard_normal(shape).astype(dtype))
        spec = [vt.InputSpec([None if symbolic and k in axes else d for k, d in enumerate(shape)], dtype)]
        found, expected = vt.to_static(reduced, input_spec=spec)(x), reduced(x)
        pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
        for a, b in pairs:
            assert a.dtype == b.dtype
            bound = 2e-5 if dtype == "float32" else 1e-12
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=bound, atol=bound)


def test_special_values_and_integers_that_wrap_around() -> None:
    x = np.random.default_rng(2).standard_normal((500, 3)).astype("float32")
    x[3, 1], x[7, 2], x[8, 0], x[499, 0] = np.nan, -np.inf, np.inf, -np.inf
    for reduced in (lambda x: vt.sum(x, 0), lambda x: vt.max(x, 0), lambda x: vt.min(x, 0)):
        np.testing.assert_array_equal(vt.to_static(reduced)(vt.to_tensor(x)).numpy(), reduced(vt.to_tensor(x)).numpy())
    large = np.full((500, 3), 2**62 + 1, np.int64)
    found = vt.to_static(lambda x: vt.sum(x, 0))(vt.to_tensor(large))
    np.testing.assert_array_equal(found.numpy(), large.sum(0))


def test_sums_are_taken_in_runs_of_rows() -> None:
    compiled = vt.to_static(lambda x: vt.sum(x, 0), input_spec=[vt.InputSpec([1000, 3], "float32")])
    (kernel,) = compiled.kernels.values()
    assert "fast_add" in str(kernel)
    assert "start = j0 * 3" in str(kernel)


@pytest.mark.parametrize("columns", [3, 5, 7, 9, 11, 13, 15])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_columns_that_fill_no_vectors_have_a_number_each(columns: int, dtype: str) -> None:
    x = (9 * np.random.default_rng(3).standard_normal((40, 30, columns))).astype(dtype)
    weights = (9 * np.random.default_rng(4).standard_normal((30, 1))).astype(dtype)

    def reduced(x: Any, w: Any) -> Any:
        return vt.sum(x * w, 1), vt.max(x, 1), x - vt.min(x, 1, keepdim=True)

    compiled = vt.to_static(reduced)
    found = compiled(vt.to_tensor(x), vt.to_tensor(weights))
    expected = reduced(vt.to_tensor(x), vt.to_tensor(weights))
    bound = {"float32": 2e-3, "float64": 1e-11, "int64": 0}[dtype]
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=0, atol=bound)
    assert any(f"c0[{columns - 1}]" in str(kernel) for kernel in compiled.kernels.values())

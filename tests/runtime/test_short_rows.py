"""Reductions along rows of few elements, which are written out, against eager mode and NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

SHAPES: list[tuple[tuple[int, ...], list[int]]] = [
    ((300, 5), [1]), ((2000, 12), [1]), ((1500, 16), [1]), ((70, 19, 3), [2]), ((9, 21, 2, 2), [2, 3]),
    ((4, 37, 2, 5, 2), [2, 4]), ((100, 3, 7), [2]), ((64, 2), [1]), ((63, 2), [1]), ((130, 1, 4), [1, 2]),
]  # fmt: skip
FUNCTIONS: dict[str, Callable[[Any, list[int]], Any]] = {
    "sum": lambda x, axes: vt.sum(x * 2 + 1, axes),
    "largest and smallest": lambda x, axes: (vt.max(x, axes), vt.min(x, axes)),
    "product": lambda x, axes: vt.prod(x / 3, axes),
    "normalised": lambda x, axes: (x - vt.mean(x, axes, keepdim=True)) / (vt.std(x, axes, keepdim=True) + 1e-3),
    "logarithm of a sum": lambda x, axes: vt.logsumexp(x, axes),
    "shares": lambda x, axes: vt.exp(x - vt.logsumexp(x, axes, keepdim=True)),
    "length, and what is left": lambda x, axes: (vt.log((x * x).sum(axes) + 1e-6), x * (x * x).sum(axes, keepdim=True)),
    "count": lambda x, axes: vt.sum(vt.cast(x > 0, "int64"), axes),
    "any and all": lambda x, axes: (vt.any(x > 2.5, axes), vt.all(x > -2.5, axes)),
    "scaled": lambda x, axes: vt.sum(x * vt.arange(x.shape[-1], dtype=x.dtype) * x.mean(), axes),
}


@pytest.mark.parametrize("symbolic", [False, True], ids=["known", "symbolic"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_in_eager_mode(name: str, dtype: str, symbolic: bool) -> None:
    for shape, axes in SHAPES:

        def reduced(x: Any, axes: list[int] = axes) -> Any:
            return FUNCTIONS[name](x, axes)

        x = vt.to_tensor(np.random.default_rng(1).standard_normal(shape).astype(dtype))
        spec = [vt.InputSpec([d if not symbolic or k in axes else None for k, d in enumerate(shape)], dtype)]
        found, expected = vt.to_static(reduced, input_spec=spec)(x), reduced(x)
        pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
        for a, b in pairs:
            assert a.dtype == b.dtype
            bound = 2e-5 if dtype == "float32" else 1e-12
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=bound, atol=bound)


def test_special_values_and_integers_that_wrap_around() -> None:
    x = np.random.default_rng(2).standard_normal((500, 3)).astype("float32")
    x[3, 1], x[7, 2], x[8, 0], x[499, 0] = np.nan, -np.inf, np.inf, -np.inf
    x[20] = -np.inf
    for reduced in (
        lambda x: vt.sum(x, 1),
        lambda x: vt.max(x, 1),
        lambda x: vt.min(x, 1),
        lambda x: vt.logsumexp(x, 1),
    ):
        with np.errstate(all="ignore"):
            expected = reduced(vt.to_tensor(x)).numpy()
        np.testing.assert_allclose(vt.to_static(reduced)(vt.to_tensor(x)).numpy(), expected, rtol=1e-6)
    large = np.full((500, 3), 2**62 + 1, np.int64)
    found = vt.to_static(lambda x: vt.sum(x, 1))(vt.to_tensor(large))
    np.testing.assert_array_equal(found.numpy(), large.sum(1))


def test_distances_between_points_are_a_loop_of_vectors() -> None:
    """The second axis has a loop of its own: nothing is divided to find a place."""
    p, q = np.random.default_rng(3).standard_normal((2, 200, 3))

    def near(p: Any, q: Any) -> Any:
        away = p[:, None] - q
        return vt.exp(-(away * away).sum(2))

    compiled = vt.to_static(near)
    found = compiled(vt.to_tensor(p), vt.to_tensor(q)).numpy()
    np.testing.assert_allclose(found, np.exp(-((p[:, None] - q) ** 2).sum(2)), rtol=1e-13)
    (kernel,) = compiled.kernels.values()
    assert "%" not in str(kernel)
    assert "for i in range(200):" in str(kernel)


@pytest.mark.parametrize("turned", [False, True], ids=["own row", "turned row"])
def test_results_in_the_memory_of_what_they_are_made_of(turned: bool) -> None:
    """A row is read before any of it is written, also where it is read in another order."""
    x = np.random.default_rng(4).standard_normal((400, 4)).astype("float32")

    def shares(x: Any) -> Any:
        y = x + 1.0
        e = vt.exp(y - y.max(1, keepdim=True))
        e = vt.flip(e, [1]) if turned else e
        z = e / e.sum(1, keepdim=True) + y
        return z * z.sum(1, keepdim=True)

    found = vt.to_static(shares)(vt.to_tensor(x)).numpy()
    np.testing.assert_allclose(found, shares(vt.to_tensor(x)).numpy(), rtol=1e-5)


def test_gradients() -> None:
    x = np.random.default_rng(5).standard_normal((1100, 5))

    def slopes(x: Any) -> Any:
        x.stop_gradient = False
        return vt.grad((vt.logsumexp(x, 1) ** 2).sum(), x)[0]

    found = vt.to_static(slopes)(vt.to_tensor(x)).numpy()
    total = np.log(np.exp(x).sum(1, keepdims=True))
    np.testing.assert_allclose(found, 2 * total * np.exp(x - total), rtol=1e-12)


def test_long_rows_and_few_of_them_are_loops() -> None:
    for shape in ((300, 40), (20, 5)):
        compiled = vt.to_static(lambda x: vt.logsumexp(x, 1), input_spec=[vt.InputSpec(shape, "float32")])
        (kernel,) = compiled.kernels.values()
        assert "for j0 in range" in str(kernel)

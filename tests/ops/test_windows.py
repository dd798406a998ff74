"""Windows along an axis (`unfold`): values and gradients, eager beside compiled, and what reads them in one kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

CASES = [
    ((9,), 0, 4, 2), ((200,), 0, 20, 1), ((70, 90), 1, 8, 1), ((70, 90), 0, 10, 1), ((3, 150), 1, 60, 1), ((3, 300), -1, 200, 3),
    ((5, 6, 90), 1, 3, 1), ((5, 90, 3), 1, 7, 4), ((40,), 0, 40, 1), ((40,), 0, 1, 1), ((41,), 0, 3, 7), ((7, 0), 0, 3, 1),
    ((6, 33), 1, 0, 2),
]  # fmt: skip


def _sample(shape: tuple[int, ...], dtype: str) -> np.ndarray[Any, Any]:
    x = (np.random.default_rng(5).standard_normal(shape) * 9).astype(dtype)
    if dtype.startswith("float"):
        flat = x.reshape(-1)
        flat[: min(flat.size, 3)] = [np.nan, -np.inf, -0.0][: min(flat.size, 3)]
    return x


def _wanted(x: np.ndarray[Any, Any], axis: int, size: int, step: int) -> np.ndarray[Any, Any]:
    at = axis % x.ndim
    places = np.arange(0, x.shape[at] - size + 1, step)[:, None] + np.arange(size)
    return np.moveaxis(np.take(x, places, at), at + 1, -1)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "complex128"])
@pytest.mark.parametrize("case", CASES)
def test_values(case: Any, dtype: str) -> None:
    shape, *how = case
    x = _sample(shape, dtype)
    fn = vt.to_static(lambda x: vt.unfold(x, *how) * 2)
    np.testing.assert_array_equal(fn(vt.to_tensor(x)).numpy(), _wanted(x, *how) * 2)
    np.testing.assert_array_equal(vt.unfold(vt.to_tensor(x), *how).numpy(), _wanted(x, *how))


READERS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda w: w.sum(-1), "max": lambda w: w.max(-1), "min": lambda w: w.min(-1, keepdim=True), "prod": lambda w: w.prod(-1),
    "std": lambda w: w.std(-1), "softmax": lambda w: vt.nn.functional.softmax(w, -1),
    "weights": lambda w: (w * vt.arange(w.shape[-1], dtype=w.dtype)).sum(-1), "middle": lambda w: w.mean(0),
    "any": lambda w: (w > 1).any(-1), "products": lambda w: w @ vt.ones([w.shape[-1], 2], w.dtype),
}  # fmt: skip


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("case", CASES[:11])
def test_what_reads_windows(case: Any, name: str) -> None:
    shape, *how = case
    x = np.random.default_rng(5).standard_normal(shape)
    fn = lambda x: READERS[name](vt.unfold(vt.exp(x * 0.1), *how))  # noqa: E731
    made = vt.to_static(fn)(vt.to_tensor(x))
    np.testing.assert_allclose(made.numpy(), fn(vt.to_tensor(x)).numpy(), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("case", CASES[:12])
def test_gradients_add_up_what_overlaps(case: Any) -> None:
    shape, *how = case
    x = np.random.default_rng(5).standard_normal(shape)
    weight = np.cos(np.arange(_wanted(x, *how).size)).reshape(_wanted(x, *how).shape)
    wanted = np.zeros(x.size)
    np.add.at(wanted, _wanted(np.arange(x.size).reshape(shape), *how), weight)

    def slope(x: Any, w: Any) -> Any:
        return vt.grad((vt.unfold(x, *how) * w).sum(), [x])[0]

    given = vt.to_tensor(x, stop_gradient=False), vt.to_tensor(weight)
    for fn in (slope, vt.to_static(slope)):
        np.testing.assert_allclose(fn(*given).numpy(), wanted.reshape(shape), rtol=1e-12, atol=1e-12)


def test_windows_and_their_reduction_are_one_kernel() -> None:
    mean = vt.to_static(lambda x: vt.unfold(x, 1, 20, 1).mean(-1))
    mean(vt.to_tensor(_sample((30, 400), "float64")))
    assert len(list(mean.kernels.items())) == 1


def test_what_long_windows_overlap_is_computed_once() -> None:
    long, short = (vt.to_static(lambda x, size=size: vt.unfold(x + 1, 1, size, 1).mean(-1)) for size in (20, 2))
    for fn, kernels in ((long, 2), (short, 1)):
        fn(vt.to_tensor(_sample((30, 400), "float64")))
        assert len(list(fn.kernels.items())) == kernels

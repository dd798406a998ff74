"""What a mask picks, compiled as work on all elements: as eager mode, with gradients; and what is left as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

Array = np.ndarray[Any, Any]
NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda x, m: x[m].sum(),
    "mean": lambda x, m: (vt.sqrt(x[m]) * 2.0).mean(),
    "keepdim": lambda x, m: x[m].mean(keepdim=True),
    "two of one mask": lambda x, m: (x[m] * (x + 1.0)[m]).sum() / x[m].sum(),
    "variance": lambda x, m: ((x[m] - x[m].mean()) ** 2).mean(),
    "any": lambda x, m: (x[m] > 0.9).any(),
    "all": lambda x, m: (x[m] > -1.0).all(),
    "product": lambda x, m: (x[m] + 0.5).prod(),
    "count": lambda x, m: vt.to_tensor(x[m].shape[0]) * 2,
    "loss": lambda x, m: vt.nn.functional.mse_loss(x[m], (x * 0.5)[m]),
}


def _input(dtype: str = "float32") -> tuple[Array, Array]:
    x = np.random.default_rng(1).random((7, 9)).astype(dtype)
    return x, x > 0.3


def _runs_on_numpy(function: Any) -> bool:
    return any(word in function.dump("linearised") for word in ("interpreter", "piece", "host"))


def _picks(function: Any) -> bool:
    """Whether what the mask picks is an array of its own, whose size only a run knows."""
    return "picked" in function.dump("linearised") or _runs_on_numpy(function)


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_numbers_of_what_a_mask_picks(name: str, dtype: str) -> None:
    x, m = _input(dtype)
    compiled = vt.to_static(NUMBERS[name])
    for mask in (m, ~m, m & False, m | True):
        given = x.copy()
        given[~mask] = np.nan if name not in ("any", "count") else -1.0  # what isn't picked doesn't matter
        expected = np.asarray(NUMBERS[name](vt.to_tensor(given), vt.to_tensor(mask)))
        made = np.asarray(compiled(vt.to_tensor(given), vt.to_tensor(mask)))
        assert made.shape == expected.shape and made.dtype == expected.dtype
        np.testing.assert_allclose(made, expected, 1e-5 if dtype == "float32" else 1e-12)
    assert not _picks(compiled)


@pytest.mark.parametrize("name", ["sum", "mean", "two of one mask", "variance", "product"])
@pytest.mark.parametrize("inside", [True, False])
def test_gradients(name: str, inside: bool) -> None:
    x, m = _input("float64")
    given = x.copy()
    given[~m] = 0.0  # sqrt has no finite slope there

    def gradient(x: Any, m: Any) -> Any:
        x.stop_gradient = False
        return vt.grad(NUMBERS[name](x, m), x)[0]

    expected = gradient(vt.to_tensor(given), vt.to_tensor(m)).numpy()
    if inside:
        compiled = vt.to_static(gradient)
        made = compiled(vt.to_tensor(given), vt.to_tensor(m)).numpy()
        assert not _runs_on_numpy(compiled)
    else:
        leaf = vt.to_tensor(given, stop_gradient=False)
        vt.to_static(NUMBERS[name])(leaf, vt.to_tensor(m)).backward()
        made = leaf.grad.numpy()
    np.testing.assert_allclose(made, expected, 1e-10)
    assert np.isfinite(made).all()


def test_in_a_loop() -> None:
    def walked(x: Any, m: Any) -> Any:
        for _ in range(3):
            x = x * 0.9 + x[m].mean()
        return x

    x, m = map(vt.to_tensor, _input())
    np.testing.assert_allclose(vt.to_static(walked)(x, m).numpy(), walked(x, m).numpy(), 1e-5)


LEFT: dict[str, Callable[[Any, Any], Any]] = {
    "elements themselves": lambda x, m: x[m] * 2.0,
    "largest": lambda x, m: x[m].max(),  # of no elements an error
    "order": lambda x, m: vt.sort(x[m]).sum(),
    "whole powers": lambda x, m: (x[m].astype("int64") ** x[m].astype("int64")).sum(),
    "two masks": lambda x, m: vt.masked_scatter(x, ~m, x[m]).sum(),
}


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_as_it_was(name: str) -> None:
    x, m = _input()
    m[:] = np.arange(9) % 2 == 0  # more are picked than left out
    compiled = vt.to_static(LEFT[name])
    given = vt.to_tensor(x), vt.to_tensor(m)
    np.testing.assert_allclose(compiled(*given).numpy(), LEFT[name](*given).numpy(), 1e-5)
    assert _picks(compiled)


def test_fewer_values_than_places_are_refused() -> None:
    def put(x: Any, m: Any, n: Any) -> Any:
        return vt.masked_scatter(x, m, vt.full([n], 2.0))

    x, m = map(vt.to_tensor, _input())
    compiled = vt.to_static(put)
    np.testing.assert_array_equal(compiled(x, m, vt.to_tensor(63)).numpy(), put(x, m, 63).numpy())
    with pytest.raises(ValueError, match="masked_scatter"):
        compiled(x, m, vt.to_tensor(3))

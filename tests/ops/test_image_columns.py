"""Columns of images (`unfold`): values and gradients, eager beside compiled, open sizes, and what reads them in one kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt

F = vt.nn.functional
CASES = [
    ((2, 3, 6, 7), 3, 1, 0, 1), ((2, 8, 9, 32), 3, 1, 1, 1), ((1, 2, 9, 11), (3, 2), (2, 3), (1, 0), 1), ((1, 1, 5, 5), (5, 5), 1, 0, 1),
    ((2, 2, 12, 10), (3, 2), (1, 2), 2, (2, 3)), ((1, 3, 7, 8), 1, (3, 2), 0, 1), ((2, 1, 8, 8), (2, 4), (2, 4), 0, 1),
]  # fmt: skip


def _pairs(case: Any) -> list[tuple[int, int]]:
    return [(p, p) if isinstance(p, int) else p for p in case[1:]]


def _wanted(x: np.ndarray[Any, Any], case: Any) -> np.ndarray[Any, Any]:
    (kh, kw), (sh, sw), (top, left), (dh, dw) = _pairs(case)
    x = np.pad(x, ((0, 0), (0, 0), (top, top), (left, left)))
    high, wide = x.shape[2] - (kh - 1) * dh, x.shape[3] - (kw - 1) * dw
    parts = [x[:, :, i * dh : i * dh + high : sh, j * dw : j * dw + wide : sw] for i in range(kh) for j in range(kw)]
    return np.stack(parts, 2).reshape(x.shape[0], x.shape[1] * kh * kw, -1)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "complex128"])
@pytest.mark.parametrize("case", CASES)
def test_values(case: Any, dtype: str) -> None:
    x = (np.random.default_rng(5).standard_normal(case[0]) * 9).astype(dtype)
    how = [list(p) for p in _pairs(case)]
    for fn in (F.unfold, vt.to_static(lambda *given: F.unfold(*given))):
        np.testing.assert_array_equal(fn(vt.to_tensor(x), *how).numpy(), _wanted(x, case))


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_gradients_add_up_what_overlaps(case: Any, is_open: bool) -> None:
    x = np.random.default_rng(5).standard_normal(case[0])
    weight = np.cos(np.arange(_wanted(x, case).size)).reshape(_wanted(x, case).shape)
    wanted, places = np.zeros(x.size + 1), _wanted(np.arange(x.size).reshape(x.shape) + 1.0, case).astype(int)
    np.add.at(wanted, places, weight)  # the margins are at 0
    how = [list(p) for p in _pairs(case)]

    def slope(x: Any, w: Any) -> Any:
        return vt.grad((F.unfold(x, *how) * w).sum(), [x])[0]

    image = vt.InputSpec([*case[0][:2], None, None], "float64", stop_gradient=False)
    spec = [image, vt.InputSpec([None] * 3, "float64")] if is_open else None
    given = vt.to_tensor(x, stop_gradient=False), vt.to_tensor(weight)
    for fn in (slope, vt.to_static(slope, input_spec=spec)):
        np.testing.assert_allclose(fn(*given).numpy().reshape(-1), wanted[1:], rtol=1e-12, atol=1e-12)


def test_columns_and_what_reads_them_are_one_kernel() -> None:
    x = np.random.default_rng(5).standard_normal((2, 4, 16, 16)).astype("float32")
    mean = vt.to_static(lambda x: F.unfold(x, 3).reshape([2, 4, 9, 196]).mean(2))
    wanted = _wanted(x, (x.shape, 3, 1, 0, 1)).reshape(2, 4, 9, 196).mean(2)
    np.testing.assert_allclose(mean(vt.to_tensor(x)).numpy(), wanted, rtol=1e-5, atol=1e-6)
    assert len(list(mean.kernels.items())) == 1

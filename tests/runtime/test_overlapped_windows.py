"""Columns added up to images: against loops over the definition, compiled too, in few steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.nn import functional as F

Case = tuple[tuple[int, int], tuple[int, int], tuple[int, int], tuple[int, int, int, int], tuple[int, int]]
CASES: list[Case] = [  # sizes of the image, the kernel, strides, paddings (top, left, bottom, right), dilations
    ((32, 48), (16, 16), (16, 16), (0, 0, 0, 0), (1, 1)),  # side by side
    ((33, 50), (16, 16), (16, 16), (0, 0, 0, 0), (1, 1)),  # what no window reaches is 0
    ((24, 24), (8, 8), (4, 4), (0, 0, 0, 0), (1, 1)),
    ((1, 100), (1, 25), (1, 10), (0, 0, 0, 0), (1, 1)),  # the last block is shorter
    ((9, 11), (3, 3), (1, 1), (1, 1, 1, 1), (1, 1)),
    ((10, 12), (2, 3), (4, 5), (0, 1, 2, 0), (1, 1)),  # gaps
    ((12, 13), (3, 2), (2, 3), (1, 0, 2, 3), (2, 4)),
    ((20, 9), (4, 3), (3, 1), (2, 1, 0, 2), (2, 1)),
    ((8, 12), (4, 4), (4, 4), (2, 0, 2, 4), (1, 1)),
    ((8, 12), (4, 4), (4, 4), (2, 2, 0, 0), (1, 1)),  # as many rows and columns as blocks have, moved
]


def _windows(case: Case) -> tuple[int, int]:
    (h, w), (kh, kw), (sh, sw), (top, left, bottom, right), (dh, dw) = case
    return (h + top + bottom - (kh - 1) * dh - 1) // sh + 1, (w + left + right - (kw - 1) * dw - 1) // sw + 1


def _placed(x: Any, case: Case) -> Any:
    (h, w), (kh, kw), (sh, sw), (top, left, bottom, right), (dh, dw) = case
    oh, ow = _windows(case)
    parts = x.reshape(x.shape[0], -1, kh, kw, oh, ow).astype(np.float64)
    image = np.zeros((*parts.shape[:2], h + top + bottom, w + left + right))
    for i, j, y, k in np.ndindex(kh, kw, oh, ow):
        image[:, :, y * sh + i * dh, k * sw + j * dw] += parts[:, :, i, j, y, k]
    return image[:, :, top : top + h, left : left + w]


def _columns(case: Case, dtype: str) -> Any:
    oh, ow = _windows(case)
    shape = (2, 3 * case[1][0] * case[1][1], oh * ow)
    return np.random.default_rng(0).integers(-50, 50, shape).astype(dtype) * np.dtype(dtype).type(0.25)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_fold_and_its_gradient(case: Case, dtype: str) -> None:
    def fold(x: vt.Tensor) -> vt.Tensor:
        return F.fold(x, *(list(part) for part in case))

    def slopes(x: vt.Tensor, g: vt.Tensor) -> vt.Tensor:
        x.stop_gradient = False
        return vt.grad(fold(x), [x], g)[0]

    x = _columns(case, dtype)
    want = _placed(x, case)  # quarters: every order of adding gives the same
    seed = np.random.default_rng(1).integers(-9, 9, want.shape).astype(dtype)
    windows = F.unfold(vt.to_tensor(seed), *(list(part) for part in case[1:])).numpy()
    for way in (lambda f: f, vt.to_static):
        np.testing.assert_array_equal(way(fold)(vt.to_tensor(x)).numpy(), want)
        np.testing.assert_array_equal(way(slopes)(vt.to_tensor(x), vt.to_tensor(seed)).numpy(), windows)


def test_windows_side_by_side_are_only_moved() -> None:
    compiled = vt.to_static(lambda x: F.fold(x, [64, 64], [16, 16], [16, 16]))
    compiled(vt.ones([1, 3 * 256, 16]))
    assert len(compiled.kernels) == 1


def test_the_number_of_images_is_known_at_a_call() -> None:
    compiled = vt.to_static(
        lambda x: F.fold(x, [24, 24], [8, 8], [4, 4]), input_spec=[vt.static.InputSpec([None, 128, 25], "float32")]
    )
    for count in (1, 5):
        x = np.random.default_rng(2).integers(-9, 9, (count, 128, 25)).astype("float32")
        want = _placed(x, ((24, 24), (8, 8), (4, 4), (0, 0, 0, 0), (1, 1)))
        np.testing.assert_array_equal(compiled(vt.to_tensor(x)).numpy(), want)

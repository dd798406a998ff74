"""Slices of an axis whose size each run gives: their bounds are clamped when the program runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt

KEYS = [
    slice(1, None), slice(None, -1), slice(2, 5), slice(-3, None), slice(None, None, -1), slice(1, None, 2),
    slice(-2, -5, -1), slice(4, 1, -2),
]  # fmt: skip


@pytest.fixture(autouse=True)
def building() -> Any:
    vt.enable_static()
    yield
    vt.disable_static()


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_as_numpy(key: slice) -> None:
    main = vt.static.Program()
    with vt.static.program_guard(main, vt.static.Program()):
        x = vt.static.data("x", [None, 3])
        x.stop_gradient = False
        y = x[key]
        (gradient,) = vt.static.gradients([(y * y).sum()], [x])
    for n in (0, 1, 2, 3, 4, 7):
        given = np.arange(3.0 * n, dtype="float32").reshape(n, 3)
        made, slope = vt.static.Executor().run(main, feed={"x": given}, fetch_list=[y, gradient])
        np.testing.assert_array_equal(made, given[key])
        want = np.zeros_like(given)
        want[key] = 2 * given[key]
        np.testing.assert_array_equal(slope, want)

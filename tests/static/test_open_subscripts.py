"""Subscripts on axes whose size only a run knows, in static programs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import AxisError

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    vt.enable_static()
    yield
    vt.disable_static()


def test_ints_pick_elements_of_open_axes() -> None:
    with vt.static.program_guard(vt.static.Program()):
        x = vt.static.data("x", [None, 3, None])
        x.stop_gradient = False
        made = [x[0], x[:, :, -1], x[-1, :, 1], x[0, 1, 2]]
        (slope,) = vt.static.gradients(x[:, 0, -1].sum(), x)
        found = vt.static.Executor().run(feed={"x": X}, fetch_list=[*made, slope])
    for got, expected in zip(found, [X[0], X[:, :, -1], X[-1, :, 1], X[0, 1, 2]], strict=False):
        np.testing.assert_array_equal(got, expected)
    assert found[-1].sum() == found[-1][:, 0, -1].sum() == 2


def test_an_index_outside_is_an_error_of_the_run() -> None:
    with vt.static.program_guard(vt.static.Program()):
        picked = vt.static.data("x", [None, None])[:, 2]
        with pytest.raises(AxisError):
            vt.static.Executor().run(feed={"x": X[:, 0, :2]}, fetch_list=[picked])

"""Ops at their edges: the first place outside an axis, windows of infinities, closeness to infinity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn

X = vt.arange(5, dtype="float32")
BY_INDEX: dict[str, Callable[[Any], Any]] = {
    "gather": lambda i: vt.gather(X, i),
    "index_select": lambda i: vt.index_select(X, i),
    "subscript": lambda i: X[i],
    "take_along_axis": lambda i: vt.take_along_axis(X, i, 0),
    "put_along_axis": lambda i: vt.put_along_axis(X, i, 1.0, 0),
    "index_add": lambda i: vt.index_add(X, i, 0, vt.ones([1])),
    "gather_nd": lambda i: vt.gather_nd(X, i.reshape([-1, 1])),
    "scatter_nd_add": lambda i: vt.scatter_nd_add(X, i.reshape([-1, 1]), vt.ones([1])),
}


@pytest.mark.parametrize("place", [-6, 5])
@pytest.mark.parametrize("name", BY_INDEX)
def test_the_first_place_outside_is_an_error(name: str, place: int) -> None:
    with pytest.raises(IndexError):
        BY_INDEX[name](vt.to_tensor([place]))


@pytest.mark.parametrize("static", [False, True])
def test_windows_of_infinities_give_their_gradient_to_a_place(static: bool) -> None:
    x = vt.to_tensor(np.full((1, 1, 4, 4), -np.inf, "float32"), stop_gradient=False)
    pool = vt.to_static(lambda x: nn.functional.max_pool2d(x, 3, 2, 1))
    y = pool(x) if static else nn.functional.max_pool2d(x, 3, 2, 1)
    y.backward(vt.ones(y.shape))
    assert float(x.grad.sum()) == 4.0


def test_no_number_is_close_to_infinity() -> None:
    x, y = vt.to_tensor([1.0, np.inf, np.inf, 1.0]), vt.to_tensor([np.inf, 1.0, np.inf, 1.0])
    assert vt.isclose(x, y).tolist() == [False, False, True, True]


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("settings", [{"size": [3, 1]}, {"scale_factor": [0.6, 0.2]}])
def test_an_axis_of_an_image_that_gets_one_element_is_read_at_its_beginning(
    mode: str, settings: dict[str, Any]
) -> None:
    image = vt.arange(35, dtype="float64").reshape([1, 1, 5, 7])
    found = nn.functional.interpolate(image, mode=mode, **settings)
    middle = nn.functional.interpolate(image[:, :, :, 3:4].expand([1, 1, 5, 7]), mode=mode, **settings)
    offset = {"bilinear": 3.0, "bicubic": 3.09375}[mode]  # bicubic: at -0.5, with the first element on both sides
    np.testing.assert_allclose(found.numpy(), middle.numpy() - offset, rtol=1e-12)


def test_a_line_that_gets_one_element_is_read_in_its_middle() -> None:
    line = vt.arange(7, dtype="float64").reshape([1, 1, 7])
    assert nn.functional.interpolate(line, [1], mode="linear", data_format="NCW").item() == 3.0

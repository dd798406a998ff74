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


@pytest.mark.parametrize("index", [1, [[0, 1]]])
def test_an_index_of_index_add_has_one_axis(index: Any) -> None:
    with pytest.raises(vt.errors.ShapeError, match="an index of one axis"):
        vt.index_add(X, vt.to_tensor(index), 0, vt.ones([1]))


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


NUMBERS: dict[str, Callable[[], Any]] = {
    "row": lambda: nn.functional.leaky_relu(X, "0.1"),
    "planned function": lambda: nn.functional.hardtanh(X, max="3.3"),
    "function": lambda: vt.logit(X, "0.1"),
    "multiplied": lambda: nn.functional.hardsigmoid(X, "0.1"),
    "by keyword": lambda: nn.functional.celu(X, alpha="0.1"),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_text_is_no_number(name: str) -> None:
    with pytest.raises(TypeError, match=" must be a number, not '"):
        NUMBERS[name]()


OUTSIDE: dict[str, Callable[[], Any]] = {
    "softshrink": lambda: nn.functional.softshrink(X, -0.1),
    "selu scale": lambda: nn.functional.selu(X, 1.0),
    "selu alpha": lambda: nn.functional.selu(X, alpha=-0.1),
    "label_smooth": lambda: nn.functional.label_smooth(X, epsilon=1.5),
    "pad": lambda: nn.functional.pad(X, [-3, -3]),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_numbers_that_make_no_sense_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=name.split()[0]):
        OUTSIDE[name]()


@pytest.mark.parametrize("wrap", [lambda f: f, vt.to_static], ids=["eager", "compiled"])
@pytest.mark.parametrize("mode", ["constant", "reflect", "replicate", "circular"])
def test_margins_below_zero_cut(mode: str, wrap: Callable[[Any], Any]) -> None:
    image = np.arange(32, dtype="float32").reshape(1, 2, 4, 4)
    wide = np.pad(image, [(0, 0), (0, 0), (1, 0), (0, 2)], {"replicate": "edge", "circular": "wrap"}.get(mode, mode))
    x = vt.to_tensor(image)
    x.stop_gradient = False
    y = wrap(lambda x: nn.functional.pad(x, [-1, 2, 1, -2], mode=mode))(x)
    np.testing.assert_array_equal(y.numpy(), wide[:, :, :-2, 1:])
    y.sum().backward()
    reached = nn.functional.pad(vt.arange(32, dtype="float32").reshape([1, 2, 4, 4]) + 1, [-1, 2, 1, -2], mode=mode)
    counts = np.bincount(reached.numpy().astype(int).ravel(), minlength=33)[1:]
    np.testing.assert_array_equal(x.grad.numpy().ravel(), counts)


def test_layers_and_images_with_margins_below_zero() -> None:
    image = vt.arange(32, dtype="float32").reshape([1, 2, 4, 4])
    np.testing.assert_array_equal(nn.Pad2D(-1)(image), image[:, :, 1:-1, 1:-1])
    np.testing.assert_array_equal(nn.functional.zeropad2d(image, [-1, 0, 0, -2]), image[:, :, :-2, 1:])
    assert nn.functional.pad(image, [1, 2, 3]).shape == [1, 2, 7, 7]
    with pytest.raises(AssertionError, match="data_format"):
        nn.functional.pad(image, [1, 1, 1, 1], data_format="X")


@pytest.mark.parametrize("wrap", [lambda f: f, vt.to_static], ids=["eager", "compiled"])
def test_products_of_int32_stay_int32(wrap: Callable[[Any], Any]) -> None:
    x = vt.to_tensor([3, 1, 2], dtype="int32")
    made = wrap(
        lambda x: [vt.prod(x), x.prod(0, True), vt.cumprod(x, 0), vt.prod(x.astype("int8")), vt.prod(x, dtype="int64")]
    )(x)
    assert [m.dtype.name for m in made] == ["int32", "int32", "int32", "int64", "int64"]
    assert [m.tolist() for m in made[:3]] == [6, [6], [3, 3, 6]]


@pytest.mark.parametrize("number", [42, 4.5, True, 1 + 2j, np.float32(2.0)])
def test_a_number_that_is_assigned_has_one_axis(number: Any) -> None:
    assert vt.assign(number).shape == [1]
    assert vt.assign(np.array(number)).shape == []
    assert vt.assign(number, vt.assign(np.array(number))).shape == []
    assert vt.to_static(lambda x: vt.assign(number) + x)(vt.ones([3])).shape == [3]

"""Floats of layers and objects that change between calls are inputs of a program, not reasons for another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import ArgumentError

VALUES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)


def t(*values: float) -> Any:
    return vt.to_tensor(list(values), dtype="float32")


class Scale(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.k = 0.1

    def forward(self, x: Any) -> Any:
        return x * self.k


class Slots:
    __slots__ = ("k",)


def _layer(layer: nn.Layer, name: str, shape: Any = (1, 2)) -> tuple[Callable[[Any], Any], Callable[[float], None]]:
    return lambda x: layer(x.reshape(list(shape))), lambda value: setattr(layer, name, value)


def _slots() -> tuple[Callable[[Any], Any], Callable[[float], None]]:
    owner = Slots()
    return lambda x: x * owner.k, lambda value: setattr(owner, "k", value)


def _item() -> tuple[Callable[[Any], Any], Callable[[float], None]]:
    settings = {"lr": 0.1}
    return lambda x: x * settings["lr"], lambda value: settings.__setitem__("lr", value)


CASES: dict[str, Callable[[], tuple[Callable[[Any], Any], Callable[[float], None]]]] = {
    "Dropout.p": lambda: _layer(nn.Dropout(0.1), "p"),
    "Dropout.p downscaled": lambda: _layer(nn.Dropout(0.1, mode="downscale_in_infer").eval(), "p"),
    "Dropout2D.p": lambda: _layer(nn.Dropout2D(0.1), "p", (1, 2, 1, 1)),
    "Dropout3D.p": lambda: _layer(nn.Dropout3D(0.1), "p", (1, 2, 1, 1, 1)),
    "AlphaDropout.p": lambda: _layer(nn.AlphaDropout(0.1), "p"),
    "LeakyReLU": lambda: _layer(nn.LeakyReLU(0.1), "_negative_slope"),
    "ELU": lambda: _layer(nn.ELU(0.1), "_alpha"),
    "LayerNorm": lambda: _layer(nn.LayerNorm(2), "_epsilon"),
    "BatchNorm1D momentum": lambda: _layer(nn.BatchNorm1D(2), "_momentum", (2, 1, 1)[:0] or (1, 2)),
    "a layer's own": lambda: _layer(Scale(), "k"),
    "slots": _slots,
    "an item": _item,
}


OF_OPERATIONS = ("LeakyReLU", "ELU")  # what a kernel is made for: another value, another program


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_a_float_that_changes_makes_two_programs_at_most(name: str) -> None:
    fn, change = CASES[name]()
    compiled = vt.jit.to_static(fn)
    for value in VALUES:
        change(value)
        vt.seed(3)
        found = compiled(t(1.0, -2.0))
        vt.seed(3)
        np.testing.assert_allclose(found.numpy(), fn(t(1.0, -2.0)).numpy(), rtol=2e-5, atol=1e-6, err_msg=str(value))
    assert compiled.get_traced_count() <= (len(VALUES) if name in OF_OPERATIONS else 2)


def test_an_attribute_of_a_base_of_the_library_is_seen() -> None:
    class Leaky(nn.LeakyReLU):
        pass

    layer = Leaky(0.25)
    compiled = vt.jit.to_static(lambda x: layer(x))
    for slope in (0.25, 0.5):
        layer._negative_slope = slope
        assert compiled(t(-1.0)).tolist() == [-slope]


def test_a_float_that_decides_in_python_is_still_seen() -> None:
    layer = Scale()
    compiled = vt.jit.to_static(lambda x: x * 5 if layer.k > 0.5 else x)
    found = []
    for value in (0.1, 0.2, 0.9, 0.3, 0.8):
        layer.k = value
        found.append(compiled(t(1.0)).tolist()[0])
    assert found == [1.0, 1.0, 5.0, 1.0, 5.0]


def test_the_ends_of_the_range_of_dropout_are_seen() -> None:
    layer = nn.Dropout(0.25)
    compiled = vt.jit.to_static(lambda x: layer(x))
    x = vt.ones([1000])
    for p in (0.25, 0.5, 0.75, 0.0, 0.5, 1.0, 0.25):
        layer.p = p
        kept = float((compiled(x) != 0).astype("float32").mean())
        assert abs(kept - (1 - p)) < 0.1, p
    layer.p = 1.5
    with pytest.raises(ArgumentError, match="from 0 to 1"):
        compiled(x)


def test_the_probability_of_the_function_may_change_too() -> None:
    owner = Scale()
    compiled = vt.jit.to_static(lambda x: nn.functional.dropout(x, owner.k))
    for value in VALUES:
        owner.k = value
        compiled(t(1.0))
    assert compiled.get_traced_count() <= 2


CHECKED: dict[str, Callable[[Any, Any], Any]] = {
    "gumbel_softmax": lambda x, k: nn.functional.gumbel_softmax(x, temperature=k),
    "label_smooth": lambda x, k: nn.functional.label_smooth(x, epsilon=k),
    "triplet_margin_loss": lambda x, k: nn.functional.triplet_margin_loss(x, x * 2, x + 3, margin=k),
    "addmm": lambda x, k: vt.addmm(x, x, x, beta=k, alpha=k),
}


@pytest.mark.parametrize("name", CHECKED)
def test_numbers_that_are_checked_where_they_are_constant_may_be_annealed(name: str) -> None:
    owner, function = Scale(), CHECKED[name]
    compiled = vt.jit.to_static(lambda x: function(x, owner.k * 1.5))
    x = vt.reshape(vt.arange(4, dtype="float32"), [2, 2])
    for value in VALUES:
        owner.k = value
        vt.seed(5)
        expected = function(x, value * 1.5).numpy()
        vt.seed(5)
        np.testing.assert_allclose(compiled(x).numpy(), expected, rtol=1e-5)
    assert compiled.get_traced_count() <= 2
    if name != "addmm":
        owner.k = -0.1
        with pytest.raises(ArgumentError, match=f"{name}: .* must be "):
            compiled(x)

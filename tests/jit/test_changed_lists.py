"""Lists of layers that are changed in place between calls: the next call does what eager mode does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn

Layer = Any
CASES: dict[str, tuple[Callable[[], Layer], str, int, Any]] = {  # a layer, its list, and an element put there
    "Conv2D._stride": (lambda: nn.Conv2D(1, 1, 3), "_stride", 0, 2),
    "Conv2D._dilation": (lambda: nn.Conv2D(1, 1, 3), "_dilation", 1, 2),
    "Conv2D._updated_padding": (lambda: nn.Conv2D(1, 1, 3, padding=[1, 1]), "_updated_padding", 0, 2),
    "Conv2DTranspose._stride": (lambda: nn.Conv2DTranspose(1, 1, 3), "_stride", 0, 2),
    "MaxPool2D.ksize": (lambda: nn.MaxPool2D([2, 2]), "ksize", 0, 4),
    "MaxPool2D.stride": (lambda: nn.MaxPool2D(2, stride=[2, 2]), "stride", 1, 1),
    "AvgPool2D.kernel_size": (lambda: nn.AvgPool2D([2, 2]), "ksize", 0, 4),
    "Pad2D.padding": (lambda: nn.Pad2D([1, 1, 1, 1]), "padding", 2, 3),
    "Upsample.size": (lambda: nn.Upsample(size=[4, 4]), "size", 0, 2),
    "AdaptiveAvgPool2D": (lambda: nn.AdaptiveAvgPool2D([2, 2]), "_output_size", 0, 4),
}


def image() -> Any:
    return vt.to_tensor(np.random.default_rng(0).normal(size=(1, 1, 8, 8)).astype("float32"))


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_an_element_that_is_replaced_in_place_counts(name: str, inside: bool) -> None:
    make, attribute, place, value = CASES[name]
    layer = make()
    compiled = vt.to_static(lambda x: layer(x)) if inside else vt.to_static(make())
    changed = layer if inside else compiled
    assert isinstance(getattr(changed, attribute), list)
    layer.set_state_dict(changed.state_dict())
    for _ in range(3):
        before = compiled(image())
    getattr(changed, attribute)[place] = value
    if changed is not layer:
        getattr(layer, attribute)[place] = value
    plain = vt.jit.not_to_static(layer.forward)(image()) if inside else layer(image())
    found = compiled(image())
    assert found.shape == plain.shape
    np.testing.assert_allclose(found.numpy(), plain.numpy(), rtol=1e-4, atol=1e-5)
    assert found.shape != before.shape or not np.array_equal(found.numpy(), before.numpy())


def test_a_list_that_grows_counts() -> None:
    layer = nn.Pad2D([1, 1, 1, 1])
    compiled = vt.to_static(lambda x: layer(x))
    for _ in range(3):
        compiled(image())
    before = compiled(image()).shape
    layer.padding.append(1)  # before the first element of the channels
    assert compiled(image()).shape == layer(image()).shape != before


def test_equal_lists_need_no_other_program() -> None:
    layer = nn.Conv2D(1, 1, 3)
    compiled = vt.to_static(lambda x: layer(x))
    for _ in range(3):
        compiled(image())
        layer._stride[:] = [int("1"), 1]
    assert len(compiled._entries()) == 1

"""None where a tensor is needed, as of a function that ends without a `return`: an error that names the argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

nn, F = vt.nn, vt.nn.functional
CALLS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "Linear": (lambda v: nn.Linear(3, 2)(v), "linear: x"),
    "LSTM": (lambda v: nn.LSTM(3, 2)(v), "LSTM: inputs"),
    "BatchNorm2D": (lambda v: nn.BatchNorm2D(3)(v), "BatchNorm2D: x"),
    "Flatten": (lambda v: nn.Flatten()(v), "flatten: x"),
    "interpolate": (lambda v: F.interpolate(v, scale_factor=2), "interpolate: x"),
    "pad": (lambda v: F.pad(v, [1, 1]), "pad: x"),
    "split": (lambda v: vt.split(v, 2), "split: x"),
    "topk": (lambda v: vt.topk(v, 1), "topk: x"),
    "expand_as": (lambda v: vt.ones([2, 3]).expand_as(v), "expand_as: y"),
}


@pytest.mark.parametrize("decorate", [lambda fn: fn, vt.jit.to_static], ids=["eager", "compiled"])
@pytest.mark.parametrize("name", CALLS)
def test_the_argument_is_named(name: str, decorate: Callable[[Any], Any]) -> None:
    call, words = CALLS[name]
    with pytest.raises(vt.errors.OperandError, match=f"{words} must be a tensor, not None") as error:
        decorate(call)(None)
    assert isinstance(error.value, TypeError)
    assert "without a `return`" in str(error.value)

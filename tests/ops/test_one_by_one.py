"""Sizes and axes that a call lists one by one, as Paddle takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import KindError

CALLS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "reshape": (lambda x: x.reshape(6, 4), lambda a: a.reshape(6, 4)),
    "reshape -1": (lambda x: x.reshape(-1, 4), lambda a: a.reshape(6, 4)),
    "reshape 0 keeps": (lambda x: x.reshape(0, -1), lambda a: a.reshape(2, 12)),
    "reshape by name": (lambda x: x.reshape(6, 4, name=None), lambda a: a.reshape(6, 4)),
    "reshape to one axis": (lambda x: x.reshape(-1), lambda a: a.reshape(24)),
    "reshape of a shape": (lambda x: x.reshape(x.shape[0], -1), lambda a: a.reshape(2, 12)),
    "function": (lambda x: vt.reshape(x, 6, 4), lambda a: a.reshape(6, 4)),
    "view": (lambda x: x.view(1, 24), lambda a: a.reshape(1, 24)),
    "view -1": (lambda x: x.view(-1), lambda a: a.reshape(24)),
    "view list": (lambda x: x.view([6, 4]), lambda a: a.reshape(6, 4)),
    "transpose": (lambda x: x.transpose(0, 2, 1), lambda a: a.transpose(0, 2, 1)),
    "transpose swaps two": (lambda x: x.transpose(-1, 0), lambda a: a.swapaxes(-1, 0)),
    "transpose of a matrix": (lambda x: x[0].transpose(0, 1), lambda a: a[0].T),
    "transpose list": (lambda x: x[0].transpose([0, 1]), lambda a: a[0]),
    "permute": (lambda x: x.permute(2, 0, 1), lambda a: a.transpose(2, 0, 1)),
    "expand": (lambda x: x.expand(5, -1, 3, 4), lambda a: np.broadcast_to(a, (5, 2, 3, 4))),
    "repeat": (lambda x: x.repeat(2, 1, 3), lambda a: np.tile(a, (2, 1, 3))),
    "repeat with a new axis": (lambda x: x.repeat(2, 1, 1, 3), lambda a: np.tile(a, (2, 1, 1, 3))),
    "repeat list": (lambda x: x.repeat([1, 2]), lambda a: np.tile(a, (1, 2))),
    "repeat one": (lambda x: x.repeat(2), lambda a: np.tile(a, 2)),
    "flip": (lambda x: x.flip(0, -1), lambda a: np.flip(a, (0, -1))),
    "zeros": (lambda x: x * vt.zeros(2, 3, 4).astype(x.dtype) + x, lambda a: a),
    "new_ones": (lambda x: x * x.new_ones(2, 1, 4), lambda a: a),
    "size in a tensor": (lambda x: x.reshape(vt.to_tensor(6), 4), lambda a: a.reshape(6, 4)),
}


@pytest.mark.parametrize("name", CALLS)
def test_as_a_list(name: str) -> None:
    call, meaning = CALLS[name]
    array = np.arange(24, dtype="float64").reshape(2, 3, 4)
    weight = np.random.default_rng(1).standard_normal(meaning(array).shape)
    for run in (call, vt.to_static(call), vt.to_static(call, numerics="reference")):
        for _ in range(2):
            x = vt.to_tensor(array, stop_gradient=False)
            made = run(x)
            np.testing.assert_array_equal(made.numpy(), meaning(array))
            (made * vt.to_tensor(weight)).sum().backward()
            expected = np.zeros(24)
            np.add.at(expected, meaning(np.arange(24).reshape(2, 3, 4)).ravel(), weight.ravel())
            np.testing.assert_allclose(x.grad.numpy().ravel(), expected)


@pytest.mark.parametrize("maker", ["zeros", "ones", "empty", "rand", "randn"])
def test_made_of_sizes(maker: str) -> None:
    make = getattr(vt, maker)
    for run in (make, vt.to_static(lambda *sizes, **named: make(*sizes, **named))):
        assert run(2, 3).shape == [2, 3]
        assert run(2, np.int64(3), dtype="float64").dtype == vt.float64
        assert run([2, 3]).shape == [2, 3]
        assert run(4).shape == [4]
        assert run([2], "float64").dtype == vt.float64
    if maker in ("zeros", "ones", "empty"):
        made = getattr(vt.ones([1], "int32"), f"new_{maker}")(2, 3)
        assert (made.shape, made.dtype) == ([2, 3], vt.int32)
    with pytest.raises(vt.errors.VitrifyError):
        make([2], 3)
    with pytest.raises(vt.errors.VitrifyError):
        make(2, 3.5)


def test_a_swap_is_not_an_order() -> None:
    x = vt.to_tensor(np.arange(6).reshape(2, 3))
    for _ in range(2):
        assert x.transpose([0, 1]).shape == [2, 3]
        assert x.transpose(0, 1).shape == [3, 2]


def test_other_kinds_are_refused() -> None:
    x = vt.ones([2, 3, 4])
    for given in ((6.0, 4), ([6], 4), ("6", 4)):
        with pytest.raises(KindError, match="reshape"):
            x.reshape(*given)

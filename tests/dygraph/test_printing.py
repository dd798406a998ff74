"""Tensors as text."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.dygraph.printing import get_printoptions, put_printoptions


def test_a_tensor_without_axes_is_its_number_in_a_text() -> None:
    loss, count, flag, row = vt.to_tensor(1.5), vt.to_tensor(3), vt.to_tensor(True), vt.to_tensor([1.0, 2.0])

    def texts(loss: Any, count: Any, flag: Any, row: Any) -> None:
        late, old = "{}", "%s"
        print(f"loss {loss} of {count}, {flag}", late.format(loss), f"{loss:.3f}", f"{row}")
        print(loss, str(loss), f"{loss!s}", f"{count!r}", old % loss, [count])

    for fn in (texts, vt.to_static(texts)):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            fn(loss, count, flag, row)
        first, rest = out.getvalue().split("\n", 1)
        assert first.startswith("loss 1.5 of 3, True 1.5 1.500 Tensor(shape=[2]")
        assert rest.count("Tensor(shape=[], dtype=") == 6


def test_printed_with_an_exponent() -> None:
    before = get_printoptions()
    try:
        vt.set_printoptions(precision=2, sci_mode=True)
        assert "[1.50e+00, 2.00e-04]" in str(vt.to_tensor([1.5, 2e-4]))
        vt.set_printoptions(sci_mode=False)
        assert "e-04" not in str(vt.to_tensor([1.5, 2e-4]))
    finally:
        put_printoptions(before)


# Printed by PaddlePaddle 3.3.1.
PRINTED: list[tuple[Any, str]] = [
    ([1.0, 2.5, 3.25], "[1.        , 2.50000000, 3.25000000]"),
    ([-1.5, 2.0], "[-1.50000000,  2.        ]"),
    ([float("nan"), float("inf"), -1.5], "[ nan       ,  inf.      , -1.50000000]"),
    ([2.0, float("nan"), -3.0], "[ 2., nan, -3.]"),
    ([1e8, 1.0], "[100000000., 1.        ]"),
    ([1e-5, 1.0], "[0.00001000, 1.        ]"),
    ([[-1, 200], [3, -4]], "[[-1 , 200],\n        [ 3 , -4 ]]"),
    ([True, False], "[True , False]"),
    ([1 + 2j], "[(1.00000000+2.00000000j)]"),
    (3.5, "3.50000000"),
    (np.zeros((2, 0)), "[[],\n        []]"),
    (np.arange(8.0).reshape(2, 2, 2), "[[[0., 1.],\n         [2., 3.]],\n\n        [[4., 5.],\n         [6., 7.]]]"),
    (np.arange(2000), "[0   , 1   , 2   , ..., 1997, 1998, 1999]"),
    (np.float16([1.5, 2.0]), "[1.50000000, 2.        ]"),
    (
        np.full(7, 0.125),
        "[0.12500000, 0.12500000, 0.12500000, 0.12500000, 0.12500000, 0.12500000,\n        0.12500000]",
    ),
]


@pytest.mark.parametrize(("data", "expected"), PRINTED, ids=[text[:12] for _, text in PRINTED])
def test_printed_as_paddle_does(data: Any, expected: str) -> None:
    assert str(vt.to_tensor(data)).split("\n", 1)[1] == f"       {expected})"


def test_what_decimals_would_show_as_zero_has_an_exponent() -> None:
    text = str(vt.to_tensor([0.0, 1e-12], "float64"))
    assert text.endswith("[0.00000000e+00, 1.00000000e-12])")
    assert str(vt.to_tensor([1e20, 1.0], "float64")).endswith("[1.00000000e+20, 1.00000000e+00])")


def test_long_axes_are_cut_in_the_middle() -> None:
    before = get_printoptions()
    try:
        vt.set_printoptions(threshold=4, edgeitems=1)
        assert str(vt.arange(12).reshape([3, 4])).endswith("[[0 , ..., 3 ],\n        ...,\n        [8 , ..., 11]])")
    finally:
        put_printoptions(before)

"""A mistake in eager mode is one error: no exception of our own workings stands before it in the traceback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import VitrifyError

F = vt.nn.functional

MISTAKES: dict[str, Callable[[Any], Any]] = {
    "add": lambda x: x + vt.ones([4]),
    "matmul": lambda x: x @ x,
    "concat": lambda x: vt.concat([x, vt.ones([3, 4])]),
    "reshape": lambda x: x.reshape([7]),
    "sum": lambda x: x.sum(axis=5),
    "argmax": lambda x: x.argmax(axis=4),
    "softmax": lambda x: F.softmax(x, axis=4),
    "index": lambda x: x[7],
    "gather": lambda x: vt.gather(x, vt.to_tensor([9])),
    "stack": lambda x: vt.stack([x, vt.ones([2])]),
    "expand": lambda x: vt.expand(x, [2, 5]),
    "conv2d": lambda x: F.conv2d(vt.ones([1, 3, 8, 8]), vt.ones([4, 5, 3, 3])),
    "layer_norm": lambda x: vt.nn.LayerNorm(4)(x),
    "cross_entropy": lambda x: F.cross_entropy(x, vt.to_tensor([9, 9])),
}


@pytest.mark.parametrize("name", MISTAKES)
@pytest.mark.parametrize("again", [False, True], ids=["first", "again"])
def test_no_other_exception_is_shown(name: str, again: bool) -> None:
    for _ in range(1 + again):
        with pytest.raises(VitrifyError) as caught:
            MISTAKES[name](vt.ones([2, 3]))
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__, repr(error.__context__)

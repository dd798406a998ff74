"""Errors that come while one path of a condition is captured: a handler around sees them in the runs of that path only."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def two(a: Any, b: Any) -> Any:
    return a + b


class Own:
    def __init__(self, value: Any) -> None:
        self.value = value


class Layer(vt.nn.Layer):
    def forward(self, x: Any) -> Any:
        return self.missing(x)


FAILING: dict[str, Callable[[Any], Any]] = {
    "concat of other ranks": lambda x: vt.concat([x, vt.ones([2, 2])]),
    "stack of other ranks": lambda x: vt.stack([x, vt.ones([2, 2])]),
    "a text as a tensor": lambda x: vt.to_tensor("abc"),
    "an object as a tensor": lambda x: vt.to_tensor(object()),
    "a class of C's own": lambda x: struct.unpack("<I", b"a"),
    "a class of the standard library": lambda x: json.loads("{"),
    "an argument missing": lambda x: two(x),  # type: ignore[call-arg]
    "an argument too many": lambda x: two(x, x, x),  # type: ignore[call-arg]
    "an argument unknown": lambda x: two(x, c=x),  # type: ignore[call-arg]
    "an argument of a class missing": lambda x: Own(),  # type: ignore[call-arg]
    "an attribute of a layer missing": lambda x: Layer()(x),
    "rows of a scalar": lambda x: list(x.sum()),
    "a matrix that has no inverse": lambda x: np.linalg.inv(np.zeros((2, 2))),
    "a broadcast in NumPy": lambda x: np.zeros(3) + np.zeros(2),
}


@pytest.mark.parametrize("name", FAILING)
def test_the_other_path_goes_by_itself(name: str) -> None:
    fails = FAILING[name]

    def fn(x: Any) -> Any:
        try:
            y = fails(x) if x.sum() > 90 else x * 2
        except Exception as error:
            y = x - 1000
            return y, type(error).__name__
        return y, "none"

    compiled = vt.to_static(fn)
    for value in (1.0, 99.0, 2.0, 98.0):
        x = vt.to_tensor([value, 0.0])
        (y, kind), (wanted, known) = compiled(x), fn(x)
        assert (y.tolist(), kind) == (wanted.tolist(), known)


def test_without_a_handler_the_error_comes_in_the_run_of_its_path() -> None:
    def fn(x: Any) -> Any:
        if x.sum() > 90:
            return struct.unpack("<I", b"a")[0] + x
        return x * 2

    compiled = vt.to_static(fn)
    assert compiled(vt.ones([2])).tolist() == [2.0, 2.0]
    with pytest.raises(struct.error, match="4 bytes"):
        compiled(vt.full([2], 99.0))
    assert compiled(vt.ones([2])).tolist() == [2.0, 2.0]


def test_an_error_that_may_be_the_captures_own_is_refused_under_a_handler(monkeypatch: pytest.MonkeyPatch) -> None:
    space: dict[str, Any] = {"error": vt.errors.ModeError("not now")}
    exec(compile("def fails(x):\n    raise error", vt.__file__, "exec"), space)  # as one inside of the library
    monkeypatch.setattr(vt.Tensor, "tanh", space["fails"])

    def fn(x: Any) -> Any:
        try:
            y = x.tanh() if x.sum() > 90 else x * 2
        except Exception:
            y = x - 1000
        return y

    with pytest.raises(vt.errors.CaptureError, match="not now"):
        vt.to_static(fn)(vt.ones([2]))

"""Tracebacks of errors that compiled calls raise: the user's frames, as eager mode has them."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

X, FIVE = vt.to_tensor([2.0, 3.0]), vt.to_tensor(5)


def read(x: Any, i: Any) -> Any:
    return x[i] * 2


def positive(x: Any) -> Any:
    if x.sum() > 3:
        raise ValueError("too large")
    return x


def told(x: Any) -> Any:
    if x.sum() > 3:
        raise ValueError(f"the sum is {float(x.sum())}")
    return x


@vt.to_static
def compiled_callee(x: Any) -> Any:
    return positive(x) * 2


class Helper:
    def pick(self, x: Any, i: Any) -> Any:
        return read(x + 1, i)


class Double(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        if x.numpy().sum() > 3:
            raise ValueError("too large for Double")
        return x * 2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2


def an_index(x: Any, i: Any) -> Any:
    return Helper().pick(x, i)


def of_a_compiled_callee(x: Any, i: Any) -> Any:
    return compiled_callee(x)


def an_assertion(x: Any, i: Any) -> Any:
    assert x.sum() < 3, "big"
    return x


def with_a_number(x: Any, i: Any) -> Any:
    return told(x + 1)


def in_a_program_loop(x: Any, i: Any) -> Any:
    n = 0
    while n < i:
        if x.sum() > 3 - n:
            x = positive(x)
        n = n + 1
    return x


def in_an_expression(x: Any, i: Any) -> Any:
    return x if x.sum() < 0 and i > 3 else positive(x)


def recursive(x: Any, n: int) -> Any:
    return positive(x) if n == 0 else recursive(x, n - 1)


def of_recursion(x: Any, i: Any) -> Any:
    return recursive(x, 2)


def of_linear_algebra(x: Any, i: Any) -> Any:
    return vt.linalg.inv(vt.zeros([2, 2]) * x)


def in_a_layer_of_python(x: Any, i: Any) -> Any:
    return Double.apply(x)


def _frames(function: Callable[..., Any]) -> list[tuple[str, str, int]]:
    with pytest.raises(Exception) as caught:
        function(X, FIVE)
    frames = traceback.extract_tb(caught.value.__traceback__)
    return [(f.filename, f.name, f.lineno or 0) for f in frames if f.filename == __file__][1:]


@pytest.mark.parametrize(
    "function",
    [
        an_index, of_a_compiled_callee, an_assertion, with_a_number, in_a_program_loop, in_an_expression, of_recursion,
        of_linear_algebra, in_a_layer_of_python,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_a_compiled_call_shows_the_frames_of_eager_mode(function: Callable[..., Any]) -> None:
    compiled = vt.to_static(function)
    expected = _frames(function)
    assert expected[0][1] == function.__name__
    assert _frames(compiled) == expected
    assert _frames(compiled) == expected


def test_the_excerpt_names_the_calls() -> None:
    with pytest.raises(ValueError, match="too large") as caught:
        vt.to_static(of_a_compiled_callee)(X, FIVE)
    text = "".join(traceback.format_exception(caught.value))
    assert "return compiled_callee(x)" in text
    assert "return positive(x) * 2" in text
    assert "in compiled_callee" in text


def test_a_frame_of_a_deep_call_is_there() -> None:
    def call(n: int, x: Any) -> Any:
        return positive(x) if n == 0 else call(n - 1, x)

    frames = _frames(vt.to_static(lambda x, i: call(9, x)))
    assert [name for _, name, _ in frames].count("call") == 10

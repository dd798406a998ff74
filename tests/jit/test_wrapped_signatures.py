"""Functions that a decorator wrapped, and told the signature of: calls bind to the wrapper's own parameters."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def twice(fn: Any) -> Any:
    @functools.wraps(fn)
    def wrapper(*a: Any, **kw: Any) -> Any:
        return fn(fn(*a, **kw), **kw)

    return wrapper


def swapped(fn: Any) -> Any:
    @functools.wraps(fn)
    def wrapper(b: Any, a: Any) -> Any:
        return fn(a, b)

    return wrapper


def given_more(fn: Any) -> Any:
    @functools.wraps(fn)
    def wrapper(x: Any) -> Any:
        return fn({"scale": 10.0}, x)

    return wrapper


def scaled(fn: Any) -> Any:
    @functools.wraps(fn)
    def wrapper(*a: Any, scale: float = 1.0, **kw: Any) -> Any:
        return fn(*a, **kw) * scale

    return wrapper


def told(fn: Any) -> Any:
    def wrapper(*a: Any, **kw: Any) -> Any:
        return fn(*a, **kw) * (1 + len(kw))

    wrapper.__signature__ = inspect.signature(fn)  # type: ignore[attr-defined]
    return wrapper


@twice
def halved(x: Any, b: float = 1.0) -> Any:
    return x / 2 + b


@swapped
def difference(a: Any, b: Any) -> Any:
    return a - b


@given_more
def configured(settings: Any, x: Any) -> Any:
    return x * settings["scale"]


@scaled
def total(x: Any, y: float = 1.0) -> Any:
    return x + y


@told
def shifted(x: Any, y: float = 1.0) -> Any:
    return x + y


x, y = vt.to_tensor([1.0, 2.0]), vt.to_tensor([3.0, 5.0])
CALLS: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
    (halved, (x,), {"b": 2.0}), (halved, (x, 3.0), {}),
    (difference, (), {"a": x, "b": y}), (difference, (x, y), {}), (difference, (x,), {"a": y}),
    (configured, (x,), {}), (configured, (), {"x": x}),
    (total, (x,), {"scale": 3.0}), (total, (x,), {"y": 2.0, "scale": 3.0}),
    (shifted, (x,), {"y": 2.0}), (shifted, (x, 2.0), {}),
    (functools.partial(total, scale=4.0), (x,), {"y": 2.0}),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_as_eager(number: int) -> None:
    fn, args, kwargs = CALLS[number]
    compiled = vt.jit.to_static(fn)
    for _ in range(3):
        assert compiled(*args, **kwargs).tolist() == fn(*args, **kwargs).tolist()


def test_a_wrapped_forward() -> None:
    class Net(vt.nn.Layer):
        @told
        def forward(self, x: Any, b: float = 1.0) -> Any:
            return x + b

    net, compiled = Net(), vt.jit.to_static(Net())
    for _ in range(3):
        assert compiled(x, b=2.0).tolist() == net(x, b=2.0).tolist() == [6.0, 8.0]
        assert compiled(x, 2.0).tolist() == net(x, 2.0).tolist() == [3.0, 4.0]


def test_arguments_have_the_names_of_the_wrapped_function() -> None:
    compiled = vt.jit.to_static(scaled(total))
    compiled(x, 2.0)
    assert list(compiled.program_cache[0].trace.program.feeds) == ["x"]


def test_decorators_of_this_package_hand_all_on() -> None:
    @vt.jit.to_static(input_spec=[vt.InputSpec([None], "float32")])
    @vt.no_grad()
    def f(x: Any) -> Any:
        return x * 2

    assert f(x=x).tolist() == [2.0, 4.0]


def test_a_keyword_may_be_called_self() -> None:
    @vt.jit.to_static
    def f(x: Any, **kw: Any) -> Any:
        return x + kw["self"]

    for _ in range(3):
        assert f(x, self=9.0).tolist() == [10.0, 11.0]

"""Attributes of a compiled function itself: static counters, caches and settings, read and written by its own code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

ONE = vt.ones([1])


def _counter(compiled: Callable[[Any], Any]) -> tuple[Any, Any]:
    @compiled
    def f(x: Any) -> Any:
        f.calls = getattr(f, "calls", 0) + 1
        return x * f.calls

    return f, lambda k: None


def _set_outside(compiled: Callable[[Any], Any]) -> tuple[Any, Any]:
    @compiled
    def f(x: Any) -> Any:
        f.calls += 1
        return x * f.calls

    f.calls = 0

    def between(k: int) -> None:
        if k == 3:
            f.calls = 10

    return f, between


def _read(compiled: Callable[[Any], Any]) -> tuple[Any, Any]:
    @compiled
    def f(x: Any) -> Any:
        return x * f._scale if hasattr(f, "_scale") else x

    def between(k: int) -> None:
        f._scale = k + 0.5

    return f, between


def _cache(compiled: Callable[[Any], Any]) -> tuple[Any, Any]:
    @compiled
    def f(x: Any) -> Any:
        f.seen.append(x * 2)
        if len(f.seen) > 2:
            f.seen.pop(0)
        return sum(f.seen)

    f.seen = []
    return f, lambda k: None


def _deleted(compiled: Callable[[Any], Any]) -> tuple[Any, Any]:
    @compiled
    def f(x: Any) -> Any:
        return x * getattr(f, "scale", 7)

    f.scale = 2

    def between(k: int) -> None:
        if k == 2:
            del f.scale

    return f, between


def _of_a_function_that_it_calls(compiled: Callable[[Any], Any]) -> tuple[Any, Any]:
    @compiled
    def inner(x: Any) -> Any:
        inner.n = getattr(inner, "n", 0) + 1
        return x * inner.n

    @compiled
    def f(x: Any) -> Any:
        return inner(x) + inner.n

    return f, lambda k: None


@pytest.mark.parametrize("make", [_counter, _set_outside, _read, _cache, _deleted, _of_a_function_that_it_calls])
def test_they_are_those_of_eager_mode(make: Any) -> None:
    shown = []
    for compiled in (lambda fn: fn, vt.to_static):
        f, between = make(compiled)
        results = []
        for k in range(6):
            between(k)
            results.append(float(f(ONE * (k + 1))))
        shown.append(results)
    assert shown[0] == shown[1]


def test_they_are_those_of_the_function_as_it_was_written() -> None:
    def f(x: Any) -> Any:
        return x * f.scale  # type: ignore[attr-defined]

    f.scale = 3.0  # type: ignore[attr-defined]
    compiled = vt.to_static(f)
    assert [compiled.scale, float(compiled(ONE))] == [3, 3]
    compiled.scale = 5.0
    assert [f.scale, float(compiled(ONE))] == [5, 5]  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="nothing"):
        _ = compiled.nothing


def test_the_compiler_leaves_nothing_there() -> None:
    @vt.to_static
    def f(x: Any, k: int = 2) -> Any:
        return x * k if x.sum() > 0 else x

    for k in (2, 3, 2):
        f(ONE, k)
    f.concrete_trace()
    f.certificate()
    f.eval().train()
    assert vars(f.dygraph_function) == {}

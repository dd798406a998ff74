"""Errors behind `and`, `or`, comparison chains, conditional expressions and conditions: raised on their path only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def t(*values: float) -> Any:
    return vt.to_tensor(list(values), dtype="float32")


def raising() -> Any:
    raise ValueError("raised")


FUNCTIONS: list[Callable[[Any], Any]] = []


def add(fn: Callable[[Any], Any]) -> Callable[[Any], Any]:
    FUNCTIONS.append(fn)
    return fn


@add
def behind_and(x: Any) -> Any:
    x.sum() > 0 and raising()
    return x + 1


@add
def behind_or(x: Any) -> Any:
    x.sum() > 0 or raising()
    return x + 1


@add
def behind_several(x: Any) -> Any:
    x.sum() > 5 or x.sum() < 0 or raising()
    return x + 1


@add
def behind_and_in_and(x: Any) -> Any:
    return x.sum() > 0 and (x.sum() > 2 and raising())


@add
def in_a_chain(x: Any) -> Any:
    return x * 2 if 0 < x.sum() < raising() else x


@add
def in_a_conditional_expression(x: Any) -> Any:
    return x * 2 if x.sum() < 0 else raising()


@add
def in_a_test(x: Any) -> Any:
    if x.sum() > 0 and raising():
        return x * 2
    return x


@add
def behind_not(x: Any) -> Any:
    if not (x.sum() > 0 and raising()):
        return x * 2
    return x


@add
def in_the_test_of_a_loop(x: Any) -> Any:
    while x.sum() > 0 and raising():
        x = x - 1
    return x


@add
def in_the_condition_of_a_comprehension(x: Any) -> Any:
    return [k for k in (1, 2) if x.sum() > 0 and raising()]


@add
def in_any(x: Any) -> Any:
    return any(row > 0 and raising() for row in x)


@add
def in_an_assertion(x: Any) -> Any:
    assert x.sum() < 0 or raising()
    return x


@add
def in_the_message_of_an_assertion(x: Any) -> Any:
    assert x.sum() < 0, raising()
    return x


@add
def caught(x: Any) -> Any:
    try:
        x.sum() > 0 and raising()
    except ValueError:
        return x * 7
    return x


@add
def a_missing_key(x: Any) -> Any:
    found: dict[str, Any] = {}
    x.sum() > 0 and found["k"]
    return x


@add
def a_division(x: Any) -> Any:
    x.sum() > 0 and 1 // 0
    return x


@add
def an_index(x: Any) -> Any:
    x.sum() > 0 and [][3]
    return x


@add
def an_attribute(x: Any) -> Any:
    x.sum() > 0 and None.foo  # type: ignore[attr-defined]
    return x


@add
def a_text_that_is_no_number(x: Any) -> Any:
    x.sum() > 0 and int("q")
    return x


def _outcome(fn: Callable[[Any], Any], x: Any) -> Any:
    try:
        found = fn(x)
    except Exception as error:  # broad: whatever the function raises
        return type(error), str(error)
    return found.tolist() if isinstance(found, vt.Tensor) else found


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_an_error_is_raised_on_its_path_only(fn: Callable[[Any], Any]) -> None:
    compiled = vt.jit.to_static(fn)
    inputs = [t(1.0, 2.0), t(-1.0, -2.0), t(9.0, 9.0), t(0.25, 0.25)]
    expected = [_outcome(fn, x) for x in inputs]
    assert any(isinstance(e, tuple) for e in expected) is (fn is not caught)
    for _ in range(2):
        assert [_outcome(compiled, x) for x in inputs] == expected


def test_it_comes_before_what_is_written_later() -> None:
    log: list[int] = []

    def fn(x: Any) -> Any:
        x.sum() > 0 and raising()
        log.append(1)
        return x

    compiled = vt.jit.to_static(fn)
    for _ in range(2):
        with pytest.raises(ValueError, match="raised"):
            compiled(t(1.0))
        assert log == []
    compiled(t(-1.0))
    assert log == [1]


def test_it_names_the_line() -> None:
    compiled = vt.jit.to_static(behind_and)
    compiled(t(-1.0))
    with pytest.raises(ValueError, match="raised") as caught_error:
        compiled(t(1.0))
    assert any('raise ValueError("raised")' in note for note in caught_error.value.__notes__)

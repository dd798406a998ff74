"""Functions and classes made inside of a compiled function are known by the names that they have in eager mode."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt


def of_many_forms(x: Any) -> Any:
    class Held:
        def get(self, a: Any) -> Any:
            return lambda: a

    def inner(a: Any) -> Any:
        return a

    named = [inner.__qualname__, Held.__qualname__, Held.get.__qualname__, Held().get(x).__qualname__]
    for _ in range(2):
        named.append((lambda: x).__qualname__)
    return x * 2, named


def test_functions_made_inside_are_known_as_they_were_written() -> None:
    found, expected = vt.to_static(of_many_forms)(vt.ones([])), of_many_forms(vt.ones([]))
    assert found[1] == expected[1]


def test_python_names_a_function_that_is_called_wrongly_as_it_was_written() -> None:
    def calls(x: Any) -> Any:
        if x > 0:
            made: Any = lambda a: a  # noqa: E731
            return made(x, x)
        return x

    with pytest.raises(TypeError) as found:
        vt.to_static(calls)(vt.ones([]))
    assert str(found.value).startswith(f"{calls.__qualname__}.<locals>.<lambda>() takes 1 positional argument but 2")

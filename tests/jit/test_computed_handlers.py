"""`except` clauses whose classes are computed: they get what data make fail, as those that name their classes do."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt

KINDS: list[type[Exception]] = [KeyError, ZeroDivisionError]


def kinds(*more: type[Exception]) -> tuple[type[Exception], ...]:
    """Classes for a clause."""
    return (LookupError, *more)


def quotient(x: Any) -> Any:
    return 6 // int(x.sum())


def by_a_subscript(x: Any) -> Any:
    try:
        return quotient(x)
    except KINDS[1]:
        return -1


def by_a_call(x: Any) -> Any:
    try:
        return quotient(x)
    except kinds(ArithmeticError):
        return -1


def by_an_unpacked_list(x: Any) -> Any:
    try:
        return quotient(x)
    except (OSError, *KINDS):
        return -1


def behind_others(x: Any) -> Any:
    try:
        return quotient(x)
    except ValueError:
        return -1
    except KINDS[0]:
        return -2
    except Exception:
        return -3


def behind_one_that_fits(x: Any) -> Any:
    try:
        return quotient(x)
    except KINDS[1]:
        return -2
    except Exception:
        return -3


def another(x: Any) -> Any:
    try:
        return quotient(x)
    except kinds():
        return -1


def of_two_paths(x: Any) -> Any:
    kind = ZeroDivisionError if x.max() > 2 else KeyError
    try:
        return quotient(x)
    except kind:
        return -1


FUNCTIONS = [
    by_a_subscript, by_a_call, by_an_unpacked_list, behind_others, behind_one_that_fits, another, of_two_paths,
]  # fmt: skip
DATA = ([1.0, 1.0], [1.0, -1.0], [3.0, -3.0], [-2.0, 0.0])


def outcome(fn: Callable[[Any], Any], x: Any) -> Any:
    """The number that a call gives, or the error that ends it."""
    try:
        return int(fn(x))
    except ArithmeticError as error:
        return type(error), error.args


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_the_clause_is_asked(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for numbers in DATA:
        x = vt.to_tensor(numbers)
        assert outcome(compiled, x) == outcome(fn, x)


def test_in_a_function_of_many_names(tmp_path: Path) -> None:
    """Its class has a number of more than one byte."""
    names = [f"name{k}" for k in range(300)]
    text = "\n".join(f"{name} = {k}" for k, name in enumerate(names))
    uses = "\n".join(f"    n = n + {name}" for name in names)
    file = tmp_path / "of_many_names.py"
    file.write_text(
        f"class Wrong(ZeroDivisionError): pass\n{text}\ndef f(x):\n    n = 0\n{uses}\n"
        "    try:\n        return 6 // int(x.sum())\n    except ZeroDivisionError:\n        return n\n"
    )
    spec = importlib.util.spec_from_file_location("of_many_names", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    compiled = vt.to_static(module.f)
    for numbers in DATA:
        assert outcome(compiled, vt.to_tensor(numbers)) == outcome(module.f, vt.to_tensor(numbers))

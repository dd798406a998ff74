"""Eager mode has one cache of calls, one builder of its keys and one place that makes its results' tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from .syntax import nodes

MAKES_TENSORS = {  # file -> what it makes without a constructor
    "dygraph/new_tensors.py": "results of kernels and of compiled calls",
    "dygraph/tensor.py": "twins of a tensor: the class's own methods",
    "dygraph/given_array.py": "a tensor that looks like an array",
    "dygraph/views.py": "twins of views",
}
PRINTS_STUBS = {"dygraph/stubs.py"}
KEEPS_STUBS = {"dygraph/call_cache.py"}


def makers(text: str) -> Iterator[int]:
    """The lines that make a Tensor or a Storage past its constructor: `new(Tensor)`, `Tensor.__new__(Tensor)`."""
    for node in nodes(text):
        if isinstance(node, ast.Call) and len(node.args) == 1:
            callee, made = node.func, node.args[0]
            name = callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", "")
            if name in ("new", "_new", "__new__") and isinstance(made, ast.Name) and made.id in ("Tensor", "Storage"):
                yield node.lineno


def calls_of(text: str, names: set[str]) -> Iterator[int]:
    """The lines that call one of some functions."""
    for node in nodes(text):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node.lineno


def test_tensors_are_made_in_one_place(root: Path, sources: list[Path]) -> None:
    found = {str(path.relative_to(root)) for path in sources for _ in makers(path.read_text())}
    assert found == set(MAKES_TENSORS)


@pytest.mark.parametrize(
    ("names", "places"),
    [
        ({"stub_of_op"}, KEEPS_STUBS),
        ({"stub_of_plan"}, {"dygraph/plans.py"}),
        ({"stub_of_rule"}, {"dygraph/rule_stubs.py"}),
        ({"stub_of", "rule_stub", "CallCache"}, KEEPS_STUBS),
    ],
)
def test_only_the_call_cache_asks_for_stubs(
    names: set[str], places: set[str], root: Path, sources: list[Path]
) -> None:  # fmt: skip
    used = {str(path.relative_to(root)) for path in sources for _ in calls_of(path.read_text(), names)}
    assert used == places


def test_stubs_are_printed_in_one_place(root: Path, sources: list[Path]) -> None:
    eager = [path for path in sources if path.relative_to(root).parts[0] == "dygraph"]
    used = {str(path.relative_to(root)) for path in eager for _ in calls_of(path.read_text(), {"exec", "compile"})}
    assert used == PRINTS_STUBS


def test_a_second_place_is_found() -> None:
    assert list(makers("x = 1\ny = _new(Tensor)")) == [2]
    assert list(makers("y = Tensor.__new__(Tensor)\nz = object.__new__(Storage)")) == [1, 2]
    assert list(makers("y = Tensor(1)\nnew(Node)")) == []
    assert list(calls_of("f(1)\ng()", {"g"})) == [2]

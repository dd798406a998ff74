"""Functions are short: what takes more than a screen is several things."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from .syntax import nodes

MOST_LINES = 60
LONG = {  # reasons
    "runtime/vm/native_source/vm_loop.py vm": "one branch per instruction",
}


def long_functions(text: str) -> Iterator[tuple[str, int]]:
    """Names and lines of the functions of a text that are too long."""
    for node in nodes(text):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno is not None
            lines = node.end_lineno - node.lineno + 1
            if lines > MOST_LINES:
                yield node.name, lines


def test_functions_are_short(root: Path, sources: list[Path]) -> None:
    found = {
        f"{file.relative_to(root)} {name}": lines
        for file in sources
        for name, lines in long_functions(file.read_text())
    }
    assert {name: lines for name, lines in found.items() if name not in LONG} == {}
    assert [name for name in LONG if name not in found] == []


def test_a_long_function_is_found() -> None:
    body = "    x = 1\n" * MOST_LINES
    assert list(long_functions(f"def f():\n{body}")) == [("f", MOST_LINES + 1)]
    assert list(long_functions(f"class A:\n    async def g(self):\n{body.replace('    ', '        ')}")) == [("g", 61)]
    assert not list(long_functions(f"def f():\n{'    x = 1' + chr(10)}" * MOST_LINES))

"""Code is code: no string of the library holds Python functions, which no linter, type checker or search would see."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from .syntax import nodes

MOST_LINES = 5  # a longer string with a function in it has to be in a file of its own
FUNCTION = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]", re.MULTILINE)
ALLOWED = {  # file -> reason
    "export/numpy_source/module.py": "printed into the module that export writes, which runs without vitrify",
    "jit/debug/repro.py": "printed into the script that a report is, which runs by itself",
    "testing/functions.py": "what generated test functions call: written into the file of a found case, as users write",
    "testing/fuzz/models.py": "generated models: written into the file of a found case, as users write",
    "testing/fuzz/run.py": "the test files that fuzzing writes for its finds",
}


def functions_in_strings(text: str) -> Iterator[int]:
    """Yield the lines of string literals with a function definition in them; docstrings are prose."""
    long = [(node, written) for node in nodes(text) if len((written := literal(node)).splitlines()) > MOST_LINES]
    found = [node for node, written in long if FUNCTION.search(written)]
    if not found:
        return
    prose = {
        id(node.body[0].value)
        for node in nodes(text)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        if node.body and isinstance(node.body[0], ast.Expr)
    }
    pieces = {id(piece) for node in nodes(text) if isinstance(node, ast.JoinedStr) for piece in node.values}
    yield from (node.lineno for node in found if id(node) not in prose | pieces)


def literal(node: ast.AST) -> str:
    """The text of a string literal; in an f-string `_` stands for what is put in. Empty for other nodes."""
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(piece) or "_" for piece in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def test_no_string_holds_functions(root: Path, sources: list[Path]) -> None:
    found = {
        f"{file.relative_to(root)}:{line}": str(file.relative_to(root))
        for file in sources
        for line in functions_in_strings(file.read_text("utf-8"))
    }
    assert [place for place, file in found.items() if file not in ALLOWED] == []
    assert set(ALLOWED) - set(found.values()) == set(), "no exception is needed any more"


BODY = "    x = 1\n    y = 2\n    z = 3\n    u = 4\n    return x + y\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"TEXT = '''\ndef f():\n{BODY}'''", [1]),
        (f"x = 1\nTEXT = '''\nclass C:\n    def f(self):\n        pass\n{BODY}'''", [2]),
        (f"TEXT = HEAD + '''\n@helper\nasync def f():\n{BODY}'''", [1]),
        (f"TEXT = f'''\ndef {{name}}():\n{BODY}'''", [1]),
        ("TEXT = (\n    'def f():\\n'\n" + "    '    pass\\n'\n" * 6 + ")", [2]),
        ("write('def f(): ...')", []),
        (f"def g():\n    '''As in\n\n    def f():\n{BODY}    '''", []),
        (f"TEXT = '''\nno default\n{BODY}'''", []),
    ],
)
def test_the_checker_finds_functions_in_strings(text: str, lines: list[int]) -> None:
    assert list(functions_in_strings(text)) == lines


def test_the_text_of_the_vm_would_be_found() -> None:
    from vitrify.runtime.vm import virtual_machine

    assert list(functions_in_strings(f"VM_TEXT = {virtual_machine.source().body!r}")) == [1]

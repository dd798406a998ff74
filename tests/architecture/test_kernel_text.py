"""Kernels are trees: their text is made by the printer alone, and nothing searches it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from .syntax import nodes

ROOMS = ("runtime/lower", "runtime/schedule", "runtime/kernel")
MAY_PRINT = {"runtime/kernel/kernel_printer.py", "runtime/kernel/kernel_parser.py"}
_TEXT = re.compile(r"\bin range\(|^\s*(if|while|elif) .*:$|^\s*\w+(\[.*\])? [-+*]?= |^def body\(|^\s*else:$")


def kernel_text(text: str) -> Iterator[str]:
    """What a module says of kernels as text: strings with their statements, and modules that take text apart."""
    docstrings = {
        id(node.body[0].value)
        for node in nodes(text)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes(text):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            yield from (f"imports {name}" for name in names if name in ("re", "ast"))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            if _TEXT.search(node.value):
                yield repr(node.value)


def test_only_the_printer_and_the_parser_know_the_text_of_kernels(root: Path, sources: list[Path]) -> None:
    found = {}
    for file in sources:
        name = file.relative_to(root).as_posix()
        if name.startswith(ROOMS) and name not in MAY_PRINT and (texts := list(kernel_text(file.read_text()))):
            found[name] = texts
    assert found == {}


def test_text_is_found() -> None:
    assert list(kernel_text('"""for i in range(3):"""\nline(f"for {i} in range({n}):")')) == ["' in range('"]
    assert list(kernel_text("import re\nline('a[i] = 1')\nx = 'a message = no'")) == ["imports re", "'a[i] = 1'"]

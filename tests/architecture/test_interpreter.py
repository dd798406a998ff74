"""What the active interpreter can do is a method of its class: nobody asks for a name that a checker doesn't see."""

from __future__ import annotations

import ast
from pathlib import Path

from .syntax import nodes

ASKING = {"getattr", "hasattr", "setattr"}
ACTIVE = {"current", "bottom", "innermost"}


def asked_by_name(text: str) -> list[int]:
    """The lines that ask the active interpreter for an attribute by its name."""
    return [
        node.lineno
        for node in nodes(text)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ASKING
        and any(
            isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id in ACTIVE
            for inner in ast.walk(node.args[0])
        )
    ]


def test_nobody_asks_the_interpreter_by_name(root: Path, sources: list[Path]) -> None:
    wrong = [
        f"{path.relative_to(root)}:{line}" for path in sources for line in asked_by_name(path.read_text())
    ]  # fmt: skip
    assert not wrong


def test_a_question_by_name_is_found() -> None:
    assert asked_by_name('x = 1\nlook = getattr(current(), "known_size", None)') == [2]
    assert asked_by_name('if hasattr(innermost(current()), "minimize"):\n    pass') == [1]
    assert asked_by_name("current().known_size(x)\ngetattr(x, current())") == []

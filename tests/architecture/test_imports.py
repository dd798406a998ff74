"""Who may import whom: the table of docs/decisions/0001, deferred imports included."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from .syntax import nodes

MAY_IMPORT = {
    "base": "",
    "ops": "base",
    "ir": "base ops",
    "passes": "base ops ir",
    "runtime": "base ops ir passes",
    "dygraph": "base ops",
    "data": "base ops dygraph",
    "viz": "base ops ir passes runtime",
    "export": "base ops ir passes runtime",
    "jit": "base ops ir passes runtime dygraph export",
    "static": "base ops ir passes runtime dygraph jit",
    "interchange": "base ops ir passes runtime dygraph jit static",
    "distributed": "base ops ir passes runtime dygraph jit static",
    "native": "base ops ir passes runtime dygraph jit",
    "training": "base ops ir dygraph data jit static",
    "vision": "base ops dygraph data",
    "audio": "base ops dygraph",
    "text": "base ops dygraph data",
    "inference": "base ops ir runtime dygraph static",
    "compat": "base ops ir passes runtime dygraph data viz jit static interchange distributed training vision inference",
    "fluid": "base ops ir passes runtime dygraph data viz jit static distributed training vision compat",
    "testing": "base ops ir passes runtime dygraph data viz export jit static interchange distributed native training vision inference",
    "cli": "base ops ir passes runtime dygraph data viz export jit static interchange distributed native training vision inference compat testing",
}
FACADE = "facade"


def leaving_imports(text: str, depth: int) -> Iterator[tuple[int, str]]:
    """Yield (line, folder) for every relative import that leaves its own folder; `depth`: folders above the file."""
    for node in nodes(text):
        if isinstance(node, ast.ImportFrom) and node.level > depth:
            names = [node.module] if node.module else [alias.name for alias in node.names]
            yield from ((node.lineno, name.split(".")[0]) for name in names)


def absolute_imports(text: str) -> Iterator[tuple[int, str]]:
    """Yield (line, dotted name) for every absolute import."""
    for node in nodes(text):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.lineno, node.module


def faults(text: str, folder: str, depth: int, allowed: set[str], folders: set[str]) -> list[str]:
    """What is wrong with a file's imports, one line each."""
    wrong = [
        f"{line} imports {target}"
        for line, target in leaving_imports(text, depth)
        if target not in allowed and target != folder
    ]
    for line, name in absolute_imports(text):
        top = name.split(".")[0]
        if top == "vitrify":
            wrong.append(f"{line} imports {name}: imports are relative inside the code folders")
        if top in folders:
            wrong.append(f"{line} imports {name}: a bare folder would be loaded a second time")
    return wrong


def test_the_table_covers_every_folder(folders: list[str]) -> None:
    assert set(folders) - {FACADE} <= set(MAY_IMPORT)


def test_the_table_has_no_cycle() -> None:
    seen: set[str] = set()
    for folder, allowed in MAY_IMPORT.items():
        assert set(allowed.split()) <= seen, folder
        seen.add(folder)


def test_folders_import_only_what_the_table_allows(root: Path, sources: list[Path], folders: list[str]) -> None:
    wrong = []
    for file in sources:
        folder = file.relative_to(root).parts[0]
        if folder != FACADE:
            depth = len(file.relative_to(root).parts) - 1
            allowed = set(MAY_IMPORT[folder].split())
            found = faults(file.read_text(), folder, depth, allowed, set(folders))
            wrong += [f"{file.relative_to(root)}:{fault}" for fault in found]
    assert not wrong, "\n".join(wrong)


def test_nothing_but_the_facade_knows_the_facade(root: Path) -> None:
    assert not any(FACADE in allowed for allowed in MAY_IMPORT.values())


def test_tests_and_examples_import_the_package_by_name(root: Path, folders: list[str]) -> None:
    starts = rf"(?:^|[;:])\s*(?:from|import(?:[^\n]*,)?)[\s\\]+(?:{'|'.join(folders)})\b"
    suspicious = re.compile(starts, re.MULTILINE)  # the few files worth parsing
    wrong = [
        f"{file.relative_to(root)}:{line} imports {name}"
        for folder in ("tests", "examples", "facade")
        for file in sorted((root / folder).rglob("*.py"))
        if suspicious.search(text := file.read_text())
        for line, name in absolute_imports(text)
        if name.split(".")[0] in folders
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "depth", "part"),
    [
        ("from ..jit import x", 1, "imports jit"),
        ("from .. import jit", 1, "imports jit"),
        ("def f():\n    from ..jit.cache import x", 1, "2 imports jit"),
        ("from ...jit import x", 2, "imports jit"),
        ("from vitrify.base import x", 1, "relative"),
        ("import vitrify", 1, "relative"),
        ("import ops", 1, "second time"),
        ("from ops.op import Op", 1, "second time"),
    ],
)
def test_the_checker_finds_seeded_faults(text: str, depth: int, part: str) -> None:
    found = faults(text, "ir", depth, {"base", "ops"}, {"base", "ops", "ir", "jit"})
    assert len(found) == 1
    assert part in found[0]


def test_the_checker_lets_right_imports_pass() -> None:
    right = ["import ast", "import numpy as np", "from . import core", "from .core import Value"]
    text = "\n".join([*right, "from ..ops.op import Op", "from .. import base"])
    assert faults(text, "ir", 1, {"base", "ops"}, {"base", "ops", "ir", "jit"}) == []

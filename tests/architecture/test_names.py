"""One file, one word; one class, one word: whoever searches for a name finds one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

CORE = {"base", "ops", "ir", "passes", "runtime", "dygraph", "jit", "static"}
PAIR = ("jit/transformers", "jit/converters")  # a construct of Python: how it is rewritten, and what it means


def shared_modules(paths: Iterable[str]) -> dict[str, list[str]]:
    """File names that several modules have; a transformer and its converter count as one."""
    found = defaultdict(list)
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name != "__init__.py":
            found[name].append(PAIR[0] if folder in PAIR else folder)
    return {name: sorted(set(folders)) for name, folders in found.items() if len(set(folders)) > 1}


def public_classes(text: str) -> list[str]:
    """The names of the public classes that a module defines at its top."""
    return [n.name for n in ast.parse(text).body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")]


def test_no_two_modules_share_a_name(root: Path, sources: list[Path]) -> None:
    paths = [file.relative_to(root).as_posix() for file in sources]
    assert shared_modules(path for path in paths if path.split("/")[0] in CORE) == {}


def test_a_shared_name_is_found() -> None:
    paths = [
        "ir/a.py",
        "ir/b.py",
        "jit/x/a.py",
        "jit/transformers/b.py",
        "jit/transformers/c.py",
        "jit/converters/c.py",
    ]
    assert shared_modules(paths) == {"a.py": ["ir", "jit/x"], "b.py": ["ir", "jit/transformers"]}

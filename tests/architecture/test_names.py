"""One file, one word; one class, one word: whoever searches for a name finds one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from .syntax import parsed

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
    return [n.name for n in parsed(text).body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")]


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


# Public classes of PaddlePaddle that have one name in two places there, too.
PUBLIC = {
    "BatchNorm", "Bilinear", "Block", "Conv2D", "Conv3D", "Hessian", "Independent", "Jacobian", "LeakyReLU", "MaxPool3D",
    "Normal", "Positive", "Program", "ReLU", "ReLU6", "Real", "Softmax", "SyncBatchNorm", "Uniform", "Variable",
}  # fmt: skip


def shared_classes(texts: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Public classes that several modules define: (path, text) of each module."""
    found = defaultdict(list)
    for path, text in texts:
        for name in public_classes(text):
            found[name].append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def test_no_two_public_classes_share_a_name(root: Path, sources: list[Path]) -> None:
    paths = {file.relative_to(root).as_posix(): file for file in sources}
    core = [(path, file.read_text()) for path, file in paths.items() if path.split("/")[0] in CORE]
    assert set(shared_classes(core)) == PUBLIC


def test_a_shared_class_is_found() -> None:
    texts = [("ir/a.py", "class A: ...\nclass _B: ..."), ("jit/b.py", "class A: ...\nclass _B: ...\nclass C: ...")]
    assert shared_classes(texts) == {"A": ["ir/a.py", "jit/b.py"]}

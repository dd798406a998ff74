"""No code knows where the code of this package stands: a function moves without a change elsewhere.

What a frame of this package means to code that looks at the stack is a mark on its function (base/frame_marks.py).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from .syntax import nodes


def named_sources(text: str, paths: Collection[str]) -> Iterator[tuple[int, str]]:
    """String literals that end the path of a source file and name a folder, and their lines."""
    for node in nodes(text) if re.search(r"\.py['\"]", text) else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.endswith(".py"):
            name = node.value.removeprefix("/")
            if "/" in node.value and any(f"/{path}".endswith(f"/{name}") for path in paths):
                yield node.lineno, node.value


def compared_files(text: str) -> Iterator[int]:
    """Lines that compare how the file name of code ends, or with that of other code."""
    for node in nodes(text) if "co_filename" in text else ():
        is_end = isinstance(node, ast.Attribute) and node.attr == "endswith" and _is_file_name(node.value)
        files = node.elts if isinstance(node, (ast.Set, ast.Tuple, ast.List)) else []
        if is_end or (files and all(map(_is_file_name, files))):
            yield node.lineno


def _is_file_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "co_filename"


def test_no_code_names_a_source_file_of_this_package(root: Path, sources: list[Path]) -> None:
    paths = [file.relative_to(root).as_posix() for file in sources]
    found = [
        f"{path}:{line} {name}"
        for path, file in zip(paths, sources, strict=True)
        for line, name in named_sources(file.read_text("utf-8"), paths)
    ]
    assert found == [], "mark the functions (base/frame_marks.py) instead"


def test_no_code_tells_functions_by_their_files(root: Path, sources: list[Path]) -> None:
    found = [f"{file.relative_to(root)}:{line}" for file in sources for line in compared_files(file.read_text("utf-8"))]
    assert found == [], "mark the functions (base/frame_marks.py) instead"


def test_the_checkers_find_what_they_look_for() -> None:
    paths = ["jit/converters/call.py", "ops/dims.py"]
    text = (
        "OURS = ('converters/call.py', 'ops/dims.py')\n"
        "ONE = '/dims.py'\n"
        "OTHER = ('model.py', 'call.py', 'users/call.py', 'ms.py')\n"
    )
    assert sorted(named_sources(text, paths)) == [(1, "converters/call.py"), (1, "ops/dims.py"), (2, "/dims.py")]
    text = (
        "frame.f_code.co_filename.endswith(OURS)\n"
        "FILES = {planned.__code__.co_filename, public.__code__.co_filename}\n"
        "code.co_filename.startswith(FOLDER), (code.co_filename, code.co_name), ()\n"
    )
    assert sorted(compared_files(text)) == [1, 2]

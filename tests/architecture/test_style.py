"""Rules of style that a linter can't hold: sizes of files, broad excepts with a reason, no pickle, no local paths."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from .syntax import nodes

MOST_LINES = 500
LONG_FILES: dict[str, str] = {}  # path -> reason
HOME_PATHS = re.compile(r"(?<![\w.])/(?:home|root|Users|work|opt/venv)/\w")
TEXT = {".py", ".md", ".toml", ".ir", ".css", ".html", ".yml", ".sh", ""}


def broad_excepts(text: str) -> Iterator[int]:
    """Yield the lines of bare and broad `except` clauses without a `# broad:` reason on them."""
    lines = text.splitlines()
    for node in nodes(text):
        if isinstance(node, ast.ExceptHandler):
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            names = {kind.id for kind in kinds if isinstance(kind, ast.Name)}
            reason = "# broad: " in lines[node.lineno - 1]
            if node.type is None or (names & {"Exception", "BaseException"} and not reason):
                yield node.lineno


def unsafe_imports(text: str) -> Iterator[int]:
    """Yield the lines that import pickle or one of its relatives, or that let NumPy unpickle."""
    for node in nodes(text):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        elif isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            if not (isinstance(node.value, ast.Constant) and node.value.value is False):
                yield node.value.lineno
        if {name.split(".")[0] for name in names} & {"pickle", "cPickle", "cloudpickle", "dill", "shelve", "marshal"}:
            yield node.lineno


def tracked_texts(root: Path) -> list[Path]:
    """Text files that git tracks or would track; without git, the source folders."""
    try:
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        listed = [str(file.relative_to(root)) for file in root.rglob("*.py") if ".venv" not in file.parts]
    files = [root / name for name in listed]
    return [file for file in files if file.is_file() and file.suffix in TEXT]


def test_files_are_short(root: Path, sources: list[Path]) -> None:
    sizes = {str(file.relative_to(root)): len(file.read_text().splitlines()) for file in sources}
    assert {name: size for name, size in sizes.items() if size > MOST_LINES and name not in LONG_FILES} == {}
    assert [name for name in LONG_FILES if sizes.get(name, 0) <= MOST_LINES] == []


def test_excepts_are_narrow_or_say_why(root: Path, sources: list[Path]) -> None:
    wrong = [f"{file.relative_to(root)}:{line}" for file in sources for line in broad_excepts(file.read_text())]
    assert wrong == []


# The cache's own files, which are trusted as machine code is (docs/security.md); its reader makes data only.
MAY_PICKLE = "runtime/program_file.py"


def test_nothing_is_pickled(root: Path, sources: list[Path]) -> None:
    wrong = [f"{file.relative_to(root)}:{line}" for file in sources for line in unsafe_imports(file.read_text())]
    assert {place.partition(":")[0] for place in wrong} == {MAY_PICKLE}


def test_no_file_names_a_place_on_one_machine(root: Path) -> None:
    wrong = [
        f"{file.relative_to(root)}:{number}"
        for file in tracked_texts(root)
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1)
        if HOME_PATHS.search(line) and file != Path(__file__)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("try:\n    x\nexcept:\n    pass", [3]),
        ("try:\n    x\nexcept Exception:\n    pass", [3]),
        ("try:\n    x\nexcept (ValueError, Exception):\n    pass", [3]),
        ("try:\n    x\nexcept Exception:  # broad: user code runs here\n    pass", []),
        ("try:\n    x\nexcept ValueError:\n    pass", []),
    ],
)
def test_the_checker_finds_broad_excepts(text: str, wrong: list[int]) -> None:
    assert list(broad_excepts(text)) == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("import pickle", [1]),
        ("from pickle import loads", [1]),
        ("import numpy as np\nnp.load('f', allow_pickle=True)", [2]),
        ("import numpy as np\nnp.load('f', allow_pickle=False)", []),
    ],
)
def test_the_checker_finds_pickle(text: str, wrong: list[int]) -> None:
    assert list(unsafe_imports(text)) == wrong

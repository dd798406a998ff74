"""A folder that one can scan: about fifteen files side by side in the folders of the compiler."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

MOST_FILES = 16
COMPILER = {"jit", "passes", "runtime"}
FULL = {  # reasons
    "jit/transformers": "one file per construct of Python's syntax, named after it",
}


def full_rooms(paths: Iterable[str]) -> dict[str, int]:
    """Folders of the compiler with more modules than one can scan, and how many; `__init__` does not count."""
    folders = Counter(path.rpartition("/")[0] for path in paths if not path.endswith("/__init__.py"))
    return {f: n for f, n in folders.items() if f.split("/")[0] in COMPILER and n > MOST_FILES}


def test_folders_of_the_compiler_can_be_scanned(root: Path, sources: list[Path]) -> None:
    found = full_rooms(file.relative_to(root).as_posix() for file in sources)
    assert {folder: files for folder, files in found.items() if folder not in FULL} == {}
    assert [folder for folder in FULL if folder not in found] == []


def test_a_full_folder_is_found() -> None:
    files = [f"jit/trace/part{n}.py" for n in range(MOST_FILES)]
    assert full_rooms([*files, "jit/trace/__init__.py", "ops/a.py"]) == {}
    assert full_rooms([*files, "jit/trace/more.py"]) == {"jit/trace": MOST_FILES + 1}

"""Documents: each folder has a page, the index names each page, decisions have numbers of their own."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path


def test_each_code_folder_has_a_page_that_the_index_names(root: Path, folders: list[str]) -> None:
    index = (root / "docs" / "index.md").read_text()
    assert [f for f in folders if f"guide/{f}.md" not in index] == []
    assert [f for f in folders if not (root / "docs" / "guide" / f"{f}.md").is_file()] == []


def test_decisions_have_numbers_of_their_own(root: Path) -> None:
    files = sorted((root / "docs" / "decisions").glob("*.md"))
    numbers = Counter(file.name[:4] for file in files)
    assert [n for n, count in numbers.items() if count > 1] == []
    assert [f.name for f in files if not f.read_text().startswith(f"# {f.name[:4]}: ")] == []


def test_links_between_documents_lead_somewhere(root: Path) -> None:
    broken = []
    for file in [root / "README.md", root / "CONTRIBUTING.md", *(root / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+?\.md)(?:#[^)]*)?\)", file.read_text()):
            if "://" not in target and not (file.parent / target).resolve().is_file():
                broken.append(f"{file.relative_to(root)} -> {target}")
    assert broken == []


def test_the_readme_names_the_two_commands_that_set_everything_up() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert "`make demo`" in text
    assert "`make test`" in text


FOLDERS = "benchmarks|docs|examples|tests|tools"
EXAMPLES = {"x", "test_x", "test_elements"}  # names that stand for any, and an argument of isin


def test_files_and_tests_that_documents_name_exist(root: Path, folders: list[str]) -> None:
    tests = {
        name for file in (root / "tests").rglob("*.py") for name in re.findall(r"def (test_\w+)", file.read_text())
    }
    files = {file.stem for file in (root / "tests").rglob("test_*.py")}
    path = re.compile(rf"`((?:{FOLDERS}|{'|'.join(folders)})/[\w./-]+)(?:::(\w+)[^`]*)?`")
    wrong = []
    for document in [*root.glob("*.md"), *(root / "docs").rglob("*.md"), root / "benchmarks" / "README.md"]:
        text = document.read_text(encoding="utf-8")
        for name, test in path.findall(text):
            if not (root / name).exists() and Path(name).stem not in EXAMPLES and not name.startswith("benchmarks/out"):
                wrong.append(f"{document.relative_to(root)}: {name}")
            elif test and test not in (root / name).read_text(encoding="utf-8"):
                wrong.append(f"{document.relative_to(root)}: {name}::{test}")
        wrong += [
            f"{document.relative_to(root)}: {name}"
            for name in re.findall(r"`(test_\w+)`", text)
            if name not in tests | files | EXAMPLES
        ]
    assert wrong == []

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

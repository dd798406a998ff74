"""Notes of a release: what they hold, and that version and changelog agree."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import vitrify as vt

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tool(load_file: Callable[[Path], ModuleType]) -> ModuleType:
    return load_file(ROOT / "tools" / "release_notes.py")


def test_notes_have_all_fragments_by_kind(tool: ModuleType, tmp_path: Path) -> None:
    for name, text in (("b.added.md", "B is\nnew.\n"), ("a.added.md", "A."), ("c.fixed.md", "C."), ("README.md", "?")):
        (tmp_path / name).write_text(text)
    made = tool.notes("1.2.0", tool.fragments(tmp_path))
    assert made == "## 1.2.0\n\n### Added\n\n* A.\n* B is new.\n\n### Fixed\n\n* C.\n"


def test_a_fragment_of_no_kind_is_refused(tool: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a.nwe.md").write_text("A.")
    with pytest.raises(ValueError, match=r"a\.nwe\.md"):
        tool.fragments(tmp_path)


def test_a_section_stands_above_the_earlier_ones(tool: ModuleType) -> None:
    text = "# Changes\n\nHead.\n\n## Unreleased: 0.2.0\n\nSoon.\n\n## 0.1.0\n\nFirst.\n"
    assert (
        tool.with_notes(text, "## 0.2.0\n\n* A.\n") == "# Changes\n\nHead.\n\n## 0.2.0\n\n* A.\n\n## 0.1.0\n\nFirst.\n"
    )


def test_every_fragment_can_be_released(tool: ModuleType) -> None:
    found = tool.fragments(ROOT / "changelog.d")
    made = tool.notes("1.0.0", found)
    assert made.count("\n* ") == sum(map(len, found.values()))


def test_one_version_everywhere() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert vt.__version__ == version
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## Unreleased: {version}\n" in changes or f"\n## {version}\n" in changes

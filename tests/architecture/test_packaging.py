"""The packaging tables equal the tree: a forgotten package would be missing from the wheel only."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

BESIDES = {"tests", "examples", "benchmarks", "tools", "docs", "build"}


def packages_in_tree(root: Path) -> set[str]:
    """Import names of all folders with an `__init__.py`."""
    found = set()
    for init in root.rglob("__init__.py"):
        parts = init.parent.relative_to(root).parts
        if parts and parts[0] not in BESIDES and not parts[0].startswith("."):
            found.add(".".join(("vitrify", *parts)) if parts[0] != "facade" else ".".join(("vitrify", *parts[1:])))
    return found


def test_packages_equal_the_tree(root: Path, setuptools_table: dict[str, Any]) -> None:
    assert set(setuptools_table["packages"]) == packages_in_tree(root)


def test_packages_are_named_once(setuptools_table: dict[str, Any]) -> None:
    assert len(setuptools_table["packages"]) == len(set(setuptools_table["packages"]))


def test_package_dir_has_one_line_per_top_level_folder(setuptools_table: dict[str, Any]) -> None:
    top = {name for name in setuptools_table["packages"] if name.count(".") <= 1}
    expected = {name: name.removeprefix("vitrify.") if "." in name else "facade" for name in top}
    assert setuptools_table["package-dir"] == expected


def test_every_folder_with_python_in_it_is_a_package(root: Path, sources: list[Path]) -> None:
    folders = {file.parent for file in sources}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_the_root_is_no_package(root: Path) -> None:
    assert not (root / "__init__.py").exists()
    assert not (root / "vitrify").exists()


def test_data_files_are_packaged(root: Path, setuptools_table: dict[str, Any]) -> None:
    patterns: dict[str, list[str]] = setuptools_table["package-data"]
    forgotten = []
    for package, folder in setuptools_table["package-dir"].items():
        for file in (root / folder).rglob("*"):
            if file.is_file() and file.suffix not in (".py", ".pyc"):
                if not any(file.match(pattern) for pattern in patterns.get(package, [])):
                    forgotten.append(str(file.relative_to(root)))
    assert forgotten == []
    assert (root / "facade" / "py.typed").exists()


def test_the_version_is_said_once(root: Path) -> None:
    import vitrify

    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert project["version"] == vitrify.__version__

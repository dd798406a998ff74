"""Whose file is whose: lines of the package are never shown as the user's."""

from __future__ import annotations

import tomllib
from pathlib import Path

import vitrify as vt
from vitrify.base.location import is_library_file

ROOT = Path(vt.__file__).resolve().parents[1]


def test_every_folder_of_the_package_is_its_own_and_others_are_the_users() -> None:
    project = ROOT / "pyproject.toml"
    if project.is_file():  # a checkout, not a wheel
        folders = tomllib.loads(project.read_text("utf-8"))["tool"]["setuptools"]["package-dir"]
        own = [folder for name, folder in folders.items() if name == "vitrify" or name.startswith("vitrify.")]
        assert len(own) > 20
        assert [folder for folder in own if not is_library_file(str(ROOT / folder / "some.py"))] == []
    assert not is_library_file(str(ROOT / "tests" / "some.py"))
    assert not is_library_file(str(ROOT.parent / "elsewhere" / "ops" / "some.py"))

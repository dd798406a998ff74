"""Whose file is whose: lines of the package are never shown as the user's."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import vitrify as vt
from vitrify.base.location import Loc, caller_loc, is_library_file

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


class Asked:
    """Its comparison tells where it was asked for."""

    places: ClassVar[list[Loc]] = []

    def __eq__(self, other: object) -> bool:
        self.places.append(caller_loc(2))
        return True

    def __hash__(self) -> int:
        return 0


@dataclass(frozen=True)
class Pair:
    a: Any
    b: Any


def test_what_dataclasses_write_is_nobodys_line() -> None:
    assert Pair(1, Asked()) == Pair(1, Asked())
    assert [Path(loc.file).name for loc in Asked.places] == [Path(__file__).name]

"""Lay out .typeview/vitrify as links to the source folders, for tools that cannot follow import hooks.

The mapping comes from pyproject.toml, so that there is one list of folders. Folders are linked, not files: a new
module shows up by itself.
"""

import os
import shutil
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VIEW = ROOT / ".typeview"


def link_files(folder: Path, target: Path) -> None:
    """Link each file of `folder` into `target`: the facade, whose package also holds the other folders."""
    target.mkdir(parents=True)
    for file in sorted(folder.iterdir()):
        if file.is_file():
            (target / file.name).symlink_to(os.path.relpath(file, target))


def main() -> None:
    """Make the view anew."""
    mapping: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]
    shutil.rmtree(VIEW, ignore_errors=True)
    for package, folder in sorted(mapping.items()):
        if package.endswith("-stubs"):  # they say less than the sources
            continue
        link = VIEW / package.replace(".", "/")
        if "." not in package:
            link_files(ROOT / folder, link)
        else:
            link.symlink_to(os.path.relpath(ROOT / folder, link.parent))


if __name__ == "__main__":
    main()

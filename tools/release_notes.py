"""Put the fragments of changelog.d together as the notes of a release.

Use: python tools/release_notes.py [--write]
Prints the notes. --write puts them into CHANGELOG.md, under the version of pyproject.toml, and deletes the fragments.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("added", "changed", "fixed", "removed")


def fragments(folder: Path) -> dict[str, list[Path]]:
    """The files of each kind, by name; ValueError for a file of no kind."""
    found: dict[str, list[Path]] = {kind: [] for kind in KINDS}
    for file in sorted(folder.glob("*.md")):
        if file.name == "README.md":
            continue
        kind = file.name.split(".")[-2]
        if kind not in found:
            raise ValueError(f"{file.name}: the kind is one of {', '.join(KINDS)}")
        found[kind].append(file)
    return found


def notes(version: str, found: dict[str, list[Path]]) -> str:
    """The section of a version: one list for each kind."""
    parts = [f"## {version}"]
    for kind, files in found.items():
        if files:
            items = "\n".join(f"* {' '.join(file.read_text(encoding='utf-8').split())}" for file in files)
            parts.append(f"### {kind.capitalize()}\n\n{items}")
    return "\n\n".join(parts) + "\n"


def with_notes(text: str, made: str) -> str:
    """The changelog with a section above those of earlier versions; "Unreleased" gives way to it."""
    head, sections = text.partition("\n## ")[0], text.split("\n## ")[1:]
    earlier = [f"\n## {section}" for section in sections if not section.startswith("Unreleased")]
    return head.rstrip() + "\n\n" + made + "".join(earlier)


def main(argv: list[str]) -> int:
    """Print or write the notes."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    found = fragments(ROOT / "changelog.d")
    made = notes(version, found)
    if "--write" not in argv:
        print(made)
        return 0
    changelog = ROOT / "CHANGELOG.md"
    changelog.write_text(with_notes(changelog.read_text(encoding="utf-8"), made), encoding="utf-8")
    for files in found.values():
        for file in files:
            file.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

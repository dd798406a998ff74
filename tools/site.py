"""Build the documentation as a site: lay out the pages, draw the plots, write the gallery, call MkDocs in strict mode.

Use: python tools/site.py [--no-gallery]   (the site is out/site/index.html; it needs no network)

Links that leave docs/ lead to copies of documents (CONTRIBUTING.md, …). Those to source files become plain names: the
site has no sources.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "out" / "site-source"
BESIDE = ("CONTRIBUTING.md", "CHANGELOG.md", "README.md", "benchmarks/README.md", "changelog.d/README.md")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")
FENCE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.M | re.S)


def lay_out() -> None:
    """Copy every document to the folder that MkDocs reads, with links that hold there."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", SOURCE)
    for name in BESIDE:
        target = SOURCE / ("about.md" if name == "README.md" else name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    for file in SOURCE.rglob("*.md"):
        change = partial(linked, original=origin(file), file=file)
        parts = FENCE.split(file.read_text(encoding="utf-8"))
        parts[::2] = [LINK.sub(change, part) for part in parts[::2]]
        file.write_text("".join(parts), encoding="utf-8")


def origin(file: Path) -> Path:
    """Where a laid-out document comes from."""
    name = str(file.relative_to(SOURCE))
    if name == "about.md":
        return ROOT / "README.md"
    return ROOT / name if name in BESIDE else ROOT / "docs" / name


def place(document: Path) -> Path | None:
    """Where a file of the checkout lies in the site; None for what isn't there."""
    if document == ROOT / "README.md":
        return SOURCE / "about.md"
    if document.is_relative_to(ROOT / "docs"):
        return SOURCE / document.relative_to(ROOT / "docs")
    return SOURCE / document.relative_to(ROOT) if str(document.relative_to(ROOT)) in BESIDE else None


def linked(match: re.Match[str], original: Path, file: Path) -> str:
    """A link as the site has it."""
    mark, text, address, anchor = match[1], match[2], match[3], match[4] or ""
    if "://" in address or address.startswith("mailto:"):
        return match[0]
    document = Path(os.path.normpath(original.parent / address))
    if not document.is_relative_to(ROOT):
        return match[0]
    target = place(document)
    if target is None or not target.exists() or target.is_dir():
        return text
    return f"{mark}[{text}]({os.path.relpath(target, file.parent)}{anchor})"


def gallery() -> None:
    """Reports of a few functions, as pages that can be looked at, and the page that lists them."""
    import gallery_functions

    rows = gallery_functions.write(SOURCE / "gallery")
    lines = [f"| [{title}](gallery/{name}.html) | {text} |" for name, title, text in rows]
    head = (
        "# Gallery of reports\n\nEach page is what `vt.report(fn)` writes: one file with the source, every stage, the "
        "kernels and the memory plan.\n\n| report | shows |\n|---|---|\n"
    )
    (SOURCE / "gallery.md").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    """Build; the status is that of MkDocs."""
    sys.path.insert(0, str(Path(__file__).parent))
    import site_plots

    lay_out()
    site_plots.write(SOURCE)
    if "--no-gallery" in sys.argv[1:]:
        (SOURCE / "gallery.md").write_text("# Gallery of reports\n", encoding="utf-8")
    else:
        gallery()
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "--config-file",
        str(ROOT / "mkdocs.yml"),
    ]
    return subprocess.run(command, check=False, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}).returncode


if __name__ == "__main__":
    raise SystemExit(main())

"""The documentation builds as a site without a warning: no link leads nowhere, and search knows the pages."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("site_tool", ROOT / "tools" / "site.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](tour.md#x)", "[a](tour.md#x)"),
        ("[a](../CONTRIBUTING.md)", "[a](CONTRIBUTING.md)"),
        ("[a](../README.md)", "[a](about.md)"),
        ("[`f`](../tests/conftest.py)", "`f`"),
        ("[a](https://example.org/b)", "[a](https://example.org/b)"),
    ],
)
def test_links_hold_in_the_site(text: str, expected: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    site = tool()
    monkeypatch.setattr(site, "SOURCE", tmp_path)
    for name in ("tour.md", "CONTRIBUTING.md", "about.md"):
        (tmp_path / name).touch()
    found = site.LINK.sub(lambda m: site.linked(m, ROOT / "docs" / "index.md", tmp_path / "index.md"), text)
    assert found == expected


@pytest.mark.slow
@pytest.mark.needs("mkdocs", "material")
def test_the_site_builds_strictly(tmp_path: Path) -> None:
    out = ROOT / "out" / "site"
    done = subprocess.run(
        [sys.executable, "tools/site.py", "--no-gallery"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {str(file.relative_to(out)) for file in out.rglob("*.html")}
    assert {"index.html", "getting-started.html", "reference/vt.html", "errors/ShapeError.html"} <= pages
    assert "getting-started.html" in (out / "search" / "search_index.js").read_text()
    text = (out / "index.html").read_text()
    assert not re.findall(r'<(?:link|script)[^>]+(?:href|src)="https?://(?!example)[^"]*\.(?:css|js)"', text)

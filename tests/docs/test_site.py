"""The documentation builds as a site without a warning: no link leads nowhere, and search knows the pages."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tool(name: str = "site") -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{name}_tool", ROOT / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
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


def test_every_plot_has_its_place_and_its_figures() -> None:
    plots = tool("site_plots")
    pages = {page: (ROOT / "docs" / page).read_text() for page, _, _ in plots.PLOTS.values()}
    marks = {(name, page) for page, text in pages.items() for name in plots.MARK.findall(text)}
    assert marks == {(name, page) for name, (page, _, _) in plots.PLOTS.items()}
    main = plots.table_with(pages["benchmarks.md"], "workload", "ratio", "goal")
    values = [plots.number(cell) for k in (0, 1) for cell in main.column("ratio", k)]
    assert len(values) > 50
    assert all(0 < value < 10 for value in values)
    with pytest.raises(LookupError, match="no table has the columns"):
        plots.table_with("| a |\n|---|\n| 1 |\n", "b")


@pytest.mark.needs("matplotlib")
def test_plots_are_drawn_for_light_and_dark_pages(tmp_path: Path) -> None:
    plots = tool("site_plots")
    for page in {page for page, _, _ in plots.PLOTS.values()}:
        shutil.copy(ROOT / "docs" / page, tmp_path)
    assert set(plots.write(tmp_path)) == set(plots.PLOTS)
    assert "plots/ratios-dark.svg#only-dark" in (tmp_path / "benchmarks.md").read_text()
    light = (tmp_path / "plots" / "ratios-light.svg").read_text()
    assert "lenet_train" in light
    assert "#333333" in light


@pytest.mark.slow
@pytest.mark.needs("mkdocs", "material", "matplotlib")
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

"""The examples in docstrings run, module by module, by import name."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def modules() -> list[str]:
    """Import names of the files that hold an example."""
    import tomllib

    table = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]
    names = []
    for package, folder in sorted(table.items()):
        for file in sorted((ROOT / folder).rglob("*.py")):
            if ">>> " in file.read_text() and file.name != "__main__.py":
                parts = file.relative_to(ROOT / folder).with_suffix("").parts
                names.append(".".join((package, *parts)).removesuffix(".__init__"))
    return names


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # examples may write files
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=FLAGS)
    assert result.failed == 0, f"{result.failed} of {result.attempted} examples failed; see the output above"
    assert result.attempted > 0 or not any(">>> " in (d.docstring or "") for d in doctest.DocTestFinder().find(module))

"""What the architecture tests read: the packaging tables and the source files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .syntax import forget

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="package", autouse=True)
def _forgotten() -> Iterator[None]:
    """Parsed files are dropped after the last test of this room."""
    yield
    forget()


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def setuptools_table() -> dict[str, Any]:
    """`[tool.setuptools]` of pyproject.toml, without the stubs, which hold no code (tests/tools/test_stubs.py)."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    stubs = "vitrify-stubs"
    table["packages"].remove(stubs)
    return table | {
        name: {k: v for k, v in table[name].items() if k != stubs} for name in ("package-dir", "package-data")
    }


@pytest.fixture(scope="session")
def folders(setuptools_table: dict[str, Any]) -> list[str]:
    """The top-level folders that are packages."""
    return sorted(setuptools_table["package-dir"].values())


@pytest.fixture(scope="session")
def sources(folders: list[str]) -> list[Path]:
    """Every source file of the library."""
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))


@pytest.fixture(scope="session")
def module_names(sources: list[Path]) -> list[str]:
    """The import name of every source file but `__main__`."""
    return [name for name in map(module_name, sources) if not name.endswith("__main__")]


def module_name(file: Path) -> str:
    """`ir/core.py` -> `vitrify.ir.core`; `facade/nn.py` -> `vitrify.nn`."""
    parts = list(file.relative_to(ROOT).with_suffix("").parts)
    parts[:1] = ["vitrify"] if parts[0] == "facade" else ["vitrify", parts[0]]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

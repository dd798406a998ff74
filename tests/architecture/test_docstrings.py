"""Every module and every public object says what it is."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path

import pytest

from .syntax import parsed

FACADES = sorted(file.stem for file in (Path(__file__).resolve().parents[2] / "facade").glob("*.py"))


def test_every_module_has_a_docstring(root: Path, sources: list[Path]) -> None:
    missing = [str(file.relative_to(root)) for file in sources if not ast.get_docstring(parsed(file.read_text()))]
    assert missing == []


@pytest.mark.parametrize("name", [name for name in FACADES if name != "__main__"])
def test_every_public_object_has_a_docstring(name: str) -> None:
    module = importlib.import_module("vitrify" if name == "__init__" else f"vitrify.{name}")
    assert hasattr(module, "__all__"), f"vitrify.{name} has no __all__"
    missing = [public for public in module.__all__ if not is_documented(getattr(module, public))]
    assert missing == []


def is_documented(thing: object) -> bool:
    """Functions, classes and modules carry a docstring; plain values (a version, a dtype) need none."""
    if inspect.isclass(thing) or inspect.ismodule(thing) or inspect.isroutine(thing):
        return bool(inspect.getdoc(thing))
    return not callable(thing) or bool(getattr(thing, "__doc__", None))


def test_public_names_are_listed_once() -> None:
    import vitrify

    assert len(vitrify.__all__) == len(set(vitrify.__all__))

"""Whatever draws NumPy's, Python's or the system's random numbers says so first: `base/drawing.py` tells a capture."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from .syntax import nodes

DRAWING = {"np.random", "numpy.random", "random", "secrets", "uuid"}
HARMLESS = {
    "default_rng",
    "Generator",
    "Philox",
    "RandomState",
    "Random",
    "get_state",
    "set_state",
    "getstate",
    "setstate",
}
EXEMPT = {  # reasons
    "base/files.py": "names of files",
    "data/workers.py": "seeds a worker process",
    "jit/converters/stdlib/surroundings.py": "compares the functions of users",
}
ASIDE = {"testing", "tools"}


def silent_draws(text: str) -> Iterator[str]:
    """Functions of these modules that are named without `drawing(module)`."""
    for node in nodes(text):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in DRAWING and node.attr not in HARMLESS:
            yield ast.unparse(node)
        if isinstance(node, ast.ImportFrom) and not node.level and node.module in DRAWING:
            yield f"from {node.module}"


def test_every_draw_is_told(root: Path, sources: list[Path]) -> None:
    found: dict[str, list[str]] = {}
    for file in sources:
        name = file.relative_to(root).as_posix()
        if name.split("/")[0] not in ASIDE and (drawn := list(silent_draws(file.read_text()))):
            found[name] = drawn
    assert {name: drawn for name, drawn in found.items() if name not in EXEMPT} == {}
    assert [name for name in EXEMPT if name not in found] == []


def test_a_silent_draw_is_found() -> None:
    assert list(silent_draws("k = np.random.uniform(0, 1)")) == ["np.random.uniform"]
    assert list(silent_draws("from random import shuffle")) == ["from random"]
    assert list(silent_draws("k = drawing(np.random).uniform(0, 1) + np.random.default_rng(0).uniform()")) == []

"""No module needs itself by way of others: imports inside functions are counted, those for annotations alone aren't."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from .syntax import nodes

Module = tuple[str, ...]


def modules_of(root: Path, sources: list[Path]) -> dict[Module, str]:
    """The text of each module below the code folders, by its place."""
    found = {}
    for file in sources:
        parts = file.relative_to(root).with_suffix("").parts
        found[parts[:-1] if parts[-1] == "__init__" else parts] = file.read_text()
    return found


def imported(module: Module, text: str, is_package: bool, known: set[Module]) -> Iterator[Module]:
    """The modules that one imports by relative imports, when it is loaded or later."""
    unseen = {
        id(inner)
        for node in nodes(text)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    package = module if is_package else module[:-1]
    for node in nodes(text):
        if not isinstance(node, ast.ImportFrom) or not node.level or id(node) in unseen:
            continue
        base = package[: len(package) - node.level + 1] + tuple(node.module.split(".") if node.module else ())
        for alias in node.names:
            if (*base, alias.name) in known:
                yield (*base, alias.name)
            elif base in known:
                yield base


def cycles(arrows: Mapping[Module, set[Module]]) -> list[list[str]]:
    """Groups of modules that reach each other, the names of each sorted."""
    left = {module: set(targets) & set(arrows) - {module} for module, targets in arrows.items()}
    while True:
        done = {module for module, targets in left.items() if not targets & set(left)}
        reached = {target for targets in left.values() for target in targets}
        done |= set(left) - reached  # nobody imports it: it is in no cycle
        if not done:
            break
        left = {module: targets - done for module, targets in left.items() if module not in done}
    groups = []
    while left:
        start = next(iter(left))
        forward, backward = _reached(start, left), _reached(start, _turned(left))
        group = (forward & backward) | {start}
        if len(group) > 1:
            groups.append(sorted("/".join(module) for module in group))
        left = {module: targets - group for module, targets in left.items() if module not in group}
    return groups


def _reached(start: Module, arrows: Mapping[Module, set[Module]]) -> set[Module]:
    seen, waiting = set(), [start]
    while waiting:
        for target in arrows.get(waiting.pop(), ()):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def _turned(arrows: Mapping[Module, set[Module]]) -> dict[Module, set[Module]]:
    back: dict[Module, set[Module]] = {module: set() for module in arrows}
    for module, targets in arrows.items():
        for target in targets & set(back):
            back[target].add(module)
    return back


def test_no_module_needs_itself(root: Path, sources: list[Path]) -> None:
    library = [file for file in sources if file.relative_to(root).parts[0] != "facade"]
    texts = modules_of(root, library)
    packages = {module for module in texts if (root.joinpath(*module) / "__init__.py").exists()}
    known = set(texts)
    arrows = {
        module: set(imported(module, text, module in packages, known)) - {module} for module, text in texts.items()
    }
    assert cycles(arrows) == []


@pytest.mark.parametrize(
    "last", ["from .a import f", "def f():\n    from .a import g", "def f():\n    from . import a"]
)
def test_a_cycle_is_found(last: str) -> None:
    texts = {("x", "a"): "from .b import h", ("x", "b"): "from ..x.c import h", ("x", "c"): last}
    arrows = {module: set(imported(module, text, False, set(texts))) for module, text in texts.items()}
    assert cycles(arrows) == [["x/a", "x/b", "x/c"]]


def test_imports_for_annotations_make_no_cycle() -> None:
    texts = {("x", "a"): "from .b import h", ("x", "b"): "if TYPE_CHECKING:\n    from .a import f"}
    arrows = {module: set(imported(module, text, False, set(texts))) for module, text in texts.items()}
    assert cycles(arrows) == []

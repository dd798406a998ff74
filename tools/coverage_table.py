"""PaddlePaddle's names beside ours: present, different (with the reason), absent (with the reason).

paddle_names.tsv: uses in public programs (empty where not counted), name; the counted ones first, by frequency.
paddle_differences.tsv: state (absent or different), a name or a pattern with `*`, the reason.
"""

from __future__ import annotations

import importlib
from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Name:
    """One of Paddle's names."""

    name: str
    uses: int | None

    @property
    def namespace(self) -> str:
        return self.name.rpartition(".")[0]


@dataclass(frozen=True)
class Difference:
    """What is said about the names that `pattern` fits."""

    state: str
    pattern: str
    reason: str

    def fits(self, name: str) -> bool:
        return fnmatchcase(name, self.pattern)


@cache
def names() -> tuple[Name, ...]:
    """Paddle's names, those of the frequency list first."""
    rows = (line.split("\t") for line in (HERE / "paddle_names.tsv").read_text().splitlines())
    return tuple(Name(name, int(uses) if uses else None) for uses, name in rows)


@cache
def differences() -> tuple[Difference, ...]:
    """What is absent or different, with reasons."""
    rows = (line.split("\t") for line in (HERE / "paddle_differences.tsv").read_text().splitlines())
    return tuple(Difference(*row) for row in rows)


@cache
def is_present(name: str) -> bool:
    """Whether the name leads to something here."""
    first, *rest = name.split(".")
    if first == "Tensor":
        return hasattr(_tensor(), rest[0])
    path = "vitrify"
    found: Any = importlib.import_module(path)
    for part in rest:
        path += f".{part}"
        try:
            found = getattr(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(path)
            except ImportError:
                return False
    return True


@cache
def _tensor() -> Any:
    import vitrify

    return vitrify.to_tensor([[1.0, 2.0]])


def difference_of(name: str) -> Difference | None:
    """What is said about a name; the first that fits."""
    return next((d for d in differences() if d.fits(name)), None)


def state_of(name: str) -> tuple[str, str]:
    """(present | different | absent, reason)."""
    said = difference_of(name)
    if not is_present(name):
        return "absent", said.reason if said and said.state == "absent" else ""
    return ("different", said.reason) if said and said.state == "different" else ("present", "")


def page(note: str) -> str:
    """The table as Markdown: totals, then per namespace what is absent or different, then the present names."""
    found = {entry.name: state_of(entry.name) for entry in names()}
    counts = Counter(state for state, _ in found.values())
    frequent = [entry.name for entry in names() if entry.uses is not None][:400]
    there = sum(found[name][0] != "absent" for name in frequent)
    parts = [
        "# PaddlePaddle's names\n", note,
        (f"{counts['present']} present, {counts['different']} different, {counts['absent']} absent. Of the 400 names "
        f"that programs use most, {there} are here.\n"),
    ]  # fmt: skip
    for namespace in dict.fromkeys(sorted(entry.namespace for entry in names())):
        parts += _section(namespace, {e.name: found[e.name] for e in names() if e.namespace == namespace})
    return "\n".join(parts)


def _section(namespace: str, found: dict[str, tuple[str, str]]) -> list[str]:
    parts = [f"## {namespace}\n"]
    notable = sorted((name, state, reason) for name, (state, reason) in found.items() if state != "present")
    if notable:
        rows = [f"| `{name}` | {state} | {reason} |" for name, state, reason in notable]
        parts += ["| name | state | reason |\n|---|---|---|", *rows, ""]
    present = sorted(name.rpartition(".")[2] for name, (state, _) in found.items() if state == "present")
    if present:
        parts.append("Present: " + ", ".join(f"`{name}`" for name in present) + ".\n")
    return parts

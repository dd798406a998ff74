"""PaddlePaddle's names beside ours: present, different (with the reason), absent (with the reason).

paddle_names.tsv: uses in public programs (empty where not counted), name; the counted ones first, by frequency.
What is absent or different, and why, is in compat/paddle_differences.tsv.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from vitrify.compat.presence import difference_of, differences, verdict

__all__ = ["differences", "is_present", "names", "page", "state_of"]
HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Name:
    """One of Paddle's names."""

    name: str
    uses: int | None

    @property
    def namespace(self) -> str:
        return self.name.rpartition(".")[0]


@cache
def names() -> tuple[Name, ...]:
    """Paddle's names, those of the frequency list first."""
    rows = (line.split("\t") for line in (HERE / "paddle_names.tsv").read_text().splitlines())
    return tuple(Name(name, int(uses) if uses else None) for uses, name in rows)


def is_present(name: str) -> bool:
    """Whether the name leads to something here."""
    return verdict(name).state != "absent"


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

"""The type of a row, and how rows are written down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..paddle_call import Reader


@dataclass(frozen=True, slots=True)
class Row:
    """How an operation is read. inputs, outputs: the slots that it has in `.pdmodel` files, in the order of `.json`.

    An input slot `A|B*` is A, or else B, which holds a list.
    """

    read: Reader
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A row under its names in `.json` (new) and `.pdmodel` files (old)."""

    new: tuple[str, ...]
    old: tuple[str, ...]
    row: Row


def entry(read: Reader, new: str, old: str | None = None, inputs: str = "X", outputs: str = "Out") -> Entry:
    """An entry; its old names are the new ones unless they are given."""
    names = tuple(new.split())
    return Entry(
        names, names if old is None else tuple(old.split()), Row(read, tuple(inputs.split()), tuple(outputs.split()))
    )


def tables(entries: Iterable[Entry]) -> tuple[dict[str, Row], dict[str, Row]]:
    """(new, old): rows by name."""
    every = list(entries)
    return {n: e.row for e in every for n in e.new}, {n: e.row for e in every for n in e.old}
